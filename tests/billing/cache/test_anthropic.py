"""What the worked sequences leave open: whose cache it is, what a setting loses, why a request missed, bad
input.
"""

import math
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlib.billing.cache.anthropic import AnthropicCache
from simlib.billing.cache.policy import REASONS
from simlib.billing.catalogue import load_catalogue
from simlib.billing.usage import Usage
from simlib.errors import ApiError, BadArgument, NotANumber, OutOfRange, UnknownName
from simlib.prompt.blocks import Block
from simlib.prompt.prompt import Prompt, layout
from simlib.prompt.request import Request
from simlib.prompt.settings import Settings

DAY = date(2026, 10, 24)
CATALOGUE = load_catalogue()
SONNET = CATALOGUE.price("claude-sonnet-4-6", DAY)

TOOLS = Block("tools", "tool", "search", 3_000)
SYSTEM = Block("system", "text", "rules", 5_000)
DOCUMENT = Block("messages", "document", "manual", 500, "user")
HISTORY = Block("messages", "text", "history", 2_000, "user")
THREE = Prompt().extended(TOOLS).marked().extended(SYSTEM).marked().extended(HISTORY).marked()


def cache(**options):
    return AnthropicCache(CATALOGUE, DAY, **options)


def request(prompt=THREE, model="claude-sonnet-4-6", **fields):
    return Request(model, prompt, **fields)


def after(first, second, seconds=9, **options):
    """The receipt of a second request, some seconds after a first one."""
    own = cache(**options)
    own.serve(first, 0)
    return own.serve(second, seconds)


# Minimums: a prompt of 3,000 tokens on three models, of which one stores it.
@pytest.mark.parametrize(
    ("model", "usages"),
    [
        ("claude-sonnet-4-5", [Usage(10, 3_000), Usage(10, cache_read=3_000)]),
        ("claude-opus-4-5", [Usage(3_010), Usage(3_010)]),
        ("claude-haiku-4-5", [Usage(3_010), Usage(3_010)]),
    ],
)
def test_a_prompt_below_a_models_minimum_is_silently_fresh(model, usages):
    prompt = layout([("system", "rules", 3_000, "text"), ("messages", "question", 10, "text")], {0: "5m"})
    own = cache()
    receipts = [own.serve(request(prompt, model), time) for time in (0, 60)]
    assert [receipt.usage for receipt in receipts] == usages
    assert receipts[1].miss is None or receipts[1].miss.reason == "below_minimum"


def test_a_minimum_may_be_another_one():
    """One model was seen to store from 2,048 tokens on while its page said 1,024."""
    prompt = layout([("system", "rules", 1_500, "text")], {0: "5m"})
    assert cache().serve(request(prompt), 0).usage == Usage(0, 1_500)
    assert cache(minimum=2_048).serve(request(prompt), 0).usage == Usage(1_500)
    other = cache(minimum={"claude-opus-4-6": 1})
    assert other.serve(request(prompt), 0).usage == Usage(0, 1_500)
    assert other.serve(request(prompt, "claude-opus-4-6"), 0).usage == Usage(0, 1_500)
    assert AnthropicCache(CATALOGUE, date(2026, 4, 20)).serve(request(prompt), 0).usage == Usage(1_500)


# Look-back: ten blocks stored, then 25 more.
def ten_then(more, markers):
    rows = [("messages", f"b{number}", 200, "text") for number in range(10 + more)]
    own = cache()
    own.serve(request(layout(rows[:10], {9: "5m"})), 0)
    return own.serve(request(layout(rows, {10 + more - 1: "5m", **dict.fromkeys(markers, "5m")})), 9)


def test_a_wide_fan_out_misses_unless_a_second_marker_is_within_reach():
    lost = ten_then(25, [])
    assert (lost.usage, lost.miss.reason, lost.miss.tokens) == (Usage(0, 7_000), "lookback", 2_000)
    assert ten_then(25, [9]).usage.cache_read == 2_000
    assert ten_then(25, [28]).usage.cache_read == 2_000  # the 20th position from it
    assert ten_then(25, [29]).usage.cache_read == 0
    assert ten_then(19, []).usage.cache_read == 2_000
    assert ten_then(20, []).usage.cache_read == 0


