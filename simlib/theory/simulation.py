"""What the two Monte Carlo engines, `counts` and `tasks`, share: the checked parameters and the result.

Both follow the definition of the checked step in `reliability`, not its formula; a task ends at its
first failed step. Random generators are passed in; the same generator gives the same numbers.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simlib.errors import (
    Numbers,
    OutOfRange,
    broadcast_shape,
    probability,
    single,
    whole,
)
from simlib.theory.exact import narrowed

MOST_TASKS = 10**15  # up to here a float still counts every task, in the binomial draws as in the sums


@dataclass(frozen=True)
class Simulated:
    """What became of simulated tasks: counts in the shape of the parameters, and estimates from them.

    `tasks` ended as `succeeded`, as `unnoticed_errors` or as `retries_exhausted`; `attempts` is the mean
    number of attempts per started step and `attempts_error` its standard error (NaN if no step began).
    """

    tasks: int
    succeeded: Numbers
    unnoticed_errors: Numbers
    retries_exhausted: Numbers
    attempts: Numbers
    attempts_error: Numbers

    @property
    def success(self) -> Numbers:
        """Estimated probability that a task succeeds."""
        return self.succeeded / self.tasks

    @property
    def success_error(self) -> Numbers:
        """Standard error of `success`: 0 if all tasks or none succeed (then ask intervals.wilson)."""
        return narrowed(np.sqrt(self.success * (1 - self.success) / self.tasks))


class Law(NamedTuple):
    """The parameters of checked steps, as arrays; what has no axis holds for every task."""

    steps: NDArray[Any]
    p_success: NDArray[Any]
    p_detect: NDArray[Any]
    retries: NDArray[Any]
    p_false_alarm: NDArray[Any]

    @classmethod
    def checked(cls, steps: Any, p_success: Any, p_detect: Any, retries: Any, p_false_alarm: Any) -> "Law":
        """The law with its parameters checked, and refused where infinite retries would never end."""
        law = cls(
            np.asarray(whole("steps", steps)),
            np.asarray(probability("p_success", p_success)),
            np.asarray(probability("p_detect", p_detect)),
            np.asarray(whole("retries", retries, infinite=True)),
            np.asarray(probability("p_false_alarm", p_false_alarm)),
        )
        broadcast_shape(**law._asdict())
        accepted = law.p_success * (1 - law.p_false_alarm)
        ends = accepted + (1 - law.p_success) * (1 - law.p_detect)
        if np.any((ends == 0) & (law.retries == math.inf)):
            raise OutOfRange("retries", math.inf, "finite ones where no attempt can ever end the step")
        return law

    def of(self, tasks: Any) -> "Law":
        """The same law for some of the tasks only."""
        return Law(*(value[tasks] if value.ndim else value for value in self))


def task_count(tasks: int) -> int:
    """A number of tasks that the engines can count without rounding.

    tasks : one whole number from 1 to 10^15.
    Returns it as an int.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.

    >>> task_count(1e12)
    1000000000000
    """
    number: int = single("tasks", whole("tasks", tasks, low=1))
    if number > MOST_TASKS:
        raise OutOfRange("tasks", number, f"whole numbers from 1 to {MOST_TASKS}")
    return number
