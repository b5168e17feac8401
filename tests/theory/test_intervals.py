"""Intervals against scipy and exact counts."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, bootstrap, hypergeom, norm, sem

from simlib.errors import NotAGenerator, NotANumber, NotWhole, OutOfRange, ShapeMismatch, TooLarge
from simlib.theory import intervals
from simlib.theory.intervals import (
    pass_all_k,
    pass_at_k,
    question_bootstrap,
    question_mean_error,
    tasks_needed,
    wilson,
)

AGENT = [5] * 28 + [3, 0]  # right runs of 5 for each of the 30 questions: 143 of 150


@given(
    st.integers(1, 2_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.999)
)
def test_wilson_equals_scipy(counts, level):
    theirs = binomtest(*counts).proportion_ci(confidence_level=level, method="wilson")
    assert wilson(*counts, level) == pytest.approx(theirs, abs=1e-12)


def test_wilson_of_the_articles_and_at_the_ends():
    low, high = wilson([143, 141, 95, 23, 16], [150, 150, 150, 30, 18])
    assert low == pytest.approx([0.907, 0.890, 0.554, 0.591, 0.672], abs=5e-4)
    assert high == pytest.approx([0.977, 0.968, 0.706, 0.882, 0.969], abs=5e-4)
    low, high = wilson([0, 5], 5)
    assert low == pytest.approx([0, 0.566], abs=5e-4)
    assert high == pytest.approx([0.434, 1], abs=5e-4)
    assert (low[0], high[1]) == (0, 1)


def resampled_means(right, runs):
    """Oracle: the exact distribution of the resampled rate, by convolving one draw with itself."""
    one_draw = np.bincount(right, minlength=runs + 1) / len(right)
    distribution = np.ones(1)
    for _ in right:
        distribution = np.convolve(distribution, one_draw)
    return np.arange(distribution.size) / (runs * len(right)), distribution


def test_question_bootstrap_equals_the_exact_distribution(rng):
    rates, chances = resampled_means(AGENT, 5)
    at = np.cumsum(chances)
    low, high = (rates[np.searchsorted(at, tail)] for tail in (0.025, 0.975))
    # 20,000 resamples place a tail of 2.5 % to 0.0011: within 4 errors lies at most the next reachable rate.
    ours = question_bootstrap(AGENT, 5, rng=rng)
    assert ours == pytest.approx((low, high), abs=1 / 150 + 1e-12)
    assert (round(ours.low, 2), round(ours.high, 2)) == (0.87, 1.00)
    assert chances[-1] == pytest.approx((28 / 30) ** 30)
    assert chances[-1] == pytest.approx(0.126, abs=5e-4)  # the top is 1: so often no missed question is drawn


def quantile_error(draws):
    """Standard error of a normal variable's 2.5 % quantile, in units of its standard deviation."""
    return math.sqrt(0.025 * 0.975 / draws) / norm.pdf(norm.ppf(0.025))


def test_question_bootstrap_equals_scipys(rng):
    right = rng.integers(0, 6, size=40)
    theirs = bootstrap(
        (right / 5,), np.mean, n_resamples=20_000, method="percentile", rng=rng
    ).confidence_interval
    # Both ends are quantiles of 20,000 draws: 4 errors of a difference, and a step between reachable rates.
    tolerance = 4 * math.sqrt(2) * quantile_error(20_000) * sem(right / 5) + 1 / (5 * 40)
    assert question_bootstrap(right, 5, rng=rng) == pytest.approx((theirs.low, theirs.high), abs=tolerance)


def test_question_bootstrap_weighs_runs_and_has_no_width_without_scatter(rng):
    assert question_bootstrap([5, 5, 5], 5, rng=rng) == (1, 1)
    assert question_bootstrap([1, 2, 3], [2, 4, 6], rng=rng) == (0.5, 0.5)
    low, high = question_bootstrap([0, 10], [1, 10], rng=rng)  # both drawn: 10 of 11
    assert (low, high) == (0, 1)
    wide, narrow = (question_bootstrap(AGENT, 5, rng=rng, level=level) for level in (0.99, 0.5))
    assert wide.low < narrow.low <= narrow.high <= wide.high


def test_huge_counts_are_no_trouble(rng):
    interval = question_bootstrap([10**18] * 5 + [9 * 10**17] * 25, 10**18, rng=rng)
    assert 0.9 <= interval.low <= interval.high <= 1
    assert wilson([1], [2**63]).low[0] > 0
    assert pass_at_k(1, 10**17, 1) == pytest.approx(1e-17)
    assert pass_at_k(1, 10**9, 1) == pytest.approx(1e-9, rel=1e-12)
    assert pass_at_k(1, 10**9, 10**8) == pytest.approx(0.1)
    assert pass_all_k(10**9 - 1, 10**9, 10**8) == pytest.approx(0.9)
    assert pass_at_k(10**8, 10**9, 10**8) == 1
    assert wilson(1, 2, level=0.9999999999999999).low < 0.02


def test_nothing_is_no_negative_zero():
    assert math.copysign(1, pass_at_k(0, 4, 2)) == 1


