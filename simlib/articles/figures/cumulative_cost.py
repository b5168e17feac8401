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
    budget = max(token_budget, first_context)
    held = np.minimum(read, budget)
    naive, capped = (np.asarray(input_dollars(part.cumsum(), input_price)) for part in (read, held))
    return CumulativeCost(naive, capped, budget)


def _draw(ax: Axes, cost: CumulativeCost) -> None:
    """Both costs over the calls, with what they come to."""
    last = int(cost.calls[-1])
    ax.set_xlim(0, max(last, 2))
    ax.set_ylim(0, max(float(cost.naive[-1]) * 1.08, 1e-9))
    money_axis(ax, "input so far")
    count_axis(ax, "x", "model calls")
    line(ax, cost.calls, cost.naive, "no lever")
    line(ax, cost.calls, cost.held, "compaction")
    held, naive = float(cost.held[-1]), float(cost.naive[-1])
    held_label = f"held at\n{cost.token_budget:,.0f}\n{dollars(held)}"
    label_ends(
        ax,
        [End(last, held, held_label, "compaction"), End(last, naive, f"naive\n{dollars(naive)}", "no lever")],
    )


def _sentence(cost: CumulativeCost) -> str:
    naive, held = float(cost.naive[-1]), float(cost.held[-1])
    calls = f"{cost.calls[-1]:,} calls" if cost.calls[-1] > 1 else "one call"
    budget = f"{cost.token_budget:,.0f} tokens"
    said = f"After {calls} the naive loop has cost {dollars(naive)}, one held at {budget} "
    if held == naive:
        return f"{said}the same: no context is longer than that."
    return (
        f"{said}{dollars(held)}: {1 - held / naive:.0%} less. Once held, every call costs the same; "
        "the naive loop's calls cost more and more."
    )


def _table(cost: CumulativeCost) -> Table:
    return {
        "calls": cost.calls.tolist(),
        "naive (dollars)": cost.naive.tolist(),
        "held (dollars)": cost.held.tolist(),
    }


CUMULATIVE_COST = Figure(
    id="B-cumulative-cost",
    title="A held window keeps the bill straight",
    passage="article B, figure 2 (at the level of its formula: the levers themselves come later)",
    data=cumulative_cost,
    draw=_draw,
    sentence=_sentence,
    table=_table,
    facts=("B.total_input", "B.cost"),
)
