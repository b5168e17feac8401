"""The models that simlib knows, and what each cost on which day.

Its own table is data with a date and a source a row, and never follows a newer price list: a bill of last
year stays what it was. Models that it lacks are looked up in genai-prices, which is imported only then.
"""

import tomllib
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from importlib import resources
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType

from simlib.billing.model import Model, model_from_toml, plain_name
from simlib.billing.price import Price
from simlib.billing.terms import BadPriceFile, Terms, by_model, terms_from_toml, text_of
from simlib.errors import BadArgument, OutOfRange, unknown

_BEGINNING = attrgetter("valid_from")


@dataclass(frozen=True)
class Catalogue:
    """Models and dated terms, looked up by any name that a model goes by, and a day.

    >>> haiku = load_catalogue().price("anthropic/claude-haiku-5.5", date(2026, 10, 24))
    >>> haiku.rates.input, haiku.long_above
    (Decimal('0.10'), 100000)
    """

    models: Mapping[str, Model]
    rows: Mapping[str, tuple[Terms, ...]]
    names: Mapping[str, str]  # the names of models, and aliases of theirs that plain_name cannot find

    def name_of(self, name: str) -> str | None:
        """The table's name for a model, None if the table lacks it; BadArgument for what is no name."""
        if not isinstance(name, str):
            raise BadArgument("model", name, "the name of a model")
        return self.names.get(name) or self.names.get(plain_name(name))

    def model(self, name: str) -> Model:
        """A model's facts; UnknownName, with the nearest names, for one that the table lacks."""
        found = self.name_of(name)
        if found is None or found not in self.models:
            unknown("model", name, sorted(self.models), also="whose facts are known, not only the price")
        return self.models[found]

    def terms(self, name: str, day: date) -> Terms:
        """The row that holds on a day; UnknownName for a model, OutOfRange for a day that the table lacks."""
        found = self.name_of(name)
        if found is None or found not in self.rows:
            unknown("model", name, sorted(self.rows))
        return self._row(found, day)

    def price(self, name: str, day: date) -> Price:
        """A model's price on a day, from the table or, if it lacks the model, from genai-prices.

        UnknownName, with the nearest names of both, for a model that neither has; OutOfRange for a day.
        """
        found = self.name_of(name)
        if found is not None and found in self.rows:
            return self._row(found, day).price
        from simlib.billing.genai import genai_price  # a large package that few need

        return genai_price(name, _checked(day), also=self.rows)

    def _row(self, found: str, day: date) -> Terms:
        own = self.rows[found]
        at = bisect_right(own, _checked(day), key=_BEGINNING) - 1
        if at < 0 or not own[at].holds_on(day):
            spans = ", ".join(f"{row.valid_from} to {row.valid_until or 'now'}" for row in own)
            raise OutOfRange("day", str(day), f"a day with a price for {found}: {spans}")
        return own[at]

    def with_rows(self, rows: Iterable[Terms], *, only_new_models: bool = False) -> "Catalogue":
        """The catalogue with the rows of another price file.

        A row of a model that it has must begin after that model's last one, which ends there; BadPriceFile
        for any other. With `only_new_models` such rows are left out, as is right for a list without dates.
        """
        given = [replace(row, model=self.name_of(row.model) or row.model) for row in rows]
        if only_new_models:
            given = [row for row in given if row.model not in self.rows]
        for row in given:
            last = self.rows[row.model][-1] if row.model in self.rows else None
            if last is not None and row.valid_from <= last.valid_from:
                raise BadPriceFile(
                    f"{row.model}, valid_from", str(row.valid_from), f"a day after {last.valid_from}"
                )
        merged = by_model([*(row for own in self.rows.values() for row in own), *given])
        return Catalogue(
            self.models, MappingProxyType(merged), MappingProxyType({**_names(given), **self.names})
        )


def _names(rows: Iterable[Terms]) -> dict[str, str]:
    """Every row's own name, and a plain one where it stands for one model only, whoever sells it."""
    models = {row.model for row in rows}
    meant = Counter(plain_name(model) for model in models)
    plain = {plain_name(model): model for model in models if meant[plain_name(model)] == 1}
    return plain | {model: model for model in models}


def load_catalogue() -> Catalogue:
    """The catalogue that comes with simlib.

    Returns a Catalogue.
    Raises BadPriceFile or BadArgument if its files have been broken.

    >>> load_catalogue().model("claude-haiku-5-5").default_effort
    'medium'
    """
    files = resources.files("simlib.billing")
    facts = tomllib.loads(files.joinpath("models.toml").read_text(encoding="utf-8"))
    models = {name: model_from_toml(name, row) for name, row in facts.items()}
    names = {alias: model.name for model in models.values() for alias in (model.name, *model.aliases)}
    rows = by_model(_rows(files.joinpath("prices.toml").read_text(encoding="utf-8"), "prices.toml"))
    return Catalogue(MappingProxyType(models), MappingProxyType(rows), MappingProxyType(names))


def read_price_file(path: Path | str) -> list[Terms]:
    """The rows of a price file in simlib's own form, for `Catalogue.with_rows`.

    path : a TOML file of [[row]] tables, as simlib's prices.toml.
    Returns the rows, in the file's order.
    Raises BadPriceFile, naming file, row and field.

    >>> import tempfile
    >>> fields = "model = 'toy-1'", "valid_from = 2026-01-01", "input = 1", "output = 5", "source = 'mine'"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "prices.toml").write_text("\\n".join(["[[row]]", *fields]))
    ...     read_price_file(Path(folder, "prices.toml"))[0].model
    'toy-1'
    """
    return _rows(text_of(path), str(path))


def _rows(text: str, name: str) -> list[Terms]:
    try:
        data = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise BadPriceFile(name, str(error), "a TOML file") from None
    if set(data) != {"row"} or not isinstance(data["row"], list):
        raise BadPriceFile(name, sorted(data), "a list of [[row]] tables")
    try:
        rows = [terms_from_toml(number, row) for number, row in enumerate(data["row"], start=1)]
        by_model(rows)
    except BadPriceFile as error:
        raise BadPriceFile(f"{name}, {error.argument}", error.value, error.allowed) from None
    return rows


def _checked(day: date) -> date:
    if type(day) is not date:
        raise BadArgument("day", day, "a datetime.date, such as date(2026, 10, 24)")
    return day
