"""The growth law against step-by-step sums, sympy and the articles' arithmetic."""

import math

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from simlib.errors import NotANumber, NotWhole, OutOfRange, ShapeMismatch, TooLarge
from simlib.theory.growth import (
    contexts,
    contexts_from,
    doubling_ratio,
    linear_part,
    overtakes,
    quadratic_part,
    reread,
    reread_by_step,
    total_input,
)

counts = st.integers(0, 10**30)


def read_again_and_again(calls, first_context, growth):
    """Oracle: every call reads the context, then the step makes it longer."""
    total, context = 0, first_context
    for _ in range(calls):
        total += context
        context += growth
    return total


@given(calls=st.integers(0, 60), first_context=counts, growth=counts)
def test_closed_form_equals_the_sum_for_ints_of_any_size(calls, first_context, growth):
    total = total_input(calls, first_context, growth)
    assert total == read_again_and_again(calls, first_context, growth)
    assert total == sum(contexts(calls, first_context, growth).tolist())
    assert total == linear_part(calls, first_context) + quadratic_part(calls, growth)


def test_closed_form_is_the_sum_symbolically():
    k, calls, first_context, growth = sympy.symbols("k calls first_context growth", positive=True)
    total = sympy.summation(first_context + (k - 1) * growth, (k, 1, calls))
    ours = calls * first_context + growth * calls * (calls - 1) / 2
    assert sympy.simplify(total - ours) == 0
    for values in ((8, 8_000, 2_200), (18, 1_146, 172), (1, 5, 7)):
        assert total_input(*values) == total.subs(
            dict(zip((calls, first_context, growth), values, strict=True))
        )


@pytest.mark.parametrize(
    ("run", "total"),
    [
        ((8, 8_000, 2_200), 8 * 8_000 + 2_200 * 28),
        ((18, 1_146, 172), 18 * 1_146 + 172 * 153),
        ((11, 175, 2_475), 11 * 175 + 2_475 * 55),
        ((10, 4_000, 1_500), 107_500),
        ((1, 4_000, 1_500), 4_000),
        ((0, 4_000, 1_500), 0),
        ((16, 8_000, 2_200), 392_000),
        ((32, 8_000, 2_200), 1_347_200),
        ((64, 8_000, 2_200), 4_947_200),
    ],
)
def test_worked_runs(run, total):
    assert total_input(*run) == total


@given(first_context=counts, additions=st.lists(counts, max_size=30))
def test_uneven_additions(first_context, additions):
    before = contexts_from(first_context, additions).tolist()
    assert before == [first_context + sum(additions[:k]) for k in range(len(additions) + 1)]
    followed = [tokens * (len(additions) - at) for at, tokens in enumerate(additions)]
    assert reread_by_step(additions).tolist() == followed
    assert sum(before) == (len(additions) + 1) * first_context + sum(followed)


def test_the_search_run_of_article_c():
    before = contexts_from(157 + 18, [34, 205, 146])
    assert before.tolist() == [175, 209, 414, 560]
    assert before.sum() == 1_358


def test_the_audit_trace_is_dearest_where_it_began(audit_trace):
    carried = reread_by_step(np.diff(audit_trace))
    assert np.argmax(np.diff(audit_trace)) == 16
    assert np.argmax(carried) == 0
    assert carried[0] == 148 * 17
    assert carried.sum() + 18 * 1_146 == sum(audit_trace) == 47_150


def test_an_early_result_is_read_more_often():
    assert reread(5_000, [2, 16, 18], calls=18).tolist() == [5_000 * 16, 5_000 * 2, 0]
    with pytest.raises(OutOfRange, match=r"step.*from 1 to calls"):
        reread(5_000, 19, calls=18)
    with pytest.raises(OutOfRange, match="step is 0"):
        reread(5_000, 0, calls=18)


def test_a_grid_is_one_call():
    calls, growth = np.arange(1, 9), np.array([[0], [172], [2_200]])
    grid = total_input(calls, 8_000, growth)
    assert grid.shape == (3, 8)
    assert grid.tolist() == [[total_input(int(k), 8_000, int(g)) for k in calls] for g in growth[:, 0]]
    assert contexts(5, np.array([1, 2]), growth).shape == (3, 2, 5)
    assert contexts_from(np.array([[1], [2]]), np.ones((3, 4), int)).shape == (2, 3, 5)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64])
def test_narrow_arrays_do_not_overflow(dtype):
    run = [np.array([100], dtype=dtype)] * 3
    assert total_input(*run).tolist() == [100 * 100 + 100 * 4_950]
    assert contexts_from(100, np.full(100, 100, dtype=dtype))[-1] == 100 + 100 * 100


