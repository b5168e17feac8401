"""Scripts that live through a fault: one goes on where a recorded run was cut, one asks again for what was
interrupted.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from simlib.agent.dispatch import INTERRUPTED
from simlib.errors import BadArgument
from simlib.models.scripted import Playing, Script
from simlib.models.turn import Blocks
from simlib.tokens.counter import block_text


def continued(steps: Sequence[Blocks] | Callable[[], Playing], events: Iterable[Mapping[str, Any]]) -> Script:
    """A script where a recorded run left it: sent what the tools returned then, it says what comes next.

    steps : as for Script. events : of the run's transcript.
    Returns a Script.
    Raises BadArgument if the script does not say what the transcript has; ScriptEnded if it has less to say.

    >>> from simlib.models.scripted import say
    >>> reply = {"event": "reply", "content": say("I look.")}
    >>> continued([say("I look."), say("Growth.")], [reply]).next_step([])
    [{'type': 'text', 'text': 'Growth.'}]
    """
    script, results, said, waits = Script(steps), list[str](), 0, False
    for event in events:
        if event["event"] == "results" and waits:  # an interrupt may have had them written twice
            waits = False
            results = [block_text(block) for block in event["content"] if block["type"] == "tool_result"]
        elif event["event"] == "reply":
            said, waits = said + 1, True
            step, results = script.next_step(results), []
            if as_recorded(step) != as_recorded(event["content"]):
                recorded = f"what the transcript has: {event['content']}"
                raise BadArgument(f"step {said} of the script", step, recorded)
    return script


def patient(steps: Callable[[], Playing]) -> Callable[[], Playing]:
    """A script that says a step again whose call was interrupted, as most models would.

    steps : gives a generator of steps.
    Returns a function that gives another one.
    Raises nothing.

    >>> def looks():
    ...     (found,) = yield [{"type": "tool_use", "name": "search", "input": {}}]
    ...     yield [{"type": "text", "text": found}]
    >>> script = Script(patient(looks))
    >>> script.next_step([]) == script.next_step(["interrupted: this call did not finish"])
    True
    """

    def playing() -> Playing:
        inner = steps()
        step = next(inner, None)
        while step is not None:
            results = yield step
            if INTERRUPTED in results:
                continue
            try:
                step = inner.send(results)
            except StopIteration:
                return

    return playing


def as_recorded(content: Blocks) -> Blocks:
    """A reply's blocks as every transcript of it has them: without blank texts, which are not sent back, and
    without the ids of its calls, which are another run's every time.

    content : the blocks.
    Returns new blocks.
    Raises nothing.

    >>> as_recorded([{"type": "tool_use", "id": "toolu_1", "name": "search", "input": {}}])
    [{'type': 'tool_use', 'name': 'search', 'input': {}}]
    """
    said = [block for block in content if block["type"] != "text" or block["text"].strip()]
    return [{name: value for name, value in block.items() if name != "id"} for block in said]
