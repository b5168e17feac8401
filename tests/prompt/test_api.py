"""Requests in the API's shape, there and back, and what the API refuses."""

import re

import pytest

from simlib.errors import ApiError
from simlib.prompt.from_api import request_from_api
from simlib.prompt.request import LATEST
from simlib.prompt.to_api import request_to_api

TOOL = {"name": "search", "description": "Find lines.", "input_schema": {"type": "object"}, "strict": True}
FULL = {
    "model": "claude-haiku-5-5",
    "max_tokens": 8_000,
    "tools": [TOOL, {"type": "web_search_20260209", "name": "web_search"}, {**TOOL, "defer_loading": True}],
    "system": [
        {"type": "text", "text": "Use the tools.", "cache_control": {"type": "ephemeral", "ttl": "1h"}}
    ],
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "Who owns port 7001?"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Let me look.", "signature": "abc"},
                {"type": "tool_use", "id": "t1", "name": "search", "input": {"pattern": "7001", "limit": 3}},
                {"type": "tool_use", "id": "t2", "name": "search", "input": {"pattern": "owner"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": "growth.md:3: 7001"},
                {
                    "type": "tool_result",
                    "tool_use_id": "t2",
                    "content": "no matches",
                    "is_error": True,
                    "cache_control": {"type": "ephemeral"},
                },
                {"type": "text", "text": "Go on."},
            ],
        },
    ],
    "tool_choice": {"type": "auto", "disable_parallel_tool_use": True},
    "thinking": {"type": "adaptive", "display": "omitted"},
    "output_config": {"effort": "low", "format": {"type": "json_schema", "schema": {}}},
    "speed": "fast",
    "cache_control": {"type": "ephemeral"},
    "stream": True,
    "diagnostics": {"previous_message_id": "msg_1"},
    "temperature": 0.5,
    "metadata": {"user_id": "u"},
}
SMALL = {"model": "claude-haiku-5-5", "max_tokens": 9, "messages": [{"role": "user", "content": "Hello"}]}


def count(block):
    return len(str(block.get("text", "four")))


def sorted_fields(data):
    """Lists and values as they are; only the order of the fields within a block is of no account."""
    if isinstance(data, dict):
        return {key: sorted_fields(data[key]) for key in sorted(data)}
    return [sorted_fields(part) for part in data] if isinstance(data, list) else data


def test_a_full_request_comes_back():
    back = request_to_api(request_from_api(FULL, count))
    assert sorted_fields(back) == sorted_fields(FULL)
    inputs = back["messages"][1]["content"][1]["input"]
    assert list(inputs) == ["pattern", "limit"]


def test_a_small_request_comes_back_with_its_text_as_a_block():
    back = request_to_api(request_from_api(SMALL, count))
    assert back == {**SMALL, "messages": [{"role": "user", "content": [{"type": "text", "text": "Hello"}]}]}


def test_what_a_request_says_is_what_it_means():
    request = request_from_api(FULL, count, workspace="class")
    assert request.prompt.length == 9
    assert request.prompt.tokens == 4 + 14 + 19 + 3 * 4 + 2 * 4 + 6
    assert [marker.lifetime for marker in request.prompt.markers] == ["1h", "5m"]
    assert (request.automatic, request.previous, request.workspace) == ("5m", "msg_1", "class")
    assert request.settings.effort == "low"
    assert request.sampling == {"temperature": 0.5}
    assert [tool["name"] for tool in request.deferred_tools] == ["search"]


def test_the_request_before_is_the_latest_unless_the_caller_says():
    assert request_from_api(SMALL, count).previous == LATEST
    first = {**SMALL, "diagnostics": {"previous_message_id": None}}
    assert request_from_api(first, count).previous is None
    assert request_to_api(request_from_api(first, count))["diagnostics"] == {"previous_message_id": None}


def test_each_block_is_counted_once():
    counted = []
    request_from_api(FULL, lambda block: counted.append(block) or 1)
    assert len(counted) == 9


def test_messages_of_one_role_are_one_message_unless_the_caller_is_strict():
    twice = {**SMALL, "messages": [{"role": "user", "content": "One"}, {"role": "user", "content": "Two"}]}
    assert len(request_to_api(request_from_api(twice, count))["messages"]) == 1
    with pytest.raises(ApiError, match=r"messages\.0: roles must alternate"):
        request_from_api(twice, count, strict_roles=True)


def with_content(*blocks, **fields):
    return {**SMALL, "messages": [{"role": "user", "content": list(blocks)}], **fields}


MARK = {"cache_control": {"type": "ephemeral"}}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({**SMALL, "tempereture": 1}, "tempereture: Extra inputs are not permitted"),
        ({key: SMALL[key] for key in ("model", "messages")}, "max_tokens: Field required"),
        ({key: SMALL[key] for key in ("max_tokens", "messages")}, "model: Field required"),
        ({**SMALL, "messages": []}, "messages: at least one message is required"),
        (
            {**SMALL, "messages": [{"role": "robot", "content": "x"}]},
            "messages.0.role: Input should be one of",
        ),
        (
            {**SMALL, "messages": [{"role": "user", "content": []}]},
            "messages.0: all messages must have non-empty",
        ),
        (
            {**SMALL, "messages": [{"role": "user", "content": ""}]},
            "messages.0: all messages must have non-empty",
        ),
        (
            with_content({"type": "text", "text": ""}),
            "messages.0.content.0: text content blocks must be non-empty",
        ),
        (
            with_content({"type": "text", "text": " \n"}),
            "messages.0.content.0: text content blocks must contain",
        ),
        (
            with_content({"type": "text", "text": "", **MARK}),
            "messages.0.content.0: cache_control cannot be set for empty text blocks",
        ),
        (with_content({"type": "txt"}), "messages.0.content.0: Input tag 'txt'"),
        (
            with_content({"type": "text", "text": "x", "cache_control": {"type": "forever"}}),
            "messages.0.content.0.cache_control.type: Input should be 'ephemeral'",
        ),
        (
            with_content({"type": "text", "text": "x", "cache_control": {"type": "ephemeral", "ttl": "2h"}}),
            "messages.0.content.0.cache_control.ttl: Input should be '5m' or '1h'",
        ),
        ({**SMALL, "cache_control": {"type": "x"}}, "cache_control.type: Input should be 'ephemeral'"),
        (
            with_content({"type": "document", "citations": [{"enabled": True, **MARK}]}),
            "messages.0.content.0.citations.0.cache_control: Extra inputs are not permitted",
        ),
        ({**SMALL, "tools": [{"name": "search"}]}, "tools.0.custom.input_schema: Field required"),
        (
            {
                **SMALL,
                "messages": [
                    {"role": "user", "content": "Hello"},
                    {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", **MARK}]},
                ],
            },
            "messages.1.content.0.cache_control: Extra inputs are not permitted",
        ),
    ],
)
def test_what_the_api_refuses(data, words):
    with pytest.raises(ApiError, match="^400 invalid_request_error: " + re.escape(words)):
        request_from_api(data, count)
