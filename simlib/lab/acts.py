"""A run as one act after another: who says what to whom, and what it has cost up to then."""

from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from simlib.agent.call import Call, calls_in
from simlib.agent.resume import step_of
from simlib.agent.transcript import Event

PERSON, CODE, MODEL, TOOLS = "you", "your code", "the model", "the tools"
SPOKEN_ENDS = frozenset({"end_turn", "max_tokens", "refusal"})  # of which the reply tells
LANES = MODEL, CODE, TOOLS, PERSON


class Act(NamedTuple):
    """`sender` says `text` to `receiver`; the same name twice is something that one does by itself.

    `calls`, `tokens` and `dollars` are the model calls up to then, what they read together, and their cost.
    `is_error` is whether something was refused or failed.
    """

    sender: str
    receiver: str
    text: str
    calls: int = 0
    tokens: int = 0
    dollars: Decimal = Decimal(0)
    is_error: bool = False

    def after(self, spent: "Act") -> "Act":
        """The act at the cost that another one stands at."""
        return self._replace(calls=spent.calls, tokens=spent.tokens, dollars=spent.dollars)


def acts_of(events: Sequence[Event], asking: Collection[str] = ()) -> tuple[Act, ...]:
    """The acts of a run.

    events : of its transcript. asking : names of the tools that need somebody's approval.
    Returns acts in their order, costs added up.
    Raises BadTranscript for a reply that cannot be read.

    >>> events = [{"event": "task", "task": "Whose port?"}]
    >>> acts_of(events)[0][:3]
    ('you', 'your code', 'Whose port?')
    """
    acts, spent = list[Act](), Act("", "", "")
    calls: dict[str, Call] = {}
    for event in events:
        if event["event"] == "task":
            acts.append(Act(PERSON, CODE, event["task"]))
        elif event["event"] == "reply":
            step = step_of(event)
            prompt = int(step.usage.prompt)
            spent = spent._replace(
                calls=step.number, tokens=spent.tokens + prompt, dollars=spent.dollars + (step.dollars or 0)
            )
            calls = {call.id: call for call in calls_in(event["content"])}
            said = [Act(CODE, MODEL, f"request {step.number}: all so far, {prompt:,} tokens"), *_said(event)]
            acts += [act.after(spent) for act in said]
        elif event["event"] == "results":
            acts += [act.after(spent) for act in _done(event, calls, asking)]
        elif event["event"] == "end" and event["stop"] not in SPOKEN_ENDS:
            acts.append(Act(CODE, PERSON, f"stopped: {event['stop']}", is_error=True).after(spent))
    return tuple(acts)


def _said(reply: Event) -> Iterator[Act]:
    """What the model says: calls that it asks for, or an answer, which the code hands on."""
    calls = calls_in(reply["content"])
    text = "".join(block["text"] for block in reply["content"] if block["type"] == "text")
    for call in calls:
        yield Act(MODEL, CODE, f"please run {call}")
    if not calls:
        yield Act(MODEL, CODE, text or f"({reply['stop_reason']})")
        yield Act(CODE, PERSON, text or f"({reply['stop_reason']})")


def _done(results: Event, calls: dict[str, Call], asking: Collection[str]) -> Iterator[Act]:
    """What the code makes of each call: it asks, runs, refuses, and takes the result."""
    for block in results["content"]:
        call = calls.get(block.get("tool_use_id", ""))
        if call is None:
            continue
        ran, is_error = call.id in results["ran"], bool(block.get("is_error"))
        if call.name in asking and (ran or block["content"].startswith("denied")):
            yield Act(CODE, PERSON, f"may I run {call}?")
            yield Act(PERSON, CODE, "yes" if ran else "no", is_error=not ran)
        if ran:
            yield Act(CODE, TOOLS, str(call))
            yield Act(TOOLS, CODE, block["content"], is_error=is_error)
        else:
            yield Act(CODE, CODE, block["content"], is_error=True)
