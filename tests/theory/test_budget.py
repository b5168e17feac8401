"""Budgets against the law itself: the run found fits, and one call more does not."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlib.errors import NotANumber, NotWhole, OutOfRange, ShapeMismatch, TooLarge
from simlib.theory.budget import (
    fleet_dollars,
    input_dollars,
    longest_run_within_dollars,
    longest_run_within_tokens,
    longest_run_within_window,
)
from simlib.theory.growth import total_input

tokens = st.integers(0, 10**20)


@given(budget=tokens, first_context=tokens, growth=tokens)
def test_longest_run_is_the_last_that_fits(budget, first_context, growth):
    calls = longest_run_within_tokens(budget, first_context, growth)
    if calls == math.inf:
        assert first_context == growth == 0
    else:
        assert total_input(calls, first_context, growth) <= budget
        assert total_input(calls + 1, first_context, growth) > budget


@given(
    budget=st.decimals(0, 10**6, places=3),
    first_context=st.integers(1, 10**4),
    growth=st.decimals(0, 99, places=2),
)
def test_longest_run_takes_fractions_at_their_printed_value(budget, first_context, growth):
    calls = longest_run_within_tokens(float(budget), first_context, float(growth))

    def exact(k):
        return k * first_context + Fraction(growth) * (k * (k - 1) // 2)

    assert exact(calls) <= budget < exact(calls + 1)


@given(
    dollars=st.decimals("0.01", 100, places=4),
    first_context=st.decimals(1, 5_000, places=1),
    growth=st.decimals(0, 99, places=2),
    price=st.decimals("0.1", 9, places=2),
)
def test_dollars_reach_exactly_as_far_as_the_bill_allows(dollars, first_context, growth, price):
    calls = longest_run_within_dollars(dollars, float(first_context), float(growth), price)

    def bill(k):
        tokens = k * Fraction(first_context) + Fraction(growth) * (k * (k - 1) // 2)
        return tokens * Fraction(price) / 10**6

    assert bill(calls) <= dollars < bill(calls + 1)


def test_longest_run_within_dollars():
    assert longest_run_within_dollars(1, 8_000, 2_200, 3) == 14
    assert input_dollars(total_input(14, 8_000, 2_200), 3) == Decimal("0.9366")
    assert input_dollars(total_input(15, 8_000, 2_200), 3) == Decimal("1.0530")
    # The budget that is exactly the bill is enough, in every spelling of it.
    for spelling in (0.3768, Decimal("0.3768"), np.float64(0.3768)):
        assert longest_run_within_dollars(spelling, 8_000, 2_200, 3) == 8
    assert longest_run_within_dollars([0.3768, 0.3767], 8_000, 2_200, [[3], [0]]).tolist() == [
        [8, 7],
        [math.inf] * 2,
    ]
    assert longest_run_within_dollars(0, 8_000, 2_200, 3) == 0


def test_longest_run_in_a_window():
    calls = longest_run_within_window(1_000_000, 8_000, 2_200)
    assert calls == 451
    assert 8_000 + 450 * 2_200 <= 1_000_000 < 8_000 + 451 * 2_200
    assert longest_run_within_window([7_999, 8_000, 10_200], 8_000, 2_200).tolist() == [0, 1, 2]
    assert longest_run_within_window(8_000, [8_000, 8_001], 0).tolist() == [math.inf, 0]
    # What a run to the end of the window has read by then, and at $3 a million.
    assert round(total_input(451, 8_000, 2_200), -5) == 226_900_000
    assert round(input_dollars(total_input(451, 8_000, 2_200), 3)) == 681


def test_money_is_exact():
    assert input_dollars(125_600, 3) == Decimal("0.3768")
    assert input_dollars(1, 0.1) == Decimal("0.0000001")
    huge = 10**40 + 1
    assert Fraction(input_dollars(huge, Decimal("0.3"))) == Fraction(3 * huge, 10**7)
    assert Fraction(input_dollars(10**5_000 + 1, 3)) == Fraction(3 * (10**5_000 + 1), 10**6)
    assert fleet_dollars(1_000, 8, 8_000, 2_200, 3, days=30) == 30 * 1_000 * Decimal("0.3768")
    assert fleet_dollars(0, 8, 8_000, 2_200, 3) == 0
    # Fractional averages too: three contexts of 175, 2,650.2 and 5,125.4 tokens, and the budget agrees.
    assert fleet_dollars(1, 3, 175, 2475.2, 3) == Decimal("7950.6") * 3 / 1_000_000
    assert longest_run_within_dollars(fleet_dollars(1, 3, 175, 2475.2, 3), 175, 2475.2, 3) == 3
    assert input_dollars(1, Decimal("1e400")) == Decimal("1e394")


def test_arrays_of_money_are_floats_in_the_broadcast_shape():
    bills = fleet_dollars([[1_000], [2_000]], [8, 16, 32], 8_000, 2_200, 3)
    assert bills.dtype == np.float64
    assert bills == pytest.approx(3e-6 * np.array([[1_000], [2_000]]) * [125_600, 392_000, 1_347_200])
    assert input_dollars([1, 2], Decimal(3)) == pytest.approx([3e-6, 6e-6])
    assert fleet_dollars([10**12], 10**6, 10**6, 10**6, 3)[0] == pytest.approx(10**12 * 3e-6 * 5e17, rel=1e-3)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: longest_run_within_tokens(-1, 1, 1), OutOfRange, "token_budget is -1"),
        (
            lambda: longest_run_within_dollars(-1, 1, 1, 3),
            OutOfRange,
            "dollars is -1; allowed: finite dollars from 0",
        ),
        (lambda: longest_run_within_dollars(1, 1, 1, Decimal("NaN")), NotANumber, "input_price is Decimal"),
        (
            lambda: longest_run_within_dollars([1, 2], [1, 2, 3], 1, 3),
            ShapeMismatch,
            "dollars and first_context",
        ),
        (lambda: longest_run_within_window("all", 1, 1), NotANumber, "window is 'all'"),
        (lambda: input_dollars(1, -3), OutOfRange, "input_price is -3"),
        (lambda: fleet_dollars(1.5, 8, 1, 1, 3), NotWhole, r"runs_per_day is 1\.5"),
        (lambda: fleet_dollars([1, 2], [1, 2, 3], 1, 1, 3), ShapeMismatch, "runs_per_day and calls"),
        (lambda: fleet_dollars([1, 2], 8, 1, 1, [1, 2, 3]), ShapeMismatch, "runs_per_day and input_price"),
        (lambda: input_dollars(1, Decimal("sNaN")), NotANumber, r"input_price is Decimal\('sNaN'\)"),
        (lambda: input_dollars(1, Decimal("-1e-400")), OutOfRange, "input_price is Decimal"),
        (lambda: input_dollars(1, Decimal("Infinity")), OutOfRange, "input_price is Decimal"),
        (lambda: input_dollars([10**400], 3), TooLarge, r"tokens\[0\]"),
    ],
)
def test_bad_input_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
