"""Every fact recomputed: fact id -> our value, beside the published one.

No published value flows into a computation: ours comes from the inputs, through the library. What
nothing computes yet is `pending`, which is no verdict on the article.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any

from simlib.articles import article_a, article_b, article_c
from simlib.articles.facts import KINDS, Fact, Value, elements
from simlib.articles.inputs import Inputs
from simlib.sweep import progress_bar

VERDICTS = ("ok", "off", "pending")


@dataclass(frozen=True)
class Record:
    """A fact beside our value, in the fact's unit. `ours` is None where nothing computes it yet."""

    fact: Fact
    ours: Value | None

    @property
    def difference(self) -> tuple[Decimal, ...] | None:
        """Ours minus published, element by element, to 28 digits; None without a value of ours to compare."""
        ours, published = elements(self.ours), elements(self.fact.value)
        if self.ours is None or len(ours) != len(published):
            return None
        return tuple(Decimal(mine) - Decimal(theirs) for mine, theirs in zip(ours, published, strict=True))

    @property
    def verdict(self) -> str:
        """`ok` or `off` against the tolerance; `pending` without a value of ours."""
        if self.ours is None:
            return "pending"
        if self.difference is None:
            return "off"
        tol = [Decimal(each) for each in elements(self.fact.tol)]
        allowed = tol * len(self.difference) if len(tol) == 1 else tol
        within = (not d.is_nan() and abs(d) <= t for d, t in zip(self.difference, allowed, strict=True))
        return "ok" if all(within) else "off"

    def as_json(self) -> dict[str, Any]:
        """The record as plain JSON values: id, published, ours, tol, kind, verdict."""
        return {
            "id": self.fact.id,
            "published": _json(self.fact.value),
            "ours": _json(self.ours),
            "tol": _json(self.fact.tol),
            "kind": self.fact.kind,
            "verdict": self.verdict,
        }


def computations(inputs: Inputs) -> dict[str, Callable[[], Value]]:
    """How each fact is computed from the inputs.

    inputs : what the articles give.
    Returns a function of nothing for each fact id that simlib can compute; the values have the facts' units.
    Raises nothing.

    >>> computations(Inputs())["B.total_input"]()
    125600
    """
    return (
        _bound({**article_a.COMPUTED, **article_a.GIVEN}, inputs.a)
        | _bound({**article_b.COMPUTED, **article_b.GIVEN}, inputs.b)
        | _bound({**article_c.COMPUTED, **article_c.GIVEN}, inputs.c)
    )


def reproduce(facts: Iterable[Fact], inputs: Inputs | None = None) -> list[Record]:
    """Our value for each fact. A progress bar shows on a terminal, and nothing in a pipe.

    facts : the published numbers to stand beside. inputs : what the articles give, if not as published.
    Returns one Record a fact, in the same order.
    Raises nothing of its own; a computation's error passes through.

    >>> from simlib.articles.facts import load_facts, select
    >>> [record.verdict for record in reproduce(select(load_facts(), "B.total_input"))]
    ['ok']
    """
    compute = computations(inputs or Inputs())
    chosen, records = list(facts), []
    with progress_bar(len(chosen)) as bar:
        for fact in chosen:
            records.append(Record(fact, compute[fact.id]() if fact.id in compute else None))
            bar.update()
    return records


def count_verdicts(records: Iterable[Record]) -> dict[str, dict[str, int]]:
    """How many facts of each kind have each verdict.

    records : as from `reproduce`.
    Returns {kind: {verdict: count}} for the kinds that occur, every verdict among them.
    Raises nothing.

    >>> from simlib.articles.facts import load_facts, select
    >>> count_verdicts(reproduce(select(load_facts(), "B.cost")))
    {'priced': {'ok': 1, 'off': 0, 'pending': 0}}
    """
    counted = Counter((record.fact.kind, record.verdict) for record in records)
    kinds = [kind for kind in KINDS if any((kind, verdict) in counted for verdict in VERDICTS)]
    return {kind: {verdict: counted[kind, verdict] for verdict in VERDICTS} for kind in kinds}


def _bound(computed: Mapping[str, Callable[[Any], Value]], given: Any) -> dict[str, Callable[[], Value]]:
    return {name: partial(function, given) for name, function in computed.items()}


def _json(value: Value | None) -> Any:
    if isinstance(value, tuple):
        return [_json(element) for element in value]
    return value if value is None or isinstance(value, int) else float(value)
