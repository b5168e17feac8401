"""Article B's second figure, at the level of its formula: a naive loop against a window held at a budget."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simlib.articles.figures.figure import Figure, Table
from simlib.articles.inputs import ArticleB
from simlib.plots.axes import count_axis, dollars, money_axis
from simlib.plots.canvas import Axes
from simlib.plots.labels import End, label_ends
from simlib.plots.marks import line
from simlib.theory.budget import input_dollars
from simlib.theory.growth import contexts


@dataclass(frozen=True, eq=False)
class CumulativeCost:
    """Dollars of input up to each call, naive and with every context held at `token_budget` tokens."""

    naive: NDArray[np.float64]
    held: NDArray[np.float64]
    token_budget: float

    @property
    def calls(self) -> NDArray[Any]:
        """The calls, from 1."""
        return np.arange(1, self.naive.size + 1)


def cumulative_cost(
    calls: int = ArticleB.max_steps,
    growth: float = ArticleB.growth,
    token_budget: float = ArticleB.token_budget,
    first_context: float = ArticleB.first_context,
    input_price: float = float(ArticleB.input_price),
) -> CumulativeCost:
    """What a run's input has cost up to each call, naive and held.

    calls : model calls, at least 1. growth : tokens per call. token_budget : the most that a held context may
    have, first_context included; a budget below it holds nothing back but the growth.
    first_context : tokens. input_price : dollars per million tokens.
    Returns CumulativeCost, in dollars. Holding is ideal: at once, free of charge, and uncached.
    Raises NotANumber, NotWhole or OutOfRange.

    >>> cost = cumulative_cost()
    >>> float(cost.naive[7].round(4)), float(cost.held[-1].round(3))
    (0.3768, 3.237)
    """
    read = contexts(calls, first_context, growth)
    held = np.minimum(read, max(token_budget, first_context))
    naive, capped = (np.asarray(input_dollars(part.cumsum(), input_price)) for part in (read, held))
    return CumulativeCost(naive, capped, token_budget)


def draw_cumulative_cost(ax: Axes, cost: CumulativeCost) -> None:
    """Draw both costs over the calls.

    ax : what to draw on. cost : the data.
    Returns nothing. Raises nothing.

    >>> from simlib.plots.canvas import Canvas
    >>> "naive" in Canvas().svg(lambda ax: draw_cumulative_cost(ax, cumulative_cost()))
    True
    """
    last = int(cost.calls[-1])
    ax.set_xlim(0, max(last, 2))
    ax.set_ylim(0, max(float(cost.naive[-1]) * 1.08, 1e-9))
    money_axis(ax, "input so far")
    count_axis(ax, "x", "model calls")
    line(ax, cost.calls, cost.naive, "no lever")
    line(ax, cost.calls, cost.held, "compaction")
    held = f"held at\n{cost.token_budget:,.0f}\n{dollars(float(cost.held[-1]))}"
    naive = f"naive\n{dollars(float(cost.naive[-1]))}"
    label_ends(
        ax,
        [
            End(last, float(cost.held[-1]), held, "compaction"),
            End(last, float(cost.naive[-1]), naive, "no lever"),
        ],
    )


def say_cumulative_cost(cost: CumulativeCost) -> str:
    """What the two lines show.

    cost : the data.
    Returns a sentence, in dollars.
    Raises nothing.

    >>> say_cumulative_cost(cumulative_cost())[:63]
    'After 40 calls the naive loop has cost $6.11, the one held at 3'
    """
    naive, held = float(cost.naive[-1]), float(cost.held[-1])
    less = 1 - held / naive if naive else 0
    return (
        f"After {cost.calls[-1]:,} calls the naive loop has cost {dollars(naive)}, the one held at "
        f"{cost.token_budget:,.0f} tokens {dollars(held)}: {less:.0%} less. "
        "Once held, every call costs the same; the naive loop's calls cost more and more."
    )


def cumulative_cost_table(cost: CumulativeCost) -> Table:
    """The two lines as columns.

    cost : the data.
    Returns columns: calls, and dollars so far, naive and held.
    Raises nothing.

    >>> cumulative_cost_table(cumulative_cost())["naive (dollars)"][0]
    0.024
    """
    return {
        "calls": cost.calls.tolist(),
        "naive (dollars)": cost.naive.tolist(),
        "held (dollars)": cost.held.tolist(),
    }


CUMULATIVE_COST = Figure(
    "B-cumulative-cost",
    "A held window keeps the bill straight",
    "article B, figure 2 (at the level of its formula: the levers themselves come later)",
    cumulative_cost,
    draw_cumulative_cost,
    say_cumulative_cost,
    cumulative_cost_table,
    facts=("B.total_input", "B.cost"),
)
