"""Counting blocks: what a model reads of them, and a recorded run that corrects the guess."""

import sys

import pytest

from simlib.errors import BadArgument, OutOfRange, ShapeMismatch
from simlib.tokens.accurate import ctok_counter
from simlib.tokens.counter import FRAME_TOKENS, IMAGE_TOKENS, Counter, block_text
from simlib.tokens.estimator import estimate


@pytest.mark.parametrize(
    ("block", "text"),
    [
        ({"type": "text", "text": "Hello", "cache_control": {"type": "ephemeral"}}, "Hello"),
        ({"type": "tool_result", "tool_use_id": "toolu_1", "content": "found", "is_error": True}, "found"),
        (
            {
                "type": "tool_result",
                "tool_use_id": "t",
                "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
            },
            "a b",
        ),
        ({"type": "thinking", "thinking": "hm", "signature": "long and secret"}, "hm"),
        (
            {"name": "s", "description": "Search.", "input_schema": {"type": "object"}},
            's Search. {"type": "object"}',
        ),
    ],
)
def test_what_a_model_reads_of_a_block(block, text):
    assert block_text(block) == text
    assert Counter()(block) == estimate(text) + FRAME_TOKENS


def test_a_marker_and_an_id_cost_nothing():
    plain = {"type": "tool_use", "id": "a", "name": "search", "input": {"text": "x"}}
    marked = {**plain, "id": "toolu_0123456789", "cache_control": {"type": "ephemeral"}}
    assert Counter()(plain) == Counter()(marked)


def test_a_picture_has_a_size_of_its_own():
    assert Counter()({"type": "image", "source": {"data": "x" * 10_000}}) == IMAGE_TOKENS


def test_a_recorded_run_corrects_the_guess():
    counter = Counter().calibrated([100, 200], [120, 240])
    assert counter.factor == pytest.approx(1.2)
    assert counter.calibrated([120], [60]).factor == pytest.approx(0.6)
    assert Counter().is_estimate
    assert counter.is_estimate


def test_a_tokenizer_can_be_brought():
    counter = Counter(of_text=len)
    assert (counter({"type": "text", "text": "Hello"}), counter.is_estimate) == (5 + FRAME_TOKENS, False)


@pytest.mark.parametrize(
    ("estimated", "recorded", "error"),
    [
        ([1, 2], [1], ShapeMismatch),
        ([0, 0], [1, 1], ShapeMismatch),
        ([1], [-1], OutOfRange),
        ([], [], ShapeMismatch),
    ],
)
def test_bad_input_is_named(estimated, recorded, error):
    with pytest.raises(error, match=r"estimated|recorded"):
        Counter().calibrated(estimated, recorded)


def test_without_the_package_the_accurate_counter_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ctok", None)
    with pytest.raises(BadArgument, match="pip install ctok"):
        ctok_counter("claude-4.7+")
