"""The closed forms against the cache itself, request by request: the same tokens, the same dollars."""

import json
from datetime import date
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simlib.billing.cache.anthropic import AnthropicCache
from simlib.billing.catalogue import load_catalogue
from simlib.billing.forecast import (
    changing_first_line,
    input_equivalent,
    moving_marker,
    moving_marker_over,
    no_cache,
    prefix_only,
    run_dollars,
)
from simlib.billing.price import Price, Rates
from simlib.billing.usage import Usage
from simlib.errors import NotWhole, OutOfRange, ShapeMismatch, TooLarge, UnknownName
from simlib.prompt.prompt import SECONDS, layout
from simlib.prompt.request import Request

DAY = date(2026, 10, 24)
CATALOGUE = load_catalogue()
SONNET = CATALOGUE.price("claude-sonnet-4-6", DAY)
KEY = json.loads((Path(__file__).parents[1] / "data" / "classroom_answers.json").read_text(encoding="utf-8"))

calls = st.integers(0, 12)
tokens = st.integers(0, 3_000)
lifetimes = st.sampled_from(["5m", "1h"])
rate = st.decimals(0, 10, places=3)
prices = st.builds(
    lambda *rates: Price(Rates(*rates[:5]), Rates(*rates[5:10]), rates[10]),
    *[rate] * 10,
    st.integers(1, 20_000),
)
sizes = {"number": calls, "first": tokens, "growth": tokens, "lifetime": lifetimes, "minimum": tokens}


def simulated(contexts, markers, lifetime, minimum, *, first_line="same", miss_at=None):
    """Every request of a run, through the cache; `markers` are the blocks that carry one, -1 the last."""
    cache, usages, time = AnthropicCache(CATALOGUE, DAY, minimum=minimum), [], 0
    growth = np.diff([0, *contexts])
    for call in range(1, len(contexts) + 1):
        name = "prefix" if first_line == "same" else f"prefix at {call}"
        rows = [("system", name, int(growth[0]), "text")]
        rows += [("messages", f"step {step}", int(growth[step]), "text") for step in range(1, call)]
        time += SECONDS[lifetime] + 1 if call == miss_at else 1
        prompt = layout(rows, {len(rows) + at if at < 0 else at: lifetime for at in markers})
        usages.append(cache.serve(Request("claude-sonnet-5-5", prompt), time).usage)
    return usages


def total(usages):
    return sum(usages, Usage())


def priced(usages, price):
    return sum((price.dollars(usage) for usage in usages), Decimal(0))


def contexts_of(number, first, growth):
    return [first + growth * step for step in range(number)]


@settings(max_examples=150)
@given(price=prices, **sizes)
def test_prefix_only_equals_the_simulation(number, first, growth, lifetime, minimum, price):
    usages = simulated(contexts_of(number, first, growth), [0], lifetime, minimum)
    given_options = {"lifetime": lifetime, "minimum": minimum}
    assert prefix_only(number, first, growth, **given_options) == total(usages)
    assert run_dollars(prefix_only, number, first, growth, price, **given_options) == priced(usages, price)


@settings(max_examples=250)
@given(price=prices, miss_at=st.one_of(st.none(), st.integers(2, 14)), **sizes)
def test_moving_marker_equals_the_simulation(number, first, growth, lifetime, minimum, price, miss_at):
    usages = simulated(contexts_of(number, first, growth), [-1], lifetime, minimum, miss_at=miss_at)
    given_options = {"lifetime": lifetime, "minimum": minimum, "miss_at": miss_at}
    assert moving_marker(number, first, growth, **given_options) == total(usages)
    assert run_dollars(moving_marker, number, first, growth, price, **given_options) == priced(usages, price)


@settings(max_examples=150)
@given(price=prices, **sizes)
def test_changing_first_line_equals_the_simulation(number, first, growth, lifetime, minimum, price):
    usages = simulated(contexts_of(number, first, growth), [-1], lifetime, minimum, first_line="changes")
    given_options = {"lifetime": lifetime, "minimum": minimum}
    assert changing_first_line(number, first, growth, **given_options) == total(usages)
    assert run_dollars(changing_first_line, number, first, growth, price, **given_options) == priced(
        usages, price
    )


