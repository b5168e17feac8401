"""One interface for all policies: the same run through each of them."""

from datetime import date

import pytest

from simlib.billing.cache.anthropic import AnthropicCache
from simlib.billing.cache.openai import OpenAICache
from simlib.billing.cache.policy import CachePolicy, Receipt
from simlib.billing.cache.uncached import NoCache
from simlib.billing.catalogue import load_catalogue
from simlib.errors import OutOfRange
from simlib.prompt.prompt import layout
from simlib.prompt.request import Request

DAY = date(2026, 10, 24)
CATALOGUE = load_catalogue()
PROMPT = layout([("system", "rules", 2_000, "text"), ("messages", "question", 20, "text")], {0: "5m"})


def run(policy: CachePolicy, model: str) -> list[Receipt]:
    return [policy.serve(Request(model, PROMPT), time, output=5) for time in (0, 60)]


@pytest.mark.parametrize(
    ("policy", "model", "read"),
    [
        (AnthropicCache(CATALOGUE, DAY), "claude-haiku-5-5", 2_000),
        (OpenAICache(CATALOGUE, DAY), "gpt-4o", 1_920),
        (NoCache(), "any model", 0),
    ],
)
def test_every_policy_serves_a_run(policy, model, read):
    first, second = run(policy, model)
    assert (first.usage.prompt, second.usage.prompt, second.usage.output) == (2_020, 2_020, 5)
    assert (first.usage.cache_read, second.usage.cache_read) == (0, read)
    assert first.id != second.id


def test_no_cache_has_a_clock_too():
    policy = NoCache()
    policy.serve(Request("any", PROMPT), 5)
    with pytest.raises(OutOfRange, match="time is 4; allowed: seconds from 5"):
        policy.serve(Request("any", PROMPT), 4)
