"""The catalogue: looked up by any name and a day; its rows against a price list that somebody else keeps."""

import re
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise

import pytest

from simlib.billing.catalogue import load_catalogue, read_price_file
from simlib.billing.genai import genai_price
from simlib.billing.price import Unpriced
from simlib.billing.terms import BadPriceFile, by_model
from simlib.billing.usage import Usage
from simlib.errors import BadArgument, OutOfRange, UnknownName
from simlib.prompt.blocks import SECTIONS

CATALOGUE = load_catalogue()
DAY = date(2026, 10, 24)
ROWS = [row for own in CATALOGUE.rows.values() for row in own]


def test_about_twenty_models_each_with_facts_rows_and_sources():
    assert 20 <= len(CATALOGUE.rows) <= 30
    assert set(CATALOGUE.models) == set(CATALOGUE.rows)
    assert all(row.source for row in ROWS)
    assert all(model.source for model in CATALOGUE.models.values())
    for model in CATALOGUE.models.values():
        assert model.default_effort is None or model.default_effort in model.limits.efforts
        assert model.reasoning_from in SECTIONS


def test_rows_of_a_model_leave_no_day_out_between_them():
    for own in CATALOGUE.rows.values():
        for row, following in pairwise(own):
            assert row.valid_until == following.valid_from - timedelta(days=1)


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.model.startswith("claude")], ids=lambda row: row.model
)
def test_anthropics_multiples_are_the_documented_ones(row):
    price = row.price
    assert (price.multiple("cache_write_5m"), price.multiple("cache_write_1h"), price.batch) == (
        1.25,
        2,
        Decimal("0.5"),
    )
    assert price.multiple("cache_read") in (0.1, 0.05, 0.025)
    if price.long_rates is not None and price.long_rates.cache_read is not None:
        assert price.long().multiple("cache_write_1h") == 2


# Where the other list is wrong or silent: reads of Sonnet 5.5 were halved only on 2026-10-07; an earlier
# price of one model, Sonnet 4's tier, and the end of Sonnet 4.5's are missing.
KNOWN_TO_DIFFER = {
    ("claude-sonnet-5-5", date(2026, 9, 28)),
    ("gpt-5.6-sol", date(2026, 7, 9)),
    ("claude-sonnet-4", date(2025, 8, 12)),
    ("claude-sonnet-4-5", date(2026, 5, 1)),
}


@pytest.mark.parametrize(
    "row",
    [row for row in ROWS if (row.model, row.valid_from) not in KNOWN_TO_DIFFER],
    ids=lambda row: f"{row.model}-{row.valid_from}",
)
def test_every_row_agrees_with_genai_prices(row):
    name = {"claude-haiku-3-5": "claude-3-5-haiku", "claude-mythos-5": "claude-fable-5"}.get(
        row.model, row.model
    )
    name = {"claude-mythos-5-1": "claude-fable-5-1"}.get(
        name, name
    )  # sold at one price; the list has no row for it
    theirs = genai_price(name, row.valid_from)
    for usage in (Usage(1_000, 0, 0, 3_000, 5_000), Usage(10**6, 0, 0, 10**5, 7)):
        assert row.price.dollars(usage) == theirs.dollars(usage)
    if row.model.startswith("claude"):
        usage = Usage(0, 10**6, 3 * 10**5)
        assert row.price.dollars(usage) == theirs.dollars(usage)


def test_a_price_is_that_of_the_day():
    reads = [CATALOGUE.price("claude-sonnet-5-5", date(2026, 10, day)).rates.cache_read for day in (6, 7)]
    assert reads == [Decimal("0.20"), Decimal("0.10")]
    assert CATALOGUE.price("claude-sonnet-4-6", date(2026, 3, 12)).long_above == 200_000
    assert CATALOGUE.price("claude-sonnet-4-6", date(2026, 3, 13)).long_above is None
    minimums = [
        CATALOGUE.terms("claude-sonnet-4-6", date(2026, month, 20)).minimum_prefix for month in (3, 4, 5)
    ]
    assert minimums == [1_024, 2_048, 1_024]


def test_an_alias_is_only_a_snapshot_of_the_same_price():
    assert CATALOGUE.name_of("openai/gpt-4o-2024-11-20") == "gpt-4o"
    assert CATALOGUE.name_of("gpt-4o-2024-05-13") is None
    assert CATALOGUE.price("gpt-4o-2024-05-13", DAY).rates.input == 5


@pytest.mark.parametrize("look_up", [CATALOGUE.model, lambda name: CATALOGUE.terms(name, DAY)])
def test_an_unknown_model_is_never_free_but_named(look_up):
    with pytest.raises(UnknownName, match=r"model is 'claude-haiku-55'.*nearest: claude-haiku-5-5"):
        look_up("claude-haiku-55")


@pytest.mark.parametrize("name", ["claude-haiku-55", "no such model at all"])
def test_what_no_list_has_is_named_with_the_nearest(name):
    with pytest.raises(UnknownName, match=re.escape(f"model is '{name}'")):
        CATALOGUE.price(name, DAY)


@pytest.mark.parametrize(
    ("model", "day"),
    [
        ("claude-haiku-5-5", date(2026, 10, 6)),
        ("claude-opus-4-1", date(2026, 8, 6)),
        ("gpt-4o", date(2024, 5, 1)),
    ],
)
def test_a_day_without_a_price_is_named(model, day):
    with pytest.raises(
        OutOfRange, match=f"day is '{day}'; allowed: a day with a price for {re.escape(model)}: "
    ):
        CATALOGUE.price(model, day)


