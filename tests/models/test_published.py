"""Published traces: stated contexts as stated, and reconstructed ones that keep the stated sums."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlib.billing.usage import Usage
from simlib.errors import OutOfRange, ShapeMismatch
from simlib.models.published import PublishedTrace, spread_evenly


@given(
    first=st.integers(0, 1_000),
    climb=st.integers(0, 100_000),
    between=st.integers(1, 20),
    bend=st.floats(-0.9, 0.9),
)
def test_contexts_between_climb_to_the_sum(first, climb, between, bend):
    """Every sum within what an even bend can reach: straight, give or take the bend of steps that stay above
    0.
    """
    straight = sum(first + climb * (k + 1) / (between + 1) for k in range(between))
    reach = climb * (between + 2) * between / (6 * (between + 1))
    total = round(straight + bend * 0.8 * reach)
    try:
        contexts = spread_evenly(first, first + climb, between, total)
    except OutOfRange:
        assert climb < 10 * (between + 1)  # so few tokens that whole numbers cannot bend
        return
    assert sum(contexts) == total
    assert [first, *contexts, first + climb] == sorted([first, *contexts, first + climb])


def test_a_sum_out_of_reach_is_named():
    with pytest.raises(OutOfRange, match="total is 5000"):
        spread_evenly(0, 100, between=2, total=5_000)


def test_what_is_reconstructed_says_so():
    trace = PublishedTrace("run", (10, 20, 40), "article", reconstructed=(2,))
    assert (trace.calls, trace.total_input) == (3, 70)
    *calls, told = trace.lines()
    assert [line.endswith("(reconstructed)") for line in calls] == [False, True, False]
    assert told == "70 input tokens. From article, which gives counts: there is no text."


def test_with_a_cache_a_call_reads_what_the_one_before_it_sent():
    trace = PublishedTrace("run", (30, 50, 90), "article", outputs=(1, 2, 3), warm=20)
    usages = trace.usages()
    assert [usage.prompt for usage in usages] == [30, 50, 90]
    assert [usage.cache_read for usage in usages] == [20, 30, 50]
    assert [usage.cache_write_5m for usage in usages] == [10, 20, 40]
    assert PublishedTrace("run", (30, 50), "article").usages() == (Usage(input=30), Usage(input=50))
    assert [usage.input for usage in trace.uncached().usages()] == [30, 50, 90]
    assert [usage.output for usage in trace.uncached().usages()] == [1, 2, 3]
    with pytest.raises(ShapeMismatch, match="outputs"):
        PublishedTrace("run", (30, 50), "article", outputs=(1,))


@pytest.mark.parametrize(("contexts", "error"), [((), ShapeMismatch), ((5, 4), OutOfRange)])
def test_bad_input_is_named(contexts, error):
    with pytest.raises(error, match="contexts"):
        PublishedTrace("run", contexts, "article")
