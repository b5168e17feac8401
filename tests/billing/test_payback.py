"""When a cache pays, against trying it out: uses counted one by one, runs priced call by call."""

import math
from datetime import date
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlib.billing.catalogue import load_catalogue
from simlib.billing.forecast import input_equivalent, moving_marker, moving_marker_over, no_cache
from simlib.billing.payback import (
    break_even_uses,
    caching_factor,
    cost_of_pause,
    longest_pause_worth_bridging,
    output_that_explains,
    pays_from_call,
)
from simlib.errors import OutOfRange, ShapeMismatch

HAIKU = load_catalogue().price("claude-haiku-5-5", date(2026, 10, 24))

hundredths = st.integers(0, 300).map(lambda n: n / 100)


def exact(number):
    return Fraction(str(number))


@given(write=hundredths, read=hundredths)
def test_break_even_is_the_first_use_that_is_cheaper(write, read):
    w, r = exact(write), exact(read)
    uses = break_even_uses(write, read)
    cheaper = [n for n in range(1, 400) if w + (n - 1) * r < n or (n == 1 and w <= 1)]
    assert uses == (cheaper[0] if cheaper else math.inf)


def test_break_even_of_the_articles_prices():
    assert (break_even_uses(), break_even_uses(write=2)) == (2, 3)
    assert break_even_uses([1.25, 2], 0.1).tolist() == [2, 3]
    assert break_even_uses(write=1) == 1  # as cheap as reading fresh, from the first use on


@given(lifetime=st.integers(1, 4_000), write=hundredths, read=st.integers(1, 300).map(lambda n: n / 100))
def test_a_pause_is_worth_bridging_while_the_reads_cost_less_than_the_miss(lifetime, write, read):
    w, r = exact(write), exact(read)
    reads = round(longest_pause_worth_bridging(lifetime, write, read) / lifetime) - 1
    assert reads == 0 or reads * r < w - r
    assert (reads + 1) * r >= w - r


def test_an_hour_may_be_bridged_at_the_articles_prices_and_two_at_half_the_read():
    assert longest_pause_worth_bridging() == 3_600
    assert longest_pause_worth_bridging(read=0.05) == 24 * 300
    assert longest_pause_worth_bridging(read=0) == math.inf
    assert longest_pause_worth_bridging(lifetime_seconds=3_600, write=2) == 19 * 3_600


def test_approval_within_the_lifetime_costs_nothing_and_after_it_the_whole_context():
    assert cost_of_pause(20_000, [299, 300, 300.5, 3_600]).tolist() == [0, 0, 23_000, 23_000]
    assert cost_of_pause(20_000, 3_600, lifetime_seconds=3_600, write=2) == 0
    missed = moving_marker_over([20_000, 20_000]).cache_read
    assert missed * (1.25 - 0.1) == cost_of_pause(20_000, 301)


@given(
    number=st.integers(1, 40),
    first=st.integers(1, 10_000),
    growth=st.integers(0, 3_000),
)
def test_the_factor_is_that_of_the_forecast(number, first, growth):
    saved = input_equivalent(no_cache(number, first, growth), HAIKU) / input_equivalent(
        moving_marker(number, first, growth), HAIKU
    )
    assert caching_factor(number, first, growth) == pytest.approx(saved, rel=1e-12)
    assert 1 / 1.25 - 1e-12 <= saved < 10


def test_the_factor_begins_below_one_and_climbs_towards_ten():
    factors = caching_factor([1, 8, 100, 10**6], 8_000, 2_200)
    assert factors[0] == 1 / 1.25
    assert (np.diff(factors) > 0).all()
    assert 9.99 < factors[-1] < 10


@given(
    first=st.integers(0, 5_000),
    growth=st.integers(0, 3_000),
    write=hundredths,
    read=st.integers(0, 100).map(lambda n: n / 100),
    minimum=st.integers(0, 9_000),
)
def test_it_pays_from_the_first_call_with_a_gain(first, growth, write, read, minimum):
    w, r, found = exact(write), exact(read), math.inf
    cached = gain = 0
    before = 0
    for call in range(1, 300):
        context = first + (call - 1) * growth
        if context >= minimum:
            cached += r * before + w * (context - before)
            before = context
        else:
            cached += context
        gain += context
        if cached < gain:
            found = call
            break
    computed = pays_from_call(first, growth, write, read, minimum)
    assert computed == found or (found == math.inf and computed >= 300)


def test_the_articles_runs_pay_from_their_second_call():
    assert pays_from_call(8_000, 2_200) == 2
    assert pays_from_call([8_000, 1_146], [2_200, 172], write=2).tolist() == [3, 3]
    assert pays_from_call(100, 0, minimum=512) == math.inf


def test_output_explains_why_the_audit_was_cheaper_by_3_1_and_not_by_10(audit_trace):
    uncached = sum(audit_trace)
    found = []
    for warm in (0, 988):
        cached = input_equivalent(moving_marker_over(audit_trace, minimum=512, warm=warm), HAIKU)
        found.append(output_that_explains(3.1, uncached, cached, HAIKU.multiple("output")))
        with_output = [tokens + 5 * found[-1] for tokens in (uncached, cached)]
        assert with_output[0] / with_output[1] == pytest.approx(3.1)
    assert found == pytest.approx([1_290, 1_625], abs=1)
    assert uncached / input_equivalent(moving_marker_over(audit_trace), HAIKU) == pytest.approx(
        4.35, abs=0.005
    )


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: break_even_uses(-1), OutOfRange, "write is -1"),
        (lambda: break_even_uses([1, 2], [1, 2, 3]), ShapeMismatch, "write and read"),
        (lambda: longest_pause_worth_bridging(0), OutOfRange, "lifetime_seconds is 0"),
        (lambda: cost_of_pause(1, -1), OutOfRange, "pause is -1"),
        (lambda: caching_factor(0, 1, 1), OutOfRange, "calls is 0"),
        (lambda: caching_factor(1, 0, 1), OutOfRange, "first_context is 0"),
        (lambda: pays_from_call(1, 1, read=1.1), OutOfRange, "read is 1.1"),
        (lambda: output_that_explains(1, 10, 5, 5), OutOfRange, "factor is 1"),
    ],
)
def test_bad_input_is_named(call, error, words):
    with pytest.raises(error, match=words):
        call()
