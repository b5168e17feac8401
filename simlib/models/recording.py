"""A recorded run: what was asked and what was answered, whole, so that it can be played again."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simlib.agent.conversation import Conversation
from simlib.agent.result import Step
from simlib.agent.resume import step_of
from simlib.agent.stop import StopReason
from simlib.agent.transcript import BadTranscript, Event, read_transcript
from simlib.errors import SimlibError
from simlib.prompt.prompt import Lifetime

Count = Callable[[Mapping[str, Any]], int]


@dataclass(frozen=True)
class Recording:
    """The `events` of a transcript, read as a run that can be played again; BadTranscript if they are none.

    >>> from simlib.agent.loop import run_agent
    >>> from simlib.models.client import FakeClient
    >>> from simlib.models.scripted import Script, say
    >>> result = run_agent("Whose port?", client=FakeClient(Script([say("Growth's.")])))
    >>> recording = Recording(result.events)
    >>> recording.task, recording.settings["model"], len(recording.replies)
    ('Whose port?', 'claude-haiku-5-5', 1)
    """

    events: tuple[Event, ...]

    def __post_init__(self) -> None:
        kinds = [event["event"] for event in self.events]
        if kinds.count("task") != 1:
            raise BadTranscript("recording", kinds[:9], "a transcript with one task")
        if not isinstance(self.settings.get("model"), str) or "max_tokens" not in self.settings:
            raise BadTranscript("recording", sorted(self.settings), "a task with model and max_tokens")
        _ = self.steps  # refuses a reply that cannot be read
        for _ in self.asked():
            pass  # refuses messages that cannot follow each other

    @property
    def provenance(self) -> dict[str, Any]:
        """What its first line says about where it comes from, beside the format."""
        return _without(self.events[0], "event", "format", "version")

    @property
    def task(self) -> str:
        """What was to be done."""
        return str(self._task["task"])

    @property
    def settings(self) -> dict[str, Any]:
        """What each request says beside its messages."""
        return _without(self._task, "event", "task")

    @property
    def replies(self) -> tuple[Event, ...]:
        """The replies, in their order."""
        return tuple(event for event in self.events if event["event"] == "reply")

    @property
    def steps(self) -> tuple[Step, ...]:
        """The replies as the steps of a result."""
        return tuple(map(step_of, self.replies))

    @property
    def end(self) -> Event | None:
        """How it ended, the last time if it went on; None if it was cut."""
        return self.events[-1] if self.events[-1]["event"] == "end" else None

    @property
    def failure(self) -> Event | None:
        """The end of a run whose last request got an error of the API; None if it got a reply, or was cut."""
        return self.end if self.end and self.end["stop"] == StopReason.API_ERROR else None

    def asked(self, count: Count = lambda block: 0, hidden: int = 0) -> Iterator[tuple[Conversation, Event]]:
        """Each reply and the conversation that it answers, which goes on growing: look at it before the next.
        The failure comes last, if there is one, with the conversation that got no reply.

        `count` gives a block's tokens, `hidden` are those that the provider adds.
        """
        try:
            talk = self._head(count, hidden)
            talk.add("user", [{"type": "text", "text": self.task}])
            for event in self.events:
                if event["event"] == "reply" or event is self.failure:
                    yield talk, event
                talk = after(talk, event)
        except (SimlibError, KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadTranscript("recording", str(error), "one whose messages can follow each other") from None

    def _head(self, count: Count, hidden: int) -> Conversation:
        """Tools and system text, with the marker that they were sent with."""
        tools, system = self.settings.get("tools", []), self.settings.get("system", [])
        marked = (system or tools or [{}])[-1].get("cache_control")
        lifetime: Lifetime | None = None if marked is None else marked.get("ttl", "5m")
        text = "".join(block["text"] for block in system)
        plain = [_without(tool, "cache_control") for tool in tools]
        return Conversation(plain, text, count=count, cache=lifetime, hidden=hidden)

    @property
    def _task(self) -> Event:
        return next(event for event in self.events if event["event"] == "task")


def after(talk: Conversation, event: Event) -> Conversation:
    """A conversation after one event more.

    talk : the conversation, which grows. event : of a transcript.
    Returns the conversation, a new one where a lever changed it.
    Raises ApiError for a message that may not stand there.

    >>> talk = Conversation([], "", count=lambda block: 1)
    >>> after(talk, {"event": "note", "text": "begun"}) is talk
    True
    """
    if event["event"] == "context":
        return talk.rewritten([*talk[: event["kept"]], *event["messages"]])
    if event["event"] == "reply" and event["content"]:
        talk.add("assistant", event["content"])
    elif event["event"] == "results" and _is_new(talk, event["content"]):
        talk.add("user", event["content"])
    return talk


def _is_new(talk: Conversation, content: list[dict[str, Any]]) -> bool:
    """Whether results are not of calls that have theirs, as after an interrupt while they were written."""
    have_theirs = [block["tool_use_id"] for block in talk[-1]["content"] if "tool_use_id" in block]
    return not any(block.get("tool_use_id") in have_theirs for block in content)


def read_recording(path: Path | str) -> Recording:
    """A recording from its file; a last line that was cut is left out.

    path : the file.
    Returns a Recording.
    Raises BadTranscript for a file that is no transcript, or of no run that can be played.

    >>> import tempfile
    >>> from simlib.agent.transcript import Transcript
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     transcript = Transcript(Path(folder) / "run.jsonl")
    ...     transcript.write("task", task="Whose port?", model="claude-haiku-5-5", max_tokens=500)
    ...     transcript.close()
    ...     read_recording(Path(folder) / "run.jsonl").task
    'Whose port?'
    """
    return Recording(read_transcript(path, strict=False).events)


def _without(plain: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in plain.items() if name not in names}
