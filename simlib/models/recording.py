"""A recorded run: what was asked and what was answered, whole, so that it can be played again."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simlib.agent.conversation import Conversation
from simlib.agent.result import Step
from simlib.agent.resume import step_of
from simlib.agent.transcript import BadTranscript, Event, read_transcript
from simlib.errors import SimlibError
from simlib.prompt.prompt import Lifetime

Count = Callable[[Mapping[str, Any]], int]


@dataclass(frozen=True)
class Recording:
    """The `events` of a transcript, read as a run that can be played again.

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
        _ = self.steps  # a reply that cannot be read is refused

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

    def asked(self, count: Count = lambda block: 0, hidden: int = 0) -> Iterator[tuple[Conversation, Event]]:
        """Each reply and the conversation that it answers, which goes on growing: look at it before the next.

        `count` gives a block's tokens, `hidden` are those that the provider adds. BadTranscript for messages
        that cannot follow each other.
        """
        talk = self._head(count, hidden)
        try:
            talk.add("user", [{"type": "text", "text": self.task}])
            for event in self.events:
                if event["event"] == "reply":
                    yield talk, event
                talk = after(talk, event)
        except (SimlibError, KeyError, TypeError, AttributeError) as error:
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
    elif event["event"] == "results" and talk[-1]["role"] == "assistant":
        talk.add("user", event["content"])
    return talk


def read_recording(path: Path | str) -> Recording:
    """A recording from its file; a last line that was cut is left out.

    path : the file.
    Returns a Recording.
    Raises BadTranscript for a file that is no transcript, or of a run that had not begun.

    >>> import tempfile
    >>> from simlib.agent.transcript import Transcript
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     transcript = Transcript(Path(folder) / "run.jsonl")
    ...     transcript.write("task", task="Whose port?")
    ...     transcript.close()
    ...     read_recording(Path(folder) / "run.jsonl").task
    'Whose port?'
    """
    return Recording(read_transcript(path, strict=False).events)


def _without(plain: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in plain.items() if name not in names}
