"""Dollars against the same sum in fractions; arrays against single numbers, to the last digit of a float."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlib.billing.price import Price, Rates, Unpriced
from simlib.billing.usage import Usage
from simlib.errors import BadArgument, NotANumber, NotWhole, OutOfRange, ShapeMismatch, TooLarge

HAIKU = Price(
    Rates(*map(Decimal, ["0.10", "0.125", "0.20", "0.01", "0.50"])),
    Rates(*map(Decimal, ["0.50", "0.625", "1.00", "0.05", "2.50"])),
    100_000,
    batch=Decimal("0.5"),
)
FLAT = Price(HAIKU.rates)

rate = st.decimals(0, 1_000, allow_nan=False, places=7)
rates = st.builds(Rates, rate, rate, rate, rate, rate)
usages = st.builds(Usage, *[st.integers(0, 10**7)] * 5)


def mtok(*pairs):
    """Exact dollars of (rate, tokens) pairs."""
    return sum(Fraction(rate) * tokens for rate, tokens in pairs) / 1_000_000


@given(rates, usages)
def test_dollars_are_the_sum_over_the_classes(own, usage):
    assert Fraction(Price(own).dollars(usage)) == mtok(*zip(own.by_class().values(), usage, strict=True))


@given(rates, rates, st.lists(usages, min_size=1), st.integers(0, 10**7))
def test_arrays_agree_with_single_numbers_to_the_last_digit(own, long, many, above):
    price = Price(own, long, above)
    together = price.dollars(Usage(*(np.array(counts) for counts in zip(*many, strict=True))))
    assert together.tolist() == [float(price.dollars(usage)) for usage in many]


@pytest.mark.parametrize("size", [10**10, 10**15, 10**18, 10**30])
def test_they_agree_beyond_64_bits_too(size):
    many = [Usage(size, 3, size - 1, 7, 10), Usage(1, size, 0, 0, size)]
    together = FLAT.dollars(Usage(*(np.array(counts) for counts in zip(*many, strict=True))))
    assert together.tolist() == [float(FLAT.dollars(usage)) for usage in many]


def test_a_request_just_over_the_threshold_costs_the_long_rates_as_a_whole():
    assert HAIKU.dollars(Usage(100_000, output=1_000)) == Decimal("0.0105")
    assert HAIKU.dollars(Usage(100_001, output=1_000)) == Decimal("0.0525005")
    spread = Usage(1, 50_000, 20_000, 30_000, 1_000)
    expected = mtok(("0.50", 1), ("0.625", 50_000), ("1.00", 20_000), ("0.05", 30_000), ("2.50", 1_000))
    assert Fraction(HAIKU.dollars(spread)) == expected
    assert Fraction(HAIKU.dollars(Usage(0, output=10**6))) == mtok(("0.50", 10**6))  # output does not count


def test_an_array_prices_each_request_by_its_own_tier():
    dollars = HAIKU.dollars(Usage(np.array([100_000, 100_001]), output=1_000))
    assert dollars.tolist() == [0.0105, 0.0525005]


def test_a_grid_is_one_call():
    dollars = FLAT.dollars(Usage(np.arange(3)[:, None] * 10**6, output=np.arange(2) * 10**6))
    assert dollars.tolist() == [[0, 0.5], [0.1, 0.6], [0.2, 0.7]]


def test_more_dollars_than_a_float_holds_are_named():
    with pytest.raises(TooLarge):
        FLAT.dollars(Usage(np.array([10**400], dtype=object)))


def test_an_empty_array_costs_nothing():
    assert FLAT.dollars(Usage(np.array([], dtype=int))).shape == (0,)


def test_factors_multiply_everything():
    usage = Usage(1_000, 20, 300, 4_000, 50)
    assert HAIKU.in_batch().dollars(usage) == HAIKU.dollars(usage) / 2
    assert HAIKU.times(Decimal("1.1")).in_batch().dollars(usage) == HAIKU.dollars(usage) * Decimal("0.55")
    long = Usage(10**6)
    assert HAIKU.times(6).dollars(long) == 6 * HAIKU.dollars(long)
    assert HAIKU.times(1.1).rates.input == Decimal("0.11")
    with pytest.raises(Unpriced, match="not in one already"):
        HAIKU.in_batch().in_batch()


@pytest.mark.parametrize(("factor", "error"), [("abc", NotANumber), (-1, OutOfRange), (True, NotANumber)])
def test_a_factor_is_an_amount(factor, error):
    with pytest.raises(error, match="factor is"):
        HAIKU.times(factor)


@pytest.mark.parametrize("hours", [-3, float("nan")])
def test_hours_are_an_amount(hours):
    with pytest.raises((OutOfRange, NotANumber), match="hours is"):
        Price(HAIKU.rates, storage_hour=Decimal(1)).storage_dollars(5, hours)


def test_dollars_are_shown_without_zeros_at_the_end():
    assert [
        str(HAIKU.dollars(usage))
        for usage in (Usage(100_001, output=1_000), Usage(0), Usage(0, output=4 * 10**8))
    ] == [
        "0.0525005",
        "0",
        "200",
    ]


def test_one_tier_alone_ignores_the_threshold():
    million = Usage(10**6)
    assert HAIKU.short().dollars(million) == Decimal("0.10")
    assert HAIKU.long().dollars(Usage(1)) * 10**6 == Decimal("0.50")
    with pytest.raises(Unpriced, match="long is None"):
        FLAT.long()


def test_a_class_that_is_not_sold_is_never_free():
    price = Price(Rates(Decimal("2.50"), None, None, Decimal("1.25"), Decimal(10)))
    assert price.dollars(Usage(86, cache_read=1_920, output=300)) == Decimal("0.005615")
    with pytest.raises(Unpriced, match="cache_write_1h is 5; allowed: no such tokens"):
        price.dollars(Usage(86, cache_write_1h=5))
    with pytest.raises(Unpriced, match="cache_write_5m"):
        price.dollars(Usage(np.array([86, 2]), cache_write_5m=np.array([0, 1])))
    assert price.dollars(Usage(np.array([10**6]), cache_write_5m=0)).tolist() == [2.5]
    with pytest.raises(Unpriced, match="batch"):
        price.in_batch()
    with pytest.raises(Unpriced, match="cache_write_5m"):
        price.multiple("cache_write_5m")


def test_a_multiple_is_of_the_fresh_rate():
    assert [HAIKU.multiple(name) for name in HAIKU.rates.by_class()] == [1, 1.25, 2, 0.1, 5]


def test_a_foreign_decimal_context_rounds_nothing():
    with localcontext(prec=3):
        assert HAIKU.times(Decimal("1.1")).dollars(Usage(1_234_567)) == Decimal("0.67901185")


@pytest.mark.parametrize(
    ("usage", "error", "words"),
    [
        (Usage(-1), OutOfRange, "input is -1"),
        (Usage(output=1.5), NotWhole, "output is 1.5"),
        (Usage(cache_read=True), NotANumber, "cache_read is True"),
        (Usage(cache_read=None), NotANumber, "cache_read is None"),
        (Usage(np.array([1, -2])), OutOfRange, r"input\[1\] is -2"),
        (Usage(np.ones(2, dtype=int), output=np.ones(3, dtype=int)), ShapeMismatch, "input and output"),
    ],
)
def test_wrong_counts_are_named(usage, error, words):
    with pytest.raises(error, match=words):
        HAIKU.dollars(usage)


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (Decimal(-1), OutOfRange),
        (Decimal("inf"), OutOfRange),
        (Decimal("nan"), NotANumber),
        (0.1, NotANumber),
        (None, NotANumber),
        ("1", NotANumber),
    ],
)
def test_wrong_rates_are_named(value, error):
    one = Decimal(1)
    with pytest.raises(error, match="output"):
        Rates(one, one, one, one, value)


def test_a_threshold_needs_its_rates():
    with pytest.raises(BadArgument, match="long_above is 5"):
        Price(HAIKU.rates, long_above=5)
    with pytest.raises(BadArgument, match="long_above is None"):
        Price(HAIKU.rates, HAIKU.rates)
