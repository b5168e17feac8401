"""Who says what to whom: lanes side by side, and arrows between them, one below the other."""

from collections.abc import Sequence
from typing import NamedTuple

from simlib.plots.canvas import Axes, style_of
from simlib.plots.marks import colour_of
from simlib.plots.style import GRID, INK, LETTER, PAPER

STRIP = 0.9  # rows below the arrows, for what somebody adds


class Arrow(NamedTuple):
    """From one lane to another, by number from 0, with what is said; the same lane twice is a note on it.

    `role` colours it. A `strong` one is the latest, and drawn heavier.
    """

    start: int
    end: int
    text: str
    role: str = "no lever"
    strong: bool = False


def draw_lanes(ax: Axes, names: Sequence[str], arrows: Sequence[Arrow], rows: int) -> None:
    """Draw lanes with their names on top, and arrows from the top down.

    ax : what to draw on; x is the number of the lane, y the number of the row, downwards. names : of the
    lanes. arrows : at most as many as there are rows. rows : for how many there is room.
    Returns nothing. Raises UnknownName for a role.

    >>> from simlib.plots.canvas import Canvas
    >>> "search" in Canvas().svg(lambda ax: draw_lanes(ax, ["model", "code"], [Arrow(0, 1, "search")], 3))
    True
    """
    style = style_of(ax)
    ax.set_axis_off()
    ax.set_xticks([])
    ax.set_yticks([])
    ax.set_position((0.01, 0.01, 0.98, 0.98))
    ax.set_xlim(-0.5, len(names) - 0.5)
    ax.set_ylim(rows + STRIP, -0.62)
    for lane, name in enumerate(names):
        ax.plot([lane, lane], [-0.1, rows], color=GRID, linewidth=style.line, zorder=1)
        ax.text(lane, -0.15, name, ha="center", va="bottom", weight="bold", size=style.label)
    for row, arrow in enumerate(arrows):
        _draw_arrow(ax, arrow, row + 0.75, len(names))


def _draw_arrow(ax: Axes, arrow: Arrow, y: float, lanes: int) -> None:
    style, colour = style_of(ax), colour_of(ax, arrow.role)
    width = style.line * (1.6 if arrow.strong else 0.8)
    if arrow.start == arrow.end:
        ax.plot(arrow.start, y, marker="s", markersize=style.marker, color=colour, linestyle="none", zorder=3)
    else:
        ax.annotate(
            "",
            (arrow.end, y),
            (arrow.start, y),
            arrowprops={
                "arrowstyle": "-|>",
                "color": colour,
                "linewidth": width,
                "shrinkA": 0,
                "shrinkB": 0,
                "mutation_scale": style.marker * 1.8,
            },
            zorder=3,
        )
    ax.text(
        *_text_place(ax, arrow, y, lanes), shortened(arrow.text, most_letters(ax)), ha="center", va="bottom",
        size=style.tick, weight="bold" if arrow.strong else "normal", color=INK, zorder=4,
        bbox={"boxstyle": "square,pad=0.05", "facecolor": PAPER, "edgecolor": "none", "alpha": 0.85},
    )  # fmt: skip


def _text_place(ax: Axes, arrow: Arrow, y: float, lanes: int) -> tuple[float, float]:
    """The middle of the text: over its arrow, but not over the edge of the picture."""
    style = style_of(ax)
    letters = len(shortened(arrow.text, most_letters(ax)))
    half = letters * style.tick * LETTER * 1.1 / 72 / style.width * lanes / 2
    middle = (arrow.start + arrow.end) / 2
    return min(max(middle, half - 0.5), lanes - 0.5 - half), y - 0.1


def most_letters(ax: Axes) -> int:
    """How many letters of a row's text fit into the picture.

    ax : what is drawn on.
    Returns a number of letters, fewer where they are larger.
    Raises nothing.

    >>> from matplotlib.figure import Figure
    >>> most_letters(Figure().add_subplot())
    73
    """
    style = style_of(ax)
    return int(0.94 * style.width * 72 / (style.tick * LETTER * 1.1))


def shortened(text: str, letters: int) -> str:
    """A text in one line of at most so many letters, its end left out if it is longer.

    text : any. letters : the most.
    Returns a text.
    Raises nothing.

    >>> shortened("Which team owns\\nport 7001?", 16)
    'Which team owns…'
    """
    line = " ".join(text.split())
    return line if len(line) <= letters else line[: letters - 1].rstrip() + "…"
