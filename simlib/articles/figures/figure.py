"""What a figure is: numbers, a way to draw them, and a sentence made of them."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from simlib.plots.canvas import Axes, Canvas

Data = TypeVar("Data")
Table = Mapping[str, Sequence[Any]]  # columns by name with unit, all of the same length


@dataclass(frozen=True, kw_only=True)
class Figure(Generic[Data]):
    """One figure. The same two functions serve the picture, the CSV beside it and the slider.

    `data` takes parameters, all of them with defaults, and returns numbers; it draws nothing. `draw` puts
    them on an Axes; it computes nothing. `sentence` says what the picture shows, for whoever does not see it.
    `table` is the data as columns. `passage` says where in which article the figure stands, `facts` which
    published numbers it shows; a lesson's own figure may have neither.
    """

    id: str
    title: str  # the finding
    data: Callable[..., Data]
    draw: Callable[[Axes, Data], None]
    sentence: Callable[[Data], str]
    table: Callable[[Data], Table]
    passage: str = ""
    facts: tuple[str, ...] = ()

    def svg(self, canvas: Canvas, data: Data) -> str:
        """The picture as an `<svg>` element."""
        return canvas.svg(lambda ax: self.draw(ax, data))

    def png(self, canvas: Canvas, data: Data) -> bytes:
        """The picture as the bytes of a PNG file."""
        return canvas.png(lambda ax: self.draw(ax, data))


def csv_text(table: Table) -> str:
    """A table as CSV: names in the first line, floats to twelve digits, so that two machines agree.

    table : columns by name, of the same length.
    Returns the text, its lines ended by a line feed.
    Raises ValueError if the columns differ in length.

    >>> csv_text({"call": [1, 2], "dollars": [0.1 + 0.2, 1.0]})
    'call,dollars\\n1,0.3\\n2,1\\n'
    """
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(table)
    writer.writerows([_plain(value) for value in row] for row in zip(*table.values(), strict=True))
    return written.getvalue()


def _plain(value: Any) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)
