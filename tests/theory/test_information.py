"""KL divergence against the article's sum, scipy, and what has to hold for any distributions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy

from simlib.errors import OutOfRange, ShapeMismatch
from simlib.theory.information import kl_divergence

weights = st.lists(st.integers(0, 50), min_size=4, max_size=4).filter(any)


@given(weights, weights)
def test_it_is_scipys_relative_entropy(one, other):
    p, q = np.array(one) / sum(one), np.array(other) / sum(other)
    ours = kl_divergence(p, q)
    assert ours == pytest.approx(entropy(p, q, base=2), abs=1e-12)
    assert ours >= -1e-12


def test_the_articles_two_terms():
    assert kl_divergence([0.7, 0.3], [0.5, 0.5]) == pytest.approx(0.7 * math.log2(1.4) + 0.3 * math.log2(0.6))


def test_what_was_believed_impossible_costs_without_bound():
    assert kl_divergence([0.5, 0.5], [1, 0]) == math.inf
    assert kl_divergence([1, 0], [0.5, 0.5]) == 1


@pytest.mark.parametrize(
    ("true", "believed", "error", "words"),
    [
        ([0.5, 0.6], [0.5, 0.5], OutOfRange, "true is"),
        ([0.5, 0.5], [0.5, 0.4], OutOfRange, "believed is"),
        ([0.5, 0.5], [1.5, -0.5], OutOfRange, "believed"),
        (1, [1], ShapeMismatch, "true of shape"),
        ([1], [0.5, 0.5], ShapeMismatch, "true and believed"),
    ],
)
def test_bad_input_is_named(true, believed, error, words):
    with pytest.raises(error, match=words):
        kl_divergence(true, believed)