@given(st.lists(st.tuples(st.integers(0, 2**62), counts, counts), min_size=1, max_size=5))
def test_arrays_stay_exact_past_64_bits(runs):
    calls, first_context, growth = (list(column) for column in zip(*runs, strict=True))
    assert total_input(calls, first_context, growth).tolist() == [
        k * c + g * (k * (k - 1) // 2) for k, c, g in runs
    ]


def test_what_fits_is_int64_and_what_does_not_is_python_ints():
    edge = 2**63 - 1
    assert total_input([1, 1], [edge, 1], 0).dtype == np.int64
    assert total_input([1, 1], [edge, 1], 0).tolist() == [edge, 1]
    assert total_input([2, 1], [edge, 1], 0).tolist() == [2 * edge, 1]
    assert contexts(3, edge, 1).tolist() == [edge, edge + 1, edge + 2]
    assert reread([edge], 1, 3).tolist() == [2 * edge]


@given(tokens=counts, step=st.integers(1, 2**70), more=st.integers(0, 2**70))
def test_reread_is_exact_for_numbers_and_arrays(tokens, step, more):
    exact = tokens * more
    assert reread(tokens, step, step + more) == exact
    assert reread([tokens], step, [step + more]).tolist() == [exact]
    assert reread([tokens, 1], [1, 2], 2**70).tolist() == [tokens * (2**70 - 1), 2**70 - 2]


def test_averages_may_be_fractions():
    assert total_input(11, 175, 2475.2) == pytest.approx(11 * 175 + 2475.2 * 55)
    assert total_input([11.0], 175.0, 2475.2)[0] == total_input(11, 175, 2475.2)


@given(first_context=st.integers(0, 10**12), growth=st.integers(1, 10**12))
def test_overtakes_is_the_first_such_call(first_context, growth):
    calls = overtakes(first_context, growth)
    assert quadratic_part(calls, growth) > linear_part(calls, first_context)
    assert quadratic_part(calls - 1, growth) <= linear_part(calls - 1, first_context)


def test_overtakes_for_the_articles_and_without_growth():
    assert overtakes([8_000, 1_146, 175], [2_200, 172, 2_475]).tolist() == [9, 15, 2]
    assert overtakes(8_000, 0) == math.inf
    assert overtakes(0.5, 0.25) == 6
    assert overtakes(0.3, 0.1) == 8  # at 7 calls both parts are equal
    assert overtakes([10**17 + 1], [2]).tolist() == [10**17 + 3]


def test_doubling_is_not_quadrupling():
    assert [round(doubling_ratio(k, 8_000, 2_200), 2) for k in (8, 16, 32)] == [3.12, 3.44, 3.67]
    assert doubling_ratio(5, 8_000, 0) == 2
    assert doubling_ratio(10**9, 8_000, 2_200) == pytest.approx(4)
    assert doubling_ratio([8, 16], 8_000, 2_200).dtype == np.float64
    for calls in (10**30, [10**30], [2**62], 10**200):
        assert doubling_ratio(calls, 1, 1) == pytest.approx(4)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: total_input(8.5, 8_000, 2_200), NotWhole, r"calls is 8\.5"),
        (
            lambda: total_input(-1, 8_000, 2_200),
            OutOfRange,
            "calls is -1; allowed: finite whole numbers from 0",
        ),
        (lambda: total_input(8, -1, 2_200), OutOfRange, "first_context is -1; allowed: finite tokens from 0"),
        (lambda: total_input(8, 8_000, math.nan), NotANumber, "growth is nan"),
        (lambda: total_input(8, math.inf, 1), OutOfRange, "first_context is inf"),
        (lambda: total_input([1, 2], [1, 2, 3], 1), ShapeMismatch, "calls and first_context"),
        (lambda: contexts([1, 2], 1, 1), ShapeMismatch, "calls"),
        (lambda: total_input(8, 1e308, 1e308), TooLarge, "the total input is inf"),
        (lambda: total_input([8], 1e308, 1e308), TooLarge, "the total input is inf"),
        (lambda: total_input(10**200, 1.5, 1), TooLarge, "beside fractions"),
        (lambda: contexts(3, 10**400, 0.5), TooLarge, "beside fractions"),
        (lambda: contexts_from(10**400, [0.5]), TooLarge, "beside fractions"),
        (lambda: reread(0.5, 1, 10**400), TooLarge, "beside fractions"),
        (lambda: doubling_ratio(8, 1e308, 1e308), TooLarge, "the total input is inf"),
        (lambda: overtakes([10**400, 1], [1, 0]), TooLarge, "beside infinity"),
        (lambda: contexts(4, [1, 2], [1, 2, 3]), ShapeMismatch, "first_context and growth"),
        (
            lambda: contexts(2**63, 5, 2),
            TooLarge,
            "calls is 9223372036854775808; allowed: whole numbers from 0",
        ),
        (lambda: contexts_from(1, [[1], [1, 2]]), NotANumber, r"additions\[0\]"),
        (lambda: reread_by_step([1, -5]), OutOfRange, r"additions\[1\] is -5"),
        (lambda: contexts_from(1, 5), ShapeMismatch, "additions"),
        (lambda: contexts_from([1, 2], np.ones((3, 4))), ShapeMismatch, "first_context and additions"),
        (lambda: reread_by_step(5), ShapeMismatch, "additions"),
        (lambda: doubling_ratio(0, 1, 1), OutOfRange, "calls"),
        (lambda: doubling_ratio(1, 0, 1), OutOfRange, "first_context is 0; allowed: finite tokens above 0"),
        (lambda: overtakes([1, 2], [1, 2, 3]), ShapeMismatch, "growth"),
    ],
)
def test_bad_input_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
