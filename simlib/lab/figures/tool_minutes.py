"""What tools that take their time do to a cached run: the cliff at the end of each lifetime."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simlib.articles.figures.figure import Figure, Table
from simlib.articles.inputs import ArticleB
from simlib.billing.catalogue import load_catalogue
from simlib.billing.forecast import moving_marker, no_cache, run_dollars
from simlib.billing.payback import cost_of_pause
from simlib.billing.price import Price
from simlib.errors import OutOfRange, axis_length, real, single
from simlib.plots.axes import count_axis, dollars, money_axis
from simlib.plots.canvas import Axes
from simlib.plots.labels import End, label_ends, note
from simlib.plots.marks import line
from simlib.prompt.prompt import SECONDS, Lifetime
from simlib.theory.budget import input_dollars
from simlib.theory.growth import contexts

MODEL, DAY = "claude-sonnet-4-6", date(2026, 10, 24)
LIFETIMES: Mapping[Lifetime, str] = MappingProxyType({"5m": "for 5 min", "1h": "for 1 hour"})
UNCACHED = "no cache"


@dataclass(frozen=True, eq=False)
class ToolMinutes:
    """Dollars of a run's input by the `minutes` that tools take: without a cache, and by lifetime of entries.

    `calls` are the model calls, `slow` the one tool that takes so long, 0 for all of them.
    """

    minutes: NDArray[np.float64]
    dollars: Mapping[str, NDArray[np.float64]]
    calls: int
    slow: int

    def around(self, lifetime: Lifetime) -> tuple[float, float] | None:
        """Dollars of tools that just come in time and of those that just do not; None beyond the picture."""
        at = np.flatnonzero(self.minutes > SECONDS[lifetime] / 60)
        cost = self.dollars[LIFETIMES[lifetime]]
        return (float(cost[at[0] - 1]), float(cost[at[0]])) if at.size else None


def tool_minutes(
    longest: float = 10,
    slow: int = 0,
    calls: int = ArticleB.calls,
    first_context: int = ArticleB.first_context,
    growth: int = ArticleB.growth,
) -> ToolMinutes:
    """What a run's input costs, by the minutes from each request to the next, which its tools take.

    longest : the most minutes shown. slow : the number of the one tool that takes them, the others being
    quick; 0 for every tool. calls : model calls, at least 2. first_context : tokens. growth : tokens per
    call.
    Returns ToolMinutes, in dollars at the price of article B's model, with the marker at the last message.
    Raises NotANumber, NotWhole or OutOfRange.

    >>> {name: float(cost[-1].round(4)) for name, cost in tool_minutes().dollars.items()}
    {'no cache': 0.3768, 'for 5 min': 0.471, 'for 1 hour': 0.1711}
    """
    number, tool = axis_length("calls", calls, low=2), axis_length("slow", slow)
    if tool >= number:
        raise OutOfRange("slow", slow, f"whole numbers below the {number} calls")
    most = single("longest", real("longest", longest, above=0, noun="minutes"))
    turns = [SECONDS[lifetime] / 60 for lifetime in LIFETIMES if SECONDS[lifetime] / 60 < most]
    minutes = np.unique([0, *turns, *(np.nextafter(turn, most) for turn in turns), most])
    run = number, first_context, growth
    price, stored = load_catalogue().price(MODEL, DAY), contexts(*run)[:-1]
    lost = stored[tool - 1 : tool] if tool else stored
    costs = {UNCACHED: np.full(minutes.shape, float(run_dollars(no_cache, *run, price)))}
    for lifetime, name in LIFETIMES.items():
        quick = float(run_dollars(moving_marker, *run, price, lifetime=lifetime))
        costs[name] = quick + _pauses(lost, minutes, lifetime, price)
    return ToolMinutes(minutes, costs, number, tool)


def _pauses(
    stored: NDArray[Any], minutes: NDArray[np.float64], lifetime: Lifetime, price: Price
) -> NDArray[np.float64]:
    """What it costs in dollars, by minutes, that each of the contexts waits so long."""
    write, read = price.multiple(f"cache_write_{lifetime}"), price.multiple("cache_read")
    tokens = np.asarray(cost_of_pause(stored, 60 * minutes[:, np.newaxis], SECONDS[lifetime], write, read))
    return np.asarray(input_dollars(tokens.sum(axis=-1), price.rates.input), dtype=float)


def _draw(ax: Axes, shown: ToolMinutes) -> None:
    """A line without a cache and one for each lifetime, the hour's solid, and the cliff by its name."""
    last = float(shown.minutes[-1])
    ax.set_xlim(0, last)
    ax.set_ylim(0, 1.12 * max(float(cost.max()) for cost in shown.dollars.values()))
    money_axis(ax, "input")
    count_axis(
        ax, "x", f"minutes that {f'tool {shown.slow}' if shown.slow else 'every tool'} takes", parts=10
    )
    ends = []
    for name, cost in shown.dollars.items():
        role = "no lever" if name == UNCACHED else "caching"
        line(ax, shown.minutes, cost, role, dash="solid" if name == LIFETIMES["1h"] else None)
        ends.append(End(last, float(cost[-1]), f"{name}\n{dollars(float(cost[-1]))}", role))
    _name_cliff(ax, shown)
    label_ends(ax, ends)


def _name_cliff(ax: Axes, shown: ToolMinutes) -> None:
    """Say what five minutes and a moment cost, on the roomier side, where no line runs through the words."""
    cliff, edge = shown.around("5m"), SECONDS["5m"] / 60
    if cliff is None:
        return
    share = edge / float(shown.minutes[-1])
    after = share < 0.45
    at = int(np.flatnonzero(shown.minutes > edge)[0]) if after else 0
    levels = np.sort([*(cost[at] for cost in shown.dollars.values()), *ax.get_ylim()])
    widest = int(np.argmax(np.diff(levels)))
    place = share + 0.05 if after else 0.03, levels[widest] / levels[-1] + 0.05
    note(
        ax, (edge, sum(cliff) / 2), place, f"{edge:.0f} minutes:\n{dollars(cliff[0])} to\n{dollars(cliff[1])}"
    )


def _sentence(shown: ToolMinutes) -> str:
    uncached, hour = (dollars(float(shown.dollars[name][0])) for name in (UNCACHED, LIFETIMES["1h"]))
    cliff = shown.around("5m")
    five = dollars(float(shown.dollars[LIFETIMES["5m"]][0]))
    if cliff is None:
        return (
            f"{shown.calls} calls cost {five} cached for 5 minutes, {hour} for an hour, {uncached} uncached."
        )
    which = f"tool {shown.slow} takes" if shown.slow else "tools take"
    late = shown.around("1h")
    beyond = f" ({dollars(late[1])} beyond it)" if late else ""
    return (
        f"{shown.calls} calls cost {five} cached for 5 minutes, but {dollars(cliff[1])} if {which} longer; "
        f"cached for an hour, {hour}{beyond}; without a cache, {uncached}."
    )


def _table(shown: ToolMinutes) -> Table:
    costs = {f"{name} (dollars)": cost.tolist() for name, cost in shown.dollars.items()}
    return {"minutes": shown.minutes.tolist(), **costs}


TOOL_MINUTES = Figure(
    id="tool-minutes",
    title="Where tools take longer than an entry lives, all is stored again",
    passage="article B, “Why context explodes”, its eight calls cached",
    data=tool_minutes,
    draw=_draw,
    sentence=_sentence,
    table=_table,
)
