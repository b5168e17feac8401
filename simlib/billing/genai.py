"""Prices of models that the own table lacks, from the package genai-prices."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

from simlib.billing.price import Price, Rates, Unpriced
from simlib.errors import known

# Their name for each of ours; a class without a price there is charged as fresh input, as their own sums do.
_FIELDS = {
    "input": "input_mtok",
    "cache_write_5m": "cache_write_mtok",
    "cache_write_1h": "cache_write_1h_mtok",
    "cache_read": "cache_read_mtok",
    "output": "output_mtok",
}


def genai_price(name: str, day: date, also: Iterable[str] = ()) -> Price:
    """A model's price as genai-prices has it.

    name : the model's, as an API or a router writes it. day : at whose noon, in UTC, the price holds.
    also : more names that a message may offer.
    Returns a Price; without batches, which the package does not know.
    Raises UnknownName, with the nearest names, for an unknown model; Unpriced for one that is not sold by
    tokens.

    >>> genai_price("deepseek-chat", date(2026, 10, 24)).rates.input > 0
    True
    """
    from genai_prices.data_snapshot import get_snapshot  # a second and 30 MB, for models that few ask for

    snapshot = get_snapshot()
    seller, _, rest = name.partition("/")
    sellers = {provider.id for provider in snapshot.providers}
    for asked, by in [(name, None), *([(rest, seller if seller in sellers else None)] if rest else [])]:
        try:
            _, model = snapshot.find_provider_model(asked, None, by, None)
        except LookupError:
            continue
        return _price(name, model.get_prices(datetime.combine(day, time(12), tzinfo=UTC)))
    names = {model.id for provider in snapshot.providers for model in provider.models} | set(also)
    known("model", name, sorted(names - {name}))
    raise AssertionError(name)  # not reached: the name is not among the names


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
    write = found["cache_write_5m"]
    fallback = {"cache_write_1h": write if write is not None else found["input"]}
    return Rates(
        **{
            ours: rate if rate is not None else fallback.get(ours, found["input"])  # type: ignore[arg-type]
            for ours, rate in found.items()
        }
    )
