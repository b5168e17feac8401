"""What believing one distribution costs where another one is true, in bits."""

import numpy as np
from numpy.typing import ArrayLike

from simlib.errors import Numbers, OutOfRange, ShapeMismatch, probability
from simlib.theory.exact import narrowed


def kl_divergence(true: ArrayLike, believed: ArrayLike) -> Numbers:
    """The mean of log2(true / believed) over the true distribution: how many bits a message costs more than
    it has to.

    true, believed : probabilities along the last axis, which add up to 1; other axes broadcast.
    Returns bits, in the broadcast shape without the last axis: 0 where both are the same, infinity where
    something happens that was believed to be impossible. Not the same with the two swapped, so it is no
    distance.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: article C, section 3; Kullback and Leibler, 1951.

    >>> round(kl_divergence([0.7, 0.3], [0.5, 0.5]), 3), round(kl_divergence([0.5, 0.5], [0.7, 0.3]), 3)
    (0.119, 0.126)
    """
    p, q = (
        np.asarray(probability(name, value)) for name, value in {"true": true, "believed": believed}.items()
    )
    for name, shares in {"true": p, "believed": q}.items():
        if not shares.ndim:
            raise ShapeMismatch(name, shares.shape, "an array whose last axis is a distribution")
        if not np.allclose(shares.sum(axis=-1), 1, rtol=0, atol=1e-9):
            raise OutOfRange(name, shares.tolist(), "probabilities that add up to 1")
    if p.shape[-1] != q.shape[-1]:
        raise ShapeMismatch("true and believed", (p.shape, q.shape), "distributions over as many things")
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = np.where(p > 0, p * np.log2(p / q), 0.0)
    return narrowed(bits.sum(axis=-1))
