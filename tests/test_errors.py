"""Every check names the argument, shows the value and says what is allowed."""

import math
import pickle

import numpy as np
import pytest

from simlib.errors import (
    BadArgument,
    NotAGenerator,
    NotANumber,
    NotWhole,
    OutOfRange,
    ShapeMismatch,
    SimlibError,
    TooLarge,
    UnknownName,
    axis_length,
    broadcast_shape,
    floats,
    generator,
    known,
    probability,
    real,
    single,
    whole,
)


@pytest.mark.parametrize(
    "value", [None, "12", True, np.bool_(True), [True, False], 1j, [None, 2], [[1], [1, 2]]]
)
def test_what_is_no_number(value):
    with pytest.raises(NotANumber, match=r"^growth"):
        real("growth", value)


@pytest.mark.parametrize("value", [math.nan, [1, math.nan], np.array([[math.nan]]), np.float32("nan")])
def test_nan_is_no_number_even_where_anything_goes(value):
    with pytest.raises(NotANumber, match="nan"):
        real("growth", value, infinite=True)


@pytest.mark.parametrize("value", [math.inf, [0, math.inf]])
def test_infinity_passes_only_where_it_makes_sense(value):
    with pytest.raises(OutOfRange, match="finite"):
        real("growth", value)
    assert np.array_equal(real("growth", value, infinite=True), value)
    with pytest.raises(OutOfRange, match="-inf"):
        real("growth", -math.inf, infinite=True)


def test_both_ends_of_a_range():
    assert real("x", [0, 1], low=0, high=1).tolist() == [0, 1]
    assert real("x", 1e-300, above=0) == 1e-300
    for outside in (-1e-300, 1 + 1e-15):
        with pytest.raises(OutOfRange, match="from 0 to 1"):
            real("x", outside, low=0, high=1)
    with pytest.raises(OutOfRange, match="above 0"):
        real("x", 0, above=0)


@pytest.mark.parametrize("value", [[True, 0.5], (1, True), [[1, 2], [3, False]]])
def test_a_truth_value_among_numbers_is_found(value):
    with pytest.raises(NotANumber, match=r"growth\[.*\] is (True|False)"):
        real("growth", value)


def test_masked_numbers_are_refused():
    with pytest.raises(NotANumber, match="none of them masked"):
        real("growth", np.ma.MaskedArray([8, 99], mask=[False, True]))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.longdouble])
def test_any_floats_will_do(dtype):
    assert real("x", dtype(0.5)) == 0.5
    assert real("x", np.array([0.5], dtype=dtype)).dtype == np.float64


def test_lengths_of_arrays_have_to_fit_into_memory():
    assert axis_length("calls", 8.0) == 8
    with pytest.raises(TooLarge, match="calls is 100000001; allowed: whole numbers from 0 to 100000000"):
        axis_length("calls", 10**8 + 1)
    with pytest.raises(TooLarge, match="a number too long to print"):
        floats("steps", 10**5_000)


def test_the_message_points_at_the_first_culprit():
    with pytest.raises(OutOfRange) as caught:
        probability("p_success", [[0.5, 0.9], [1.5, -1]])
    assert str(caught.value) == "p_success[1, 0] is 1.5; allowed: probabilities from 0 to 1"
    assert (caught.value.argument, caught.value.value) == ("p_success[1, 0]", 1.5)


def test_a_long_value_is_cut_in_the_message():
    with pytest.raises(NotANumber) as caught:
        real("growth", "x" * 1_000)
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize(
    ("value", "kind"),
    [(8, int), (np.int8(8), int), (np.array(8), int), (8.5, float), (np.float32(8.5), float)],
)
def test_a_single_number_becomes_a_python_number(value, kind):
    assert type(real("x", value)) is kind


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.uint64])
def test_small_integers_are_widened_so_that_sums_of_them_cannot_overflow(dtype):
    assert real("x", np.array([100], dtype=dtype)).dtype == np.int64


def test_integers_past_64_bits_stay_exact():
    assert real("x", 10**30) == 10**30
    assert real("x", np.array([1, np.int64(2)], dtype=object)).dtype == np.int64
    for values in ([10**30, 1], [2**63, 1], (2**63 + 1, 5), np.array([2**64 - 1], dtype=np.uint64)):
        assert real("x", values).tolist() == list(values)
    with pytest.raises(TooLarge, match=r"x\[1\] is 1000.*a float can hold"):
        real("x", [0.5, 10**400])


def test_whole_numbers():
    assert whole("calls", 8.0) == 8
    assert type(whole("calls", 8.0)) is int
    assert whole("calls", [8.0, 9.0]).dtype == np.int64
    assert [type(number) for number in whole("calls", [2.0**80, 1.0])] == [int, int]
    assert whole("retries", math.inf, infinite=True) == math.inf
    assert whole("retries", [1, math.inf], infinite=True).tolist() == [1, math.inf]
    assert whole("calls", []).size == whole("calls", np.array([])).size == 0
    for fraction in (8.5, [8.0, 8.5]):
        with pytest.raises(NotWhole, match=r"8\.5; allowed: finite whole numbers from 0"):
            whole("calls", fraction)
    with pytest.raises(NotWhole, match=r"retries\[1\] is 0.5"):
        whole("retries", [math.inf, 0.5], infinite=True)
    with pytest.raises(OutOfRange, match="from 1"):
        whole("calls", 0, low=1)


def test_shapes():
    assert broadcast_shape(a=1, b=np.ones((2, 1)), c=np.ones(3)) == (2, 3)
    with pytest.raises(ShapeMismatch, match=r"a and b of shape \(\(2,\), \(3,\)\)"):
        broadcast_shape(a=np.ones(2), b=np.ones(3), c=1)
    with pytest.raises(ShapeMismatch, match="one number"):
        single("calls", np.ones(2))


@pytest.mark.parametrize("value", [None, 7, np.random, np.random.RandomState(7)])
def test_randomness_is_passed_in(value):
    with pytest.raises(NotAGenerator, match="default_rng"):
        generator("rng", value)


def test_an_unknown_name_is_told_its_neighbours():
    with pytest.raises(UnknownName, match=r"C\.raito.*nearest: C\.ratio"):
        known("fact", "C.raito", ["A.limits", "C.ratio"])


KINDS = [BadArgument, NotANumber, NotWhole, OutOfRange, ShapeMismatch, TooLarge, NotAGenerator, UnknownName]


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_survives_the_way_out_of_a_process(kind):
    error = kind("growth", -1, "numbers from 0")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind
    assert str(copy) == str(error)
    assert isinstance(copy, SimlibError)
    assert isinstance(copy, ValueError)
