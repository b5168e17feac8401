"""The reproduced facts for people: a table on the terminal, a page in the browser."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from html import escape
from string import Template

from simlib.articles.facts import Number, elements
from simlib.articles.reproduce import VERDICTS, Record, count_verdicts

ARTICLES = {
    "A": "What an AI Agent Is: The Loop, Measured",
    "B": "Agentic loops, large context, and the discipline of optimization",
    "C": "How an AI agent works: a language model in a loop with tools",
}

KIND_NOTES = {
    "derived": "a formula or an exact computation",
    "priced": "stated token counts, priced",
    "replayed": "a run of simlib's own loop",
    "measured": "measured on a live API; ours would be a simulation",
    "scripted": "comes out by construction: no evidence",
    "given": "an input of the article: inputs and facts agree",
}

PENDING_NOTE = "pending: nothing computes it yet; no verdict on the article"

COLUMNS = ("id", "published", "ours", "difference", "kind", "verdict")


def text_report(records: Sequence[Record]) -> str:
    """The table as text: a line a fact, then counts by kind.

    records : as from `reproduce`; values have the facts' units.
    Returns the text without a final line break.
    Raises nothing.

    >>> from simlib.articles.facts import load_facts, select
    >>> from simlib.articles.reproduce import reproduce
    >>> print(text_report(reproduce(select(load_facts(), "B.total_input"))).splitlines()[1])
    B.total_input  125,600    125,600  0           derived  ok
    """
    facts = _aligned([COLUMNS, *map(_text_row, records)])
    counts: list[tuple[str, ...]] = [("kind", *VERDICTS, "what gives it")]
    for kind, verdicts in count_verdicts(records).items():
        counts.append((kind, *(str(verdicts[verdict]) for verdict in VERDICTS), KIND_NOTES[kind]))
    return "\n".join([*facts, "", *_aligned(counts), PENDING_NOTE])


def html_report(records: Sequence[Record]) -> str:
    """The table as one self-contained page, which says in words what each number is.

    records : as from `reproduce`; the page prints each value with its unit.
    Returns the page as text, to be written in UTF-8.
    Raises nothing.

    >>> html_report([]).startswith("<!DOCTYPE html>")
    True
    """
    parts = []
    for letter, title in ARTICLES.items():
        rows = [_html_row(record) for record in records if record.fact.id[0] == letter]
        if rows:
            caption = f"<caption>{letter}: {escape(title)}</caption>"
            parts.append(f"<table>{caption}{_html_head()}<tbody>{''.join(rows)}</tbody></table>")
    notes = "".join(f"<dt>{kind}</dt><dd>{note}</dd>" for kind, note in KIND_NOTES.items())
    text = {"finding": escape(finding(records)), "notes": notes, "pending": PENDING_NOTE}
    return _PAGE.substitute(text, tables="".join(parts))


def finding(records: Sequence[Record]) -> str:
    """What the table shows, in one sentence.

    records : as from `reproduce`.
    Returns a sentence with the number of facts that are computed and agree, that are inputs carried
    along, that are off and that are pending.
    Raises nothing.

    >>> finding([])
    'Of 0 published facts, 0 are computed and agree, 0 are inputs that agree, 0 are off, 0 are pending.'
    """
    counts = count_verdicts(records)
    carried = counts.get("given", {}).get("ok", 0)
    ok, off, pending = (sum(kind[verdict] for kind in counts.values()) for verdict in VERDICTS)
    return (
        f"Of {len(records)} published facts, {ok - carried} are computed and agree, "
        f"{carried} are inputs that agree, {off} are off, {pending} are pending."
    )


def shown(value: Number) -> str:
    """A number for readers: thousands with commas.

    value : a number in any unit.
    Returns text: Decimals and whole numbers in full, other fractions to six digits.
    Raises nothing.

    >>> shown(125_600), shown(Decimal("0.3768")), shown(2 / 3)
    ('125,600', '0.3768', '0.666667')
    """
    if isinstance(value, Decimal):
        return f"{value.normalize():,f}"
    return f"{int(value):,d}" if value % 1 == 0 else f"{value:,.6g}"


def _cells(record: Record) -> tuple[Sequence[str], ...]:
    """Published, ours and difference, each with one text for every element."""
    published, ours = ([shown(number) for number in elements(v)] for v in (record.fact.value, record.ours))
    return published, ours or ["-"], [_shown_difference(number) for number in record.difference or ()]


def _shown_difference(difference: float) -> str:
    within_rounding = abs(difference) < 1e-12
    return "0" if within_rounding else f"{difference:+,.4g}"


def _text_row(record: Record) -> tuple[str, ...]:
    return record.fact.id, *map(" ".join, _cells(record)), record.fact.kind, record.verdict


def _aligned(rows: Iterable[Sequence[str]]) -> list[str]:
    rows = list(rows)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    padded = ([cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows)
    return ["  ".join(cells).rstrip() for cells in padded]


def _html_head() -> str:
    numbers = "".join(f"<th scope=col class=number>{name}</th>" for name in COLUMNS[1:4])
    words = "".join(f"<th scope=col>{name}</th>" for name in ("unit", *COLUMNS[4:]))
    return f"<thead><tr><th scope=col>what</th>{numbers}{words}</tr></thead>"


def _html_row(record: Record) -> str:
    name = f"{escape(record.fact.what)}<br><code>{record.fact.id}</code>"
    numbers = "".join(f"<td class=number>{'<br>'.join(cell)}</td>" for cell in _cells(record))
    words = "".join(f"<td>{escape(cell)}</td>" for cell in (record.fact.unit, record.fact.kind))
    verdict = record.verdict
    return (
        f"<tr class={verdict}><th scope=row>{name}</th>{numbers}{words}<td class=verdict>{verdict}</td></tr>"
    )


_PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Three articles, recomputed</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; color: #262626; background: #fff }
body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100%; margin: 2rem 0 }
caption { font-weight: bold; text-align: left; font-size: 1.2rem; padding: .5rem 0 }
th, td { text-align: left; vertical-align: top; font-weight: normal }
th, td { padding: .3rem .6rem; border-bottom: 1px solid #ccc }
thead th { border-bottom: 2px solid #262626; font-weight: bold }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
code { color: #595959; font-size: .85rem }
.verdict { font-weight: bold }
.off .verdict { color: #fff; background: #b03a00 }
.pending .verdict { color: #595959; font-weight: normal }
dt { font-weight: bold; float: left; clear: left; width: 6rem } dd { margin-left: 7rem }
</style>
</head>
<body>
<h1>Three articles, recomputed</h1>
<p>$finding</p>
<dl>$notes</dl>
<p>$pending.</p>
$tables
</body>
</html>
""")
