"""Where two requests differ: found wherever it is, named by its place, shown where the texts part."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlib.models.difference import AROUND, Difference, differences

leaves = st.none() | st.booleans() | st.integers(-2, 2) | st.text("ab", max_size=3)
pieces = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner),
    max_leaves=8,
)


def found(recorded, sent):
    return list(differences(1, "root", recorded, sent))


def at(piece, place):
    """What stands at a place such as root.x[0]; "nothing" where nothing does."""
    for name, number in re.findall(r"\.(\w+)|\[(\d+)\]", place):
        try:
            piece = piece[name or int(number)]
        except (KeyError, IndexError):
            return "nothing"
    return piece


@given(recorded=pieces, sent=pieces)
def test_two_pieces_differ_as_their_json_does_and_each_place_holds_two_things(recorded, sent):
    """The text of JSON is the oracle: it tells True from 1, and an empty list from nothing."""
    listed = found(recorded, sent)
    assert bool(listed) == (json.dumps(recorded, sort_keys=True) != json.dumps(sent, sort_keys=True))
    assert len({each.place for each in listed}) == len(listed)
    for each in listed:
        was, now = at(recorded, each.place), at(sent, each.place)
        assert type(was) is not type(now) or was != now
        assert (each.recorded == "nothing") == (was == "nothing")


@pytest.mark.parametrize(
    ("recorded", "sent", "words"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, "root.b is 2, the recording has nothing"),
        ({"a": 1, "b": None}, {"a": 1}, "root.b is nothing, the recording has None"),
        ([1, 2], [1], "root[1] is nothing, the recording has 2"),
        ({"strict": True}, {"strict": 1}, "root.strict is 1, the recording has True"),
        ([{"text": "one"}], [{"text": "One"}], "root[0].text is 'One', the recording has 'one'"),
        ("", "x", "root is 'x', the recording has ''"),
        ([], {}, "root is {}, the recording has []"),
    ],
)
def test_the_place_and_both_things_are_named(recorded, sent, words):
    assert [str(each) for each in found(recorded, sent)] == [f"call 1: {words}"]


@given(before=st.text("ab ", max_size=200), after=st.text("cd ", max_size=200))
def test_of_long_texts_the_place_where_they_part_is_shown(before, after):
    (difference,) = found(f"{before}x{after}", f"{before}y{after}")
    for shown, letter in ((difference.recorded, "x"), (difference.sent, "y")):
        part = shown.strip("…")[1:-1]
        assert letter in part
        assert part in f"{before}{letter}{after}"
        assert len(part) <= 2 * AROUND
        assert shown.startswith("…") == (not f"{before}{letter}{after}".startswith(part))


def test_what_is_large_and_missing_is_cut():
    (difference,) = found([], ["word " * 500])
    assert len(difference.sent) == 2 * AROUND + 1
    assert difference.sent.endswith("…")


def test_the_first_one_comes_first_and_the_call_is_named():
    listed = list(differences(7, "", {"b": 1, "a": [1, 2]}, {"b": 2, "a": [0, 0]}))
    assert [each.place for each in listed] == ["a[0]", "a[1]", "b"]
    assert {each.call for each in listed} == {7}
    assert Difference(*listed[0]) == listed[0]
