"""Anthropic's rules against 29 worked sequences of requests: 75 priced rows and 4 refusals, to the last
digit.
"""

import json
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from simlib.billing.cache.anthropic import AnthropicCache
from simlib.billing.catalogue import load_catalogue
from simlib.errors import ApiError
from simlib.prompt.prompt import layout
from simlib.prompt.request import Request
from simlib.prompt.settings import Settings

DAY = date(2026, 10, 24)
SEQUENCES = json.loads(
    (Path(__file__).parents[2] / "data" / "cache_vectors.json").read_text(encoding="utf-8")
)
CATALOGUE = load_catalogue()

# What each sequence is there to show, where it is a miss: the reason of each request, None for a hit or no
# cache.
REASONS = {
    "V01": ["below_minimum", "below_minimum"],
    "V04": ["cold", None, None, "expired"],
    "V05": ["cold", None, "expired"],
    "V10": [None] * 5,
    "V11": ["cold", None, "lookback"],
    "V12": ["cold", None, None],
    "V13": ["cold", None],
    "V14": ["cold", "lookback"],
    "V15": ["cold", "messages_changed", "messages_changed"],
    "V16": ["cold", "unavailable"],
    "V17": ["cold", "system_changed"],
    "V18": ["cold", "tools_changed"],
    "V19": ["cold", "unavailable", "unavailable", None],
    "V20": ["cold", "cold", "model_changed"],
    "V26": ["cold", None],
    "V27": ["cold", None],
    "V28": ["cold", None, "system_changed"],
}


def request_of(row):
    prompt = layout(map(tuple, row["blocks"]), {int(at): lifetime for at, lifetime in row["bps"].items()})
    changed = row.get("params", {}).get("messages") == "tool_choice=any"
    settings = Settings(tool_choice={"type": "any"}) if changed else Settings()
    return Request(
        row["model"],
        prompt,
        settings,
        automatic=row.get("auto"),
        workspace=row.get("ws", ""),
        max_tokens=row.get("out", 1),
    )


def served(cache, row):
    return cache.serve(request_of(row), row["t"], output=row.get("out", 0), first_token=row.get("ttft", 0))


def test_nothing_is_missing():
    rows = [row for sequence in SEQUENCES for row in sequence["rows"]]
    assert len(SEQUENCES) == 29
    assert len([row for row in rows if "usd" in row]) == 75
    assert len([row for row in rows if "refused" in row]) == 4


@pytest.mark.parametrize("sequence", SEQUENCES, ids=lambda sequence: sequence["id"])
def test_every_row_and_total_comes_out(sequence):
    cache, total = AnthropicCache(CATALOGUE, DAY), Decimal(0)
    for asked, row in zip(sequence["requests"], sequence["rows"], strict=True):
        if "refused" in row:
            continue
        usage = served(cache, asked).usage
        assert tuple(usage) == (row["input"], row["w5"], row["w1h"], row["read"], row["out"])
        price = CATALOGUE.price(asked["model"], DAY)
        dollars = (price.in_batch() if sequence["batch"] else price).dollars(usage)
        assert dollars == Decimal(row["usd"])
        total += dollars
    assert total == Decimal(sequence["total_usd"])


REFUSALS = [
    (sequence["requests"][at], row["refused"])
    for sequence in SEQUENCES
    for at, row in enumerate(sequence["rows"])
    if "refused" in row
]


WORDS = [
    r"system\.0\.cache_control\.ttl: a ttl='1h' .* must not come after a ttl='5m'",
    r"A maximum of 4 blocks with cache_control may be provided\. Found 5\.",
    "no slot is left for the automatic marker",
    r"ttl='5m' differs from ttl='1h' on the last block, messages\.0\.content\.5",
]


@pytest.mark.parametrize("at", range(4))
def test_every_refusal_comes_out(at):
    asked, _ = REFUSALS[at]
    with pytest.raises(ApiError, match=WORDS[at]) as caught:
        served(AnthropicCache(CATALOGUE, DAY), asked)
    assert (caught.value.status, caught.value.type) == (400, "invalid_request_error")


@pytest.mark.parametrize("name", REASONS)
def test_every_miss_says_why(name):
    (sequence,) = [sequence for sequence in SEQUENCES if sequence["id"] == name]
    cache = AnthropicCache(CATALOGUE, DAY)
    receipts = [served(cache, asked) for asked in sequence["requests"]]
    assert [receipt.miss and receipt.miss.reason for receipt in receipts] == REASONS[name]


def test_counting_each_call_of_a_run_is_the_older_reading():
    """Fifteen parallel calls and their results, which are two positions, would be thirty."""
    (sequence,) = [sequence for sequence in SEQUENCES if sequence["id"] == "V13"]
    cache = AnthropicCache(CATALOGUE, DAY, runs_are_one_position=False)
    assert [served(cache, asked).usage.cache_read for asked in sequence["requests"]] == [0, 0]