def test_many_questions_are_resampled_in_pieces(rng, monkeypatch):
    monkeypatch.setattr(intervals, "QUESTIONS_AT_A_TIME", 100 * 3_000)
    right = rng.integers(0, 6, size=3_000)
    low, high = question_bootstrap(right, 5, rng=rng, resamples=2_000)
    error = question_mean_error((right / 5)[:, np.newaxis])
    assert high - low == pytest.approx(2 * 1.96 * error, abs=4 * math.sqrt(2) * quantile_error(2_000) * error)


def test_error_of_question_means_ignores_the_scatter_within():
    assert question_mean_error([[1, 0], [1, 0], [0, 1], [1, 0]]) == 0  # not 0.189, as for 8 independent runs
    ragged = [[1, 1, 1], [0, 1], [0]]
    assert question_mean_error(ragged) == pytest.approx(sem([1, 0.5, 0]))
    assert question_mean_error(np.array(AGENT)[:, np.newaxis] / 5) == pytest.approx(sem(np.array(AGENT) / 5))


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n), st.integers(1, n))))
def test_passes_equal_counting_every_choice_of_runs(counts):
    right, runs, k = counts
    choices = list(itertools.combinations([True] * right + [False] * (runs - right), k))
    assert pass_at_k(right, runs, k) == pytest.approx(sum(map(any, choices)) / len(choices))
    assert pass_all_k(right, runs, k) == pytest.approx(sum(map(all, choices)) / len(choices))


def test_passes_broadcast_and_stay_exact_for_many_runs():
    assert pass_at_k(2, 4, 2) == pytest.approx(5 / 6)
    assert pass_all_k(2, 4, 2) == pytest.approx(1 / 6)
    assert pass_at_k([[0], [2], [4]], 4, [1, 2, 3]).tolist() == [
        [0, 0, 0],
        [0.5, pytest.approx(5 / 6), 1],
        [1, 1, 1],
    ]
    assert pass_at_k(1_000, 100_000, 100) == pytest.approx(1 - hypergeom.pmf(0, 100_000, 1_000, 100))


def test_pass_at_k_is_unbiased(rng):
    """Over many experiments of 10 runs the mean estimate is 1 - (1 - p)^3, within 4 standard errors."""
    estimates = pass_at_k(rng.binomial(10, 0.3, size=20_000), 10, 3)
    assert abs(estimates.mean() - (1 - 0.7**3)) < 4 * estimates.std() / math.sqrt(20_000)


def test_tasks_needed_reach_the_precision():
    tasks = tasks_needed(0.79, 0.01)
    z = 1.959963984540054
    for number, within in ((tasks, True), (tasks - 1, False)):
        assert (z * math.sqrt(0.79 * 0.21 / number) <= 0.01) is within
    assert tasks_needed(0.5, [0.01, 0.02]).tolist() == [9_604, 2_401]
    assert tasks_needed([0, 1], 0.01).tolist() == [1, 1]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: wilson(6, 5), OutOfRange, "successes is 6; allowed: whole numbers from 0 to runs"),
        (lambda: wilson(0, 0), OutOfRange, "runs is 0"),
        (lambda: wilson(1.5, 5), NotWhole, r"successes is 1\.5"),
        (lambda: wilson(1, 5, level=1), OutOfRange, "level is 1"),
        (lambda: wilson(1, 5, level=95), OutOfRange, "level is 95"),
        (lambda: wilson([1, 2], [5, 5, 5]), ShapeMismatch, "successes and runs"),
        (lambda: question_bootstrap([[1, 2]], 5, rng=np.random.default_rng(1)), ShapeMismatch, "successes"),
        (lambda: question_bootstrap([], 5, rng=np.random.default_rng(1)), ShapeMismatch, "successes"),
        (lambda: question_bootstrap([1], 5, rng=7), NotAGenerator, "rng"),
        (
            lambda: question_bootstrap([1], 5, rng=np.random.default_rng(1), resamples=0),
            OutOfRange,
            "resamples",
        ),
        (lambda: question_mean_error([[1, 0]]), ShapeMismatch, "at least 2 questions"),
        (lambda: question_mean_error([[1], []]), ShapeMismatch, r"values\[1\]"),
        (lambda: question_mean_error([[1], [10**400]]), TooLarge, r"values\[1\]\[0\]"),
        (lambda: question_mean_error([[1], [math.nan]]), NotANumber, r"values\[1\]"),
        (lambda: pass_at_k(2, 4, 5), OutOfRange, "k is 5; allowed: whole numbers from 1 to runs"),
        (lambda: pass_at_k(2, 4, 0), OutOfRange, "k is 0"),
        (lambda: tasks_needed(0.5, 0), OutOfRange, "precision is 0"),
        (
            lambda: tasks_needed(0.5, 2**32),
            OutOfRange,
            "precision is 4294967296; allowed: numbers from 1e-07 to 1",
        ),
        (lambda: question_mean_error(5), NotANumber, "values is 5"),
        (
            lambda: question_bootstrap([1], 5, rng=np.random.default_rng(1), resamples=2**63),
            TooLarge,
            "resamples",
        ),
    ],
)
def test_bad_input_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
