"""Totals when the additions are random: the same law on average, with a band around it.

An addition here is a gamma variable with a given mean and standard deviation: never negative, and
with the long tail of tool results, in which a few are large. Independent additions are assumed; the
expected total needs nothing else, its deviation needs the independence, the band needs the gamma.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simlib.errors import (
    LONGEST_AXIS,
    Numbers,
    OutOfRange,
    TooLarge,
    axis_length,
    broadcast_shape,
    floats,
    generator,
    real,
    single,
    whole,
)
from simlib.theory.exact import narrowed
from simlib.theory.growth import contexts_from, token_counts, total_input


class TotalSpread(NamedTuple):
    """Mean and standard deviation of a run's total input, in tokens."""

    mean: Numbers
    deviation: Numbers


class Band(NamedTuple):
    """Simulated totals after 1, 2, ... calls, in tokens: one array element a call.

    `mean` is the average over the runs and `standard_error` its own uncertainty;
    between `low` and `high` lies the wanted share of the runs.
    """

    low: NDArray[np.float64]
    mean: NDArray[np.float64]
    high: NDArray[np.float64]
    standard_error: NDArray[np.float64]


def total_spread(
    calls: ArrayLike, first_context: ArrayLike, growth: ArrayLike, spread: ArrayLike
) -> TotalSpread:
    """Mean and standard deviation of the total when each addition varies independently.

    An early addition is read more often than a late one, so the deviation grows faster than the
    square root of the calls: spread sqrt(1² + 2² + ... + (calls - 1)²).

    calls : model calls, whole numbers of at least 0. first_context : tokens.
    growth : mean tokens per call. spread : standard deviation of an addition, tokens. All broadcast.
    Returns tokens, each in the broadcast shape; the deviation is 0 up to one call.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.
    Source: variance of the sum of additions, each weighted by the calls that follow it.

    >>> total_spread(8, 8_000, 2_200, spread=1_000)
    TotalSpread(mean=125600, deviation=11832.159566199232)
    """
    number = whole("calls", calls)
    first, grown, deviation = token_counts(first_context=first_context, growth=growth, spread=spread)
    shape = broadcast_shape(calls=number, first_context=first, growth=grown, spread=deviation)
    mean = total_input(number, first, grown)
    n = floats("calls", number)
    squares = (n - 1) * n * (2 * n - 1) / 6
    both = mean, floats("spread", deviation) * np.sqrt(squares)
    return TotalSpread(*(narrowed(np.array(np.broadcast_to(part, shape))) for part in both))


def draw_additions(
    steps: int, growth: float, spread: float, *, runs: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Random additions for many runs.

    steps : additions of a run, and runs : how many runs; whole numbers of at least 0.
    growth : mean tokens per call. spread : standard deviation of an addition, tokens.
    rng : the random generator to draw from.
    Returns tokens, shape (runs, steps); all equal to `growth` where `spread` is 0.
    Raises NotANumber, NotWhole, OutOfRange (a spread around a mean of 0), TooLarge or NotAGenerator.
    Source: gamma distribution with shape (growth / spread)² and scale spread² / growth.

    >>> draw_additions(3, 2_200, 0, runs=1, rng=np.random.default_rng(7))
    array([[2200., 2200., 2200.]])
    """
    size = axis_length("runs", runs), axis_length("steps", steps)
    if size[0] * size[1] > LONGEST_AXIS:
        raise TooLarge("runs times steps", size[0] * size[1], f"at most {LONGEST_AXIS}")
    growth = single("growth", real("growth", growth, low=0, noun="tokens"))
    spread = single("spread", real("spread", spread, low=0, noun="tokens"))
    generator("rng", rng)
    if spread < growth * 1e-17 or spread == 0:  # too little to move a float
        return np.full(size, float(growth))
    if growth < spread * 1e-100:
        raise OutOfRange("spread", spread, "tokens of the order of growth, and 0 where that is 0")
    return rng.gamma((growth / spread) ** 2, spread**2 / growth, size=size)


def total_band(
    calls: int,
    first_context: float,
    growth: float,
    spread: float,
    *,
    runs: int,
    rng: np.random.Generator,
    share: float = 0.95,
) -> Band:
    """Simulated totals after each call, with the band in which a share of the runs lies.

    calls : model calls, at least 1. first_context : tokens. growth : mean tokens per call.
    spread : standard deviation of an addition, tokens. runs : simulated runs, at least 2.
    rng : the random generator. share : of the runs between `low` and `high`, between 0 and 1.
    Returns a Band of tokens, each array of shape (calls,); after one call nothing has varied yet.
    Raises NotANumber, NotWhole, OutOfRange, ShapeMismatch, TooLarge or NotAGenerator.
    Source: article B, "Why context explodes" ("the average g is a simplification").

    >>> band = total_band(8, 8_000, 2_200, 1_000, runs=1_000, rng=np.random.default_rng(7))
    >>> bool(band.low[7] < 125_600 < band.high[7])
    True
    """
    calls, runs = axis_length("calls", calls, low=1), axis_length("runs", runs, low=2)
    first_context = single("first_context", real("first_context", first_context, low=0, noun="tokens"))
    share = single("share", real("share", share, low=0, high=1, noun="shares"))
    additions = draw_additions(calls - 1, growth, spread, runs=runs, rng=rng)
    totals = np.cumsum(contexts_from(first_context, additions), axis=-1)
    low, high = np.quantile(totals, [(1 - share) / 2, (1 + share) / 2], axis=0)
    return Band(low, totals.mean(axis=0), high, totals.std(axis=0, ddof=1) / math.sqrt(runs))
