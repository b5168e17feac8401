"""Article C's curves: how the success of a task falls with its steps, with and without checks."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simlib.articles.article_c import SEED, SIMULATED_AT, simulate_curves
from simlib.articles.figures.figure import Figure, Table
from simlib.articles.inputs import ArticleC
from simlib.plots.axes import count_axis, share_axis
from simlib.plots.canvas import Axes
from simlib.plots.labels import End, label_ends
from simlib.plots.marks import line, points
from simlib.theory.reliability import step_success, task_success

LONGEST = ArticleC.steps_longer  # steps
COMPARED_AT = ArticleC.steps  # steps, in the sentence

Shares = NDArray[np.float64]


class Curve(NamedTuple):
    """One attempt with or without a check: exact success by steps; simulated success, and its standard error.

    The simulated arrays have an element for each number of steps in `simulated_at`, none without simulation.
    """

    label: str
    role: str
    checked: bool
    success: Shares
    simulated: Shares
    error: Shares


@dataclass(frozen=True, eq=False)
class SuccessBySteps:
    """Curves over `steps` from 0 to 100, the chosen attempt's first: with the check, then without."""

    p_success: float
    steps: NDArray[Any]
    curves: tuple[Curve, ...]
    simulated_at: NDArray[Any]
    tasks: int


def success_by_steps(
    p_success: float = ArticleC.p_success,
    p_detect: float = ArticleC.p_detect,
    retries: int = ArticleC.retries,
    p_success_better: float | None = ArticleC.p_success_better,
    tasks: int = ArticleC.simulated_tasks,
    seed: int = SEED,
) -> SuccessBySteps:
    """Success of tasks of up to a hundred steps, exact and simulated.

    p_success, p_success_better : of an attempt, for two pairs of curves; None, or twice the same, leaves the
    second out. p_detect : that the check sees a failure. retries : the most repetitions of a step.
    tasks : simulated for each point, 0 for none. seed : of the random generator.
    Returns SuccessBySteps, in probabilities.
    Raises NotANumber, NotWhole or OutOfRange.

    >>> [curve.label for curve in success_by_steps().curves]
    ['90%, checked', '90%, unchecked', '99%, checked', '99%, unchecked']
    """
    attempts = [p_success] if p_success_better in (None, p_success) else [p_success, p_success_better]
    steps, at = np.arange(LONGEST + 1), np.array(SIMULATED_AT if tasks else (), dtype=int)
    simulated = error = np.empty((len(attempts), 2, 0))
    if tasks:
        done = simulate_curves(attempts, p_detect, retries, at, tasks, seed)
        simulated, error = np.asarray(done.success), np.asarray(done.success_error)
    curves = tuple(
        Curve(
            label=f"{100 * p:.3g}%, {'checked' if checked else 'unchecked'}",
            role="other" if row else "no lever",
            checked=checked,
            success=np.asarray(task_success(step_success(p, p_detect if checked else 0, retries), steps)),
            simulated=simulated[row, column],
            error=error[row, column],
        )
        for row, p in enumerate(attempts)
        for column, checked in enumerate((True, False))
    )
    return SuccessBySteps(p_success, steps, curves, at, tasks)


def _draw(ax: Axes, shown: SuccessBySteps) -> None:
    """Curves solid with a check and dashed without; points with two standard errors to either side."""
    ax.set_xlim(0, shown.steps[-1])
    share_axis(ax, "tasks that succeed")
    count_axis(ax, "x", "steps of the task")
    ax.set_xticks(range(0, LONGEST + 1, COMPARED_AT))  # where the sentence compares is a tick
    for curve in shown.curves:
        line(ax, shown.steps, curve.success, curve.role, dash="solid" if curve.checked else "dashed")
        points(ax, shown.simulated_at, curve.simulated, 2 * curve.error, curve.role)
    last = shown.steps[-1]
    label_ends(ax, [End(last, curve.success[-1], curve.label, curve.role) for curve in shown.curves])


def _sentence(shown: SuccessBySteps) -> str:
    checked, unchecked = shown.curves[:2]
    said = (
        f"If an attempt succeeds {100 * shown.p_success:.3g}% of the time, "
        f"{unchecked.success[COMPARED_AT]:.0%} of tasks of {COMPARED_AT} steps succeed unchecked, "
        f"{checked.success[COMPARED_AT]:.0%} with checks."
    )
    where = np.flatnonzero(shown.simulated_at == COMPARED_AT)
    if not where.size:
        return said
    found = [f"{float(curve.simulated[where[0]]):.1%}" for curve in (unchecked, checked)]
    return f"{said} {shown.tasks:,} simulated tasks give {' and '.join(found)}."


def _table(shown: SuccessBySteps) -> Table:
    """At every fifth step, which the simulated ones are among."""
    chosen = shown.steps[::5].tolist()
    table: dict[str, list[Any]] = {"steps": chosen}
    for curve in shown.curves:
        table[f"attempt {curve.label}"] = curve.success[::5].tolist()
        if shown.tasks:
            simulated = dict(zip(shown.simulated_at.tolist(), curve.simulated.tolist(), strict=True))
            errors = dict(zip(shown.simulated_at.tolist(), curve.error.tolist(), strict=True))
            table[f"attempt {curve.label}, simulated"] = [simulated.get(at, "") for at in chosen]
            table[f"attempt {curve.label}, standard error"] = [errors.get(at, "") for at in chosen]
    return table


SUCCESS_BY_STEPS = Figure(
    id="C-success-by-steps",
    title="Checked steps make long tasks possible",
    passage="article C, section 6, “Task success rate by number of steps”",
    data=success_by_steps,
    draw=_draw,
    sentence=_sentence,
    table=_table,
    facts=(
        *("C.q", "C.task20.unchecked", "C.task20.checked", "C.task20.simulated"),
        *("C.task100.p99.unchecked", "C.task100.p99.checked"),
    ),
)