def test_a_look_back_crosses_the_border_of_a_section():
    rows = [("system", f"s{number}", 200, "text") for number in range(10)]
    rows += [("messages", f"m{number}", 200, "text") for number in range(12)]
    own = cache()
    own.serve(request(layout(rows[:8], {7: "5m"})), 0)
    assert own.serve(request(layout(rows[:20], {19: "5m"})), 9).usage.cache_read == 1_600


def test_a_boundary_within_a_run_may_match():
    rows = [("system", "rules", 2_000, "text"), *[("messages", f"u{n}", 60, "tool_use") for n in range(6)]]
    own = cache()
    own.serve(request(layout(rows[:4], {3: "5m"})), 0)
    assert own.serve(request(layout(rows, {6: "5m"})), 9).usage.cache_read == 2_180


# The log of a long session: reads pinned to the system prompt after twelve seconds.
def test_a_miss_seconds_apart_is_no_matter_of_age():
    system = Block("system", "text", "rules", 14_500)

    def turn(*blocks):
        return request(Prompt().extended(system).marked().extended(*blocks), automatic="5m")

    def said(name, tokens):
        return Block("messages", "text", name, tokens, "user")

    long, more, other = said("long", 25_500), said("more", 500), said("edited", 26_200)
    own = cache()
    times = [0, 20, 700, 712, 760]
    turns = [
        turn(long),
        turn(long, more),
        turn(long, more, said("back", 200)),
        turn(other, said("on", 800)),
        turn(other, said("on", 800), said("and on", 300)),
    ]
    receipts = [own.serve(each, time) for each, time in zip(turns, times, strict=True)]
    assert [(receipt.usage.cache_read, receipt.usage.cache_write_5m) for receipt in receipts] == [
        (0, 40_000),
        (40_000, 500),
        (0, 40_700),
        (14_500, 27_000),
        (41_500, 300),
    ]
    reasons = [receipt.miss and receipt.miss.reason for receipt in receipts]
    assert reasons == ["cold", None, "expired", "messages_changed", None]
    assert receipts[2].miss.detail == "last used 680 s ago, and it lives 300 s"
    assert receipts[3].miss.tokens == 40_700 - 14_500
    assert receipts[3].miss.detail.startswith("12 s after the request before")


# What each change loses, of three stored sections: what is read, and what the API calls it.
EDITED = Prompt().extended(replace(TOOLS, content="search better")).marked().extended(SYSTEM).marked()
CHANGES = [
    (request(), 10_000, None),
    (request(max_tokens=5), 10_000, None),
    (request(extras={"metadata": {"user_id": "u"}}), 10_000, None),
    (request(stream=True), 10_000, None),
    (request(THREE.unmarked().marked()), 10_000, None),
    (request(EDITED.extended(HISTORY).marked()), 0, "tools_changed"),
    (request(Prompt().extended(SYSTEM, HISTORY).marked()), 0, "tools_changed"),
    (
        request(Prompt().extended(TOOLS).marked().extended(replace(SYSTEM, content="at 10:02")).marked()),
        3_000,
        "system_changed",
    ),
    (
        request(
            Prompt().extended(TOOLS, SYSTEM).marked().extended(replace(HISTORY, content="edited")).marked()
        ),
        8_000,
        "messages_changed",
    ),
    (request(settings=Settings(speed="fast")), 3_000, "model_changed"),
    (request(settings=Settings(web_search=({"type": "web_search_20260209"},))), 3_000, "tools_changed"),
    (
        request(THREE.extended(replace(DOCUMENT, features=frozenset({"citations"}))).marked(at=2)),
        3_000,
        "unavailable",
    ),
    (request(settings=Settings(tool_choice={"type": "any"})), 8_000, "unavailable"),
    (
        request(settings=Settings(tool_choice={"type": "auto", "disable_parallel_tool_use": True})),
        8_000,
        "unavailable",
    ),
    (request(settings=Settings(thinking={"type": "adaptive"})), 8_000, "unavailable"),
    (request(settings=Settings(effort="low")), 8_000, "unavailable"),
    (request(settings=Settings(effort="high")), 10_000, None),
    (
        request(THREE.extended(Block("messages", "image", "chart", 500, "user")).marked(at=1)),
        8_000,
        "unavailable",
    ),
    (request(model="claude-sonnet-5-5"), 0, "model_changed"),
    (request(deferred_tools=({"name": "later", "defer_loading": True},)), 10_000, None),
]


