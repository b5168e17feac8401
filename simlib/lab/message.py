"""What a notebook's cell answers: the same words as HTML and as plain text."""

from typing import NamedTuple

from simlib.lab.html import plain_text


class Message(NamedTuple):
    """Lines of text; in Jupyter a box of dark letters on white. `html`, if given, stands in their place."""

    lines: tuple[str, ...]
    html: str = ""

    def _repr_html_(self) -> str:
        body = self.html or "<br>".join(map(plain_text, self.lines))
        role = "" if self.html else 'role="status" '  # spoken when it comes; a whole table or picture is not
        return f'<div {role}style="background:#fff;color:#262626;padding:4px 8px">{body}</div>'

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def __repr__(self) -> str:
        return str(self)


def say(*lines: str) -> Message:
    """A message of some lines; empty ones are left out.

    lines : of text.
    Returns a Message.
    Raises nothing.

    >>> say("Correct.", "")
    Correct.
    """
    return Message(tuple(line for line in lines if line))
