"""A model that follows a script: a list of steps, or a generator that is sent what the tools returned.

A script decides what is asked and said, nothing else: tools really run, tokens are counted, the cache is
simulated. When it runs out it says so; it never makes up an answer.
"""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Any

from simlib.errors import BadArgument, SimlibError
from simlib.models.turn import Blocks, Turn

Playing = Generator[Blocks, list[str], None]


class ScriptEnded(SimlibError):
    """A script that was asked for one step more than it has."""


def call(name: str, /, **arguments: Any) -> Blocks:
    """A step that asks for a tool.

    name : of the tool. arguments : for it.
    Returns the step.
    Raises nothing.

    >>> call("search", text="7001")
    [{'type': 'tool_use', 'name': 'search', 'input': {'text': '7001'}}]
    """
    return [{"type": "tool_use", "name": name, "input": arguments}]


def say(text: str) -> Blocks:
    """A step that says something; alone it is the answer, before calls the reasoning.

    text : what is said.
    Returns the step.
    Raises nothing.

    >>> say("Growth.") + call("search", text="Growth")
    [{'type': 'text', 'text': 'Growth.'}, {'type': 'tool_use', 'name': 'search', 'input': {'text': 'Growth'}}]
    """
    return [{"type": "text", "text": text}]


def think(text: str) -> Blocks:
    """A step's thinking, before what it says or asks for.

    text : what is thought.
    Returns the step.
    Raises nothing.

    >>> think("Port 7001 is a service's.")[0]["type"]
    'thinking'
    """
    return [{"type": "thinking", "thinking": text, "signature": "simulated"}]


class Script:
    """Plays one run. `steps` is a list of steps, or a function that gives a generator: it yields steps and is
    sent the texts of their results, in the order asked. What the request says does not matter to it.

    >>> def looks_twice():
    ...     (found,) = yield call("search", text="7001")
    ...     yield say(f"It says: {found}")
    >>> script = Script(looks_twice)
    >>> script.next_step([])[0]["name"], script.next_step(["Growth"])[0]["text"]
    ('search', 'It says: Growth')
    """

    def __init__(self, steps: Sequence[Blocks] | Callable[[], Playing]) -> None:
        self._playing = steps() if callable(steps) else _of_list(steps)
        self._given = 0

    def next_turn(self, request: Mapping[str, Any], results: list[str]) -> Turn:
        """The step after these results, as a model's turn."""
        return Turn(self.next_step(results))

    def next_step(self, results: list[str]) -> Blocks:
        """The step after these results; ScriptEnded if there is none."""
        try:
            step = next(self._playing) if not self._given else self._playing.send(results)
        except StopIteration:
            raise ScriptEnded(f"the script has {self._given} steps, and another one was asked for") from None
        self._given += 1
        if not isinstance(step, list) or not all(
            isinstance(block, dict) and "type" in block for block in step
        ):
            raise BadArgument(
                f"step {self._given} of the script", step, "what call, say and think return, added up"
            )
        return step


def _of_list(steps: Iterable[Blocks]) -> Playing:
    for step in steps:  # noqa: UP028  # an iterator of a list could not be sent the results
        yield step