@given(number=calls, first=tokens, growth=tokens, price=prices)
def test_no_cache_equals_the_simulation(number, first, growth, price):
    usages = simulated(contexts_of(number, first, growth), [], "5m", 0)
    assert no_cache(number, first, growth) == total(usages)
    assert run_dollars(no_cache, number, first, growth, price) == priced(usages, price)


@given(
    first=st.integers(1, 3_000), additions=st.lists(tokens, max_size=10), lifetime=lifetimes, minimum=tokens
)
def test_known_contexts_equal_the_simulation(first, additions, lifetime, minimum):
    contexts = np.cumsum([first, *additions]).tolist()
    usages = simulated(contexts, [-1], lifetime, minimum)
    assert moving_marker_over(contexts, lifetime=lifetime, minimum=minimum) == total(usages)


@pytest.mark.parametrize("strategy", [no_cache, prefix_only, moving_marker, changing_first_line])
def test_a_grid_is_what_its_points_are(strategy, rng):
    number, first, growth = rng.integers(0, 30, (5, 1)), rng.integers(0, 9_000, 4), rng.integers(0, 900, 4)
    options = {} if strategy is no_cache else {"minimum": 1_024}
    together = strategy(number, first, growth, **options)
    dollars = run_dollars(strategy, number, first, growth, SONNET, output=100, **options)
    haiku = CATALOGUE.price("claude-haiku-5-5", DAY)
    tiered = run_dollars(strategy, number, 30 * first, growth, haiku, **options)
    for i, j in np.ndindex(5, 4):
        point = int(number[i, 0]), int(first[j]), int(growth[j])
        alone = strategy(*point, **options)
        assert [np.broadcast_to(counts, (5, 4))[i, j] for counts in together] == list(alone)
        assert dollars[i, j] == float(run_dollars(strategy, *point, SONNET, output=100, **options))
        high = point[0], 30 * point[1], point[2]
        assert tiered[i, j] == pytest.approx(float(run_dollars(strategy, *high, haiku, **options)), rel=1e-15)


@pytest.mark.parametrize("strategy", [prefix_only, moving_marker, changing_first_line])
@pytest.mark.parametrize(
    ("first", "minimum", "is_stored"), [(511, 512, False), (512, 512, True), (513, 512, True)]
)
def test_exactly_the_minimum_is_stored_also_without_growth(strategy, first, minimum, is_stored):
    usage = strategy(3, first, 0, minimum=minimum)
    assert (usage.cache_write_5m > 0) is is_stored
    assert usage.prompt == 3 * first


@pytest.mark.parametrize("huge", [2**62, 2**63, 10**30])
@pytest.mark.parametrize("strategy", [no_cache, prefix_only, moving_marker, changing_first_line])
def test_huge_numbers_stay_exact(strategy, huge):
    usage = strategy(3, huge, huge)
    assert usage.prompt == 6 * huge
    assert min(usage) >= 0


def test_huge_contexts_stay_exact_and_infinite_ones_are_named():
    assert moving_marker_over([2**62, 2**62, 2**62 + 1]).cache_read == 2**63
    assert moving_marker_over([10**20, 10**21]).cache_write_5m == 10**21
    with pytest.raises(TooLarge):
        moving_marker_over([1e308] * 3)


def test_output_is_priced_per_call_and_by_the_calls_tier():
    haiku = CATALOGUE.price("claude-haiku-5-5", DAY)
    usages = [Usage(90_000, output=1_000), Usage(105_000, output=1_000)]
    assert run_dollars(no_cache, 2, 90_000, 15_000, haiku, output=1_000) == priced(usages, haiku)


ONE_HOUR = {"lifetime": "1h"}


@pytest.mark.parametrize(
    ("usage", "key"),
    [
        (no_cache(8, 8_000, 2_200), "B8_nocache"),
        (prefix_only(8, 8_000, 2_200), "B8_prefix_only"),
        (moving_marker(8, 8_000, 2_200), "B8_rolling_5m"),
        (moving_marker(8, 8_000, 2_200, **ONE_HOUR), "B8_rolling_1h"),
        (changing_first_line(8, 8_000, 2_200), "B8_timestamp_in_prompt"),
        *((moving_marker(8, 8_000, 2_200, miss_at=at), f"B8_rolling_5m_miss@{at}") for at in range(2, 9)),
        (moving_marker(40, 8_000, 2_200), "N40_cached"),
        (moving_marker_over([175, 209, 414, 560], minimum=512), "C_search_cached_min512"),
        (moving_marker_over([175, 209, 414, 560], minimum=1_024), "C_search_cached_min1024"),
        (moving_marker_over([175, 209, 414, 560]), "C_search_cached_nomin"),
    ],
)
def test_the_classrooms_numbers_come_out(usage, key):
    assert input_equivalent(usage, SONNET) == pytest.approx(KEY[key], abs=1e-9)


