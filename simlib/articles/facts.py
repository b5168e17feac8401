"""Every number that the three articles state, as data: what ours is compared with."""

import tomllib
from dataclasses import dataclass
from decimal import Decimal
from importlib import resources
from types import MappingProxyType

from simlib.errors import known

KINDS = MappingProxyType(
    {
        "derived": "a formula or an exact computation gives it",
        "priced": "pricing stated token counts gives it",
        "replayed": "a published run gives it, summed up call by call, or a simulation of our own",
        "measured": "the article measured it on a live API: ours is a simulation, the tolerance a band",
        "scripted": "a fake model is told to slip as published: by construction, no evidence",
        "given": "an input of the article, carried along: inputs and facts agree",
    }
)

Number = int | float | Decimal
Value = Number | tuple[Number, ...]  # of ours
Printed = int | Decimal | tuple[int | Decimal, ...]  # of an article


@dataclass(frozen=True)
class Fact:
    """One published number, or a few that belong together, in `unit`.

    `id` begins with the article's letter. `tol` is how far ours may be off, in the same unit: one
    number or one for each element; 0 for given facts. `kind` is one of KINDS.
    """

    id: str
    what: str
    value: Printed
    unit: str
    kind: str
    tol: Printed = 0

    @property
    def article(self) -> str:
        """The letter of the article that states it."""
        return self.id[0]


def load_facts() -> list[Fact]:
    """The published facts of all three articles, in the order of the articles.

    Returns a list of Fact; fractions are Decimal, as printed.
    Raises UnknownName if the data file holds a kind that does not exist.

    >>> load_facts()[0].id
    'A.limits'
    """
    text = resources.files("simlib.articles").joinpath("facts.toml").read_text(encoding="utf-8")
    rows = tomllib.loads(text, parse_float=Decimal)
    return [_fact(name, row) for name, row in rows.items()]


def select(facts: list[Fact], only: str) -> list[Fact]:
    """The facts of an article ("C"), of a part of one ("C.readall") or a single fact ("C.q").

    facts : the list to choose from. only : a whole id, or the beginning of some up to a dot.
    Returns a list of Fact, at least one.
    Raises UnknownName, which says what there is and offers the nearest ids.

    >>> [fact.id for fact in select(load_facts(), "C.kl")]
    ['C.kl.forward', 'C.kl.backward']
    """
    exactly = [fact for fact in facts if fact.id == only]
    chosen = exactly or [fact for fact in facts if fact.id.startswith(only + ".")]
    if not chosen:
        known("fact", only, [fact.id for fact in facts], also="articles A, B, C and parts such as C.readall")
    return chosen


def elements(value: Value | None) -> tuple[Number, ...]:
    """A value as a tuple, whether it is one number, several or none.

    value : as in a Fact, in any unit; None for a value that is not there.
    Returns its numbers; () for None.
    Raises nothing.

    >>> elements(5), elements((1, 2)), elements(None)
    ((5,), (1, 2), ())
    """
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)


def _fact(name: str, row: dict[str, object]) -> Fact:
    known("kind", str(row["kind"]), KINDS)
    values = {key: tuple(entry) if isinstance(entry, list) else entry for key, entry in row.items()}
    return Fact(id=name, **values)  # type: ignore[arg-type]  # the test of every fact checks the types
