"""One step with a check: its parameters, and the three ways in which a single attempt can end.

A step is tried. The attempt succeeds with probability `p_success`; a check then recognises a failure with
probability `p_detect` and, if it is no perfect check, rejects good work with probability `p_false_alarm`.
Rejected work is tried again, at most `retries` times. So an attempt is

    accepted   with  p_success (1 - p_false_alarm)
    unnoticed  with  (1 - p_success) (1 - p_detect)         an error that got past the check
    rejected   with  what is left, and the step starts again

Attempts, checks and steps are independent of each other: that is the model, and its limit.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simlib.errors import broadcast_shape, floats, probability, whole

Floats = NDArray[np.float64]


class CheckedStep(NamedTuple):
    """The parameters of a step, as float arrays of whatever shapes; `retries` may be infinity."""

    p_success: Floats
    p_detect: Floats
    retries: Floats
    p_false_alarm: Floats

    @property
    def accepted(self) -> Floats:
        """Probability that an attempt is good and passes the check."""
        return self.p_success * (1 - self.p_false_alarm)

    @property
    def unnoticed(self) -> Floats:
        """Probability that an attempt is bad and passes the check."""
        return (1 - self.p_success) * (1 - self.p_detect)

    @property
    def rejected(self) -> Floats:
        """Probability that an attempt does not pass the check, good or bad."""
        return self.p_success * self.p_false_alarm + (1 - self.p_success) * self.p_detect

    @property
    def passed(self) -> Floats:
        """Probability that an attempt passes the check; keeps its digits where nearly all are rejected."""
        return (
            self.accepted + self.unnoticed
        )  # rounds to 1 at the most: p + fl(1 - p) is off by 2^-54 at most

    def of(self, tasks: Any) -> "CheckedStep":
        """The same parameters for some of the tasks only; what has no axis holds for every task."""
        return CheckedStep(*(value[tasks] if value.ndim else value for value in self))


def checked_step(
    p_success: ArrayLike, p_detect: ArrayLike, retries: ArrayLike, p_false_alarm: ArrayLike
) -> CheckedStep:
    """The parameters of a step, checked.

    p_success, p_detect, p_false_alarm : probabilities from 0 to 1. retries : the most repetitions, a whole
    number of at least 0 or infinity. All four are numbers or arrays that broadcast.
    Returns a CheckedStep, each parameter in its own shape.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.
    Source: article C, section 6, definition of the closed loop; the false alarms are an extension of it.

    >>> checked_step(0.9, 0.9, 2, 0).rejected.round(3)
    np.float64(0.09)
    """
    p = probability("p_success", p_success)
    d = probability("p_detect", p_detect)
    r = whole("retries", retries, infinite=True)
    f = probability("p_false_alarm", p_false_alarm)
    given = {"p_success": p, "p_detect": d, "retries": r, "p_false_alarm": f}
    broadcast_shape(**given)
    return CheckedStep(*(floats(name, value) for name, value in given.items()))
