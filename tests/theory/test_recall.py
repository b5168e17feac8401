"""Recall by place against the published table, and the illustration against its own description."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlib.errors import NotANumber, NotWhole, OutOfRange, ShapeMismatch, UnknownName
from simlib.theory.recall import MEASURED_RECALL, context_rot, is_published, recall_at

TABLE = """
GPT-3.5-Turbo     75.8 57.2 53.8 55.4 63.2
Claude-1.3        59.9 55.9 56.8 57.2 60.1
LongChat-13B-16K  68.6 57.4 55.3 52.5 55.0
MPT-30B           53.7 51.8 52.2 52.7 56.3
"""  # per cent, with the answer in document 0, 4, 9, 14 or 19 of 20, counted from 0
ROWS = {row.split()[0]: [float(share) for share in row.split()[1:]] for row in TABLE.strip().splitlines()}
MODELS = pytest.mark.parametrize("model", ROWS)


@MODELS
def test_the_published_table_comes_out(model):
    places = np.array([0, 4, 9, 14, 19]) + 1
    assert 100 * recall_at(places, model=model) == pytest.approx(ROWS[model])
    assert is_published(places, model=model).all()


@MODELS
def test_halfway_between_two_places_is_their_mean(model):
    published = ROWS[model]
    for left, right, a, b in ((1, 5, 0, 1), (5, 10, 1, 2), (15, 20, 3, 4)):
        between = recall_at((left + right) / 2, model=model)
        assert 100 * between == pytest.approx((published[a] + published[b]) / 2)
        assert is_published((left + right) / 2, model=model) is False


def test_fifteen_of_twenty_places_are_interpolated():
    assert is_published(np.arange(1, 21)).sum() == 5
    assert not is_published(np.arange(1, 31), documents=30).any()


@MODELS
def test_another_number_of_documents_keeps_the_ends(model):
    for documents in (2, 7, 30):
        both = recall_at([1, documents], documents, model)
        assert 100 * both == pytest.approx([ROWS[model][0], ROWS[model][-1]])
    assert recall_at(20, documents=39, model=model) == pytest.approx(recall_at(10.5, model=model))


def test_only_claude_is_nearly_flat_among_the_chat_models():
    spans = {row.model: max(row.shares) - min(row.shares) for row in MEASURED_RECALL}
    assert spans["Claude-1.3"] == pytest.approx(0.042)
    assert spans["GPT-3.5-Turbo"] == pytest.approx(0.22)


@given(st.integers(1, 10**7), st.floats(0, 0.2))
def test_a_doubling_costs_the_same_everywhere(tokens, lost):
    once, twice = (context_rot(n, lost_per_doubling=lost, short_tokens=1) for n in (tokens, 2 * tokens))
    assert twice == 0 or once - twice == pytest.approx(lost)


def test_ten_doublings_one_by_one():
    share = 0.95
    for _ in range(10):
        share -= 0.035
    assert context_rot(300 * 1_024) == pytest.approx(share)
    assert context_rot(300) - context_rot(113_000) == pytest.approx(0.30, abs=0.005)


def test_the_illustration_stays_a_share():
    assert context_rot([0, 1, 300], short_share=0.9).tolist() == [0.9] * 3
    assert context_rot(10**12, lost_per_doubling=0.5) == 0
    assert context_rot(np.ones((3, 1)), lost_per_doubling=[0, 1]).shape == (3, 2)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: recall_at(0), OutOfRange, "position is 0"),
        (lambda: recall_at(21), OutOfRange, "position is 21"),
        (lambda: recall_at(1, documents=1), OutOfRange, "documents is 1"),
        (lambda: recall_at(1, documents=2.5), NotWhole, "documents is 2.5"),
        (lambda: recall_at([1, 2], [20, 30, 40]), ShapeMismatch, "position and documents"),
        (lambda: recall_at(1, model="Claude"), UnknownName, "nearest: Claude-1.3"),
        (lambda: is_published(None), NotANumber, "position is None"),
        (lambda: context_rot(-1), OutOfRange, "tokens is -1"),
        (lambda: context_rot(1, short_share=1.1), OutOfRange, "short_share is 1.1"),
        (lambda: context_rot(1, short_tokens=0), OutOfRange, "short_tokens is 0"),
    ],
)
def test_bad_input_is_named(call, error, words):
    with pytest.raises(error, match=words):
        call()
