"""What of a text decides how many tokens it has: counts of words, digits and signs, and the letters beyond
ASCII by script.
"""

import re
from typing import NamedTuple

_WORDS = re.compile(r"[^\W\d_]+")
_NUMBERS = re.compile(r"\d+")
_SPACES = re.compile(r"\s")
_RUNS = re.compile(r"[ \t]{2,}")
_CAPITALS = re.compile(r"[A-Z]")
_LATIN = re.compile(r"[\u0080-\u036f\u1e00-\u2bff]")  # accented Latin letters, and signs such as dashes
_ALPHABETS = re.compile(r"[\u0370-\u1dff]")  # Greek, Cyrillic, Hebrew, Arabic and other alphabets
_CHARACTERS = re.compile(r"[\u2c00-\U0010ffff]")  # Chinese, Japanese, Korean, and pictures

LONG_WORD = 6  # letters; what a word has beyond them is counted apart


class Features(NamedTuple):
    """The counts of a text; each is multiplied by what it adds to the tokens."""

    words: int
    letters_beyond_six: int
    capitals: int
    numbers: int
    further_digits: int
    punctuation: int
    newlines: int
    runs_of_spaces: int
    accented: int
    alphabets: int
    characters: int


def features(text: str) -> Features:
    """The counts of a text.

    text : any.
    Returns Features.
    Raises nothing.

    >>> features("Port 7001, please.")[:6]
    (2, 0, 1, 1, 3, 2)
    """
    words, numbers = _WORDS.findall(text), _NUMBERS.findall(text)
    letters, digits = sum(map(len, words)), sum(map(len, numbers))
    beyond = sum(len(word) - LONG_WORD for word in words if len(word) > LONG_WORD and word.isascii())
    punctuation = len(text) - letters - digits - len(_SPACES.findall(text))
    foreign = (0, 0, 0)
    if not text.isascii():
        foreign = tuple(len(kind.findall(text)) for kind in (_LATIN, _ALPHABETS, _CHARACTERS))  # type: ignore[assignment]
    return Features(
        len(words),
        beyond,
        len(_CAPITALS.findall(text)),
        len(numbers),
        digits - len(numbers),
        punctuation,
        text.count("\n"),
        len(_RUNS.findall(text)),
        *foreign,
    )
