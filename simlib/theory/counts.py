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
from simlib.theory.simulation import Law, Simulated, task_count


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
    Returns Simulated, in the broadcast shape. Work grows with steps, not with tasks.
    Raises NotANumber, NotWhole, OutOfRange, ShapeMismatch or NotAGenerator.
    Source: article C, section 6, definition of the closed loop.

    >>> simulated = simulate_counts(10**12, 20, 0.9, 0.9, 2, rng=np.random.default_rng(7))
    >>> round(simulated.success, 4), simulated.success_error < 1e-6
    (0.7901, True)
    """
    number = task_count(tasks)
    law = Law.checked(steps, p_success, p_detect, retries, p_false_alarm)
    generator("rng", rng)
    shape = broadcast_shape(**law._asdict())
    alive = np.full(shape, number)
    unnoticed, exhausted = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    began, tried, tried_squared = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for step in range(int(np.max(law.steps, initial=0))):
        pending = np.where(step < law.steps, alive, 0)
        if not pending.any():
            break
        alive -= pending
        began += pending
        for attempt in count(1):
            tried += pending
            tried_squared += (attempt**2 - (attempt - 1) ** 2) * pending.astype(np.float64)
            accepted, slipped, rejected = _attempt(pending, law, rng)
            alive += accepted
            unnoticed += slipped
            pending = np.where(attempt <= law.retries, rejected, 0)
            exhausted += rejected - pending
            if not pending.any():
                break
    with np.errstate(invalid="ignore"):
        mean = tried / began
        error = np.sqrt(np.maximum(tried_squared / began - mean**2, 0) / began)
    ended = (narrowed(value) for value in (alive, unnoticed, exhausted, mean, error))
    return Simulated(number, *ended)


def _attempt(pending: NDArray[Any], law: Law, rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """How many of the pending steps are accepted, fail unnoticed, and are rejected."""
    good = rng.binomial(pending, law.p_success)
    alarmed = rng.binomial(good, law.p_false_alarm)
    caught = rng.binomial(pending - good, law.p_detect)
    return good - alarmed, pending - good - caught, caught + alarmed
