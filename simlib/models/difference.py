"""Where two requests differ, in words: what to look at when a recorded run does not play any more."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

AROUND = 30  # characters shown before and after the place where two texts part


class Difference(NamedTuple):
    """One place where a request is not the recorded one: `call` from 1, the `place` in the request, and what
    stands there in words.

    >>> print(Difference(2, "messages[2].content", "'B'", "'C'"))
    call 2: messages[2].content is 'C', the recording has 'B'
    """

    call: int
    place: str
    recorded: str
    sent: str

    def __str__(self) -> str:
        return f"call {self.call}: {self.place} is {self.sent}, the recording has {self.recorded}"


def differences(call: int, place: str, recorded: Any, sent: Any) -> Iterator[Difference]:
    """All places where two pieces of JSON differ, from the first on.

    call : from 1. place : of the pieces in the request. recorded, sent : the pieces.
    Returns an iterator of Difference; the keys of objects in the order of the alphabet.
    Raises nothing.

    >>> [str(each) for each in differences(1, "tools", [{"name": "search"}], [{"name": "find"}])]
    ["call 1: tools[0].name is 'find', the recording has 'search'"]
    """
    if isinstance(recorded, Mapping) and isinstance(sent, Mapping):
        for name in sorted({*recorded, *sent}):
            inner = f"{place}.{name}" if place else str(name)
            yield from _part(call, inner, recorded, sent, name, name in recorded, name in sent)
    elif isinstance(recorded, (list, tuple)) and isinstance(sent, (list, tuple)):
        for at in range(max(len(recorded), len(sent))):
            yield from _part(call, f"{place}[{at}]", recorded, sent, at, at < len(recorded), at < len(sent))
    elif type(recorded) is not type(sent) or recorded != sent:
        yield Difference(call, place, *_shown(recorded, sent))


def _part(
    call: int, place: str, recorded: Any, sent: Any, key: Any, was_there: bool, is_there: bool
) -> Iterator[Difference]:
    if was_there and is_there:
        yield from differences(call, place, recorded[key], sent[key])
    else:
        words = (
            _short(recorded[key]) if was_there else "nothing",
            _short(sent[key]) if is_there else "nothing",
        )
        yield Difference(call, place, *words)


def _shown(recorded: Any, sent: Any) -> tuple[str, str]:
    """Both in words; of long texts the part around the place where they part."""
    if not (isinstance(recorded, str) and isinstance(sent, str)):
        return _short(recorded), _short(sent)
    at = _parting(recorded, sent)
    begin = max(at - AROUND, 0)
    return _window(recorded, begin, at), _window(sent, begin, at)


def _parting(one: Sequence[Any], other: Sequence[Any]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))


def _window(text: str, begin: int, at: int) -> str:
    shown = text[begin : at + AROUND]
    return f"{'…' * (begin > 0)}{shown!r}{'…' * (at + AROUND < len(text))}"


def _short(value: Any) -> str:
    words = repr(value)
    return words if len(words) <= 2 * AROUND else f"{words[: 2 * AROUND]}…"
