"""The figures of bills: their numbers by arithmetic of their own, and what of them stands in the pictures."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.text import Text

from simlib.articles.figures.audit_contexts import AUDIT_CONTEXTS
from simlib.articles.figures.audit_cost import AUDIT_COST
from simlib.articles.figures.tier_cliff import FRESH, TIER_CLIFF
from simlib.articles.figures.tokens_and_dollars import RUNS, TOKENS_AND_DOLLARS, VIEWS
from simlib.errors import OutOfRange, UnknownName
from simlib.lab.figures.tool_minutes import TOOL_MINUTES
from simlib.plots.canvas import Canvas
from simlib.plots.style import STYLES

KEY = json.loads((Path(__file__).parent / "data" / "classroom_answers.json").read_text(encoding="utf-8"))
FIVE, HOUR = "for 5 min", "for 1 hour"


def drawn(figure, style="screen", **parameters):
    """The data of a figure, and the Axes that it is drawn on."""
    data, kept = figure.data(**parameters), []
    Canvas(style).svg(lambda ax: (figure.draw(ax, data), kept.append(ax)))
    return data, kept[0]


def words(ax):
    return [text.get_text() for text in ax.texts]


def test_printed_contexts_are_black_and_reconstructed_ones_white():
    _, ax = drawn(AUDIT_CONTEXTS)
    heights = {round(bar.get_x() + bar.get_width() / 2): bar for bar in ax.patches if hasattr(bar, "get_x")}
    assert [heights[call].get_height() for call in range(1, 19)] == KEY["trace_ctx"]
    black = {call for call, bar in heights.items() if to_hex(bar.get_facecolor()) == "#000000"}
    assert black == {1, 17, 18}
    assert ax.lines[0].get_ydata().tolist() == [1_146 + 172 * step for step in range(18)]
    assert KEY["A_c17_model"] == ax.lines[0].get_ydata()[16]
    assert {"call 1:\n1,146", "call 17: 3,906", "the run\n5,327", "formula\n4,070"} <= set(words(ax))
    assert "47,150 in all, 46,944 by the formula" in AUDIT_CONTEXTS.sentence(AUDIT_CONTEXTS.data())


def test_the_two_costs_of_the_audit_call_by_call():
    """At Haiku 5.5's prices: 0.10 fresh, 0.125 stored, 0.01 read, 0.50 written, in dollars a million."""
    data, ax = drawn(AUDIT_COST)
    output, uncached, cached, before = [55] * 17 + [690], 0.0, 0.0, 988
    for call, context in enumerate(KEY["trace_ctx"]):
        uncached += (context * 0.1 + output[call] * 0.5) / 1e6
        cached += (before * 0.01 + (context - before) * 0.125 + output[call] * 0.5) / 1e6
        before = context
        assert data.uncached[call] == pytest.approx(uncached)
        assert data.cached[call] == pytest.approx(cached)
    assert [line.get_ydata().tolist() for line in ax.lines] == [data.uncached.tolist(), data.cached.tolist()]
    assert data.factor == pytest.approx(3.1, abs=0.005)
    assert any("bends upward" in text for text in words(ax))
    assert "690 written" in words(ax)


def test_only_the_line_without_a_cache_bends():
    data = AUDIT_COST.data()
    steps, cached = np.diff(data.uncached[:-1]), np.diff(data.cached[:-1])
    assert (np.diff(steps) > 0).all()
    assert steps[-1] / steps[0] > 2.5
    assert cached[-1] / cached[0] < 1.7


def test_an_empty_cache_saves_less():
    assert AUDIT_COST.data(warm=0).factor < AUDIT_COST.data().factor


def test_the_mean_run_is_the_classrooms():
    data = TOKENS_AND_DOLLARS.data()
    assert data.tokens[2] == KEY["A_out_tokens_per_run"]
    assert sum(data.tokens[:2]) == KEY["A_in_tokens_per_run"]
    assert sum(data.dollars) == pytest.approx(0.00046, abs=3e-7)  # of whole tokens
    assert data.read_share == pytest.approx(0.815, abs=1e-4)
    assert data.output_cost_share == pytest.approx(0.51, abs=1e-3)
    no_cache = (sum(data.tokens[:2]) * 0.1 + data.tokens[2] * 0.5) / 1e6
    assert no_cache == pytest.approx(KEY["A_nocache_pred_$"], abs=1e-6)


