"""When a cache pays: how often something must be used, how long a pause may be, from which call on.

`write` and `read` are what a stored and a read token cost as multiples of a fresh one: 1.25 (or 2 for an
hour) and 0.1 as the articles have them, and Price.multiple gives them for any model. Numbers and arrays
broadcast.
"""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from simlib.errors import Numbers, broadcast_shape, real, whole
from simlib.theory.exact import as_fraction, elementwise, narrowed
from simlib.theory.growth import token_counts, total_input


def break_even_uses(write: ArrayLike = 1.25, read: ArrayLike = 0.1) -> Numbers:
    """The least number of uses, the first one included, for which storing a prompt is cheaper than not.

    write, read : multiples of the fresh price, at least 0.
    Returns uses, in the broadcast shape: 1 if storing costs no more than reading fresh, infinity if reading
    from the cache is no cheaper.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: write + (uses - 1) read < uses.

    >>> break_even_uses(), break_even_uses(write=2)
    (2, 3)
    """
    return elementwise(_break_even, *_multiples(write, read))


def longest_pause_worth_bridging(
    lifetime_seconds: ArrayLike = 300, write: ArrayLike = 1.25, read: ArrayLike = 0.1
) -> Numbers:
    """The longest pause through which it is cheaper to read the prompt now and then than to store it anew.

    lifetime_seconds : of an entry. write, read : multiples of the fresh price, at least 0.
    Returns seconds, in the broadcast shape: never less than the lifetime, which costs nothing to wait;
    infinity if reading is free.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: n reads in between cost n read, and a miss costs write - read; a read keeps the entry for a
    lifetime.

    >>> longest_pause_worth_bridging()
    3600.0
    """
    seconds = real("lifetime_seconds", lifetime_seconds, above=0, noun="seconds")
    broadcast_shape(lifetime_seconds=seconds, write=np.asarray(write), read=np.asarray(read))
    return narrowed(seconds * (1.0 + elementwise(_reads_worth_it, *_multiples(write, read))))


def cost_of_pause(
    context: ArrayLike,
    pause: ArrayLike,
    lifetime_seconds: ArrayLike = 300,
    write: ArrayLike = 1.25,
    read: ArrayLike = 0.1,
) -> Numbers:
    """What a pause costs, as when a person takes time to approve: nothing, or the context stored once more.

    context : tokens stored. pause, lifetime_seconds : seconds, from the start of one request to the start of
    the next.
    write, read : multiples of the fresh price, at least 0.
    Returns the fresh tokens that would cost the same, in the broadcast shape: 0 up to the lifetime, itself
    included.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: rules of billing.cache.anthropic.

    >>> cost_of_pause(20_000, pause=300), cost_of_pause(20_000, pause=301)
    (0.0, 23000.0)
    """
    (tokens,) = token_counts(context=context)
    waited = real("pause", pause, low=0, noun="seconds")
    seconds = real("lifetime_seconds", lifetime_seconds, above=0, noun="seconds")
    stored, kept = _multiples(write, read)
    broadcast_shape(context=tokens, pause=waited, lifetime_seconds=seconds, write=stored, read=kept)
    return narrowed(np.where(waited > seconds, tokens * (stored - kept), 0.0))


def caching_factor(
    calls: ArrayLike,
    first_context: ArrayLike,
    growth: ArrayLike,
    write: ArrayLike = 1.25,
    read: ArrayLike = 0.1,
) -> Numbers:
    """How many times cheaper the input of a run is with a moving marker.

    calls : model calls, whole numbers of at least 1. first_context : tokens, more than 0. growth : tokens per
    call.
    write, read : multiples of the fresh price, more than 0.
    Returns a ratio, in the broadcast shape: 1 / write for one call, which is a loss, and towards 1 / read as
    the calls go on, which no run reaches.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.
    Source: total_input over write c_K + read (c_1 + ... + c_(K-1)), c_k the context before call k.

    >>> round(caching_factor(8, 8_000, 2_200), 2), round(caching_factor(10_000, 8_000, 2_200), 2)
    (3.18, 9.98)
    """
    number = whole("calls", calls, low=1)
    first = real("first_context", first_context, above=0, noun="tokens")
    stored, kept = (real(n, v, above=0, noun="multiples") for n, v in {"write": write, "read": read}.items())
    total, before = total_input(number, first, growth), total_input(number - 1, first, growth)
    broadcast_shape(total=total, write=stored, read=kept)
    return narrowed(total / (stored * (total - before) + kept * before))