@pytest.mark.parametrize(("changed", "read", "reason"), CHANGES)
def test_what_a_change_loses_and_what_it_is_called(changed, read, reason):
    receipt = after(request(), changed)
    assert receipt.usage.cache_read == read
    assert (receipt.miss and receipt.miss.reason) == reason
    if receipt.miss is not None:
        assert receipt.miss.tokens == min(10_000, changed.prompt.markers[-1].prefix.tokens) - read
        price = CATALOGUE.price(changed.model, DAY)
        assert (
            receipt.dollars_lost(price)
            == receipt.miss.tokens * (price.rates.cache_write_5m - price.rates.cache_read) / 10**6
        )


def test_effort_and_thinking_reach_as_far_as_the_model_writes_them():
    low = request(model="claude-opus-5", settings=Settings(effort="low"))
    plain = request(model="claude-opus-5")
    assert after(plain, low).usage.cache_read == 0
    assert after(plain, low, reasoning_from="system").usage.cache_read == 3_000
    assert after(plain, low, reasoning_from="messages").usage.cache_read == 8_000


def test_a_system_message_added_at_the_end_loses_nothing():
    operator = Block("messages", "text", "from now on", 50, "system")
    assert after(request(), request(THREE.extended(operator))).usage.cache_read == 10_000


def test_older_models_strip_thinking_and_miss_from_there_on():
    rows = [
        Block("messages", "text", "one", 2_000, "user"),
        Block("messages", "thinking", "hm", 300, "assistant"),
        Block("messages", "text", "six", 50, "assistant"),
    ]
    first = Prompt().extended(*rows[:1])
    second = first.extended(*rows[1:], Block("messages", "text", "two", 40, "user"))
    third = second.extended(
        Block("messages", "text", "seven", 60, "assistant"), Block("messages", "text", "three", 30, "user")
    )
    for model, usage in (
        ("claude-sonnet-4-5", Usage(0, 90, 0, 2_090)),
        ("claude-sonnet-4-6", Usage(0, 90, 0, 2_390)),
    ):
        own = cache()
        receipts = [
            own.serve(request(prompt, model, automatic="5m"), time)
            for time, prompt in enumerate((first, second, third))
        ]
        assert receipts[2].usage == usage
    strips = cache()
    call = Block("messages", "tool_use", "call", 70, "assistant", "t")
    answered = [rows[0], rows[1], call, Block("messages", "tool_result", "result", 80, "user", "t")]
    strips.serve(request(Prompt().extended(*answered), "claude-sonnet-4-5", automatic="5m"), 0)
    spoken = Prompt().extended(*answered, rows[2], Block("messages", "text", "two", 40, "user"))
    receipt = strips.serve(request(spoken, "claude-sonnet-4-5", automatic="5m"), 9)
    assert receipt.usage == Usage(0, 2_240)  # the entry with the thinking in it does not begin this prompt
    assert receipt.miss.reason == "messages_changed"


def test_a_read_refreshes_an_entry_for_its_own_lifetime_whatever_the_marker_says():
    hour = Prompt().extended(TOOLS).marked("1h")
    five = Prompt().extended(TOOLS).marked("5m")
    own = cache()
    own.serve(request(five), 0)
    assert own.serve(request(hour), 200).usage == Usage(cache_read=3_000)
    assert own.serve(request(hour), 501).usage == Usage(0, 0, 3_000)


