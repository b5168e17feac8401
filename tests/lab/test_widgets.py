"""What a panel does on the screen, without a screen."""

import gc
from dataclasses import replace

import ipywidgets
import pytest

from simlib.articles.figures.staircase import GROWTH_STAIRCASE
from simlib.lab.controls import Slider
from simlib.lab.desk import open_lesson
from simlib.lab.lessons.all import LESSONS
from simlib.lab.panel import Panel
from simlib.lab.widgets import PanelWidget
from simlib.plots.canvas import Canvas

STAIRCASE = LESSONS["02"].panel("staircase")


def broken(calls):
    if calls > 3:
        raise ZeroDivisionError("no such <run>")
    return GROWTH_STAIRCASE.data(calls)


def failing_panel():
    return Panel("broken", replace(GROWTH_STAIRCASE, data=broken), (Slider("calls", "calls", 1, 9, 1),))


def test_an_error_is_shown_in_place_and_kept_for_tests():
    widget = PanelWidget(failing_panel(), Canvas())
    assert widget.error is None
    widget.set(calls=4)
    assert isinstance(widget.error, ZeroDivisionError)
    assert "no such &lt;run&gt;" in widget.picture.value
    assert 'role="alert"' in widget.picture.value
    widget.set(calls=2)
    assert widget.error is None
    assert "<svg" in widget.picture.value


def test_one_move_is_one_picture():
    """Others shipped a redraw that adds a figure at each move (ipywidgets issue 1919)."""
    widget = PanelWidget(STAIRCASE, Canvas())
    before = widget.redraws
    for calls in (9, 10, 11, 12, 13):
        widget.inputs["calls"].value = calls
    assert widget.redraws == before + 5
    assert widget.picture.value.count("<svg") == 1
    assert sum("<svg" in str(getattr(child, "value", "")) for child in widget.children) == 1


def test_setting_several_controls_draws_once():
    widget = PanelWidget(STAIRCASE, Canvas())
    before = widget.redraws
    widget.set(calls=16, growth=0, first_context=500)
    assert widget.redraws == before + 1
    assert widget.values == {
        "calls": 16,
        "growth": 0,
        "first_context": 500,
        "view": "every request: new, read again",
    }


def test_the_picture_and_its_words_always_agree():
    widget = PanelWidget(STAIRCASE, Canvas())
    widget.set(calls=16)
    sentence = STAIRCASE.show(Canvas(), calls=16).sentence
    assert f'aria-label="{sentence}"' in widget.picture.value
    assert widget.picture.value.count(sentence) == 2


def test_the_table_takes_the_pictures_place():
    widget = PanelWidget(STAIRCASE, Canvas())
    widget.as_table.value = True
    assert "<table" in widget.picture.value
    assert "<svg" not in widget.picture.value
    assert "125,600" in widget.picture.value
    widget.as_table.value = False
    assert "<svg" in widget.picture.value


def test_the_next_button_goes_on_and_begins_again():
    widget = PanelWidget(LESSONS["00"].panel("run"), Canvas())
    (button,) = [child for row in widget.children for child in getattr(row, "children", ())
                 if isinstance(child, ipywidgets.Button)]  # fmt: skip
    for expected in (2, 3):
        button.click()
        assert widget.values == {"calls": expected}
    widget.set(calls=18)
    button.click()
    assert widget.values == {"calls": 1}


def test_pictures_of_two_panels_share_no_id():
    first, second = PanelWidget(STAIRCASE, Canvas()), PanelWidget(STAIRCASE, Canvas())
    assert first.picture.value != second.picture.value


@pytest.mark.slow
def test_two_hundred_moves_keep_no_matplotlib_objects():
    from matplotlib.artist import Artist

    widget = PanelWidget(STAIRCASE, Canvas())

    def artists_after(moves):
        for move in range(moves):
            widget.set(calls=8 + move % 8)
        gc.collect()
        return sum(isinstance(thing, Artist) for thing in gc.get_objects())

    assert artists_after(200) <= artists_after(8) * 1.02


def test_a_panels_cell_draws_once(tmp_path):
    lab = open_lesson("02", tmp_path)
    assert lab.panel("staircase").redraws == 1
    assert lab.panel("staircase", calls=16).redraws == 1
    assert lab.panel("staircase", calls=16).values["calls"] == 16