def pays_from_call(
    first_context: ArrayLike,
    growth: ArrayLike,
    write: ArrayLike = 1.25,
    read: ArrayLike = 0.1,
    minimum: ArrayLike = 0,
) -> Numbers:
    """The first call at which a run with a moving marker has cost less than the same run without a cache.

    first_context : tokens. growth : tokens per call. write, read : multiples of the fresh price, at least 0,
    and at most 1 for a read. minimum : the shortest context that is stored, in tokens.
    Returns the number of the call, in the broadcast shape; infinity if it never does.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: the quadratic no_cache - moving_marker, solved in whole numbers.

    >>> pays_from_call(8_000, 2_200), pays_from_call(8_000, 2_200, write=2)
    (2, 3)
    """
    first, grown, least = token_counts(first_context=first_context, growth=growth, minimum=minimum)
    stored, kept = _multiples(write, read)
    kept = real("read", kept, low=0, high=1, noun="multiples")
    broadcast_shape(first_context=first, growth=grown, write=stored, read=kept, minimum=least)
    return elementwise(_pays_from, first, grown, stored, kept, least)


def output_that_explains(
    factor: ArrayLike, uncached: ArrayLike, cached: ArrayLike, output: ArrayLike
) -> Numbers:
    """The tokens of output in a run that caching made `factor` times cheaper, though its input fell by more.

    factor : the run's dollars without a cache over those with one, more than 1. uncached, cached : its input
    without and with one, as fresh tokens that would cost the same. output : a token of it as a multiple of a
    fresh one, more than 0.
    Returns tokens, in the broadcast shape; negative if the input alone fell by less than the factor.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: (uncached + output x) / (cached + output x) = factor, solved for x.

    >>> round(output_that_explains(3.1, 47_150, 10_841, output=5))
    1290
    """
    ratio = real("factor", factor, above=1)
    before, after = token_counts(uncached=uncached, cached=cached)
    times = real("output", output, above=0, noun="multiples")
    broadcast_shape(factor=ratio, uncached=before, cached=after, output=times)
    return narrowed((before - ratio * after) / (times * (ratio - 1)))


def _multiples(write: ArrayLike, read: ArrayLike) -> list[Numbers]:
    checked = [
        real(name, value, low=0, noun="multiples") for name, value in {"write": write, "read": read}.items()
    ]
    broadcast_shape(write=checked[0], read=checked[1])
    return checked


def _break_even(write: float, read: float) -> float:
    w, r = as_fraction(write), as_fraction(read)
    if w <= 1:
        return 1
    return (w - r) // (1 - r) + 1 if r < 1 else math.inf


def _reads_worth_it(write: float, read: float) -> float:
    w, r = as_fraction(write), as_fraction(read)
    if w <= r:
        return 0
    return max(math.ceil((w - r) / r) - 1, 0) if r else math.inf


def _pays_from(first: float, growth: float, write: float, read: float, minimum: float) -> float:
    c, g, w, r, least = (as_fraction(value) for value in (first, growth, write, read, minimum))
    if c < least:
        if not g:
            return math.inf
        short = math.ceil((least - c) / g)
        return short + _first_gain(c + short * g, g, w, r)
    return _first_gain(c, g, w, r)


def _first_gain(c: Fraction, g: Fraction, w: Fraction, r: Fraction) -> float:
    """The least whole number k of calls with a gain, which is quadratic in j = k - 1: a j² + b j + d > 0."""
    a, b, d = g * (1 - r) / 2, c * (1 - r) + g * (Fraction(1, 2) + r / 2 - w), c * (1 - w)
    if d > 0:
        return 1
    if a > 0:
        scale = math.lcm(a.denominator, b.denominator, d.denominator)
        a, b, d = a * scale, b * scale, d * scale
        root = (math.isqrt(int(b * b - 4 * a * d)) - int(b)) // int(2 * a)
        return next(j + 1 for j in range(max(root - 1, 1), root + 3) if a * j * j + b * j + d > 0)
    if a == 0 and b > 0:
        return -d // b + 2
    return math.inf
