"""How sure are we? Intervals and standard errors for rates measured on a few questions.

Runs of the same question are not independent: what repeats together must be counted together. So
there are two intervals here, one over runs (Wilson) and one over whole questions (bootstrap), and the
standard error of a mean is that of the mean of question means.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simlib.errors import (
    NotANumber,
    Numbers,
    OutOfRange,
    ShapeMismatch,
    axis_length,
    broadcast_shape,
    floats,
    generator,
    probability,
    real,
    single,
    whole,
)
from simlib.theory.exact import narrowed

Floats = NDArray[np.float64]

QUESTIONS_AT_A_TIME = 1_000_000  # drawn questions that the bootstrap holds in memory at once


class Interval(NamedTuple):
    """Lower and upper end of a confidence interval."""

    low: Numbers
    high: Numbers


def wilson(successes: ArrayLike, runs: ArrayLike, level: float = 0.95) -> Interval:
    """Wilson's interval for a success rate, which stays within 0 and 1 and says something about 5 of 5.

    successes : whole numbers from 0 to `runs`. runs : whole numbers of at least 1. Both broadcast.
    level : of confidence, between 0 and 1.
    Returns an Interval of rates, each end in the broadcast shape; `low` is exactly 0 without successes,
    `high` exactly 1 without failures.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.
    Source: E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209; article A, step 4.

    >>> [round(end, 3) for end in wilson(143, 150)]
    [0.907, 0.977]
    """
    right, run = _successes(successes, runs)
    z = _z(level)
    rate = right / run
    centre = rate + z**2 / (2 * run)
    half_width = z * np.sqrt(rate * (1 - rate) / run + (z / (2 * run)) ** 2)
    scale = 1 + z**2 / run
    low = np.where(rate == 0, 0, (centre - half_width) / scale)
    high = np.where(rate == 1, 1, (centre + half_width) / scale)
    return Interval(narrowed(low), narrowed(high))


def question_bootstrap(
    successes: ArrayLike,
    runs: ArrayLike,
    *,
    rng: np.random.Generator,
    resamples: int = 20_000,
    level: float = 0.95,
) -> Interval:
    """Interval for a success rate by resampling whole questions, so that repeated runs stay together.

    successes : right runs of each question, one axis. runs : how often each was run; one number or one
    for each question. rng : the random generator. resamples : sets of questions drawn, at least 1.
    level : of confidence, between 0 and 1.
    Returns an Interval of rates: the percentiles of right runs over all runs in the resampled sets. It
    has no width if all questions went equally well.
    Raises NotANumber, NotWhole, OutOfRange, ShapeMismatch or NotAGenerator.
    Source: B. Efron, Ann. Stat. 7 (1979) 1; article A, step 4 ("resampling whole questions").

    >>> interval = question_bootstrap([5] * 28 + [3, 0], 5, rng=np.random.default_rng(7))
    >>> [round(end, 2) for end in interval]
    [0.87, 1.0]
    """
    right, run = (np.atleast_1d(counts) for counts in _successes(successes, runs))
    right, run = np.broadcast_arrays(right, run)
    if right.ndim != 1 or not right.size:
        raise ShapeMismatch("successes", right.shape, "one axis, the questions, at least 1 of them")
    confidence = _level(level)
    total = axis_length("resamples", resamples, low=1)
    questions = right.size
    generator("rng", rng)
    equally_likely = np.full(questions, 1 / questions)
    at_once = max(1, QUESTIONS_AT_A_TIME // questions)
    rates = []
    for start in range(0, total, at_once):
        times = rng.multinomial(questions, equally_likely, size=min(at_once, total - start))
        rates.append((times @ right) / (times @ run))
    low, high = np.quantile(np.concatenate(rates), [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(low), float(high))


def question_mean_error(values: Sequence[ArrayLike] | NDArray[np.float64]) -> float:
    """Standard error of a mean of question means; the scatter between runs enters only through the means.

    values : for each question the results of its runs, in any unit; questions may have different
    numbers of runs. At least 2 questions, each with at least 1 run.
    Returns the unit of `values`: 0 if all questions have the same mean.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: standard error of a cluster mean. The same holds for any runs that were drawn together.

    >>> question_mean_error([[1, 0], [1, 0], [0, 1], [1, 0]])
    0.0
    """
    if not isinstance(values, (Sequence, np.ndarray)) or isinstance(values, str):
        raise NotANumber("values", values, "a sequence of questions, each with the results of its runs")
    means = []
    for number, results in enumerate(values):
        checked = np.atleast_1d(floats(f"values[{number}]", real(f"values[{number}]", results)))
        if not checked.size:
            raise ShapeMismatch(f"values[{number}]", checked.shape, "at least 1 run of each question")
        means.append(checked.mean())
    if len(means) < 2:
        raise ShapeMismatch("values", (len(means),), "at least 2 questions")
    return float(np.std(means, ddof=1) / math.sqrt(len(means)))


def pass_at_k(successes: ArrayLike, runs: ArrayLike, k: ArrayLike) -> Numbers:
    """Unbiased estimate of the probability that at least one of k runs succeeds.

    successes : whole numbers from 0 to `runs`. runs : whole numbers of at least 1.
    k : whole numbers from 1 to `runs`. All three broadcast.
    Returns a probability, in the broadcast shape: 1 as soon as fewer than k runs failed.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.
    Source: 1 - C(runs - successes, k) / C(runs, k); Chen et al., arXiv 2107.03374 (2021), eq. 1.

    >>> round(pass_at_k(2, 4, 2), 4)
    0.8333
    """
    right, run, drawn = _draws(successes, runs, k)
    return narrowed(np.abs(np.expm1(_log_none_of(right, run, drawn))))


def pass_all_k(successes: ArrayLike, runs: ArrayLike, k: ArrayLike) -> Numbers:
    """Unbiased estimate of the probability that all of k runs succeed: how dependable, not how able.

    successes : whole numbers from 0 to `runs`. runs : whole numbers of at least 1.
    k : whole numbers from 1 to `runs`. All three broadcast.
    Returns a probability, in the broadcast shape: 0 as soon as fewer than k runs succeeded.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.
    Source: C(successes, k) / C(runs, k); Yao et al., tau-bench, arXiv 2406.12045 (2024).

    >>> round(pass_all_k(2, 4, 2), 4)
    0.1667
    """
    right, run, drawn = _draws(successes, runs, k)
    return narrowed(np.exp(_log_none_of(run - right, run, drawn)))


def tasks_needed(success: ArrayLike, precision: ArrayLike, level: float = 0.95) -> Numbers:
    """How many simulated tasks bring an estimated success rate within a wanted precision.

    success : the rate expected, a probability; 0.5 is the worst case. precision : half the width of
    the interval wanted, from 10^-7 to 1. Both broadcast. level : of confidence, between 0 and 1.
    Returns tasks, whole, at least 1, in the broadcast shape: 1 where the rate is certain to be 0 or 1.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: z² success (1 - success) / precision², from the standard error of a rate.

    >>> tasks_needed(0.79, 0.01)
    6373
    """
    rate = floats("success", probability("success", success))
    half_width = floats("precision", real("precision", precision, low=1e-7, high=1))
    broadcast_shape(success=rate, precision=half_width)
    needed = np.ceil(_z(level) ** 2 * rate * (1 - rate) / half_width**2)
    return narrowed(np.maximum(needed, 1).astype(np.int64))


def _draws(successes: ArrayLike, runs: ArrayLike, k: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Checked counts for drawing k of the runs without putting any back."""
    right, run = _successes(successes, runs)
    drawn = whole("k", k, low=1)
    broadcast_shape(successes=right, runs=run, k=drawn)
    if np.any(np.asarray(drawn) > run):
        raise OutOfRange("k", k, f"whole numbers from 1 to runs, here {runs!r}")
    return right, run, floats("k", drawn)


