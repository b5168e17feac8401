"""Every panel of every lesson, moved to its corners without a browser."""

from itertools import product

import pytest

from simlib.errors import OutOfRange, UnknownName
from simlib.lab.controls import Slider
from simlib.lab.lessons.all import LESSONS
from simlib.lab.widgets import PanelWidget
from simlib.plots.canvas import Canvas

PANELS = {
    f"{number} {name}": panel for number, lesson in LESSONS.items() for name, panel in lesson.panels.items()
}
LONGEST_SENTENCE = 200  # letters: two lines under a picture, so that nothing jumps

each = pytest.mark.parametrize("panel", PANELS.values(), ids=PANELS)


@each
def test_no_corner_fails(panel):
    """Least, middle and greatest of each slider, every option of a choice, in all combinations."""
    canvas = Canvas()
    for values in panel.corners():
        shown = panel.show(canvas, **values)
        assert shown.svg.startswith("<svg "), values
        assert len(shown.svg) < 60_000, values
        assert "nan" not in shown.sentence, values
        assert len(shown.sentence) <= LONGEST_SENTENCE, (values, shown.sentence)


@each
def test_the_corners_are_the_ends_and_the_middle(panel):
    corners = list(panel.corners())
    assert len(corners) == len(list(product(*(control.corners for control in panel.controls))))
    for control in panel.controls:
        reached = [values[control.name] for values in corners]
        if isinstance(control, Slider):
            assert (min(reached), max(reached)) == (control.low, control.high)
            assert len(set(reached)) == 3
        else:
            assert set(reached) == set(control.options.values())


@each
def test_the_panel_starts_as_its_static_figure(panel):
    """The same two functions: without a move, a panel is the figure with the controls' defaults."""
    defaults = {control.name: control.default for control in panel.controls}
    figure = panel.figure
    assert panel.show(Canvas()).svg == figure.svg(Canvas(), figure.compute(**defaults))


@each
def test_the_widget_moves_without_an_error(panel):
    widget = PanelWidget(panel, Canvas())
    first = widget.picture.value
    corners = list(panel.corners())
    for values in (corners[0], corners[-1]):
        widget.set(**values)
        assert widget.error is None
        assert panel.show(Canvas(), **values).sentence[:20] in widget.picture.value.replace("&#x27;", "'")
    assert widget.picture.value != first
    widget.reset()
    assert widget.picture.value == first


@each
def test_a_guess_is_drawn_where_there_is_one(panel):
    if not panel.predicts:
        return
    for guess in (0.0, 0.5, 7.0, 1e9):
        shown = panel.show(Canvas(), guess=guess)
        assert "your guess" in shown.svg, guess
        assert "your guess" not in panel.show(Canvas()).svg


@each
def test_a_table_stands_behind_the_picture(panel):
    table = panel.table()
    lengths = {len(column) for column in table.values()}
    assert len(lengths) == 1
    assert lengths.pop() > 1 or "calls" in [control.name for control in panel.controls]


@each
def test_number_boxes_and_sliders_follow_each_other(panel):
    widget = PanelWidget(panel, Canvas())
    for row in widget.children:
        kinds = [type(child).__name__ for child in getattr(row, "children", ())]
        if kinds[:1] in (["BoundedIntText"], ["BoundedFloatText"]):
            box, slider = row.children[:2]
            assert box.description, "a control without a name"
            box.value = box.max
            assert slider.value == box.max
            slider.value = slider.min
            assert box.value == slider.min
    assert widget.error is None


def test_a_control_beyond_its_range_is_named():
    panel = PANELS["02 staircase"]
    with pytest.raises(OutOfRange, match="calls"):
        panel.show(Canvas(), calls=65)
    with pytest.raises(UnknownName, match="paid"):
        panel.show(Canvas(), paid="nothing")
    with pytest.raises(UnknownName, match="nearest: growth"):
        panel.show(Canvas(), grwth=1)
