"""The Monte Carlo engine that follows each task.

It is needed where tasks differ, or where something is to be recorded for each of them. `task_chunks`
hands the tasks out piece by piece, `simulate_tasks` adds the pieces up.
"""

from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simlib.errors import ShapeMismatch, generator, single, whole
from simlib.theory.simulation import Law, Simulated, task_count

SUCCESS, UNNOTICED_ERROR, RETRIES_EXHAUSTED = range(3)


class TaskChunk(NamedTuple):
    """Some simulated tasks, one array element a task: how it ended, steps begun, attempts in all.

    `outcome` is SUCCESS, UNNOTICED_ERROR or RETRIES_EXHAUSTED.
    """

    outcome: NDArray[np.int8]
    steps: NDArray[np.int64]
    attempts: NDArray[np.int64]


def simulate_tasks(
    tasks: int,
    steps: ArrayLike,
    p_success: ArrayLike,
    p_detect: ArrayLike = 0,
    retries: ArrayLike = 0,
    p_false_alarm: ArrayLike = 0,
    *,
    rng: np.random.Generator,
    chunk: int = 32_768,
) -> Simulated:
    """Simulate tasks one by one; each may have its own length and probabilities.

    tasks : how many, from 1 to 10^15. steps : of a task, whole numbers of at least 0.
    p_success, p_detect, p_false_alarm : probabilities. retries : whole, from 0 to infinity.
    Each of these but `tasks` is one number or one for each task. rng : the random generator.
    chunk : how many tasks are in memory at a time.
    Returns Simulated with single numbers: over all tasks together, whether or not they are alike.
    Raises NotANumber, NotWhole, OutOfRange, ShapeMismatch or NotAGenerator.
    Source: article C, section 6, definition of the closed loop.

    >>> simulated = simulate_tasks(20_000, 20, 0.9, 0.9, 2, rng=np.random.default_rng(7))
    >>> round(simulated.success, 2), round(simulated.success_error, 4)
    (0.79, 0.0029)
    """
    ended = np.zeros(3, dtype=np.int64)
    sums = np.zeros(5)
    parameters = steps, p_success, p_detect, retries, p_false_alarm
    for piece in task_chunks(tasks, *parameters, rng=rng, chunk=chunk):
        ended += np.bincount(piece.outcome, minlength=3)
        a, s = piece.attempts.astype(np.float64), piece.steps.astype(np.float64)
        sums += a.sum(), s.sum(), a @ a, a @ s, s @ s
    tried, began, tried_squared, tried_began, began_squared = sums
    with np.errstate(invalid="ignore"):
        mean = tried / began
        # A ratio of two sums over tasks: the steps of one task depend on each other, tasks do not.
        scatter = tried_squared - 2 * mean * tried_began + mean**2 * began_squared
        error = np.sqrt(np.maximum(scatter, 0)) / began
    succeeded, unnoticed, exhausted = ended.tolist()
    return Simulated(int(tasks), succeeded, unnoticed, exhausted, float(mean), float(error))


def task_chunks(
    tasks: int,
    steps: ArrayLike,
    p_success: ArrayLike,
    p_detect: ArrayLike = 0,
    retries: ArrayLike = 0,
    p_false_alarm: ArrayLike = 0,
    *,
    rng: np.random.Generator,
    chunk: int = 32_768,
) -> Iterator[TaskChunk]:
    """The simulated tasks themselves, piece by piece, so that memory does not grow with their number.

    tasks : how many, from 1 to 10^15. steps : of a task, whole numbers of at least 0.
    p_success, p_detect, p_false_alarm : probabilities. retries : whole, from 0 to infinity.
    Each of these but `tasks` is one number or one for each task. rng : the random generator.
    chunk : tasks in a piece, at least 1; another size draws other random numbers.
    Returns an iterator of TaskChunk, each of `chunk` tasks (the last of what is left).
    Raises NotANumber, NotWhole, OutOfRange, ShapeMismatch or NotAGenerator, before the first piece.
    Source: article C, section 6, definition of the closed loop.

    >>> pieces = task_chunks(10, 20, 0.9, rng=np.random.default_rng(7), chunk=4)
    >>> [len(piece.outcome) for piece in pieces]
    [4, 4, 2]
    """
    tasks, chunk = task_count(tasks), single("chunk", whole("chunk", chunk, low=1))
    law = Law.checked(steps, p_success, p_detect, retries, p_false_alarm)
    for name, value in law._asdict().items():
        if value.shape not in ((), (tasks,)):
            raise ShapeMismatch(name, value.shape, f"one number, or one for each of the {tasks} tasks")
    generator("rng", rng)
    starts = range(0, tasks, chunk)
    return (_simulate(law.of(slice(at, at + chunk)), min(chunk, tasks - at), rng) for at in starts)


def _simulate(law: Law, tasks: int, rng: np.random.Generator) -> TaskChunk:
    outcome = np.full(tasks, SUCCESS, dtype=np.int8)
    steps = np.array(np.broadcast_to(law.steps, tasks))
    retried = np.zeros(tasks, dtype=np.int64)
    alive = np.arange(tasks)
    for step in range(int(np.max(law.steps, initial=0))):
        if law.steps.ndim:
            alive = alive[step < law.steps[alive]]
        if not alive.size:
            break
        unnoticed, exhausted = _take_step(law, alive, retried, rng)
        outcome[unnoticed], outcome[exhausted] = UNNOTICED_ERROR, RETRIES_EXHAUSTED
        lost = np.concatenate([unnoticed, exhausted])
        steps[lost] = step + 1
        alive = np.delete(alive, np.searchsorted(alive, lost))
    return TaskChunk(outcome, steps, steps + retried)


def _take_step(
    law: Law, tasks: NDArray[Any], retried: NDArray[Any], rng: np.random.Generator
) -> tuple[NDArray[Any], NDArray[Any]]:
    """One step of each of the tasks: try, check, and try again what was rejected.

    Returns those that failed unnoticed and those that used up their retries; counts the rest's retries.
    """
    unnoticed, exhausted = [], []
    pending = tasks
    for attempt in count(1):
        bad = np.flatnonzero(rng.random(pending.size) >= law.of(pending).p_success)
        failed = pending[bad]
        caught = rng.random(failed.size) < law.of(failed).p_detect
        unnoticed.append(failed[~caught])
        rejected = failed[caught]
        if np.any(law.p_false_alarm):
            fine = np.delete(pending, bad)
            alarmed = fine[rng.random(fine.size) < law.of(fine).p_false_alarm]
            rejected = np.concatenate([rejected, alarmed])
        may_retry = np.broadcast_to(attempt <= law.of(rejected).retries, rejected.shape)
        exhausted.append(rejected[~may_retry])
        pending = rejected[may_retry]
        if not pending.size:
            break
        retried[pending] += 1
    return np.concatenate(unnoticed), np.concatenate(exhausted)
