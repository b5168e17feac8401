"""What happened in a run, one event a line, written as it happens: JSON Lines with a version.

Whatever ends a run, its transcript is complete up to there. A line that was cut by the end of the process is
lost alone.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, TextIO

from simlib.errors import BadArgument

FORMAT, VERSION = "simlib-transcript", 1
FIELDS: Mapping[str, frozenset[str]] = MappingProxyType(  # by kind of event: what it has to say
    {
        "start": frozenset({"format", "version"}),
        "task": frozenset({"task"}),
        "reply": frozenset({"step", "content", "stop_reason", "usage", "seconds", "dollars"}),
        "results": frozenset({"step", "content", "ran"}),
        "note": frozenset({"text"}),
        "end": frozenset({"stop", "answer", "steps", "dollars", "error"}),
    }
)

Event = dict[str, Any]


class BadTranscript(BadArgument):
    """A file that is no transcript, or one of which more is missing than its last line."""


class Transcript:
    """Events of a run, in memory and, if `path` is given, in a new file, flushed line by line.

    >>> transcript = Transcript()
    >>> transcript.write("note", text="begun")
    >>> [event["event"] for event in transcript.events]
    ['start', 'note']
    """

    def __init__(self, path: Path | str | None = None) -> None:
        self.events: list[Event] = []
        self._stream = None
        if path is not None:
            target = Path(path)
            if target.is_dir():
                raise BadArgument("transcript", str(path), "a file, not a folder")
            if target.exists() and target.stat().st_size:
                raise BadArgument("transcript", str(path), "a new file: something stands in this one")
            if not target.parent.is_dir():
                raise BadArgument("transcript", str(path), "a file in a folder that exists")
            self._stream = _opened(target)
        self.write("start", format=FORMAT, version=VERSION)

    @classmethod
    def continued(cls, path: Path | str) -> "Transcript":
        """A transcript that goes on where a file ends; a last line that was cut is taken away."""
        read = read_transcript(path, strict=False)
        self = cls()
        self.events = list(read.events)
        target = Path(path)
        if read.lost:
            kept = target.read_bytes()
            target.write_bytes(kept[: kept.rfind(b"\n") + 1])
        self._stream = _opened(target)
        return self

    def write(self, event: str, **fields: Any) -> None:
        """Add an event; OSError as the disk gives it."""
        line = {"event": event, **fields}
        self.events.append(line)
        if self._stream is not None:
            self._stream.write(json.dumps(line, ensure_ascii=False, default=str) + "\n")
            self._stream.flush()

    def close(self) -> None:
        """Close the file, if there is one."""
        if self._stream is not None:
            self._stream.close()


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
    *lines, last = text.split("\n")
    events = [_event(number, line) for number, line in enumerate(lines, start=1)]
    if last and strict:
        raise BadTranscript(
            f"transcript, line {len(lines) + 1}", last, "a whole line; read leniently without it"
        )
    head = events[0] if events else {}
    if (head.get("format"), head.get("version")) != (FORMAT, VERSION):
        raise BadTranscript("transcript", str(path), f"a {FORMAT} of version {VERSION}")
    return Read(tuple(events), last)


def _opened(path: Path) -> TextIO:
    """Half a character, as in the name of a strange file, is written as JSON's escape."""
    return path.open("a", encoding="utf-8", errors="backslashreplace", newline="\n")


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
