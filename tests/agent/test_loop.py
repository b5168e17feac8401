"""The loop: every end has its name, every limit is checked before the call, everything is written down."""

import re
from decimal import Decimal

import pytest

from simlib.agent.conversation import Conversation
from simlib.agent.guards import Guards
from simlib.agent.ledger import Ledger
from simlib.agent.loop import run_agent
from simlib.agent.stop import StopReason
from simlib.agent.tool import tool
from simlib.billing.catalogue import load_catalogue
from simlib.errors import ApiError, BadArgument, OutOfRange, UnknownName
from simlib.models.client import DAY, FakeClient
from simlib.models.reply import Fields
from simlib.models.scripted import Script, ScriptEnded, call, say, think
from simlib.models.turn import Turn

FREE = Guards(identical_calls=None, no_progress=None)


def endless():
    number = 0
    while True:
        number += 1
        yield call("search", text=f"word {number}")


def test_a_run_to_its_answer(played):
    def looks_twice():
        (found,) = yield say("First the word.") + call("search", text="7001")
        (again,) = yield think("hm") + call("search", text=f"more {found[:5]}", limit=3)
        yield say(f"It is {again}.")

    result, client = played(looks_twice)
    assert result.answer == "It is found more found (3)."
    assert (result.stop, len(result.steps), result.error) == (StopReason.END_TURN, 3, "")
    assert result.total_input == sum(request.prompt.tokens for request in client.sent)
    assert [(call.name, call.arguments) for call in result.steps[0].calls] == [("search", {"text": "7001"})]


def test_each_request_reads_all_that_the_one_before_sent(played):
    result, client = played([call("search", text=f"{n}") for n in range(6)] + [say("done")])
    for before, after in zip(client.sent, client.sent[1:], strict=False):
        assert before.prompt.last in list(after.prompt.last.back())
    prompts = [step.usage.prompt for step in result.steps]
    assert [step.usage.cache_read for step in result.steps] == [0, *prompts[:-1]]
    assert [receipt.miss and receipt.miss.reason for receipt in client.receipts] == ["cold", *[None] * 6]


@pytest.mark.parametrize(
    ("options", "stop", "steps"),
    [
        ({"max_steps": 3}, StopReason.MAX_STEPS, 3),
        ({"max_steps": 0}, StopReason.MAX_STEPS, 0),
        ({"max_cost": 0, "max_steps": 9}, StopReason.MAX_COST, 0),
        ({"max_cost": Decimal("0.00003"), "max_steps": 99}, StopReason.MAX_COST, None),
    ],
)
def test_a_limit_is_checked_before_the_call(played, options, stop, steps):
    result, client = played(endless, guards=FREE, **options)
    assert result.stop is stop
    assert result.answer == ""
    assert len(result.steps) == len(client.sent)
    if steps is None:
        assert result.dollars >= options["max_cost"] > result.dollars - result.steps[-1].dollars
    else:
        assert len(result.steps) == steps


def test_a_full_window_is_a_named_end(search):
    client = FakeClient(Script(endless), counter=lambda block: 60_000)
    options = {"model": "claude-haiku-4-5", "guards": FREE, "max_steps": 99, "max_tokens": 64_000}
    result = run_agent("q", [search], client=client, **options)
    assert (result.stop, len(result.steps)) == (StopReason.WINDOW_EXCEEDED, 1)


def test_a_reply_that_is_cut_is_a_named_end(played):
    result, _ = played([say("word " * 500)], max_tokens=100)
    assert result.stop is StopReason.MAX_TOKENS
    assert "word " * 500 > result.answer > "word"
    assert result.steps[0].usage.output == 100


def test_going_round_in_circles_is_a_named_end(played):
    result, _ = played([call("search", text="7001")] * 20, max_steps=20)
    assert result.stop is StopReason.STUCK
    assert len(result.steps) < 10


