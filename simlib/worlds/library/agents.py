"""Two agents for one question: one searches and reads an excerpt, one reads everything in order.

They are scripts that react: each decides by what the tools returned, and answers only from what it has read.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from simlib.models.scripted import Playing, call, say
from simlib.worlds.library.texts import load_texts

Answer = Callable[[str, str], str]

EXCERPT = 600  # characters
PHRASES = "KL divergence is not a distance", "KL divergence"  # what is searched for, in this order
NOTHING = "nothing found"
_PLACE = re.compile(r"^(\S+):(\d+): ", re.MULTILINE)
_BITS = re.compile(r"costs (\d\.\d+) bits|: (\d\.\d+) bits")


def searches() -> Playing:
    """The agent that searches: for the words of the question, then for the name of the thing, and reads
    around it.

    Returns a generator of steps.
    Raises nothing.

    >>> next(searches())[1]["input"]
    {'text': 'KL divergence is not a distance'}
    """
    return look_up(PHRASES, answer_from)


def reads_everything() -> Playing:
    """The agent that does not search: it reads one text after another until it comes across the answer.

    Returns a generator of steps.
    Raises nothing.

    >>> next(reads_everything())[1]["input"]
    {'text': 'agents'}
    """
    return read_until(lambda text: len(_BITS.findall(text)) > 1, answer_from)


def look_up(phrases: Sequence[str], answer: Answer) -> Playing:
    """Search for one phrase after another, read on from the last place that was found, and answer from that.

    phrases : what to search for. answer : gives the answer from a text's name and what was read of it.
    Returns a generator of steps.
    Raises nothing.

    >>> next(look_up(["tests positive"], answer_from))[0]["text"]
    'I look for “tests positive”.'
    """
    found, words = NOTHING, list(phrases)
    while found == NOTHING and words:
        wanted = words.pop(0)
        (found,) = yield say(f"I look for “{wanted}”.") + call("search", text=wanted)
    places = places_in(found)
    if found.startswith("denied"):
        yield say("My search was denied, so I do not know.")
        return
    if not places:
        yield say("I found nothing about it in these texts.")
        return
    name, at = places[-1]
    start = int(at)
    (excerpt,) = yield say(f"It is in “{name}”. I read on from there.") + call(
        "read", text=name, start=start, end=start + EXCERPT
    )
    yield say(answer(name, excerpt))


def read_until(holds: Callable[[str], bool], answer: Answer) -> Playing:
    """Read one text after another until one holds the answer.

    holds : whether a text does. answer : gives it from a text's name and the text.
    Returns a generator of steps.
    Raises nothing.

    >>> next(read_until(lambda text: False, answer_from))[1]["name"]
    'read'
    """
    for name in load_texts():
        (text,) = yield say(f"I read “{name}”.") + call("read", text=name)
        if holds(text):
            yield say(answer(name, text))
            return
    yield say("None of the texts says it.")


def places_in(found: str) -> list[tuple[str, str]]:
    """Where a search found something.

    found : what the search tool returned.
    Returns names of texts with positions, as texts.
    Raises nothing.

    >>> places_in("information:543: …the difference is called…")
    [('information', '543')]
    """
    return _PLACE.findall(found)


def answer_from(name: str, read: str) -> str:
    """The answer that stands in a passage, and nothing that does not.

    name : of the text. read : the passage.
    Returns a sentence.
    Raises nothing.

    >>> answer_from("bayes", "Evidence multiplies odds.")
    'It is not symmetric, says “bayes”, but I found no example.'
    """
    numbers = ["".join(found) for found in _BITS.findall(read)]
    if len(numbers) < 2:
        return f"It is not symmetric, says “{name}”, but I found no example."
    return (
        f"Because it is not the same in both directions: {numbers[0]} bits one way and {numbers[1]} bits the "
        f"other (from “{name}”)."
    )


AGENTS: Mapping[str, Callable[[], Playing]] = MappingProxyType(
    {"library-search": searches, "library-read-everything": reads_everything}
)
