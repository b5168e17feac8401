"""A plan: a list of steps that an agent writes into its context, and rewrites as it goes.

It is kept nowhere else, and nothing holds the agent to it: the model reads it again like any other result.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypedDict

from simlib.agent.tool import Tool, tool
from simlib.errors import BadArgument

MOST_STEPS, MOST_IN_STEP = 20, 200  # steps, and characters of each

SCHEMA: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"text": {"type": "string"}, "done": {"type": "boolean"}},
        "required": ["text", "done"],
        "additionalProperties": False,
    },
}


class PlanStep(TypedDict):
    """One step of a plan: what to do, and whether it is done."""

    text: str
    done: bool


def plan_text(steps: Sequence[PlanStep]) -> str:
    """A plan as the model reads it.

    steps : what to do in which order, and whether it is done; from 1 to MOST_STEPS of them.
    Returns a numbered line for each, and one that says what comes next, which is the first that is not done.
    Raises BadArgument for a plan without steps or with too many, and for a step that says nothing or is too
    long.

    >>> print(plan_text([{"text": "search", "done": True}, {"text": "answer", "done": False}]))
    1. [x] search
    2. [ ] answer
    1 of 2 done; next: answer
    """
    if not 1 <= len(steps) <= MOST_STEPS:
        raise BadArgument("steps", f"{len(steps)} steps", f"a plan of 1 to {MOST_STEPS} steps")
    texts = [_line(number, step["text"]) for number, step in enumerate(steps, start=1)]
    waiting = [text for text, step in zip(texts, steps, strict=True) if not step["done"]]
    lines = [
        f"{number}. [{'x' if step['done'] else ' '}] {text}"
        for number, (text, step) in enumerate(zip(texts, steps, strict=True), start=1)
    ]
    comes = f"next: {waiting[0]}" if waiting else "nothing is left"
    return "\n".join([*lines, f"{len(steps) - len(waiting)} of {len(steps)} done; {comes}"])


def plan_tool() -> Tool:
    """The tool that an agent writes its plan with.

    Returns write_plan, whose result is the plan.
    Raises nothing; what is wrong with a plan is told to the model.

    >>> plan_tool()(steps=[{"text": "answer", "done": True}]).splitlines()
    ['1. [x] answer', '1 of 1 done; nothing is left']
    """

    # The lengths are checked here: the schema's own message would repeat the whole plan.
    @tool(
        f"Write your plan, or write it anew with what is done by now: 1 to {MOST_STEPS} steps of at most "
        f"{MOST_IN_STEP} characters.",
        steps=SCHEMA,
    )
    def write_plan(steps: Sequence[PlanStep]) -> str:
        return plan_text(steps)

    return replace(write_plan, may_repeat=True)


def _line(number: int, text: str) -> str:
    """A step on one line; its number is that of a list for people, from 1."""
    line = " ".join(text.split())
    if not line:
        raise BadArgument(f"step {number}", text, "a step that says what to do")
    if len(line) > MOST_IN_STEP:
        raise BadArgument(f"step {number}", f"{len(line)} characters", f"at most {MOST_IN_STEP}")
    return line
