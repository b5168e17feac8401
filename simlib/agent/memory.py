"""Long-term memory: notes in a file of text, which outlast the run that wrote them.

A person can read the file and correct it. A model gets at it through tools alone.
"""

from dataclasses import replace
from pathlib import Path

from simlib.agent.notes import end_of_cut, note_line, notes_in
from simlib.agent.tool import Tool, tool
from simlib.errors import BadArgument, single, whole

MOST_IN_NOTE, MOST_IN_ALL = 500, 8_000  # characters; about four make a token, paid for at each reading
MOST_BYTES = 1_000_000  # of a file, whoever wrote it
NONE = "there are no notes yet"


class Notes:
    """The notes in one file, which is made if it is not there. It is read anew each time, so that several
    runs, and persons, may use it.

    `most_in_note` and `most_in_all` are the characters that one note and all of them may have. BadArgument
    for a path where no text can be read and written, OutOfRange and its like for the limits.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     notes = Notes(Path(folder) / "notes.txt")
    ...     notes.write("Port 7001 is the indexer's."), Notes(notes.path).read()
    (1, ["Port 7001 is the indexer's."])
    """

    def __init__(
        self, path: Path | str, *, most_in_note: int = MOST_IN_NOTE, most_in_all: int = MOST_IN_ALL
    ) -> None:
        self.path = Path(path)
        self.most_in_note: int = single("most_in_note", whole("most_in_note", most_in_note, low=1))
        self.most_in_all: int = single("most_in_all", whole("most_in_all", most_in_all, low=1))
        self._append(b"")  # so that a place that cannot be written is known before a run has paid for a note
        self.read()

    def read(self) -> list[str]:
        """The notes in the order of the file, of which the first has number 1; BadArgument for a file that is
        too large or no text.
        """
        return notes_in(self._bytes(), str(self.path))

    def write(self, text: str) -> int:
        """Add a note and return its number, that of the old one if it stands there already.

        Nothing that stands there is touched. BadArgument for a note that says nothing, is too long, or no
        longer fits.
        """
        line, data = note_line(text, self.most_in_note), self._bytes()
        notes = notes_in(data, str(self.path))
        if line in notes:
            return notes.index(line) + 1
        left = max(self.most_in_all - sum(map(len, notes)), 0)
        if len(line) > left:
            allowed = f"{left} more characters in {self.path.name}; a person can shorten it"
            raise BadArgument("text", f"{len(line)} characters", allowed)
        self._append(end_of_cut(data) + f"{line}\n".encode())
        return len(notes) + 1

    def shown(self) -> str:
        """The notes with their numbers, one a line: the newest, if they are more than fit."""
        notes, shown, left = self.read(), [], self.most_in_all
        for number in range(len(notes), 0, -1):
            left -= len(notes[number - 1])
            if left < 0:  # a person, or two runs at once, wrote more than one run may
                shown.append(f"(left out, since all may have {self.most_in_all} characters: {number} notes)")
                break
            shown.append(f"{number}. {notes[number - 1]}")
        return "\n".join(reversed(shown)) or NONE

    def _bytes(self) -> bytes:
        try:
            if self.path.stat().st_size > MOST_BYTES:
                raise BadArgument("path", str(self.path), f"a file of at most {MOST_BYTES} bytes")
            return self.path.read_bytes()
        except FileNotFoundError:
            return b""  # somebody threw the notes away
        except OSError as error:
            raise self._unusable("read", error) from None

    def _append(self, data: bytes) -> None:
        """Add bytes in one write, which the system does not mix with another run's."""
        try:
            if self.path.exists() and not self.path.is_file():
                raise OSError("it is no file")  # a pipe would wait for a reader
            with self.path.open("ab", buffering=0) as stream:
                written = stream.write(data)
        except (OSError, ValueError) as error:  # a NUL in the path is a ValueError
            raise self._unusable("written", error) from None
        if written < len(data):
            raise BadArgument("path", str(self.path), "a file on a disk with room; this note was cut off")

    def _unusable(self, done: str, error: Exception) -> BadArgument:
        why = getattr(error, "strerror", None) or str(error)
        return BadArgument("path", str(self.path), f"a file in a folder that exists, to be {done} ({why})")


def notes_tools(notes: Notes) -> list[Tool]:
    """The tools that an agent gets for its notes.

    notes : those of one file.
    Returns write_note and read_notes.
    Raises nothing; what goes wrong in a tool is told to the model.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_note, read_notes = notes_tools(Notes(Path(folder) / "notes.txt"))
    ...     read_notes(), write_note(text="Tests need port 7001."), read_notes()
    ('there are no notes yet', 'this is note 1', '1. Tests need port 7001.')
    """

    # The notes check the length: the schema's own message would repeat the whole text.
    @tool(
        f"Write a note for later sessions: at most {notes.most_in_note} characters, and all notes together "
        f"at most {notes.most_in_all}.",
        text={"type": "string", "minLength": 1},
    )
    def write_note(text: str) -> str:
        return f"this is note {notes.write(text)}"

    @tool("Read the notes of earlier sessions.")
    def read_notes() -> str:
        return notes.shown()

    return [write_note, replace(read_notes, may_repeat=True)]