def test_what_was_read_over_is_not_stored_for_nothing():
    """An hour's marker below a hit would be a free hour."""
    own = cache()
    own.serve(request(Prompt().extended(TOOLS, SYSTEM).marked("5m")), 0)
    both = Prompt().extended(TOOLS).marked("1h").extended(SYSTEM).marked("5m")
    assert own.serve(request(both), 100).usage == Usage(cache_read=8_000)
    assert own.serve(request(Prompt().extended(TOOLS).marked("1h")), 200).usage == Usage(0, 0, 3_000)


def test_an_entry_that_is_hit_lives_on_though_no_marker_stands_on_it():
    own, head = cache(), Prompt().extended(TOOLS, SYSTEM)
    own.serve(request(head.marked()), 0)
    own.serve(request(head.extended(HISTORY).marked()), 200)
    assert own.serve(request(head.marked()), 400).usage == Usage(cache_read=8_000)


def test_of_two_lifetimes_that_are_stored_at_once_the_longer_one_holds():
    own, tools = cache(), Prompt().extended(TOOLS)
    own.serve(request(tools.marked("1h")), 0, first_token=5)
    own.serve(request(tools.marked("5m")), 1, first_token=5)
    assert own.serve(request(tools.marked("5m")), 400).usage == Usage(cache_read=3_000)


def test_an_entry_beyond_the_look_back_is_out_of_reach_dead_or_alive():
    rows = [("messages", f"b{number}", 200, "text") for number in range(40)]
    receipt = after(request(layout(rows[:10], {9: "5m"})), request(layout(rows, {39: "5m"})), seconds=301)
    assert (receipt.miss.reason, receipt.miss.tokens) == ("lookback", 2_000)


def test_an_edit_after_a_warm_start_is_a_miss():
    """The prompt that was stored beforehand is read, and the history that was stored since then is lost."""
    head, own = Prompt().extended(TOOLS, SYSTEM), cache()
    own.serve(request(head.marked(), max_tokens=0), 0)
    own.serve(request(head.extended(HISTORY), automatic="5m"), 1)
    receipt = own.serve(request(head.extended(replace(HISTORY, content="edited")), automatic="5m"), 2)
    assert (receipt.usage.cache_read, receipt.miss.reason, receipt.miss.tokens) == (
        8_000,
        "messages_changed",
        2_000,
    )


def test_an_edit_in_a_long_conversation_is_a_miss_though_an_older_entry_is_read():
    said = [Block("messages", "text", f"m{number}", 500, "user") for number in range(10)]
    own = cache()
    for turn in range(1, 6):
        own.serve(request(Prompt().extended(SYSTEM, *said[: 2 * turn]), automatic="5m"), turn)
    edited = [*said[:4], *(replace(block, content=f"{block.content}, edited") for block in said[4:])]
    receipt = own.serve(request(Prompt().extended(SYSTEM, *edited), automatic="5m"), 6)
    assert (receipt.usage.cache_read, receipt.miss.reason, receipt.miss.tokens) == (
        7_000,
        "messages_changed",
        3_000,
    )


def test_what_was_stored_further_on_is_no_matter_of_look_back():
    rows = [("messages", f"b{number}", 500, "text") for number in range(30)]
    receipt = after(request(layout(rows, {29: "5m"})), request(layout(rows, {9: "5m"})))
    assert (receipt.usage, receipt.miss.reason, receipt.miss.tokens) == (Usage(10_000, 5_000), "cold", 0)


def test_nothing_is_lost_that_could_not_have_been_stored():
    short = layout([("system", "s", 400, "text"), ("messages", "m", 50, "text")], {1: "5m"})
    other = layout([("system", "t", 400, "text"), ("messages", "m", 5_000, "text")], {1: "5m"})
    assert after(request(short), request(other)).miss.reason == "cold"
    haiku = layout([("system", "s", 2_500, "text")], {0: "5m"})
    longer = layout([("system", "s", 2_500, "text"), ("messages", "m", 5_000, "text")], {1: "5m"})
    first, second = request(haiku, "claude-haiku-5-5"), request(longer, "claude-haiku-4-5")
    assert after(first, second).miss.reason == "cold"


