"""The Monte Carlo engine that follows each task.

It is needed where tasks differ, or where something is to be recorded for each of them. `task_chunks`
hands the tasks out piece by piece, `simulate_tasks` adds the pieces up.
"""

import math
from collections.abc import Iterator
from enum import IntEnum
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simlib.errors import ShapeMismatch, axis_length, generator
from simlib.theory.simulation import Simulated, checked_task, task_count
from simlib.theory.step import CheckedStep


class Outcome(IntEnum):
    """How a task ended."""

    SUCCESS = 0
    UNNOTICED_ERROR = 1
    RETRIES_EXHAUSTED = 2


class TaskChunk(NamedTuple):
    """Some simulated tasks, one array element a task: its Outcome, the steps begun, its attempts in all."""

    outcome: NDArray[np.int8]
    begun: NDArray[np.int64]
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
    chunk : how many tasks are in memory at a time, from 1 to 10^8.
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
        a, s = piece.attempts.astype(np.float64), piece.begun.astype(np.float64)
        sums += a.sum(), s.sum(), a @ a, a @ s, s @ s
    mean, error = _attempts_per_step(sums, int(ended.sum()))
    succeeded, unnoticed, exhausted = ended.tolist()
    return Simulated(int(tasks), succeeded, unnoticed, exhausted, mean, error)


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
    chunk : tasks in a piece, from 1 to 10^8; another size draws other random numbers.
    Returns an iterator of TaskChunk, each of `chunk` tasks (the last of what is left).
    Raises NotANumber, NotWhole, OutOfRange, ShapeMismatch or NotAGenerator, before the first piece.
    Source: article C, section 6, definition of the closed loop.

    >>> pieces = task_chunks(10, 20, 0.9, rng=np.random.default_rng(7), chunk=4)
    >>> [len(piece.outcome) for piece in pieces]
    [4, 4, 2]
    """
    number, size = task_count(tasks), axis_length("chunk", chunk, low=1)
    length, step = checked_task(steps, p_success, p_detect, retries, p_false_alarm)
    for name, value in {"steps": length, **step._asdict()}.items():
        if value.shape not in ((), (number,)):
            raise ShapeMismatch(name, value.shape, f"one number, or one for each of the {number} tasks")
    generator("rng", rng)

    def piece(start: int) -> TaskChunk:
        some = slice(start, min(start + size, number))
        of_some = length[some] if length.ndim else length
        return _simulate(np.array(np.broadcast_to(of_some, some.stop - start)), step.of(some), rng)

    return map(piece, range(0, number, size))


def _attempts_per_step(sums: NDArray[np.float64], tasks: int) -> tuple[float, float]:
    """Mean and standard error from sums over tasks.

    The steps of one task depend on each other, tasks do not: so tasks are what scatters.
    """
    attempts, begun, attempts_squared, product, begun_squared = sums.tolist()
    if not begun:
        return math.nan, math.nan
    mean = attempts / begun
    if tasks == 1:
        return mean, math.nan
    scatter = max(attempts_squared - 2 * mean * product + mean**2 * begun_squared, 0)
    return mean, math.sqrt(scatter * tasks / (tasks - 1)) / begun


def _simulate(length: NDArray[np.int64], step: CheckedStep, rng: np.random.Generator) -> TaskChunk:
    outcome = np.full(length.size, Outcome.SUCCESS, dtype=np.int8)
    begun, retried = length.copy(), np.zeros_like(length)
    alive = np.arange(length.size)  # stays in ascending order
    for at in range(int(length.max())):
        if at >= length.min():
            alive = alive[at < length[alive]]
        if not alive.size:
            break
        unnoticed, exhausted = _take_step(alive, step, retried, rng)
        outcome[unnoticed], outcome[exhausted] = Outcome.UNNOTICED_ERROR, Outcome.RETRIES_EXHAUSTED
        lost = np.concatenate([unnoticed, exhausted])
        begun[lost] = at + 1
        alive = np.delete(alive, np.searchsorted(alive, lost))
    return TaskChunk(outcome, begun, begun + retried)


def _take_step(
    tasks: NDArray[Any], step: CheckedStep, retried: NDArray[Any], rng: np.random.Generator
) -> tuple[NDArray[Any], NDArray[Any]]:
    """One step of each of the tasks: try, check, and try again what was rejected.

    Returns those that failed unnoticed and those that used up their retries. Adds each retry to `retried`.
    """
    unnoticed, exhausted = [], []
    pending = tasks
    for attempt in count(1):
        bad = np.flatnonzero(rng.random(pending.size) >= step.of(pending).p_success)
        failed = pending[bad]
        caught = rng.random(failed.size) < step.of(failed).p_detect
        unnoticed.append(failed[~caught])
        rejected = failed[caught]
        if step.p_false_alarm.any():
            fine = np.delete(pending, bad)
            alarmed = fine[rng.random(fine.size) < step.of(fine).p_false_alarm]
            rejected = np.concatenate([rejected, alarmed])
        may_retry = np.broadcast_to(attempt <= step.of(rejected).retries, rejected.shape)
        exhausted.append(rejected[~may_retry])
        pending = rejected[may_retry]
        if not pending.size:
            break
        retried[pending] += 1
    return np.concatenate(unnoticed), np.concatenate(exhausted)
