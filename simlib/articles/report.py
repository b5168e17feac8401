"""The reproduced facts for people: a table on the terminal, a page in the browser."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from html import escape
from string import Template

from simlib.articles.facts import KINDS, Number, elements
from simlib.articles.reproduce import VERDICTS, Record, count_verdicts

ARTICLES = {
    "A": "What an AI Agent Is: The Loop, Measured",
    "B": "Agentic loops, large context, and the discipline of optimization",
    "C": "How an AI agent works: a language model in a loop with tools",
}

PENDING_NOTE = "pending: nothing computes it yet; no verdict on the article"

PLAIN_COLUMNS = "what", "published", "ours", "unit", "verdict"
COLUMNS = ("id", "published", "ours", "difference", "within", "kind", "verdict")


def text_report(records: Sequence[Record]) -> str:
    """The table as text: a line a fact, then counts by kind.

    records : as from `reproduce`; values have the facts' units.
    Returns the text without a final line break.
    Raises nothing.

    >>> from simlib.articles.facts import load_facts, select
    >>> from simlib.articles.reproduce import reproduce
    >>> print(text_report(reproduce(select(load_facts(), "B.total_input"))).splitlines()[1])
    B.total_input  125,600    125,600  0           0       derived  ok
    """
    facts = _aligned([COLUMNS, *map(_text_row, records)])
    counts: list[tuple[str, ...]] = [("kind", *VERDICTS, "what it is")]
    for kind, verdicts in count_verdicts(records).items():
        counts.append((kind, *(str(verdicts[verdict]) for verdict in VERDICTS), KINDS[kind]))
    return "\n".join([*facts, "", *_aligned(counts), PENDING_NOTE])


def html_report(records: Sequence[Record], figures: str = "") -> str:
    """The table as one self-contained page, which says in words what each number is.

    records : as from `reproduce`; the page prints each value with its unit. figures : HTML to stand below.
    Returns the page as text, to be written in UTF-8.
    Raises nothing.

    >>> html_report([]).startswith("<!DOCTYPE html>")
    True
    """
    tables, links = [], []
    for letter, title in ARTICLES.items():
        mine = [record for record in records if record.fact.article == letter]
        if mine:
            rows = "".join(map(_html_row, sorted(mine, key=_interest)))
            caption = f"<caption>{letter}: {escape(title)}</caption>"
            tables.append(
                f"<div><table id={letter}>{caption}{_html_head()}<tbody>{rows}</tbody></table></div>"
            )
            links.append(f"<li><a href=#{letter}>{letter}: {escape(title)}</a></li>")
    if figures:
        links.append("<li><a href=#figures>Figures</a></li>")
    return _PAGE.substitute(
        finding=escape(finding(records)),
        kinds="".join(f"<dt>{kind}</dt><dd>{escape(note)}</dd>" for kind, note in KINDS.items()),
        pending=PENDING_NOTE,
        links="".join(links),
        tables="".join(tables),
        figures=f"<h2 id=figures>Figures</h2>{figures}" if figures else "",
    )


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
    which = ", ".join(record.fact.id for record in records if record.verdict == "off")
    return (
        f"Of {len(records)} published facts, {ok - carried} are computed and agree, "
        f"{carried} are inputs that agree, {off} are off{f' ({which})' if which else ''}, "
        f"{pending} are pending."
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
        return f"{value:,f}"
    return f"{int(value):,d}" if value % 1 == 0 else f"{value:,.6g}"


def plain_row(record: Record) -> tuple[str, ...]:
    """A fact for a small table: what it is, published, ours, unit, verdict.

    record : as from `reproduce`.
    Returns texts, one for each of PLAIN_COLUMNS.
    Raises nothing.

    >>> from simlib.articles.facts import load_facts, select
    >>> from simlib.articles.reproduce import reproduce
    >>> plain_row(reproduce(select(load_facts(), "B.cost"))[0])[1:3]
    ('0.3768', '0.3768')
    """
    fact = record.fact
    published = " ".join(shown(number) for number in elements(fact.value))
    return f"{fact.what} ({fact.id})", published, " ".join(_ours(record)), fact.unit, record.verdict


def _ours(record: Record) -> list[str]:
    exact = (n.normalize() if isinstance(n, Decimal) else n for n in elements(record.ours))
    return [shown(number) for number in exact] or ["-"]


def _cells(record: Record) -> tuple[Sequence[str], ...]:
    """Published, ours, difference and tolerance, each with one text for every element."""
    fact = record.fact
    agrees = record.verdict == "ok"
    differences = [_shown_difference(number, agrees) for number in record.difference or ()]
    tolerances = [] if fact.kind == "given" else [f"{number:g}" for number in elements(fact.tol)]
    return [shown(n) for n in elements(fact.value)], _ours(record), differences, tolerances


def _shown_difference(difference: Decimal, agrees: bool) -> str:
    a_floats_rounding = agrees and abs(difference) < Decimal("1e-12")
    return "0" if a_floats_rounding or not difference else f"{float(difference):+,.4g}"


def _text_row(record: Record) -> tuple[str, ...]:
    return record.fact.id, *map(" ".join, _cells(record)), record.fact.kind, record.verdict


def _interest(record: Record) -> int:
    """What is off comes first, then what is computed, what is carried along, what is pending."""
    if record.verdict == "ok":
        return 2 if record.fact.kind == "given" else 1
    return 0 if record.verdict == "off" else 3


def _aligned(rows: Iterable[Sequence[str]]) -> list[str]:
    rows = list(rows)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    padded = ([cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows)
    return ["  ".join(cells).rstrip() for cells in padded]


def _html_head() -> str:
    numbers = "".join(f"<th scope=col class=number>{name}</th>" for name in COLUMNS[1:5])
    words = "".join(f"<th scope=col>{name}</th>" for name in ("unit", *COLUMNS[5:]))
    return f"<thead><tr><th scope=col>what</th>{numbers}{words}</tr></thead>"


def _html_row(record: Record) -> str:
    name = f"{escape(record.fact.what)}<br><code>{record.fact.id}</code>"
    numbers = "".join(f"<td class=number>{'<br>'.join(cell)}</td>" for cell in _cells(record))
    units = escape(record.fact.unit).replace(", ", "<br>")
    verdict = record.verdict
    words = f"<td>{units}</td><td>{record.fact.kind}</td><td class=verdict>{verdict}</td>"
    return f"<tr class={verdict}><th scope=row>{name}</th>{numbers}{words}</tr>"


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
div { overflow-x: auto }
caption { font-weight: bold; text-align: left; font-size: 1.2rem; padding: .5rem 0 }
th, td { text-align: left; vertical-align: top; font-weight: normal }
th, td { padding: .3rem .6rem; border-bottom: 1px solid #ccc }
thead th { border-bottom: 2px solid #262626; font-weight: bold }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
code { color: #595959; font-size: .85rem }
.verdict { font-weight: bold }
.off .verdict { color: #fff; background: #b03a00 }
.pending .verdict { color: #595959; font-weight: normal }
figure { margin: 2rem 0; max-width: 46rem } svg { max-width: 100%; height: auto }
dt { font-weight: bold; float: left; clear: left; width: 6rem } dd { margin-left: 7rem }
</style>
</head>
<body>
<h1>Three articles, recomputed</h1>
<p>$finding</p>
<ul>$links</ul>
<p>The published column holds the article's value; where the article gives it only in words, they are quoted.
A difference is ours minus published; ours is ok if it is within the tolerance beside it. The kinds:</p>
<dl>$kinds</dl>
<p>$pending.</p>
$tables
$figures
<p>Made by <code>simlib reproduce</code>.</p>
</body>
</html>
""")
