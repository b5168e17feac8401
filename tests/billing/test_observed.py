"""The counts of real sessions: they add up to what their head says, and the rule's score comes out."""

import math
from collections import Counter
from importlib import resources

import pytest

from simlib.billing.observed import Gaps, hit_shares, observed_gaps, pooled, rule_score
from simlib.errors import BadArgument, OutOfRange, UnknownName

LIFETIMES = pytest.mark.parametrize(("lifetime", "seconds"), [("5m", 300), ("1h", 3_600)])


def raw():
    """The file's rows as text, read without the reader."""
    text = resources.files("simlib.billing").joinpath("ttl_observed.csv").read_text(encoding="utf-8")
    return [line.split(",") for line in text.splitlines() if line[0] in "51"]


def test_the_head_says_how_many_pairs_there_are():
    gaps = [*observed_gaps("5m"), *observed_gaps("1h")]
    assert len(gaps) == len(raw())
    assert sum(gap.pairs + gap.after_compaction for gap in gaps) == 18_863


def test_the_rule_is_right_for_99_per_cent_of_the_five_minute_pairs():
    right, pairs = rule_score(observed_gaps("5m"))
    assert pairs == 9_352
    assert round(right / pairs, 3) == 0.990


@LIFETIMES
def test_the_rule_pair_by_pair(lifetime, seconds):
    """Every pair guessed on its own: a hit up to the lifetime, none beyond."""
    guesses = Counter()
    for name, end, hit, part, nothing, _ in raw():
        if name == lifetime:
            expected = float(end or "inf") <= seconds
            for seen, times in ((True, hit), (False, part), (False, nothing)):
                guesses[seen == expected] += int(times)
    assert rule_score(observed_gaps(lifetime)) == (guesses[True], guesses[True] + guesses[False])


@LIFETIMES
def test_groups_follow_each_other_without_a_hole(lifetime, seconds):
    gaps = observed_gaps(lifetime)
    assert [gap.above for gap in gaps] == [0, *(gap.at_most for gap in gaps[:-1])]
    assert gaps[-1].at_most == math.inf
    assert seconds in {gap.at_most for gap in gaps}
    assert {gap.lifetime for gap in gaps} == {lifetime}


def test_pooling_loses_no_pair_and_no_score():
    gaps = observed_gaps()
    groups = pooled(gaps, [60, 300, 360, math.inf])
    assert [group.hit for group in groups] == [
        1_980 + 5_940 + 407,
        321 + 268 + 42 + 12,
        7 + 9 + 6,
        1 + 1 + 1,
    ]
    assert sum(group.pairs for group in groups) == sum(gap.pairs for gap in gaps)
    assert rule_score(groups) == rule_score(gaps)
    assert pooled(gaps, [gap.at_most for gap in gaps]) == gaps


def test_wilsons_interval_solves_its_equation():
    """Its ends are the rates from which what was seen lies 1.96 standard errors away."""
    groups = pooled(observed_gaps(), [300, 360, math.inf])
    shares = hit_shares(groups)
    for group, share, low, high in zip(groups, *shares, strict=True):
        assert share == group.hit / group.pairs
        assert low < share < high
        for rate in (low, high):
            error = math.sqrt(rate * (1 - rate) / group.pairs)
            assert abs(share - rate) / error == pytest.approx(1.96, abs=0.001)


def test_pairs_after_a_compaction_count_for_nothing():
    gap = Gaps("5m", 0, 300, hit=3, part=1, nothing=0, after_compaction=100)
    assert gap.pairs == 4
    assert rule_score([gap]) == (3, 4)
    assert rule_score([]) == (0, 0)
    assert hit_shares([]).share.size == 0


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: observed_gaps("2h"), UnknownName, "lifetime is '2h'"),
        (lambda: pooled(observed_gaps(), [7, math.inf]), BadArgument, "ends is"),
        (lambda: pooled(observed_gaps(), [60, 30, math.inf]), BadArgument, "ends is"),
        (lambda: pooled(observed_gaps(), [60]), BadArgument, "ends up to inf"),
        (lambda: rule_score(pooled(observed_gaps(), [math.inf])), BadArgument, "end or begin at 300"),
        (lambda: hit_shares([Gaps("5m", 0, 1, 0, 0, 0, 0)]), OutOfRange, "runs"),
    ],
)
def test_bad_input_is_named(call, error, words):
    with pytest.raises(error, match=words):
        call()
