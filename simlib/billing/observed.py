"""What caches did after an idle gap, beside the rule that they should follow.

The rule: a stored prefix is read if and only if no more than its lifetime has passed since the request that
stored or last read it. What was seen: pairs of consecutive calls in coding-agent sessions, counted by gap in
`ttl_observed.csv`, whose head says where they come from. One team's sessions in early 2026: other loads and
other days may differ, and the gap is that between two requests, not the age of every entry.
"""

import csv
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simlib.errors import BadArgument, known
from simlib.prompt.prompt import SECONDS
from simlib.theory.intervals import wilson


@dataclass(frozen=True)
class Gaps:
    """Pairs of calls whose gap is above one number of seconds and at most another, by what the second read:
    `hit` the whole prefix, `part` of it, `nothing`; after a compaction there was another prefix to read.
    """

    lifetime: str
    above: float
    at_most: float
    hit: int
    part: int
    nothing: int
    after_compaction: int

    @property
    def pairs(self) -> int:
        """Pairs that say something about the lifetime: without those after a compaction."""
        return self.hit + self.part + self.nothing


class HitShares(NamedTuple):
    """Shares of hits, one for each group of gaps, and the ends of their Wilson intervals."""

    share: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


class RuleScore(NamedTuple):
    """How many pairs did what the rule says, and of how many."""

    right: int
    pairs: int


def observed_gaps(lifetime: str = "5m") -> tuple[Gaps, ...]:
    """What was seen of entries of a lifetime.

    lifetime : "5m" or "1h".
    Returns Gaps from the shortest to those without limit, each beginning where the one before it ends.
    Raises UnknownName.

    >>> first = observed_gaps()[0]
    >>> first.at_most, first.hit, first.part, first.nothing
    (5.0, 1980, 8, 0)
    """
    known("lifetime", lifetime, SECONDS)
    text = resources.files("simlib.billing").joinpath("ttl_observed.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    found: list[Gaps] = []
    for row in rows:
        if row["lifetime"] == lifetime:
            found.append(_gaps(row, found[-1].at_most if found else 0.0))
    return tuple(found)


def pooled(gaps: Iterable[Gaps], ends: Sequence[float]) -> tuple[Gaps, ...]:
    """Groups of gaps thrown together, where a picture has no room for each.

    gaps : in order, of one lifetime. ends : seconds at which the groups end, each of them an end of `gaps`,
    the last one included (infinity).
    Returns one Gaps for each of `ends`.
    Raises BadArgument for ends that would cut a group or leave one out.

    >>> [group.pairs for group in pooled(observed_gaps(), [300, math.inf])]
    [9043, 309]
    """
    left, result = list(gaps), []
    for end in ends:
        size = next((at for at, group in enumerate(left, start=1) if group.at_most == end), 0)
        if not size:
            raise BadArgument("ends", list(ends), f"ascending, out of {[group.at_most for group in left]}")
        result.append(_together(left[:size]))
        left = left[size:]
    if left:
        raise BadArgument("ends", list(ends), f"ends up to {left[-1].at_most}")
    return tuple(result)


def hit_shares(gaps: Sequence[Gaps], level: float = 0.95) -> HitShares:
    """Shares of pairs that read the whole prefix, with Wilson's intervals.

    gaps : groups of at least 1 pair each. level : of confidence, between 0 and 1.
    Returns HitShares, each of them an array as long as `gaps`.
    Raises OutOfRange.

    >>> hit_shares(pooled(observed_gaps(), [300, math.inf])).share.round(3)
    array([0.992, 0.081])
    """
    hits, pairs = np.array([(group.hit, group.pairs) for group in gaps]).reshape(-1, 2).T
    low, high = wilson(hits, pairs, level)
    return HitShares(hits / pairs, np.asarray(low), np.asarray(high))


def rule_score(gaps: Iterable[Gaps]) -> RuleScore:
    """How often "a hit if and only if the gap is at most the lifetime" is right; a part read is no hit.

    gaps : none of which contains the lifetime in its midst.
    Returns a RuleScore, in pairs.
    Raises BadArgument for gaps on both sides of the lifetime.

    >>> right, pairs = rule_score(observed_gaps())
    >>> pairs, round(right / pairs, 3)
    (9352, 0.99)
    """
    right = total = 0
    for group in gaps:
        limit = SECONDS[group.lifetime]
        if group.above < limit < group.at_most:
            raise BadArgument("gaps", group, f"groups that end or begin at {limit} seconds")
        right += group.hit if group.at_most <= limit else group.pairs - group.hit
        total += group.pairs
    return RuleScore(right, total)


def _gaps(row: dict[str, Any], above: float) -> Gaps:
    counts = (int(row[name]) for name in ("hit", "partial", "zero", "after_compaction"))
    return Gaps(row["lifetime"], above, float(row["gap_at_most_s"] or math.inf), *counts)


def _together(gaps: Sequence[Gaps]) -> Gaps:
    counts = np.array([(gap.hit, gap.part, gap.nothing, gap.after_compaction) for gap in gaps]).sum(axis=0)
    return Gaps(gaps[0].lifetime, gaps[0].above, gaps[-1].at_most, *counts.tolist())
