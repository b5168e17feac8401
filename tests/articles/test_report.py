"""The facts as text and as a page say the same, and in words."""

from decimal import Decimal
from html import escape
from html.parser import HTMLParser

import pytest

from simlib.articles.facts import KINDS, Fact, elements, load_facts
from simlib.articles.report import COLUMNS, finding, html_report, shown, text_report
from simlib.articles.reproduce import Record, reproduce

RECORDS = reproduce(load_facts())


class Cells(HTMLParser):
    """The text of every cell, row by row, and the tags that were never closed."""

    def __init__(self, page):
        super().__init__()
        self.rows, self.open = [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "br"):
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, text):
        if self.open and {"td", "th"} & set(self.open):
            self.rows[-1][-1] += text


def test_the_text_has_a_line_for_every_fact():
    lines = text_report(RECORDS).splitlines()
    assert lines[0].split() == list(COLUMNS)
    assert [line.split()[0] for line in lines[1 : len(RECORDS) + 1]] == [record.fact.id for record in RECORDS]
    assert text_report(RECORDS).isascii()


def test_the_page_has_a_row_for_every_fact_and_is_whole():
    page = Cells(html_report(RECORDS))
    assert not page.open
    rows = [row for row in page.rows if row[0] != "what"]
    assert len(rows) == len(RECORDS)
    assert all(len(row) == 8 for row in rows)
    told = {record.fact.what + record.fact.id: record for record in RECORDS}
    for row in rows:
        record = told.pop(row[0])
        assert row[1] == "".join(shown(number) for number in elements(record.fact.value))
        assert (row[6], row[7]) == (record.fact.kind, record.verdict)
    assert not told
    assert all(escape(note) in html_report(RECORDS) for note in KINDS.values())


def test_a_decimal_of_ours_has_no_idle_zeros_and_a_given_fact_no_tolerance():
    lines = {line.split()[0]: line.split() for line in text_report(RECORDS).splitlines() if line}
    assert lines["B.cost"] == ["B.cost", "0.3768", "0.3768", "0", "1e-9", "priced", "ok"]
    assert lines["B.P"] == ["B.P", "8,000", "8,000", "0", "given", "ok"]


def test_the_page_begins_with_what_matters():
    verdicts = [(row[6], row[7]) for row in Cells(html_report(RECORDS)).rows if row[0] != "what"]
    article_c = verdicts[-27:]
    assert article_c == sorted(article_c, key=lambda pair: (pair[1] == "pending", pair == ("given", "ok")))


def test_what_is_off_shows_by_how_much():
    off = Record(Fact("C.x", "a < b", (100, 2), "tokens", "derived"), (90, 2))
    assert text_report([off]).splitlines()[1].split() == [
        "C.x",
        "100",
        "2",
        "90",
        "2",
        "-10",
        "0",
        "0",
        "derived",
        "off",
    ]
    assert "1 are off (C.x)" in finding([off])
    barely = Record(Fact("C.x", "x", Decimal("0.1"), "tokens", "derived"), 0.1 + 1e-14)
    assert "e-14" in text_report([barely])
    assert "a &lt; b" in html_report([off])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.0, "0"),
        (1e-9, "1e-09"),
        (1_234_567.0, "1,234,567"),
        (float("nan"), "nan"),
        (float("inf"), "inf"),
    ],
)
def test_numbers_are_readable(value, text):
    assert shown(value) == text
