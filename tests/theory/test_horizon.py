"""Survival curves against scipy's Weibull distribution, horizons against what METR published."""

from datetime import date

import numpy as np
import pytest
from scipy.stats import weibull_min

from simlib.errors import OutOfRange, ShapeMismatch
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


def test_length_at_is_the_inverse():
    success = np.array([0.01, 0.5, 0.8, 0.99, 1])
    for shape in (0.6, 1, 2):
        assert survival(length_at(success, 59, shape), 59, shape) == pytest.approx(success)
    # Ord's rules of thumb for a constant hazard.
    assert 1 / length_at([0.8, 0.9, 0.99], 1) == pytest.approx([3, 7, 70], rel=0.07)


def test_published_growth():
    rates = [yearly_factor(published.days) for published in DOUBLING_TIMES]
    assert rates == pytest.approx([3.3, 3.6, 6.9, 17.2], abs=0.05)
    assert horizon([-212, 0, 424], 59, 212).tolist() == [29.5, 59, 236]
    months = DOUBLING_TIMES[0].days / (365.25 / 12)
    assert round(months) == 7  # article C's "every seven months" is the figure of 2025


def test_published_values_say_where_they_come_from():
    for published in (*DOUBLING_TIMES, *MEASURED_HORIZONS):
        assert published.source.startswith("METR")
        assert date(2025, 1, 1) < published.published < date(2027, 1, 1)
    low, high = DOUBLING_TIMES[0].interval
    assert low < DOUBLING_TIMES[0].days < high


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
    ],
)
def test_bad_input_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
