"""One large tool result in a long run: what it costs depends on how early it comes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simlib.articles.figures.figure import Figure, Table
from simlib.articles.inputs import ArticleB
from simlib.plots.axes import count_axis, thousands
from simlib.plots.canvas import Axes
from simlib.plots.labels import End, label_ends
from simlib.plots.marks import bars
from simlib.theory.growth import contexts, reread

CALLS = 18


@dataclass(frozen=True, eq=False)
class Placing:
    """A run of equal steps, in tokens by call, and what a result of `tokens` at `step` adds to each."""

    contexts: NDArray[Any]
    carried: NDArray[Any]
    step: int
    tokens: int

    @property
    def total_carried(self) -> int:
        """Tokens that are read because of this result."""
        return int(self.carried.sum())


def placing(step: int = 16, tokens: int = 5_000, calls: int = CALLS) -> Placing:
    """A run of article B's agent with one large result in it.

    step : at which the result comes, from 1 to `calls`. tokens : of the result. calls : of the run.
    Returns Placing, in tokens.
    Raises NotANumber, NotWhole or OutOfRange.

    >>> placing(2).total_carried, placing(16).total_carried
    (80000, 10000)
    """
    reread(tokens, step, calls)  # refuses what makes no sense
    carried = np.where(np.arange(1, calls + 1) > step, tokens, 0)
    return Placing(contexts(calls, ArticleB.first_context, ArticleB.growth), carried, step, tokens)


def _draw(ax: Axes, run: Placing) -> None:
    """Each call a bar, with what the large result adds on top of it."""
    calls = np.arange(1, run.contexts.size + 1)
    bars(ax, calls, run.contexts, "read again")
    bars(ax, calls, run.carried, "danger", bottom=run.contexts)
    edge = calls.size + 0.6
    ax.set_xlim(0.4, edge)
    ax.set_ylim(0, float(run.contexts.max() + run.tokens) * 1.08 + 1)
    count_axis(ax, "x", "model call", parts=10)
    count_axis(ax, "y", "tokens read by the call", parts=5)
    top, carried = float(run.contexts[-1]), float(run.carried[-1])
    rest = End(edge, top / 2, f"the rest\n{thousands(float(run.contexts.sum()))}", "other")
    result = End(edge, top + carried / 2, f"this result\n{thousands(run.total_carried)}", "danger")
    label_ends(ax, [rest, result])


def _sentence(run: Placing) -> str:
    later = run.contexts.size - run.step
    return (
        f"A result of {run.tokens:,} tokens at step {run.step} of {run.contexts.size} is read by {later} "
        f"later call{'' if later == 1 else 's'}: {run.total_carried:,} tokens."
    )


def _table(run: Placing) -> Table:
    return {
        "call": range(1, run.contexts.size + 1),
        "without the result (tokens)": run.contexts.tolist(),
        "because of the result (tokens)": run.carried.tolist(),
    }


PLACING = Figure(
    id="placing",
    title="An early result is read by everyone after it",
    passage="article C, section 4 (“step j is read in all later calls”)",
    data=placing,
    draw=_draw,
    sentence=_sentence,
    table=_table,
)
