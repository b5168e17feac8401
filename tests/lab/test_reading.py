from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlib.errors import NotANumber
from simlib.lab.reading import read_number


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("125600", 125600),
        ("125,600", 125600),
        ("125 600", 125600),
        ("125_600", 125600),
        ("125\u202f600", 125600),
        ("4,947,200", 4947200),
        ("1,347.5", 1347.5),
        ("12 %", 0.12),
        ("12%", 0.12),
        ("12.2 %", 0.122),
        ("$0.3768", 0.3768),
        ("$ 681", 681),
        ("0,122", 0.122),
        ("12,5", 12.5),
        (",5", 0.5),
        ("-1.7", -1.7),
        ("\u22121.7", -1.7),
        ("3.12 times", 3.12),
        ("3.12x", 3.12),
        ("392,000 tokens", 392000),
        ("12 per cent", 0.12),
        ("12 percent", 0.12),
        ("1.347.200", 1347200),
        ("125.600,00", 125600),
        ("125,600.", 125600),
        ("US$681", 681),
        ("681 USD", 681),
        ("125.6k", 125600),
        ("\u22121.7 SE", -1.7),
        ("14 calls", 14),
        ("1.0981 attempts", 1.0981),
        ("0.79 share", 0.79),
        ("3 minutes", 3),
        ("226.9 million", 226.9e6),
        ("226.9 million tokens", 226.9e6),
        ("12k", 12_000),
        ("1/8", 0.125),
        ("$681", 681),
        ("€681", 681),
        ("1.5e-3", 0.0015),
        (Decimal("0.5"), 0.5),
        (Fraction(1, 8), 0.125),
        (np.float64(0.5), 0.5),
        (np.int64(9), 9),
        ("1e6", 1e6),
        (" 9 ", 9),
        (9, 9),
        (0.5, 0.5),
    ],
)
def test_what_people_type(typed, number):
    assert read_number(typed) == pytest.approx(number, rel=1e-12)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "many",
        "12 or 13",
        "--3",
        "nan",
        "inf",
        "1,2,3",
        "1/0",
        "e",
        "%",
        ".",
        None,
        True,
        ...,
        [1],
        10**400,
    ],
)
def test_what_is_no_number_is_named(typed):
    with pytest.raises(NotANumber, match="your answer"):
        read_number(typed)


@given(st.integers(-(10**12), 10**12))
def test_thousands_separators_change_nothing(number):
    for text in (f"{number}", f"{number:,}", f"{number:_}", f"{number:,}".replace(",", " ")):
        assert read_number(text) == number


@given(st.floats(-1e9, 1e9))
def test_floats_come_back(number):
    assert read_number(repr(number)) == pytest.approx(number)
