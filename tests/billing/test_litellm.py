"""A litellm price file that a user brings: its prices are those of the file, and what is wrong in it is
named.
"""

import json
from datetime import date
from decimal import Decimal

import pytest

from simlib.billing.catalogue import load_catalogue
from simlib.billing.litellm import read_litellm_file
from simlib.billing.terms import BadPriceFile
from simlib.billing.usage import Usage

DAY = date(2026, 11, 30)
TOY = {
    "input_cost_per_token": 1e-07,
    "output_cost_per_token": 5e-07,
    "cache_creation_input_token_cost": 1.25e-07,
    "cache_creation_input_token_cost_above_1hr": 2e-07,
    "cache_read_input_token_cost": 1e-08,
    "input_cost_per_token_above_100k_tokens": 5e-07,
    "output_cost_per_token_above_100k_tokens": 2.5e-06,
    "cache_creation_input_token_cost_above_100k_tokens": 6.25e-07,
    "cache_creation_input_token_cost_above_1hr_above_100k_tokens": 1e-06,
    "cache_read_input_token_cost_above_100k_tokens": 5e-08,
    "input_cost_per_token_batches": 5e-08,
    "output_cost_per_token_batches": 2.5e-07,
    "prompt_cache_min_tokens": 512,
}


def read(tmp_path, data, text=None):
    path = tmp_path / "prices.json"
    path.write_text(json.dumps(data) if text is None else text)
    return read_litellm_file(path, DAY)


def test_all_classes_tiers_and_facts_are_read(tmp_path):
    """The toy has the prices of Haiku 5.5, so it must cost what the catalogue's row costs."""
    (row,) = read(tmp_path, {"toy-1": TOY})
    ours = load_catalogue().terms("claude-haiku-5-5", DAY)
    for usage in (Usage(100_000, output=7), Usage(100_001, output=7), Usage(1, 20, 300, 4_000, 5)):
        assert row.price.dollars(usage) == ours.price.dollars(usage)
        assert row.price.in_batch().dollars(usage) == ours.price.in_batch().dollars(usage)
    assert (row.model, row.valid_from, row.minimum_prefix) == ("toy-1", DAY, 512)


def test_a_count_may_be_written_as_a_fraction(tmp_path):
    (row,) = read(tmp_path, None, json.dumps({"toy-1": TOY}).replace("512", "4096.0"))
    assert row.minimum_prefix == 4_096


@pytest.mark.parametrize(
    "batches", [{}, {"output_cost_per_token_batches": 5e-07}, {"output_cost_per_token_batches": "x"}]
)
def test_a_factor_for_batches_has_to_be_one(tmp_path, batches):
    toy = {name: value for name, value in TOY.items() if not name.endswith("_batches")}
    (row,) = read(tmp_path, {"toy-1": {**toy, "input_cost_per_token_batches": 5e-08, **batches}})
    assert row.price.batch is None


def test_what_is_not_sold_by_tokens_is_left_out(tmp_path):
    data = {
        "sample_spec": TOY,
        "image-1": {"input_cost_per_image": 0.1},
        "embedding-1": {"input_cost_per_token": 1e-07},
        "two-tiers": {**TOY, "input_cost_per_token_above_200k_tokens": 1e-06},
        "toy-1": TOY,
    }
    assert [row.model for row in read(tmp_path, data)] == ["toy-1"]


def test_the_rows_fill_in_what_the_catalogue_lacks(tmp_path):
    rows = read(tmp_path, {"toy-1": TOY, "claude-haiku-5-5": {**TOY, "input_cost_per_token": 1}})
    catalogue = load_catalogue().with_rows(rows, only_new_models=True)
    assert catalogue.price("some-router/toy-1", DAY).rates.input == Decimal("0.1")
    assert catalogue.price("claude-haiku-5-5", DAY).rates.input == Decimal("0.10")


@pytest.mark.parametrize(
    ("data", "text", "words"),
    [
        ({"toy-1": {**TOY, "output_cost_per_token": -1}}, None, "toy-1, output is Decimal"),
        ({"toy-1": {**TOY, "cache_read_input_token_cost": "1"}}, None, "toy-1, cache_read is '1'"),
        ({"toy-1": {**TOY, "input_cost_per_token": True}}, None, "toy-1, input is True"),
        ({"toy-1": {**TOY, "prompt_cache_min_tokens": 1.5}}, None, "toy-1, minimum_prefix is"),
        ({"toy-1": {**TOY, "prompt_cache_min_tokens": -5}}, None, "toy-1, minimum_prefix is -5"),
        (None, "{", r"prices\.json is .*; allowed: a JSON file"),
        ([TOY], None, r"prices\.json is 'list'; allowed: an object"),
        ({"toy-1": 5}, None, r"prices\.json is 'dict'; allowed: an object"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, data, text, words):
    with pytest.raises(BadPriceFile, match=words):
        read(tmp_path, data, text)
