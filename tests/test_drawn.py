"""What stands in the pictures, read back from matplotlib: that `draw` draws the data, and nothing else."""

import math

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.container import ErrorbarContainer

from simlib.articles.figures.cumulative_cost import CUMULATIVE_COST
from simlib.articles.figures.staircase import GROWTH_STAIRCASE, LAST_REQUEST, TWO_PARTS
from simlib.articles.figures.success_by_steps import SUCCESS_BY_STEPS
from simlib.articles.figures.tokens_processed import TOKENS_PROCESSED
from simlib.lab.figures.luck import LUCK
from simlib.lab.figures.placing import PLACING
from simlib.lab.figures.retries import RETRIES
from simlib.lab.lessons.all import LESSONS
from simlib.plots.canvas import Canvas
from simlib.plots.marks import bars, guess, line
from simlib.theory.reliability import step_success, task_success


def drawn(figure, style="screen", **parameters):
    """The data of a figure, and the Axes that it is drawn on."""
    data, kept = figure.data(**parameters), []
    Canvas(style).svg(lambda ax: (figure.draw(ax, data), kept.append(ax)))
    return data, kept[0]


def rectangles(ax):
    """(bottom, height, hatch) of every bar, in the order drawn."""
    return [(bar.get_y(), bar.get_height(), bar.get_hatch()) for bar in ax.patches]


def words(ax):
    return [text.get_text() for text in ax.texts]


def error_bars(ax):
    """Half lengths of the error bars of each set of points."""
    found = []
    for container in ax.containers:
        if isinstance(container, ErrorbarContainer):
            (bar,) = container[2]
            found.append(np.array([(end[1] - start[1]) / 2 for start, end in bar.get_segments()]))
    return found


def test_new_stands_on_read_again():
    _, ax = drawn(GROWTH_STAIRCASE, calls=3, first_context=10, growth=4)
    assert rectangles(ax) == [
        *((0, 0, "//"), (0, 10, "//"), (0, 14, "//")),
        *((0, 10, ""), (10, 4, ""), (14, 4, "")),
    ]
    assert words(ax) == ["new\nin all:\n18", "read again\nin all:\n24"]
    assert 14 < ax.texts[0].xy[1] <= 18.01, "beside the part it names, or pushed up from it"
    assert 0 < ax.texts[1].xy[1] < 14


def test_growth_stands_on_the_first_contexts():
    _, ax = drawn(GROWTH_STAIRCASE, calls=3, first_context=10, growth=4, view=TWO_PARTS)
    assert rectangles(ax) == [
        *((0, 10, "//"), (0, 10, "//"), (0, 10, "//")),
        *((10, 0, ""), (10, 4, ""), (10, 8, "")),
    ]
    assert words(ax) == ["additions\nin all:\n12", "first context\nin all:\n30"]


def test_only_the_last_bar_counts():
    _, ax = drawn(GROWTH_STAIRCASE, calls=3, first_context=10, growth=4, view=LAST_REQUEST)
    assert [to_hex(bar.get_facecolor()) for bar in ax.patches] == ["#ffffff", "#ffffff", "#000000"]
    assert [height for _, height, _ in rectangles(ax)] == [10, 14, 18]
    assert words(ax) == ["one bar:\n18"]


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"calls": 3, "first_context": 10, "growth": 4}, "42 tokens: 2.3 times the 18 of the last request"),
        ({"calls": 3, "first_context": 10, "growth": 4}, "because 57% of it is read again."),
        (
            {"calls": 3, "first_context": 10, "growth": 4, "view": LAST_REQUEST},
            "43% of what it is: 42 tokens.",
        ),
        (
            {"calls": 3, "first_context": 10, "growth": 4, "view": TWO_PARTS},
            "30 of first context, read 3 times",
        ),
        ({"calls": 3, "first_context": 10, "growth": 4, "view": TWO_PARTS}, "and 12 of what the steps"),
        ({"calls": 1, "first_context": 10}, "In 1 call the model reads 10 tokens, each of them once."),
        ({"calls": 2, "first_context": 0, "growth": 0}, "In 2 calls the model reads 0 tokens."),
    ],
)
def test_the_staircase_in_words(parameters, said):
    assert said in GROWTH_STAIRCASE.sentence(GROWTH_STAIRCASE.data(**parameters))


def test_ticks_are_whole_calls():
    for calls in (1, 2, 8, 64):
        _, ax = drawn(GROWTH_STAIRCASE, calls=calls)
        left, right = ax.get_xlim()
        ticks = [tick for tick in ax.get_xticks() if left <= tick <= right]
        assert ticks
        assert all(tick == int(tick) for tick in ticks)


def test_the_two_costs_are_the_two_lines():
    data, ax = drawn(CUMULATIVE_COST, calls=5, growth=2_200, token_budget=10_000)
    naive, held = ax.lines
    assert naive.get_xdata().tolist() == held.get_xdata().tolist() == [1, 2, 3, 4, 5]
    assert naive.get_ydata() == pytest.approx(np.cumsum([8, 10.2, 12.4, 14.6, 16.8]) * 3 / 1e3)
    assert held.get_ydata() == pytest.approx(np.cumsum([8, 10, 10, 10, 10]) * 3 / 1e3)
    assert naive.get_linestyle() != held.get_linestyle()
    assert data.held[-1] < data.naive[-1]


def test_a_budget_below_the_first_context_holds_the_growth_alone():
    held = CUMULATIVE_COST.data(calls=3, token_budget=1_000).held
    assert held == pytest.approx(np.array([8, 16, 24]) * 3 / 1e3)


def test_a_budget_that_nothing_reaches_is_said():
    sentence = CUMULATIVE_COST.sentence(CUMULATIVE_COST.data(calls=3, token_budget=50_000))
    assert sentence.endswith("the same: no context is longer than that.")


