"""Whole numbers that never overflow: int64 while they fit, Python ints beyond.

A single number is a Python number and exact by itself. An array is computed in int64 if a bound on
the result shows that it fits, otherwise as an array of Python ints; float arrays are left alone.
"""

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from simlib.errors import Numbers, TooLarge, floats

INT64_MAX = int(np.iinfo(np.int64).max)


def widened(formula: Callable[..., Any], *values: Numbers) -> tuple[Any, ...]:
    """The values in a kind of number in which `formula` cannot overflow.

    formula : adds and multiplies non-negative values, so that no intermediate result exceeds the last; it is
    tried on the greatest values to see whether 64 bits suffice.
    values : numbers or arrays, already checked; tokens, calls or what the formula takes.
    Returns the values as floats if one of them is fractional, otherwise as int64 or Python ints.
    Raises TooLarge for a whole number beside fractions that no float can hold.

    >>> widened(lambda a, b: a * b, np.array([2**62]), 4)[0].dtype
    dtype('O')
    """
    arrays = [np.asarray(value) for value in values]
    if any(array.dtype.kind == "f" for array in arrays):
        return tuple(narrowed(floats("a number beside fractions", value)) for value in values)
    if not any(isinstance(value, np.ndarray) for value in values):
        return values
    greatest = [max(int(array.max(initial=1)), 1) for array in arrays]
    if formula(*greatest) <= INT64_MAX:
        return values
    return tuple(array.astype(object) for array in arrays)


def finite(name: str, result: Numbers) -> Numbers:
    """A result that has not outgrown the floats.

    name : what the message calls it. result : numbers in any unit.
    Returns the result unchanged.
    Raises TooLarge if a float in it is infinite or not a number.

    >>> finite("total input", 125_600)
    125600
    """
    array = np.asarray(result)
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise TooLarge(name, math.inf, "numbers that a float can hold")
    return result


def narrowed(result: Any) -> Numbers:
    """A result in the plainest form that holds it.

    result : a number or an array, in whatever unit.
    Returns a Python number for a single one; an array of Python ints as int64 if all of them fit.
    Raises nothing.

    >>> narrowed(np.array([1, 2], dtype=object)).dtype, narrowed(np.float64(0.5))
    (dtype('int64'), 0.5)
    """
    array = np.asarray(result)
    if array.ndim == 0:
        return array.item()  # type: ignore[no-any-return]
    if array.dtype == object and (array.size == 0 or array.max() <= INT64_MAX):
        return array.astype(np.int64)
    return array


def as_fraction(number: float | Decimal | Fraction) -> Fraction:
    """A number as an exact fraction, a float counting as the decimal that it shows: 0.1 is a tenth.

    number : an int, float, Decimal or Fraction, finite, in any unit.
    Returns a Fraction.
    Raises ValueError for what is not finite.

    >>> as_fraction(0.1), as_fraction(8_000)
    (Fraction(1, 10), Fraction(8000, 1))
    """
    return Fraction(str(number)) if isinstance(number, float) else Fraction(number)


def elementwise(function: Callable[..., Any], *values: Numbers) -> Numbers:
    """A function of exact single numbers, applied to every element of the broadcast values.

    function : takes one Python number for each of `values` and returns a whole number or infinity.
    values : numbers or arrays, already checked.
    Returns what the function returns for single numbers, otherwise an array: of whole numbers, or of floats
    if infinity is among them.
    Raises what the function raises.

    >>> elementwise(lambda a, b: a // b, np.array([7, 9]), 2)
    array([3, 4])
    """
    result = np.frompyfunc(function, len(values), 1)(*values)
    if isinstance(result, np.ndarray) and math.inf in result:
        return floats("a result beside infinity", result)
    return narrowed(result)
