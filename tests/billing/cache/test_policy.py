"""One interface for all policies: the same run through each of them."""

from datetime import date
from decimal import Decimal

import pytest

from simlib.billing.cache.anthropic import AnthropicCache
from simlib.billing.cache.choose import cache_for
from simlib.billing.cache.openai import OpenAICache
from simlib.billing.cache.policy import CachePolicy, Receipt
from simlib.billing.cache.uncached import NoCache
from simlib.billing.catalogue import load_catalogue
from simlib.errors import ApiError, OutOfRange
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


@pytest.mark.parametrize(
    ("model", "policy"),
    [("claude-opus-5", AnthropicCache), ("gpt-5", OpenAICache), ("gemini-2.5-pro", NoCache)],
)
def test_a_model_has_the_rules_of_its_provider(model, policy):
    assert type(cache_for(model, CATALOGUE, DAY)) is policy


def test_a_receipt_says_what_the_request_cost():
    _, second = run(AnthropicCache(CATALOGUE, DAY), "claude-haiku-5-5")
    price = CATALOGUE.price("claude-haiku-5-5", DAY)
    assert (
        second.dollars(price)
        == (20 * Decimal("0.10") + 2_000 * Decimal("0.01") + 5 * Decimal("0.50")) / 10**6
    )
    assert second.dollars(price.in_batch()) * 2 == second.dollars(price)


def test_no_cache_refuses_what_the_api_refuses_too():
    rows = [("messages", f"b{number}", 1, "text") for number in range(6)]
    with pytest.raises(ApiError, match="A maximum of 4 blocks"):
        NoCache().serve(Request("any", layout(rows, {at: "5m" for at in range(5)})), 0)
    with pytest.raises(ApiError, match="too long"):
        NoCache(CATALOGUE).serve(Request("gpt-4o", layout([("system", "long", 128_001, "text")], {})), 0)


def test_no_cache_has_a_clock_too():
    policy = NoCache()
    policy.serve(Request("any", PROMPT), 5)
    with pytest.raises(OutOfRange, match="time is 4; allowed: seconds from 5"):
        policy.serve(Request("any", PROMPT), 4)
