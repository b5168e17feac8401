"""What a fake model says when it is asked, and who may stand where a model stands."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from simlib.billing.usage import Usage

Blocks = list[dict[str, Any]]


class Turn(NamedTuple):
    """One reply before the API has dressed it: its blocks, and what the model knows better than the client.

    `stop_reason` is None where the blocks say it. `usage` and `seconds` are those of a recording, None where
    the client is to work them out. `notes` say what was done to the reply, for the transcript.
    """

    content: Blocks
    stop_reason: str | None = None
    usage: Usage | None = None
    seconds: float | None = None
    notes: tuple[str, ...] = ()


class FakeModel(Protocol):
    """Who decides what is said."""

    def next_turn(self, request: Mapping[str, Any], results: list[str]) -> Turn:
        """The next reply to a request in the API's shape, whose last message brings the texts `results`; an
        ApiError to be overloaded, ScriptEnded to have nothing left.
        """


def cut(content: Blocks, count: Callable[[Mapping[str, Any]], int], limit: int) -> Blocks:
    """A reply as it is cut at a number of tokens.

    content : its blocks. count : gives a block's tokens. limit : tokens.
    Returns whole blocks as far as they go, and a part of a text; a call is whole or not there.
    Raises nothing.

    >>> cut([{"type": "text", "text": "It is 0.119"}], lambda block: len(block["text"]), 6)
    [{'type': 'text', 'text': 'It is '}]
    """
    kept: Blocks = []
    for block in content:
        tokens = count(block)
        if tokens <= limit:
            kept.append(block)
            limit -= tokens
            continue
        if block["type"] == "text":
            part = block["text"][: len(block["text"]) * limit // tokens]
            kept += [{**block, "text": part}] if part.strip() else []
        break
    return kept
