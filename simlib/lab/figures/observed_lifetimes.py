"""The rule of a cache entry's lifetime, beside what the caches of real sessions did after an idle gap."""

import math
from dataclasses import dataclass

import numpy as np

from simlib.articles.figures.figure import Figure, Table
from simlib.billing.observed import Gaps, HitShares, RuleScore, hit_shares, observed_gaps, pooled, rule_score
from simlib.plots.axes import gap_axis, share_axis
from simlib.plots.canvas import Axes
from simlib.plots.marks import colour_of, line, points
from simlib.prompt.prompt import SECONDS

ENDS = (5, 30, 60, 120, 240, 300, 360, 600, 1_800, 3_600, 7_200, math.inf)
LEAST, MOST = 1.0, 18_000.0  # seconds, from where to where is drawn
NAMES = {"5m": "5 minutes", "1h": "1 hour"}


@dataclass(frozen=True, eq=False)
class ObservedLifetimes:
    """Hits by groups of gaps, where each group is drawn (in seconds), and how often the rule is right."""

    lifetime: str
    groups: tuple[Gaps, ...]
    hits: HitShares
    middles: tuple[float, ...]
    score: RuleScore

    @property
    def limit(self) -> int:
        """The lifetime in seconds."""
        return SECONDS[self.lifetime]

    @property
    def first_beyond(self) -> int:
        """Which group is the first whose gap is too long."""
        return next(at for at, group in enumerate(self.groups) if group.above >= self.limit)


def observed_lifetimes(lifetime: str = "5m") -> ObservedLifetimes:
    """Hit shares by idle gap, and the rule's score over all pairs.

    lifetime : "5m" or "1h".
    Returns ObservedLifetimes, in seconds and shares; a group is drawn at the geometric mean of its ends.
    Raises UnknownName.

    >>> observed_lifetimes().hits.share.round(2).tolist()
    [1.0, 1.0, 0.99, 0.96, 0.94, 0.95, 0.42, 0.01, 0.01, 0.03, 0.0, 0.0]
    """
    seen = observed_gaps(lifetime)
    groups = pooled(seen, ENDS)
    middles = tuple(math.sqrt(max(group.above, LEAST) * min(group.at_most, MOST)) for group in groups)
    return ObservedLifetimes(lifetime, groups, hit_shares(groups), middles, rule_score(seen))


def _draw(ax: Axes, seen: ObservedLifetimes) -> None:
    """The rule as a step, and what was seen as points with Wilson's intervals."""
    gap_axis(ax, "idle gap")
    share_axis(ax, "whole prefix read")
    ax.set_ylim(-0.04, 1.04)  # the rule's line lies on 0 and 100%
    line(ax, [LEAST, seen.limit, seen.limit, MOST], [1, 1, 0, 0], "other")
    share, low, high = seen.hits
    points(ax, seen.middles, share, np.maximum([share - low, high - share], 0), "caching")
    rule = f"rule: a hit up to\n{NAMES[seen.lifetime]}"
    ax.text(1.3, 0.86, f"seen in {seen.score.pairs:,} pairs", va="center", color=colour_of(ax, "caching"))
    ax.text(1.3, 0.375, rule, va="center", color=colour_of(ax, "other"))


def _sentence(seen: ObservedLifetimes) -> str:
    right, pairs = seen.score
    beyond = seen.groups[seen.first_beyond]
    span = f"{beyond.above / 60:.0f} to {beyond.at_most / 60:.0f} minutes"
    return (
        f"Of {pairs:,} pairs of calls {right / pairs:.1%} did what the rule says: a hit if and only if the "
        f"gap is at most {NAMES[seen.lifetime]}. After {span} {beyond.hit} of {beyond.pairs} were still hits."
    )


def _table(seen: ObservedLifetimes) -> Table:
    return {
        "gap above (s)": [group.above for group in seen.groups],
        "gap at most (s)": [group.at_most for group in seen.groups],
        "pairs": [group.pairs for group in seen.groups],
        "hits": [group.hit for group in seen.groups],
        "share of hits": seen.hits.share.tolist(),
        "interval from": seen.hits.low.tolist(),
        "interval to": seen.hits.high.tolist(),
    }


OBSERVED_LIFETIMES = Figure(
    id="observed-lifetimes",
    title="A cache mostly keeps what it promises, and at times a little longer",
    data=observed_lifetimes,
    draw=_draw,
    sentence=_sentence,
    table=_table,
)
