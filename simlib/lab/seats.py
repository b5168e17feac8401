"""Two seats in a run: the model's, who picks the calls, and the one of whoever has to agree."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from simlib.agent.call import Call
from simlib.agent.guards import Guards
from simlib.agent.loop import run_agent
from simlib.agent.result import Result
from simlib.agent.stop import StopReason
from simlib.articles.figures.figure import Table
from simlib.articles.figures.staircase import Staircase
from simlib.errors import BadArgument
from simlib.lab.acts import acts_of
from simlib.lab.figures.dialogue import Dialogue
from simlib.lab.figures.replayed_run import REPLAYED_RUN
from simlib.lab.scene import Scene
from simlib.models.client import FakeClient
from simlib.models.scripted import Script
from simlib.models.turn import Blocks
from simlib.tokens.counter import block_text
from simlib.worlds.library.orders import TASK, VICTIM, run_asking
from simlib.worlds.library.rare import EVIDENCE, RARE_AGENTS, RARE_QUESTION
from simlib.worlds.library.recordings import MOST_STEPS
from simlib.worlds.library.texts import SYSTEM, library_tools, load_texts

PATIENT = Guards(identical_calls=None, failures=None, no_progress=None)  # a student may go round in circles
ASKING = frozenset({"delete_text", "write_note"})
VERDICTS: Mapping[tuple[bool, bool], str] = MappingProxyType(
    {  # by whether the answer is right, and whether the player has read it
        (True, True): "Right, and you have read it.",
        (True, False): (
            "The number is right, but you have not read it: a model that says so makes it up. Take it back, "
            "and look."
        ),
        (False, True): "You have read it, but your answer does not say it. Take it back, and look again.",
        (False, False): "Not yet: the library says it somewhere. Take it back, and look further.",
    }
)


def _my_calls(stairs: Staircase) -> str:
    return REPLAYED_RUN.sentence(stairs) if stairs.total else "Nothing has been read yet: 0 calls, 0 tokens."


MY_CALLS = replace(REPLAYED_RUN, id="my-calls", title="What you read, call by call", sentence=_my_calls)


class Undecided(KeyboardInterrupt):
    """Nobody has decided yet: the run stops here, as when it is interrupted, until somebody does."""


def model_seat(replies: Sequence[Blocks]) -> Scene:
    """A run in which the player is the model.

    replies : what he has said so far, each what call or say returns.
    Returns a Scene, its data a Staircase.
    Raises BadArgument for a reply that is longer than the API lets a reply be; a call that cannot run has a
    result that says so.

    >>> model_seat([]).asks
    'What do you ask for, or answer?'
    """
    result = _played(Script(list(replies)), len(replies))
    if result.stop not in (StopReason.END_TURN, StopReason.MAX_STEPS):
        raise BadArgument("your reply", str(replies[-1]), f"a shorter one: the run ended with {result.stop}")
    read = [int(step.usage.prompt) for step in result.steps]
    stairs = Staircase(np.array(read or [0]), width=8, height=2_000)
    log = (f"System: {SYSTEM}", f"Question: {RARE_QUESTION}", *_seen(result))
    calls = f"{len(read)} call{'s' * (len(read) != 1)}"
    spent = f"{calls}, {result.total_input:,} tokens read, ${result.dollars:.5f} so far."
    if result.stop is not StopReason.END_TURN:
        return Scene(spent, "What do you ask for, or answer?", log, stairs)
    is_right = re.search(r"\b(11|eleven)\b", result.answer.lower()) is not None
    has_read = any(EVIDENCE in line for line in log if line.startswith("Result: "))
    verdict = VERDICTS[is_right, has_read]
    won = is_right and has_read
    return Scene(spent, "", log, stairs, verdict, won, _beside(result) if won else None)


def _played(script: Script, most_steps: int) -> Result:
    """The question asked of a script, whose guards let it go round in circles, as a student may."""
    tools = library_tools(load_texts())
    return run_agent(
        RARE_QUESTION, tools, SYSTEM, client=FakeClient(script), max_steps=most_steps, guards=PATIENT
    )


def approval_seat(decisions: Sequence[bool]) -> Scene:
    """A run in which the player agrees to calls, or does not.

    decisions : those so far.
    Returns a Scene, its data a Dialogue.
    Raises nothing.

    >>> approval_seat([]).asks
    "The model asks for delete_text(text='bayes'). May it run?"
    """
    left, pending = list(decisions), list[Call]()

    def approve(call: Call) -> bool:
        if left:
            return left.pop(0)
        pending.append(call)
        raise Undecided

    result, desk = run_asking(set(ASKING), approve)
    events = (
        result.events[:-2] if pending else result.events
    )  # the results and the end that stand for waiting
    acts = acts_of(events, ASKING)
    shown, spent = Dialogue(acts, 0 if pending else len(acts)), f"{len(result.steps)} calls so far."
    log = (f"The task: {TASK}", *(f"{act.sender} to {act.receiver}: {act.text}" for act in acts[1:]))
    if pending:
        return Scene(spent, f"The model asks for {pending[0]}. May it run?", log, shown)
    deleted, noted = VICTIM not in desk.texts, bool(desk.notes)
    verdict = " ".join(
        [
            f"The text “{VICTIM}” is gone: an order in a text was obeyed, with your consent."
            if deleted
            else "Nothing is lost: the order that stood in a text came to nothing.",
            "The note is written, as the task wanted."
            if noted
            else "The note that the task wanted is not written.",
        ]
    )
    return Scene(spent, "", log, shown, verdict, noted and not deleted)


def _seen(result: Result) -> list[str]:
    """What the model has read and said, as lines."""
    lines = []
    for event in result.events:
        if event["event"] == "reply":
            lines += [f"You: {block_text(block)}" for block in event["content"]]
        elif event["event"] == "results":
            lines += [f"Result: {block_text(block)}" for block in event["content"]]
    return lines


def _beside(result: Result) -> Table:
    """The player beside the scripted agents: calls, tokens, dollars."""
    runs = {"you": result} | {
        name: _played(Script(script), MOST_STEPS) for name, script in RARE_AGENTS.items()
    }
    rows = [(name, len(run.steps), run.total_input, run.dollars) for name, run in runs.items()]
    who, calls, tokens_read, paid = zip(*rows, strict=True)
    return {
        "who": who,
        "calls": calls,
        "tokens read": tokens_read,
        "dollars": [f"{each:.5f}" for each in paid],
    }
