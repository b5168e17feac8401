"""How long a task can be: survival over time, and how fast the horizon of real agents has grown.

`survival` is the Weibull curve. With shape 1 its hazard is constant, and it is `task_success` with
the half-life as its unit; below 1 the hazard falls: the longer a task has survived, the safer it is.
`horizon` extrapolates METR's measurements, in which the length of a task is the time a human needs.
They are dated facts about other people's agents, not consequences of any law here; METR itself calls
its measurements above 16 hours unreliable (2026).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simlib.errors import Numbers, broadcast_shape, floats, real
from simlib.theory.exact import finite, narrowed

DAYS_PER_YEAR = 365.25


class DoublingTime(NamedTuple):
    """In how many days the horizon doubled, over which period, and who published it when.

    `published` is the day or month, as 2026-01-29 or 2026-02. `interval` is the published 95 % confidence
    interval in days, None where none was given.
    """

    days: float
    period: str
    published: str
    source: str
    interval: tuple[float, float] | None = None


class MeasuredHorizon(NamedTuple):
    """A model's horizon in minutes of human work, at the given share of tasks that succeed."""

    model: str
    minutes: float
    success: float
    published: str
    source: str


_FIRST = "METR, Measuring AI Ability to Complete Long Tasks (arXiv 2503.14499)"
_SECOND = "METR, Time Horizon 1.1 (metr.org/blog/2026-1-29-time-horizon-1-1)"

DOUBLING_TIMES = (
    DoublingTime(212, "2019 to 2025", "2025-03", _FIRST, (171, 249)),
    DoublingTime(196, "2019 to 2025", "2026-01-29", _SECOND),
    DoublingTime(165, "since 2023, by version 1.0", "2026-01-29", _SECOND),
    DoublingTime(131, "since 2023", "2026-01-29", _SECOND),
    DoublingTime(109, "since 2024, by version 1.0", "2026-01-29", _SECOND),
    DoublingTime(89, "since 2024", "2026-01-29", _SECOND),
)

MEASURED_HORIZONS = (
    MeasuredHorizon("Claude 3.7 Sonnet", 59, 0.5, "2025-03", _FIRST),
    MeasuredHorizon("Claude 3.7 Sonnet", 15, 0.8, "2025-03", _FIRST),
    MeasuredHorizon("o3", 121, 0.5, "2026-01-29", _SECOND),
    MeasuredHorizon("GPT-5", 214, 0.5, "2026-01-29", _SECOND),
    MeasuredHorizon("Claude Opus 4.5", 320, 0.5, "2026-01-29", _SECOND),
    MeasuredHorizon("Claude Opus 4.6", 14.5 * 60, 0.5, "2026-02", "METR, February 2026"),
)


def survival(length: ArrayLike, half_life: ArrayLike, shape: ArrayLike = 1) -> Numbers:
    """Probability that a task of some length succeeds: 2^-((length / half_life)^shape).

    length : of the task, in steps, minutes or any unit. half_life : the length that succeeds half the
    time, in the same unit, more than 0. shape : of the Weibull curve, more than 0. All three broadcast.
    Returns a probability, in the broadcast shape: 1 for no length, 1/2 at the half-life whatever the shape.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: T. Ord, Is there a half-life for the success rates of AI agents? (2025); shape 1 is
    article C's qⁿ, and about 0.6 was later found to fit METR's data better.

    >>> survival(20, half_life=10), round(survival(20, half_life=10, shape=0.6), 3)
    (0.25, 0.35)
    """
    length = real("length", length, low=0)
    half_life, shape = real("half_life", half_life, above=0), real("shape", shape, above=0)
    broadcast_shape(length=length, half_life=half_life, shape=shape)
    half_lives = floats("length", length) / floats("half_life", half_life)
    with np.errstate(over="ignore"):  # where the power overflows, the probability is 0
        return narrowed(np.exp2(-(half_lives ** floats("shape", shape))))


def length_at(success: ArrayLike, half_life: ArrayLike, shape: ArrayLike = 1) -> Numbers:
    """The length of task that succeeds with a wanted probability: the inverse of `survival`.

    success : wanted probability, above 0. half_life : in any unit, more than 0. shape : of the Weibull
    curve, more than 0. All three broadcast.
    Returns a length in the unit of `half_life`, in the broadcast shape: 0 where certainty is wanted.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: T. Ord (2025): with shape 1, 80 % is reached at about a third of the half-life.

    >>> round(length_at(0.8, half_life=59), 1)
    19.0
    """
    success = real("success", success, above=0, high=1, noun="probabilities")
    half_life, shape = real("half_life", half_life, above=0), real("shape", shape, above=0)
    broadcast_shape(success=success, half_life=half_life, shape=shape)
    with np.errstate(over="ignore"):
        half_lives = np.abs(np.log2(floats("success", success))) ** (1 / floats("shape", shape))
        return finite("the length", narrowed(floats("half_life", half_life) * half_lives))


def horizon(days: ArrayLike, start: ArrayLike, doubling_days: ArrayLike) -> Numbers:
    """The horizon after some days of steady doubling: start 2^(days / doubling_days).

    days : since the start; negative ones look back. start : horizon then, in minutes or any unit of
    time, more than 0. doubling_days : days in which it doubles, more than 0. All three broadcast.
    Returns the unit of `start`, in the broadcast shape.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: METR (2025, 2026), see DOUBLING_TIMES; an extrapolation, not a forecast.

    >>> horizon(212, start=59, doubling_days=212)
    118.0
    """
    days = real("days", days)
    start, doubling_days = (
        real("start", start, above=0),
        real("doubling_days", doubling_days, above=0),
    )
    broadcast_shape(days=days, start=start, doubling_days=doubling_days)
    doublings = floats("days", days) / floats("doubling_days", doubling_days)
    with np.errstate(over="ignore"):
        return finite("the horizon", narrowed(floats("start", start) * np.exp2(doublings)))


def yearly_factor(doubling_days: ArrayLike) -> Numbers:
    """How many times longer the horizon gets in a year: 2^(365.25 / doubling_days).

    doubling_days : days in which it doubles, more than 0; a number or an array.
    Returns a ratio, in the same shape.
    Raises NotANumber or OutOfRange.
    Source: METR (2025, 2026), see DOUBLING_TIMES.

    >>> [round(yearly_factor(published.days), 1) for published in DOUBLING_TIMES]
    [3.3, 3.6, 4.6, 6.9, 10.2, 17.2]
    """
    return horizon(DAYS_PER_YEAR, 1, doubling_days)
