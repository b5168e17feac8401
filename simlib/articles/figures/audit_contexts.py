"""Article A's audit, call by call: what each reads, beside what the formula of equal steps expects."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simlib.articles.figures.figure import Figure, Table
from simlib.articles.inputs import ArticleA
from simlib.articles.runs import audit_run
from simlib.plots.axes import count_axis, thousands
from simlib.plots.canvas import Axes
from simlib.plots.labels import End, label_ends, note
from simlib.plots.marks import bars, line
from simlib.theory.growth import contexts


@dataclass(frozen=True, eq=False)
class AuditContexts:
    """Tokens that each call reads, and by the formula; whether the article prints the context of the call."""

    contexts: NDArray[Any]
    formula: NDArray[Any]
    printed: NDArray[np.bool_]

    @property
    def calls(self) -> NDArray[Any]:
        """The calls, from 1."""
        return np.arange(1, self.contexts.size + 1)


def audit_contexts(given: ArticleA | None = None) -> AuditContexts:
    """The contexts of the audit.

    given : what the article gives, if not as published.
    Returns AuditContexts, in tokens.
    Raises OutOfRange for inputs that no run can have.

    >>> audit_contexts().contexts[audit_contexts().printed]
    array([1146, 3906, 5327])
    """
    given = given or ArticleA()
    run = audit_run(given)
    formula = contexts(run.calls, given.audit_first_context, given.audit_growth)
    printed = ~np.isin(np.arange(1, run.calls + 1), run.reconstructed)
    return AuditContexts(np.array(run.contexts), formula, printed)


def _draw(ax: Axes, run: AuditContexts) -> None:
    """Black bars for what is printed, white ones for what is reconstructed, and the formula as a line."""
    for chosen, role in ((~run.printed, "not counted"), (run.printed, "no lever")):
        bars(ax, run.calls[chosen], run.contexts[chosen], role, width=0.86)
    edge = run.calls.size + 0.6
    ax.set_xlim(0.4, edge)
    ax.set_ylim(0, float(run.contexts.max()) * 1.12)
    count_axis(ax, "x", "model call", parts=10)
    count_axis(ax, "y", "tokens read by the call", parts=5)
    line(ax, run.calls, run.formula, "other")
    late = run.contexts.size - 2
    note(ax, (1, run.contexts[0]), (0.03, 0.45), f"call 1:\n{thousands(float(run.contexts[0]))}")
    text = f"call {late + 1}: {thousands(float(run.contexts[late]))}"
    note(ax, (run.calls[late], run.contexts[late]), (0.42, 0.87), text)
    note(ax, (late / 2, run.contexts[late // 2] / 2), (0.26, 0.62), "white: not printed")
    last, formula = float(run.contexts[-1]), float(run.formula[-1])
    ends = [
        End(edge, last, f"the run\n{thousands(last)}", "no lever"),
        End(edge, formula, f"formula\n{thousands(formula)}", "other"),
    ]
    label_ends(ax, ends)


def _sentence(run: AuditContexts) -> str:
    first, late, last = (f"{run.contexts[at]:,}" for at in (0, -2, -1))
    calls, total, formula = run.calls.size, f"{run.contexts.sum():,}", f"{run.formula.sum():,}"
    return (
        f"The audit reads {first} tokens at call 1, {late} at call {calls - 1}, {last} at call {calls}: "
        f"{total} in all, {formula} by the formula."
    )


def _table(run: AuditContexts) -> Table:
    return {
        "call": run.calls.tolist(),
        "read by the call (tokens)": run.contexts.tolist(),
        "by the formula (tokens)": run.formula.tolist(),
        "context": ["printed" if printed else "reconstructed" for printed in run.printed.tolist()],
    }


AUDIT_CONTEXTS = Figure(
    id="A-audit-contexts",
    title="The formula meets the sum, though it misses the last call",
    passage="article A, step 4, the audit (15 of its 18 contexts reconstructed)",
    data=audit_contexts,
    draw=_draw,
    sentence=_sentence,
    table=_table,
    facts=("A.audit.growth", "A.audit.input", "A.audit.formula", "A.audit.step_ratio"),
)
