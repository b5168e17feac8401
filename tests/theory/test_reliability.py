"""The law of the checked step against exact enumeration, sympy and the article's arithmetic."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from simlib.errors import NotANumber, NotWhole, OutOfRange, ShapeMismatch, TooLarge
from simlib.theory.reliability import (
    attempts_distribution,
    expected_attempts,
    half_life,
    half_life_approximation,
    half_life_floor,
    step_outcomes,
    step_success,
    task_success,
)

tenths = st.integers(0, 10).map(lambda n: Fraction(n, 10))


def enumerate_step(p, d, retries, f=Fraction(0)):
    """Oracle: every course a step can take, in exact fractions. {(outcome, attempts): probability}."""
    courses, pending = Counter(), Fraction(1)
    for attempt in range(1, retries + 2):
        rejected = Fraction(0)
        for good, chance in ((True, p), (False, 1 - p)):
            accept = 1 - f if good else 1 - d
            courses["success" if good else "unnoticed", attempt] += pending * chance * accept
            rejected += pending * chance * (1 - accept)
        pending = rejected
    courses["exhausted", retries + 1] += pending
    return courses


def close(ours, exact):
    return ours == pytest.approx(float(exact), rel=1e-12, abs=1e-15)


@given(p=tenths, d=tenths, retries=st.integers(0, 6), f=tenths)
def test_closed_forms_equal_the_enumeration(p, d, retries, f):
    courses = enumerate_step(p, d, retries, f)
    law = float(p), float(d), retries, float(f)
    outcomes = step_outcomes(*law)
    for ours, name in zip(outcomes, ("success", "unnoticed", "exhausted"), strict=True):
        assert close(ours, sum(chance for (outcome, _), chance in courses.items() if outcome == name))
    assert close(sum(outcomes), 1)
    assert outcomes.success == step_success(*law)
    by_attempts = [sum(c for (_, a), c in courses.items() if a == k) for k in range(1, retries + 2)]
    assert attempts_distribution(*law) == pytest.approx([float(chance) for chance in by_attempts], abs=1e-15)
    assert close(expected_attempts(*law), sum(k * chance for k, chance in enumerate(by_attempts, 1)))


def test_the_sum_and_its_limit_symbolically():
    p, d, r, k = sympy.symbols("p d r k", positive=True)
    x = (1 - p) * d
    article = p * sympy.summation(x**k, (k, 0, r))
    for values in ({p: 0.9, d: 0.9, r: 2}, {p: 0.3, d: 0.5, r: 7}):
        assert close(step_success(values[p], values[d], values[r]), article.subs(values).doit())
    ceiling = p / (1 - x)
    assert close(
        step_success(0.9, 0.9, math.inf), ceiling.subs({p: sympy.Rational(9, 10), d: sympy.Rational(9, 10)})
    )


def test_the_articles_example():
    q = step_success(0.9, 0.9, 2)
    assert q == pytest.approx(0.9 + 0.081 + 0.00729, abs=1e-15)
    assert q == pytest.approx(0.9 * expected_attempts(0.9, 0.9, 2), abs=1e-15)
    assert step_success(0.9, 0.9, range(6)) == pytest.approx(
        [0.9, 0.981, 0.98829, 0.98895, 0.98901, 0.98901], abs=5e-6
    )
    tasks = task_success(step_success(0.9, 0.9, range(6)), 20)
    assert tasks == pytest.approx([0.122, 0.681, 0.790, 0.801, 0.802, 0.802], abs=5e-4)
    tasks = task_success(step_success(0.9, [0, 0.25, 0.5, 0.75, 0.9, 1], 2), 20)
    assert tasks == pytest.approx([0.122, 0.202, 0.338, 0.573, 0.790, 0.980], abs=5e-4)


def test_without_a_check_or_retries_the_step_is_what_the_attempt_is():
    p = np.linspace(0, 1, 11)
    for unchecked in (step_success(p, 0, 5), step_success(p, 0, math.inf), step_success(p, 0.7, 0)):
        assert unchecked == pytest.approx(p)


@pytest.mark.parametrize(
    ("law", "outcomes", "attempts"),
    [
        ((1, 1, 0), (1, 0, 0), 1),
        ((0, 0, 5), (0, 1, 0), 1),
        ((0, 1, 3), (0, 0, 1), 4),
        ((0, 1, math.inf), (0, 0, 1), math.inf),
        ((0.5, 1, math.inf), (1, 0, 0), 2),
        ((1, 0, 2, 1), (0, 0, 1), 3),
        ((1, 0.3, math.inf, 0.5), (1, 0, 0), 2),
        ((1e-300, 1, math.inf), (1, 0, 0), 1e300),
        ((5e-324, 1, math.inf), (1, 0, 0), math.inf),
        ((0, 1 - 2**-53, math.inf), (0, 1, 0), 2**53),
        ((0.9, 0.9, math.inf), (0.9 / 0.91, 0.01 / 0.91, 0), 1 / 0.91),
    ],
)
def test_limits(law, outcomes, attempts):
    assert step_outcomes(*law) == pytest.approx(outcomes)
    assert expected_attempts(*law) == pytest.approx(attempts)


def test_a_long_series_loses_no_digits():
    """Oracle: the plain sum, where a closed form that subtracts nearly equal numbers would fail."""
    rejected = 1 - 1e-9
    summed = math.fsum(rejected**k for k in range(1_001))
    assert expected_attempts(1e-9, 1, 1_000) == pytest.approx(summed, rel=1e-13)


@given(st.floats(0, 1), st.floats(0, 1), st.one_of(st.integers(0, 10**6), st.just(math.inf)), st.floats(0, 1))
def test_probabilities_stay_probabilities(p, d, retries, f):
    outcomes = step_outcomes(p, d, retries, f)
    assert all(0 <= share <= 1 for share in outcomes)
    assert sum(outcomes) == pytest.approx(1)
    assert expected_attempts(p, d, retries, f) >= 1 - 1e-15
    task_success(outcomes.success, 10)  # never out of range by rounding


def test_everything_broadcasts():
    law = np.array([0.9, 0.99]), np.array([[0.5], [0.9], [1]]), 2
    assert step_success(*law).shape == expected_attempts(*law).shape == (3, 2)
    assert all(share.shape == (3, 2) for share in step_outcomes(*law))
    assert attempts_distribution(*law).shape == (3, 2, 3)
    assert step_success(*law)[1, 0] == step_success(0.9, 0.9, 2)
    assert task_success(step_success(*law), np.ones((4, 1, 1), int)).shape == (4, 3, 2)


def test_rare_ends_keep_their_digits():
    assert attempts_distribution(1e-18, 1, 2) == pytest.approx([1e-18, 1e-18, 1], rel=1e-12)
    assert half_life_approximation(1 - 2.0**-50).relative_error == pytest.approx(2.0**-51, rel=1e-12)


def test_tasks_of_no_steps_and_of_a_million():
    assert task_success([0, 0.5, 1], 0).tolist() == [1, 1, 1]
    assert task_success([0, 0.5, 1], 10**6).tolist() == [0, 0, 1]
    assert task_success(1 - 1e-6, 10**6) == pytest.approx(math.exp(-1), rel=1e-6)


@given(st.floats(1e-6, 1 - 1e-9))
def test_half_life(q):
    assert task_success(q, 1) ** half_life(q) == pytest.approx(0.5)
    steps = half_life_floor(q)
    assert q**steps >= 0.5 > q ** (steps + 1)


def test_half_lives_of_the_article_and_at_the_ends():
    steps = [0.9, step_success(0.9, 0.9, 2), 0.99, step_success(0.99, 0.9, 2)]
    assert half_life(steps) == pytest.approx([6.6, 58.8, 69.0, 686.0], abs=0.07)
    assert half_life_floor(steps).tolist() == [6, 58, 68, 686]
    assert half_life([0, 0.5, 1]).tolist() == [0, 1, math.inf]
    assert half_life_floor([0, 0.5, 1]).tolist() == [0, 1, math.inf]
    # Roots of one half: their logarithms miss a whole number by a rounding, their powers say which one.
    for n in range(1, 500):
        q = 0.5 ** (1 / n)
        assert half_life_floor(q) == (n if q**n >= 0.5 else n - 1)


def test_the_rule_of_thumb_and_its_error():
    q = np.array([0.5, 0.9, 0.98829, 1 - 1e-6])
    rule, error = half_life_approximation(q)
    assert rule == pytest.approx(0.69 / (1 - q), rel=0.005)
    assert error == pytest.approx(rule / half_life(q) - 1)
    assert error[1:] == pytest.approx((1 - q[1:]) / 2, rel=0.08)
    assert half_life_approximation(1) == (math.inf, 0)
    assert half_life_approximation(0).relative_error == math.inf


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: step_success(1.1, 0.9, 2),
            OutOfRange,
            r"p_success is 1\.1; allowed: probabilities from 0 to 1",
        ),
        (lambda: step_success(0.9, -0.1, 2), OutOfRange, "p_detect"),
        (lambda: step_success(0.9, 0.9, 2, math.nan), NotANumber, "p_false_alarm is nan"),
        (lambda: step_success(0.9, 0.9, 2.5), NotWhole, r"retries is 2\.5"),
        (lambda: step_success(0.9, 0.9, -1), OutOfRange, "retries is -1; .*infinity included"),
        (lambda: step_success([0.9, 0.8], [0.9] * 3, 2), ShapeMismatch, "p_success and p_detect"),
        (lambda: attempts_distribution(0.9, 0.9, math.inf), OutOfRange, "retries is inf"),
        (lambda: attempts_distribution(0.9, 0.9, [1, 2]), ShapeMismatch, "retries"),
        (lambda: attempts_distribution(0.9, 0.9, 10**30), TooLarge, "retries"),
        (lambda: expected_attempts(0.5, 0.5, 10**400), TooLarge, "retries"),
        (lambda: step_success(10**5_000, 0.9, 2), OutOfRange, "p_success is a number too long to print"),
        (lambda: step_success([True, 0.5], 0.9, 2), NotANumber, r"p_success\[0\] is True"),
        (lambda: task_success(0.9, -1), OutOfRange, "steps is -1"),
        (lambda: task_success(0.9, math.inf), OutOfRange, "steps is inf"),
        (lambda: half_life(2), OutOfRange, "step_success is 2"),
    ],
)
def test_bad_input_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
