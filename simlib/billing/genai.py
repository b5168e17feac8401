"""Prices of models that the own table lacks, from the package genai-prices."""

from collections.abc import Collection
from contextlib import suppress
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

from simlib.billing.model import plain_name
from simlib.billing.price import Price, Rates, Unpriced
from simlib.errors import unknown

# Their name for each of ours; a class without a price there is not sold.
_FIELDS = {
    "input": "input_mtok",
    "cache_write_5m": "cache_write_mtok",
    "cache_write_1h": "cache_write_1h_mtok",
    "cache_read": "cache_read_mtok",
    "output": "output_mtok",
}


def genai_price(name: str, day: date, also: Collection[str] = ()) -> Price:
    """A model's price as genai-prices has it.

    name : the model's, as an API or a router writes it. day : at whose noon, in UTC, the price holds.
    also : names of the own table, which a message may offer too.
    Returns a Price; without batches, which the package does not know.
    Raises UnknownName, with the nearest names, for an unknown model; Unpriced for one that is not sold by
    tokens.

    >>> genai_price("deepseek-chat", date(2026, 10, 24)).rates.input > 0
    True
    """
    import genai_prices  # a second and 30 MB, for models that few ask for
    from genai_prices import data

    noon = datetime.combine(day, time(12), tzinfo=UTC)
    seller, _, rest = name.partition("/")
    sold_by = seller if seller in {provider.id for provider in data.providers} else None
    found = None
    for asked, provider in [(name, None), *([(rest, sold_by)] if rest else [])]:
        with suppress(LookupError):
            found = found or genai_prices.calc_price(
                genai_prices.Usage(), asked, provider_id=provider, genai_request_timestamp=noon
            )
    if found is None or plain_name(found.model.id) in also:
        # Nothing, or a model of the own table under a name that stands for something else, as for a fast
        # mode.
        names = {model.id for provider in data.providers for model in provider.models} | set(also)
        unknown("model", name, sorted(names - {name}))
    return _price(name, found.model_price)


def _price(name: str, prices: Any) -> Price:
    found = {ours: getattr(prices, theirs, None) for ours, theirs in _FIELDS.items()}
    if found["input"] is None or found["output"] is None:
        raise Unpriced("model", name, "a model that is sold by tokens of input and output")
    tiers = {tier.start for rate in found.values() for tier in getattr(rate, "tiers", ())}
    if len(tiers) > 1:
        raise Unpriced("model", name, f"a model with one long-prompt tier; it has them above {sorted(tiers)}")
    long_above = next(iter(tiers), None)
    return Price(
        rates=_rates({ours: getattr(rate, "base", rate) for ours, rate in found.items()}),
        long_rates=_rates({ours: _above(rate) for ours, rate in found.items()}) if tiers else None,
        long_above=long_above,
    )


def _above(rate: Any) -> Any:
    return rate.tiers[0].price if getattr(rate, "tiers", ()) else rate


def _rates(found: dict[str, Decimal | None]) -> Rates:
    return Rates(**found)  # type: ignore[arg-type]  # input and output are there
