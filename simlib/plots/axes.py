"""Axes in words: what is counted, thousands with commas, money that can be read, logarithms explained."""

from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from simlib.plots.canvas import Axes, style_of
from simlib.plots.style import GRID


def thousands(value: float) -> str:
    """A number as readers see it on an axis.

    value : in any unit.
    Returns text with commas, without needless decimals.
    Raises nothing.

    >>> thousands(125_600.0), thousands(0.5)
    ('125,600', '0.5')
    """
    return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:,.6g}"


def dollars(value: float) -> str:
    """An amount with as many decimals as it needs to be told from nothing.

    value : dollars.
    Returns text.
    Raises nothing.

    >>> dollars(6.108), dollars(0.3768), dollars(0.00046), dollars(50_000)
    ('$6.11', '$0.377', '$0.00046', '$50,000')
    """
    rounded = float(f"{value:.3g}") if abs(value) < 1 else round(value, 2)
    if abs(rounded) >= 1000 or rounded == 0:
        return f"${value:,.0f}"
    decimals = len(f"{rounded:.12f}".rstrip("0").partition(".")[2])
    return f"${rounded:,.{2 if abs(rounded) >= 1 else max(2, decimals)}f}"


def cents_per_thousand(value: float) -> str:
    """An amount of a run as cents of a thousand runs: $0.00046 is hard to imagine, 46 cents are not.

    value : dollars of one run.
    Returns text: the number of cents.
    Raises nothing.

    >>> cents_per_thousand(0.00046), cents_per_thousand(6.108)
    ('46', '610,800')
    """
    return thousands(round(value * 100_000, 6))


def count_axis(ax: Axes, which: str, label: str, *, parts: int = 6) -> None:
    """Make an axis of whole numbers with commas, and name it.

    ax : what to draw on. which : "x" or "y". label : what is counted, with its unit.
    parts : the most parts it is cut into. Returns nothing. Raises nothing.

    >>> from simlib.plots.canvas import Canvas
    >>> ">calls<" in Canvas().svg(lambda ax: count_axis(ax, "x", "calls"))
    True
    """
    axis = ax.xaxis if which == "x" else ax.yaxis
    axis.set_major_locator(MaxNLocator(_parts(ax, parts), integer=True, min_n_ticks=1))
    axis.set_major_formatter(FuncFormatter(lambda value, _: thousands(value)))
    axis.set_label_text(label)


def share_axis(ax: Axes, label: str, *, low: float = 0) -> None:
    """Make the vertical axis one of shares, up to 100%.

    ax : what to draw on. label : of what. low : the least share shown, 0 or one half.
    Returns nothing. Raises nothing.

    >>> from simlib.plots.canvas import Canvas
    >>> ">25%<" in Canvas().svg(lambda ax: share_axis(ax, "tasks"))
    True
    """
    ax.set_ylim(low, 1)
    ax.yaxis.set_major_locator(
        FixedLocator([0, 0.25, 0.5, 0.75, 1] if low < 0.5 else [0.5, 0.6, 0.7, 0.8, 0.9, 1])
    )
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0%}"))
    ax.yaxis.set_label_text(label)
    ax.grid(axis="y", color=GRID, linewidth=0.8, zorder=0)


def money_axis(ax: Axes, label: str) -> None:
    """Make the vertical axis one of money, each amount in dollars a run and in cents per 1,000 runs.

    ax : what to draw on. label : what costs that. Returns nothing. Raises nothing.

    >>> from simlib.plots.canvas import Canvas
    >>> "50,000 ¢" in Canvas().svg(lambda ax: money_axis(ax, "input"))
    True
    """
    ax.yaxis.set_major_locator(MaxNLocator(_parts(ax, 4)))
    ax.yaxis.set_major_formatter(
        FuncFormatter(lambda value, _: f"{dollars(value)}\n{cents_per_thousand(value)} ¢")
    )
    ax.yaxis.set_label_text(f"{label}: $ a run,\n¢ per 1,000 runs")
    box, room = ax.get_position(), 0.021 * style_of(ax).tick
    ax.set_position((room, box.y0, box.x1 - room, box.height))
    ax.grid(axis="y", color=GRID, linewidth=0.8, zorder=0)


def log_axis(ax: Axes, label: str, low: float, high: float) -> None:
    """Make the horizontal axis logarithmic, from one power of ten to another, and say in words what that is.

    ax : what to draw on. label : what is counted. low, high : values of more than 0 that must fit.
    Returns nothing. Raises nothing.

    >>> from simlib.plots.canvas import Canvas
    >>> ">1,000,000<" in Canvas().svg(lambda ax: log_axis(ax, "tokens", 1_358, 141_820))
    True
    """
    ax.set_xscale("log")
    powers = [10.0**n for n in range(-12, 19) if low / 10 < 10.0**n < high * 10]
    ax.set_xlim(powers[0], powers[-1])
    ax.xaxis.set_major_locator(FixedLocator(powers))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: thousands(value)))
    ax.xaxis.set_label_text(f"{label} (each gridline = ×10)")
    ax.grid(axis="x", color=GRID, linewidth=0.8, zorder=0)


def gap_axis(ax: Axes, label: str) -> None:
    """Make the horizontal axis one of gaps from a second to five hours, logarithmic, and say so in words.

    ax : what to draw on. label : what lasts so long. Returns nothing. Raises nothing.

    >>> from simlib.plots.canvas import Canvas
    >>> ">10 min<" in Canvas().svg(lambda ax: gap_axis(ax, "gap"))
    True
    """
    ax.set_xscale("log")
    ax.set_xlim(1, 18_000)
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_xticks([1, 10, 60, 600, 3_600], ["1 s", "10 s", "1 min", "10 min", "1 h"])
    ax.xaxis.set_label_text(f"{label} (each gridline ×6 or ×10)")
    ax.grid(axis="x", color=GRID, linewidth=0.8, zorder=0)


def _parts(ax: Axes, parts: int) -> int:
    """Larger letters leave room for fewer."""
    return max(3, parts * 2 // 3) if style_of(ax).large else parts
