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
    """Success of a task of `steps` for 0 to 5 retries, its ceiling, and the attempts that a step takes."""

    retries: NDArray[Any]
    success: NDArray[np.float64]
    attempts: NDArray[np.float64]
    ceiling: float
    steps: int


def retries_shown(
    p_success: float = ArticleC.p_success, p_detect: float = ArticleC.p_detect, steps: int = ArticleC.steps
) -> Retries:
    """Success of a task by the retries that each step is allowed.

    p_success : of an attempt. p_detect : that the check sees a failure. steps : of the task.
    Returns Retries, in probabilities and attempts.
    Raises NotANumber, NotWhole or OutOfRange.

    >>> retries_shown().success.round(3)
    array([0.122, 0.681, 0.79 , 0.801, 0.802, 0.802])
    """
    allowed = np.arange(MOST + 1)
    success = task_success(step_success(p_success, p_detect, allowed), steps)
    ceiling = task_success(step_success(p_success, p_detect, np.inf), steps)
    attempts = expected_attempts(p_success, p_detect, allowed)
    return Retries(allowed, np.asarray(success), np.asarray(attempts), float(ceiling), steps)


def draw_retries(ax: Axes, shown: Retries) -> None:
    """Draw a bar for each number of retries, and the ceiling as a line.

    ax : what to draw on. shown : the data.
    Returns nothing. Raises nothing.

    >>> from simlib.plots.canvas import Canvas
    >>> "ceiling" in Canvas().svg(lambda ax: draw_retries(ax, retries_shown()))
    True
    """
    share_axis(ax, "tasks that succeed")
    bars(ax, shown.retries, shown.success, "no lever")
    ax.set_xlim(-0.6, MOST + 0.6)
    count_axis(ax, "x", "retries that a step is allowed")
    line(ax, [-0.6, MOST + 0.6], [shown.ceiling, shown.ceiling], "danger")
    label_ends(ax, [End(MOST + 0.6, shown.ceiling, f"ceiling\n{shown.ceiling:.1%}", "danger")])


def say_retries(shown: Retries) -> str:
    """What retries bring.

    shown : the data.
    Returns a sentence.
    Raises nothing.

    >>> say_retries(retries_shown())[:69]
    'With 0, 1, 2, 3 retries, 12.2%, 68.1%, 79.0%, 80.1% of tasks of 20 st'
    """
    first = ", ".join(f"{share:.1%}" for share in shown.success[:4])
    return (
        f"With 0, 1, 2, 3 retries, {first} of tasks of {shown.steps} steps succeed; with any number of them "
        f"{shown.ceiling:.1%}, because the check lets the other errors through."
    )


def retries_table(shown: Retries) -> Table:
    """The bars as columns.

    shown : the data.
    Returns columns: retries, success of the task, attempts a step takes on average.
    Raises nothing.

    >>> round(retries_table(retries_shown())["attempts a step"][2], 4)
    1.0981
    """
    return {
        "retries": shown.retries.tolist(),
        f"tasks of {shown.steps} steps that succeed": shown.success.tolist(),
        "attempts a step": shown.attempts.tolist(),
    }


RETRIES = Figure(
    "retries",
    "The checker is the ceiling, not the retries",
    "article C, section 6",
    retries_shown,
    draw_retries,
    say_retries,
    retries_table,
    facts=("C.q", "C.q.terms"),
)
