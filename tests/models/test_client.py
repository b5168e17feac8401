"""The fake client: the SDK's shapes, the API's refusals, a computed bill, a clock of its own."""

import pytest

from simlib.agent.loop import run_agent
from simlib.agent.tool import tool
from simlib.billing.cache.uncached import NoCache
from simlib.errors import ApiError
from simlib.models.client import FakeClient
from simlib.models.scripted import Script, call, say, think
from simlib.models.turn import Turn
from simlib.theory.latency import call_seconds, time_to_first_token

anthropic_types = pytest.importorskip("anthropic.types")
HELLO = [{"role": "user", "content": "Hello"}]
TOOL = {"name": "search", "description": "Search.", "input_schema": {"type": "object"}}


@tool("Search.", text={"type": "string"})
def search(text):
    return f"found {text}"


def client(*steps, **options):
    return FakeClient(Script(list(steps)), **options)


def ask(own, **data):
    return own.messages.create(**{"model": "claude-haiku-5-5", "max_tokens": 500, "messages": HELLO, **data})


@pytest.mark.parametrize(
    ("step", "stop_reason"),
    [
        (say("Hello."), "end_turn"),
        (think("hm") + say("I look.") + call("search", text="7001"), "tool_use"),
        (call("search", text="a") + call("search", text="b"), "tool_use"),
        (say("word " * 900), "max_tokens"),
    ],
)
def test_every_reply_is_a_message_of_the_real_sdk(step, stop_reason):
    reply = ask(client(step), tools=[TOOL])
    parsed = anthropic_types.Message.model_validate(reply.model_dump())
    assert parsed.stop_reason == reply.stop_reason == stop_reason
    assert [block.type for block in parsed.content] == [block.type for block in reply.content]
    assert parsed.usage.input_tokens + parsed.usage.cache_creation_input_tokens == reply.usage.input_tokens
    assert reply.content[-1].model_dump(exclude_none=True) == parsed.content[-1].model_dump(exclude_none=True)


def test_every_request_of_the_loop_is_one_of_the_real_sdk():
    from pydantic import TypeAdapter

    adapter = TypeAdapter(anthropic_types.message_create_params.MessageCreateParamsNonStreaming)
    seen = []

    class Recording(FakeClient):
        def create(self, **data):
            seen.append(
                adapter.validate_python({**data, "messages": [dict(message) for message in data["messages"]]})
            )
            return super().create(**data)

    steps = [think("hm") + call("search", text="a") + call("serch"), say("done")]
    options = {"effort": "low", "parallel": False, "thinking": "summarized", "cache": "1h"}
    run_agent("q", [search], "Rules.", client=Recording(Script(steps)), **options)
    assert len(seen) == 2


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"messages": []}, "messages: at least one message is required"),
        ({"temperature": 1}, "temperature: Extra inputs are not permitted"),
        ({"max_tokens": 10**6}, "max_tokens: 1000000 > 128000"),
        (
            {"messages": [*HELLO, {"role": "assistant", "content": "The"}]},
            "does not support assistant message prefill",
        ),
        ({"thinking": {"type": "enabled", "budget_tokens": 2_000}}, "thinking.type: enabled"),
        (
            {"model": "claude-sonnet-5-5", "tools": [TOOL], "tool_choice": {"type": "any"}},
            'type "tool" and "any"',
        ),
        (
            {
                "tools": [TOOL],
                "messages": [
                    *HELLO,
                    {
                        "role": "assistant",
                        "content": [{"type": "tool_use", "id": "t1", "name": "search", "input": {}}],
                    },
                    {"role": "user", "content": "and?"},
                ],
            },
            "`tool_use` ids were found without `tool_result` blocks immediately after: t1",
        ),
    ],
)
def test_it_refuses_what_the_api_refuses(data, words):
    own = client(say("never"))
    with pytest.raises(ApiError, match=words) as caught:
        ask(own, **data)
    assert caught.value.status == 400
    assert (own.sent, own.receipts, own.now()) == ([], [], 0)


