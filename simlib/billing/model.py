"""A model's facts beside its price: what it accepts, what its cache notices, and the names it goes by."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simlib.billing.terms import check_fields
from simlib.errors import known, whole
from simlib.prompt.blocks import SECTIONS
from simlib.prompt.limits import REFUSALS, Limits

_REQUIRED = ("cache", "window", "max_output", "source")
_OPTIONAL = ("efforts", "default_effort", "refuses", "keeps_thinking", "reasoning_from", "aliases")
CACHES = ("anthropic", "openai", "none")  # whose rules a model's cache follows


@dataclass(frozen=True)
class Model:
    """One model.

    `cache` names the rules of its cache, `limits` what it accepts. `default_effort` is what leaving it out
    means, None where that is not known, or where there is no effort. `keeps_thinking` says whether thinking
    stays in the prompt after the user has spoken again. `reasoning_from` is the section from which on the
    cache's key holds thinking and effort. `aliases` are names that no rule gives, `source` says where the
    facts are from.
    """

    name: str
    cache: str
    limits: Limits
    default_effort: str | None
    keeps_thinking: bool
    reasoning_from: str
    aliases: tuple[str, ...]
    source: str


def model_from_toml(name: str, row: Mapping[str, Any]) -> Model:
    """A model's facts from its table in a TOML file.

    name : the model's. row : the fields of its table.
    Returns a Model.
    Raises BadPriceFile for a field that is missing or unknown; BadArgument or UnknownName for what a field
    holds.

    >>> row = {"cache": "none", "window": 8_000, "max_output": 1_000, "source": "made up"}
    >>> model_from_toml("toy-1", row).limits.window
    8000
    """
    place = f"model {name}"
    check_fields(place, "a table", row, _REQUIRED, _OPTIONAL)
    for field in ("window", "max_output"):
        whole(f"{place}, {field}", row[field], low=1)
    known(f"model {name}, cache", row["cache"], CACHES)
    refuses = frozenset(known(f"model {name}, refuses", word, REFUSALS) for word in row.get("refuses", ()))
    reasoning_from = known(f"model {name}, reasoning_from", row.get("reasoning_from", "messages"), SECTIONS)
    efforts = tuple(row.get("efforts", ()))
    return Model(
        name=name,
        cache=row["cache"],
        limits=Limits(row["window"], row["max_output"], efforts, refuses),
        default_effort=row.get("default_effort"),
        keeps_thinking=row.get("keeps_thinking", True),
        reasoning_from=reasoning_from,
        aliases=tuple(row.get("aliases", ())),
        source=row["source"],
    )


# What stands around a name: the seller in front, a version, a snapshot's day or a variant behind.
_SELLER = re.compile(r"^(?:.*/)?(?:(?:us|us-gov|ca|eu|apac|au|jp|global)\.)?(?:anthropic\.|openai\.)?")
_VARIANT = re.compile(r"(?:\[\w+\]|-v\d+(?::\d+)?|:\w+|@default|@latest)$")
_DAY = re.compile(r"[-@]\d{8}$")
_CLAUDE = re.compile(r"^claude-(\d+)(?:-(\d{1,2}))?-(haiku|sonnet|opus|fable|mythos)$")


def plain_name(name: str) -> str:
    """A model's name without seller, snapshot and variant: the one place where names are resolved.

    name : as an API, a cloud or a router writes it.
    Returns lower-case text; what is no Claude model keeps the day of its snapshot, which may have its own
    price.
    Raises nothing.

    >>> plain_name("us.anthropic.claude-opus-4-5-20251101-v1:0")
    'claude-opus-4-5'
    >>> plain_name("openrouter/anthropic/claude-4.5-haiku")
    'claude-haiku-4-5'
    """
    bare = _VARIANT.sub("", _SELLER.sub("", name.strip().lower()))
    if not bare.startswith("claude"):
        return bare
    bare = _DAY.sub("", bare.removesuffix("-latest").replace(".", "-"))
    bare = _CLAUDE.sub(lambda found: "-".join(filter(None, ("claude", found[3], found[1], found[2]))), bare)
    return re.sub(r"^(claude-[a-z]+-\d+)-0$", r"\1", bare)