def test_known_runs_are_priced_by_hand():
    port = TOKENS_AND_DOLLARS.data(run="port 7001")
    read = 988 + 1_020 + 1_150 + 1_343 + 2_021
    assert port.tokens == (read, 7_853 - read, 297)
    assert port.dollars == pytest.approx([read * 1e-8, (7_853 - read) * 1.25e-7, 297 * 5e-7])
    audit = TOKENS_AND_DOLLARS.data(run="the audit")
    read = 988 + 47_150 - 5_327
    assert audit.tokens == (read, 47_150 - read, 1_625)


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("view", VIEWS)
def test_bars_are_the_shares_of_what_is_chosen(run, view):
    data, ax = drawn(TOKENS_AND_DOLLARS, run=run, view=view)
    widths = [bar.get_width() for bar in ax.patches]
    wanted = [100 * np.array(getattr(data, of)) / sum(getattr(data, of)) for of in VIEWS[view]]
    assert widths == pytest.approx(np.concatenate(wanted))
    assert len(words(ax)) == len(widths)
    assert all(text.startswith(f"{width:.0f}%: ") for text, width in zip(words(ax), widths, strict=True))
    assert all(bar.get_hatch() for bar in ax.patches[::3])


@pytest.mark.parametrize("parameters", [{"view": "cents"}, {"run": "mine"}])
def test_a_choice_that_is_none_is_named(parameters):
    with pytest.raises(UnknownName):
        TOKENS_AND_DOLLARS.data(**parameters)


def test_the_cliff_of_the_classroom():
    """100,000 tokens read and what else a pasted question costs: 0.0012, one token more 0.0060."""
    low, high = TIER_CLIFF.data(output=390).at_the_edge
    assert low == pytest.approx(KEY["paste@100k_$"], abs=5e-5)
    assert high == pytest.approx(KEY["paste@100001_$"], abs=5e-5)
    assert TIER_CLIFF.data(output=390).dollars[-1] == pytest.approx(KEY["paste@300k_$"], abs=5e-5)
    assert TIER_CLIFF.data().dollars[-1] == pytest.approx(KEY["A_300k_read_$"])
    low, high = TIER_CLIFF.data(FRESH).at_the_edge
    assert (low, high) == pytest.approx((100_000 * 1e-7, 100_001 * 5e-7))


def test_the_whole_request_moves_and_the_jump_is_drawn():
    data, ax = drawn(TIER_CLIFF)
    short, long, jump = ax.lines
    assert max(short.get_xdata()) == 100_000
    assert min(long.get_xdata()) == 100_001
    assert short.get_ydata() == pytest.approx(np.array(short.get_xdata()) * 1e-8)
    assert long.get_ydata() == pytest.approx(np.array(long.get_xdata()) * 5e-8)
    assert set(jump.get_xdata()) == {100_000}
    assert tuple(jump.get_ydata()) == data.at_the_edge
    assert "one token more:\n$0.001 to\n$0.005" in words(ax)


def test_short_prompts_still_show_the_cliff():
    assert TIER_CLIFF.data(longest=10).tokens[-1] == 100_001
    with pytest.raises(UnknownName, match="prompt"):
        TIER_CLIFF.data("heard")


def bill(minutes, lifetime, slow=0):
    """Article B's eight calls in fresh tokens, one after the other, by what is still stored."""
    write, seconds = {FIVE: (1.25, 300), HOUR: (2.0, 3_600)}[lifetime]
    contexts = [8_000 + 2_200 * step for step in range(8)]
    spent = write * contexts[0]
    for tool, (before, context) in enumerate(pairwise(contexts), start=1):
        gone = slow in (0, tool) and 60 * minutes > seconds
        spent += write * context if gone else 0.1 * before + write * (context - before)
    return spent * 3 / 1e6


