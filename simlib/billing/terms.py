"""What a model costs, and what its cache asks for, from one day on: the rows of a price file."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

from simlib.billing.price import CLASSES, Price, Rates
from simlib.errors import BadArgument, single, whole

SOLD = ("cache_write_5m", "cache_write_1h", "cache_read")  # what a provider may not sell
_REQUIRED = ("model", "valid_from", "input", "output", "source")
_OPTIONAL = ("valid_until", *SOLD, "long", "batch", "storage_hour", "minimum_prefix", "tool_overhead")


class BadPriceFile(BadArgument):
    """A price file that cannot be right: a field missing or unknown, a price below 0, two rows for a day."""


@dataclass(frozen=True)
class ToolOverhead:
    """Tokens that tools add to a prompt: with an `automatic` choice, or a `forced` one, None if refused."""

    automatic: int
    forced: int | None

    def __post_init__(self) -> None:
        for name in ("automatic", "forced"):
            _check_count(name, getattr(self, name))


@dataclass(frozen=True)
class Terms:
    """A row: `model` costs `price` from `valid_from` until `valid_until`, None for no end in sight.

    `minimum_prefix` is the shortest prompt that a cache stores, in tokens; None, like `tool_overhead`, where
    it is not known. `source` says where the row is from.
    """

    model: str
    valid_from: date
    valid_until: date | None
    price: Price
    minimum_prefix: int | None
    tool_overhead: ToolOverhead | None
    source: str

    def __post_init__(self) -> None:
        _check_count("minimum_prefix", self.minimum_prefix)

    def holds_on(self, day: date) -> bool:
        """Whether the row is the one for a day."""
        return self.valid_from <= day and (self.valid_until is None or day <= self.valid_until)


def terms_from_toml(number: int, row: Mapping[str, Any]) -> Terms:
    """A row of a price file.

    number : of the row, from 1, for messages. row : its fields, fractions as Decimal.
    Returns Terms.
    Raises BadPriceFile, naming the row and the field.

    >>> row = {"model": "toy-1", "valid_from": date(2026, 1, 1), "input": 1, "output": 5, "source": "made up"}
    >>> terms_from_toml(1, row).price.rates.output
    Decimal('5')
    """
    name = row.get("model", "no model") if isinstance(row, Mapping) else "no table"
    place = f"row {number} ({name})"
    check_fields(place, "a row", row, _REQUIRED, _OPTIONAL)
    for field in ("model", "source"):
        if not isinstance(row[field], str) or not row[field].strip():
            raise BadPriceFile(f"{place}, {field}", row[field], "a text")
    long, overhead = row.get("long"), row.get("tool_overhead")
    if long is not None:
        check_fields(f"{place}, long", "fields", long, ("above", "input", "output"), SOLD)
    if overhead is not None:
        check_fields(f"{place}, tool_overhead", "fields", overhead, ("automatic",), ("forced",))
    try:
        return Terms(
            model=row["model"],
            valid_from=_day("valid_from", row["valid_from"]),
            valid_until=_day("valid_until", row["valid_until"]) if "valid_until" in row else None,
            price=Price(
                rates=_rates(row),
                long_rates=_rates(long) if long else None,
                long_above=long["above"] if long else None,
                batch=_decimal("batch", row.get("batch")),
                storage_hour=_decimal("storage_hour", row.get("storage_hour")),
            ),
            minimum_prefix=row.get("minimum_prefix"),
            tool_overhead=ToolOverhead(overhead["automatic"], overhead.get("forced")) if overhead else None,
            source=row["source"],
        )
    except BadArgument as error:
        raise BadPriceFile(f"{place}, {error.argument}", error.value, error.allowed) from None


def by_model(rows: Iterable[Terms]) -> dict[str, tuple[Terms, ...]]:
    """The rows of each model in the order of their days, checked to be one a day.

    rows : in any order.
    Returns rows by the model's name; one without an end ends the day before the next begins.
    Raises BadPriceFile for two rows of one model that hold on the same day.

    >>> row = {"model": "toy-1", "valid_from": date(2026, 1, 1), "input": 1, "output": 5, "source": "made up"}
    >>> [len(rows) for rows in by_model([terms_from_toml(1, row)]).values()]
    [1]
    """
    found: dict[str, list[Terms]] = {}
    for row in sorted(rows, key=lambda row: row.valid_from):
        found.setdefault(row.model, []).append(row)
    for model, own in found.items():
        for row in own:
            if row.valid_until is not None and row.valid_until < row.valid_from:
                raise BadPriceFile(f"{model}, valid_until", row.valid_until, f"a day from {row.valid_from}")
        for row, following in pairwise(own):
            lasts = row.valid_until is not None or row.valid_from == following.valid_from
            if lasts and row.holds_on(following.valid_from):
                both = f"{row.valid_from} and {following.valid_from}"
                raise BadPriceFile(
                    f"{model}, rows from {both}", str(following.valid_from), "one row for a day"
                )
    return {model: _ended(own) for model, own in found.items()}


def text_of(path: Path | str) -> str:
    """The text of a price file.

    path : the file.
    Returns text.
    Raises BadPriceFile if it cannot be read.

    >>> text_of("gone")
    Traceback (most recent call last):
    simlib.billing.terms.BadPriceFile: gone is 'FileNotFoundError'; allowed: a file of text that can be read
    """
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, TypeError, UnicodeDecodeError) as error:
        raise BadPriceFile(str(path), type(error).__name__, "a file of text that can be read") from None


def _ended(own: list[Terms]) -> tuple[Terms, ...]:
    """Rows without an end get the one that the next row's beginning gives them."""
    ends = [following.valid_from - timedelta(days=1) for following in own[1:]]
    return tuple(
        row if row.valid_until is not None else replace(row, valid_until=end)
        for row, end in zip(own, [*ends, None], strict=True)
    )


def check_fields(
    place: str, what: str, row: Mapping[str, Any], required: Sequence[str], optional: Sequence[str]
) -> None:
    """Check that a table of a file has the fields that it needs and no others.

    place : where it stands, for messages. what : what it is, for messages. row : the table.
    required, optional : names of fields.
    Returns nothing.
    Raises BadPriceFile, naming the field.

    >>> check_fields("row 1", "a row", {"input": 1}, ["input"], ["output"])
    """
    if not isinstance(row, Mapping):
        raise BadPriceFile(place, row, f"{what} as a table")
    for name in required:
        if name not in row:
            raise BadPriceFile(place, sorted(row), f"{what} with {name}")
    for name in row:
        if name not in (*required, *optional):
            raise BadPriceFile(place, name, f"no fields but {', '.join((*required, *optional))}")


def _rates(row: Mapping[str, Any]) -> Rates:
    return Rates(**{name: _decimal(name, row.get(name)) for name in CLASSES})


def _decimal(name: str, value: Any) -> Any:
    """A number of the file as a Decimal; what is none is left for Rates to refuse."""
    if value is None or isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return value
    return Decimal(str(value))


def _check_count(name: str, value: int | None) -> None:
    if value is not None:
        single(name, whole(name, value))


def _day(name: str, value: Any) -> date:
    if type(value) is not date:
        raise BadArgument(name, value, "a day, as in 2026-10-07")
    return value
