"""Whole numbers never overflow, and come back in the plainest form."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlib.errors import TooLarge
from simlib.theory.exact import INT64_MAX, elementwise, finite, narrowed, widened


@given(a=st.integers(0, 2**63 - 1), b=st.integers(0, 2**40))
def test_a_product_is_exact_whatever_its_size(a, b):
    wide = widened(lambda x, y: x * y, np.array([a]), b)
    assert np.multiply(*wide).tolist() == [a * b]


def test_small_ints_stay_in_64_bits_and_fractions_become_floats():
    values = np.array([1, 2]), 3
    assert widened(lambda x, y: x * y, *values) == values
    floats, half = widened(lambda x, y: x * y, values[0], 0.5)
    assert floats.dtype == np.float64
    assert half == 0.5
    assert type(widened(lambda x, y: x * y, 3, 0.5)[0]) is float
    with pytest.raises(TooLarge, match="beside fractions"):
        widened(lambda x, y: x * y, 10**400, 0.5)
    assert widened(lambda x, y: x * y, 10**40, 10**40) == (10**40, 10**40)


def test_narrowed():
    assert type(narrowed(np.int64(3))) is int
    assert narrowed(np.array([INT64_MAX], dtype=object)).dtype == np.int64
    assert narrowed(np.array([INT64_MAX + 1], dtype=object)).dtype == object
    assert narrowed(np.array([], dtype=object)).dtype == np.int64


@pytest.mark.parametrize(
    ("values", "result"), [((7, 2), 3), ((np.array([7, 1]), np.array([[2], [0]])), [[3, 0], [math.inf] * 2])]
)
def test_elementwise_broadcasts_exact_numbers(values, result):
    floor = elementwise(lambda a, b: a // b if b else math.inf, *values)
    assert np.array_equal(floor, result)


def test_results_beyond_the_floats_are_named():
    assert finite("total", 10**400) == 10**400
    with pytest.raises(TooLarge, match="total is inf"):
        finite("total", np.array([1, math.inf]))
    with pytest.raises(TooLarge, match="a result beside infinity"):
        elementwise(lambda a: a if a else math.inf, np.array([10**400, 0], dtype=object))


def test_a_bound_that_just_fits_stays_in_64_bits():
    edge = np.array([INT64_MAX])
    assert widened(lambda x: x, edge)[0].dtype == np.int64
    assert widened(lambda x: x + 1, edge)[0].dtype == object
