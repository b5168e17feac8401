"""How far a budget reaches, and what a total costs: runs against tokens, dollars and a window.

Prices come in as numbers, in dollars per million input tokens; caching and output are left out.
Money is exact: single amounts are Decimal dollars (a float such as 0.1 counts as the decimal that
it shows), and only arrays, for sweeps and plots, are floats.
"""

import math
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simlib.errors import NotANumber, Numbers, OutOfRange, broadcast_shape, floats, real, whole
from simlib.theory.exact import as_fraction, elementwise, narrowed, widened
from simlib.theory.growth import token_counts, total_input

Dollars = ArrayLike | Decimal

# As many digits as a product needs, so that no dollar is ever rounded.
_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)


def longest_run_within_tokens(
    token_budget: ArrayLike, first_context: ArrayLike, growth: ArrayLike
) -> Numbers:
    """The most calls whose total input stays within a budget of tokens.

    token_budget, first_context : tokens. growth : tokens per call. All three broadcast.
    Returns calls, in the broadcast shape: 0 if the first call is too much already,
    infinity if nothing is ever read.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: total_input solved for calls, in whole numbers throughout.

    >>> longest_run_within_tokens(125_600, 8_000, 2_200), longest_run_within_tokens(125_599, 8_000, 2_200)
    (8, 7)
    """
    given = token_counts(token_budget=token_budget, first_context=first_context, growth=growth)
    return elementwise(_within_tokens, *given)


def longest_run_within_dollars(
    dollars: Dollars, first_context: ArrayLike, growth: ArrayLike, input_price: Dollars
) -> Numbers:
    """The most calls whose total input costs no more than a budget of dollars.

    dollars : the budget. first_context : tokens. growth : tokens per call.
    input_price : dollars per million tokens. All four broadcast; a single amount may be Decimal.
    Returns calls, in the broadcast shape: 0 if the first call is too dear already,
    infinity if nothing costs anything.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: total_input solved for calls; article B's price is $3 per million.

    >>> longest_run_within_dollars(1, 8_000, 2_200, input_price=3)
    14
    """
    first, grown = token_counts(first_context=first_context, growth=growth)
    budget, price = _money("dollars", dollars), _money("input_price", input_price)
    broadcast_shape(dollars=budget, first_context=first, growth=grown, input_price=price)
    return elementwise(_within_dollars, budget, first, grown, price)


def longest_run_within_window(window: ArrayLike, first_context: ArrayLike, growth: ArrayLike) -> Numbers:
    """The most calls before the context outgrows the model's window.

    window : the most tokens that one request may hold. first_context : tokens.
    growth : tokens per call. All three broadcast.
    Returns calls, in the broadcast shape: 0 if the first context is too long
    already, infinity if it fits and does not grow.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: context before call k, solved for k.

    >>> longest_run_within_window(1_000_000, 8_000, 2_200)
    451
    """
    given = token_counts(window=window, first_context=first_context, growth=growth)
    return elementwise(_within_window, *given)


def input_dollars(tokens: ArrayLike, input_price: Dollars) -> Decimal | NDArray[np.float64]:
    """What reading costs: tokens times the price of a million, over a million.

    tokens : how many are read. input_price : dollars per million tokens. Both broadcast.
    Returns dollars: an exact Decimal for single numbers, floats in the broadcast shape for arrays.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: article B, "Why context explodes" (three dollars per million).

    >>> input_dollars(125_600, 3)
    Decimal('0.376800')
    """
    (read,) = token_counts(tokens=tokens)
    price = _money("input_price", input_price)
    broadcast_shape(tokens=read, input_price=price)
    if isinstance(read, np.ndarray) or isinstance(price, np.ndarray):
        return floats("tokens", read) * floats("input_price", price) / 1e6
    return _exact_dollars(_decimal(read), _decimal(price))


def fleet_dollars(
    runs_per_day: ArrayLike,
    calls: ArrayLike,
    first_context: ArrayLike,
    growth: ArrayLike,
    input_price: Dollars,
    days: ArrayLike = 1,
) -> Decimal | NDArray[np.float64]:
    """What the input of a fleet costs: many equal runs a day, for some days.

    runs_per_day, calls, days : whole numbers of at least 0. first_context : tokens.
    growth : tokens per call. input_price : dollars per million tokens. All six broadcast.
    Returns dollars: an exact Decimal for single numbers, floats in the broadcast shape for arrays.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.
    Source: article B, "Why context explodes" ("runs this loop thousands of times a day").

    >>> fleet_dollars(1_000, 8, 8_000, 2_200, input_price=3)
    Decimal('376.800000')
    """
    runs, number, days = whole("runs_per_day", runs_per_day), whole("calls", calls), whole("days", days)
    first, grown = token_counts(first_context=first_context, growth=growth)
    price = _money("input_price", input_price)
    given = {"runs_per_day": runs, "calls": number, "first_context": first, "growth": grown, "days": days}
    broadcast_shape(**given, input_price=price)
    if any(isinstance(value, np.ndarray) for value in (*given.values(), price)):
        a_run = total_input(number, first, grown)
        runs, days, a_run = widened(lambda r, d, a: r * d * a, runs, days, a_run)
        return input_dollars(narrowed(runs * days * a_run), price)
    # The same sum in Decimals, since a float total of fractional tokens would be rounded before it is priced.
    pairs = number * (number - 1) // 2
    linear = _EXACT.multiply(_decimal(first), _decimal(number))
    quadratic = _EXACT.multiply(_decimal(grown), _decimal(pairs))
    a_fleet = _EXACT.multiply(_EXACT.add(linear, quadratic), _decimal(runs * days))
    return _exact_dollars(a_fleet, _decimal(price))


def _within_tokens(budget: float | Fraction, first_context: float, growth: float) -> float:
    b, c, g = (as_fraction(value) for value in (budget, first_context, growth))
    scale = math.lcm(b.denominator, c.denominator, g.denominator)
    b, c, g = b * scale, c * scale, g * scale
    if g:
        # g k² + (2c - g) k <= 2b, whose greatest whole k needs no more than a whole square root.
        slope = int(2 * c - g)
        return (math.isqrt(slope**2 + int(8 * g * b)) - slope) // int(2 * g)
    return int(b // c) if c else math.inf


def _within_dollars(dollars: float, first_context: float, growth: float, input_price: float) -> float:
    price = as_fraction(input_price)
    if not price:
        return math.inf
    return _within_tokens(as_fraction(dollars) * 1_000_000 / price, first_context, growth)


def _within_window(window: float, first_context: float, growth: float) -> float:
    w, c, g = (as_fraction(value) for value in (window, first_context, growth))
    if c > w:
        return 0
    return int((w - c) // g) + 1 if g else math.inf


def _money(name: str, value: Dollars) -> Any:
    if not isinstance(value, Decimal):
        return real(name, value, low=0, noun="dollars")
    if value.is_nan():
        raise NotANumber(name, value, "finite dollars from 0")
    if value < 0 or value.is_infinite():
        raise OutOfRange(name, value, "finite dollars from 0")
    return value


def _decimal(value: Any) -> Decimal:
    """An exact Decimal, a float counting as the decimal that it shows."""
    return Decimal(str(value)) if isinstance(value, float) else Decimal(value)


def _exact_dollars(tokens: Decimal, input_price: Decimal) -> Decimal:
    return _EXACT.multiply(tokens, input_price).scaleb(-6, _EXACT)