@pytest.mark.parametrize("slow", range(8))
def test_tool_minutes_call_by_call(slow):
    data = TOOL_MINUTES.data(longest=90, slow=slow)
    for lifetime in (FIVE, HOUR):
        wanted = [bill(minutes, lifetime, slow) for minutes in data.minutes]
        assert data.dollars[lifetime] == pytest.approx(wanted)
    assert data.dollars["no cache"] == pytest.approx(np.full(data.minutes.size, KEY["B_cost8_$"]))


def test_tool_minutes_are_the_classrooms():
    data = TOOL_MINUTES.data()
    in_dollars = 3 / 1e6
    assert data.around("5m") == pytest.approx(
        (KEY["B8_rolling_5m"] * in_dollars, KEY["B8_timestamp_in_prompt"] * in_dollars)
    )
    assert data.dollars[HOUR] == pytest.approx(np.full(data.minutes.size, KEY["B8_rolling_1h"] * in_dollars))
    for call in range(2, 9):
        one = TOOL_MINUTES.data(slow=call - 1).around("5m")
        assert one[1] == pytest.approx(KEY[f"B8_rolling_5m_miss@{call}"] * in_dollars)


def test_the_cliff_of_a_lifetime_is_just_after_it():
    data, ax = drawn(TOOL_MINUTES)
    at = data.minutes.tolist().index(5.0)
    assert 0 < data.minutes[at + 1] - 5 < 1e-9
    assert "5 minutes:\n$0.118 to\n$0.471" in words(ax)
    assert {"no cache\n$0.377", "for 5 min\n$0.471", "for 1 hour\n$0.171"} <= set(words(ax))
    assert len({line.get_linestyle() + to_hex(line.get_color()) for line in ax.lines}) == 3
    assert "tool 5 takes longer" in TOOL_MINUTES.sentence(TOOL_MINUTES.data(slow=5))


def test_quick_tools_have_no_cliff():
    data, ax = drawn(TOOL_MINUTES, longest=5)
    assert data.around("5m") is None
    assert not [text for text in words(ax) if text.startswith("5 minutes")]
    assert TOOL_MINUTES.sentence(data).startswith("8 calls cost $0.118")


@pytest.mark.parametrize(
    ("parameters", "error"),
    [({"slow": 8}, OutOfRange), ({"longest": 0}, OutOfRange), ({"calls": 1}, OutOfRange)],
)
def test_bad_input_is_named(parameters, error):
    with pytest.raises(error, match=f"{next(iter(parameters))} is"):
        TOOL_MINUTES.data(**parameters)


SHOWN = [
    (AUDIT_CONTEXTS, {}),
    (AUDIT_COST, {}),
    (AUDIT_COST, {"warm": 0}),
    *((TOKENS_AND_DOLLARS, {"run": run}) for run in RUNS),
    (TIER_CLIFF, {}),
    (TIER_CLIFF, {"prompt": FRESH}),
    (TOOL_MINUTES, {}),
    (TOOL_MINUTES, {"slow": 5}),
    (TOOL_MINUTES, {"longest": 20}),
    (TOOL_MINUTES, {"longest": 90}),
    (TOOL_MINUTES, {"calls": 40}),
]
each = pytest.mark.parametrize(
    ("figure", "parameters"),
    SHOWN,
    ids=[f"{figure.id} {'_'.join(map(str, p.values()))}" for figure, p in SHOWN],
)


@each
@pytest.mark.parametrize("style", STYLES)
def test_words_hide_no_words_and_no_lines(figure, parameters, style):
    boxes, lines = [], []

    def measure(ax):
        figure.draw(ax, data)
        renderer = FigureCanvasAgg(ax.figure).get_renderer()
        ax.figure.draw(renderer)
        boxes.extend(Text.get_window_extent(text, renderer) for text in ax.texts)  # without lines to points
        lines.extend(one.get_path().transformed(one.get_transform()) for one in ax.lines)

    data = figure.data(**parameters)
    Canvas(style).png(measure)
    for at, box in enumerate(boxes):
        assert not [other for other in boxes[:at] if box.padded(-1).overlaps(other.padded(-1))]
        assert not [path for path in lines if path.intersects_bbox(box.padded(-1), filled=False)]


@each
def test_a_sentence_is_short(figure, parameters):
    assert len(figure.sentence(figure.data(**parameters))) <= 200
