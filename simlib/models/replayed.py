"""A recorded run played again through the loop, with tools that really run."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from simlib.agent.approval import Approve
from simlib.agent.guards import Guards
from simlib.agent.loop import Lever, run_agent
from simlib.agent.result import Result
from simlib.agent.tool import Tool
from simlib.billing.cache.choose import cache_for
from simlib.billing.catalogue import load_catalogue
from simlib.models.client import DAY, FakeClient
from simlib.models.difference import Difference
from simlib.models.recording import Recording
from simlib.models.replay import Replay, Tokens, replies


@dataclass(frozen=True)
class Replayed:
    """A run that was played again: its `result`, what differed, the replies left `unused`, and whether its
    `tokens` are the recorded ones or were recomputed. `recorded_stop` is how the recording ended, None if it
    was cut.
    """

    result: Result
    differences: tuple[Difference, ...]
    unused: int
    tokens: Tokens
    recorded_stop: str | None = None

    def lines(self) -> list[str]:
        """What is to be said about it."""
        lines = [str(difference) for difference in self.differences] or ["no request differs"]
        lines += [f"{replies(self.unused)} not used", f"tokens: {self.tokens}"]
        if self.recorded_stop not in (None, self.result.stop):
            lines.append(f"it ended with {self.result.stop}, the recording with {self.recorded_stop}")
        return lines


def replay(
    recording: Recording,
    tools: Sequence[Tool] = (),
    *,
    strict: bool = True,
    tokens: Tokens = "recorded",
    day: date = DAY,
    approve: Approve | None = None,
    levers: Sequence[Lever] = (),
    guards: Guards | None = None,
) -> Replayed:
    """Play a recording through the loop, with tools that really run.

    recording : the run. tools : those that it had, so that what they return is compared, too. strict, tokens
    : as for Replay. day : of the prices. approve, levers, guards : as the run had them.
    Returns a Replayed.
    Raises ReplayMiss if strict, for the first request that differs.

    >>> from simlib.models.scripted import Script, say
    >>> client = FakeClient(Script([say("Growth's.")]))
    >>> recording = Recording(run_agent("Whose port?", client=client).events)
    >>> replay(recording).lines()
    ['no request differs', '0 replies not used', 'tokens: recorded']
    """
    model, catalogue = Replay(recording, strict=strict, tokens=tokens), load_catalogue()
    settings, end = recording.settings, recording.end
    result = run_agent(
        recording.task,
        tools,
        "".join(block["text"] for block in settings.get("system", [])),
        client=FakeClient(
            model, catalogue=catalogue, day=day, cache=cache_for(settings["model"], catalogue, day)
        ),
        model=settings["model"],
        effort=settings.get("output_config", {}).get("effort"),
        max_steps=len(recording.replies) + (recording.failure is not None),
        max_tokens=settings["max_tokens"],
        cache=settings["cache_control"].get("ttl", "5m") if "cache_control" in settings else None,
        parallel="tool_choice" not in settings,
        thinking=settings.get("thinking", {}).get("display"),
        approve=approve,
        levers=levers,
        guards=guards,
    )
    recorded_stop = None if end is None else str(end["stop"])
    return Replayed(result, tuple(model.differences), model.unused, model.tokens, recorded_stop)
