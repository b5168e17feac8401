"""The checks of arguments: a name and a value in, a plain value out, or one clear error."""

import difflib
import math
from collections.abc import Iterable
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from simlib.errors.kinds import (
    NotAGenerator,
    NotANumber,
    NotWhole,
    OutOfRange,
    ShapeMismatch,
    TooLarge,
    UnknownName,
)
from simlib.errors.plain import Numbers, first, plain

LONGEST_AXIS = 10**8  # elements; as floats they take 0.8 GB


class _Range(NamedTuple):
    """Which numbers an argument may take, and how a message says so."""

    noun: str
    low: float = -math.inf
    high: float = math.inf
    above: float = -math.inf
    below: float = math.inf
    infinite: bool = False

    def holds(self, value: Any) -> Any:
        inside = (self.low <= value) & (self.above < value) & (value <= self.high)
        return inside if self.infinite else inside & (value < self.below)

    def __str__(self) -> str:
        lower = upper = ""
        if self.above > -math.inf:
            lower = f" above {self.above}"
        elif self.low > -math.inf:
            lower = f" from {self.low}"
        if self.below < math.inf:
            upper = f" and below {self.below}"
        elif self.high < math.inf:
            upper = f" to {self.high}"
        text = self.noun + lower + upper
        if upper:
            return text
        return f"{text}, infinity included" if self.infinite else f"finite {text}"


def real(
    name: str,
    value: ArrayLike,
    *,
    low: float = -math.inf,
    high: float = math.inf,
    above: float = -math.inf,
    below: float = math.inf,
    infinite: bool = False,
    noun: str = "numbers",
) -> Numbers:
    """Check for real numbers from `low` to `high` (both included), greater than `above`, less than `below`.

    name : the argument's name for the message. value : a number or an array of any shape.
    low, high, above, below : the limits, in the argument's own unit. infinite : whether infinity passes.
    noun : what the message calls the allowed numbers.
    Returns the value as a Python number or an array, its shape unchanged.
    Raises NotANumber for text, None, truth values and NaN; OutOfRange for what lies outside.

    >>> real("growth", 172, low=0)
    172
    """
    return _checked(name, value, _Range(noun, low, high, above, below, infinite))


def whole(name: str, value: ArrayLike, *, low: int = 0, infinite: bool = False) -> Numbers:
    """Check for whole numbers of at least `low`; 8.0 counts as 8.

    name : the argument's name for the message. value : a number or an array of any shape.
    low : the least allowed number. infinite : whether infinity passes; floats then stay floats.
    Returns ints (or infinity), the shape unchanged.
    Raises NotANumber, NotWhole or OutOfRange.

    >>> whole("calls", 8.0, low=1)
    8
    """
    allowed = _Range("whole numbers", low=low, infinite=infinite)
    clean = _checked(name, value, allowed)
    if not isinstance(clean, np.ndarray):
        if isinstance(clean, int) or math.isinf(clean):
            return clean
        if not clean.is_integer():
            raise NotWhole(name, clean, str(allowed))
        return int(clean)
    if clean.dtype.kind != "f":
        return clean
    in_64_bits = not infinite and clean.max(initial=0) < 2.0**63
    rounded = clean.astype(np.int64) if in_64_bits else np.floor(clean)
    fractional = rounded != clean
    if fractional.any():
        raise NotWhole(*first(name, clean, fractional), str(allowed))
    return rounded if in_64_bits or infinite else np.frompyfunc(int, 1, 1)(clean)


def probability(name: str, value: ArrayLike) -> Numbers:
    """Check for probabilities: real numbers from 0 to 1, both included.

    name : the argument's name for the message. value : a number or an array of any shape.
    Returns the value as a Python number or an array, its shape unchanged.
    Raises NotANumber or OutOfRange.

    >>> probability("p_success", 0.9)
    0.9
    """
    return real(name, value, low=0, high=1, noun="probabilities")