def test_solid_is_checked_and_bars_are_two_standard_errors():
    data, ax = drawn(SUCCESS_BY_STEPS, tasks=100)
    curves = [one for one in ax.lines if len(one.get_xdata()) == 101]
    for one, curve in zip(curves, data.curves, strict=True):
        assert one.get_ydata().tolist() == curve.success.tolist()
        assert one.get_linestyle() == ("-" if curve.checked else "--")
    for half, curve in zip(error_bars(ax), data.curves, strict=True):
        assert half == pytest.approx(2 * curve.error)
    assert words(ax) == [curve.label for curve in data.curves]
    assert 20 in ax.get_xticks()


def test_horizontal_bars_are_the_totals():
    _, ax = drawn(TOKENS_PROCESSED)
    assert [bar.get_width() for bar in ax.patches] == [1_358, 141_820, 138_050]
    assert words(ax) == ["1,358", "141,820", "138,050"]


def test_a_result_lies_on_the_calls_that_read_it():
    _, ax = drawn(PLACING, step=16, tokens=5_000)
    heights = [8_000 + 2_200 * call for call in range(18)]
    below, above = rectangles(ax)[:18], rectangles(ax)[18:]
    assert [height for _, height, _ in below] == heights
    assert [bottom for bottom, _, _ in above] == heights
    assert [height for _, height, _ in above] == [0] * 16 + [5_000] * 2


def test_the_ceiling_is_that_of_endless_retries():
    data, ax = drawn(RETRIES)
    assert data.ceiling == pytest.approx(float(task_success(step_success(0.9, 0.9, 10_000), 20)))
    assert ax.lines[0].get_ydata() == pytest.approx([data.ceiling] * 2)
    assert [height for _, height, _ in rectangles(ax)] == pytest.approx(data.success.tolist())
    assert list(ax.get_xticks()) == [0, 1, 2, 3, 4, 5]
    assert "errors that the check does not see" in RETRIES.sentence(data)
    assert RETRIES.sentence(RETRIES.data(p_detect=1.0)).endswith("with any number of them 100.0%.")


@pytest.mark.parametrize("seed", range(1, 51, 7))
@pytest.mark.parametrize("tasks", [100, 1_000, 20_000])
def test_the_sentence_counts_the_bars_that_miss(seed, tasks):
    data, ax = drawn(LUCK, seed=seed, tasks=tasks)
    (half,) = error_bars(ax)
    assert half == pytest.approx(2 * data.error)
    missing = int((abs(data.success - data.exact) > half).sum())
    said = LUCK.sentence(data)
    assert f"which {missing or 'none of the'} bar" in said
    low, high = ax.get_ylim()
    assert low <= (data.success - half).min()
    assert high == 1


def test_grey_is_for_print_and_colour_for_the_screen():
    for style, colour in (("screen", "#0072b2"), ("print", "#000000")):
        kept = []
        Canvas(style).svg(lambda ax, kept=kept: (line(ax, [0, 1], [0, 1], "caching"), kept.append(ax)))
        assert to_hex(kept[0].lines[0].get_color()) == colour


def test_bars_keep_their_hatching():
    kept = []
    Canvas().svg(lambda ax: (bars(ax, [1], [1], "subagents"), kept.append(ax)))
    assert kept[0].patches[0].get_hatch() == "xx"


@pytest.mark.parametrize(
    ("y", "text", "below"), [(0.2, "mine", False), (0.8, "mine", True), (5, "mine (off the scale)", True)]
)
def test_a_guess_is_labelled_towards_the_middle(y, text, below):
    kept = []
    Canvas().svg(lambda ax: (guess(ax, 0.1, y, "mine"), kept.append(ax)))
    (label,) = kept[0].texts
    assert label.get_text() == text
    assert (label.get_va() == "top") == below
    assert kept[0].lines[0].get_ydata() == [min(y, 1)]


def mark(lesson, panel, exercise, number, **values):
    shown = LESSONS[lesson].panel(panel)
    return shown.guesses[exercise](shown.figure.data(**values), number)


def test_guesses_stand_where_they_belong():
    assert mark("08", "success", "twenty", 0.75)[:2] == (20, 0.75)
    assert mark("02", "staircase", "eight", 64_000)[1:4] == (
        8_000,
        "your guess: 64,000 in all,\na block of this height",
        True,
    )
    assert mark("00", "run", "costliest", 7, calls=3)[0] == 7
    assert mark("00", "run", "bill", 18_000, calls=3)[1] == 1_000
    top = LESSONS["00"].panel("run").figure.data(3).height
    assert 0 < mark("00", "run", "costliest", 7, calls=3)[1] < top


def test_guesses_in_words_stand_below_the_arrows_one_under_the_other():
    _, ax = drawn(LESSONS["01"].panel("steps").figure)
    who, comes = mark("01", "steps", "who", 2), mark("01", "steps", "next", 3)
    arrows = max(text.get_position()[1] for text in ax.texts)
    assert who.words
    assert comes.words
    assert arrows < who.y < comes.y < max(ax.get_ylim())
    assert who.text == "your guess, who runs it: your code, after the reply"


def test_a_guess_about_another_run_is_not_drawn():
    assert mark("02", "staircase", "eight", 64_000, calls=16) is None
    assert mark("08", "success", "twenty", 0.75, p_success=0.8) is None


def test_the_last_bar_alone_is_what_a_share_of_the_bill_is_measured_by():
    data = GROWTH_STAIRCASE.data(calls=64)
    assert math.isclose(data.total, 4_947_200)
    assert f"{data.last / data.total:.0%} of what it is" in GROWTH_STAIRCASE.sentence(
        GROWTH_STAIRCASE.data(calls=64, view=LAST_REQUEST)
    )
