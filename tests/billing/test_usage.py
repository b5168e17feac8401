"""Token classes: those of the API, split where it says, and those that others count within each other."""

import numpy as np
import pytest

from simlib.billing.usage import Usage, usage_from_api, usage_from_overlapping
from simlib.errors import BadArgument, NotANumber, OutOfRange


def test_the_classes_add_up():
    usage = Usage(1, 20, 300, 4_000, 50_000)
    assert usage.prompt == 4_321
    assert usage + usage == Usage(2, 40, 600, 8_000, 100_000)
    assert usage + usage - usage == usage
    assert (Usage(np.array([1, 2]), cache_read=10).prompt == [11, 12]).all()


def test_the_apis_usage_there_and_back():
    usage = Usage(1, 20, 300, 4_000, 50_000)
    assert usage_from_api(usage.to_api()) == usage


@pytest.mark.parametrize(
    ("data", "usage"),
    [
        ({"input_tokens": 5, "output_tokens": 7}, Usage(5, output=7)),
        ({"input_tokens": 5, "output_tokens": 7, "cache_creation_input_tokens": 30}, Usage(5, 30, output=7)),
        (
            {"input_tokens": 5, "output_tokens": 7, "cache_creation": None, "cache_read_input_tokens": None},
            Usage(5, output=7),
        ),
    ],
)
def test_older_and_shorter_answers_are_read(data, usage):
    assert usage_from_api(data) == usage


def test_a_summarys_call_is_added_since_it_stands_nowhere_else():
    """Twelve turns of 150 tokens, and one compaction of 192,000 that the total at the top leaves out."""
    turns = [usage_from_api({"input_tokens": 150, "output_tokens": 0}) for _ in range(11)]
    compaction = {"type": "compaction", "input_tokens": 190_000, "output_tokens": 2_000}
    last = {
        "input_tokens": 150,
        "output_tokens": 0,
        "iterations": [compaction, {"type": "message", "input_tokens": 150}],
    }
    total = sum(turns, usage_from_api(last))
    assert total.prompt + total.output == 1_800 + 192_000


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        (
            {
                "input_tokens": 5,
                "output_tokens": 7,
                "cache_creation_input_tokens": 30,
                "cache_creation": {"ephemeral_5m_input_tokens": 20, "ephemeral_1h_input_tokens": 5},
            },
            BadArgument,
            "cache_creation is .*; allowed: writes that add up to 30 tokens",
        ),
        ({"input_tokens": -5, "output_tokens": 7}, OutOfRange, "input_tokens is -5"),
        ({"input_tokens": "5", "output_tokens": 7}, NotANumber, "input_tokens is '5'"),
        (5, BadArgument, "usage is 5; allowed: an object of counts"),
        ({"input_tokens": 5, "output_tokens": 7, "cache_creation": 5}, BadArgument, "cache_creation is 5"),
        ({"output_tokens": 7}, BadArgument, "usage is .*; allowed: counts with the field input_tokens"),
    ],
)
def test_an_impossible_usage_is_named(data, error, words):
    with pytest.raises(error, match=words):
        usage_from_api(data)


def test_cached_tokens_within_the_prompt_are_split_off():
    assert usage_from_overlapping(2_006, cached=1_920, output=300) == Usage(86, cache_read=1_920, output=300)
    assert usage_from_overlapping(2_006, 1_000, 300, written=1_006) == Usage(0, 1_006, 0, 1_000, 300)


def test_a_part_larger_than_the_whole_names_both():
    with pytest.raises(OutOfRange, match=r"cached \+ written is 2100; allowed: at most the 2006 tokens"):
        usage_from_overlapping(2_006, cached=2_000, output=300, written=100)