def test_an_api_error_is_a_named_end_after_as_many_retries_as_the_sdk_makes(played):
    class Overloaded:
        asked = 0

        def next_turn(self, request, results):
            self.asked += 1
            raise ApiError(529, "overloaded_error", "Overloaded")

    model = Overloaded()
    result = run_agent("q", client=FakeClient(model))
    assert (result.stop, model.asked) == (StopReason.API_ERROR, 3)
    assert result.error == "529 overloaded_error: Overloaded"


def test_an_overload_that_passes_is_not_seen(played):
    class Once:
        asked = 0

        def next_turn(self, request, results):
            self.asked += 1
            if self.asked == 1:
                raise ApiError(529, "overloaded_error", "Overloaded")
            return Turn(say("done"))

    result = run_agent("q", client=FakeClient(Once()))
    assert (result.stop, result.answer, len(result.steps)) == (StopReason.END_TURN, "done", 1)


def test_a_refused_request_ends_the_run_and_costs_nothing(search):
    result = run_agent("q", [search], client=FakeClient(Script(endless)), effort="extreme")
    assert (result.stop, result.dollars, result.steps) == (StopReason.API_ERROR, 0, ())
    assert "output_config.effort" in result.error


def test_a_script_that_ends_raises(played):
    with pytest.raises(ScriptEnded, match="the script has 1 steps"):
        played([call("search", text="7001")])


def test_an_interrupt_leaves_a_valid_conversation_and_a_named_end():
    @tool("Wait.")
    def wait():
        raise KeyboardInterrupt

    result = run_agent("q", [wait], client=FakeClient(Script([call("wait"), say("never")])))
    assert result.stop is StopReason.INTERRUPTED
    (results,) = [event for event in result.events if event["event"] == "results"]
    assert results["content"][0]["is_error"]
    assert "interrupted" in results["content"][0]["content"]


def test_replies_that_cannot_be_used_are_billed_and_counted():
    """At a dollar each and a limit of 2.5, three are paid for."""

    class Unusable:
        def next_turn(self, request, results):
            return Turn([{"type": "text", "text": "…"}])

    class Garbled(FakeClient):
        def create(self, **data):
            message = super().create(**data)
            message.stop_reason = "tool_use"
            return message

    class Dear(Ledger):
        def charge(self, model, usage):
            super().charge(model, usage)
            self.total += 1 - (self.charges[-1].dollars or 0)
            return Decimal(1)

    money = Dear(load_catalogue(), DAY, budget=2.5)
    result = run_agent("q", client=Garbled(Unusable()), ledger=money, guards=FREE)
    assert (result.stop, len(result.steps), result.dollars) == (StopReason.MAX_COST, 3, 3)


def test_an_unpriced_model_stops_the_run_unless_told_otherwise(search):
    with pytest.raises(UnknownName, match="model is 'toy-1'"):
        run_agent("q", [search], client=FakeClient(Script([say("x")])), model="toy-1")


def test_the_line_of_a_step_and_the_running_total(played, capsys):
    result, _ = played([call("search", text="7001"), say("done")], verbose=True)
    first, second = capsys.readouterr().out.splitlines()
    assert re.match(
        r"step  1  in +\d+  cache read +0  write +\d+  out +\d+ +[\d.]+ s  \$0\.\d{5}  total", first
    )
    assert first.endswith("search(text='7001')")
    assert second.endswith(f"total ${result.dollars:.5f}  end_turn")


@pytest.mark.parametrize(
    ("options", "field", "value"),
    [
        ({"effort": "low"}, "effort", "low"),
        ({"parallel": False}, "tool_choice", {"type": "auto", "disable_parallel_tool_use": True}),
        ({"thinking": "summarized"}, "thinking", {"type": "adaptive", "display": "summarized"}),
    ],
)
def test_settings_reach_the_request(played, options, field, value):
    _, client = played([say("done")], **options)
    assert getattr(client.sent[0].settings, field) == value


