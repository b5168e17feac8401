"""Article A's audit in dollars: without a cache the cost bends upward, with one it stays nearly straight."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simlib.articles.figures.figure import Figure, Table
from simlib.articles.inputs import ArticleA
from simlib.articles.runs import audit_run
from simlib.billing.catalogue import load_catalogue
from simlib.models.published import PublishedTrace
from simlib.plots.axes import count_axis, dollars, money_axis
from simlib.plots.canvas import Axes
from simlib.plots.labels import End, label_ends, note
from simlib.plots.marks import line


@dataclass(frozen=True, eq=False)
class AuditCost:
    """Dollars up to each call, output included, without a cache and with one; tokens that the last writes."""

    uncached: NDArray[np.float64]
    cached: NDArray[np.float64]
    last_output: int

    @property
    def calls(self) -> NDArray[Any]:
        """The calls, from 1."""
        return np.arange(1, self.cached.size + 1)

    @property
    def factor(self) -> float:
        """How many times cheaper the run is with the cache."""
        return float(self.uncached[-1] / self.cached[-1])


def audit_cost(warm: int = ArticleA.port_warm, given: ArticleA | None = None) -> AuditCost:
    """What the audit has cost up to each call.

    warm : tokens that the first call finds cached, 0 for an empty cache. given : what the article gives, if
    not as published.
    Returns AuditCost, in dollars; the outputs are reconstructed.
    Raises OutOfRange for inputs that no run can have.

    >>> round(audit_cost().factor, 2), round(audit_cost(warm=0).factor, 2)
    (3.1, 2.91)
    """
    given = given or ArticleA()
    run = replace(audit_run(given), warm=warm)
    uncached, cached = _so_far(given, run.uncached()), _so_far(given, run)
    return AuditCost(uncached, cached, run.outputs[-1])


def _so_far(given: ArticleA, run: PublishedTrace) -> NDArray[np.float64]:
    price = load_catalogue().price(given.model, given.price_day)
    return np.cumsum([float(price.dollars(usage)) for usage in run.usages()])


def _draw(ax: Axes, cost: AuditCost) -> None:
    """Both costs over the calls, and why each goes as it does."""
    last = int(cost.calls[-1])
    ax.set_xlim(0, last)
    ax.set_ylim(0, float(cost.uncached[-1]) * 1.08)
    money_axis(ax, "the run so far")
    count_axis(ax, "x", "model calls")
    line(ax, cost.calls, cost.uncached, "no lever")
    line(ax, cost.calls, cost.cached, "caching")
    bend = last * 2 // 3
    note(
        ax,
        (bend, cost.uncached[bend - 1]),
        (0.04, 0.68),
        "full price for all\nthat came before:\nit bends upward",
    )
    note(ax, (last - 0.5, cost.cached[-2:].mean()), (0.56, 0.23), f"{cost.last_output} written")
    uncached, cached = float(cost.uncached[-1]), float(cost.cached[-1])
    ends = [
        End(last, uncached, f"no cache\n{dollars(uncached)}", "no lever"),
        End(last, cached, f"cached\n{dollars(cached)}", "caching"),
    ]
    label_ends(ax, ends)


def _sentence(cost: AuditCost) -> str:
    uncached, cached = dollars(float(cost.uncached[-1])), dollars(float(cost.cached[-1]))
    return (
        f"Without a cache the audit's {cost.calls[-1]} calls cost {uncached}, with one {cached}: "
        f"{cost.factor:.1f} times less. Calls that pay in full for all before them bend the line upward."
    )


def _table(cost: AuditCost) -> Table:
    return {
        "calls": cost.calls.tolist(),
        "no cache (dollars)": cost.uncached.tolist(),
        "cached (dollars)": cost.cached.tolist(),
    }


AUDIT_COST = Figure(
    id="A-audit-cost",
    title="A cache takes the bend out of the bill",
    passage="article A, step 4, the audit with and without caching (outputs reconstructed)",
    data=audit_cost,
    draw=_draw,
    sentence=_sentence,
    table=_table,
    facts=("A.audit.cache_factor", "A.cache.multipliers"),
)
