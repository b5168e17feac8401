"""From slider to picture: how long a student waits after a move, in Lab and in Voila."""

import shutil
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Page

from benchmarks.browser import NOTEBOOKS, handles, open_notebook, opened_browser, run_all, served

NOTEBOOK = "02_why_the_bill_grows_like_a_square.ipynb"
MOVES = 12

# Watches a panel, and counts the frames that show no picture.
_WATCH = """panel => {
  window.simlib = {panel, blank: 0, frames: 0, stop: false};
  const look = () => {
    const svg = panel.querySelector('.simlib-picture svg');
    window.simlib.frames += 1;
    if (!svg || svg.getBoundingClientRect().height < 100) window.simlib.blank += 1;
    if (!window.simlib.stop) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""

# Presses a key on a handle and waits for the frame in which another picture stands; gives milliseconds.
_MOVE = """(handle, key) => new Promise((resolve, reject) => {
  const shown = () => window.simlib.panel.querySelector('.simlib-picture svg');
  const before = shown(), start = performance.now();
  handle.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
  const wait = () => {
    if (shown() && shown() !== before) requestAnimationFrame(() => resolve(performance.now() - start));
    else if (performance.now() - start > 20000) reject(new Error('no picture within 20 seconds'));
    else requestAnimationFrame(wait);
  };
  requestAnimationFrame(wait);
})"""


def milliseconds_to_picture(page: Page, moves: int = MOVES) -> tuple[list[float], int]:
    """Move the first slider of the first panel to and fro; gives the waits, and the blank frames."""
    panel = page.locator(".simlib-panel").first
    panel.scroll_into_view_if_needed()
    handle = handles(panel).first
    handle.focus()
    panel.evaluate(_WATCH)
    waits = []
    for move in range(moves + 2):
        waits.append(handle.evaluate(_MOVE, "ArrowRight" if move % 2 == 0 else "ArrowLeft"))
        page.wait_for_timeout(300)
    page.evaluate("window.simlib.stop = true")
    return waits[2:], int(page.evaluate("window.simlib.blank"))  # the first two warm up


def median_wait(application: str) -> float:
    """Median milliseconds from a key press to the new picture; a frame without any is an error."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        shutil.copy(NOTEBOOKS / NOTEBOOK, folder)
        with served(application, folder) as (address, _), opened_browser() as browser:
            page = browser.new_page()
            if application == "voila":
                page.goto(f"{address}/voila/render/{NOTEBOOK}")
                page.wait_for_selector(".simlib-panel .simlib-picture svg")
                page.wait_for_timeout(5_000)
            else:
                open_notebook(page, address, NOTEBOOK)
                run_all(page)
            waits, blank = milliseconds_to_picture(page)
    if blank:
        raise RuntimeError(f"{blank} frames without a picture")
    return median(waits)
