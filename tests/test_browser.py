"""A student in a real browser: JupyterLab and Voila on this machine, Chromium at 1280 by 720.

Needs Debian's `chromium`, which `.ci/run` installs. Elsewhere these tests are skipped; in CI they fail.
"""

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from benchmarks import browser
from benchmarks.sliders import milliseconds_to_picture

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        browser.chromium() is None and not os.environ.get("CI"), reason="no chromium on this machine"
    ),
]

SQUARE = "02_why_the_bill_grows_like_a_square.ipynb"
LOOP = "01_the_loop.ipynb"
CACHING = "04_caching.ipynb"
EVERY = sorted(path.name for path in browser.NOTEBOOKS.glob("*.ipynb"))
TALLEST = 560  # pixels that a panel may take


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return shutil.copytree(browser.NOTEBOOKS, tmp_path_factory.mktemp("class") / "notebooks")


@pytest.fixture(scope="module")
def lab(folder):
    with browser.served("lab", folder) as (address, process):
        yield address, process


@pytest.fixture(scope="module")
def chromium():
    with browser.opened_browser() as context:
        yield context


@pytest.fixture(scope="module")
def square(lab, chromium):
    """Notebook 02, all cells run once; a test that moves a panel runs the panel's cell again first."""
    return notebook_in(chromium.new_page(), lab, SQUARE)


@pytest.fixture(scope="module")
def loop(lab, chromium):
    """Notebook 01, all cells run once."""
    return notebook_in(chromium.new_page(), lab, LOOP)


def notebook_in(page, lab, name):
    browser.open_notebook(page, lab[0], name)
    browser.run_all(page)
    return page


def cell_of(page, text):
    """The code cell with this text, brought into view."""
    cell = page.locator(".jp-CodeCell", has_text=text)
    cell.first.scroll_into_view_if_needed()
    return cell


def panel_of(page, cell_text):
    """The panel below the cell with this text."""
    panel = cell_of(page, cell_text).locator(".simlib-panel")
    panel.locator(".simlib-picture svg").wait_for()
    return panel


def fresh_panel(page):
    """The staircase as it starts: its cell run again."""
    run_cell(page, 'lab.panel("staircase")')
    panel = panel_of(page, 'lab.panel("staircase")')
    assert calls_in_words(panel) == 8
    return panel


def run_cell(page, text):
    cell_of(page, text).locator(".jp-InputArea").click()
    page.keyboard.press("Control+Enter")
    browser.wait_until_idle(page)


def picture(panel):
    return panel.locator(".simlib-picture").inner_html()


def words(panel):
    return panel.locator(".simlib-words").last.inner_text()


def calls_in_words(panel):
    return int(re.search(r"In (\d+) calls", words(panel)).group(1))


def wait_for_other_words(page, panel, before):
    handle = panel.locator(".simlib-words").last
    page.wait_for_function("([e, old]) => e.isConnected === false || e.innerText !== old",
                           arg=[handle.element_handle(), before])  # fmt: skip
    page.wait_for_timeout(400)


def test_no_cell_fails(square):
    errors = square.locator(
        ".jp-RenderedText[data-mime-type='application/vnd.jupyter.stderr'], .jp-Output-error"
    )
    assert errors.count() == 0


def test_the_mouse_drags_a_slider(square):
    panel = fresh_panel(square)
    before, drawn, height = words(panel), picture(panel), panel.bounding_box()["height"]
    browser.drag(square, browser.handles(panel).first, by=120)
    wait_for_other_words(square, panel, before)
    assert calls_in_words(panel) > 8
    assert picture(panel) != drawn
    assert panel.bounding_box()["height"] == height, "the page does not jump"
    box = panel.get_by_role("spinbutton", name="model calls (K)")
    assert int(box.input_value()) == calls_in_words(panel), "box and picture agree on the last value"


def test_the_keyboard_moves_a_slider(square):
    panel = fresh_panel(square)
    handle = browser.handles(panel).first
    handle.focus()
    for key, calls in (("ArrowRight", 9), ("ArrowLeft", 8), ("End", 64), ("Home", 1)):
        before = words(panel)
        square.keyboard.press(key)
        wait_for_other_words(square, panel, before)
        assert words(panel).startswith(f"In words: In {calls} call")