def single(name: str, value: Numbers) -> Any:
    """Check for one number, where an array has no meaning.

    name : the argument's name for the message. value : a checked number or array.
    Returns the value unchanged.
    Raises ShapeMismatch for an array.

    >>> single("calls", whole("calls", 8))
    8
    """
    if isinstance(value, np.ndarray):
        raise ShapeMismatch(name, value.shape, "one number")
    return value


def axis_length(name: str, value: ArrayLike, *, low: int = 0) -> int:
    """Check for one whole number that becomes the length of an array, and must fit into memory.

    name : the argument's name for the message. value : the number. low : the least allowed one.
    Returns an int of at most LONGEST_AXIS.
    Raises NotANumber, NotWhole, OutOfRange, ShapeMismatch or TooLarge.

    >>> axis_length("calls", 8)
    8
    """
    length: int = single(name, whole(name, value, low=low))
    if length > LONGEST_AXIS:
        raise TooLarge(name, length, f"whole numbers from {low} to {LONGEST_AXIS}")
    return length


def broadcast_shape(**arguments: object) -> tuple[int, ...]:
    """The shape that the named arguments have together, by numpy's broadcasting rule.

    arguments : numbers (Decimals too) or arrays under their argument names.
    Returns the common shape; () if all are single numbers.
    Raises ShapeMismatch, which names every array with its shape.

    >>> broadcast_shape(calls=8, growth=np.ones((3, 1)))
    (3, 1)
    """
    shapes = {name: value.shape for name, value in arguments.items() if isinstance(value, np.ndarray)}
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        given = tuple(shapes.values())
        raise ShapeMismatch(" and ".join(shapes), given, "shapes that broadcast together") from None


def generator(name: str, value: np.random.Generator) -> np.random.Generator:
    """Check for a random generator, which simlib never makes for itself: whoever calls decides the seed.

    name : the argument's name for the message. value : the generator.
    Returns the value unchanged.
    Raises NotAGenerator for anything else.

    >>> generator("rng", np.random.default_rng(7)).integers(1, 7)
    np.int64(6)
    """
    if isinstance(value, np.random.Generator):
        return value
    raise NotAGenerator(name, value, "a generator such as numpy.random.default_rng(7)")


def known(name: str, value: str, names: Iterable[str], also: str = "") -> str:
    """Check for a name out of a list.

    name : the argument's name for the message. value : the name asked for. names : the allowed ones.
    also : what else is allowed, for the message.
    Returns the value unchanged.
    Raises UnknownName, which offers the nearest of `names`.

    >>> known("fact", "C.q", ["C.q", "C.ratio"])
    'C.q'
    """
    names = list(names)
    if value not in names:
        unknown(name, value, names, also)
    return value


def unknown(name: str, value: str, names: Iterable[str], also: str = "") -> NoReturn:
    """Say that a name is not in a list.

    name : the argument's name for the message. value : the name asked for. names : the allowed ones.
    also : what else is allowed, for the message.
    Returns never.
    Raises UnknownName, which offers the nearest of `names`.

    >>> unknown("fact", "C.p", ["C.q"])
    Traceback (most recent call last):
    simlib.errors.kinds.UnknownName: fact is 'C.p'; allowed: one of 1 names; nearest: C.q
    """
    names = list(names)
    nearest = ", ".join(difflib.get_close_matches(str(value), names, n=3, cutoff=0.3)) or "none"
    allowed = f"one of {len(names)} names" + (f", {also}" if also else "")
    raise UnknownName(name, value, f"{allowed}; nearest: {nearest}")


def _checked(name: str, value: ArrayLike, allowed: _Range) -> Numbers:
    clean = plain(name, value, allowed)
    # Least and greatest decide for all, in two passes and without a temporary array; NaN is in no range.
    if isinstance(clean, np.ndarray):
        fine = not clean.size or (allowed.holds(clean.min()) and allowed.holds(clean.max()))
    else:
        fine = allowed.holds(clean)
    if fine:
        return clean
    outside = ~np.asarray(allowed.holds(np.asarray(clean)), dtype=bool)
    where, culprit = first(name, clean, outside)
    is_nan = culprit != culprit
    raise (NotANumber if is_nan else OutOfRange)(where, culprit, str(allowed))
