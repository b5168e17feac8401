"""Every panel of every lesson, moved to its corners without a browser."""

import html

import pytest

from simlib.errors import OutOfRange, UnknownName
from simlib.lab.controls import Choice, Slider
from simlib.lab.lessons.all import LESSONS
from simlib.lab.widgets import PanelWidget
from simlib.plots.canvas import Canvas

PANELS = {f"{number} {panel.id}": panel for number, lesson in LESSONS.items() for panel in lesson.panels}
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
    corners, count = list(panel.corners()), 1
    for control in panel.controls:
        reached = {values[control.name] for values in corners}
        if isinstance(control, Slider):
            assert {control.low, control.high} < reached
            assert len(reached) == 3
        elif isinstance(control, Choice):
            assert reached == set(control.options.values())
        else:
            assert {"", control.corners[-1]} < reached
            assert len(control.corners[-1]) > control.most - 12
        count *= len(reached)
    assert len(corners) == count


@each
def test_the_panel_starts_as_its_static_figure(panel):
    """The same two functions: without a move, a panel is the figure with the controls' defaults."""
    defaults = {control.name: control.default for control in panel.controls}
    figure = panel.figure
    assert panel.show(Canvas()).svg == figure.svg(Canvas(), figure.data(**defaults))


@each
def test_the_widget_moves_without_an_error(panel):
    widget = PanelWidget(panel, Canvas())
    first = widget.picture.value
    corners = list(panel.corners())
    for values in (corners[0], corners[-1]):
        widget.set(**values)
        assert widget.error is None
        assert panel.show(Canvas(), **values).sentence in html.unescape(widget.picture.value)
    assert widget.picture.value != first
    widget.reset()
    assert widget.picture.value == first


GUESSES = [(panel, name) for panel in PANELS.values() for name in panel.guesses]


@pytest.mark.parametrize(("panel", "name"), GUESSES, ids=[name for _, name in GUESSES])
@pytest.mark.parametrize("guess", [0.0, 0.5, 7.0, 1e9])
def test_a_guess_is_drawn_on_its_panel(panel, name, guess):
    assert "your guess" in panel.show(Canvas(), {name: guess}).svg
    assert "your guess" not in panel.show(Canvas()).svg
    assert "your guess" not in panel.show(Canvas(), {"of another panel": guess}).svg


def test_every_prediction_has_a_panel_that_draws_it():
    for lesson in LESSONS.values():
        predictions = {exercise.id for exercise in lesson.exercises if exercise.kind == "predict"}
        assert predictions == {name for panel in lesson.panels for name in panel.guesses}


@each
def test_a_table_stands_behind_the_picture(panel):
    table = panel.table()
    lengths = {len(column) for column in table.values()}
    assert len(lengths) == 1
    assert lengths.pop() >= 1


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
    with pytest.raises(UnknownName, match="view"):
        panel.show(Canvas(), view="nothing")
    with pytest.raises(UnknownName, match="nearest: growth"):
        panel.show(Canvas(), grwth=1)
    widget = PanelWidget(panel, Canvas())
    with pytest.raises(OutOfRange, match="calls"):
        widget.set(growth=0, calls=65)
    assert widget.values["growth"] == 2_200, "nothing moved"
