"""What a run of calls uses with a cache and without, in closed form.

A run has `calls` calls; the first reads `first_context` tokens and each later one `growth` more, as in
theory.growth. Whoever knows these three knows the bill before the run:

    no cache              every context is read fresh
    prefix only           the first context is stored once and read from then on; what grows is always fresh
    moving marker         each call reads what the one before sent, and stores what was added
    changing first line   no call finds anything, and every call stores its whole context

Below a provider's `minimum` a context is not stored and costs no more than without a cache. Each form equals
the simulation of `cache.anthropic` to the token; here a run costs one evaluation, and arrays broadcast.
Tokens are whole numbers or, as averages, fractions. Left out: pauses beyond a lifetime, but for one miss.
"""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simlib.billing.price import Price
from simlib.billing.usage import Usage
from simlib.errors import Numbers, OutOfRange, ShapeMismatch, broadcast_shape, known, real, single, whole
from simlib.prompt.prompt import SECONDS, Lifetime
from simlib.theory.budget import longest_run_within_window
from simlib.theory.exact import as_fraction, elementwise, finite, narrowed, widened
from simlib.theory.growth import linear_part, token_counts, total_input

Strategy = Callable[..., Usage]


def no_cache(calls: ArrayLike, first_context: ArrayLike, growth: ArrayLike) -> Usage:
    """Tokens of a run without a cache: all of them fresh.

    calls : model calls, whole numbers of at least 0. first_context : tokens. growth : tokens per call. They
    broadcast.
    Returns a Usage of the broadcast shape.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.
    Source: article C, section 4, theorem.

    >>> no_cache(8, 8_000, 2_200).input
    125600
    """
    return Usage(input=total_input(calls, first_context, growth))


def prefix_only(
    calls: ArrayLike,
    first_context: ArrayLike,
    growth: ArrayLike,
    *,
    lifetime: Lifetime = "5m",
    minimum: ArrayLike = 0,
) -> Usage:
    """Tokens of a run with one marker that stays at the end of the first context.

    calls : model calls, whole numbers of at least 0. first_context : tokens. growth : tokens per call.
    lifetime : of the entry. minimum : the shortest context that is stored, in tokens. Numbers and arrays
    broadcast.
    Returns a Usage of the broadcast shape: the same as without a cache if the first context is too short.
    Raises NotANumber, NotWhole, OutOfRange, ShapeMismatch or UnknownName.
    Source: rules of billing.cache.anthropic.

    >>> prefix_only(8, 8_000, 2_200)
    Usage(input=61600, cache_write_5m=8000, cache_write_1h=0, cache_read=56000, output=0)
    """
    number, first, grown, least = _checked(calls, first_context, growth, minimum)
    stored = _where(first >= least, first, 0)
    written = linear_part(_where(number > 0, 1, 0), stored)
    read = linear_part(_where(number > 0, number - 1, 0), stored)
    fresh = narrowed(total_input(number, first, grown) - written - read)
    return _usage(fresh, written, read, lifetime)


def moving_marker(
    calls: ArrayLike,
    first_context: ArrayLike,
    growth: ArrayLike,
    *,
    lifetime: Lifetime = "5m",
    minimum: ArrayLike = 0,
    miss_at: ArrayLike | None = None,
) -> Usage:
    """Tokens of a run whose marker moves along: each call reads the context before, and stores what was
    added.

    calls : model calls, whole numbers of at least 0. first_context : tokens. growth : tokens per call.
    lifetime : of the entries. minimum : the shortest context that is stored, in tokens. miss_at : the number
    of the one call, from 2, that finds nothing because a tool or a person took too long. Numbers and arrays
    broadcast.
    Returns a Usage of the broadcast shape; a miss before anything was stored, or after the last call, costs
    nothing.
    Raises NotANumber, NotWhole, OutOfRange, ShapeMismatch or UnknownName.
    Source: rules of billing.cache.anthropic.

    >>> moving_marker(8, 8_000, 2_200)
    Usage(input=0, cache_write_5m=23400, cache_write_1h=0, cache_read=102200, output=0)
    """
    number, first, grown, least = _checked(calls, first_context, growth, minimum)
    short = _calls_below(number, first, grown, least)
    fresh = total_input(short, first, grown)
    stores = number > short
    written = _where(stores, _context(number, first, grown), 0)
    read = _where(stores, total_input(_where(stores, number - 1, 0), first, grown) - fresh, 0)
    if miss_at is not None:
        at = whole("miss_at", miss_at, low=2)
        broadcast_shape(calls=number, first_context=first, growth=grown, minimum=least, miss_at=at)
        misses = (at > short + 1) & (at <= number)
        again = _where(misses, _context(at - 1, first, grown), 0)
        written, again, read = widened(lambda a, b, c: a + b + c, written, again, read)
        written, read = written + again, read - again
    return _usage(fresh, narrowed(written), narrowed(read), lifetime)


