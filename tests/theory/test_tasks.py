"""The task-by-task engine against the closed forms and the counting engine, within standard errors."""

import math
import tracemalloc

import numpy as np
import pytest

from simlib.errors import NotAGenerator, OutOfRange, ShapeMismatch, TooLarge
from simlib.theory.counts import simulate_counts
from simlib.theory.reliability import attempts_distribution, expected_attempts, step_success, task_success
from simlib.theory.tasks import Outcome, simulate_tasks, task_chunks

LAWS = [(0.9, 0.9, 2, 0), (0.9, 0, 0, 0), (0.7, 0.5, 4, 0.1), (0.8, 0.95, math.inf, 0.3)]


@pytest.mark.parametrize("law", LAWS)
def test_agrees_with_the_law_within_four_standard_errors(law, rng, attempts_error_of):
    simulated = simulate_tasks(100_000, 20, *law, rng=rng)
    exact = task_success(step_success(*law), 20)
    assert abs(simulated.success - exact) < 4 * math.sqrt(exact * (1 - exact) / 100_000)
    assert abs(simulated.attempts_per_step - expected_attempts(*law)) <= 4 * simulated.attempts_error
    assert simulated.attempts_error == attempts_error_of(law, simulated, 20)


@pytest.mark.parametrize("law", LAWS)
def test_agrees_with_the_counting_engine(law, rng):
    ours, theirs = simulate_tasks(100_000, 20, *law, rng=rng), simulate_counts(10**9, 20, *law, rng=rng)
    for kind in ("succeeded", "unnoticed_errors", "retries_exhausted"):
        share = getattr(theirs, kind) / 10**9
        assert abs(getattr(ours, kind) - 100_000 * share) <= 4 * math.sqrt(100_000 * share * (1 - share))


def test_single_steps_have_the_exact_distribution_of_attempts(rng):
    law = 0.7, 0.8, 3, 0.1
    (chunk,) = task_chunks(100_000, 1, *law, rng=rng, chunk=100_000)
    exact = attempts_distribution(*law)
    found = np.bincount(chunk.attempts, minlength=5)[1:]
    assert np.all(np.abs(found - 100_000 * exact) <= 4 * np.sqrt(100_000 * exact * (1 - exact)))


def test_each_task_is_told(rng):
    for chunk in task_chunks(1_000, 20, 0.9, 0.5, 2, rng=rng, chunk=300):
        finished = chunk.outcome == Outcome.SUCCESS
        assert np.all(chunk.begun[finished] == 20)
        assert np.all((chunk.begun >= 1) & (chunk.begun <= 20))
        assert np.all((chunk.attempts >= chunk.begun) & (chunk.attempts <= 3 * chunk.begun))
        assert set(chunk.outcome) <= set(Outcome)


def test_tasks_may_differ(rng):
    """Three kinds of task in one call: each kind ends as its own law says."""
    n = 30_000
    steps, p, retries = np.tile([5, 20, 0], n), np.tile([0.9, 0.95, 0.1], n), np.tile([2.0, math.inf, 0], n)
    (chunk,) = task_chunks(3 * n, steps, p, 0.8, retries, rng=rng, chunk=3 * n)
    for kind in range(3):
        exact = task_success(step_success(p[kind], 0.8, retries[kind]), int(steps[kind]))
        share = np.mean(chunk.outcome[kind::3] == Outcome.SUCCESS)
        assert abs(share - exact) <= 4 * math.sqrt(exact * (1 - exact) / n)
    assert not chunk.attempts[2::3].any()


def test_the_error_of_attempts_counts_tasks_not_steps(rng):
    """Where tasks differ, steps of a task resemble each other: repeated simulations scatter accordingly."""
    estimates, errors = [], []
    for _ in range(300):
        p = rng.choice([0.2, 0.9], size=200)
        simulated = simulate_tasks(200, 10, p, 1, math.inf, rng=rng)
        estimates.append(simulated.attempts_per_step)
        errors.append(simulated.attempts_error)
    # The standard deviation of 300 values is known to 4 %; taking steps as independent would miss it by 40 %.
    assert np.std(estimates) == pytest.approx(np.mean(errors), rel=4 * 0.041)


@pytest.mark.parametrize(
    ("law", "ended"),
    [((1, 0.5, 0), (7, 0, 0)), ((0, 0, 5), (0, 7, 0)), ((0, 1, 5), (0, 0, 7)), ((1, 0, 3, 1), (0, 0, 7))],
)
def test_certain_ends(law, ended, rng):
    simulated = simulate_tasks(7, 3, *law, rng=rng)
    assert (simulated.succeeded, simulated.unnoticed_errors, simulated.retries_exhausted) == ended


def test_tasks_that_differ_by_design_get_errors_that_are_too_large_not_too_small(rng):
    """Half the tasks succeed surely, half never: nothing varies, but the error is that of a random draw."""
    simulated = simulate_tasks(500, 1, np.tile([1.0, 0.0], 250), rng=rng)
    assert simulated.success == 0.5
    assert simulated.success_error == pytest.approx(0.5 / math.sqrt(500))


def test_one_task_says_nothing_of_scatter(rng):
    for _ in range(50):
        assert math.isnan(simulate_tasks(1, 20, 0.6, 1, math.inf, rng=rng).attempts_error)


def test_no_steps_and_a_million(rng):
    assert simulate_tasks(10, 0, 0.5, rng=rng).success == 1
    assert math.isnan(simulate_tasks(10, 0, 0.5, rng=rng).attempts_per_step)
    assert simulate_tasks(10, 10**6, 0.5, rng=rng).succeeded == 0


def test_memory_grows_with_the_chunk_and_not_with_the_tasks(rng):
    def peak(tasks, chunk):
        tracemalloc.start()
        simulate_tasks(tasks, 3, 0.9, 0.9, 2, rng=rng, chunk=chunk)
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    assert peak(400_000, 4_000) < 1.2 * peak(40_000, 4_000)
    assert peak(80_000, 80_000) > 8 * peak(80_000, 4_000)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"tasks": 0}, OutOfRange, "tasks is 0"),
        ({"chunk": 0}, OutOfRange, "chunk is 0"),
        ({"chunk": 10**13}, TooLarge, "chunk is 10000000000000"),
        ({"steps": 2**70}, TooLarge, "steps is"),
        ({"p_success": [0.9, 0.8]}, ShapeMismatch, "p_success.*one for each of the 10 tasks"),
        ({"p_success": 0, "p_detect": 1, "retries": math.inf}, OutOfRange, "retries is inf"),
        ({"rng": 7}, NotAGenerator, "rng is 7"),
    ],
)
def test_bad_input_is_named_before_the_first_task(change, error, message, rng):
    with pytest.raises(error, match=message):
        task_chunks(**{"tasks": 10, "steps": 2, "p_success": 0.9, "rng": rng} | change)