@pytest.mark.parametrize(("cache", "lifetimes"), [("5m", ["5m"]), ("1h", ["1h"]), (None, [])])
def test_two_markers_or_none(played, cache, lifetimes):
    _, client = played([say("done")], cache=cache)
    request = client.sent[0]
    assert [marker.lifetime for marker in request.prompt.markers] == lifetimes
    assert request.automatic == cache


def test_a_lever_changes_what_is_sent_next(played):
    seen = []

    def lever(talk):
        seen.append(len(talk))
        return talk

    played([call("search", text="1"), call("search", text="2"), say("done")], levers=[lever])
    assert seen == [3, 5]


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"max_steps": -1}, OutOfRange, "max_steps is -1"),
        ({"max_cost": -1}, OutOfRange, "max_cost is -1"),
        ({"cache": "2h"}, UnknownName, "cache is '2h'"),
        ({"transcript": "no/such/folder/run.jsonl"}, BadArgument, "transcript is 'no/such/folder/run.jsonl'"),
    ],
)
def test_bad_input_is_named(played, options, error, words):
    with pytest.raises(error, match=words):
        played([say("done")], **options)


def test_two_tools_of_one_name_are_named(played, search):
    with pytest.raises(BadArgument, match="tools of different names"):
        played([say("done")], tools=[search, search])


def test_what_a_lever_returns_is_sent_next(played):
    def cut(talk):
        shorter = Conversation(talk.tools, "Use the tools.", count=lambda block: 10)
        shorter.add("user", [{"type": "text", "text": "Go on."}])
        return shorter

    _, client = played([call("search", text="1"), say("done")], levers=[cut])
    assert [request.prompt.blocks()[-1].role for request in client.sent] == ["user", "user"]
    assert "Go on." in client.sent[1].prompt.blocks()[-1].content
    with pytest.raises(BadArgument, match="lever is None"):
        played([call("search", text="1"), say("done")], levers=[lambda talk: None])


def test_the_guards_of_the_caller_hold(played):
    result, _ = played([call("search", text="x")] * 2 + [say("done")], guards=Guards(identical_calls=1))
    assert "made 1 times already" in result.events[5]["content"][0]["content"]


def test_a_blank_text_is_left_out_and_a_blank_answer_is_none(played):
    result, _ = played([say(" ") + call("search", text="x"), say("\n")])
    assert (result.stop, result.answer, result.error) == (StopReason.END_TURN, "", "")


def test_calls_of_a_reply_that_was_cut_get_a_result(played, tmp_path):
    path = tmp_path / "run.jsonl"
    steps = [call("search", text="x") + say("word " * 500)]
    result, _ = played(steps, max_tokens=60, transcript=path)
    assert result.stop is StopReason.MAX_TOKENS
    assert [event["event"] for event in result.events][-2:] == ["results", "end"]
    again, _ = played([say("done")], transcript=path, resume=True)
    assert (again.stop, again.answer, len(again.steps)) == (StopReason.END_TURN, "done", 2)


def test_a_pause_of_a_providers_tool_goes_on():
    client = FakeClient(Script([say("first"), say("second")]))
    create, asked = client.create, []

    def pausing(**request):
        asked.append(len(request["messages"]))
        if len(asked) == 2:  # as it was sent: the real API goes on from the model's own words
            request["messages"] = list(request["messages"])[:1]
        reply = create(**request)
        if len(asked) == 1:
            reply.stop_reason = "pause_turn"
        return reply

    client.create = pausing
    result = run_agent("q", client=client)
    assert (asked, result.stop, result.answer) == ([1, 2], StopReason.END_TURN, "second")


