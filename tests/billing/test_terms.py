"""A price file's rows: what is wrong with one is named, with its row and its field."""

import re
from datetime import date, datetime
from decimal import Decimal

import pytest

from simlib.billing.terms import BadPriceFile, by_model, terms_from_toml

ROW = {
    "model": "toy-1",
    "valid_from": date(2026, 1, 1),
    "input": Decimal(1),
    "output": 5,
    "source": "made up",
}


def row(**fields):
    return terms_from_toml(3, {**ROW, **fields})


@pytest.mark.parametrize("name", ROW)
def test_a_missing_field_is_named(name):
    fields = {key: value for key, value in ROW.items() if key != name}
    with pytest.raises(BadPriceFile, match=rf"^row 3 \(.*\) is .* allowed: a row with {name}$"):
        terms_from_toml(3, fields)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"input": -1}, "row 3 (toy-1), input is Decimal('-1'); allowed: finite amounts"),
        ({"cache_read": Decimal("-0.1")}, "row 3 (toy-1), cache_read is Decimal('-0.1')"),
        ({"output": "5"}, "row 3 (toy-1), output is '5'"),
        ({"output": True}, "row 3 (toy-1), output is True"),
        ({"model": ["a"]}, "row 3 (['a']), model is ['a']; allowed: a text"),
        ({"source": " "}, "row 3 (toy-1), source is ' '; allowed: a text"),
        ({"long": 5}, "row 3 (toy-1), long is 5; allowed: fields as a table"),
        ({"minimum_prefix": [5]}, "row 3 (toy-1), minimum_prefix is (1,); allowed: one number"),
        ({"inputs": 1}, "row 3 (toy-1) is 'inputs'; allowed: no fields but model, valid_from"),
        ({"valid_from": "2026-01-01"}, "row 3 (toy-1), valid_from is '2026-01-01'; allowed: a day"),
        ({"valid_from": datetime(2026, 1, 1)}, "row 3 (toy-1), valid_from is datetime"),
        ({"batch": -1}, "row 3 (toy-1), batch is Decimal('-1')"),
        ({"minimum_prefix": 1.5}, "row 3 (toy-1), minimum_prefix is 1.5"),
        (
            {"long": {"input": 2, "output": 9}},
            "row 3 (toy-1), long is ['input', 'output']; allowed: fields with above",
        ),
        (
            {"long": {"above": 10, "output": 9}},
            "row 3 (toy-1), long is ['above', 'output']; allowed: fields with input",
        ),
        ({"long": {"above": 10, "input": 1, "output": 9, "x": 1}}, "row 3 (toy-1), long is 'x'"),
        ({"tool_overhead": {"automatic": -1}}, "row 3 (toy-1), automatic is -1"),
        (
            {"tool_overhead": {"forced": 9}},
            "row 3 (toy-1), tool_overhead is ['forced']; allowed: fields with automatic",
        ),
    ],
)
def test_a_wrong_field_is_named(fields, words):
    with pytest.raises(BadPriceFile, match=re.escape(words)):
        row(**fields)


def test_rows_follow_each_other_day_by_day():
    first, second = row(), row(valid_from=date(2026, 3, 1), input=2)
    (rows,) = by_model([second, first]).values()
    assert [(each.valid_from, each.valid_until) for each in rows] == [
        (date(2026, 1, 1), date(2026, 2, 28)),
        (date(2026, 3, 1), None),
    ]


def test_a_row_may_hold_for_one_day():
    (rows,) = by_model([row(valid_until=date(2026, 1, 1))]).values()
    assert [rows[0].holds_on(date(2026, 1, day)) for day in (1, 2)] == [True, False]


def test_a_gap_between_rows_stays_one():
    (rows,) = by_model([row(valid_until=date(2026, 1, 31)), row(valid_from=date(2026, 3, 1))]).values()
    assert [any(each.holds_on(date(2026, month, 1)) for each in rows) for month in (1, 2, 3)] == [
        True,
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (
            [row(), row()],
            "toy-1, rows from 2026-01-01 and 2026-01-01 is '2026-01-01'; allowed: one row for a day",
        ),
        (
            [row(valid_until=date(2026, 3, 1)), row(valid_from=date(2026, 3, 1))],
            "toy-1, rows from 2026-01-01 and 2026-03-01 is '2026-03-01'; allowed: one row for a day",
        ),
        (
            [row(valid_until=date(2026, 6, 1)), row(valid_from=date(2026, 3, 1))],
            "toy-1, rows from 2026-01-01 and 2026-03-01 is '2026-03-01'; allowed: one row for a day",
        ),
        (
            [row(valid_until=date(2025, 3, 1))],
            "toy-1, valid_until is datetime.date(2025, 3, 1); allowed: a day from",
        ),
    ],
)
def test_two_rows_for_a_day_are_named(rows, words):
    with pytest.raises(BadPriceFile, match=re.escape(words)):
        by_model(rows)


def test_other_models_days_are_of_no_account():
    assert set(by_model([row(), row(model="toy-2")])) == {"toy-1", "toy-2"}
