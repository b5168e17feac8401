"""The fitted staircase against scipy's least squares, a covariance matrix, and runs whose law is known."""

import math

import numpy as np
import pytest
from scipy.stats import linregress

from simlib.errors import NotANumber, OutOfRange, ShapeMismatch
from simlib.theory.fit import fit_growth
from simlib.theory.growth import contexts, contexts_from, total_input
from simlib.theory.spread import draw_additions


def test_the_line_is_scipys(audit_trace):
    fit = fit_growth(audit_trace)
    theirs = linregress(np.arange(18), audit_trace)
    assert fit.growth == pytest.approx(theirs.slope)
    assert fit.first_context == pytest.approx(theirs.intercept)


def test_the_errors_are_those_of_correlated_contexts(audit_trace):
    """Oracle: contexts j and k share min(j, k) additions, hence their covariance; least squares by matrix."""
    n, fit = 18, fit_growth(audit_trace)
    design = np.column_stack([np.ones(n), np.arange(n)])
    weights = np.linalg.solve(design.T @ design, design.T)
    shared = np.minimum.outer(np.arange(n), np.arange(n))
    errors = np.sqrt(np.diag(weights @ shared @ weights.T)) * np.std(np.diff(audit_trace), ddof=1)
    assert (fit.first_context_error, fit.growth_error) == pytest.approx(tuple(errors))
    assert (
        fit.growth_error > 4 * linregress(np.arange(n), audit_trace).stderr
    )  # the textbook's would be far too small


@pytest.mark.parametrize("calls", [8, 20, 200])
def test_estimates_scatter_as_the_errors_say(calls, rng):
    """4,000 runs of random additions: means within 4 standard errors, errors right on average."""
    runs = 4_000
    fit = fit_growth(contexts_from(8_000, draw_additions(calls - 1, 2_200, 1_000, runs=runs, rng=rng)))
    for estimates, errors, truth in (
        (fit.growth, fit.growth_error, 2_200),
        (fit.first_context, fit.first_context_error, 8_000),
    ):
        assert abs(estimates.mean() - truth) < 4 * estimates.std() / math.sqrt(runs)
        # 4 errors of the deviation over runs, and of the mean square over their additions (gamma's kurtosis).
        of_runs, of_additions = 2 / (4 * runs), (2 + 6 * (1_000 / 2_200) ** 2) / (4 * runs * (calls - 1))
        typical = np.sqrt(np.mean(errors**2))
        assert typical == pytest.approx(estimates.std(), rel=4 * math.sqrt(of_runs + of_additions))


def test_the_fitted_total_is_the_recorded_one_whatever_the_run(audit_trace):
    fit = fit_growth(audit_trace)
    assert total_input(18, fit.first_context, fit.growth) == pytest.approx(sum(audit_trace))
    assert fit.residual > 250  # and yet the last context is far off the line


def test_a_lawful_run_is_found_again_without_error():
    fit = fit_growth(contexts(8, np.array([8_000, 1_146]), np.array([2_200, 172])))
    assert fit.first_context == pytest.approx([8_000, 1_146])
    assert fit.growth == pytest.approx([2_200, 172])
    assert fit.growth_error.tolist() == fit.first_context_error.tolist() == [0, 0]


@pytest.mark.parametrize("contexts", [5, [], [1, 2], np.ones((4, 2))])
def test_too_few_calls(contexts):
    with pytest.raises(ShapeMismatch, match="at least 3 calls"):
        fit_growth(contexts)


def test_bad_input_is_named():
    with pytest.raises(NotANumber, match=r"contexts\[1\] is nan"):
        fit_growth([1, np.nan, 3])
    for huge in (10**400, 1e200):
        with pytest.raises(OutOfRange, match=r"contexts\[0\]"):
            fit_growth([huge, 1, 2])


@pytest.mark.parametrize("calls", [3, 8, 200])
def test_the_mean_addition_is_a_little_sharper(calls, rng):
    """As the docstring says, 6/5 in long runs: exactly, by the errors, and in 20,000 simulated runs."""
    additions = draw_additions(calls - 1, 2_200, 1_000, runs=20_000, rng=rng)
    fit = fit_growth(contexts_from(8_000, additions))
    of_the_mean = additions.std(axis=1, ddof=1) / math.sqrt(calls - 1)
    exact = 6 / 5 * (calls**2 + 1) / (calls * (calls + 1))
    assert (fit.growth_error / of_the_mean) ** 2 == pytest.approx(exact)
    # 4 errors of a ratio of variances whose estimates are correlated by 1 / sqrt(exact), near enough normal.
    ratio = np.var(fit.growth) / np.var(additions.mean(axis=1))
    assert ratio == pytest.approx(exact, rel=8 * math.sqrt((1 - 1 / exact) / 20_000) + 1e-9)
