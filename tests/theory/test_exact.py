"""Whole numbers never overflow, and come back in the plainest form."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlib.theory.exact import INT64_MAX, elementwise, narrowed, widened


@given(a=st.integers(0, 2**63 - 1), b=st.integers(0, 2**40))
def test_a_product_is_exact_whatever_its_size(a, b):
    wide = widened(lambda x, y: x * y, np.array([a]), b)
    assert np.multiply(*wide).tolist() == [a * b]


def test_small_ints_stay_in_64_bits_and_fractions_become_floats():
    values = np.array([1, 2]), 3
    assert widened(lambda x, y: x * y, *values) == values
    assert all(array.dtype == np.float64 for array in widened(lambda x, y: x * y, values[0], 0.5))
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
