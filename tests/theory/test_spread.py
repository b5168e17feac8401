"""Random additions: the exact moments by enumeration, the simulation within its standard errors."""

import itertools
import math

import numpy as np
import pytest

from simlib.errors import NotAGenerator, OutOfRange, ShapeMismatch, TooLarge
from simlib.theory.growth import total_input
from simlib.theory.spread import draw_additions, total_band, total_spread

RUN = {"calls": 8, "first_context": 8_000, "growth": 2_200, "spread": 1_500}


def test_moments_equal_every_outcome_counted():
    """Oracle: additions of 700 or 3,700, each half the time, over all 128 runs of 8 calls."""
    totals = [
        sum(8_000 + sum(additions[:k]) for k in range(8))
        for additions in itertools.product((700, 3_700), repeat=7)
    ]
    expected = total_spread(**RUN)
    assert expected.mean == np.mean(totals)
    assert expected.deviation == pytest.approx(np.std(totals))


def test_moments_broadcast_and_have_right_ends():
    spread = total_spread([0, 1, 2], 8_000, 2_200, [[0], [100]])
    assert spread.mean.tolist() == [[0, 8_000, 18_200]] * 2
    assert spread.deviation.tolist() == [[0, 0, 0], [0, 0, 100]]


def test_moments_name_what_is_wrong():
    with pytest.raises(OutOfRange, match="spread is -1"):
        total_spread(8, 8_000, 2_200, -1)
    with pytest.raises(ShapeMismatch, match="calls and spread"):
        total_spread([1, 2], 8_000, 2_200, [1, 2, 3])


def test_drawn_additions_have_the_wanted_moments(rng):
    drawn = draw_additions(5, 2_200, 1_500, runs=200_000, rng=rng)
    assert drawn.shape == (200_000, 5)
    assert drawn.min() >= 0
    n = drawn.size
    # Four standard errors; the fourth moment of a gamma variable has excess kurtosis 6 / shape.
    kurtosis = 3 + 6 * (1_500 / 2_200) ** 2
    assert abs(drawn.mean() - 2_200) < 4 * 1_500 / math.sqrt(n)
    assert abs(drawn.var() - 1_500**2) < 4 * 1_500**2 * math.sqrt((kurtosis - 1) / n)


def test_the_band_agrees_with_the_exact_moments(rng):
    band = total_band(**RUN, runs=20_000, rng=rng)
    exact = [total_spread(k, 8_000, 2_200, 1_500) for k in range(1, 9)]
    for k, (mean, deviation) in enumerate(exact):
        assert abs(band.mean[k] - mean) <= 4 * deviation / math.sqrt(20_000)
        # 4 errors of a deviation; a sum of gamma variables has at most the kurtosis of one of them.
        kurtosis = 3 + 6 * (1_500 / 2_200) ** 2
        own_error = math.sqrt((kurtosis - 1) / (4 * 20_000))
        assert band.standard_error[k] == pytest.approx(deviation / math.sqrt(20_000), rel=4 * own_error)
        assert band.low[k] <= band.mean[k] <= band.high[k]
    fresh = total_band(**RUN, runs=20_000, rng=rng, share=0.5)
    assert band.low[-1] < fresh.low[-1] < fresh.high[-1] < band.high[-1]


def test_the_band_holds_the_wanted_share(rng):
    band = total_band(**RUN, runs=20_000, rng=rng, share=0.8)
    totals = np.cumsum(
        8_000 + np.cumsum(draw_additions(7, 2_200, 1_500, runs=20_000, rng=rng), axis=1), axis=1
    )
    last = totals[:, -1] + 8_000
    inside = np.mean((band.low[-1] <= last) & (last <= band.high[-1]))
    # Both the band's ends and the share in it are estimates: twice the variance of a share, 4 errors.
    assert abs(inside - 0.8) < 4 * math.sqrt(2 * 0.8 * 0.2 / 20_000)


def test_without_spread_the_band_is_the_law(rng):
    band = total_band(8, 8_000, 2_200, 0, runs=2, rng=rng)
    law = [total_input(k, 8_000, 2_200) for k in range(1, 9)]
    assert band.low.tolist() == band.mean.tolist() == band.high.tolist() == law
    assert not band.standard_error.any()


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"spread": -1}, OutOfRange, "spread is -1"),
        ({"growth": 0}, OutOfRange, "spread is 1500; allowed: .*0 where that is 0"),
        ({"growth": 1e-320}, OutOfRange, "spread is 1500"),
        ({"first_context": [1, 2]}, ShapeMismatch, "first_context"),
        ({"calls": 10**30}, TooLarge, "calls"),
        ({"calls": 10**5, "runs": 10**5}, TooLarge, "runs times steps"),
        ({"runs": 1}, OutOfRange, "runs is 1"),
        ({"share": 1.1}, OutOfRange, r"share is 1\.1"),
        ({"calls": 0}, OutOfRange, "calls is 0"),
        ({"growth": [1, 2]}, ShapeMismatch, "growth"),
        ({"rng": 7}, NotAGenerator, "rng is 7"),
    ],
)
def test_bad_input_is_named(change, error, message, rng):
    with pytest.raises(error, match=message):
        total_band(**RUN | {"runs": 10, "rng": rng} | change)