def test_of_what_cannot_be_read_the_longest_counts_and_only_what_lies_beyond_the_hit():
    own, deep = (
        cache(),
        Prompt().extended(TOOLS).marked("1h").extended(SYSTEM).marked("5m").extended(HISTORY).marked("5m"),
    )
    own.serve(request(deep), 0)
    receipt = own.serve(request(deep), 400)
    assert receipt.usage == Usage(0, 7_000, 0, 3_000)
    assert (receipt.miss.reason, receipt.miss.tokens) == ("expired", 7_000)


def test_a_dead_entry_under_an_own_marker_stays_dead():
    own = cache()
    own.serve(request(Prompt().extended(TOOLS).marked("5m")), 0)
    own.serve(request(Prompt().extended(TOOLS, SYSTEM).marked("1h")), 1)
    both = Prompt().extended(TOOLS).marked("1h").extended(SYSTEM).marked("1h")
    assert own.serve(request(both), 700).usage == Usage(cache_read=8_000)
    assert own.serve(request(Prompt().extended(TOOLS).marked("5m")), 701).usage == Usage(0, 3_000)


def test_a_dead_entry_makes_no_new_one_readable():
    own, tools = cache(), request(Prompt().extended(TOOLS).marked())
    own.serve(tools, 0)
    own.serve(tools, 400, first_token=5)
    assert own.serve(tools, 401).usage == Usage(0, 3_000)


def test_an_answer_that_begins_earlier_counts_whichever_was_asked_first():
    own, tools = cache(), request(Prompt().extended(TOOLS).marked())
    own.serve(tools, 0, first_token=9)
    own.serve(tools, 1, first_token=2)
    assert own.serve(tools, 3).usage == Usage(cache_read=3_000)


def test_exactly_the_minimum_is_cold_and_not_too_short():
    prompt = layout([("system", "s", 1_024, "text")], {0: "5m"})
    assert cache().serve(request(prompt), 0).miss.reason == "cold"


def test_a_named_request_is_compared_even_after_a_full_hit_on_another_conversation():
    own = cache()
    first = own.serve(request(THREE), 0)
    own.serve(request(Prompt().extended(TOOLS).marked(), previous=None), 1)
    edited = Prompt().extended(TOOLS).marked().extended(replace(SYSTEM, content="other")).marked()
    assert own.serve(request(edited, previous=first.id), 2).miss.reason == "system_changed"


def test_a_request_of_another_workspace_is_not_found():
    own = cache()
    first = own.serve(request(workspace="A"), 0)
    receipt = own.serve(request(workspace="B", previous=first.id), 1)
    assert receipt.miss.reason == "previous_message_not_found"


@pytest.mark.parametrize(
    "settings", [Settings(speed="standard"), Settings(effort="high"), Settings(tool_choice={"type": "auto"})]
)
def test_saying_what_is_done_anyway_is_not_blamed(settings):
    pictured = THREE.extended(Block("messages", "image", "chart", 500, "user"), HISTORY).marked(at=1)
    receipt = after(request(), request(pictured, settings=settings))
    assert receipt.usage.cache_read == 8_000
    assert "images or citations" in receipt.miss.detail


def test_a_setting_that_somebody_changes_afterwards_stays_what_it_was():
    choice = {"type": "auto", "disable_parallel_tool_use": True}
    own, settings = cache(), Settings(tool_choice=choice)
    own.serve(request(settings=settings), 0)
    choice["type"] = "any"
    assert own.serve(request(settings=settings), 1).usage.cache_read == 10_000
    assert own.serve(request(settings=Settings(tool_choice=choice)), 2).usage.cache_read == 8_000