def test_tab_reaches_every_control_and_a_typed_number_counts(square):
    panel = fresh_panel(square)
    box = panel.get_by_role("spinbutton", name="model calls (K)")
    before = words(panel)
    box.fill("16")
    box.press("Enter")
    wait_for_other_words(square, panel, before)
    assert "392,000 tokens" in words(panel)
    box.focus()
    reached = []
    for _ in range(8):
        square.keyboard.press("Tab")
        reached.append(square.evaluate("document.activeElement.className + document.activeElement.type"))
    assert sum("noUi-handle" in name for name in reached) == 3
    assert any("select" in name for name in reached)
    assert any("checkbox" in name for name in reached)


def test_a_wrong_answer_gets_a_diagnosis_and_a_right_one_is_correct(square):
    form = cell_of(square, 'lab.check("totals")').locator(".simlib-form")
    for name, number in (("16 calls", "427,200"), ("32 calls", "1,347,200"), ("64 calls", "4,947,200")):
        form.get_by_label(f"{name} (tokens)").fill(number)
    form.get_by_role("button", name="Check").click()
    form.get_by_text("counts growth before the first call").wait_for()
    assert form.get_by_text("All parts are correct").count() == 0
    form.get_by_role("button", name="Hint").click()
    form.get_by_text("Hint 1 of 3").wait_for()
    form.get_by_label("16 calls (tokens)").fill("392,000")
    form.get_by_role("button", name="Check").click()
    form.get_by_text("All parts are correct").wait_for()


def test_a_guess_appears_in_the_panel_at_once(square):
    panel = fresh_panel(square)
    form = cell_of(square, 'lab.predict("eight")').locator(".simlib-form")
    form.get_by_label("your answer (tokens)").fill("64,000")
    form.get_by_role("button", name="Keep my guess").click()
    form.get_by_text("Kept: 64,000").wait_for()
    panel.get_by_text("your guess: 64,000").first.wait_for()


def test_a_cell_run_three_times_has_one_panel(square):
    """Others shipped a chain of figures (ipywidgets issue 136)."""
    for _ in range(3):
        fresh_panel(square)
    cell = cell_of(square, 'lab.panel("staircase")')
    assert cell.locator(".simlib-panel").count() == 1
    assert cell.locator(".simlib-picture svg").count() == 1


