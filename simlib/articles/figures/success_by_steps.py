"""Article C's curves: how the success of a task falls with its steps, with and without checks."""

from dataclasses import dataclass
from itertools import product
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
from simlib.theory.simulation import Simulated

LONGEST = ArticleC.steps_longer  # steps
SIMULATED_AT = np.array([5, 20, 50, 80])  # steps
STEPS_IN_WORDS = ArticleC.steps  # at which the sentence compares


@dataclass(frozen=True, eq=False)
class SuccessBySteps:
    """Curves over `steps`, a row for each of `names`: exact chances, simulated ones, their standard errors.

    A name is (p_success, whether a check follows each attempt). Simulated arrays have no columns where
    nothing was simulated.
    """

    names: tuple[tuple[float, bool], ...]
    steps: NDArray[Any]
    success: NDArray[np.float64]
    simulated_at: NDArray[Any]
    simulated: NDArray[np.float64]
    error: NDArray[np.float64]
    tasks: int

    def at(self, steps: int) -> dict[tuple[float, bool], float]:
        """The chance of each curve at a number of steps."""
        return {name: float(row[steps]) for name, row in zip(self.names, self.success, strict=True)}


def success_by_steps(
    p_success: float = ArticleC.p_success,
    p_detect: float = ArticleC.p_detect,
    retries: int = ArticleC.retries,
    p_success_better: float | None = ArticleC.p_success_better,
    tasks: int = ArticleC.simulated_tasks,
    seed: int = 7,
) -> SuccessBySteps:
    """Success of tasks of up to a hundred steps, exact and simulated.

    p_success, p_success_better : of an attempt, for two pairs of curves; None leaves the second out.
    p_detect : that the check sees a failure. retries : the most repetitions of a step. tasks : simulated for
    each point, 0 for none. seed : of the random generator.
    Returns SuccessBySteps, in probabilities.
    Raises NotANumber, NotWhole or OutOfRange.

    >>> round(success_by_steps(tasks=0).at(20)[0.9, True], 3)
    0.79
    """
    attempts = [p for p in (p_success, p_success_better) if p is not None]
    names = tuple(product(attempts, (True, False)))
    p = np.array([attempt for attempt, _ in names])
    d = np.where([checked for _, checked in names], p_detect, 0)
    steps = np.arange(LONGEST + 1)
    exact = task_success(np.expand_dims(step_success(p, d, retries), -1), steps)
    simulated = _simulated(p, d, retries, tasks, seed) if tasks else None
    return SuccessBySteps(
        names,
        steps,
        np.asarray(exact),
        SIMULATED_AT if simulated else SIMULATED_AT[:0],
        np.asarray(simulated.success) if simulated else np.empty((len(names), 0)),
        np.asarray(simulated.success_error) if simulated else np.empty((len(names), 0)),
        tasks,
    )


def draw_success_by_steps(ax: Axes, curves: SuccessBySteps) -> None:
    """Draw the curves, solid with a check and dashed without, and the simulated points on them.

    ax : what to draw on. curves : the data. Error bars are two standard errors long to either side.
    Returns nothing. Raises nothing.

    >>> from simlib.plots.canvas import Canvas
    >>> "90%, checked" in Canvas().svg(lambda ax: draw_success_by_steps(ax, success_by_steps()))
    True
    """
    ax.set_xlim(0, curves.steps[-1])
    share_axis(ax, "tasks that succeed")
    count_axis(ax, "x", "steps of the task")
    ends = []
    for row, (p, checked) in enumerate(curves.names):
        role = "no lever" if p == curves.names[0][0] else "other"
        line(ax, curves.steps, curves.success[row], role, dash="solid" if checked else "dashed")
        if curves.tasks:
            points(ax, curves.simulated_at, curves.simulated[row], 2 * curves.error[row], role)
        ends.append(End(curves.steps[-1], curves.success[row, -1], _name(p, checked), role))
    label_ends(ax, ends)


def say_success_by_steps(curves: SuccessBySteps) -> str:
    """What the curves show.

    curves : the data.
    Returns a sentence that compares the first pair of curves at twenty steps.
    Raises nothing.

    >>> say_success_by_steps(success_by_steps(tasks=0))
    'Where an attempt succeeds 90% of the time, 12% of tasks of 20 steps succeed unchecked, 79% with checks.'
    """
    p = curves.names[0][0]
    at = curves.at(STEPS_IN_WORDS)
    said = (
        f"Where an attempt succeeds {_percent(p)} of the time, {at[p, False]:.0%} of tasks of "
        f"{STEPS_IN_WORDS} steps succeed unchecked, {at[p, True]:.0%} with checks."
    )
    if not curves.tasks:
        return said
    where = int(np.flatnonzero(curves.simulated_at == STEPS_IN_WORDS)[0])
    checked, unchecked = (float(curves.simulated[row, where]) for row in (0, 1))
    return f"{said} {curves.tasks:,} simulated tasks give {unchecked:.1%} and {checked:.1%}."


def success_by_steps_table(curves: SuccessBySteps) -> Table:
    """The curves as columns, at every fifth step.

    curves : the data.
    Returns columns: steps, the exact chance of each curve, and the simulated ones where there are any.
    Raises nothing.

    >>> list(success_by_steps_table(success_by_steps(tasks=0)))[1]
    'attempt 90%, checked'
    """
    chosen = curves.steps[::5]
    table: dict[str, list[Any]] = {"steps": chosen.tolist()}
    places = {int(at): column for column, at in enumerate(curves.simulated_at)}
    for row, (p, checked) in enumerate(curves.names):
        name = f"attempt {_name(p, checked)}"
        table[name] = curves.success[row, chosen].tolist()
        if curves.tasks:
            for what, values in (("simulated", curves.simulated), ("standard error", curves.error)):
                table[f"{name}, {what}"] = [
                    float(values[row, places[at]]) if at in places else "" for at in chosen.tolist()
                ]
    return table


def _simulated(p: Any, d: Any, retries: int, tasks: int, seed: int) -> Simulated:
    rng = np.random.default_rng(seed)
    return simulate_counts(tasks, SIMULATED_AT, p[:, np.newaxis], d[:, np.newaxis], retries, rng=rng)


def _name(p: float, checked: bool) -> str:
    return f"{_percent(p)}, {'checked' if checked else 'unchecked'}"


def _percent(p: float) -> str:
    return f"{100 * p:.3g}%"


SUCCESS_BY_STEPS = Figure(
    "C-success-by-steps",
    "Checked steps make long tasks possible",
    "article C, section 6, “Task success rate by number of steps”",
    success_by_steps,
    draw_success_by_steps,
    say_success_by_steps,
    success_by_steps_table,
    facts=(
        "C.q",
        "C.task20.unchecked",
        "C.task20.checked",
        "C.task20.simulated",
        "C.task100.p99.unchecked",
        "C.task100.p99.checked",
    ),
)
