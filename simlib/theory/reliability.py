"""How reliable a long task is when its steps are checked.

A step (see `step`) succeeds with accepted (1 + rejected + rejected² + ... + rejected^retries). Without
false alarms this is article C's q = p Σ ((1 - p) d)^k: `p_success` is its p, `p_detect` its d, `retries`
its r, `step_success` its q, `steps` its n. A task of n steps succeeds if all of them do: qⁿ.

`retries` may be infinity. Numbers and arrays broadcast; single results are Python floats.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simlib.errors import Numbers, axis_length, broadcast_shape, floats, probability, whole
from simlib.theory.exact import elementwise, narrowed
from simlib.theory.step import CheckedStep, Floats, checked_step


class StepOutcomes(NamedTuple):
    """Probabilities of the three ways a step can end; they add up to 1."""

    success: Numbers
    unnoticed_error: Numbers
    retries_exhausted: Numbers


class Approximation(NamedTuple):
    """A value that is nearly right, and by which share of the exact one it is too large."""

    value: Numbers
    relative_error: Numbers


def step_success(
    p_success: ArrayLike, p_detect: ArrayLike, retries: ArrayLike, p_false_alarm: ArrayLike = 0
) -> Numbers:
    """Probability that a checked step ends in success: that of an attempt, times the expected attempts.

    p_success, p_detect, p_false_alarm : probabilities from 0 to 1. retries : the most repetitions,
    a whole number of at least 0 or infinity. All four broadcast.
    Returns a probability, in the broadcast shape: `p_success` itself without retries or detection;
    with infinite retries the ceiling p / (1 - (1 - p) d), which no number of retries can exceed.
    With false alarms, good work that is rejected at the last attempt counts as a failed step.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.
    Source: article C, section 6; the false alarms are an extension of it (0 gives the article's law).

    >>> round(step_success(0.9, 0.9, retries=2), 5)
    0.98829
    """
    return step_outcomes(p_success, p_detect, retries, p_false_alarm).success


def step_outcomes(
    p_success: ArrayLike, p_detect: ArrayLike, retries: ArrayLike, p_false_alarm: ArrayLike = 0
) -> StepOutcomes:
    """Probabilities of the three ways a step can end.

    p_success, p_detect, p_false_alarm : probabilities from 0 to 1. retries : whole, from 0 to
    infinity. All four broadcast.
    Returns StepOutcomes: success, an error that nobody noticed, and retries used up on work that was
    rejected each time; each in the broadcast shape, together 1. Infinite retries are never used up,
    unless no attempt can ever end the step: then all probability stands there.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.
    Source: article C, section 6, definition of the closed loop.

    >>> [round(share, 5) for share in step_outcomes(0.9, 0.9, retries=2)]
    [0.98829, 0.01098, 0.00073]
    """
    step = checked_step(p_success, p_detect, retries, p_false_alarm)
    # Of what passes the check in time, the shares of one attempt; a ratio, since its parts may be as small as
    # a float can be where the attempts they are otherwise multiplied with are beyond any.
    passes, some = _passes_in_time(step), np.where(step.passed > 0, step.passed, 1)
    outcomes = np.broadcast_arrays(
        passes * (step.accepted / some), passes * (step.unnoticed / some), _exhausted(step)
    )
    return StepOutcomes(*(narrowed(share) for share in outcomes))


def expected_attempts(
    p_success: ArrayLike, p_detect: ArrayLike, retries: ArrayLike, p_false_alarm: ArrayLike = 0
) -> Numbers:
    """How many attempts a step takes on average: 1 + rejected + ... + rejected^retries.

    p_success, p_detect, p_false_alarm : probabilities from 0 to 1. retries : whole, from 0 to
    infinity. All four broadcast.
    Returns attempts, in the broadcast shape: 1 without retries or rejections; infinity if infinite
    retries meet a step that can never end.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.
    Source: sum over k of the probability that attempt k + 1 takes place; article C, section 6.

    >>> round(expected_attempts(0.9, 0.9, retries=2), 4)
    1.0981
    """
    step = checked_step(p_success, p_detect, retries, p_false_alarm)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return narrowed(np.where(step.passed > 0, _passes_in_time(step) / step.passed, step.retries + 1))


def attempts_distribution(
    p_success: ArrayLike, p_detect: ArrayLike, retries: int, p_false_alarm: ArrayLike = 0
) -> NDArray[np.float64]:
    """Exact distribution of the attempts that a step takes.

    p_success, p_detect, p_false_alarm : probabilities from 0 to 1; they broadcast.
    retries : one whole number from 0 to 10^8.
    Returns probabilities of 1, 2, ... retries + 1 attempts along a new last axis; they add up to 1.
    Raises NotANumber, NotWhole, OutOfRange, ShapeMismatch or TooLarge.
    Source: a geometric distribution cut off at retries + 1; article C, section 6.

    >>> attempts_distribution(0.9, 0.9, retries=2).round(4)
    array([0.91  , 0.0819, 0.0081])
    """
    last = axis_length("retries", retries)
    step = checked_step(p_success, p_detect, last, p_false_alarm)
    rejected, passed = (part[..., np.newaxis] for part in np.broadcast_arrays(step.rejected, step.passed))
    reached = rejected ** np.arange(last + 1)
    return np.concatenate([reached[..., :-1] * passed, reached[..., -1:]], axis=-1)


def task_success(step_success: ArrayLike, steps: ArrayLike) -> Numbers:
    """Probability that a task succeeds, which needs every one of its steps: step_success^steps.

    step_success : probability that a step succeeds. steps : whole numbers of at least 0. Both broadcast.
    Returns a probability, in the broadcast shape: 1 for a task without steps.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.
    Source: article C, section 6.

    >>> round(task_success(0.9, 20), 3), round(task_success(0.98829, 20), 3)
    (0.122, 0.79)
    """
    q, n = probability("step_success", step_success), whole("steps", steps)
    broadcast_shape(step_success=q, steps=n)
    return narrowed(floats("step_success", q) ** floats("steps", n))


def half_life(step_success: ArrayLike) -> Numbers:
    """The length of task that succeeds half the time: ln 2 / -ln(step_success).

    step_success : probability that a step succeeds; a number or an array.
    Returns steps, fractional, in the same shape: 0 where no step succeeds, infinity where all do.
    Raises NotANumber or OutOfRange.
    Source: article C, section 6 (n at 50 %); METR measures the like in human working time: see horizon.

    >>> round(half_life(0.9), 1), round(half_life(0.98829), 1)
    (6.6, 58.8)
    """
    q = floats("step_success", probability("step_success", step_success))
    with np.errstate(divide="ignore"):
        return narrowed(np.log(2) / np.abs(np.log(q)))


def half_life_floor(step_success: ArrayLike) -> Numbers:
    """The most whole steps that succeed at least half the time.

    step_success : probability that a step succeeds; a number or an array.
    Returns steps, whole, in the same shape; infinity where every step succeeds.
    Raises NotANumber or OutOfRange.
    Source: article C, section 6 (the floor of n at 50 %).

    >>> half_life_floor(0.9), half_life_floor(0.5)
    (6, 1)
    """
    return elementwise(_half_life_floor, probability("step_success", step_success))


def half_life_approximation(step_success: ArrayLike) -> Approximation:
    """The rule of thumb for the half-life of a good step: ln 2 / (1 - step_success), about 0.69 / (1 - q).

    step_success : probability that a step succeeds; a number or an array.
    Returns an Approximation: steps, and by what share of the exact half-life the rule is too large:
    about (1 - q) / 2 near 1, infinity at 0, where the exact half-life is 0.
    Raises NotANumber or OutOfRange.
    Source: article C, section 6 (-ln q is about 1 - q near 1).

    >>> [round(part, 3) for part in half_life_approximation(0.98829)]
    [59.193, 0.006]
    """
    q = floats("step_success", probability("step_success", step_success))
    fails = 1 - q
    with np.errstate(divide="ignore", invalid="ignore"):
        error = -np.log(q) / fails - 1
        # Near 1 the division loses its digits; the series -ln(1 - x) / x - 1 = x/2 + x²/3 + ... does not.
        series = fails * (1 / 2 + fails * (1 / 3 + fails * (1 / 4 + fails / 5)))
        return Approximation(narrowed(np.log(2) / fails), narrowed(np.where(fails < 1e-3, series, error)))


def _half_life_floor(q: float) -> float:
    if q in (0, 1):
        return math.inf if q else 0
    steps = math.floor(math.log(0.5) / math.log(q))
    # The logarithm can land a hair below a whole number that the power itself still reaches.
    return steps + 1 if q ** (steps + 1) >= 0.5 else steps


def _passes_in_time(step: CheckedStep) -> Floats:
    """1 - rejected^(retries + 1), with all its digits where nearly every attempt is rejected."""
    with np.errstate(divide="ignore", invalid="ignore"):
        passes = -np.expm1((step.retries + 1) * np.log1p(-step.passed))
    return np.where(step.passed > 0, passes, 0)


def _exhausted(step: CheckedStep) -> Floats:
    """rejected^(retries + 1), from whichever of `rejected` and `passed` has the more digits."""
    with np.errstate(divide="ignore", invalid="ignore"):
        from_passed = np.exp((step.retries + 1) * np.log1p(-step.passed))
    mostly_rejected = (0 < step.passed) & (step.passed < 0.5)
    return np.where(mostly_rejected, from_passed, step.rejected ** (step.retries + 1))