def _log_none_of(kind: Floats, runs: Floats, drawn: Floats) -> Floats:
    """Logarithm of the chance that none of some kind of runs is among those drawn.

    It is a product of 1 - drawn / (runs - i) over the runs of the kind, or of 1 - kind / (runs - i) over
    those drawn: the same number, so that the shorter product will do.
    """
    fewer, more = np.minimum(kind, drawn), np.maximum(kind, drawn)
    log_none = np.zeros(np.broadcast_shapes(fewer.shape, runs.shape))
    with np.errstate(divide="ignore"):
        for i in range(int(fewer.max(initial=0))):
            share = np.minimum(more / np.maximum(runs - i, 1), 1)
            log_none = np.where(i < fewer, log_none + np.log1p(-share), log_none)
            if log_none.max() < -745:  # no float is smaller than its exponential
                break
    return log_none


def _successes(successes: ArrayLike, runs: ArrayLike) -> tuple[Floats, Floats]:
    right, run = whole("successes", successes), whole("runs", runs, low=1)
    broadcast_shape(successes=right, runs=run)
    if np.any(np.asarray(right) > run):
        raise OutOfRange("successes", successes, f"whole numbers from 0 to runs, here {runs!r}")
    return floats("successes", right), floats("runs", run)


def _level(level: float) -> float:
    return float(single("level", real("level", level, above=0, below=1, noun="levels")))


def _z(level: float) -> float:
    """How many standard errors reach from the middle to the end of an interval of that level."""
    return -NormalDist().inv_cdf((1 - _level(level)) / 2)  # the lower tail keeps its digits near level 1
