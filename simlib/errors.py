"""What can be wrong with an argument, and the checks that every room shares.

A check takes an argument's name and value and hands back a clean value: a Python int or float for
a single number; otherwise an array of float64, of int64 or, past 64 bits, of Python ints. Whatever
is wrong becomes one error that names the argument, shows the value and says what is allowed.
"""

import difflib
import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = int | float | NDArray[Any]


class SimlibError(Exception):
    """The base of every error that simlib raises on purpose."""


class BadArgument(SimlibError, ValueError):
    """One argument is wrong: `argument` is its name, `value` what was given, `allowed` the rule.

    The three are the exception's own args, so that it survives the way out of a worker process.
    """

    _verb = "is"

    def __init__(self, argument: str, value: object, allowed: str) -> None:
        super().__init__(argument, value, allowed)
        self.argument, self.value, self.allowed = argument, value, allowed

    def __str__(self) -> str:
        shown = repr(self.value)
        shown = shown if len(shown) <= 60 else shown[:57] + "..."
        return f"{self.argument} {self._verb} {shown}; allowed: {self.allowed}"


class NotANumber(BadArgument):
    """Text, None, a truth value, NaN or a ragged list where numbers belong."""


class NotWhole(BadArgument):
    """A fraction where only whole numbers make sense."""


class OutOfRange(BadArgument):
    """A number outside the range in which the quantity means something."""


class ShapeMismatch(BadArgument):
    """Arrays whose shapes do not fit together, or that are too short."""

    _verb = "of shape"


class TooLarge(BadArgument):
    """Whole numbers whose result does not fit into an array's 64 bits."""


class NotAGenerator(BadArgument):
    """Something else where a random generator belongs: a seed, None, or numpy's old global state."""


class UnknownName(BadArgument):
    """A name that is not in the list; the message offers the nearest ones."""


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
    in_64_bits = not infinite and clean.max() < 2.0**63
    rounded = clean.astype(np.int64) if in_64_bits else np.floor(clean)
    fractional = rounded != clean
    if fractional.any():
        raise NotWhole(*_first(name, clean, fractional), str(allowed))
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


def broadcast_shape(**arguments: Numbers) -> tuple[int, ...]:
    """The shape that the named arguments have together, by numpy's broadcasting rule.

    arguments : numbers or arrays under their argument names.
    Returns the common shape; () if all are single numbers.
    Raises ShapeMismatch, which names every array with its shape.

    >>> broadcast_shape(calls=8, growth=np.ones((3, 1)))
    (3, 1)
    """
    shapes = {name: np.shape(value) for name, value in arguments.items() if np.ndim(value)}
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
    if value in names:
        return value
    nearest = ", ".join(difflib.get_close_matches(str(value), names, n=3, cutoff=0.3)) or "none"
    allowed = f"one of {len(names)} names" + (f", {also}" if also else "")
    raise UnknownName(name, value, f"{allowed}; nearest: {nearest}")


def _checked(name: str, value: ArrayLike, allowed: _Range) -> Numbers:
    clean = _plain(name, value, allowed)
    # Least and greatest decide for all, in two passes and without a temporary array; NaN is in no range.
    if isinstance(clean, np.ndarray):
        fine = not clean.size or (allowed.holds(clean.min()) and allowed.holds(clean.max()))
    else:
        fine = allowed.holds(clean)
    if fine:
        return clean
    outside = ~np.asarray(allowed.holds(np.asarray(clean)), dtype=bool)
    where, culprit = _first(name, clean, outside)
    is_nan = culprit != culprit
    raise (NotANumber if is_nan else OutOfRange)(where, culprit, str(allowed))


def _plain(name: str, value: ArrayLike, allowed: object) -> Numbers:
    """The value as int, float, or array of float64, int64 or Python ints; the range is not checked."""
    if type(value) in (int, float):
        return value  # type: ignore[return-value]  # mypy does not narrow by exact type
    try:
        array = np.asarray(value)
    except ValueError:
        raise NotANumber(name, value, f"{allowed}, in rectangular arrays") from None
    if not array.size:
        return array.astype(np.int64)  # nothing in it is a fraction
    if array.dtype.kind == "f" and not isinstance(value, np.ndarray) and array.max() >= 2.0**63:
        array = np.asarray(value, dtype=object)  # numpy makes floats of ints around 2^63; look again
    if array.dtype.kind == "O":
        array = _from_objects(name, array, allowed)
    elif array.dtype.kind == "u" and array.max() > np.iinfo(np.int64).max:
        array = array.astype(object)
    elif array.dtype.kind in "iu":
        array = array.astype(np.int64, copy=False)
    elif array.dtype.kind == "f":
        array = array.astype(np.float64, copy=False)
    else:
        raise NotANumber(name, value, str(allowed))
    return array if array.ndim else array.item()


def _from_objects(name: str, array: NDArray[Any], allowed: object) -> NDArray[Any]:
    """Python ints stay what they are, whatever their size; ints mixed with floats become float64."""
    wrong = [not isinstance(e, (int, float)) or isinstance(e, bool) for e in array.flat]
    if any(wrong):
        raise NotANumber(*_first(name, array, np.reshape(wrong, array.shape)), str(allowed))
    if all(isinstance(element, int) for element in array.flat):
        return array
    try:
        return array.astype(np.float64)
    except OverflowError:
        raise TooLarge(name, array.tolist(), "numbers that a float can hold") from None


def _first(name: str, values: Numbers, wrong: NDArray[np.bool_]) -> tuple[str, Any]:
    """Where the first wrong element stands, as name[index], and what it is."""
    where = tuple(np.argwhere(wrong)[0].tolist())
    place = f"{name}[{', '.join(map(str, where))}]" if where else name
    return place, np.asarray(values, dtype=object)[where]
