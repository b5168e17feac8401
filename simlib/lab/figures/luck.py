"""Many classes simulate the same thing: how far luck takes their results from the truth."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simlib.articles.figures.figure import Figure, Table
from simlib.articles.inputs import ArticleC
from simlib.plots.axes import count_axis, share_axis
from simlib.plots.canvas import Axes
from simlib.plots.labels import End, label_ends
from simlib.plots.marks import line, points
from simlib.theory.counts import simulate_counts
from simlib.theory.reliability import step_success, task_success

CLASSES = 20


@dataclass(frozen=True, eq=False)
class Luck:
    """Shares of simulated tasks that succeed, one for each class, with standard errors, and the exact one."""

    success: NDArray[np.float64]
    error: NDArray[np.float64]
    exact: float
    tasks: int

    @property
    def classes(self) -> NDArray[Any]:
        """The classes, from 1."""
        return np.arange(1, self.success.size + 1)

    @property
    def away(self) -> NDArray[np.float64]:
        """How far each class is from the exact share, in its own standard errors."""
        with np.errstate(divide="ignore"):  # where all tasks or none succeed, no scatter is seen
            return np.asarray((self.success - self.exact) / self.error)


def luck(tasks: int = ArticleC.simulated_tasks, seed: int = 7) -> Luck:
    """Article C's experiment (checked steps, 0.9, 0.9, two retries, twenty of them), once for each class.

    tasks : that each class simulates, at least 1. seed : of the random generator.
    Returns Luck, in probabilities.
    Raises NotANumber, NotWhole or OutOfRange.

    >>> luck().success.size
    20
    """
    law = ArticleC.p_success, ArticleC.p_detect, ArticleC.retries
    steps = np.full(CLASSES, ArticleC.steps)
    done = simulate_counts(tasks, steps, *law, rng=np.random.default_rng(seed))
    exact = float(task_success(step_success(*law), ArticleC.steps))
    return Luck(np.asarray(done.success), np.asarray(done.success_error), exact, tasks)


def _draw(ax: Axes, found: Luck) -> None:
    """Each class's result with two standard errors to either side, and the exact share as a line."""
    edge = CLASSES + 1
    ax.set_xlim(0, edge)
    share_axis(ax, "tasks that succeed", low=0.5)
    count_axis(ax, "x", "class")
    line(ax, [0, edge], [found.exact, found.exact], "other")
    points(ax, found.classes, found.success, 2 * found.error, "no lever")
    label_ends(ax, [End(edge, found.exact, f"exact\n{found.exact:.1%}", "other")])


def _sentence(found: Luck) -> str:
    missing = int((abs(found.away) > 2).sum())
    bars = (
        "none of the bars misses" if not missing else f"{missing} bar{'s miss' if missing > 1 else ' misses'}"
    )
    return (
        f"{CLASSES} classes simulate {found.tasks:,} tasks each and find {found.success.min():.1%} to "
        f"{found.success.max():.1%}; the exact share is {found.exact:.1%}, which {bars}."
    )


def _table(found: Luck) -> Table:
    return {
        "class": found.classes.tolist(),
        "tasks that succeed": found.success.tolist(),
        "standard error": found.error.tolist(),
        "standard errors from the exact share": found.away.tolist(),
    }


LUCK = Figure(
    id="luck",
    title="An honest simulation still misses, by a known amount",
    passage="article C, section 6 (“A simulation of 20,000 tasks”)",
    data=luck,
    draw=_draw,
    sentence=_sentence,
    table=_table,
)
