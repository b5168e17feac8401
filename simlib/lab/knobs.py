"""What a changed setting costs through the cache alone: no text changes, and the prefix is lost all the "
"same."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from simlib.articles.inputs import ArticleA
from simlib.billing.cache.anthropic import AnthropicCache
from simlib.billing.catalogue import load_catalogue
from simlib.prompt.blocks import Block
from simlib.prompt.prompt import Prompt
from simlib.prompt.request import Request
from simlib.prompt.settings import Settings

MODEL, DAY = ArticleA.model, ArticleA.price_day
KNOBS: Mapping[str, Settings] = MappingProxyType(
    {
        "nothing": Settings(),
        "effort: low": Settings(effort="low"),
        "effort: medium, which it was": Settings(effort="medium"),
        "thinking: adaptive": Settings(thinking={"type": "adaptive"}),
        "tool choice: any": Settings(tool_choice={"type": "any"}),
        "no parallel calls": Settings(tool_choice={"type": "auto", "disable_parallel_tool_use": True}),
    }
)


def turned() -> dict[str, list[Any]]:
    """A request of 20,000 tokens, sent again a minute later with one message more and one setting changed.

    Returns columns: what was changed, tokens read again, tokens stored, and cents for 1,000 such requests.
    Raises nothing.

    >>> turned()["tokens read again"][0]
    20000
    """
    catalogue = load_catalogue()
    price, rows = catalogue.price(MODEL, DAY), []
    for name, settings in KNOBS.items():
        cache = AnthropicCache(catalogue, DAY)
        cache.serve(_request(), 0, output=100)
        receipt = cache.serve(replace(_request(more=True), settings=settings), 60, output=100)
        usage = receipt.usage
        cents = f"{receipt.dollars(price) * 100_000:.2f}"
        rows.append((name, int(usage.cache_read), int(usage.cache_write_5m), cents))
    changed, read, stored, cents_each = zip(*rows, strict=True)
    return {
        "changed": list(changed),
        "tokens read again": list(read),
        "tokens stored": list(stored),
        "cents for 1,000": list(cents_each),
    }


def _request(more: bool = False) -> Request:
    """Tools and system text with a marker of their own, a long history, and perhaps one message more."""
    head = [Block("tools", "tool", "search", 6_000), Block("system", "text", "rules", 4_000)]
    prompt = Prompt().extended(*head).marked("5m")
    prompt = prompt.extended(Block("messages", "text", "history", 10_000, role="user"))
    if more:
        answer = Block("messages", "text", "answer", 200, role="assistant")
        prompt = prompt.extended(answer, Block("messages", "text", "and now", 100, role="user"))
    return Request(MODEL, prompt.marked("5m"), max_tokens=1_000)