def test_the_classrooms_dollars_come_out():
    """Articles' prices: $0.2316, $0.1184, $0.1711, and a timestamp that makes caching dearer than none:
    $0.4710.
    """
    runs = [
        (prefix_only, {}, "0.2316"),
        (moving_marker, {}, "0.1184"),
        (moving_marker, ONE_HOUR, "0.1711"),
        (moving_marker, {"miss_at": 6}, "0.1764"),
        (changing_first_line, {}, "0.4710"),
        (no_cache, {}, "0.3768"),
    ]
    for strategy, options, dollars in runs:
        cost = run_dollars(strategy, 8, 8_000, 2_200, SONNET, **options)
        assert round(cost, 4) == Decimal(dollars)


def test_a_miss_from_call_6_on_makes_five_minutes_dearer_than_an_hour():
    hour = run_dollars(moving_marker, 8, 8_000, 2_200, SONNET, lifetime="1h")
    dearer = [
        at for at in range(2, 9) if run_dollars(moving_marker, 8, 8_000, 2_200, SONNET, miss_at=at) > hour
    ]
    assert dearer == [6, 7, 8]


def test_the_audit_and_reading_everything_come_out(audit_trace):
    haiku = CATALOGUE.price("claude-haiku-5-5", DAY)
    cached = moving_marker_over(audit_trace, minimum=512)
    assert input_equivalent(cached, haiku) == pytest.approx(KEY["A18_cached_in"], abs=1)
    # Reading everything: two contexts that are stated, the last one, and others that bring the sum to what it
    # was.
    read_all = [175, 2_108, *[13_000] * 4, 13_515, *[15_000] * 2, 19_095, 24_927]
    assert (len(read_all), sum(read_all)) == (11, 141_820)
    everything = input_equivalent(moving_marker_over(read_all, minimum=512), SONNET)
    assert everything == pytest.approx(KEY["C_readall_cached"], abs=0.01)
    short = [
        input_equivalent(moving_marker_over([175, 209, 414, 560], minimum=m), SONNET) for m in (512, 1_024)
    ]
    assert round(everything / short[0], 1) == KEY["C_ratio_both_cached"]
    assert round(everything / short[1], 1) == KEY["C_ratio_both_cached_min1024"]


def test_a_warm_start_reads_what_an_earlier_run_stored(audit_trace):
    cold, warm = moving_marker_over(audit_trace), moving_marker_over(audit_trace, warm=988)
    assert cold - warm == Usage(0, 988, 0, -988, 0)
    for contexts in ([400, 600], [1_000, 2_000]):  # so few tokens cannot have been stored
        assert moving_marker_over(contexts, minimum=512, warm=300) == moving_marker_over(
            contexts, minimum=512
        )


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: moving_marker(1.5, 1, 1), NotWhole, "calls is 1.5"),
        (lambda: moving_marker(2, -1, 1), OutOfRange, "first_context is -1"),
        (lambda: moving_marker(2, 1, 1, miss_at=1), OutOfRange, "miss_at is 1"),
        (lambda: prefix_only(2, 1, 1, minimum=-1), OutOfRange, "minimum is -1"),
        (lambda: changing_first_line(2, 1, 1, lifetime="2h"), UnknownName, "lifetime is '2h'"),
        (lambda: prefix_only(np.ones(2, int), np.ones(3, int), 1), ShapeMismatch, "calls and first_context"),
        (lambda: moving_marker_over([500, 400]), OutOfRange, "contexts that never shrink"),
        (lambda: moving_marker_over([]), ShapeMismatch, "contexts"),
        (lambda: moving_marker_over(500), ShapeMismatch, "contexts"),
        (lambda: moving_marker_over([500], warm=501), OutOfRange, "warm is 501"),
    ],
)
def test_bad_input_is_named(call, error, words):
    with pytest.raises(error, match=words):
        call()
