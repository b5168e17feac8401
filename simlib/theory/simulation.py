"""What the two Monte Carlo engines, `counts` and `tasks`, share: the checked parameters and the result.

Both follow the definition of the checked step in `reliability`, not its formula; a task ends at its
first failed step. Random generators are passed in; the same generator gives the same numbers.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simlib.errors import (
    Numbers,
    OutOfRange,
    TooLarge,
    broadcast_shape,
    single,
    whole,
)
from simlib.theory.exact import narrowed
from simlib.theory.step import CheckedStep, checked_step

MOST = 10**15  # tasks or steps; up to here a float still counts every one


@dataclass(frozen=True, eq=False)  # arrays have no single answer to ==
class Simulated:
    """What became of simulated tasks: counts in the shape of the parameters, and estimates from them.

    `tasks` ended as `succeeded`, as `unnoticed_errors` or as `retries_exhausted`. `attempts_per_step` is the
    mean over the steps that began, `attempts_error` its standard error (NaN where there was only one step, or
    for `simulate_tasks` one task, and so no scatter).
    The standard errors are those of tasks drawn at random; where tasks differ by design they are too large.
    """

    tasks: int
    succeeded: Numbers
    unnoticed_errors: Numbers
    retries_exhausted: Numbers
    attempts_per_step: Numbers
    attempts_error: Numbers

    @property
    def success(self) -> Numbers:
        """Estimated probability that a task succeeds."""
        return self.succeeded / self.tasks

    @property
    def success_error(self) -> Numbers:
        """Standard error of `success`: 0 if all tasks or none succeed (then ask intervals.wilson)."""
        return narrowed(np.sqrt(self.success * (1 - self.success) / self.tasks))


def checked_task(
    steps: ArrayLike,
    p_success: ArrayLike,
    p_detect: ArrayLike,
    retries: ArrayLike,
    p_false_alarm: ArrayLike,
) -> tuple[NDArray[np.int64], CheckedStep]:
    """The parameters of tasks, checked, and refused where infinite retries would never end.

    steps : of a task, whole numbers from 0 to 10^15. p_success, p_detect, retries, p_false_alarm : as for
    `checked_step`. All broadcast.
    Returns the steps, and the step as a CheckedStep, each parameter in its own shape.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.

    >>> checked_task(20, 0.9, 0.9, 2, 0)[0]
    array(20)
    """
    number = np.asarray(whole("steps", steps))
    if np.any(number > MOST):
        raise TooLarge("steps", steps, f"whole numbers from 0 to {MOST}")
    step = checked_step(p_success, p_detect, retries, p_false_alarm)
    broadcast_shape(steps=number, **step._asdict())
    if np.any((step.passed == 0) & (step.retries == math.inf)):
        raise OutOfRange("retries", math.inf, "finite ones where no attempt can ever end the step")
    return number, step


def task_count(tasks: int) -> int:
    """A number of tasks that the engines can count without rounding.

    tasks : one whole number from 1 to 10^15.
    Returns it as an int.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.

    >>> task_count(1e12)
    1000000000000
    """
    number: int = single("tasks", whole("tasks", tasks, low=1))
    if number > MOST:
        raise TooLarge("tasks", number, f"whole numbers from 1 to {MOST}")
    return number
