"""The growth law fitted to a recorded run: which staircase comes nearest to its contexts?"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simlib.errors import Numbers, ShapeMismatch, real
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

    The fitted line always gives back the recorded total, whatever the shape of the run, so that a
    total that agrees proves nothing: look at the residual.

    contexts : tokens before each call along the last axis, at least 3 calls; further axes are runs.
    Returns a GrowthFit of tokens (growth: tokens per call), each in the shape of the further axes;
    the errors are 0 for a run that grows by the same amount at every step.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: ordinary least squares of the contexts on 0, 1, 2, ...

    >>> fit_growth([8_000, 10_200, 12_400, 14_600])
    GrowthFit(first_context=8000.0, first_context_error=0.0, growth=2200.0, growth_error=0.0, residual=0.0)
    """
    recorded = np.asarray(real("contexts", contexts, low=0, noun="tokens"), dtype=np.float64)
    if recorded.ndim == 0 or recorded.shape[-1] < 3:
        raise ShapeMismatch("contexts", recorded.shape, "a last axis of at least 3 calls")
    steps = np.arange(recorded.shape[-1], dtype=np.float64)
    centred = steps - steps.mean()
    width = (centred**2).sum()
    growth = (recorded * centred).sum(axis=-1) / width
    first = recorded.mean(axis=-1) - growth * steps.mean()
    misses = recorded - first[..., np.newaxis] - growth[..., np.newaxis] * steps
    residual = np.sqrt((misses**2).sum(axis=-1) / (steps.size - 2))
    first_error = residual * np.sqrt(1 / steps.size + steps.mean() ** 2 / width)
    estimates = first, first_error, growth, residual / np.sqrt(width), residual
    return GrowthFit(*map(narrowed, estimates))
