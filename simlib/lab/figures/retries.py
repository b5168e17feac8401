"""What another retry brings: much, then little, and never more than the checker sees."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simlib.articles.figures.figure import Figure, Table
from simlib.articles.inputs import ArticleC
from simlib.plots.axes import count_axis, share_axis
from simlib.plots.canvas import Axes
from simlib.plots.labels import End, label_ends
from simlib.plots.marks import bars, line
from simlib.theory.reliability import expected_attempts, step_success, task_success

MOST = 5


@dataclass(frozen=True, eq=False)
class Retries:
    """Success of a task of `steps` by the retries of a step, its ceiling, and attempts that a step takes."""

    retries: NDArray[Any]
    success: NDArray[np.float64]
    attempts: NDArray[np.float64]
    ceiling: float
    steps: int


def success_by_retries(
    p_success: float = ArticleC.p_success, p_detect: float = ArticleC.p_detect, steps: int = ArticleC.steps
) -> Retries:
    """Success of a task by the retries that each step is allowed.

    p_success : of an attempt. p_detect : that the check sees a failure. steps : of the task.
    Returns Retries, in probabilities and attempts.
    Raises NotANumber, NotWhole or OutOfRange.

    >>> success_by_retries().success.round(3)
    array([0.122, 0.681, 0.79 , 0.801, 0.802, 0.802])
    """
    allowed = np.arange(MOST + 1)
    success = task_success(step_success(p_success, p_detect, allowed), steps)
    ceiling = task_success(step_success(p_success, p_detect, np.inf), steps)
    attempts = expected_attempts(p_success, p_detect, allowed)
    return Retries(allowed, np.asarray(success), np.asarray(attempts), float(ceiling), steps)


def _draw(ax: Axes, shown: Retries) -> None:
    """A bar for each number of retries, and the ceiling as a line."""
    share_axis(ax, "tasks that succeed")
    bars(ax, shown.retries, shown.success, "no lever")
    left, right = -0.6, MOST + 0.6
    ax.set_xlim(left, right)
    count_axis(ax, "x", "retries that a step is allowed")
    ax.set_xticks(shown.retries)
    line(ax, [left, right], [shown.ceiling, shown.ceiling], "danger")
    label_ends(ax, [End(right, shown.ceiling, f"ceiling\n{shown.ceiling:.1%}", "danger")])


def _sentence(shown: Retries) -> str:
    first = ", ".join(f"{share:.1%}" for share in shown.success[:4])
    steps = "one step" if shown.steps == 1 else f"{shown.steps} steps"
    remain = ", because errors that the check does not see remain" if shown.ceiling < 1 else ""
    return (
        f"With 0, 1, 2, 3 retries, {first} of tasks of {steps} succeed; "
        f"with any number of them {shown.ceiling:.1%}{remain}."
    )


def _table(shown: Retries) -> Table:
    return {
        "retries": shown.retries.tolist(),
        f"tasks of {shown.steps} steps that succeed": shown.success.tolist(),
        "attempts a step": shown.attempts.tolist(),
    }


RETRIES = Figure(
    id="retries",
    title="The checker is the ceiling, not the retries",
    passage="article C, section 6",
    data=success_by_retries,
    draw=_draw,
    sentence=_sentence,
    table=_table,
)
