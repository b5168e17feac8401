"""The growth law fitted to a recorded run: which staircase comes nearest to its contexts?

The contexts of a run do not scatter independently around a line: each carries all additions before it,
large or small. So the errors here are not the textbook's, which would be many times too small.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simlib.errors import Numbers, ShapeMismatch, floats, real
from simlib.theory.exact import narrowed


class GrowthFit(NamedTuple):
    """A line through the contexts of a run, in tokens.

    `first_context` and `growth` are the estimates, each followed by its standard error;
    `residual` is the standard deviation of the contexts around the line.
    """

    first_context: Numbers
    first_context_error: Numbers
    growth: Numbers
    growth_error: Numbers
    residual: Numbers


def fit_growth(contexts: ArrayLike) -> GrowthFit:
    """First context and growth by least squares, with their errors.

    The errors are those of a run whose additions are drawn independently from one distribution, whatever it
    is. (For such a run the mean addition, last minus first context over the steps, would be a little sharper:
    in long runs the variance of the line's growth is 6/5 of its. For any other run the line is the better
    picture.)
    The line always gives back the recorded total, so that a total that agrees proves nothing: look at the
    residual.

    contexts : tokens before each call along the last axis, at least 3 calls; further axes are runs.
    Returns a GrowthFit of tokens (growth: tokens per call), each in the shape of the further axes;
    errors and residual are 0, up to rounding, for a run that grows by the same amount at every step.
    Raises NotANumber, OutOfRange, ShapeMismatch or TooLarge.
    Source: least squares of the contexts on 0, 1, 2, ...; the variance of its weighted sums of additions.

    >>> fit_growth([8_000, 10_200, 12_400, 14_600])
    GrowthFit(first_context=8000.0, first_context_error=0.0, growth=2200.0, growth_error=0.0, residual=0.0)
    """
    recorded = floats("contexts", real("contexts", contexts, low=0, high=1e150, noun="tokens"))
    if recorded.ndim == 0 or recorded.shape[-1] < 3:
        raise ShapeMismatch("contexts", recorded.shape, "a last axis of at least 3 calls")
    steps = np.arange(recorded.shape[-1], dtype=np.float64)
    centred = steps - steps.mean()
    growth = recorded @ centred / (centred @ centred)
    first = recorded.mean(axis=-1) - growth * steps.mean()
    misses = recorded - first[..., np.newaxis] - growth[..., np.newaxis] * steps
    residual = np.sqrt((misses**2).sum(axis=-1) / (steps.size - 2))
    spread = np.diff(recorded, axis=-1).std(axis=-1, ddof=1)
    for_growth = centred / (centred @ centred)
    for_first = 1 / steps.size - steps.mean() * for_growth
    estimates = first, spread * _scatter(for_first), growth, spread * _scatter(for_growth), residual
    return GrowthFit(*map(narrowed, estimates))


def _scatter(weights: NDArray[np.float64]) -> float:
    """How much a weighted sum of contexts scatters for a unit of scatter in the additions."""
    on_additions = np.cumsum(weights[::-1])[:-1]  # an addition moves every context after it
    return float(np.sqrt((on_additions**2).sum()))
