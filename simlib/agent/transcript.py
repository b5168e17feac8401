"""What happened in a run, one event a line, written as it happens: JSON Lines with a version.

Whatever ends a run, its transcript is complete up to there. A line that was cut by the end of the process is
lost alone.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from simlib.errors import BadArgument, SimlibError
from simlib.lines import Lines

FORMAT, VERSION = "simlib-transcript", 1
FIELDS: Mapping[str, frozenset[str]] = MappingProxyType(  # by kind of event: what it has to say
    {
        "start": frozenset({"format", "version"}),
        "task": frozenset({"task"}),
        "reply": frozenset({"step", "at", "content", "stop_reason", "usage", "seconds", "dollars"}),
        "results": frozenset({"step", "content", "ran"}),
        "context": frozenset({"step", "kept", "messages"}),
        "note": frozenset({"text"}),
        "end": frozenset({"stop", "answer", "steps", "dollars", "error"}),
    }
)
NOTHING: Mapping[str, Any] = MappingProxyType({})

Event = dict[str, Any]


class BadTranscript(BadArgument):
    """A file that is no transcript, or one of which more is missing than its last line."""


class TranscriptFailed(SimlibError):
    """A transcript that could not be written any further: `path`, the `reason`, and all `events` of the run.

    The last of them is the one that could not be written. The file is whole up to there, and the run can go
    on from it.
    """

    def __init__(self, path: str, reason: str, events: tuple[Event, ...]) -> None:
        super().__init__(path, reason, events)
        self.path, self.reason, self.events = path, reason, events

    def __str__(self) -> str:
        *written, _ = self.events
        can_go_on = any(event["event"] == "task" for event in written)
        rest = "can be resumed from there" if can_go_on else "had not begun"
        return (
            f"transcript {self.path} could not be written ({self.reason}); "
            f"{len(written)} events stand in it, and the run {rest}"
        )


class Transcript:
    """Events of a run, in memory and, if `path` is given, in a new file, line by line as they happen.

    `provenance` is what the first line says beside the format, as of a recording that is kept.

    >>> transcript = Transcript()
    >>> transcript.write("note", text="begun")
    >>> [event["event"] for event in transcript.events]
    ['start', 'note']
    """

    def __init__(self, path: Path | str | None = None, provenance: Mapping[str, Any] = NOTHING) -> None:
        self.events: list[Event] = []
        self._path, self._lines = str(path), None if path is None else _new(path)
        self.write("start", format=FORMAT, version=VERSION, **provenance)

    @classmethod
    def continued(cls, path: Path | str) -> "Transcript":
        """A transcript that goes on where a file ends; a last line that was cut is taken away."""
        read_transcript(path, strict=False)  # no file is made where there is none
        lines = Lines(path, "transcript")
        read = read_transcript(path, strict=False)  # again, since nobody else can change it now
        if read.lost:
            kept = Path(path).read_bytes().rfind(b"\n") + 1
            lines.cut(kept)
            if lines.size > kept:  # the next line would go on with it, and neither could be read
                lines.close()
                raise BadArgument("transcript", str(path), "a file whose cut last line can be taken away")
        self = cls()
        self.events, self._path, self._lines = list(read.events), str(path), lines
        return self

    def write(self, event: str, **fields: Any) -> None:
        """Add an event; TranscriptFailed if the file cannot take it."""
        line = {"event": event, **fields}
        if self._lines is not None:
            try:
                self._lines.add(json.dumps(line, ensure_ascii=False, default=str))
            except OSError as error:
                self.close()
                raise TranscriptFailed(self._path, str(error.strerror), (*self.events, line)) from None
        self.events.append(line)

    def close(self) -> None:
        """Close the file, if there is one."""
        if self._lines is not None:
            self._lines.close()


@dataclass(frozen=True)
class Read:
    """A transcript that was read: its `events`, and what was `lost` of a last line that was cut, empty for
    nothing.
    """

    events: tuple[Event, ...]
    lost: str = ""

    def of(self, kind: str) -> Iterator[Event]:
        """The events of one kind."""
        return (event for event in self.events if event["event"] == kind)


def read_transcript(path: Path | str, *, strict: bool = True) -> Read:
    """Read a transcript.

    path : the file. strict : whether a cut last line is an error; otherwise it is left out and named.
    Returns a Read.
    Raises BadTranscript for a file that is no transcript of this version, and for a line that cannot be read,
    with its number.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Transcript(Path(folder) / "run.jsonl").close()
    ...     len(read_transcript(Path(folder) / "run.jsonl").events)
    1
    """
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise BadTranscript(
            "transcript", str(path), f"a file that can be read ({type(error).__name__})"
        ) from None
    return read_text(text, str(path), strict=strict)


def read_text(text: str, name: str, *, strict: bool = True) -> Read:
    """Read the text of a transcript.

    text : JSON Lines. name : what messages call it. strict : as for read_transcript.
    Returns a Read.
    Raises BadTranscript as read_transcript does.

    >>> head = {"event": "start", "format": FORMAT, "version": VERSION}
    >>> len(read_text(json.dumps(head) + "\\n", "a recording").events)
    1
    """
    *lines, last = text.split("\n")
    events = [_event(number, line) for number, line in enumerate(lines, start=1)]
    if last and strict:
        raise BadTranscript(
            f"transcript, line {len(lines) + 1}", last, "a whole line; read leniently without it"
        )
    head = events[0] if events else {}
    if (head.get("format"), head.get("version")) != (FORMAT, VERSION):
        raise BadTranscript("transcript", name, f"a {FORMAT} of version {VERSION}")
    return Read(tuple(events), last)


def _new(path: Path | str) -> Lines:
    lines = Lines(path, "transcript")
    if lines.size:
        lines.close()
        raise BadArgument("transcript", str(path), "a new file: something stands in this one")
    return lines


def _event(number: int, line: str) -> Event:
    try:
        event: Any = json.loads(line)
    except (ValueError, RecursionError):
        event = None
    kind = event.get("event") if isinstance(event, dict) else None
    if not isinstance(kind, str) or kind not in FIELDS:
        raise BadTranscript(f"transcript, line {number}", line, f"one of these events: {', '.join(FIELDS)}")
    missing = FIELDS[kind] - event.keys()
    if missing:
        raise BadTranscript(f"transcript, line {number}", line, f"a {kind} with {', '.join(sorted(missing))}")
    found: Event = event
    return found
