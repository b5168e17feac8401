"""Two sessions about one passage of the library, with notes and without: what notes cost, and what they save.

A session is a run with a new context. What the first one found, the second one knows only from notes.
"""

import math
import tempfile
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from simlib.agent.loop import run_agent
from simlib.agent.memory import Notes, notes_tools
from simlib.agent.plan import plan_tool
from simlib.agent.result import Result
from simlib.models.client import FakeClient
from simlib.models.scripted import Script
from simlib.worlds.library.remembers import RELATED, remembers
from simlib.worlds.library.texts import QUESTION, SYSTEM, library_tools, load_texts

WITH_NOTES = (
    " You also have read_notes and write_note: look at the notes first, check what they say, and write down "
    "where you found something that they do not say."
)
WITH_PLAN = " Keep a plan with write_plan."


class Comparison(NamedTuple):
    """Both sessions with notes and without.

    `table` has columns by name, a row for each run. `cost` is what notes cost more in the first session, and
    `saved` what they save in the second, in calls, input tokens and dollars. `paid_after` is the least number
    of sessions like the second after which both kinds have cost the same or notes less: infinity for never.
    """

    table: dict[str, list[Any]]
    cost: dict[str, Decimal]
    saved: dict[str, Decimal]
    paid_after: dict[str, float]


def run_session(
    task: str, notes: Notes | None = None, texts: Mapping[str, str] | None = None, *, plan: bool = False
) -> Result:
    """One session in the library.

    task : QUESTION or RELATED. notes : what outlasts it, None for an agent without. texts : by name, the
    library's by default. plan : whether the agent writes a plan.
    Returns a Result.
    Raises UnknownName for another task.

    The session has a client of its own, whose cache is empty: sessions lie further apart than a cache lives,
    and none of those compared finds anything in it that another one has paid for.

    >>> run_session(QUESTION).answer[:50]
    'Because it is not the same in both directions: 0.1'
    """
    tools = library_tools(dict(load_texts() if texts is None else texts))
    system = SYSTEM
    if notes is not None:
        tools, system = tools + notes_tools(notes), system + WITH_NOTES
    if plan:
        tools, system = [*tools, plan_tool()], system + WITH_PLAN
    client = FakeClient(Script(remembers(task, notes=notes is not None, plan=plan)))
    return run_agent(task, tools, system, client=client)


def two_sessions(
    notes_path: Path | str | None,
    texts: Mapping[str, str] | None = None,
    later_texts: Mapping[str, str] | None = None,
    *,
    plan: bool = False,
) -> tuple[Result, Result]:
    """QUESTION in one session, RELATED in the next.

    notes_path : the file of the notes, None for sessions without. texts : by name, the library's by default.
    later_texts : those of the second session, the same ones by default. plan : whether the agent of the first
    session writes a plan.
    Returns both results.
    Raises BadArgument for a file that cannot hold notes.

    >>> [len(result.steps) for result in two_sessions(None)]
    [4, 4]
    """
    notes = None if notes_path is None else Notes(notes_path)
    first = run_session(QUESTION, notes, texts, plan=plan)
    return first, run_session(RELATED, notes, texts if later_texts is None else later_texts)


def comparison(texts: Mapping[str, str] | None = None, *, plan: bool = False) -> Comparison:
    """Both sessions without notes, and with notes that are empty at first.

    texts : by name, the library's by default. plan : whether the agents of the first session write a plan.
    Returns a Comparison.
    Raises nothing.

    >>> comparison().table["calls"]
    [4, 6, 4, 3]
    """
    without = two_sessions(None, texts, plan=plan)
    with tempfile.TemporaryDirectory() as folder:
        noting = two_sessions(Path(folder) / "notes.txt", texts, plan=plan)
    results = [without[0], noting[0], without[1], noting[1]]
    rows = [
        {"session": session, "notes": notes, **_measured(result), "answer": result.answer}
        for (session, notes), result in zip(
            [(1, "without"), (1, "with"), (2, "without"), (2, "with")], results, strict=True
        )
    ]
    cost, saved = _less(noting[0], without[0]), _less(without[1], noting[1])
    return Comparison(
        {name: [row[name] for row in rows] for name in rows[0]},
        cost,
        saved,
        {name: _sessions(cost[name], saved[name]) for name in cost},
    )


def _measured(result: Result) -> dict[str, Decimal | int]:
    return {
        "calls": len(result.steps),
        "input tokens": result.total_input,
        "dollars": result.dollars,
    }


def _less(one: Result, other: Result) -> dict[str, Decimal]:
    """By how much the other result is less than the one."""
    less = _measured(other)
    return {name: Decimal(value) - Decimal(less[name]) for name, value in _measured(one).items()}


def _sessions(cost: Decimal, saved: Decimal) -> float:
    if cost <= 0:
        return 0
    return math.ceil(cost / saved) if saved > 0 else math.inf
