"""The checks of a whole request: what its model accepts, and what the API does of any model."""

import re
from dataclasses import replace

import pytest

from simlib.errors import ApiError
from simlib.prompt.blocks import Block, text_block
from simlib.prompt.limits import MOST_MESSAGES, REFUSALS, Limits, check_request
from simlib.prompt.prompt import Prompt
from simlib.prompt.request import Request
from simlib.prompt.settings import Settings

TOOL = Block("tools", "tool", "search", 100)
HELLO = text_block("messages", "Hello", 8, "user")
BEGUN = text_block("messages", "The answer is", 5, "assistant")
REQUEST = Request("toy-1", Prompt().extended(TOOL, HELLO))
OPEN = Limits(window=200, max_output=50, efforts=("low", "high"))
CLOSED = replace(OPEN, refuses=REFUSALS)


def check(limits=OPEN, **fields):
    check_request(replace(REQUEST, **{"max_tokens": 50, **fields}), limits)


def test_a_plain_request_passes():
    check()
    check(CLOSED)


ASKS = [
    ({"sampling": {"top_k": 5}}, "top_k: Extra inputs are not permitted"),
    (
        {"settings": Settings(tool_choice={"type": "any"})},
        'tool_choice: type "tool" and "any" are not supported for this model.',
    ),
    (
        {"settings": Settings(tool_choice={"type": "tool", "name": "search"})},
        'tool_choice: type "tool" and "any" are not supported for this model.',
    ),
    ({"settings": Settings(thinking={"type": "enabled", "budget_tokens": 40})}, "thinking.type: enabled"),
    ({"settings": Settings(thinking={"type": "disabled"})}, "thinking.type: disabled"),
    ({"settings": Settings(thinking={"type": "adaptive"})}, "thinking.type: adaptive"),
    ({"prompt": REQUEST.prompt.extended(BEGUN)}, "This model does not support assistant message prefill."),
]


@pytest.mark.parametrize(("fields", "words"), ASKS)
def test_what_one_model_refuses_another_accepts(fields, words):
    check(OPEN, **fields)
    with pytest.raises(ApiError, match="^400 invalid_request_error: " + re.escape(words)):
        check(CLOSED, **fields)


def test_from_one_version_of_the_api_on_no_model_takes_sampling_parameters():
    request = replace(REQUEST, sampling={"temperature": 0.5}, max_tokens=50)
    check_request(request, OPEN, version="2023-06-01")
    with pytest.raises(ApiError, match="temperature: Extra inputs are not permitted"):
        check_request(request, OPEN, version=request.version)


@pytest.mark.parametrize("choice", ["auto", "none"])
def test_a_choice_that_forces_nothing_is_never_refused(choice):
    check(CLOSED, settings=Settings(tool_choice={"type": choice}))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (
            {"settings": Settings(effort="max")},
            "output_config.effort: max is not supported; allowed: low, high",
        ),
        (
            {"settings": Settings(tool_choice={"type": "auto"}), "prompt": Prompt().extended(HELLO)},
            "tool_choice: may only be specified while providing tools",
        ),
        (
            {"max_tokens": 51},
            "max_tokens: 51 > 50, which is the maximum allowed number of output tokens for toy-1",
        ),
        ({"max_tokens": -1}, "max_tokens: Input should be greater than or equal to 0"),
        ({"prompt": Prompt()}, "messages: at least one message is required"),
    ],
)
def test_what_no_model_accepts(fields, words):
    with pytest.raises(ApiError, match="^400 invalid_request_error: " + re.escape(words)):
        check(**fields)


def test_an_unknown_effort_of_a_model_without_any_says_so():
    with pytest.raises(ApiError, match="the model knows no effort"):
        check(replace(OPEN, efforts=()), settings=Settings(effort="low"))


def test_the_window_is_full_at_its_size_and_not_before():
    full = Prompt().extended(replace(HELLO, tokens=200))
    check(prompt=full)
    with pytest.raises(ApiError, match="prompt is too long: 201 tokens > 200 maximum"):
        check(prompt=full.extended(replace(HELLO, tokens=1)))


@pytest.mark.parametrize("choice_of", ["web_search", "deferred"])
def test_other_kinds_of_tools_allow_a_tool_choice_too(choice_of):
    searching = ({"type": "web_search_20260209", "name": "web_search"},) if choice_of == "web_search" else ()
    settings = Settings(tool_choice={"type": "auto"}, web_search=searching)
    deferred = () if searching else ({"name": "search", "defer_loading": True},)
    check(prompt=Prompt().extended(HELLO), settings=settings, deferred_tools=deferred)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"stream": True}, "stream: true"),
        ({"batch": True}, "a batch"),
        ({"settings": Settings(thinking={"type": "enabled"})}, "thinking.type: enabled"),
        ({"settings": Settings(output_format={"type": "json_schema"})}, "output_config.format"),
        ({"settings": Settings(tool_choice={"type": "any"})}, "a tool_choice that forces a call"),
    ],
)
def test_filling_the_cache_goes_with_few_settings(fields, words):
    check(max_tokens=0)
    check(**fields)
    with pytest.raises(ApiError, match=f"max_tokens: 0 cannot be combined with {words}"):
        check(max_tokens=0, **fields)


def test_there_is_a_most_number_of_messages():
    prompt = Prompt().extended(HELLO)
    for _ in range(MOST_MESSAGES // 2 - 1):
        prompt = prompt.extended(BEGUN, HELLO)
    prompt = prompt.extended(BEGUN)
    wide = replace(OPEN, window=10**9)
    check(wide, prompt=prompt)
    with pytest.raises(ApiError, match="messages: at most 100000 messages are allowed, found 100001"):
        check(wide, prompt=prompt.extended(HELLO))
