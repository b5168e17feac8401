"""A reader of litellm's price file, for a user who has one: model_prices_and_context_window.json."""

import json
import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from simlib.billing.price import Price, Rates
from simlib.billing.terms import BadPriceFile, Terms, text_of
from simlib.errors import BadArgument

# Their name for each of our classes, in dollars a token.
_FIELDS = {
    "input": "input_cost_per_token",
    "cache_write_5m": "cache_creation_input_token_cost",
    "cache_write_1h": "cache_creation_input_token_cost_above_1hr",
    "cache_read": "cache_read_input_token_cost",
    "output": "output_cost_per_token",
}
_LONG = re.compile(r"^input_cost_per_token_above_(\d+)k_tokens$")


def read_litellm_file(path: Path | str, valid_from: date) -> list[Terms]:
    """The models of a litellm price file that are sold by tokens, for `Catalogue.with_rows`.

    path : the JSON file. valid_from : from which day on its prices are to hold, since it has no dates.
    Returns the rows, in the file's order. Left out are models that are not sold by tokens of input and
    output, and those with several tiers of long prompts.
    Raises BadPriceFile, naming the model and the field.

    >>> import tempfile
    >>> toy = {"toy-1": {"input_cost_per_token": 1e-06, "output_cost_per_token": 5e-06}}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "prices.json").write_text(json.dumps(toy))
    ...     read_litellm_file(Path(folder, "prices.json"), date(2026, 11, 30))[0].price.rates.output == 5
    True
    """
    try:
        data = json.loads(text_of(path), parse_float=Decimal)
    except json.JSONDecodeError as error:
        raise BadPriceFile(str(path), str(error), "a JSON file") from None
    if not isinstance(data, dict) or not all(isinstance(fields, dict) for fields in data.values()):
        raise BadPriceFile(str(path), type(data).__name__, "an object of one object a model")
    models = {name: fields for name, fields in data.items() if _is_sold_by_tokens(name, fields)}
    return [_terms(name, fields, valid_from) for name, fields in models.items()]


def _is_sold_by_tokens(name: str, fields: Mapping[str, Any]) -> bool:
    is_model = name != "sample_spec"  # their explanation of the fields
    return (
        is_model
        and all(fields.get(_FIELDS[c]) is not None for c in ("input", "output"))
        and len(_tiers(fields)) < 2
    )


def _tiers(fields: Mapping[str, Any]) -> list[int]:
    """Thresholds of long prompts, in thousands of tokens."""
    return [int(found[1]) for field in fields if (found := _LONG.match(field))]


def _terms(name: str, fields: Mapping[str, Any], valid_from: date) -> Terms:
    tiers = _tiers(fields)
    try:
        rates = _rates(fields, "")
        return Terms(
            model=name,
            valid_from=valid_from,
            valid_until=None,
            price=Price(
                rates=rates,
                long_rates=_rates(fields, f"_above_{tiers[0]}k_tokens") if tiers else None,
                long_above=1_000 * tiers[0] if tiers else None,
                batch=_batch(fields, rates),
            ),
            minimum_prefix=_whole(fields.get("prompt_cache_min_tokens")),
            tool_overhead=None,
            source="a price file of litellm",
        )
    except BadArgument as error:
        raise BadPriceFile(f"{name}, {error.argument}", error.value, error.allowed) from None


def _batch(fields: Mapping[str, Any], rates: Rates) -> Decimal | None:
    """The factor for batches, where input and output have the same."""
    dollars = [_dollars(fields, f"{_FIELDS[name]}_batches") for name in ("input", "output")]
    if not all(isinstance(amount, Decimal) for amount in dollars) or not (rates.input and rates.output):
        return None
    factors = {dollars[0] / rates.input, dollars[1] / rates.output}
    return factors.pop() if len(factors) == 1 else None


def _whole(value: Any) -> Any:
    """A count that the file may write as 4096.0; what is no whole number is left for Terms to refuse."""
    return int(value) if isinstance(value, Decimal) and value == value.to_integral_value() else value


def _rates(fields: Mapping[str, Any], suffix: str) -> Rates:
    return Rates(**{ours: _dollars(fields, theirs + suffix) for ours, theirs in _FIELDS.items()})


def _dollars(fields: Mapping[str, Any], name: str) -> Any:
    """Dollars per million tokens; what is no number is left for Rates to refuse."""
    value = fields.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        return value
    return Decimal(value) * 1_000_000
