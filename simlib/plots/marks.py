"""Lines, points and bars, drawn in the roles of `style`."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from simlib.errors import known
from simlib.plots.canvas import Axes, style_of
from simlib.plots.style import INK, LETTER, PAPER, ROLES, Role


def role(name: str) -> Role:
    """What a role looks like.

    name : of the role, such as "no lever" or "caching".
    Returns a Role.
    Raises UnknownName, which offers the roles there are.

    >>> role("caching").marker
    's'
    """
    return ROLES[known("role", name, ROLES)]


def colour_of(ax: Axes, name: str) -> str:
    """The colour that a role has in the style of a drawing.

    ax : the Axes that are drawn on. name : of the role.
    Returns a hexadecimal colour, a grey where the style is for printing.
    Raises UnknownName.

    >>> from matplotlib.figure import Figure
    >>> colour_of(Figure().add_subplot(), "caching")
    '#0072B2'
    """
    return role(name).grey if style_of(ax).grey else role(name).colour


def line(ax: Axes, x: ArrayLike, y: ArrayLike, name: str, *, dash: str | None = None) -> None:
    """Draw a line.

    ax : what to draw on. x, y : its points, in the units of the axes. name : the role.
    dash : "solid" or "dashed" where the figure uses dashes for a meaning of its own.
    Returns nothing. Raises UnknownName.

    >>> from simlib.plots.canvas import Canvas
    >>> "stroke: #0072b2" in Canvas().svg(lambda ax: line(ax, [0, 1], [2, 3], "caching"))
    True
    """
    own = {"solid": "-", "dashed": (0, (4, 2)), None: role(name).dash}[dash]
    ax.plot(x, y, color=colour_of(ax, name), linestyle=own, solid_capstyle="butt", zorder=3)


def points(ax: Axes, x: ArrayLike, y: ArrayLike, error: ArrayLike, name: str) -> None:
    """Draw simulated or measured points with error bars.

    ax : what to draw on. x, y : the points, in the units of the axes. error : half the length of each bar,
    in the unit of y, or two rows, how far the bars reach down and up. name : the role.
    Returns nothing. Raises UnknownName.

    >>> from simlib.plots.canvas import Canvas
    >>> Canvas().svg(lambda ax: points(ax, [1, 2], [3, 4], 0.5, "no lever")).count("<use") > 2
    True
    """
    ax.errorbar(
        x, y, yerr=error, fmt=role(name).marker, color=colour_of(ax, name), markerfacecolor=PAPER,
        markeredgewidth=1.5, elinewidth=1.5, capsize=4, linestyle="none", zorder=4, clip_on=False,
    )  # fmt: skip


def guess(ax: Axes, x: float, y: float, text: str, *, block: bool = False) -> None:
    """Draw what somebody predicted, as a hollow diamond (white inside, to show on black bars) with its label.

    ax : what to draw on. x, y : where, in the units of the axes; outside of them it sits on the edge.
    text : the label. block : whether the guess is an area: then a dashed line runs over the whole width at
    its height, and the label stands in the upper left corner, which a staircase leaves free.
    Returns nothing. Raises nothing.

    >>> from simlib.plots.canvas import Canvas
    >>> "mine: 9" in Canvas().svg(lambda ax: guess(ax, 1, 9, "mine: 9"))
    True
    """
    (left, right), (low, high) = sorted(ax.get_xlim()), sorted(ax.get_ylim())
    at = min(max(x, left), right), min(max(y, low), high)
    if at != (x, y):
        text += " (off the scale)"
    if block:
        ax.plot([left, right], [at[1]] * 2, color=PAPER, linewidth=4, zorder=5)
        ax.plot([left, right], [at[1]] * 2, color=INK, linestyle=(0, (3, 2)), linewidth=2, zorder=5)
    ax.plot(
        *at, marker="D", markersize=style_of(ax).marker * 1.7, markerfacecolor=PAPER, markeredgecolor=INK,
        markeredgewidth=2, linestyle="none", clip_on=False, zorder=6,
    )  # fmt: skip
    below, left_half = y > (low + high) / 2, at[0] <= (left + right) / 2
    if block:
        ax.text(0.02, 0.99, text, transform=ax.transAxes, va="top", zorder=6, bbox=_HALO)
    else:
        ax.annotate(
            text, at, (8 if left_half else -8, -8 if below else 8), textcoords="offset points",
            ha="left" if left_half else "right", va="top" if below else "bottom", zorder=6, bbox=_HALO,
        )  # fmt: skip


def remark(ax: Axes, y: float, text: str) -> None:
    """Write a remark at the left edge, where nothing else is drawn.

    ax : what to draw on. y : where, in the unit of the axis. text : the remark.
    Returns nothing. Raises nothing.

    >>> from simlib.plots.canvas import Canvas
    >>> "your guess: 9" in Canvas().svg(lambda ax: remark(ax, 1, "your guess: 9"))
    True
    """
    (left, right), size = ax.get_xlim(), style_of(ax).tick
    letters = int(style_of(ax).width * 72 / (size * LETTER))
    shown = text if len(text) <= letters else text[: letters - 1] + "…"
    ax.text(min(left, right), y, shown, va="center", size=size, zorder=6, bbox=_HALO)


def bars(
    ax: Axes, x: ArrayLike, height: ArrayLike, name: str, *, bottom: ArrayLike = 0, width: float = 0.8
) -> None:
    """Draw vertical bars with a dark edge.

    ax : what to draw on. x : their middles. height, bottom : in the unit of the axis. name : the role.
    width : of a bar, in the unit of x. Returns nothing. Raises UnknownName.

    >>> from simlib.plots.canvas import Canvas
    >>> "#bfbfbf" in Canvas().svg(lambda ax: bars(ax, [1, 2], [3, 4], "read again"))
    True
    """
    ax.bar(
        np.asarray(x), np.asarray(height), bottom=bottom, width=width, color=colour_of(ax, name),
        edgecolor=INK, hatch=role(name).hatch, linewidth=0.6, zorder=2,
    )  # fmt: skip


def horizontal_bars(ax: Axes, names: Sequence[str], widths: Sequence[float], roles: Sequence[str]) -> None:
    """Draw named horizontal bars, the first on top, and make room for the names.

    ax : what to draw on. names : of the bars. widths : in the unit of the axis. roles : of the bars.
    Returns nothing. Raises UnknownName.

    >>> from simlib.plots.canvas import Canvas
    >>> ">slow<" in Canvas().svg(lambda ax: horizontal_bars(ax, ["slow"], [3], ["no lever"]))
    True
    """
    for at, (width, name) in enumerate(zip(widths, roles, strict=True)):
        ax.barh(
            at, width, height=0.6, color=colour_of(ax, name), edgecolor=INK, hatch=role(name).hatch, zorder=2
        )
    ax.set_yticks(range(len(names)), names)
    ax.tick_params("y", length=0)
    ax.invert_yaxis()
    box, style = ax.get_position(), style_of(ax)
    room = (
        max(len(row) for name in names for row in name.split("\n")) * style.tick * LETTER / 72 / style.width
    )
    ax.set_position((room + 0.02, box.y0, box.x1 - 0.07 - room, box.height))


_HALO = {"boxstyle": "square,pad=0.15", "facecolor": PAPER, "edgecolor": "none", "alpha": 0.85}
