"""The articles' numbers in a notebook, with ours beside them."""

from collections.abc import Sequence

from simlib.articles.report import PLAIN_COLUMNS, plain_row
from simlib.articles.reproduce import Record
from simlib.lab.html import CSS, table_html
from simlib.lab.message import Message


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
    rows = [plain_row(record) for record in records]
    lines = tuple(
        f"{what}: published {theirs}, ours {ours} {unit}: {word}" for what, theirs, ours, unit, word in rows
    )
    table = dict(zip(PLAIN_COLUMNS, zip(*rows, strict=True), strict=True))
    return Message(lines, CSS + table_html(table, "The articles' numbers, and ours"))
