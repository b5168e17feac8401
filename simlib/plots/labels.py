"""Labels on the picture itself: a reader should never have to look a line up in a key."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from simlib.plots.canvas import Axes, style_of
from simlib.plots.marks import colour_of
from simlib.plots.style import INK, LETTER, PAPER

_LEADING = 1.25


class End(NamedTuple):
    """Where a line ends, in the units of the axes, what to call it, and its role."""

    x: float
    y: float
    text: str
    role: str


def label_ends(ax: Axes, ends: Sequence[End]) -> None:
    """Write each line's name beside its end, apart from one another, and make room for the longest.

    ax : what to draw on, its limits already set. ends : one for each line, if any; line breaks are kept.
    Returns nothing. Raises UnknownName for a role that is not known.

    >>> from simlib.plots.canvas import Canvas
    >>> ">naive<" in Canvas().svg(lambda ax: label_ends(ax, [End(1, 1, "naive", "no lever")]))
    True
    """
    if not ends:
        return
    sheet, size = style_of(ax), style_of(ax).label
    rows = [row for end in ends for row in end.text.split("\n")]
    longest = max(map(len, rows)) * size * LETTER / 72 / sheet.width
    box = ax.get_position()
    right = min(box.x1, 1 - longest - 0.02)
    ax.set_position((box.x0, box.y0, right - box.x0, box.height))
    low, high = ax.get_ylim()
    of_height = size * _LEADING / 72 / sheet.height / box.height * (high - low)
    heights = [of_height * (end.text.count("\n") + 1) for end in ends]
    for end, y in zip(ends, spread([end.y for end in ends], heights, low, high), strict=True):
        ax.annotate(
            end.text, (end.x, y), (6, 0), textcoords="offset points", va="center", annotation_clip=False,
            color=colour_of(ax, end.role), linespacing=1.1,
        )  # fmt: skip


def spread(wanted: Sequence[float], heights: Sequence[float], low: float, high: float) -> list[float]:
    """Positions near the wanted ones at which labels of the given heights do not overlap.

    wanted, heights : in the unit of the axis. low, high : its limits; the labels stay within if they can.
    Returns the middles of the labels, in the order given; none passes another on the way.
    Raises nothing.

    >>> spread([1, 1.2, 8], [2, 2, 2], 0, 10)
    [1.0, 3.0, 8.0]
    """
    order = np.argsort(wanted, kind="stable")
    tall = np.asarray(heights, float)[order]
    placed = np.asarray(wanted, float)[order]
    gaps = (tall[1:] + tall[:-1]) / 2
    placed[0] = max(placed[0], low + tall[0] / 2)
    for at, gap in enumerate(gaps):  # upwards: nobody sits on the one below
        placed[at + 1] = max(placed[at + 1], placed[at] + gap)
    placed[-1] = min(placed[-1], high - tall[-1] / 2)
    for at in range(len(gaps) - 1, -1, -1):  # and back down from the ceiling
        placed[at] = min(placed[at], placed[at + 1] - gaps[at])
    result = np.empty_like(placed)
    result[order] = placed
    return [float(y) for y in result]


def label_bar(ax: Axes, x: float, y: float, text: str) -> None:
    """Write a value to the right of the end of a horizontal bar.

    ax : what to draw on. x, y : the end of the bar, in the units of the axes. text : what to write.
    Returns nothing. Raises nothing.

    >>> from simlib.plots.canvas import Canvas
    >>> ">1,358<" in Canvas().svg(lambda ax: label_bar(ax, 1, 1, "1,358"))
    True
    """
    ax.annotate(text, (x, y), (6, 0), textcoords="offset points", va="center", annotation_clip=False)


def note(ax: Axes, at: tuple[float, float], place: tuple[float, float], text: str) -> None:
    """Say in the picture what happens at a point, with a thin line to it.

    ax : what to draw on. at : the point, in the units of the axes. place : of the text's left lower corner,
    as shares of the width and the height of the axes. text : what happens there; line breaks are kept.
    Returns nothing. Raises nothing.

    >>> from simlib.plots.canvas import Canvas
    >>> ">the cliff<" in Canvas().svg(lambda ax: note(ax, (0.5, 0.5), (0.1, 0.8), "the cliff"))
    True
    """
    ax.annotate(
        text, at, place, textcoords="axes fraction", size=style_of(ax).tick, color=INK, zorder=6,
        arrowprops={"arrowstyle": "-", "color": INK, "linewidth": 1, "shrinkA": 1, "shrinkB": 0},
        bbox={"boxstyle": "square,pad=0.1", "facecolor": PAPER, "edgecolor": "none", "alpha": 0.85},
        linespacing=1.1,
    )  # fmt: skip
