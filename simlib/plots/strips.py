"""Strips: a drawing cut into small ones that lie on each other and share the horizontal axis."""

from simlib.plots.canvas import Axes, style_of
from simlib.plots.style import GRID, LETTER, PAPER

_TEXT = 1.25  # a row of text, in heights of its letters
_HALF = 4.7  # letters: half of the last number of the horizontal axis, which stands out to the right
_HALO = {"boxstyle": "square,pad=0.1", "facecolor": PAPER, "edgecolor": "none", "alpha": 0.85}


def strips(ax: Axes, count: int) -> list[Axes]:
    """Cut a drawing into strips, with room for a number between two of them.

    ax : what to draw on; its own axes are hidden. count : of strips, at least 1.
    Returns the strips from the top, each an Axes; the last one's horizontal axis is for all.
    Raises nothing.

    >>> from matplotlib.figure import Figure
    >>> len(strips(Figure().add_subplot(), 3))
    3
    """
    ax.set_axis_off()
    sheet, box = style_of(ax), ax.get_position()
    gap = sheet.tick * _TEXT / 72 / sheet.height / box.height
    height = (1 - gap * (count - 1)) / count
    width = (1 - _HALF * sheet.tick * LETTER / 72 / sheet.width - box.x0) / box.width
    cut = [ax.inset_axes((0, at * (height + gap), width, height)) for at in reversed(range(count))]
    for strip in cut:
        strip.spines[["top", "right"]].set_visible(False)  # a figure of someone else's has them
    for strip in cut[:-1]:
        strip.sharex(cut[-1])
        strip.tick_params("x", length=0, labelbottom=False)
    return cut


def strip_scale(strip: Axes, high: float, words: str) -> None:
    """Give a strip a scale from 0 to one number, named at its upper end.

    strip : an Axes. high : where it ends, in its unit, more than 0. words : what stands there.
    Returns nothing. Raises nothing.

    >>> from simlib.plots.canvas import Canvas
    >>> ">$2<" in Canvas().svg(lambda ax: strip_scale(ax, 2, "$2"))
    True
    """
    strip.set_ylim(0, high)
    strip.set_yticks([0, high], ["0", words])
    strip.grid(axis="y", color=GRID, linewidth=0.8, zorder=0)


def name_strip(strip: Axes, words: str, *, top: bool = True, left: bool = True) -> None:
    """Say within a strip what it shows.

    strip : an Axes. words : one row. top : whether above, where a rising line leaves room, or below.
    left : whether at the left, or at the right.
    Returns nothing. Raises nothing.

    >>> from simlib.plots.canvas import Canvas
    >>> ">dollars<" in Canvas().svg(lambda ax: name_strip(ax, "dollars"))
    True
    """
    y, side = (0.97, "top") if top else (0.05, "bottom")
    x, end = (0.01, "left") if left else (0.99, "right")
    strip.text(x, y, words, transform=strip.transAxes, ha=end, va=side, zorder=6, bbox=_HALO)