def test_two_hundred_moves_leave_nothing_behind(lab, square):
    """Elsewhere figures pile up (ipywidgets issue 1919) and kernels die after a few moves."""
    panel = fresh_panel(square)
    handle = browser.handles(panel).first
    handle.focus()

    def move(times):
        for at in range(times):
            handle.press("ArrowRight" if at // 20 % 2 == 0 else "ArrowLeft")
            square.wait_for_timeout(20)
        square.wait_for_timeout(1_500)

    def standing():
        elements = square.evaluate("document.querySelectorAll('*').length")
        return sum(kernel_kilobytes(lab[1])), elements, panel.locator("svg").count()

    move(60)
    kilobytes, elements, pictures = standing()
    move(200)
    after = standing()
    assert after[0] - kilobytes < 20_000, "the kernel grew by more than 20 MB"
    assert after[1] < elements * 1.1
    assert after[2] == pictures
    before = words(panel)
    square.keyboard.press("End")
    wait_for_other_words(square, panel, before)
    assert calls_in_words(panel) == 64, "the last value wins"


def kernel_kilobytes(server):
    """Memory of each process that the server started, in kilobytes."""
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text()
        except OSError:
            continue  # it ended while we looked
        if re.search(rf"^PPid:\s*{server}$", text, flags=re.MULTILINE):
            yield int(re.search(r"^VmRSS:\s*(\d+)", text, flags=re.MULTILINE).group(1))


def test_no_frame_is_without_a_picture(square):
    fresh_panel(square)
    waits, blank = milliseconds_to_picture(square, moves=8)
    assert len(waits) == 8
    assert blank == 0


def for_a_projector(folder, name):
    """A copy of a notebook that asks for large letters; gives its name."""
    notebook = json.loads((folder / name).read_text(encoding="utf-8"))
    opened = next(cell for cell in notebook["cells"] if "".join(cell["source"]).endswith("\nlab"))
    opened["source"] = [*opened["source"][:-1], 'lab.style("projector")']
    (folder / f"large-{name}").write_text(json.dumps(notebook), encoding="utf-8")
    return f"large-{name}"


@pytest.mark.parametrize("large", [False, True], ids=["screen", "projector"])
@pytest.mark.parametrize("name", EVERY)
def test_panels_fit_the_screen_and_name_their_controls(lab, chromium, folder, name, large):
    tab = notebook_in(chromium.new_page(), lab, for_a_projector(folder, name) if large else name)
    calls = re.findall(r'lab\.panel\(\\"(\w+)\\"', (browser.NOTEBOOKS / name).read_text(encoding="utf-8"))
    assert calls
    for call in calls:
        panel = panel_of(tab, f'lab.panel("{call}")')
        assert panel.bounding_box()["height"] <= TALLEST
        assert ("simlib-large" in panel.get_attribute("class")) == large
        assert panel.evaluate("e => e.scrollWidth <= e.clientWidth"), "no scroll bar"
        check_accessibility(panel)
    tab.close()


def check_accessibility(panel):
    """The tree that a screen reader gets: names for controls, and the sentence twice (picture, text)."""
    tree = panel.aria_snapshot().replace("''", "'")  # it is YAML, which doubles an apostrophe
    for role in ("spinbutton", "combobox", "checkbox", "button"):
        assert not re.search(rf"^\s*- {role}(?! \")", tree, flags=re.MULTILINE), f"a {role} without a name"
    sentence = words(panel).removeprefix("In words: ")
    assert tree.count(sentence) == 2
    # ipywidgets gives a slider's handle no name, and no way to give it one: the box before it has the name,
    # moves with it, and does all that it does.
    rows = re.findall(r'- spinbutton "([^"]+)".*\n\s*- slider', tree)
    assert len(rows) == browser.handles(panel).count()


def test_static_pictures_keep_their_text_in_lab(square):
    for picture_cell in ("staircase", "placing", "dollars"):
        image = cell_of(square, f'lab.picture("{picture_cell}"').locator("img")
        image.wait_for()
        assert re.search(r"\d", image.get_attribute("alt"))
        assert image.evaluate("e => e.naturalWidth") > 100


def test_money_is_not_taken_for_a_formula(square):
    said = cell_of(square, 'lab.picture("dollars"').locator(".simlib-words")
    assert "has cost $6.11, one held at 30,000 tokens $3.24" in said.text_content()


def test_a_dark_theme_keeps_the_ground_white(square):
    square.evaluate("document.body.dataset.jpThemeLight = 'false'")  # what Lab's dark theme sets
    panel = panel_of(square, 'lab.panel("staircase")')
    colours = panel.evaluate("e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).color]")
    assert colours == ["rgb(255, 255, 255)", "rgb(38, 38, 38)"]
    labels = panel.locator(".widget-label").evaluate_all("all => all.map(e => getComputedStyle(e).color)")
    assert set(labels) == {"rgb(38, 38, 38)"}


def play_of(page, name):
    """A play of notebook 01, started anew."""
    play = cell_of(page, f'lab.play("{name}")').locator(".simlib-play")
    play.get_by_role("button", name="Start again").click()
    page.wait_for_timeout(800)
    return play


def test_a_guess_is_chosen_and_the_run_is_stepped_through(loop):
    """A student's first section: choose, step with the button, look at the other choice, be told."""
    form = cell_of(loop, 'lab.predict("who")').locator(".simlib-form")
    form.get_by_role("combobox", name="your guess").select_option("1. the model, inside the reply")
    form.get_by_role("button", name="Keep my guess").click()
    form.get_by_text("Kept: the model, inside the reply").wait_for()
    panel = panel_of(loop, 'lab.panel("steps")')
    panel.get_by_text("your guess, who runs it: the model, inside the reply").first.wait_for()
    seen = [words(panel)]
    for _ in range(15):
        panel.get_by_role("button", name="Next message").click()
        wait_for_other_words(loop, panel, seen[-1])
        seen.append(words(panel))
    assert "the model to your code: “please run search(text='KL divergence is not a distance')”" in seen[2]
    assert "your code to the tools" in seen[3]
    assert "Message 16 of 16, the last: your code to you" in seen[-1]
    assert "4 calls so far, 4,624 tokens read, $0.00035" in seen[-1]
    panel.get_by_role("combobox", name="your code").select_option("refuses every tool")
    wait_for_other_words(loop, panel, seen[-1])
    assert "Message 1 of 7: you to your code" in words(panel), "another choice begins anew"
    for _ in range(6):
        before = words(panel)
        panel.get_by_role("button", name="Next message").click()
        wait_for_other_words(loop, panel, before)
    assert "Message 7 of 7, the last: your code to you: “My search was denied" in words(panel)
    run_cell(loop, 'lab.reveal("who")')
    cell_of(loop, 'lab.reveal("who")').get_by_text("Your code. The model only writes").wait_for()


def test_an_approval_is_given_and_one_is_not(loop):
    play = play_of(loop, "approval")
    assert play.get_by_text("delete_text(text='bayes'). May it run?").count() == 1
    play.get_by_role("button", name="Refuse").click()
    play.get_by_text("write_note(text='information is about rain.'). May it run?").wait_for()
    play.get_by_role("button", name="Agree").click()
    play.get_by_text("Nothing is lost").wait_for()
    assert "The note is written" in play.inner_text()
    assert "The task: Which of the texts is about rain?" in play.inner_text()


def test_you_are_the_model_up_to_a_right_answer(loop):
    play = play_of(loop, "model")
    what, text = play.get_by_role("combobox", name="I ask for"), play.get_by_role("textbox", name="text")
    send = play.get_by_role("button", name="Send")

    def say(tool, words, waited_for):
        what.select_option(tool)
        loop.wait_for_timeout(300)
        text.fill(words)
        send.click()
        play.get_by_text(waited_for).first.wait_for()

    say("answer", "One of eleven.", "you have not read it")
    play.get_by_role("button", name="Take back").click()
    loop.wait_for_timeout(800)
    say("search", "medical", "nothing found")
    say("search", "tests positive", "bayes:163")
    what.select_option("read")
    loop.wait_for_timeout(300)
    play.get_by_role("spinbutton", name="from").fill("163")
    play.get_by_role("spinbutton", name="from").blur()
    say("read", "bayes", "one case of eleven")
    assert "3 calls" in play.inner_text()
    say("answer", "One of eleven.", "Right, and you have read it.")
    assert re.search(r"you\s+4\s", play.inner_text())
    box = play.bounding_box()
    assert box["width"] <= 820
    assert box["height"] <= TALLEST + 40, "the comparison stands where the boxes were"
    tree = play.aria_snapshot()
    for role in ("combobox", "textbox", "button"):
        assert not re.search(rf"^\s*- {role}(?! \")", tree, flags=re.MULTILINE), f"a {role} without a name"


def test_a_play_can_be_played_by_the_keyboard(loop):
    play = play_of(loop, "approval")
    play.get_by_role("button", name="Agree").focus()
    loop.keyboard.press("Tab")
    loop.keyboard.press("Enter")
    play.get_by_text("write_note(text=").first.wait_for()


def test_a_text_of_ones_own_is_counted(loop):
    panel = panel_of(loop, 'lab.panel("tokens")')
    before = words(panel)
    box = panel.get_by_role("textbox", name="a text of your own")
    typed = "Příliš žluťoučký kůň <b>$5</b> & $7"
    box.fill(typed)
    box.blur()
    wait_for_other_words(loop, panel, before)
    assert words(panel).startswith(f"In words: Your text: {len(typed)} characters are about")


def test_an_exercise_and_the_game_of_causes_of_04(lab, chromium):
    page = notebook_in(chromium.new_page(), lab, CACHING)
    form = cell_of(page, 'lab.check("uses")').locator(".simlib-form")
    form.get_by_label("five minutes (uses)").fill("3")
    form.get_by_label("one hour (uses)").fill("4")
    form.get_by_role("button", name="Check").click()
    form.get_by_text("The first use counts").first.wait_for()
    form.get_by_label("five minutes (uses)").fill("2")
    form.get_by_label("one hour (uses)").fill("3")
    form.get_by_role("button", name="Check").click()
    form.get_by_text("All parts are correct").wait_for()
    play = cell_of(page, 'lab.play("misses")').locator(".simlib-play")
    play.get_by_role("combobox", name="because").select_option("the model is another")
    play.get_by_role("button", name="Send").click()
    play.get_by_text("Request 2: why").wait_for()
    assert "The API says system_changed" in play.inner_text()
    assert "0 of 1 right." in play.inner_text()
    page.close()


def test_voila_shows_and_moves_a_panel(folder, chromium):
    with browser.served("voila", folder) as (address, _):
        page = chromium.new_page()
        page.goto(f"{address}/voila/render/{SQUARE}")
        panel = page.locator(".simlib-panel").first
        panel.locator(".simlib-picture svg").wait_for()
        page.wait_for_timeout(2_000)
        before = words(panel)
        browser.drag(page, browser.handles(panel).first, by=120)
        wait_for_other_words(page, panel, before)
        assert calls_in_words(panel) > 8
        handle = browser.handles(panel).first
        handle.focus()
        before = words(panel)
        page.keyboard.press("Home")
        wait_for_other_words(page, panel, before)
        assert words(panel).startswith("In words: In 1 call")
