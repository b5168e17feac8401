"""A fixed chain of three prompts beside the loop: the same model, but the code decides every step.

First a phrase, then the code searches; then a place, and the code reads; then the answer. What the code did
not foresee it cannot do: there is no second phrase.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from simlib.agent.ledger import Ledger
from simlib.billing.usage import Usage, usage_from_api
from simlib.models.client import FakeClient
from simlib.models.scripted import say
from simlib.models.turn import Turn
from simlib.worlds.library.agents import EXCERPT, PHRASES, answer_from, places_in
from simlib.worlds.library.texts import QUESTION, library_tools, load_texts

MODEL = "claude-haiku-5-5"
FIRST = "Write one phrase to search a small library for, to answer this question:"
SECOND = "Name the place to read on from, as text:position, or “none”:"
THIRD = "Answer the question from this excerpt alone:"


class Link(NamedTuple):
    """One of the chain's prompts: what was sent, what the model said, its usage and exact dollars, and what
    the code did with it then (the tool's call and its result, empty if it did nothing).
    """

    prompt: str
    said: str
    usage: Usage
    dollars: Decimal
    did: str = ""
    result: str = ""


class Reader:
    """The chain's model: it answers each prompt from what stands in it. `phrase` is what it searches for."""

    def __init__(self, phrase: str = PHRASES[0]) -> None:
        self._phrase = phrase

    def next_turn(self, request: Mapping[str, Any], results: list[str]) -> Turn:
        """The reply to the one message of a request."""
        prompt = request["messages"][0]["content"]
        if prompt.startswith(FIRST):
            return Turn(say(self._phrase))
        if prompt.startswith(SECOND):
            places = places_in(prompt)
            return Turn(say(f"{places[-1][0]}:{places[-1][1]}" if places else "none"))
        excerpt = prompt.split("\n", 2)[2]
        if not excerpt:
            return Turn(say("I do not know: there is no excerpt."))
        return Turn(say(answer_from("the excerpt", excerpt)))


def run_chain(phrase: str = PHRASES[0]) -> tuple[Link, ...]:
    """Three prompts, one after the other, whatever comes out.

    phrase : what the model thinks of first.
    Returns the three links.
    Raises nothing.

    >>> [link.said for link in run_chain()]
    ['KL divergence is not a distance', 'none', 'I do not know: there is no excerpt.']
    """
    client = FakeClient(Reader(phrase))
    ledger = Ledger(client.catalogue, client.day)
    _, search, read = library_tools(load_texts())
    first = _asked(client, ledger, f"{FIRST}\n{QUESTION}")
    found = search(text=first.said)
    second = _asked(client, ledger, f"{SECOND}\n{QUESTION}\n{found}")
    place = re.fullmatch(r"(\S+):(\d+)", second.said)
    excerpt, did = "", ""
    if place:
        start = int(place[2])
        excerpt = read(text=place[1], start=start, end=start + EXCERPT)
        did = f"read({place[1]!r}, {start}, {start + EXCERPT})"
    third = _asked(client, ledger, f"{THIRD}\n{QUESTION}\n{excerpt}")
    return (
        first._replace(did=f"search({first.said!r})", result=found),
        second._replace(did=did, result=excerpt),
        third,
    )


def _asked(client: FakeClient, ledger: Ledger, prompt: str) -> Link:
    """One prompt, alone: no tools, and nothing of what was said before."""
    message: Any = client.messages.create(
        model=MODEL, max_tokens=1_000, messages=[{"role": "user", "content": prompt}]
    )
    usage = usage_from_api(message.usage.model_dump())
    dollars = ledger.charge(MODEL, usage)
    assert dollars is not None  # the catalogue has this model
    return Link(prompt, message.content[0].text, usage, dollars)
