"""Which block may follow which: the rules for roles, calls and results, in the API's words and with the
place.
"""

import re

import pytest

from simlib.errors import ApiError
from simlib.prompt.blocks import Block
from simlib.prompt.limits import Limits, check_request
from simlib.prompt.prompt import Prompt
from simlib.prompt.request import Request

LIMITS = Limits(window=200_000, max_output=64_000)


def text(role, content="text"):
    return Block("messages", "text", content, 10, role)


def call(id):
    return Block("messages", "tool_use", f"call {id}", 50, "assistant", id)


def result(id):
    return Block("messages", "tool_result", f"result {id}", 120, "user", id)


def checked(*blocks):
    prompt = Prompt().extended(*blocks)
    check_request(Request("toy-1", prompt), LIMITS)
    return prompt


@pytest.mark.parametrize(
    "blocks",
    [
        [text("user")],
        [text("user"), text("user", "two texts of one message, or two messages merged")],
        [text("user"), call("a"), result("a")],
        [text("user"), text("assistant"), call("a"), call("b"), result("b"), result("a"), text("user")],
        [text("user"), call("a"), result("a"), call("a"), result("a")],
        [text("user"), text("assistant", "begun")],
        [text("user"), text("assistant"), text("system", "from now on"), text("user")],
    ],
)
def test_what_the_api_accepts(blocks):
    assert checked(*blocks).length == len(blocks)


UNANSWERED = "`tool_use` ids were found without `tool_result` blocks immediately after: "


@pytest.mark.parametrize(
    ("blocks", "words"),
    [
        ([text("assistant")], 'messages: first message must use the "user" role'),
        ([text("system")], 'messages: first message must use the "user" role'),
        ([text("user"), call("t1")], f"messages.1: {UNANSWERED}t1."),
        ([text("user"), call("t1"), call("t2"), result("t1")], f"messages.1: {UNANSWERED}t2."),
        ([text("user"), call("t1"), call("t2"), text("user")], f"messages.1: {UNANSWERED}t1, t2."),
        ([text("user"), call("t1"), text("user"), result("t1")], f"messages.1: {UNANSWERED}t1."),
        (
            [text("user"), call("t1"), call("t2"), result("t1"), text("assistant")],
            f"messages.1: {UNANSWERED}t2.",
        ),
        (
            [text("user"), call("t1"), result("t9")],
            "messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: t9.",
        ),
        (
            [text("user"), call("t1"), result("t1"), result("t1")],
            "messages.2.content.1: unexpected `tool_use_id` found in `tool_result` blocks: t1.",
        ),
        ([result("t1")], "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: t1."),
        ([text("user"), call("a"), call("a")], "messages.1.content.1: `tool_use` ids must be unique"),
        (
            [Block("messages", "tool_use", "call", 5, "user", "a")],
            "messages.0.content.0: `tool_use` blocks can only be in `assistant` messages",
        ),
        (
            [text("user"), Block("messages", "tool_result", "result", 5, "assistant", "a")],
            "messages.1.content.0: `tool_result` blocks can only be in `user` messages",
        ),
        (
            [text("user"), Block("messages", "thinking", "hm", 5, "user")],
            "messages.0.content.1: `thinking` blocks can only be in `assistant` messages",
        ),
    ],
)
def test_what_the_api_refuses(blocks, words):
    with pytest.raises(ApiError, match=re.escape(words)) as caught:
        checked(*blocks)
    assert (caught.value.status, caught.value.type) == (400, "invalid_request_error")


def test_a_refusal_leaves_the_prompt_as_it_was():
    prompt = Prompt().extended(text("user"), call("a"))
    with pytest.raises(ApiError):
        prompt.extended(text("user"))
    assert checked(*prompt.blocks(), result("a")).length == 3
