"""Numbers as people type them: 1,358 or 1 358, $0.37, 12 %, 0,122, 1/8, 226.9 million tokens."""

import re
from typing import Any

from simlib.errors import NotANumber

ALLOWED = "a number such as 1,234 or 0.5 or 50%"

_SPACES = re.compile(r"[\s_\u00a0\u202f'\u2019]")
_PARTS = re.compile(r"([^a-zA-Z%]*(?:[eE][+-]?\d+)?)(%?)([a-zA-Z]*)")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?")
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+")
_EUROPEAN = re.compile(r"[+-]?[1-9]\d{0,2}((\.\d{3}){2,}|(\.\d{3})+,\d+)(,\d+)?")
_FRACTION = re.compile(r"([+-]?[\d.]+)/([\d.]+)")
_SIZES = {"k": 1e3, "m": 1e6}  # alone; "thousand" and "million" may have a unit behind them


def read_number(typed: Any, name: str = "your answer", *, percent: bool = False) -> float:
    """The number that somebody typed.

    typed : text, or a number of any kind. name : what the message calls it.
    percent : whether a bare number of 1 or more means per cent.
    Returns a float. A percent sign divides by a hundred, k, thousand and million multiply; a dollar sign and
    the unit after the number are left out, so that "14 calls" is 14.
    Raises NotANumber.

    >>> read_number("1,358 tokens"), read_number("12 %"), read_number("$0.3768"), read_number("0,122")
    (1358.0, 0.12, 0.3768, 0.122)
    """
    if not isinstance(typed, str):
        return _percent(_finite(typed, typed, name), percent)
    clean = _SPACES.sub("", typed).replace("\N{MINUS SIGN}", "-").replace("\N{MULTIPLICATION SIGN}", "x")
    parts = _PARTS.fullmatch(re.sub(r"US\$|[$€]", "", clean))
    if parts is None:
        raise NotANumber(name, typed, ALLOWED)
    digits, sign, word = parts.groups()
    number = _finite(_value(digits.rstrip(".") or digits), typed, name) * _size(word.lower())
    return number / 100 if sign or word.lower().startswith("percent") else _percent(number, percent)


def _value(digits: str) -> float | str:
    """The number in digits alone; the digits themselves where they are none."""
    if _THOUSANDS.fullmatch(digits):
        return digits.replace(",", "")
    if _EUROPEAN.fullmatch(digits):
        return digits.replace(".", "").replace(",", ".")
    if _DECIMAL_COMMA.fullmatch(digits):
        return digits.replace(",", ".")
    fraction = _FRACTION.fullmatch(digits)
    if fraction and float(fraction[2]):
        return float(fraction[1]) / float(fraction[2])
    return digits


def _size(word: str) -> float:
    if word.startswith("thousand"):
        return 1e3
    return 1e6 if word.startswith("million") else _SIZES.get(word, 1)


def _percent(number: float, percent: bool) -> float:
    return number / 100 if percent and abs(number) >= 1 else number


def _finite(value: Any, typed: Any, name: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise NotANumber(name, typed, ALLOWED) from None
    if isinstance(value, bool) or number != number or abs(number) == float("inf"):
        raise NotANumber(name, typed, ALLOWED)
    return number
