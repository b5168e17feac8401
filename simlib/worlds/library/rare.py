"""A second question for the library, whose words do not stand in it: on a test for a rare illness."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from simlib.models.scripted import Playing
from simlib.worlds.library.agents import look_up, read_until

RARE_QUESTION = (
    "A medical examination is right in 99 of 100 cases, and the illness is rare: one person in a thousand "
    "has it. What does the library say: of how many who are told that they are ill is one really ill?"
)
PHRASES = "medical examination", "tests positive"
EVIDENCE = "one case of eleven"


def answer_rare(name: str, read: str) -> str:
    """The answer that stands in a passage, and nothing that does not.

    name : of the text. read : the passage.
    Returns a sentence.
    Raises nothing.

    >>> answer_rare("bayes", "so he is ill in one case of eleven.")
    'One of eleven is really ill (from “bayes”).'
    """
    if EVIDENCE not in read:
        return f"“{name}” does not say it where I have read."
    return f"One of eleven is really ill (from “{name}”)."


RARE_AGENTS: Mapping[str, Callable[[], Playing]] = MappingProxyType(
    {
        "the script that searches": lambda: look_up(PHRASES, answer_rare),
        "the one that reads all": lambda: read_until(lambda text: EVIDENCE in text, answer_rare),
    }
)
