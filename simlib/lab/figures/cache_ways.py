"""What a run costs call by call, by where its cache markers stand and by what breaks its prefix."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simlib.articles.figures.figure import Figure, Table
from simlib.articles.inputs import ArticleB
from simlib.billing.catalogue import load_catalogue
from simlib.billing.forecast import changing_first_line, moving_marker, no_cache, prefix_only, run_dollars
from simlib.errors import axis_length
from simlib.lab.figures.tool_minutes import DAY, MODEL
from simlib.plots.axes import count_axis, dollars, money_axis
from simlib.plots.canvas import Axes
from simlib.plots.labels import End, label_ends
from simlib.plots.marks import line

UNCACHED, PREFIX, MOVING, BROKEN = "no cache", "first part only", "marker moves", "time in line 1"
WAYS: Mapping[str, tuple[Callable[..., Any], str]] = MappingProxyType(
    {
        UNCACHED: (no_cache, "no lever"),
        PREFIX: (prefix_only, "other"),
        MOVING: (moving_marker, "caching"),
        BROKEN: (changing_first_line, "danger"),
    }
)


@dataclass(frozen=True, eq=False)
class CacheWays:
    """Dollars of input up to each call, by the way in which the run is cached."""

    dollars: Mapping[str, NDArray[np.float64]]

    @property
    def calls(self) -> int:
        """Model calls of the run."""
        return len(self.dollars[UNCACHED])


def cache_ways(
    calls: int = ArticleB.calls,
    first_context: int = ArticleB.first_context,
    growth: int = ArticleB.growth,
) -> CacheWays:
    """A run's input in four ways: uncached, with a marker behind the first part, with one that moves along,
    and with a first line that changes at every call.

    calls : model calls. first_context : tokens. growth : tokens per call.
    Returns CacheWays, in dollars at the price of article B's model.
    Raises NotANumber, NotWhole or OutOfRange.

    >>> {name: round(float(cost[-1]), 4) for name, cost in cache_ways().dollars.items()}
    {'no cache': 0.3768, 'first part only': 0.2316, 'marker moves': 0.1184, 'time in line 1': 0.471}
    """
    numbers = np.arange(1, axis_length("calls", calls, low=1) + 1)
    price = load_catalogue().price(MODEL, DAY)
    return CacheWays(
        {
            name: np.asarray(run_dollars(way, numbers, first_context, growth, price), float)
            for name, (way, _) in WAYS.items()
        }
    )


def _draw(ax: Axes, shown: CacheWays) -> None:
    calls = np.arange(1, shown.calls + 1)
    ends = []
    for name, cost in shown.dollars.items():
        role = WAYS[name][1]
        line(ax, calls, cost, role)
        ends.append(End(shown.calls, float(cost[-1]), f"{name}\n{dollars(float(cost[-1]))}", role))
    ax.set_xlim(0, shown.calls)
    ax.set_ylim(0, max(float(cost[-1]) for cost in shown.dollars.values()) * 1.1 or 1)
    count_axis(ax, "x", "model calls", parts=8)
    money_axis(ax, "input")
    label_ends(ax, ends)


def _sentence(shown: CacheWays) -> str:
    last = {name: float(cost[-1]) for name, cost in shown.dollars.items()}
    less = 1 - last[MOVING] / last[UNCACHED] if last[UNCACHED] else 0.0
    more = last[BROKEN] / last[UNCACHED] - 1 if last[UNCACHED] else 0.0
    return (
        f"After {shown.calls} call{'s' * (shown.calls > 1)}: {dollars(last[UNCACHED])} without a cache, "
        f"{dollars(last[MOVING])} with a marker that moves ({-less:+.0%}), {dollars(last[BROKEN])} with the "
        f"time in the first line ({more:+.0%})."
    )


def _table(shown: CacheWays) -> Table:
    costs = {f"{name} (dollars)": cost.tolist() for name, cost in shown.dollars.items()}
    return {"call": range(1, shown.calls + 1), **costs}


CACHE_WAYS = Figure(
    id="cache-ways",
    title="A first line that changes makes caching dearer than none",
    passage="article B, “Why context explodes”, its eight calls cached",
    data=cache_ways,
    draw=_draw,
    sentence=_sentence,
    table=_table,
)
