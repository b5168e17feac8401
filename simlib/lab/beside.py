"""The articles' numbers in a notebook, with ours beside them."""

from collections.abc import Sequence

from simlib.articles.facts import elements
from simlib.articles.report import shown, shown_ours
from simlib.articles.reproduce import Record
from simlib.lab.message import Message
from simlib.lab.panel import table_html
from simlib.lab.widgets import STYLE

COLUMNS = ("what", "published", "ours", "unit", "verdict")


def facts_message(records: Sequence[Record]) -> Message:
    """Published numbers beside ours.

    records : as from `reproduce`, each in its fact's unit.
    Returns a Message: a line for each fact, or a table.
    Raises nothing.

    >>> from simlib.articles.facts import load_facts, select
    >>> from simlib.articles.reproduce import reproduce
    >>> facts_message(reproduce(select(load_facts(), "C.search.Z")))
    total input of the run that searches (C.search.Z): published 1,358, ours 1,358 tokens: ok
    """
    rows = [_row(record) for record in records]
    lines = tuple(
        f"{what}: published {theirs}, ours {ours} {unit}: {word}" for what, theirs, ours, unit, word in rows
    )
    table = {name: [row[at] for row in rows] for at, name in enumerate(COLUMNS)}
    return Message(lines, STYLE + table_html(table, "The articles' numbers, and ours"))


def _row(record: Record) -> tuple[str, ...]:
    fact = record.fact
    theirs = " ".join(shown(number) for number in elements(fact.value))
    return f"{fact.what} ({fact.id})", theirs, " ".join(shown_ours(record)), fact.unit, record.verdict
