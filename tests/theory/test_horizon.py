"""Survival curves against scipy's Weibull distribution, horizons against what METR published."""

import numpy as np
import pytest
from scipy.stats import weibull_min

from simlib.errors import OutOfRange, ShapeMismatch, TooLarge
from simlib.theory.horizon import (
    DOUBLING_TIMES,
    MEASURED_HORIZONS,
    horizon,
    length_at,
    survival,
    yearly_factor,
)
from simlib.theory.reliability import half_life, task_success


def test_shape_one_is_the_task_law():
    q, steps = 0.98829, np.arange(200)
    assert survival(steps, half_life(q)) == pytest.approx(task_success(q, steps))


@pytest.mark.parametrize("shape", [0.6, 1, 2])
def test_equals_scipys_weibull(shape):
    length = np.linspace(0, 300, 50)
    theirs = weibull_min.sf(length, shape, scale=59 / np.log(2) ** (1 / shape))
    assert survival(length, 59, shape) == pytest.approx(theirs)
    assert survival(59, 59, shape) == 0.5
    assert survival(0, 59, shape) == 1
    assert survival(1e200, 1, shape) == 0


def test_length_at_is_the_inverse():
    success = np.array([0.01, 0.5, 0.8, 0.99, 1])
    for shape in (0.6, 1, 2):
        assert survival(length_at(success, 59, shape), 59, shape) == pytest.approx(success)
    # Ord's rules of thumb for a constant hazard.
    assert 1 / length_at([0.8, 0.9, 0.99], 1) == pytest.approx([3, 7, 70], rel=0.07)


def test_published_growth():
    """What three of the published times mean a year, as METR's readers say it: 3, 7 and 17 times."""
    rates = {published.days: yearly_factor(published.days) for published in DOUBLING_TIMES}
    assert [round(rates[days]) for days in (212, 131, 89)] == [3, 7, 17]
    assert horizon([-212, 0, 424], 59, 212).tolist() == [29.5, 59, 236]
    months = DOUBLING_TIMES[0].days / (365.25 / 12)
    assert round(months) == 7  # article C's "every seven months" is the figure of 2025


def test_published_values_are_as_published():
    """A copy of the reports' figures: a slip of a digit here or there shows."""
    assert {(row.days, row.interval, row.published) for row in DOUBLING_TIMES} == {
        (212, (171, 249), "2025-03"),
        *((days, None, "2026-01-29") for days in (196, 165, 131, 109, 89)),
    }
    assert {(row.model, row.minutes, row.success) for row in MEASURED_HORIZONS} == {
        ("Claude 3.7 Sonnet", 59, 0.5),
        ("Claude 3.7 Sonnet", 15, 0.8),
        ("o3", 121, 0.5),
        ("GPT-5", 214, 0.5),
        ("Claude Opus 4.5", 320, 0.5),
        ("Claude Opus 4.6", 870, 0.5),
    }
    assert all(row.source.startswith("METR") for row in (*DOUBLING_TIMES, *MEASURED_HORIZONS))


def test_whole_numbers_of_any_kind_are_lengths():
    objects = np.array([59, 118], dtype=object)
    assert survival(objects, 59).tolist() == [0.5, 0.25]
    assert horizon(objects, 59, 59).tolist() == [118, 236]


def test_the_measured_80_percent_horizon_is_shorter_than_a_constant_hazard_says():
    half, four_fifths = (measured.minutes for measured in MEASURED_HORIZONS[:2])
    assert four_fifths < length_at(0.8, half)
    assert length_at(0.8, half, shape=0.6) < four_fifths


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: survival(-1, 59), OutOfRange, "length is -1"),
        (lambda: survival(1, 0), OutOfRange, "half_life is 0"),
        (lambda: survival(1, 59, 0), OutOfRange, "shape is 0"),
        (lambda: length_at(0, 59), OutOfRange, "success is 0"),
        (lambda: horizon(1, 59, 0), OutOfRange, "doubling_days is 0"),
        (lambda: survival([1, 2], [1, 2, 3]), ShapeMismatch, "length and half_life"),
        (lambda: horizon(10**7, 59, 1), TooLarge, "the horizon is inf"),
        (lambda: length_at(0.01, 59, 0.001), TooLarge, "the length is inf"),
    ],
)
def test_bad_input_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
