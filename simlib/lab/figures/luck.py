"""Twenty classes simulate the same thing: how far luck takes their results from the truth."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simlib.articles.figures.figure import Figure, Table
from simlib.articles.inputs import ArticleC
from simlib.plots.axes import count_axis
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
        """How far each class is from the exact share, in standard errors of the exact share."""
        error = np.sqrt(self.exact * (1 - self.exact) / self.tasks)
        return np.asarray((self.success - self.exact) / error)


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


def draw_luck(ax: Axes, found: Luck) -> None:
    """Draw each class's result with two standard errors to either side, and the exact share as a line.

    ax : what to draw on. found : the data.
    Returns nothing. Raises nothing.

    >>> from simlib.plots.canvas import Canvas
    >>> "exact" in Canvas().svg(lambda ax: draw_luck(ax, luck()))
    True
    """
    ax.set_xlim(0, CLASSES + 1)
    ax.set_ylim(0.6, 1)
    ax.set_yticks([0.6, 0.7, 0.8, 0.9, 1], ["60%", "70%", "80%", "90%", "100%"])
    ax.yaxis.set_label_text("tasks that succeed")
    count_axis(ax, "x", "class")
    line(ax, [0, CLASSES + 1], [found.exact, found.exact], "other")
    points(ax, found.classes, found.success, 2 * found.error, "no lever")
    label_ends(ax, [End(CLASSES + 1, found.exact, f"exact\n{found.exact:.1%}", "other")])


def say_luck(found: Luck) -> str:
    """How far the classes are apart.

    found : the data.
    Returns a sentence.
    Raises nothing.

    >>> say_luck(luck())[:50]
    'Twenty classes simulate 20,000 tasks each and find'
    """
    outside = int((abs(found.away) > 2).sum())
    return (
        f"Twenty classes simulate {found.tasks:,} tasks each and find {found.success.min():.1%} to "
        f"{found.success.max():.1%}; the exact share is {found.exact:.1%}, and {outside} of the twenty "
        f"{'is' if outside == 1 else 'are'} more than two standard errors away from it."
    )


def luck_table(found: Luck) -> Table:
    """The classes as columns.

    found : the data.
    Returns columns: class, share found, standard error, distance from the exact share in standard errors.
    Raises nothing.

    >>> len(luck_table(luck())["class"])
    20
    """
    return {
        "class": found.classes.tolist(),
        "tasks that succeed": found.success.tolist(),
        "standard error": found.error.tolist(),
        "standard errors from the exact share": found.away.tolist(),
    }


LUCK = Figure(
    "luck",
    "An honest simulation still misses, by a known amount",
    "article C, section 6 (“A simulation of 20,000 tasks”)",
    luck,
    draw_luck,
    say_luck,
    luck_table,
    facts=("C.task20.simulated",),
)
