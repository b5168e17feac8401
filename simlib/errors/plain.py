"""Whatever a caller passes as numbers, in plain form: a Python int or float, or an array of three kinds.

The kinds are float64, int64 and, for whole numbers past 64 bits, Python ints. Ranges are checked elsewhere.
"""

import sys
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simlib.errors.kinds import NotANumber, TooLarge

Numbers = int | float | NDArray[Any]


def plain(name: str, value: ArrayLike, allowed: object) -> Numbers:
    """The value in plain form.

    name : the argument's name for the message. value : a number, an array, or nested lists of numbers.
    allowed : what the message says is allowed.
    Returns an int, a float or an array, the shape unchanged.
    Raises NotANumber for text, None, truth values, a masked array and ragged lists; TooLarge for whole
    numbers beside fractions that no float can hold.

    >>> plain("growth", [2**63, 1], "numbers")
    array([9223372036854775808, 1], dtype=object)
    """
    if type(value) in (int, float):
        return value  # type: ignore[return-value]  # mypy does not narrow by exact type
    if isinstance(value, (list, tuple, range)):
        # Element by element, since numpy would make floats of truth values and of ints around 2^63.
        array = _from_objects(name, _as_objects(name, value, allowed), allowed)
    elif isinstance(value, np.ma.MaskedArray):
        raise NotANumber(name, value, f"{allowed}, none of them masked")
    else:
        array = _from_array(name, np.asarray(value), allowed)
    return array if array.ndim else array.item()


def _from_array(name: str, array: NDArray[Any], allowed: object) -> NDArray[Any]:
    kind = array.dtype.kind
    if kind == "O" or (kind == "u" and array.size and array.max() > np.iinfo(np.int64).max):
        return _from_objects(name, array.astype(object), allowed)
    if kind not in "iuf":
        raise NotANumber(name, array.tolist(), str(allowed))
    return array.astype(np.float64 if kind == "f" else np.int64, copy=False)


def _as_objects(name: str, value: Any, allowed: object) -> NDArray[Any]:
    try:
        array: NDArray[Any] = np.asarray(value, dtype=object)
        return array
    except ValueError:
        raise NotANumber(name, value, f"{allowed}, in rectangular arrays") from None


def _from_objects(name: str, array: NDArray[Any], allowed: object) -> NDArray[Any]:
    """Floats if there is a fraction among them, otherwise int64 or, past 64 bits, Python ints."""
    wrong = [
        not isinstance(e, (int, float, np.integer, np.floating)) or isinstance(e, bool) for e in array.flat
    ]
    if any(wrong):
        raise NotANumber(*first(name, array, np.reshape(wrong, array.shape)), str(allowed))
    whole_numbers = all(isinstance(element, (int, np.integer)) for element in array.flat)
    if not whole_numbers:
        return floats(name, array)
    try:
        return array.astype(np.int64)
    except OverflowError:
        return np.array([int(element) for element in array.flat], dtype=object).reshape(array.shape)


def floats(name: str, value: Numbers) -> NDArray[np.float64]:
    """A checked value as floats, for formulas that need no exact whole numbers.

    name : the argument's name for the message. value : a checked number or array.
    Returns an array of the same shape, also for a single number.
    Raises TooLarge for whole numbers that no float can hold.

    >>> floats("steps", 20)
    array(20.)
    """
    try:
        result: NDArray[np.float64] = np.asarray(value, dtype=np.float64)
        return result
    except OverflowError:
        array = np.asarray(value, dtype=object)
        too_large = [abs(element) > sys.float_info.max for element in array.flat]
        where, culprit = first(name, array, np.reshape(too_large, array.shape))
        raise TooLarge(where, culprit, "numbers that a float can hold") from None


def first(name: str, values: Numbers, wrong: NDArray[np.bool_]) -> tuple[str, Any]:
    """The first wrong element, for a message.

    name : the argument's name. values : a number or an array. wrong : which of the elements are wrong.
    Returns where it stands, as name[index], and what it is.
    Raises IndexError if none is wrong.

    >>> first("growth", np.array([1, -2, -3]), np.array([False, True, True]))
    ('growth[1]', -2)
    """
    where = tuple(np.argwhere(wrong)[0].tolist())
    place = f"{name}[{', '.join(map(str, where))}]" if where else name
    return place, np.asarray(values, dtype=object)[where]
