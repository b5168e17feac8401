"""Article A's five calls about port 7001, one by one: what each reads, and what the step before it added."""

from dataclasses import dataclass

import numpy as np

from simlib.articles.figures.figure import Figure, Table
from simlib.articles.figures.staircase import Staircase, draw_staircase, staircase_table
from simlib.articles.inputs import ArticleA
from simlib.articles.runs import port_run
from simlib.errors import OutOfRange, axis_length


@dataclass(frozen=True, eq=False)
class FiveCalls:
    """The run up to one of its calls, and what the model asks for after it."""

    stairs: Staircase
    asks: str


def five_calls(calls: int = 5) -> FiveCalls:
    """The first calls of the run, on axes that have room for all five.

    calls : how many, from 1 to 5.
    Returns FiveCalls, in tokens.
    Raises NotANumber, NotWhole or OutOfRange.

    >>> five_calls(4).stairs.contexts.tolist()
    [1020, 1150, 1343, 2021]
    """
    number, run = axis_length("calls", calls, low=1), port_run(ArticleA())
    if number > run.calls:
        raise OutOfRange("calls", calls, f"whole numbers from 1 to {run.calls}")
    stairs = Staircase(np.array(run.contexts[:number]), width=run.calls, height=float(run.contexts[-1]))
    return FiveCalls(stairs, run.steps[number - 1])


def _sentence(shown: FiveCalls) -> str:
    stairs = shown.stairs
    return (
        f"Call {stairs.contexts.size} reads {stairs.last:,.0f} tokens, {stairs.read_again[-1]:,.0f} of them "
        f"again, and then the model asks: {shown.asks}. {stairs.total:,.0f} tokens have been read so far."
    )


def _table(shown: FiveCalls) -> Table:
    steps = port_run(ArticleA()).steps[: shown.stairs.contexts.size]
    return {"what the call asks for": steps, **staircase_table(shown.stairs)}


FIVE_CALLS = Figure(
    id="five-calls",
    title="A detour is read again by every call after it",
    passage="article A, step 3, five calls (reconstructed from its sums)",
    data=five_calls,
    draw=lambda ax, shown: draw_staircase(ax, shown.stairs),
    sentence=_sentence,
    table=_table,
    facts=("A.port7001.calls", "A.port7001.input", "A.port7001.jump"),
)