@pytest.mark.parametrize("day", [datetime(2026, 10, 24, tzinfo=UTC), "2026-10-24", None])
def test_a_day_is_a_date(day):
    for model in ("claude-haiku-5-5", "deepseek-chat"):
        with pytest.raises(BadArgument, match=r"^day is "):
            CATALOGUE.price(model, day)


def test_other_models_come_from_genai_prices_which_is_imported_only_then():
    lines = [
        "import sys, datetime",
        "from simlib.billing.catalogue import load_catalogue",
        "catalogue, day = load_catalogue(), datetime.date(2026, 10, 24)",
        "catalogue.price('claude-haiku-5-5', day)",
        "before = 'genai_prices' in sys.modules",
        "print(before, catalogue.price('gpt-4o-mini', day).rates.input, 'genai_prices' in sys.modules)",
    ]
    script = "\n".join(lines)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "0.15", "True"]


def test_what_genai_prices_does_not_sell_by_tokens_is_unpriced():
    with pytest.raises(Unpriced, match="model is 'whisper-1'"):
        CATALOGUE.price("whisper-1", DAY)
    with pytest.raises(Unpriced, match="batch"):
        CATALOGUE.price("gpt-4o-mini", DAY).in_batch()


def test_rented_caches_are_priced_by_the_hour():
    """100,000 tokens for two hours: stored at the fresh price, kept for $0.90, read once with 500 fresh and
    300 out.
    """
    gemini = CATALOGUE.price("gemini-2.5-pro", DAY)
    assert gemini.dollars(Usage(100_000)) == Decimal("0.125")
    assert gemini.storage_dollars(100_000, hours=2) == Decimal("0.90")
    assert gemini.dollars(Usage(500, cache_read=100_000, output=300)) == Decimal("0.016125")
    with pytest.raises(Unpriced, match="storage_hour"):
        CATALOGUE.price("gpt-4o", DAY).storage_dollars(1, 1)


PRICE_FILE = """
[[row]]
model = "toy-1"
valid_from = 2026-01-01
input = 1
output = 5
source = "made up"

[[row]]
model = "claude-haiku-5-5"
valid_from = 2026-01-01
input = 99
output = 99
source = "made up"
"""


def test_a_users_rows_fill_in_and_never_replace(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(PRICE_FILE)
    rows = read_price_file(path)
    mine = CATALOGUE.with_rows(rows, only_new_models=True)
    assert mine.price("toy-1", DAY).rates.output == 5
    assert mine.price("claude-haiku-5-5", DAY) == CATALOGUE.price("claude-haiku-5-5", DAY)
    assert "toy-1" not in CATALOGUE.rows
    with pytest.raises(
        BadPriceFile, match=r"claude-haiku-5-5, valid_from is '2026-01-01'; allowed: a day after"
    ):
        CATALOGUE.with_rows(rows)


def test_a_users_later_row_ends_the_last_one(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(PRICE_FILE.replace("2026-01-01", "2026-12-01"))
    mine = CATALOGUE.with_rows(read_price_file(path))
    days = [date(2026, 11, 30), date(2026, 12, 1)]
    assert [mine.price("anthropic/claude-haiku-5.5", day).rates.input for day in days] == [
        Decimal("0.10"),
        99,
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[row]\n", "is .*; allowed: a TOML file"),
        ("row = 5", r"is \['row'\]; allowed: a list of \[\[row\]\] tables"),
        ("row = [1]", r"row 1 \(no table\) is 1; allowed: a row as a table"),
        ("rows = 1", r"is \['rows'\]; allowed: a list of \[\[row\]\] tables"),
        (
            PRICE_FILE.replace("input = 1\n", ""),
            r"row 1 \(toy-1\) is .*; allowed: a row with input",
        ),
        (PRICE_FILE + PRICE_FILE, "allowed: one row for a day"),
    ],
)
def test_a_wrong_price_file_is_named(tmp_path, text, words):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(BadPriceFile, match=words) as caught:
        read_price_file(path)
    assert "mine.toml" in str(caught.value)


def test_a_plain_name_is_that_of_one_model_only(tmp_path):
    path = tmp_path / "mine.toml"
    rows = ["one/toy-1", "two/toy-1", "two/toy-2"]
    path.write_text(
        "".join(PRICE_FILE.split("[[row]]")[1].replace("toy-1", name).join(["[[row]]", ""]) for name in rows)
    )
    mine = CATALOGUE.with_rows(read_price_file(path))
    assert (mine.name_of("toy-2"), mine.name_of("toy-1"), mine.name_of("two/toy-1")) == (
        "two/toy-2",
        None,
        "two/toy-1",
    )


def test_a_name_of_ours_is_never_anothers(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        PRICE_FILE.replace('"toy-1"', '"cheap/claude-haiku-5.5"').replace("2026-01-01", "2026-12-01")
    )
    mine = CATALOGUE.with_rows(read_price_file(path), only_new_models=True)
    assert dict(mine.rows) == dict(CATALOGUE.rows)


@pytest.mark.parametrize("name", ["claude-sonnet-4-6-fast", "claude-haiku-5-5-turbo"])
def test_an_unknown_variant_of_a_model_of_ours_is_not_priced_as_the_model(name):
    with pytest.raises(UnknownName, match=re.escape(name)):
        CATALOGUE.price(name, DAY)


def test_a_price_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadPriceFile, match=r"nothing\.toml"):
        read_price_file(tmp_path / "nothing.toml")


def test_rows_of_the_catalogue_are_in_order():
    assert dict(by_model(ROWS)) == dict(CATALOGUE.rows)
