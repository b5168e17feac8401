"""How a context grows, and what is read in total: the law behind every agent's bill.

The model remembers nothing between calls, so every call reads the whole history again. Where each
step adds the same number of tokens, the contexts climb like a staircase and the total is its area:

    context before call k   =  first_context + (k - 1) growth
    total_input             =  calls first_context  +  growth calls (calls - 1) / 2
                               (linear part)           (quadratic part)

One word for one thing: `calls` is N in articles A and B and K in C; `first_context` is C0, P and c1;
`growth` is Δ, g and d; `total_input` is Z in C. Article C's other d is a probability: see reliability.

Tokens are counts of at least 0, whole or, as averages, fractional. Numbers and arrays broadcast.
Whole numbers stay exact: int64 while they fit, Python ints beyond. Left out: prices (see budget),
chance (see spread), caching and whatever else makes the history shorter.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simlib.errors import (
    Numbers,
    OutOfRange,
    ShapeMismatch,
    axis_length,
    broadcast_shape,
    floats,
    real,
    whole,
)
from simlib.theory.exact import as_fraction, elementwise, finite, narrowed, widened


def contexts(calls: int, first_context: ArrayLike, growth: ArrayLike) -> NDArray[Any]:
    """Tokens in the context before each call: first_context + (k - 1) growth for k = 1 ... calls.

    calls : how many model calls, one whole number of at least 0.
    first_context, growth : tokens, and tokens per call; numbers or arrays that broadcast.
    Returns tokens, in the broadcast shape with one more axis of length `calls` at the end.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.
    Source: article A, step 4; B, "Why context explodes"; C, section 4.

    >>> contexts(4, 8_000, 2_200)
    array([ 8000, 10200, 12400, 14600])
    """
    first_context, growth = token_counts(first_context=first_context, growth=growth)
    steps = np.arange(axis_length("calls", calls))
    first, grown = (np.expand_dims(value, -1) for value in (first_context, growth))
    first, grown, steps = widened(lambda c, g, k: c + g * k, first, grown, steps)
    with np.errstate(over="ignore"):
        return np.asarray(finite("the last context", narrowed(first + grown * steps)))


def contexts_from(first_context: ArrayLike, additions: ArrayLike) -> NDArray[Any]:
    """Tokens in the context before each call of a run whose steps add different amounts.

    first_context : tokens; a number or an array. additions : tokens that each step adds, call and
    result together, along the last axis; the last call adds nothing that is read again.
    Returns tokens, in the shape of `additions` with its last axis one longer: one context a call.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: article C, section 4 (the formula above the theorem).

    >>> contexts_from(175, [34, 205, 146])
    array([175, 209, 414, 560])
    """
    (start,) = token_counts(first_context=first_context)
    added = _per_step(additions)
    steps = added.shape[-1]
    broadcast_shape(first_context=start, additions=np.zeros(np.shape(added)[:-1]))
    first, added = widened(lambda c, a: c + a * steps, np.expand_dims(start, -1), added)
    before = np.zeros((*added.shape[:-1], 1), dtype=added.dtype)
    return np.asarray(narrowed(first + np.concatenate([before, np.cumsum(added, axis=-1)], axis=-1)))


def total_input(calls: ArrayLike, first_context: ArrayLike, growth: ArrayLike) -> Numbers:
    """Tokens read over a whole run: calls first_context + growth calls (calls - 1) / 2.

    calls : model calls, whole numbers of at least 0. first_context : tokens. growth : tokens per call.
    All three are numbers or arrays that broadcast.
    Returns tokens, in the broadcast shape: 0 for no calls, first_context for one.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.
    Source: article C, section 4, theorem; article B, "Why context explodes"; article A, step 4.

    >>> total_input(8, 8_000, 2_200)
    125600
    """
    number = whole("calls", calls)
    first, grown = token_counts(first_context=first_context, growth=growth)
    broadcast_shape(calls=number, first_context=first, growth=grown)
    # Twice widened: calls² may outgrow 64 bits where the total (with a small growth) does not, and the other
    # way round. A pair is an addition and one of the calls that follow it and read it.
    (number,) = widened(lambda k: k * k, number)
    pairs = number * (number - 1) // 2
    parts = widened(_two_parts, number, first, pairs, grown)
    with np.errstate(over="ignore"):
        return finite("the total input", narrowed(_two_parts(*parts)))


def linear_part(calls: ArrayLike, first_context: ArrayLike) -> Numbers:
    """The part of the total that grows with the number of calls: calls first_context.

    calls : model calls, whole numbers of at least 0. first_context : tokens. Both broadcast.
    Returns tokens, in the broadcast shape: how often the unchanging beginning of every request is read.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.
    Source: article B, "Why context explodes".

    >>> linear_part(8, 8_000)
    64000
    """
    return total_input(calls, first_context, 0)


def quadratic_part(calls: ArrayLike, growth: ArrayLike) -> Numbers:
    """The part of the total that grows with the square of the calls: growth calls (calls - 1) / 2.

    calls : model calls, whole numbers of at least 0. growth : tokens per call. Both broadcast.
    Returns tokens, in the broadcast shape: 0 for one call, because nothing has been added yet.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.
    Source: article B, "Why context explodes".

    >>> quadratic_part(8, 2_200)
    61600
    """
    return total_input(calls, 0, growth)


def reread(tokens: ArrayLike, step: ArrayLike, calls: ArrayLike) -> Numbers:
    """How much reading an addition causes: its tokens times the calls that follow it.

    tokens : how many the step adds. step : which step, from 1. calls : model calls of the run,
    at least `step`. All three are numbers or arrays that broadcast.
    Returns tokens, in the broadcast shape: 0 for what the last call adds, since nobody reads it again.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.
    Source: article C, section 4 ("step j is read in all later calls").

    >>> reread(5_000, step=2, calls=18), reread(5_000, step=16, calls=18)
    (80000, 10000)
    """
    (added,) = token_counts(tokens=tokens)
    at, last = whole("step", step, low=1), whole("calls", calls)
    broadcast_shape(tokens=added, step=at, calls=last)
    at, last = widened(max, at, last)  # numpy subtracts no int64 from an int beyond it
    if np.any(at > last):
        raise OutOfRange("step", step, f"whole numbers from 1 to calls, here {calls!r}")
    return _times(added, last - at)


def reread_by_step(additions: ArrayLike) -> Numbers:
    """How much reading each step of a run causes, so that the dearest one can be found.

    additions : tokens that each step adds, along the last axis; one call follows the last of them.
    Returns tokens, in the same shape: with `calls` first contexts they add up to the run's total input.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: article C, section 4 ("a long tool result is paid for many times").

    >>> reread_by_step([34, 205, 146])
    array([102, 410, 146])
    """
    added = _per_step(additions)
    return _times(added, np.arange(added.shape[-1], 0, -1))


def overtakes(first_context: ArrayLike, growth: ArrayLike) -> Numbers:
    """The first number of calls at which the quadratic part is the larger one.

    first_context : tokens. growth : tokens per call. Both are numbers or arrays that broadcast.
    Returns calls, at least 2, in the broadcast shape; infinity without growth.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: growth (calls - 1) / 2 > first_context, from the two parts above.

    >>> overtakes(8_000, 2_200)
    9
    """
    return elementwise(_overtakes, *token_counts(first_context=first_context, growth=growth))


def doubling_ratio(calls: ArrayLike, first_context: ArrayLike, growth: ArrayLike) -> Numbers:
    """How many times more is read when a run takes twice as many calls.

    calls : model calls before doubling, whole numbers of at least 1.
    first_context : tokens, more than 0. growth : tokens per call. All three broadcast.
    Returns a ratio, in the broadcast shape: 2 without growth, towards 4 as the quadratic part takes over.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.
    Source: article A, step 4 ("once results dominate, input roughly quadruples").

    >>> round(doubling_ratio(8, 8_000, 2_200), 2)
    3.12
    """
    number = whole("calls", calls, low=1)
    first = real("first_context", first_context, above=0, noun="tokens")
    (number,) = widened(lambda k: 2 * k, number)
    twice, once = total_input(2 * number, first, growth), total_input(number, first, growth)
    return narrowed(floats("the ratio", twice / once))


def token_counts(**counts: ArrayLike) -> list[Numbers]:
    """Check for counts of tokens: finite, of at least 0, whole or fractional, that broadcast together.

    counts : numbers or arrays of tokens, under their argument names.
    Returns the checked values in the same order, their shapes unchanged.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: a context is never shorter than nothing.

    >>> token_counts(first_context=8_000, growth=2_200)
    [8000, 2200]
    """
    checked = {name: real(name, value, low=0, noun="tokens") for name, value in counts.items()}
    broadcast_shape(**checked)
    return list(checked.values())


def _two_parts(calls: Any, first_context: Any, pairs: Any, growth: Any) -> Any:
    return calls * first_context + pairs * growth


def _overtakes(first_context: float, growth: float) -> float:
    if not growth:
        return math.inf
    # growth (calls - 1) / 2 > first_context, so calls is the first whole number above 1 + 2 first / growth.
    return 2 * as_fraction(first_context) // as_fraction(growth) + 2


def _per_step(additions: ArrayLike) -> NDArray[Any]:
    """Checked additions, whose last axis is the steps."""
    (added,) = token_counts(additions=additions)
    if not isinstance(added, np.ndarray):
        raise ShapeMismatch("additions", (), "an array whose last axis is the steps")
    return added


def _times(tokens: Numbers, times: Numbers) -> Numbers:
    tokens, times = widened(lambda a, b: a * b, tokens, times)
    return narrowed(tokens * times)
