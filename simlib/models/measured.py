"""How many tokens each block of a recorded run has: what was added between two calls is known to the token.

Only the shares of blocks that were added together are estimated.
"""

from collections import deque
from itertools import pairwise
from typing import Any

import numpy as np

from simlib.agent.resume import step_of
from simlib.agent.transcript import Event
from simlib.errors import BadArgument
from simlib.models.recording import Recording
from simlib.tokens.counter import Counter


def block_counts(recording: Recording, hidden: int) -> deque[int]:
    """Tokens of each block of a recorded run, in the order in which a conversation counts them.

    recording : the run. hidden : tokens that the provider added where there were tools.
    Returns whole tokens: tools, system text, task, then the blocks of each reply and of its results.
    Raises BadArgument for a run whose context a lever rewrote, and for prompts that shrink.

    >>> from simlib.agent.loop import run_agent
    >>> from simlib.models.client import FakeClient
    >>> from simlib.models.scripted import Script, say
    >>> run = run_agent("Whose port?", client=FakeClient(Script([say("Growth's.")])))
    >>> sum(block_counts(Recording(run.events), hidden=0)) - run.total_input == run.steps[0].usage.output
    True
    """
    if any(event["event"] == "context" for event in recording.events):
        raise BadArgument("recording", "a context that a lever rewrote", "a run whose context only grew")
    estimate, settings = Counter(), recording.settings
    steps = [step_of(reply) for reply in recording.replies]
    head = [*settings.get("tools", []), *settings.get("system", []), {"type": "text", "text": recording.task}]
    counts = deque(_shares(int(steps[0].usage.prompt) - hidden * bool(settings.get("tools")), head, estimate))
    added = _added(recording.events)
    for (step, later), (reply, results) in zip(pairwise(steps), added, strict=False):
        grown, said = int(later.usage.prompt - step.usage.prompt), int(step.usage.output)
        if said > grown or not reply:
            counts.extend(_shares(grown, [*reply, *results], estimate))
        else:
            counts.extend([*_shares(said, reply, estimate), *_shares(grown - said, results, estimate)])
    counts.extend(
        map(estimate, [block for pair in added[len(steps) - 1 :] for part in pair for block in part])
    )
    return counts


def _added(events: tuple[Event, ...]) -> list[tuple[list[Any], list[Any]]]:
    """The blocks of each reply and of the results that followed it."""
    added: list[tuple[list[Any], list[Any]]] = []
    for event in events:
        if event["event"] == "reply":
            added.append((event["content"], []))
        elif event["event"] == "results" and not added[-1][1]:
            added[-1][1].extend(event["content"])
    return added


def _shares(total: int, blocks: list[Any], estimate: Counter) -> list[int]:
    """Whole tokens of each block, in the proportion of their estimates, that add up to the total."""
    if total < 0:
        raise BadArgument("recording", total, "prompts that grow from call to call")
    sizes = np.cumsum([estimate(block) for block in blocks])
    ends = np.rint(sizes * (total / max(float(sizes[-1]), 1.0))).astype(int) if blocks else np.array([], int)
    shares: list[int] = np.diff(ends, prepend=0).tolist()
    return shares
