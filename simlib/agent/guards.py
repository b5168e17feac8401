"""What stops an agent that goes round in circles: calls refused, failures counted, files read before
written.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from posixpath import normpath
from typing import Any

from simlib.agent.call import Call
from simlib.agent.tool import Tool
from simlib.errors import single, whole


@dataclass(frozen=True)
class Guards:
    """The rules, each with None to switch it off.

    The same call is made at most `identical_calls` times. After `failures` of one tool in a row its message
    changes. After `no_progress` steps in a row that brought no result that was not there before, the run is
    stuck. `read_before_write` is whether a file has to be read, and still be in the context, before it is
    overwritten.
    """

    identical_calls: int | None = 3
    failures: int | None = 3
    no_progress: int | None = 5
    read_before_write: bool = True

    def __post_init__(self) -> None:
        for name in ("identical_calls", "failures", "no_progress"):
            if getattr(self, name) is not None:
                single(name, whole(name, getattr(self, name), low=1))


class Watch:
    """The guards of one run, and what they have seen."""

    def __init__(self, guards: Guards) -> None:
        self._guards = guards
        self._calls: Counter[Hashable] = Counter()
        self._failures: Counter[str] = Counter()
        self._in_context: dict[str, tuple[str, str]] = {}  # by path: the call and the result that hold it
        self._results: set[tuple[Hashable, str]] = set()
        self._idle_steps = 0

    def refusal(self, call: Call, tool: Tool) -> str | None:
        """Why a call must not run, in words for the model; None if it may."""
        limit = self._guards.identical_calls
        if limit is not None and self._calls[call.normal] >= limit and not tool.may_repeat:
            return (
                f"refused: this very call was made {limit} times already. Use what it returned, or ask for "
                "something else."
            )
        path = _path(call, tool.writes)
        if not self._guards.read_before_write or path is None or path in self._in_context:
            return None
        if tool.exists is not None and not tool.exists(path):
            return None  # a new file
        return f"refused: read {path} before you write it; its text is not in this conversation."

    def begins(self, call: Call) -> None:
        """Note that a call is run."""
        self._calls[call.normal] += 1

    def saw(self, call: Call, tool: Tool | None, text: str, is_error: bool) -> str:
        """Note a call and its result; returns the text for the model, another one after too many failures."""
        name, _ = call.normal
        if is_error:
            self._failures[name] += 1
            limit = self._guards.failures
            if limit is not None and self._failures[name] >= limit:
                return (
                    f"{text}\n{call.name} has now failed {self._failures[name]} times in a row. "
                    "Do not call it like this again: try another tool or another way, or say what is missing."
                )
            return text
        self._failures[name] = 0
        if tool is not None:
            for argument in filter(None, (tool.reads, tool.writes)):
                path = _path(call, argument)
                if path:
                    self._in_context[path] = call.id, text
        if (call.normal, text) not in self._results:
            self._results.add((call.normal, text))
            self._idle_steps = -1  # this step got somewhere
        return text

    def look_at(self, messages: Iterable[Mapping[str, Any]]) -> None:
        """Forget the files whose texts are in these messages no longer, after the history was changed."""
        there = {
            (block["tool_use_id"], block["content"])
            for message in messages
            for block in message["content"]
            if block["type"] == "tool_result" and isinstance(block["content"], str)
        }
        self._in_context = {path: held for path, held in self._in_context.items() if held in there}

    def end_step(self) -> bool:
        """Count a step; returns whether the run is stuck."""
        self._idle_steps += 1
        return self._guards.no_progress is not None and self._idle_steps >= self._guards.no_progress


def _path(call: Call, argument: str | None) -> str | None:
    value = call.arguments.get(argument) if argument and isinstance(call.arguments, dict) else None
    return normpath(value.strip()) if isinstance(value, str) and value.strip() else None
