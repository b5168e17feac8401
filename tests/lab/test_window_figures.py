"""The figures about windows: what stands in them, read back, and whether it can be read."""

import math
import re

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure as Sheet

from simlib.articles.figures.figure import csv_text
from simlib.errors import NotANumber, OutOfRange, UnknownName
from simlib.lab.figures.observed_lifetimes import OBSERVED_LIFETIMES
from simlib.lab.figures.window_costs import WINDOW_COSTS
from simlib.plots.canvas import Canvas
from simlib.plots.style import STYLES

SHOWN = [
    *((OBSERVED_LIFETIMES, {"lifetime": lifetime}) for lifetime in ("5m", "1h")),
    (WINDOW_COSTS, {}),
    *((WINDOW_COSTS, {"tokens": tokens, "most": 1_000_000}) for tokens in (1, 1_000_000)),
    (WINDOW_COSTS, {"tokens": 1, "most": 1, "input_price": 0, "cached": 1, "lost_per_doubling": 1}),
    (WINDOW_COSTS, {"cached": 0.95, "lost_per_doubling": 0.1, "input_price": 10}),
]
each = pytest.mark.parametrize(("figure", "values"), SHOWN)


def axes_of(figure, style="screen", **values):
    """The data, and the Axes that a figure is drawn on with the strips in it, laid out."""
    data, kept = figure.data(**values), []

    def draw(ax):
        figure.draw(ax, data)
        ax.figure.draw(FigureCanvasAgg(ax.figure).get_renderer())
        kept.extend([ax, *ax.child_axes])

    Canvas(style).png(draw)
    return data, kept


def boxes(axes):
    """Every word and number of the Axes that is shown, with its place in dots."""
    renderer = FigureCanvasAgg(axes[0].figure).get_renderer()
    words = [word for ax in axes if ax.axison for word in (ax.xaxis, ax.yaxis, *ax.texts)]
    return [box for word in words if (box := word.get_tightbbox(renderer)) is not None]


@each
@pytest.mark.parametrize("style", STYLES)
def test_no_word_is_cut_off_and_no_number_hides_another(figure, values, style):
    _, axes = axes_of(figure, style, **values)
    sheet = axes[0].figure.bbox
    for box in boxes(axes):
        assert box.x0 >= -1
        assert box.y0 >= -1
        assert box.x1 <= sheet.x1 + 1
        assert box.y1 <= sheet.y1 + 1
    renderer = FigureCanvasAgg(axes[0].figure).get_renderer()
    for ax in axes:
        texts = [text.get_window_extent(renderer) for text in ax.texts]
        assert not any(a.overlaps(b) for at, a in enumerate(texts) for b in texts[at + 1 :])
    numbers = [
        label.get_window_extent(renderer) for ax in axes if ax.axison for label in ax.get_yticklabels()
    ]
    assert not any(a.overlaps(b) for at, a in enumerate(numbers) for b in numbers[at + 1 :])


@each
def test_pictures_are_short_and_always_the_same(figure, values):
    data = figure.data(**values)
    svg = figure.svg(Canvas(), data)
    assert svg == figure.svg(Canvas(), figure.data(**values))
    assert len(svg) < 24_000
    assert csv_text(figure.table(data)) == csv_text(figure.table(figure.data(**values)))
    assert re.search(r'<path d="[^"]*z\s*" style="fill: #ffffff"', svg)
    figure.draw(Sheet().add_subplot(), data)


@each
def test_sentences_are_short_and_say_numbers(figure, values):
    sentence = figure.sentence(figure.data(**values))
    assert len(re.findall(r"\d[\d,.]*", sentence)) >= 3
    assert len(sentence) <= 200
    assert sentence.endswith(".")


def test_the_rule_steps_at_the_lifetime_and_the_bars_are_wilsons():
    _, (ax, *_) = axes_of(OBSERVED_LIFETIMES, lifetime="1h")
    rule = ax.lines[0]
    assert rule.get_xdata()[1:3].tolist() == [3_600, 3_600]
    assert rule.get_ydata().tolist() == [1, 1, 0, 0]
    (container,) = (one for one in ax.containers if isinstance(one, ErrorbarContainer))
    (bar,) = container[2]
    ends = np.array([[end[1] for end in segment] for segment in bar.get_segments()])
    for (low, high), hits, pairs in zip(ends[-2:], (1, 0), (13, 19), strict=True):
        for rate in (low, high):  # the ends of Wilson's interval solve this equation
            assert (hits / pairs - rate) ** 2 == pytest.approx(1.96**2 * rate * (1 - rate) / pairs, rel=1e-3)


def test_groups_are_drawn_within_their_own_gaps():
    data, (ax, *_) = axes_of(OBSERVED_LIFETIMES)
    assert all(group.above < x < group.at_most for group, x in zip(data.groups, data.middles, strict=True))
    left, right = ax.get_xlim()
    assert left < data.middles[0] < data.middles[-1] < right


@pytest.mark.parametrize(
    ("lifetime", "words"),
    [("5m", ("9,352", "99.0%", "5 to 6 minutes 22 of 52")), ("1h", ("9,425", "98.6%", "1 hour", "1 of 13"))],
)
def test_observed_lifetimes_in_words(lifetime, words):
    sentence = OBSERVED_LIFETIMES.sentence(OBSERVED_LIFETIMES.data(lifetime=lifetime))
    assert all(word in sentence for word in words)


def test_a_call_of_100_000_tokens_by_hand():
    costs = WINDOW_COSTS.data(tokens=100_000, input_price=3)
    found = 0.95 - 0.035 * math.log2(100_000 / 300)
    assert costs.chosen == pytest.approx((0.30, 0.5 + 11, found))
    said = WINDOW_COSTS.sentence(costs)
    assert all(word in said for word in ("100,000 tokens", "$0.30", "11.5 s", "66%", "illustration only"))


def test_what_comes_from_the_cache_is_read_eight_times_as_fast():
    fresh, cached = (WINDOW_COSTS.data(cached=share).seconds - 0.5 for share in (0, 1))
    assert fresh / cached == pytest.approx(np.full(fresh.shape, 110 / 14.4))


def test_each_strip_shows_its_cost_and_the_prompt_asked_for():
    data, (_, *strips) = axes_of(WINDOW_COSTS, tokens=50_000)
    for strip, values in zip(strips, (data.dollars, data.seconds, data.found), strict=True):
        curve, asked = strip.lines
        assert curve.get_ydata().tolist() == values.tolist()
        assert curve.get_xdata().tolist() == data.prompts.tolist()
        assert list(asked.get_xdata()) == [50_000, 50_000]
    assert [strip.texts[0].get_text() for strip in strips] == [
        "one call: $0.15",
        "first token: 6.0 s",
        "facts found: 69% (illustration)",
    ]


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: OBSERVED_LIFETIMES.data(lifetime="1d"), UnknownName, "lifetime is '1d'"),
        (lambda: WINDOW_COSTS.data(tokens=0), OutOfRange, "tokens is 0"),
        (lambda: WINDOW_COSTS.data(tokens=300_000), OutOfRange, "tokens is 300000"),
        (lambda: WINDOW_COSTS.data(cached=2), OutOfRange, "cached is 2"),
        (lambda: WINDOW_COSTS.data(most="all"), NotANumber, "most is 'all'"),
    ],
)
def test_bad_input_is_named(call, error, words):
    with pytest.raises(error, match=words):
        call()
