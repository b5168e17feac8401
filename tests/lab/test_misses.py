"""The game of causes, and what a setting costs: the cache's own words, right and wrong answers."""

from itertools import product

import pytest

from simlib.billing.cache.policy import API_REASONS, REASONS
from simlib.lab.knobs import KNOBS, turned
from simlib.lab.lessons.all import LESSONS
from simlib.lab.misses import CAUSES, receipt_of, rounds, why_did_it_miss
from simlib.lab.plays import PlayWidget
from simlib.plots.canvas import Canvas

NAMES = {reason: name for name, reason in CAUSES.items()}
RIGHT = [NAMES[receipt_of(played).miss.reason] for played in rounds()]


def test_every_round_has_a_cause_of_its_own_that_can_be_named():
    reasons = [CAUSES[name] for name in RIGHT]
    assert len(set(reasons)) == len(rounds()) == 5
    assert reasons == ["system_changed", "expired", "messages_changed", "tools_changed", "below_minimum"]
    assert set(CAUSES.values()) <= set(REASONS)


def test_each_lost_what_the_request_before_had_stored():
    """But for the short one, a hit would have read all that the first request sent."""
    for played in rounds():
        receipt = receipt_of(played)
        assert receipt.usage.cache_read == 0
        sent_twice = min(played.before.prompt.tokens, played.now.prompt.tokens)  # one was shortened
        assert receipt.miss.tokens == sent_twice


def test_all_named_rightly_is_won():
    scene = why_did_it_miss(RIGHT)
    assert scene.won
    assert scene.asks == ""
    assert scene.verdict == "5 of 5 causes named."


@pytest.mark.parametrize("at", range(5))
def test_a_wrong_cause_is_answered_with_the_right_one(at):
    named = list(RIGHT)
    named[at] = "the model is another"
    scene = why_did_it_miss(named)
    assert not scene.won
    assert scene.sentence == "4 of 5 right."
    assert CAUSES[RIGHT[at]] in scene.log[2 * at + 1]
    assert scene.log[2 * at + 1].startswith("Not “the model is another”.")


def test_the_api_is_quoted_only_where_it_speaks():
    for played, line in zip(rounds(), why_did_it_miss(RIGHT).log[1::2], strict=True):
        speaks = receipt_of(played).miss.reason in API_REASONS
        assert ("The API says" in line) == speaks
        assert ("The API does not tell" in line) != speaks


def test_the_next_request_is_shown_and_nothing_of_its_cause():
    for number, _ in product(range(5), [None]):
        scene = why_did_it_miss(RIGHT[:number])
        assert scene.asks.startswith(f"Request {number + 1}:")
        assert scene.log[-1].startswith(f"Request {number + 1}.")
        assert not any(reason in scene.log[-1] for reason in REASONS)
        assert scene.data.read == 0
        assert scene.data.stored + scene.data.fresh == rounds()[number].now.prompt.tokens


def test_the_game_is_played_with_its_buttons():
    widget = PlayWidget(LESSONS["04"].play("misses"), Canvas())
    for name in RIGHT:
        widget.inputs.what.value = name
        widget.buttons["Send"].click()
        assert widget.error is None
    assert widget.scene.won
    assert "5 of 5 causes named." in widget.words.value
    widget.buttons["Take back"].click()
    widget.inputs.what.value = "the model is another"
    widget.buttons["Send"].click()
    assert not widget.scene.won
    widget.buttons["Start again"].click()
    assert widget.decisions == []


def test_a_turned_knob_loses_what_belongs_to_it():
    table = turned()
    read = dict(zip(table["changed"], table["tokens read again"], strict=True))
    assert list(read) == list(KNOBS)
    whole, head = 20_000, 10_000
    assert read["nothing"] == read["effort: medium, which it was"] == whole
    assert read["tool choice: any"] == read["no parallel calls"] == head
    assert read["effort: low"] == read["thinking: adaptive"] == 0
    for again, stored in zip(table["tokens read again"], table["tokens stored"], strict=True):
        assert again + stored == whole + 300
