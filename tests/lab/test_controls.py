import pytest

from simlib.errors import BadArgument, NotWhole, OutOfRange, UnknownName
from simlib.lab.controls import Choice, Slider, check_controls, values_of

CALLS = Slider("calls", "model calls", 1, 64, 8)
SHARE = Slider("share", "a share", 0.0, 1.0, 0.9, step=0.05)
PAID = Choice("paid", "paid for", {"all": 1, "one": 2}, 1)


def test_whole_sliders_give_whole_numbers():
    assert values_of((CALLS,), {"calls": 8.0}) == {"calls": 8}
    with pytest.raises(NotWhole, match="calls"):
        values_of((CALLS,), {"calls": 8.5})


def test_dust_of_binary_fractions_is_wiped_off():
    assert SHARE.checked(0.1 + 0.2) == 0.3
    assert SHARE.corners == (0.0, 0.5, 1.0)


def test_corners_lie_on_the_steps():
    assert CALLS.corners == (1, 33, 64)
    assert Slider("tokens", "tokens", 0, 20_000, 0, step=500).corners == (0, 10_000, 20_000)


@pytest.mark.parametrize("value", [0, 65, float("nan"), "many", None])
def test_what_a_slider_cannot_take_is_named(value):
    with pytest.raises(BadArgument, match="calls"):
        CALLS.checked(value)


def test_options_are_what_there_is():
    assert values_of((PAID,), {"paid": 2}) == {"paid": 2}
    for wrong in (3, "1", None, "all"):
        with pytest.raises(UnknownName, match=r"paid is .*; allowed: one of 1, 2"):
            PAID.checked(wrong)


@pytest.mark.parametrize(
    "controls",
    [
        tuple(Slider(name, name, 0, 1, 0) for name in "abcd"),
        (PAID, Choice("other", "other", {"x": 1}, 1)),
        (CALLS, CALLS),
        (Slider("calls", "calls", 1, 64, 0),),
    ],
    ids=["four sliders", "two choices", "a name twice", "a default outside"],
)
def test_panels_stay_small(controls):
    with pytest.raises(BadArgument):
        check_controls(controls)


def test_a_default_outside_is_out_of_range():
    with pytest.raises(OutOfRange):
        check_controls((Slider("calls", "calls", 1, 64, 65),))
