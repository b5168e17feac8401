"""Prices out of genai-prices against its own sums."""

from datetime import UTC, date, datetime, time
from decimal import Decimal

import genai_prices
import pytest

from simlib.billing.genai import genai_price
from simlib.billing.price import Unpriced
from simlib.billing.usage import Usage

DAY = date(2026, 10, 24)


@pytest.mark.parametrize(
    "name",
    [
        "deepseek-chat",
        "gpt-4o-mini",
        "gemini-2.5-flash",
        "claude-sonnet-4-5",
        "gpt-4.1-nano",
        "grok-4",
    ],
)
@pytest.mark.parametrize(
    "usage", [Usage(1_000, 0, 0, 3_000, 500), Usage(150_000, 0, 0, 100_000, 500), Usage(7, output=1)]
)
def test_dollars_are_those_of_the_package(name, usage):
    theirs = genai_prices.calc_price(
        genai_prices.Usage(
            input_tokens=usage.prompt, cache_read_tokens=usage.cache_read, output_tokens=usage.output
        ),
        name,
        genai_request_timestamp=datetime.combine(DAY, time(12), tzinfo=UTC),
    )
    assert genai_price(name, DAY).dollars(usage) == theirs.total_price


def test_a_dated_price_is_that_of_the_day():
    long = Usage(250_000)
    before, after = (genai_price("claude-opus-4-6", date(2026, 3, day)).dollars(long) for day in (12, 13))
    assert (before, after) == (Decimal("2.5"), Decimal("1.25"))


def test_a_class_that_the_package_does_not_price_is_unpriced():
    with pytest.raises(Unpriced, match="cache_write_1h"):
        genai_price("gpt-4o-mini", DAY).dollars(Usage(cache_write_1h=1))


def test_several_tiers_are_refused_and_named():
    with pytest.raises(Unpriced, match="one long-prompt tier"):
        genai_price("openrouter/qwen/qwen3-coder-flash", DAY)