def test_stripped_thinking_takes_no_room_in_the_window():
    said = Block("messages", "text", "question", 2_000, "user")
    thought = Block("messages", "thinking", "hm", 199_000, "assistant")
    answer = Block("messages", "text", "six", 20, "assistant")
    prompt = Prompt().extended(said, thought, answer, said)
    assert cache().serve(request(prompt, "claude-sonnet-4-5"), 0).usage.prompt == 4_020
    with pytest.raises(ApiError, match="too long"):
        cache().serve(request(Prompt().extended(said, thought), "claude-sonnet-4-5"), 0)


def test_the_earlier_of_two_answers_makes_an_entry_readable():
    own, own_request = cache(), request(Prompt().extended(TOOLS).marked())
    own.serve(own_request, 0, first_token=2)
    assert own.serve(own_request, 1, first_token=5).usage == Usage(0, 3_000)
    assert own.serve(own_request, 2).usage == Usage(cache_read=3_000)


def test_workspaces_and_models_share_nothing():
    own = cache()
    for fields in ({}, {"workspace": "B"}, {"model": "claude-opus-4-6"}):
        assert own.serve(request(**fields), 0).usage.cache_read == 0


def test_the_same_model_by_another_name_shares():
    assert after(request(), request(model="anthropic/claude-sonnet-4.6")).usage.cache_read == 10_000


def test_sampling_parameters_are_refused_by_model_and_by_version():
    old, new = ({"sampling": {"temperature": 1}, "version": day} for day in ("2023-06-01", "2026-10-21"))
    assert cache().serve(request(**old), 0).usage.prompt == 10_000
    for fields in ({**new}, {**old, "model": "claude-haiku-5-5"}):
        with pytest.raises(ApiError, match="temperature: Extra inputs are not permitted"):
            cache().serve(request(**fields), 0)


def test_a_refusal_changes_nothing():
    own = cache()
    own.serve(request(), 0)
    with pytest.raises(ApiError, match="too long"):
        own.serve(request(THREE.extended(replace(HISTORY, tokens=10**6))), 5)
    with pytest.raises(ApiError, match="effort"):
        own.serve(request(settings=Settings(effort="xhigh")), 5)
    receipt = own.serve(request(), 4)
    assert receipt.usage.cache_read == 10_000


def test_the_request_to_compare_with_can_be_named():
    own = cache()
    first = own.serve(request(), 0)
    own.serve(request(EDITED, previous=None), 1)
    other = Prompt().extended(TOOLS).marked().extended(replace(SYSTEM, content="at 10:02")).marked()
    assert own.serve(request(other, previous=first.id), 2).miss.reason == "system_changed"
    assert (
        own.serve(request(EDITED.extended(HISTORY).marked(), previous="msg_99"), 3).miss.reason
        == "previous_message_not_found"
    )
    assert own.serve(request(previous=first.id), 4).miss is None


def test_a_first_turn_compares_with_nothing():
    other = Prompt().extended(TOOLS).marked().extended(replace(SYSTEM, content="another agent's"))
    receipt = after(request(), request(other, previous=None))
    assert (receipt.usage.cache_read, receipt.miss) == (3_000, None)
    cold = after(request(), request(Prompt().extended(HISTORY).marked(), previous=None))
    assert cold.miss.reason == "cold"


def test_going_on_where_another_request_ended_is_a_full_hit():
    """Two conversations in turn: neither's next request misses because the other one spoke last."""
    said = [Block("messages", "text", name, 2_000, "user") for name in ("one", "other", "more")]
    own = cache()
    own.serve(request(Prompt().extended(SYSTEM, said[0]), automatic="5m"), 0)
    own.serve(request(Prompt().extended(SYSTEM, said[1]), automatic="5m"), 1)
    receipt = own.serve(request(Prompt().extended(SYSTEM, said[0], said[2]), automatic="5m"), 2)
    assert (receipt.usage.cache_read, receipt.miss) == (7_000, None)


