"""What stands in a file of notes: text, and each line is a note.

The numbers are given when notes are read, and do not stand in the file, so that whoever deletes a line or
adds one need not count.
"""

from simlib.errors import BadArgument

CUT = " (perhaps cut off)"  # behind a line that somebody's end, or an editor, left without its own


def note_line(text: str, most: int) -> str:
    """A note as the line that it becomes.

    text : what is noted. most : the characters that a note may have.
    Returns one line, with strokes for the ends of the text's own, so that no note looks like two.
    Raises BadArgument for what is no text, says nothing or is too long.

    >>> note_line("Tests need port 7001.\\n\\n  Ask first.", most=500)
    'Tests need port 7001. / Ask first.'
    """
    if not isinstance(text, str) or "\0" in text or text != text.encode(errors="ignore").decode():
        raise BadArgument("text", text, "text, without NUL and half characters")
    parts = (" ".join(part.split()) for part in text.replace("\ufeff", "").splitlines())
    line = " / ".join(filter(None, parts))
    if not line:
        raise BadArgument("text", text, "a note that says something")
    if len(line) > most:
        raise BadArgument("text", f"{len(line)} characters", f"at most {most} in a note")
    return line


def notes_in(data: bytes, path: str) -> list[str]:
    """The notes in a file.

    data : all of it. path : where it lies, for the message.
    Returns lines in their order, without blank ones. A last line that has no end is marked as cut.
    Raises BadArgument for what is no text.

    >>> notes_in(b"Tests need port 7001.\\nAsk fir", "notes.txt")
    ['Tests need port 7001.', 'Ask fir (perhaps cut off)']
    """
    lines = (data + end_of_cut(data)).split(b"\n")
    try:
        found = [_decoded(line).strip("\ufeff \t\r") for line in lines]
    except UnicodeDecodeError:
        found = ["\0"]
    if any("\0" in line for line in found):
        raise BadArgument("path", path, "a file of text in UTF-8")
    return list(filter(None, found))


def end_of_cut(data: bytes) -> bytes:
    """What ends a last line that has no end, so that the next note does not go on with it.

    data : all of the file.
    Returns the mark and a line feed, nothing if no line was begun.
    Raises nothing.

    >>> end_of_cut(b"Ask fir"), end_of_cut(b"Ask first.\\n")
    (b' (perhaps cut off)\\n', b'')
    """
    return f"{CUT}\n".encode() if data.rpartition(b"\n")[2].strip() else b""


def _decoded(line: bytes) -> str:
    """A line as text. One that was cut may end within a character, which must not cost the others."""
    return line.decode(errors="replace" if line.endswith(CUT.encode()) else "strict")