def changing_first_line(
    calls: ArrayLike,
    first_context: ArrayLike,
    growth: ArrayLike,
    *,
    lifetime: Lifetime = "5m",
    minimum: ArrayLike = 0,
) -> Usage:
    """Tokens of a run with markers whose prompt begins with something that changes, such as the time.

    calls : model calls, whole numbers of at least 0. first_context : tokens. growth : tokens per call.
    lifetime : of the entries. minimum : the shortest context that is stored, in tokens. Numbers and arrays
    broadcast.
    Returns a Usage of the broadcast shape: every context that is long enough is stored, and none is ever
    read.
    Raises NotANumber, NotWhole, OutOfRange, ShapeMismatch or UnknownName.
    Source: rules of billing.cache.anthropic.

    >>> changing_first_line(8, 8_000, 2_200).cache_write_5m
    125600
    """
    number, first, grown, least = _checked(calls, first_context, growth, minimum)
    fresh = total_input(_calls_below(number, first, grown, least), first, grown)
    return _usage(fresh, narrowed(total_input(number, first, grown) - fresh), fresh * 0, lifetime)


def moving_marker_over(
    contexts: ArrayLike, *, lifetime: Lifetime = "5m", minimum: float = 0, warm: float = 0
) -> Usage:
    """Tokens of a run with a moving marker whose contexts are known one by one.

    contexts : tokens before each call, along the last axis, none shorter than the one before. lifetime : of
    the entries. minimum : the shortest context that is stored, in tokens. warm : tokens at the beginning of
    the first context that an earlier run has stored.
    Returns a Usage of the shape without the last axis.
    Raises NotANumber, OutOfRange, ShapeMismatch or UnknownName.
    Source: rules of billing.cache.anthropic.

    >>> moving_marker_over([175, 209, 414, 560], minimum=512)
    Usage(input=798, cache_write_5m=560, cache_write_1h=0, cache_read=0, output=0)
    """
    tokens, least, ready = token_counts(contexts=contexts, minimum=minimum, warm=warm)
    single("minimum", least)
    if not isinstance(tokens, np.ndarray) or not tokens.shape[-1]:
        raise ShapeMismatch("contexts", np.shape(tokens), "an array whose last axis is one call or more")
    if (np.diff(tokens) < 0).any():
        raise OutOfRange(
            "contexts", contexts, "contexts that never shrink: a shorter one reads no whole entry"
        )
    if np.any(ready > tokens[..., 0]):
        raise OutOfRange("warm", warm, "at most the first context")
    calls = tokens.shape[-1]
    tokens, ready = widened(lambda longest, stored: longest * calls + stored, tokens, ready)
    long = tokens >= least
    ready = ready * (ready >= least)  # what is too short cannot have been stored
    with np.errstate(over="ignore"):
        fresh = (tokens * ~long).sum(axis=-1)
        written = tokens[..., -1] * long[..., -1] - ready
        read = (tokens * long)[..., :-1].sum(axis=-1) + ready
    fresh, written, read = (narrowed(finite("the tokens", count)) for count in (fresh, written, read))
    return _usage(fresh, written, read, lifetime)


