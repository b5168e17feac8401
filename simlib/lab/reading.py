"""Numbers as people type them: 1,358 or 1 358, $0.37, 12 %, 0,122."""

import re
from typing import Any

from simlib.errors import NotANumber

ALLOWED = "a number such as 125,600 or 0.122 or 12 %"

_SPACES = re.compile(r"[\s_\u00a0\u202f']")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?")
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+")


def read_number(text: Any, name: str = "your answer") -> float:
    """The number that somebody typed.

    text : what was typed, or a number. name : what the message calls it.
    Returns a float; a percent sign divides by a hundred, a dollar sign and units of words are left out.
    Raises NotANumber.

    >>> read_number("1,358"), read_number("12 %"), read_number("$0.3768"), read_number("0,122")
    (1358.0, 0.12, 0.3768, 0.122)
    """
    if isinstance(text, bool) or text is None or text is ...:
        raise NotANumber(name, text, ALLOWED)
    if not isinstance(text, str):
        return _finite(text, name)
    clean = _SPACES.sub("", text).replace("\N{MINUS SIGN}", "-").strip("$€")
    clean = re.sub(r"(?<=[\d.%])(tokens?|calls?|steps?|times|tasks|dollars?|x|×)$", "", clean)
    percent = clean.endswith("%")
    clean = clean.removesuffix("%")
    if _THOUSANDS.fullmatch(clean):
        clean = clean.replace(",", "")
    elif _DECIMAL_COMMA.fullmatch(clean):
        clean = clean.replace(",", ".")
    try:
        number = float(clean)
    except ValueError:
        raise NotANumber(name, text, ALLOWED) from None
    return _finite(number / 100 if percent else number, name)


def _finite(number: Any, name: str) -> float:
    try:
        value = float(number)
    except (TypeError, ValueError):
        raise NotANumber(name, number, ALLOWED) from None
    if value != value or value in (float("inf"), float("-inf")):
        raise NotANumber(name, number, ALLOWED)
    return value
