"""What pricing and the cache's simulation take: rates per second, and ratios against a peer and against
themselves.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime
from statistics import median

import numpy as np

from benchmarks.pairs import cpu_seconds, median_ratio
from simlib.billing.cache.anthropic import AnthropicCache
from simlib.billing.catalogue import load_catalogue
from simlib.billing.usage import Usage
from simlib.prompt.blocks import Block
from simlib.prompt.prompt import Prompt
from simlib.prompt.request import Request

SEED = 7
DAY = date(2026, 10, 24)
MODEL = "claude-haiku-5-5"
MILLION = 10**6
REQUESTS = 10_000


def arrays_priced(pairs: int) -> float:
    """Million requests a second, about half of them above the long-prompt threshold."""
    price = load_catalogue().price(MODEL, DAY)
    usages = Usage(*np.random.default_rng(SEED).integers(0, 50_000, (5, MILLION)))
    return _rate(lambda: cpu_seconds(lambda: price.dollars(usages), times=3), 1, pairs)


def one_pricing_against_genai_prices(pairs: int) -> float:
    """Both find the model by its name and its day's price, and give a Decimal for the same tokens."""
    import genai_prices  # large, and only a peer

    catalogue, noon = load_catalogue(), datetime(2026, 10, 24, 12, tzinfo=UTC)
    ours = Usage(input=2_048, cache_write_5m=148, cache_write_1h=100, cache_read=1_800, output=503)
    theirs = genai_prices.Usage(
        input_tokens=4_096,
        cache_write_tokens=248,
        cache_write_1h_tokens=100,
        cache_read_tokens=1_800,
        output_tokens=503,
    )

    def their_pricing() -> object:
        return genai_prices.calc_price(theirs, MODEL, genai_request_timestamp=noon).total_price

    def our_pricing() -> object:
        return catalogue.price(MODEL, DAY).dollars(ours)

    assert their_pricing() == our_pricing()
    return median_ratio(
        lambda: cpu_seconds(their_pricing, times=300), lambda: cpu_seconds(our_pricing, times=10_000), pairs
    )


def requests_served(pairs: int) -> float:
    """Thousand requests a second, of a run of 10,000 whose prompts grow by a call and its result."""
    requests = growing_run(REQUESTS)
    return _rate(lambda: cpu_seconds(lambda: serve(requests)), REQUESTS / 1_000, pairs)


def twice_the_requests(pairs: int) -> float:
    short, long = growing_run(REQUESTS), growing_run(2 * REQUESTS)
    return median_ratio(
        lambda: cpu_seconds(lambda: serve(long)), lambda: cpu_seconds(lambda: serve(short)), pairs
    )


def growing_run(calls: int) -> list[Request]:
    """Requests of an agent's run: a marked system prompt, an automatic marker, a tool call and a result a
    step.
    """
    prompt = Prompt().extended(Block("system", "text", "rules", 988)).marked()
    prompt = prompt.extended(Block("messages", "text", "question", 20, "user"))
    requests = []
    for step in range(calls):
        requests.append(Request(MODEL, prompt, automatic="5m"))
        id = f"toolu_{step}"
        call = Block("messages", "tool_use", f"call {step}", 20, "assistant", id)
        prompt = prompt.extended(call, Block("messages", "tool_result", f"result {step}", 25, "user", id))
    return requests


def serve(requests: list[Request]) -> int:
    """All requests through a new cache, one a second; tokens that were read from it."""
    cache = AnthropicCache(load_catalogue(), DAY)
    receipts = [cache.serve(request, time, output=20) for time, request in enumerate(requests)]
    return int(sum(receipt.usage.cache_read for receipt in receipts))


def _rate(seconds: Callable[[], float], amount: float, pairs: int) -> float:
    """How many in a second: the median of some runs, the first of which does not count."""
    seconds()
    return amount / median(seconds() for _ in range(pairs))
