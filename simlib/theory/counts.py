"""The Monte Carlo engine that follows how many tasks are still alive.

Equal tasks need not be told apart: binomial draws say how many of them each attempt and each check
takes away, so that a trillion tasks cost what twenty thousand cost.
"""

from itertools import count
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simlib.errors import broadcast_shape, generator
from simlib.theory.exact import narrowed
from simlib.theory.simulation import Simulated, checked_task, task_count
from simlib.theory.step import CheckedStep


def simulate_counts(
    tasks: int,
    steps: ArrayLike,
    p_success: ArrayLike,
    p_detect: ArrayLike = 0,
    retries: ArrayLike = 0,
    p_false_alarm: ArrayLike = 0,
    *,
    rng: np.random.Generator,
) -> Simulated:
    """Simulate many equal tasks by counting those that are still alive after each attempt.

    tasks : how many, from 1 to 10^15. steps : of a task, whole numbers of at least 0.
    p_success, p_detect, p_false_alarm : probabilities. retries : whole, from 0 to infinity.
    All but `tasks` broadcast: a grid of parameters is one call. rng : the random generator.
    Returns Simulated, in the broadcast shape. Work grows with steps and with the attempts that the unluckiest
    step takes, hardly with tasks.
    Raises NotANumber, NotWhole, OutOfRange, ShapeMismatch or NotAGenerator.
    Source: article C, section 6, definition of the closed loop.

    >>> simulated = simulate_counts(10**12, 20, 0.9, 0.9, 2, rng=np.random.default_rng(7))
    >>> round(simulated.success, 4), simulated.success_error < 1e-6
    (0.7901, True)
    """
    number = task_count(tasks)
    length, step = checked_task(steps, p_success, p_detect, retries, p_false_alarm)
    generator("rng", rng)
    tally = _Tally(broadcast_shape(steps=length, **step._asdict()), number)
    for at in range(int(np.max(length, initial=0))):
        working = np.where(at < length, tally.alive, 0)
        if not working.any():
            break
        tally.take_step(working, step, rng)
    mean, error = tally.attempts_per_step()
    ended = tally.alive, tally.unnoticed, tally.exhausted, mean, error
    return Simulated(number, *(narrowed(value) for value in ended))


class _Tally:
    """How many tasks are alive or have ended, and how many attempts their steps took, cell by cell."""

    def __init__(self, shape: tuple[int, ...], tasks: int) -> None:
        self.alive = np.full(shape, tasks)
        self.unnoticed, self.exhausted = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        self.begun, self.attempts, self.attempts_squared = np.zeros(shape), np.zeros(shape), np.zeros(shape)

    def take_step(self, working: NDArray[Any], step: CheckedStep, rng: np.random.Generator) -> None:
        """One step of the working tasks: try, check, and try again what was rejected."""
        self.alive -= working
        self.begun += working
        pending = working
        for attempt in count(1):
            self.attempts += pending
            # A step that takes k attempts adds 1 + 3 + 5 + ... + (2k - 1) = k².
            self.attempts_squared += (2 * attempt - 1) * pending.astype(np.float64)
            good = rng.binomial(pending, step.p_success)
            alarmed = rng.binomial(good, step.p_false_alarm)
            caught = rng.binomial(pending - good, step.p_detect)
            self.alive += good - alarmed
            self.unnoticed += pending - good - caught
            rejected = caught + alarmed
            pending = np.where(attempt <= step.retries, rejected, 0)
            self.exhausted += rejected - pending
            if not pending.any():
                return

    def attempts_per_step(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean over the steps begun, and its standard error."""
        with np.errstate(invalid="ignore"):
            mean = self.attempts / self.begun
            variance = np.maximum(self.attempts_squared / self.begun - mean**2, 0)
            return mean, np.sqrt(variance / (self.begun - 1))
