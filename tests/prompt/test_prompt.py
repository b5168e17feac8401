"""The persistent prompt against the plain list of its blocks."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlib.errors import ApiError, BadArgument, NotWhole, OutOfRange, UnknownName
from simlib.prompt.blocks import Block, block_from_api, text_block
from simlib.prompt.prompt import Prompt, layout

SYSTEM = Block("system", "text", "rules", 988)
QUESTION = Block("messages", "text", "question", 20, role="user")


def call(id, tokens=50):
    return Block("messages", "tool_use", f"call {id}", tokens, "assistant", id)


def result(id, tokens=120):
    return Block("messages", "tool_result", f"result {id}", tokens, "user", id)


rows = st.lists(
    st.tuples(
        st.sampled_from(["tools", "system", "messages"]),
        st.sampled_from("abc"),
        st.integers(0, 1_000),
        st.sampled_from(["text", "tool_use", "tool_result", "thinking"]),
    ),
    max_size=30,
).map(lambda found: sorted(found, key=lambda row: ["tools", "system", "messages"].index(row[0])))


@given(rows)
def test_every_link_knows_what_the_list_knows(found):
    prompt = layout(found, {})
    assert [(b.section, b.content, b.tokens, b.kind) for b in prompt.blocks()] == found
    for link in prompt.last.back() if prompt.last else ():
        part = found[: link.length]
        assert link.tokens == sum(row[2] for row in part)
        pairs = list(zip([None, *part], part, strict=False))
        in_run = sum(
            before is not None
            and before[3] == row[3]
            and row[3] in ("tool_use", "tool_result")
            and before[0] == row[0]
            for before, row in pairs
        )
        assert link.position == len(part) - in_run
        for end, sections in ((link.tools_end, ["tools"]), (link.head_end, ["tools", "system"])):
            count = len([row for row in part if row[0] in sections])
            assert (end.length if end else 0) == count


@given(rows, rows)
def test_two_prompts_are_equal_to_a_cache_just_when_their_blocks_are(one, other):
    first, second = layout(one, {}), layout(other, {})
    assert (first.last == second.last) == (one == other)
    if first.last == second.last:
        assert hash(first.last) == hash(second.last)


@pytest.mark.parametrize(
    "other",
    [
        Block("system", "text", "question", 20),
        Block("messages", "text", "question", 21, role="user"),
        Block("messages", "image", "question", 20, role="user"),
        Block("messages", "text", "Question", 20, role="user"),
        Block("messages", "text", "question", 20, role="system"),
    ],
)
def test_each_part_of_a_blocks_identity_counts(other):
    assert QUESTION.identity != other.identity


def test_the_keys_order_within_a_block_counts_but_not_that_of_its_own_fields():
    one = block_from_api(
        "messages", {"type": "tool_use", "id": "t", "input": {"a": 1, "b": 2}}, 9, "assistant"
    )
    fields = block_from_api(
        "messages", {"id": "t", "input": {"a": 1, "b": 2}, "type": "tool_use"}, 9, "assistant"
    )
    order = block_from_api(
        "messages", {"type": "tool_use", "id": "t", "input": {"b": 2, "a": 1}}, 9, "assistant"
    )
    assert one.identity == fields.identity != order.identity


def test_an_extension_shares_everything_that_was_there():
    first = Prompt().extended(SYSTEM).marked()
    second = first.extended(QUESTION)
    assert second.last.parent is first.last
    assert second.markers == first.markers
    assert (first.length, second.length) == (1, 2)


def test_markers_are_no_part_of_what_is_compared():
    plain = Prompt().extended(SYSTEM, QUESTION)
    marked = plain.marked("1h", at=0).marked()
    assert marked.last == plain.last
    assert marked != plain
    assert marked.unmarked() == plain


def test_markers_stand_in_the_order_of_their_blocks_and_one_replaces_another():
    prompt = Prompt().extended(SYSTEM, QUESTION).marked("5m").marked("1h", at=0).marked("1h", at=-1)
    assert [(marker.prefix.length, marker.lifetime) for marker in prompt.markers] == [(1, "1h"), (2, "1h")]


@pytest.mark.parametrize("kind", ["thinking", "redacted_thinking"])
def test_thinking_takes_no_marker_and_the_place_is_named(kind):
    prompt = Prompt().extended(QUESTION, Block("messages", kind, "hm", 300, "assistant"))
    with pytest.raises(
        ApiError, match=r"messages\.1\.content\.0\.cache_control: Extra inputs are not permitted"
    ):
        prompt.marked()


@pytest.mark.parametrize("at", [2, -3])
def test_a_marker_needs_a_block(at):
    with pytest.raises(OutOfRange, match=f"at is {at}"):
        Prompt().extended(SYSTEM, QUESTION).marked(at=at)


def test_an_empty_prompt_has_nothing():
    assert (Prompt().length, Prompt().tokens, Prompt().blocks()) == (0, 0, [])
    with pytest.raises(OutOfRange):
        Prompt().marked()


def test_an_unknown_lifetime_is_named():
    with pytest.raises(UnknownName, match="lifetime is '10m'"):
        Prompt().extended(SYSTEM).marked("10m")


@pytest.mark.parametrize(
    ("fields", "error", "name"),
    [
        (("prompts", "text", "x", 1), UnknownName, "section"),
        (("system", "texts", "x", 1), UnknownName, "kind"),
        (("system", "text", "x", -1), OutOfRange, "tokens"),
        (("system", "text", "x", 1.5), NotWhole, "tokens"),
    ],
)
def test_a_wrong_block_is_named(fields, error, name):
    with pytest.raises(error, match=name):
        Block(*fields)


def test_eight_as_a_float_are_eight_tokens():
    assert type(Block("system", "text", "x", 8.0).tokens) is int


def test_the_order_of_the_sections_is_kept():
    with pytest.raises(BadArgument, match="messages or a section that comes after it"):
        Prompt().extended(QUESTION, SYSTEM)


def test_a_long_prompt_survives_pickle_and_copy():
    prompt = Prompt().extended(SYSTEM).marked("1h").extended(QUESTION)
    for number in range(5_000):
        prompt = prompt.extended(call(f"t{number}"), result(f"t{number}"))
    prompt = prompt.marked()
    for other in (pickle.loads(pickle.dumps(prompt)), copy.deepcopy(prompt)):
        assert other == prompt
        assert [marker.lifetime for marker in other.markers] == ["1h", "5m"]


def test_places_are_those_of_the_api():
    tool = Block("tools", "tool", "search", 100)
    prompt = Prompt().extended(tool, tool, SYSTEM, QUESTION, call("a"), call("b"), result("a"), result("b"))
    assert [link.place for link in prompt.last.back()][::-1] == [
        "tools.0",
        "tools.1",
        "system.0",
        "messages.0.content.0",
        "messages.1.content.0",
        "messages.1.content.1",
        "messages.2.content.0",
        "messages.2.content.1",
    ]


def test_a_text_block_is_the_apis():
    block = text_block("messages", "Which team?", 9, role="user")
    assert block.to_api() == {"type": "text", "text": "Which team?"}
