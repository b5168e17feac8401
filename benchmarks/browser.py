"""A real browser on a real Jupyter, both on this machine alone: for what is timed and for what is tested."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import BrowserContext, Locator, Page, sync_playwright

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
PATIENCE = 90  # seconds, for whatever a loaded machine may take


def chromium() -> str | None:
    """Where the browser is, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def served(application: str, folder: Path) -> Iterator[tuple[str, int]]:
    """Start `lab` or `voila` on a folder of notebooks; gives its address and the process id."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        own = Path(temporary)
        settings = own / "settings" / "@jupyterlab" / "apputils-extension"
        settings.mkdir(parents=True)
        (settings / "notification.jupyterlab-settings").write_text('{"fetchNews": "false"}')
        environment = os.environ | {
            "JUPYTER_CONFIG_DIR": str(own),
            "JUPYTER_RUNTIME_DIR": str(own / "runtime"),
            "JUPYTERLAB_SETTINGS_DIR": str(own / "settings"),
            "JUPYTERLAB_WORKSPACES_DIR": str(own / "workspaces"),
        }
        log = own / "log.txt"
        with log.open("w") as out:
            command = [sys.executable, "-m", *_arguments(application, port, folder)]
            process = subprocess.Popen(command, env=environment, stdout=out, stderr=subprocess.STDOUT)
        try:
            _wait_for(f"http://127.0.0.1:{port}/{'api' if application == 'lab' else ''}", process, log)
            yield f"http://127.0.0.1:{port}", process.pid
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE)


@contextmanager
def opened_browser() -> Iterator[BrowserContext]:
    """Chromium, its pages as large as a small projector."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        context = browser.new_context(viewport={"width": 1280, "height": 720})
        context.set_default_timeout(PATIENCE / 2 * 1000)
        yield context
        browser.close()


def open_notebook(page: Page, address: str, name: str) -> None:
    """Open a notebook in JupyterLab and wait for its kernel."""
    page.goto(f"{address}/lab/tree/{name}?reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    wait_until_idle(page)


def run_all(page: Page) -> None:
    """Run all cells by the menu, as a student does."""
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=busy]")
    wait_until_idle(page)


def wait_until_idle(page: Page) -> None:
    """Wait until the kernel has nothing to do, for half a second on end."""
    idle = ".jp-Notebook-ExecutionIndicator[data-status=idle]"
    for _ in range(2):
        page.wait_for_selector(idle)
        page.wait_for_timeout(500)
    page.wait_for_selector(idle)


def handles(panel: Locator) -> Locator:
    """The round handles of a panel's sliders, from top to bottom."""
    return panel.locator(".noUi-handle")


def drag(page: Page, handle: Locator, by: float, moves: int = 8) -> None:
    """Drag a handle with the mouse, `by` pixels to the right."""
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by, y, steps=moves)
    page.mouse.up()


def _arguments(application: str, port: int, folder: Path) -> list[str]:
    if application == "voila":
        return ["voila", str(folder), f"--port={port}", "--no-browser", "--Voila.ip=127.0.0.1"]
    return [
        *("jupyter", "lab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"),
        *("--IdentityProvider.token=", f"--ServerApp.root_dir={folder}"),
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]


def _wait_for(address: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=5).read()
        except (urllib.error.URLError, OSError):
            time.sleep(0.3)
        else:
            return
    raise RuntimeError(f"{address} does not answer: {log.read_text()[-2000:]}")