@pytest.mark.parametrize("name", ["APIConnectionError", "APITimeoutError", "RateLimitError"])
def test_an_error_of_the_real_sdk_is_the_end_of_the_run_and_not_of_the_program(name):
    anthropic, httpx = pytest.importorskip("anthropic"), pytest.importorskip("httpx")
    request = httpx.Request("POST", "https://example.org")
    kind = getattr(anthropic, name)
    if name == "RateLimitError":
        error = kind("slow down", response=httpx.Response(429, request=request), body=None)
    else:
        error = kind(request=request)

    def fails(**data):
        raise error

    client = FakeClient(Script([]))
    client.create = fails
    result = run_agent("q", client=client)
    assert result.stop is StopReason.API_ERROR
    assert name in result.error
    assert result.events[-1]["event"] == "end"


def test_an_error_that_is_nobodys_goes_on_to_the_caller():
    client = FakeClient(Script([]))
    client.create = lambda **data: 1 / 0
    with pytest.raises(ZeroDivisionError):
        run_agent("q", client=client)


def test_an_interrupt_keeps_what_has_finished(search):
    @tool("Wait.")
    def wait():
        raise KeyboardInterrupt

    steps = [call("search", text="x") + call("wait") + call("search", text="y")]
    result = run_agent("q", [search, wait], client=FakeClient(Script(steps)))
    (results,) = [event["content"] for event in result.events if event["event"] == "results"]
    assert [block.get("is_error", False) for block in results] == [False, True, True]


def test_a_model_without_a_price_is_found_before_anything_is_paid(played):
    client = FakeClient(Script([say("done")]))
    with pytest.raises(UnknownName, match="model is 'nobody-1'"):
        run_agent("q", client=client, model="nobody-1")
    assert client.sent == []


def test_the_head_is_marked_for_a_client_that_reads_the_request(search):
    seen = []
    client = FakeClient(Script([say("done")]))
    create = client.create
    client.create = lambda **request: seen.append(request) or create(**request)
    run_agent("q", [search], "Use the tools.", client=client, cache="1h")
    assert seen[0]["system"][-1]["cache_control"] == {"type": "ephemeral", "ttl": "1h"}


def test_replies_that_cannot_be_used_are_paid_for_and_counted():
    client = FakeClient(Script([say("hm"), say("done")]))
    create = client.create

    def names_no_tool(**request):
        reply = create(**request)
        if len(client.sent) == 1:
            reply.stop_reason = "tool_use"
        return reply

    client.create = names_no_tool
    result = run_agent("q", client=client)
    assert (result.unusable, len(result.steps), result.answer) == (1, 2, "done")
    assert result.dollars == sum(step.dollars for step in result.steps)


def test_recorded_tokens_of_a_reply_count_more_than_an_estimate(search):
    client = FakeClient(Script([call("search", text="x"), say("done")]))
    create = client.create

    def wordy(**request):
        reply = create(**request)
        if len(client.sent) == 1:
            reply.usage = Fields({**reply.usage.model_dump(), "output_tokens": 999})
        return reply

    client.create = wordy
    run_agent("q", [search], client=client)
    assert client.sent[1].prompt.blocks()[-2].tokens == 999


def test_a_marker_that_a_lever_sets_is_one(search):
    def marks(talk):
        marked = {
            "type": "text",
            "text": "word " * 2_000,
            "cache_control": {"type": "ephemeral", "ttl": "1h"},
        }
        talk.add("user", [marked])
        return talk

    client = FakeClient(Script([call("search", text="x"), say("done")]))
    result = run_agent("q", [search], client=client, cache=None, levers=[marks])
    assert result.steps[1].usage.cache_write_1h > 2_000


def test_the_same_call_again_and_again_runs_three_times_and_the_run_is_stuck():
    ran = []

    @tool("List a folder.", p={"type": "string"})
    def ls(p):
        ran.append(p)
        return "a.txt"

    result = run_agent("q", [ls], client=FakeClient(Script([call("ls", p="/x")] * 6)))
    assert (len(ran), result.stop, result.answer) == (3, StopReason.STUCK, "")
    assert result.dollars == sum(step.dollars for step in result.steps) > 0