def run_dollars(
    strategy: Strategy,
    calls: ArrayLike,
    first_context: ArrayLike,
    growth: ArrayLike,
    price: Price,
    *,
    output: ArrayLike = 0,
    **options: Any,
) -> Decimal | NDArray[np.float64]:
    """What a run costs, each call by its own tier.

    strategy : no_cache, prefix_only, moving_marker or changing_first_line. calls : model calls, whole numbers
    of at least 0. first_context : tokens. growth : tokens per call. price : the model's. output : tokens that
    each call writes. options : of the strategy. Numbers and arrays broadcast.
    Returns exact dollars for single numbers, floats in the broadcast shape for arrays.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch; Unpriced for a class that is not sold.
    Source: prices.toml; a request above the threshold costs its long rates as a whole.

    >>> from datetime import date
    >>> from simlib.billing.catalogue import load_catalogue
    >>> sonnet = load_catalogue().price("claude-sonnet-4-6", date(2026, 10, 24))
    >>> run_dollars(moving_marker, 8, 8_000, 2_200, sonnet)
    Decimal('0.11841')
    """
    number = whole("calls", calls)

    def usage(count: Any) -> Usage:
        run = strategy(count, first_context, growth, **options)
        return run._replace(output=linear_part(count, output))

    if price.long_above is None:
        return price.dollars(usage(number))
    cheap = whole(
        "calls", np.minimum(number, longest_run_within_window(price.long_above, first_context, growth))
    )
    within, all_calls = usage(cheap), usage(number)
    dear = all_calls - within
    return price.short().dollars(within) + price.long().dollars(dear)  # type: ignore[operator]


def input_equivalent(usage: Usage, price: Price) -> Numbers:
    """A run's tokens as the fresh input that would cost the same.

    usage : tokens; those of the output count too. price : the model's, of prompts that are not long.
    Returns tokens, in the broadcast shape: fewer than were read if caching pays.
    Raises NotANumber, NotWhole or OutOfRange; Unpriced for a class that is not sold.
    Source: classroom arithmetic: 1.25 for a write of five minutes, 2 for one of an hour, 0.1 for a read.

    >>> from datetime import date
    >>> from simlib.billing.catalogue import load_catalogue
    >>> sonnet = load_catalogue().price("claude-sonnet-4-6", date(2026, 10, 24))
    >>> input_equivalent(moving_marker(8, 8_000, 2_200), sonnet)
    39470.0
    """
    dollars = price.short().dollars(usage)
    a_token = as_fraction(price.rates.input) / 1_000_000
    if isinstance(dollars, Decimal):
        return float(as_fraction(dollars) / a_token)
    return dollars / float(a_token)


def _checked(
    calls: ArrayLike, first_context: ArrayLike, growth: ArrayLike, minimum: ArrayLike
) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    number, least = whole("calls", calls), real("minimum", minimum, low=0, noun="tokens")
    first, grown = token_counts(first_context=first_context, growth=growth)
    broadcast_shape(calls=number, first_context=first, growth=grown, minimum=least)
    return number, first, grown, least


def _calls_below(calls: Numbers, first: Numbers, growth: Numbers, minimum: Numbers) -> Numbers:
    """How many of the calls, from the first one on, have a context shorter than the minimum."""
    return elementwise(_below, calls, first, growth, minimum)


def _below(calls: int, first: float, growth: float, minimum: float) -> int:
    missing = as_fraction(minimum) - as_fraction(first)
    if missing <= 0:
        return 0
    return min(calls, -(-missing // as_fraction(growth))) if growth else calls


def _context(call: Numbers, first: Numbers, growth: Numbers) -> Numbers:
    """The context before a call, from 1; of no call, that before the first one less the growth, unused."""
    return total_input(call, first, growth) - total_input(_where(call > 0, call - 1, 0), first, growth)


def _where(condition: Any, then: Numbers, otherwise: Numbers) -> Numbers:
    if any(isinstance(value, np.ndarray) for value in (condition, then, otherwise)):
        return narrowed(np.where(condition, then, otherwise))
    return then if condition else otherwise  # Python's own ints, however long


def _usage(fresh: Numbers, written: Numbers, read: Numbers, lifetime: Lifetime) -> Usage:
    known("lifetime", lifetime, SECONDS)
    in_class = {"cache_write_5m": written} if lifetime == "5m" else {"cache_write_1h": written}
    return Usage(input=fresh, cache_read=read, **in_class)
