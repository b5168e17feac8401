"""Where a request's prompt may be cached. The refusals are among the worked sequences of the cache's
tests.
"""

import pickle

import pytest

from simlib.errors import ApiError
from simlib.prompt.blocks import Block
from simlib.prompt.prompt import Prompt, layout
from simlib.prompt.request import Request, breakpoints

SIX = [("messages", f"b{number}", 300, "text") for number in range(6)]


def places(prompt, automatic=None):
    marked = breakpoints(Request("toy-1", prompt, automatic=automatic))
    return [(marker.prefix.length, marker.lifetime) for marker in marked]


def test_an_automatic_marker_takes_the_last_block():
    assert places(layout(SIX, {0: "1h"}), "5m") == [(1, "1h"), (6, "5m")]
    assert places(layout(SIX, {0: "1h", 1: "1h", 2: "1h"}), "1h")[-1] == (6, "1h")


def test_an_automatic_marker_that_stands_there_already_takes_no_slot():
    markers = {at: "5m" for at in (1, 2, 3, 5)}
    assert places(layout(SIX, markers), "5m") == places(layout(SIX, markers))


def test_an_automatic_marker_walks_back_over_thinking():
    thought = layout(
        [*SIX, ("messages", "hm", 50, "thinking"), ("messages", "hm", 50, "redacted_thinking")], {}
    )
    assert places(thought, "5m") == [(6, "5m")]
    only = Prompt().extended(Block("messages", "thinking", "hm", 5))
    assert places(only, "5m") == []


def test_the_other_lifetime_on_the_last_block_is_found_before_the_lack_of_a_slot():
    with pytest.raises(ApiError, match="differs"):
        places(layout(SIX, {at: "1h" for at in (1, 2, 3, 5)}), "5m")


def test_an_automatic_hour_may_not_follow_five_minutes():
    with pytest.raises(ApiError, match=r"messages\.0\.content\.5\.cache_control\.ttl: a ttl='1h'"):
        places(layout(SIX, {0: "5m"}), "1h")


def test_an_hour_then_five_minutes_then_an_hour_is_refused():
    with pytest.raises(ApiError, match=r"messages\.0\.content\.4\.cache_control\.ttl"):
        places(layout(SIX, {0: "1h", 2: "5m", 4: "1h"}))


def test_a_request_survives_the_way_to_another_process():
    request = Request("toy-1", layout(SIX, {0: "1h"}), automatic="5m", sampling={"top_k": 5})
    assert pickle.loads(pickle.dumps(request)) == request