def test_a_conversation_and_the_same_plain_lists_are_the_same_to_it():
    """A harness that keeps its own list of dicts is charged what the loop's conversation is charged."""
    steps = [call("search", text="a"), call("search", text="b"), say("done")]
    rules = "Use the tools. " * 60
    quick = client(*steps)
    run_agent("q", [search], rules, client=quick)
    plain, messages = client(*steps), [{"role": "user", "content": [{"type": "text", "text": "q"}]}]
    for _ in range(3):
        reply = plain.messages.create(
            model="claude-haiku-5-5",
            max_tokens=8_000,
            tools=[search.schema()],
            system=[{"type": "text", "text": rules, "cache_control": {"type": "ephemeral"}}],
            messages=messages,
            cache_control={"type": "ephemeral"},
        )
        messages.append({"role": "assistant", "content": reply.content})
        results = [
            {"type": "tool_result", "tool_use_id": block.id, "content": search(**block.input)}
            for block in reply.content
            if block.type == "tool_use"
        ]
        if results:
            messages.append({"role": "user", "content": results})
    assert [receipt.usage for receipt in plain.receipts] == [receipt.usage for receipt in quick.receipts]


def test_tools_cost_what_the_provider_adds():
    without, with_tools = (
        ask(client(say("x")), **data).usage.input_tokens for data in ({}, {"tools": [TOOL]})
    )
    own = client(say("x"))
    assert with_tools - without == 286 + own.count(TOOL)


def test_counting_tokens_sends_nothing():
    own = client(say("x"))
    counted = own.messages.count_tokens(model="claude-haiku-5-5", messages=HELLO, tools=[TOOL])
    assert counted.input_tokens == ask(own, tools=[TOOL]).usage.input_tokens
    assert len(own.sent) == 1


def test_time_passes_as_the_latency_says():
    own = client(say("x"), say("y"), cache=NoCache())
    reply = ask(own)
    seconds = call_seconds(time_to_first_token(reply.usage.input_tokens), reply.usage.output_tokens)
    assert own.now() == pytest.approx(seconds)
    own.wait(60)
    assert own.now() == pytest.approx(seconds + 60)


def test_a_pace_really_waits(monkeypatch):
    slept = []
    monkeypatch.setattr("time.sleep", slept.append)
    own = client(say("x"), pace=True)
    ask(own)
    assert slept == [own.now()]


def test_a_miss_is_told_in_the_apis_words():
    rules = [{"type": "text", "text": "Use the tools. " * 200}]
    own = client(say("x"), say("y"), say("z"))
    marked = {"cache_control": {"type": "ephemeral"}}
    assert ask(own, system=rules, **marked).diagnostics.cache_miss_reason is None  # cold is a word of ours
    changed = [{"type": "text", "text": "It is 10:02. " + rules[0]["text"]}]
    reply = ask(own, system=changed, **marked)
    parsed = anthropic_types.Message.model_validate(reply.model_dump())
    assert parsed.diagnostics.cache_miss_reason.type == "system_changed"
    assert parsed.diagnostics.cache_miss_reason.cache_missed_input_tokens > 500


def test_an_error_that_may_not_pass_is_not_retried():
    class Refusing:
        asked = 0

        def next_turn(self, request, results):
            self.asked += 1
            raise ApiError(401, "authentication_error", "no key")

    model = Refusing()
    with pytest.raises(ApiError, match="no key"):
        ask(FakeClient(model))
    assert model.asked == 1


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503, 529])
def test_what_may_pass_is_asked_for_again_twice_and_the_time_passes(status):
    class Overloaded:
        asked = 0

        def next_turn(self, request, results):
            self.asked += 1
            if self.asked < 3:
                raise ApiError(status, "overloaded_error", "later")
            return Turn(say("x"))

    model = Overloaded()
    own = FakeClient(model)
    reply = ask(own)
    assert (model.asked, reply.content[0].text) == (3, "x")
    answered = call_seconds(time_to_first_token(reply.usage.input_tokens), reply.usage.output_tokens)
    assert own.now() == pytest.approx(answered + 0.5 + 1.0)


@pytest.mark.parametrize("cached", ["5m", "1h"])
def test_what_a_call_stored_is_there_for_the_next_one(cached):
    """A loop asks when the answer is complete, so it had begun: however short it was and long the prompt."""

    @tool("Search.", text={"type": "string"})
    def long(text):
        return f"found {text} " * 3_000

    own = client(*[call("long", text=text) for text in "abcdef"], say("x"))
    run_agent("q", [long], "Rules. " * 300, client=own, cache=cached)
    used = [receipt.usage for receipt in own.receipts]
    assert [usage.cache_read for usage in used] == [0, *[usage.prompt for usage in used[:-1]]]
