"""Dollars for tokens, exactly: prices are whole numbers of a tiny unit, so nothing is ever rounded.

A price list states dollars per million tokens. Multiplied by a power of ten all of a list's prices are whole,
a request's cost is a sum of whole products, and one shift of the decimal point makes dollars of it. Over
arrays the same sum runs in 64 bits, and the one division that follows rounds to the float nearest to the
exact amount.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simlib.billing.usage import Usage
from simlib.errors import BadArgument, NotANumber, OutOfRange, TooLarge, broadcast_shape, known, single, whole
from simlib.theory.exact import as_fraction, widened

CLASSES = Usage._fields
EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
_FLOAT_EXACT = 2**53  # whole numbers up to it, and powers of ten up to 10^22, are exact as floats


class Unpriced(BadArgument):
    """Tokens of a class, or a way of asking, for which a model has no price."""


@dataclass(frozen=True)
class Rates:
    """Dollars per million tokens of each class; None for a class that is not sold.

    >>> Rates(Decimal("0.10"), Decimal("0.125"), Decimal("0.20"), Decimal("0.01"), Decimal("0.50")).output
    Decimal('0.50')
    """

    input: Decimal
    cache_write_5m: Decimal | None
    cache_write_1h: Decimal | None
    cache_read: Decimal | None
    output: Decimal

    def __post_init__(self) -> None:
        for name, rate in self.by_class().items():
            if rate is None and name not in ("input", "output"):
                continue
            _check_amount(name, rate)

    def by_class(self) -> Mapping[str, Decimal | None]:
        """The rates under the names of the token classes."""
        return {name: getattr(self, name) for name in CLASSES}

    def times(self, factor: Decimal) -> "Rates":
        """All rates multiplied."""
        rates = self.by_class().values()
        return Rates(*(None if rate is None else EXACT.multiply(rate, factor) for rate in rates))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Price:
    """What a model's tokens cost: `rates`, and `long_rates` for requests of more than `long_above` tokens.

    The prompt (fresh, written and read tokens together) decides, and then the whole request, its output too,
    costs the long rates. `batch` is the factor for requests in a batch, None where there are none;
    `storage_hour` is in dollars per million tokens and hour, for caches that are rented.

    >>> haiku = Price(Rates(*map(Decimal, ["0.10", "0.125", "0.20", "0.01", "0.50"])))
    >>> haiku.dollars(Usage(input=20, cache_read=988, output=105))
    Decimal('0.00006438')
    """

    rates: Rates
    long_rates: Rates | None = None
    long_above: int | None = None
    batch: Decimal | None = None
    storage_hour: Decimal | None = None
    _digits: int = field(init=False, repr=False, compare=False)
    _units: tuple[int | None, ...] = field(init=False, repr=False, compare=False)
    _long_units: tuple[int | None, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if (self.long_rates is None) != (self.long_above is None):
            allowed = "a threshold together with long rates, or neither"
            raise BadArgument("long_above", self.long_above, allowed)
        if self.long_above is not None:
            single("long_above", whole("long_above", self.long_above))
        for name in ("batch", "storage_hour"):
            if getattr(self, name) is not None:
                _check_amount(name, getattr(self, name))
        both = [rates.by_class().values() for rates in (self.rates, self.long_rates or self.rates)]
        digits = max(_digits_of(rate) for rates in both for rate in rates)
        object.__setattr__(self, "_digits", digits)
        for name, rates in zip(("_units", "_long_units"), both, strict=True):
            units = tuple(None if rate is None else int(rate.scaleb(digits, EXACT)) for rate in rates)
            object.__setattr__(self, name, units)

    def dollars(self, usage: Usage) -> Decimal | NDArray[np.float64]:
        """What tokens cost: exact Decimals for single numbers, floats in the broadcast shape for arrays.

        Of many requests each is priced by its own prompt. NotANumber, NotWhole, OutOfRange or ShapeMismatch
        for counts; Unpriced for tokens of a class that is not sold.
        """
        for count in usage:
            if type(count) is not int or count < 0:
                return self._dollars_checked(usage)
        return self._exact(usage)

    def storage_dollars(self, tokens: int, hours: float | Decimal) -> Decimal:
        """What a rented cache costs beside its requests; Unpriced where none is rented."""
        if self.storage_hour is None:
            raise Unpriced("storage_hour", None, "a model whose caches are rented")
        count, time = single("tokens", whole("tokens", tokens)), _as_amount("hours", hours)
        return EXACT.multiply(EXACT.multiply(self.storage_hour, Decimal(count)), time).scaleb(-6, EXACT)

    def times(self, factor: Decimal | float) -> "Price":
        """The price with a factor on every rate, as for a region or a fast mode; 1.1 is exactly that."""
        by = _as_amount("factor", factor)
        long_rates = None if self.long_rates is None else self.long_rates.times(by)
        return replace(self, rates=self.rates.times(by), long_rates=long_rates)

    def in_batch(self) -> "Price":
        """The price of the same tokens in a batch; Unpriced where there is none, as in a batch already."""
        if self.batch is None:
            raise Unpriced("batch", None, "a model that is sold in batches, and not in one already")
        return replace(self.times(self.batch), batch=None)

    def short(self) -> "Price":
        """The price of prompts that are not long, whatever their length."""
        return replace(self, long_rates=None, long_above=None)

    def long(self) -> "Price":
        """The price of long prompts, whatever their length; Unpriced where there is no such tier."""
        if self.long_rates is None:
            raise Unpriced("long", None, "a model with a price for long prompts")
        return replace(self, rates=self.long_rates, long_rates=None, long_above=None)

    def multiple(self, of: str) -> float:
        """A class's rate as a multiple of fresh input's, as in 1.25; Unpriced for one that is not sold."""
        rate = self.rates.by_class()[known("of", of, CLASSES)]
        if rate is None or not self.rates.input:
            raise Unpriced(of, rate, "a class that the model sells")
        return float(as_fraction(rate) / as_fraction(self.rates.input))

    def _exact(self, usage: Usage) -> Decimal:
        is_long = self.long_above is not None and usage.prompt > self.long_above
        units = self._long_units if is_long else self._units
        total = _sum_of_sold(usage, units) if None in units else sum(map(mul, usage, units))
        dollars = Decimal(total).scaleb(-6 - self._digits, EXACT).normalize(EXACT)
        # Without zeros at the end; below 10 that leaves no exponent as in 2E+2.
        return dollars if dollars < 10 else _written_out(dollars)

    def _dollars_checked(self, usage: Usage) -> Decimal | NDArray[np.float64]:
        counts = [whole(name, count) for name, count in usage._asdict().items()]
        shape = broadcast_shape(**dict(zip(CLASSES, counts, strict=True)))
        if not any(isinstance(count, np.ndarray) for count in counts):
            return self._exact(Usage(*counts))
        # In 64 bits, or as Python's ints where the sum would outgrow them.
        widest = max(unit for unit in (*self._units, *self._long_units) if unit is not None)
        usage = Usage(*widened(lambda *values: sum(values) * widest, *counts))
        total = _sum_of_sold(usage, self._units)
        if self.long_above is not None:
            is_long = np.asarray(usage.prompt > self.long_above)
            if is_long.any():
                total = np.where(is_long, _sum_of_sold(usage, self._long_units), total)
        return np.broadcast_to(_quotient(total, 6 + self._digits), shape)


def _written_out(dollars: Decimal) -> Decimal:
    exponent = dollars.as_tuple().exponent
    assert isinstance(exponent, int)  # the amount is finite
    return dollars if exponent <= 0 else dollars.quantize(Decimal(1), context=EXACT)


def _check_amount(name: str, amount: object) -> None:
    if not isinstance(amount, Decimal) or amount.is_nan():
        raise NotANumber(name, amount, "a Decimal")
    if amount < 0 or amount.is_infinite():
        raise OutOfRange(name, amount, "finite amounts from 0")


def _as_amount(name: str, value: Decimal | float) -> Decimal:
    """A number as the Decimal that it shows."""
    amount = Decimal(str(value)) if isinstance(value, (int, float)) and not isinstance(value, bool) else value
    _check_amount(name, amount)
    return amount  # type: ignore[return-value]  # checked


def _digits_of(rate: Decimal | None) -> int:
    """Decimal places that a rate needs."""
    exponent = (rate or Decimal(0)).normalize(EXACT).as_tuple().exponent
    assert isinstance(exponent, int)  # a rate is finite
    return max(0, -exponent)


def _sum_of_sold(usage: Usage, units: tuple[int | None, ...]) -> Any:
    total: Any = 0
    for name, count, unit in zip(CLASSES, usage, units, strict=True):
        if unit is not None:
            total = total + count * unit
        elif np.any(count):
            raise Unpriced(name, count, "no such tokens, since the model does not sell them")
    return total


def _quotient(total: Any, digits: int) -> Any:
    """Whole numbers over a power of ten as the nearest floats."""
    array = np.asarray(total)
    if array.dtype == np.int64 and digits <= 22 and array.max(initial=0) <= _FLOAT_EXACT:
        return array / 10.0**digits
    try:
        return np.frompyfunc(lambda amount: int(amount) / 10**digits, 1, 1)(array).astype(np.float64)
    except OverflowError:
        raise TooLarge("the dollars", math.inf, "numbers that a float can hold") from None