def test_the_entry_that_was_hit_is_named():
    receipt = after(request(), request(THREE.extended(HISTORY)))
    assert (receipt.hit.place, receipt.hit.tokens) == ("messages.0.content.0", 10_000)
    assert after(request(), request(), seconds=301).hit is None


def test_every_reason_is_in_the_vocabulary_and_the_apis_words_come_first():
    assert list(REASONS)[:6] == [
        "model_changed",
        "tools_changed",
        "system_changed",
        "messages_changed",
        "previous_message_not_found",
        "unavailable",
    ]
    assert set(REASONS) - set(list(REASONS)[:6]) == {"cold", "expired", "below_minimum", "lookback"}


blocks = st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 2_000)), min_size=1, max_size=8)
moves = st.tuples(
    blocks,
    st.sets(st.integers(0, 7), max_size=3),
    st.sampled_from([None, "5m", "1h"]),
    st.sampled_from([0, 1, 299, 300, 301, 3_601]),
    st.sampled_from([0, 2]),
)


@given(st.lists(moves, max_size=6))
def test_whatever_is_asked_the_classes_add_up_and_a_miss_is_never_a_gain(asked):
    own, time = cache(), 0
    for rows, marked, automatic, wait, first_token in asked:
        time += wait
        lifetime = automatic or "5m"
        prompt = layout(
            [("messages", name, tokens, "text") for name, tokens in rows],
            {at: lifetime for at in marked if at < len(rows)},
        )
        receipt = own.serve(request(prompt, automatic=automatic), time, output=7, first_token=first_token)
        usage = receipt.usage
        assert usage.prompt == prompt.tokens
        assert min(usage) >= 0
        assert usage.cache_read == (receipt.hit.tokens if receipt.hit else 0)
        if receipt.miss is not None:
            assert receipt.miss.reason in REASONS
            assert receipt.miss.usage.prompt == prompt.tokens
            assert min(receipt.miss.usage) >= 0
            assert receipt.miss.usage.cache_read == usage.cache_read + receipt.miss.tokens
        assert receipt.dollars_lost(SONNET) >= 0


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda: cache().serve(request(model="gpt-4o"), 0),
            BadArgument,
            "model is 'gpt-4o'; allowed: a model whose",
        ),
        (lambda: cache().serve(request(model="claude-9"), 0), UnknownName, "model is 'claude-9'"),
        (lambda: cache().serve(request(), math.nan), NotANumber, "time is nan"),
        (lambda: cache().serve(request(), math.inf), OutOfRange, "time is inf"),
        (lambda: cache().serve(request(), "x"), NotANumber, "time is 'x'"),
        (lambda: cache().serve(request(), True), NotANumber, "time is True"),
        (lambda: cache().serve(request(), 0, first_token="x"), NotANumber, "first_token is 'x'"),
        (lambda: cache().serve(request(), 0, first_token=-1), OutOfRange, "first_token is -1"),
        (lambda: cache().serve(request(), 0, output=-1), OutOfRange, "output is -1"),
        (
            lambda: cache().serve(request(max_tokens=5), 0, output=6),
            OutOfRange,
            "output is 6; allowed: at most",
        ),
        (lambda: cache(minimum={"claude-opus-5": -1}), OutOfRange, "minimum is -1"),
        (lambda: cache(minimum=-1), OutOfRange, "minimum is -1"),
        (lambda: cache(lookback=0), OutOfRange, "lookback is 0"),
        (lambda: cache(reasoning_from="messagse"), UnknownName, "reasoning_from is 'messagse'"),
        (lambda: after(request(), request(), seconds=-1), OutOfRange, "time is -1; allowed: seconds from 0"),
    ],
)
def test_bad_input_is_named(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_a_batch_halves_what_a_miss_costs():
    receipt = after(request(), request(), seconds=301)
    assert receipt.dollars_lost(SONNET.in_batch()) * 2 == receipt.dollars_lost(SONNET) > 0
    assert after(request(), request()).dollars_lost(SONNET) == Decimal(0)
