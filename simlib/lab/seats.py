"""Two seats in a run: the model's, who picks the calls, and the one of whoever has to agree."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np

from simlib.agent.call import Call
from simlib.agent.guards import Guards
from simlib.agent.loop import run_agent
from simlib.agent.result import Result
from simlib.agent.stop import StopReason
from simlib.articles.figures.figure import Table
from simlib.articles.figures.staircase import Staircase
from simlib.lab.acts import acts_of
from simlib.lab.figures.dialogue import dialogue
from simlib.lab.figures.replayed_run import REPLAYED_RUN
from simlib.lab.scene import Scene
from simlib.models.client import FakeClient
from simlib.models.scripted import Script
from simlib.models.turn import Blocks
from simlib.theory.information import kl_divergence
from simlib.tokens.counter import block_text
from simlib.worlds.library.agents import AGENTS
from simlib.worlds.library.orders import VICTIM, run_asking
from simlib.worlds.library.recordings import load_recording
from simlib.worlds.library.texts import QUESTION, SYSTEM, library_tools, load_texts

PATIENT = Guards(identical_calls=None, failures=None, no_progress=None)  # a student may go round in circles
ASKING = frozenset({"delete_text", "write_note"})
NAMES = {"library-search": "the script that searches", "library-read-everything": "the one that reads all"}


def _my_calls(stairs: Staircase) -> str:
    return REPLAYED_RUN.sentence(stairs) if stairs.total else "Nothing has been read yet: 0 calls, 0 tokens."


MY_CALLS = replace(REPLAYED_RUN, id="my-calls", title="What you read, call by call", sentence=_my_calls)


class Undecided(KeyboardInterrupt):
    """Nobody has decided yet: the run stops here, as when it is interrupted, until somebody does."""


def model_seat(replies: Sequence[Blocks]) -> Scene:
    """A run in which the player is the model.

    replies : what he has said so far, each what call or say returns.
    Returns a Scene, its data a Staircase.
    Raises nothing: a call that cannot run has a result that says so.

    >>> model_seat([]).asks
    'What do you ask for, or answer?'
    """
    client = FakeClient(Script(list(replies)))
    result = run_agent(
        QUESTION, library_tools(load_texts()), SYSTEM, client=client, max_steps=len(replies), guards=PATIENT
    )
    read = [int(step.usage.prompt) for step in result.steps]
    stairs = Staircase(np.array(read or [0]), width=8, height=2_000)
    log = (f"System: {SYSTEM}", f"Question: {QUESTION}", *_seen(result))
    calls = f"{len(read)} call{'s' * (len(read) != 1)}"
    spent = f"{calls}, {result.total_input:,} tokens read, ${result.dollars:.5f} so far."
    if result.stop is not StopReason.END_TURN:
        return Scene(spent, "What do you ask for, or answer?", log, stairs)
    won = all(number in result.answer.replace(",", ".") for number in _bits())
    verdict = (
        "Right: both numbers of the library's example are in your answer."
        if won
        else "Not yet: the library has an example with two numbers of bits, and they are not both in your "
        "answer. Take it back, and look further."
    )
    return Scene(spent, "", log, stairs, verdict, won, _beside(result) if won else None)


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
    shown, spent = dialogue(acts, len(acts)), f"{len(result.steps)} calls so far, ${result.dollars:.5f}."
    log = tuple(f"{act.sender} to {act.receiver}: {act.text}" for act in acts)
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


def _bits() -> tuple[str, str]:
    """The two numbers of the library's example, computed."""
    rain, forecast = (0.7, 0.3), (0.5, 0.5)
    return f"{kl_divergence(rain, forecast):.3f}", f"{kl_divergence(forecast, rain):.3f}"


def _beside(result: Result) -> Table:
    """The player beside the scripted agents: calls, tokens, dollars."""
    rows: list[tuple[str, int, int, Decimal]] = [
        ("you", len(result.steps), result.total_input, result.dollars)
    ]
    for name in AGENTS:
        steps = load_recording(name).steps
        tokens = int(sum(step.usage.prompt for step in steps))
        dollars = sum((step.dollars or Decimal(0) for step in steps), Decimal(0))
        rows.append((NAMES[name], len(steps), tokens, dollars))
    who, calls, tokens_read, paid = zip(*rows, strict=True)
    return {
        "who": who,
        "calls": calls,
        "tokens read": tokens_read,
        "dollars": [f"{each:.5f}" for each in paid],
    }
