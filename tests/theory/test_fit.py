"""The fitted staircase against scipy's least squares, and against runs whose law is known."""

import numpy as np
import pytest
from scipy.stats import linregress

from simlib.errors import NotANumber, ShapeMismatch
from simlib.theory.fit import fit_growth
from simlib.theory.growth import contexts, contexts_from, total_input
from simlib.theory.spread import draw_additions

AUDIT = [
    1146,
    1294,
    1445,
    1599,
    1757,
    1918,
    2082,
    2250,
    2421,
    2595,
    2772,
    2953,
    3137,
    3324,
    3515,
    3709,
    3906,
    5327,
]


def test_equals_scipy():
    fit = fit_growth(AUDIT)
    theirs = linregress(np.arange(18), AUDIT)
    assert fit.growth == pytest.approx(theirs.slope)
    assert fit.first_context == pytest.approx(theirs.intercept)
    assert fit.growth_error == pytest.approx(theirs.stderr)
    assert fit.first_context_error == pytest.approx(theirs.intercept_stderr)


def test_the_fitted_total_is_the_recorded_one_whatever_the_run():
    fit = fit_growth(AUDIT)
    assert total_input(18, fit.first_context, fit.growth) == pytest.approx(sum(AUDIT))
    assert fit.residual > 250  # and yet the last context is far off the line


def test_a_lawful_run_is_found_again_without_error():
    fit = fit_growth(contexts(8, np.array([8_000, 1_146]), np.array([2_200, 172])))
    assert fit.first_context == pytest.approx([8_000, 1_146])
    assert fit.growth == pytest.approx([2_200, 172])
    assert fit.growth_error == pytest.approx([0, 0], abs=1e-9)


def test_errors_say_how_far_estimates_scatter(rng):
    """Independent noise around the line: the truth lies within 2 standard errors in about 95 % of fits."""
    runs = contexts(30, 8_000, 2_200) + rng.normal(0, 500, size=(4_000, 30))
    fit = fit_growth(runs)
    for estimate, error, truth in (
        (fit.growth, fit.growth_error, 2_200),
        (fit.first_context, fit.first_context_error, 8_000),
    ):
        covered = np.mean(np.abs(estimate - truth) < 2.048 * error)  # t of 28 degrees of freedom, 95 %
        assert abs(covered - 0.95) < 4 * np.sqrt(0.95 * 0.05 / 4_000)
    assert fit.residual.mean() == pytest.approx(500, rel=0.02)


def test_a_run_with_random_additions_is_fitted(rng):
    fit = fit_growth(contexts_from(8_000, draw_additions(200, 2_200, 300, runs=1, rng=rng)))
    assert fit.growth[0] == pytest.approx(2_200, rel=0.05)


@pytest.mark.parametrize("contexts", [5, [], [1, 2], np.ones((4, 2))])
def test_too_few_calls(contexts):
    with pytest.raises(ShapeMismatch, match="at least 3 calls"):
        fit_growth(contexts)


def test_bad_input_is_named():
    with pytest.raises(NotANumber, match=r"contexts\[1\] is nan"):
        fit_growth([1, np.nan, 3])
