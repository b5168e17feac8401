"""One-off retrieval: texts cut into pieces, and the pieces most like a question by their words."""

import math
import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from simlib.errors import single, whole


class Piece(NamedTuple):
    """A part of a text: its `name`, where it starts, in characters, and what it says."""

    name: str
    start: int
    text: str


def pieces(texts: Mapping[str, str], words: int = 45) -> list[Piece]:
    """Cut texts into pieces.

    texts : by name. words : of each piece; the last one of a text has what is left.
    Returns pieces in the order of the texts.
    Raises OutOfRange for pieces of no words.

    >>> [piece.text for piece in pieces({"a": "one two three"}, words=2)]
    ['one two', 'three']
    """
    size = single("words", whole("words", words, low=1))
    found = []
    for name, text in texts.items():
        starts = [match.span() for match in re.finditer(r"\S+", text)]
        for at in range(0, len(starts), size):
            part = starts[at : at + size]
            found.append(Piece(name, part[0][0], text[part[0][0] : part[-1][1]]))
    return found


def most_like(question: str, among: list[Piece], count: int = 3) -> list[Piece]:
    """The pieces whose words are most like those of a question: cosine of TF-IDF vectors.

    question : in words. among : the pieces. count : how many to return.
    Returns pieces, the most like first; of equal ones the earlier.
    Raises OutOfRange for a count below 1.

    >>> [piece.name for piece in most_like("whose port", pieces({"a": "a port", "b": "a team"}), count=1)]
    ['a']
    """
    wanted = single("count", whole("count", count, low=1))
    bags = [Counter(_words(piece.text)) for piece in among]
    spread = Counter(word for bag in bags for word in bag)
    rarity = {word: math.log((1 + len(bags)) / (1 + number)) + 1 for word, number in spread.items()}
    asked = {word: number * rarity.get(word, 0.0) for word, number in Counter(_words(question)).items()}

    def likeness(at: int) -> float:
        vector = {word: number * rarity[word] for word, number in bags[at].items()}
        length = math.sqrt(sum(weight**2 for weight in vector.values())) or 1.0
        return sum(weight * vector.get(word, 0.0) for word, weight in asked.items()) / length

    ranked = sorted(range(len(among)), key=lambda at: (-likeness(at), at))
    return [among[at] for at in ranked[:wanted]]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
