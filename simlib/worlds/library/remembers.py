"""An agent that may have notes: it looks there first, searches if they do not help, and writes down where it
found what.

It is a script that reacts, and computes its answers from the passage that it has just read.
"""

import re
from collections.abc import Callable, Generator, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import NamedTuple

from simlib.errors import known
from simlib.models.scripted import Playing, call, say
from simlib.models.turn import Blocks
from simlib.worlds.library.agents import searches
from simlib.worlds.library.texts import QUESTION

RELATED = (
    "Of the two directions of KL divergence in the library's example: which one costs more, and by how many "
    "bits?"
)
NOT_FOUND = "Not found: these texts have no example of it."
PLAN = ("find where the example stands", "answer from it")
_COST = re.compile(r"probability (\d\.\d+) while the forecast says (\d\.\d+)\D*(\d\.\d+) bits")
_NOTED = re.compile(r"^\d+\. (\S+), characters (\d+) to (\d+):", re.MULTILINE)


class Cost(NamedTuple):
    """What a belief costs where something else is true: two probabilities, as they are written, and bits."""

    true: str
    believed: str
    bits: Decimal


class Passage(NamedTuple):
    """A passage that holds the example: the text's `name`, where it starts and ends, both of its `costs`."""

    name: str
    start: int
    end: int
    costs: tuple[Cost, Cost]

    @property
    def note(self) -> str:
        """What to write down: the place, since whoever reads there sees whether it still holds."""
        return (
            f"{self.name}, characters {self.start} to {self.end}: an example of KL divergence in both "
            "directions"
        )


def remembers(task: str, *, notes: bool = True, plan: bool = False) -> Callable[[], Playing]:
    """The agent for one session.

    task : QUESTION or RELATED. notes : whether it has tools for notes. plan : whether it writes a plan at its
    start, and ticks it off before its answer.
    Returns a function that gives a generator of steps.
    Raises UnknownName for another task.

    >>> next(remembers(RELATED)())[1]["name"], next(remembers(RELATED, notes=False)())[1]["name"]
    ('read_notes', 'search')
    """
    answer = ANSWERS[known("task", task, ANSWERS)]

    def playing() -> Playing:
        if plan:
            yield say("First my plan.") + _planned(done=False)
        passage = yield from (_remembered() if notes else _searched())
        if plan and passage:
            yield say("I tick it off.") + _planned(done=True)
        yield say(answer(passage) if passage else NOT_FOUND)

    return playing


def _remembered() -> Generator[Blocks, list[str], Passage | None]:
    """Where the newest note says, or else what a search finds, which is then noted."""
    (notes,) = yield say("I look whether there are notes.") + call("read_notes")
    for name, start, end in _NOTED.findall(notes)[-1:]:
        (read,) = yield say("I look there.") + call("read", text=name, start=int(start), end=int(end))
        passage = _passage(name, int(start), read)
        if passage:
            return passage
    passage = yield from _searched()
    if passage:
        yield say("I write down where it is.") + call("write_note", text=passage.note)
    return passage


def _searched() -> Generator[Blocks, list[str], Passage | None]:
    """What the agent that searches reads last; its answer is left out."""
    searching = searches()
    step = next(searching)
    while step[-1]["type"] == "tool_use":
        asked, results = step[-1]["input"], (yield step)
        step = searching.send(results)
    return _passage(asked["text"], asked["start"], results[0]) if "start" in asked else None


def _passage(name: str, start: int, read: str) -> Passage | None:
    """The example in what was read, None if it is not there."""
    found = list(_COST.finditer(read))[:2]
    if len(found) < 2:
        return None
    one, other = (Cost(match[1], match[2], Decimal(match[3])) for match in found)
    return Passage(name, start + found[0].start(), start + found[1].end(), (one, other))


def _planned(*, done: bool) -> Blocks:
    return call("write_plan", steps=[{"text": text, "done": done} for text in PLAN])


def _why(passage: Passage) -> str:
    one, other = passage.costs
    return (
        f"Because it is not the same in both directions: {one.bits} bits one way and {other.bits} bits the "
        f"other (from “{passage.name}”)."
    )


def _which(passage: Passage) -> str:
    less, more = sorted(passage.costs, key=lambda cost: cost.bits)
    if less.bits == more.bits:
        return f"Neither: it is {more.bits} bits both ways (from “{passage.name}”)."
    return (
        f"Believing {more.believed} where {more.true} is true costs more, by {more.bits - less.bits} bits "
        f"(from “{passage.name}”)."
    )


ANSWERS: Mapping[str, Callable[[Passage], str]] = MappingProxyType({QUESTION: _why, RELATED: _which})
