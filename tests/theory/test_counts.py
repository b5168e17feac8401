"""The counting engine against the closed forms, within stated standard errors, and scipy's binomial."""

import dataclasses
import math

import numpy as np
import pytest
from scipy.stats import chi2

from simlib.errors import NotAGenerator, NotWhole, OutOfRange, ShapeMismatch
from simlib.theory.counts import simulate_counts
from simlib.theory.reliability import expected_attempts, step_outcomes, step_success, task_success

LAWS = [(0.9, 0.9, 2, 0), (0.9, 0, 0, 0), (0.7, 0.5, 4, 0.1), (0.8, 0.95, math.inf, 0.3), (0.99, 0.9, 2, 0)]


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("tasks", [20_000, 10**12, 10**15])
def test_agrees_with_the_law_within_four_standard_errors(law, tasks, rng, attempts_error_of):
    simulated = simulate_counts(tasks, 20, *law, rng=rng)
    exact = task_success(step_success(*law), 20)
    error = math.sqrt(exact * (1 - exact) / tasks)
    assert abs(simulated.success - exact) < 4 * error
    # What the standard error would be said to be at either end of the 4 standard errors around the truth.
    ends = sorted(math.sqrt(q * (1 - q) / tasks) for q in (exact - 4 * error, exact + 4 * error))
    assert ends[0] < simulated.success_error < ends[1]
    assert abs(simulated.attempts_per_step - expected_attempts(*law)) <= 4 * simulated.attempts_error
    assert simulated.attempts_error == attempts_error_of(law, simulated, 20)
    assert simulated.succeeded + simulated.unnoticed_errors + simulated.retries_exhausted == tasks


@pytest.mark.parametrize("law", LAWS[:4])
def test_failures_are_of_the_right_kind(law, rng):
    """A task's last step failed, so unnoticed and exhausted stand in the ratio that the law gives a step."""
    simulated = simulate_counts(10**6, 20, *law, rng=rng)
    _, unnoticed, exhausted = step_outcomes(*law)
    failed = simulated.unnoticed_errors + simulated.retries_exhausted
    share = exhausted / (unnoticed + exhausted)
    assert abs(simulated.retries_exhausted - share * failed) <= 4 * math.sqrt(failed * share * (1 - share))


def test_many_simulations_scatter_as_their_standard_error_says(rng):
    """Chi-squared of 2,000 independent cells of a grid, inside its central 99.99 %."""
    p = np.linspace(0.85, 0.99, 2_000)
    simulated = simulate_counts(10_000, 20, p, 0.9, 2, rng=rng)
    exact = task_success(step_success(p, 0.9, 2), 20)
    squares = np.sum((simulated.success - exact) ** 2 / (exact * (1 - exact) / 10_000))
    assert chi2.ppf(5e-5, 2_000) < squares < chi2.ppf(1 - 5e-5, 2_000)


def test_a_grid_is_one_call_and_steps_may_differ(rng):
    steps = np.array([0, 1, 20])
    simulated = simulate_counts(10**9, steps, np.array([[0.9], [1.0]]), 0.9, 2, rng=rng)
    exact = task_success(step_success([[0.9], [1.0]], 0.9, 2), steps)
    assert simulated.success.shape == (2, 3)
    assert np.all(np.abs(simulated.success - exact) <= 4 * np.sqrt(exact * (1 - exact) / 10**9))
    assert simulated.succeeded[:, 0].tolist() == [10**9] * 2


@pytest.mark.parametrize(
    ("law", "ended"),
    [
        ((1, 0.5, 0), (7, 0, 0)),
        ((0, 0, 5), (0, 7, 0)),
        ((0, 1, 5), (0, 0, 7)),
        ((1, 0, 3, 1), (0, 0, 7)),
        ((0.2, 1, math.inf), (7, 0, 0)),
    ],
)
def test_certain_ends(law, ended, rng):
    simulated = simulate_counts(7, 3, *law, rng=rng)
    assert (simulated.succeeded, simulated.unnoticed_errors, simulated.retries_exhausted) == ended
    assert simulated.success_error == 0


def test_a_million_steps_end_early_when_nobody_is_left(rng):
    simulated = simulate_counts(10**12, 10**6, 0.5, rng=rng)
    assert simulated.succeeded == 0
    assert simulated.attempts_per_step == 1


@pytest.mark.slow
def test_a_million_steps_that_nearly_all_succeed(rng):
    simulated = simulate_counts(10**12, 10**6, 1 - 1e-6, rng=rng)
    exact = task_success(1 - 1e-6, 10**6)
    assert abs(simulated.success - exact) < 4 * math.sqrt(exact * (1 - exact) / 10**12)


def test_one_step_says_nothing_of_scatter(rng):
    assert math.isnan(simulate_counts(1, 1, 1, rng=rng).attempts_error)


def test_no_steps_have_no_mean_number_of_attempts(rng):
    simulated = simulate_counts(10, 0, 0.5, rng=rng)
    assert simulated.success == 1
    assert math.isnan(simulated.attempts_per_step)


def test_the_same_generator_gives_the_same_numbers():
    first, second = (simulate_counts(100, 20, 0.9, 0.9, 2, rng=np.random.default_rng(3)) for _ in range(2))
    assert dataclasses.astuple(first) == dataclasses.astuple(second)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"tasks": 0}, OutOfRange, "tasks is 0"),
        ({"tasks": 10**15 + 1}, OutOfRange, "from 1 to 1000000000000000"),
        ({"tasks": [1, 2]}, ShapeMismatch, "tasks"),
        ({"steps": 1.5}, NotWhole, "steps"),
        ({"p_success": 2}, OutOfRange, "p_success"),
        ({"p_success": 0, "p_detect": 1, "retries": math.inf}, OutOfRange, "retries is inf; allowed: finite"),
        ({"p_success": [0.1, 0.2], "p_detect": [0.1] * 3}, ShapeMismatch, "p_success and p_detect"),
        ({"rng": None}, NotAGenerator, "rng is None"),
    ],
)
def test_bad_input_is_named(change, error, message, rng):
    with pytest.raises(error, match=message):
        simulate_counts(**{"tasks": 10, "steps": 2, "p_success": 0.9, "rng": rng} | change)
