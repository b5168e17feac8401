"""Replays: what is asked differently is found at its call and its place, and what was recorded is played."""

import json
import pickle
from copy import deepcopy
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simlib.agent.approval import Decision
from simlib.agent.conversation import Conversation
from simlib.agent.guards import Guards
from simlib.agent.loop import run_agent
from simlib.agent.stop import StopReason
from simlib.agent.tool import tool
from simlib.agent.transcript import BadTranscript, read_transcript
from simlib.billing.cache.choose import cache_for
from simlib.billing.catalogue import load_catalogue
from simlib.errors import ApiError, UnknownName
from simlib.models.client import DAY, FakeClient
from simlib.models.continued import continued
from simlib.models.recording import Recording, read_recording
from simlib.models.replay import RecordingEnded, Replay, ReplayMiss
from simlib.models.replayed import replay
from simlib.models.scripted import Script, call, say, think
from simlib.models.turn import Turn

RULES = "Use the tools. " * 60
STEPS = [
    think("hm") + say("I look.") + call("search", text="a"),
    call("search", text="b") + call("search", text="c"),
    say("done"),
]


@tool("Search.", text={"type": "string"})
def search(text):
    return f"found {text}"


@tool("List.")
def listing():
    return "a, b, c"


searching = replace(search, function=lambda text: f"found {text}" if text != "c" else "found C")
other_words = replace(search, description="Find.")
other_schema = replace(search, parameters={"text": {"type": "string", "minLength": 1}})

RUN = {"task": "question", "tools": [search, listing], "system": RULES, "effort": "low"}


def run(speaker, **options):
    return run_agent(**{**RUN, **options}, client=FakeClient(speaker))


def recorded(steps=STEPS, **options):
    return Recording(run(Script(steps), **options).events)


class Raising:
    """A model that says its steps, and then fails."""

    def __init__(self, steps, error):
        self._steps, self._error = list(steps), error

    def next_turn(self, request, results):
        if not self._steps:
            raise self._error
        return Turn(self._steps.pop(0))


def forgetting(talk):
    """A lever that takes the first result away once there are two."""
    if len(talk) < 5 or talk[2]["content"][0]["content"] == "cleared":
        return talk
    messages = deepcopy([*talk])
    messages[2]["content"][0]["content"] = "cleared"
    return talk.rewritten(messages)


def without_times(events):
    """Events without notes and times, which are rounded in a recording."""
    events = [
        {name: value for name, value in event.items() if name not in ("at", "seconds")} for event in events
    ]
    return [event for event in events if event["event"] != "note"]


def test_a_request_that_was_not_recorded_is_an_error_and_nobody_else_is_asked():
    """Recorded A, B; asked A, C. The second reply is left, and there is no model to fall through to."""
    recording = recorded([say("I go on.") + call("search", text="a"), say("done")])
    changed = replace(search, function=lambda text: "found nothing")
    model = Replay(recording)
    with pytest.raises(ReplayMiss) as caught:
        run(model, tools=[changed, listing])
    miss = caught.value
    assert (miss.difference.call, miss.unused, model.unused, model.played) == (2, 1, 1, 1)
    assert miss.difference.place == "messages[2].content[0].content"
    assert str(miss) == (
        "call 2: messages[2].content[0].content is 'found nothing', the recording has 'found a'; "
        "1 reply not used"
    )
    assert pickle.loads(pickle.dumps(miss)).args == miss.args


@pytest.mark.parametrize(
    ("options", "call", "place", "words"),
    [
        (
            {"task": "questiom"},
            1,
            "messages[0].content[0].text",
            "is 'questiom', the recording has 'question'",
        ),
        ({"system": RULES + "!"}, 1, "system[0].text", "tools. !'"),
        ({"system": ""}, 1, "system", "is nothing"),
        ({"tools": [other_words, listing]}, 1, "tools[0].description", "is 'Find.'"),
        (
            {"tools": [other_schema, listing]},
            1,
            "tools[0].input_schema.properties.text.description",
            "is 'minLength 1', the recording has nothing",
        ),
        ({"tools": [listing, search]}, 1, "tools[0].description", "is 'List.', the recording has 'Search.'"),
        ({"tools": [search]}, 1, "tools[1]", "is nothing"),
        ({"model": "claude-opus-5-5"}, 1, "model", "is 'claude-opus-5-5'"),
        ({"max_tokens": 7_999}, 1, "max_tokens", "is 7999, the recording has 8000"),
        ({"effort": "high"}, 1, "output_config.effort", "is 'high', the recording has 'low'"),
        ({"effort": None}, 1, "output_config", "is nothing"),
        ({"thinking": "omitted"}, 1, "thinking", "the recording has nothing"),
        ({"cache": "1h"}, 1, "cache_control.ttl", "is '1h', the recording has nothing"),
        ({"cache": None}, 1, "cache_control", "is nothing"),
        ({"parallel": False}, 1, "tool_choice", "the recording has nothing"),
        ({"tools": [searching, listing]}, 3, "messages[4].content[1].content", "'found C'"),
        ({"levers": [forgetting]}, 3, "messages[2].content[0].content", "is 'cleared'"),
    ],
)
def test_every_change_is_found_at_its_call_and_place(options, call, place, words):
    model = Replay(recorded())
    with pytest.raises(ReplayMiss) as caught:
        run(model, **options)
    assert (caught.value.difference.call, caught.value.difference.place) == (call, place)
    assert words in str(caught.value)
    assert caught.value.unused == 4 - call


def test_a_lever_that_the_run_had_and_this_one_has_not_is_found():
    """What it changed lies before what was compared already."""
    recording = recorded(levers=[forgetting])
    with pytest.raises(ReplayMiss, match=r"call 3: messages.2..content.0..content is 'found a'"):
        run(Replay(recording))
    assert run(Replay(recording), levers=[forgetting]).answer == "done"
    assert replay(recording, RUN["tools"], levers=[forgetting]).lines()[0] == "no request differs"


def plainly(client, extra=(), kept=lambda block: block.model_dump(exclude_none=True)):
    """A harness with lists of its own, which keeps replies in its way; returns what was said, in the end."""
    head = run_agent(**RUN, client=FakeClient(Script([say("x")]))).events[1]
    rest = {name: value for name, value in head.items() if name not in ("event", "task")}
    messages = [{"role": "user", "content": [{"type": "text", "text": "question"}]}, *extra]
    while True:
        reply = client.messages.create(messages=messages, **rest)
        content = [kept(block) for block in reply.content]
        calls = [block for block in reply.content if block.type == "tool_use"]
        if not calls:
            return reply.content[0].text
        results = [
            {"type": "tool_result", "tool_use_id": block.id, "content": search(**block.input)}
            for block in calls
        ]
        messages += [{"role": "assistant", "content": content}, {"role": "user", "content": results}]


def of_the_sdk(block):
    types = pytest.importorskip("anthropic.types")
    kinds = {"text": types.TextBlock, "tool_use": types.ToolUseBlock, "thinking": types.ThinkingBlock}
    return kinds[block.type].model_validate(block.model_dump())


def test_a_client_with_plain_lists_is_compared_too():
    """Of dicts, or with our own objects or the SDK's in them, which have fields that say nothing."""
    assert plainly(FakeClient(Replay(recorded()))) == "done"
    assert plainly(FakeClient(Replay(recorded())), kept=lambda block: block) == "done"
    assert plainly(FakeClient(Replay(recorded())), kept=of_the_sdk) == "done"


def test_a_conversation_that_the_recording_catches_up_with_is_compared_from_where_both_were():
    recording = recorded()
    talk = Conversation([], "", count=lambda block: 1)
    for words in ("question", "And?", "Well?"):
        talk.add("user", [{"type": "text", "text": words}])
    model = Replay(recording, strict=False)
    for _ in range(2):
        model.next_turn({**recording.settings, "messages": talk}, [])
    for number in (1, 2):
        places = {each.place.split(".")[0] for each in model.differences if each.call == number}
        assert places == {"messages[1]", "messages[2]"}


def test_a_message_more_or_less_is_found():
    more = [{"role": "user", "content": [{"type": "text", "text": "Be quick."}]}]
    with pytest.raises(ReplayMiss, match=r"call 1: messages.1. is .*Be qu…, the recording has nothing"):
        plainly(FakeClient(Replay(recorded())), extra=more)
    steps = [say("a") + call("search", text="a"), say("done")]
    model = Replay(recorded(steps))
    model.next_turn({**model.recording.settings, "messages": plain_task()}, [])
    with pytest.raises(ReplayMiss, match=r"call 2: messages.1. is nothing, the recording has"):
        model.next_turn({**model.recording.settings, "messages": plain_task()}, [])


def plain_task():
    return [{"role": "user", "content": [{"type": "text", "text": "question"}]}]


def test_nothing_differs_in_the_run_that_was_recorded():
    first = run(Script(STEPS))
    again = replay(Recording(first.events), RUN["tools"])
    assert again.lines() == ["no request differs", "0 replies not used", "tokens: recorded"]
    assert without_times(again.result.events) == without_times(first.events)
    assert [step.seconds for step in again.result.steps] == pytest.approx([s.seconds for s in first.steps])
    assert again.result.events[2] == {
        "event": "note",
        "text": "replayed from a recording, tokens recorded",
    }


def test_replies_that_nobody_asked_for_are_reported():
    model = Replay(recorded())
    assert run(model, max_steps=1).stop is StopReason.MAX_STEPS
    assert model.unused == 2
    stuck = recorded([call("search", text="a")] * 3 + [say("done")], guards=Guards(no_progress=2))
    assert stuck.end["stop"] == "stuck"
    earlier = replay(stuck, RUN["tools"], guards=Guards(no_progress=1))
    assert earlier.lines()[1] == "1 reply not used"


def test_a_run_that_asks_once_too_often_gets_no_answer():
    model = Replay(recorded(max_steps=2))
    with pytest.raises(RecordingEnded, match="the recording has 2 replies, and another one was asked for"):
        run(model)
    with pytest.raises(RecordingEnded, match="another one"):  # and again
        model.next_turn({"messages": []}, [])


def paused(call):
    return Decision(call.arguments["text"] != "c", 400)


@pytest.mark.parametrize(
    ("model", "options", "given", "stop"),
    [
        (lambda: Script([say("done")]), {}, {}, "end_turn"),
        (lambda: Script([*STEPS[:2], say("word " * 600)]), {"max_tokens": 500}, {}, "max_tokens"),
        (lambda: Script(STEPS), {"max_steps": 2}, {}, "max_steps"),
        (lambda: Script([]), {"max_steps": 0}, {}, "max_steps"),
        (lambda: Script([call("search", text="a")] * 9), {}, {}, "stuck"),
        (lambda: Script([*[call("search", text="a")] * 5, say("x")]), {}, {}, "end_turn"),  # refused twice
        (
            lambda: Script([call("search"), call("serch"), call("search", text="a", more=1), say("x")]),
            {},
            {},
            "end_turn",
        ),
        (lambda: Raising(STEPS[:2], ApiError(529, "overloaded_error", "Over: loaded")), {}, {}, "api_error"),
        (lambda: Raising([], ApiError(401, "authentication_error", "no key")), {}, {}, "api_error"),
        (lambda: Script(STEPS), {"tools": [search.approved(), listing]}, {}, "end_turn"),
        (
            lambda: Script(STEPS),
            {"tools": [search.approved(), listing], "approve": paused},
            {"approve": paused},
            "end_turn",
        ),
        (lambda: Script(STEPS), {"levers": [forgetting]}, {"levers": [forgetting]}, "end_turn"),
        (lambda: Script([think("hm") + say("x")]), {"cache": "1h", "thinking": "summarized"}, {}, "end_turn"),
        (
            lambda: Script(STEPS),
            {"parallel": False, "cache": None, "effort": None, "system": ""},
            {},
            "end_turn",
        ),
    ],
)
@pytest.mark.parametrize("tokens", ["recorded", "recomputed"])
def test_runs_of_every_end_play_again(model, options, given, stop, tokens):
    first = run(model(), **options)
    again = replay(Recording(first.events), options.get("tools", RUN["tools"]), tokens=tokens, **given)
    assert (first.stop, again.result.stop) == (stop, stop)
    assert again.lines() == ["no request differs", "0 replies not used", f"tokens: {tokens}"]
    assert again.result.error == first.error
    if stop != "max_tokens" or tokens == "recorded":  # a text that was cut is shorter than what was paid for
        assert [step.usage for step in again.result.steps] == [step.usage for step in first.steps]
        assert without_times(again.result.events) == without_times(first.events)
    at = [
        [event["at"] for event in each.events if event["event"] == "reply"] for each in (first, again.result)
    ]
    assert at[1] == pytest.approx(at[0], abs=0.001 * len(at[0]))


def test_the_request_that_got_an_error_is_compared_too():
    failed = run(Raising(STEPS[:1], ApiError(400, "invalid_request_error", "no")))
    changed = replace(search, function=lambda text: "else")
    with pytest.raises(ReplayMiss, match=r"call 2: messages\[2\].content\[0\].content is 'else'.*0 replies"):
        replay(Recording(failed.events), [changed, listing])


def test_a_reply_without_blocks_is_answered_as_it_was():
    class Empty:
        turns = iter([Turn([], "tool_use"), Turn(say("done"))])

        def next_turn(self, request, results):
            return next(self.turns)

    recording = Recording(run(Empty()).events)
    assert replay(recording, RUN["tools"]).lines()[0] == "no request differs"


def test_a_run_that_ended_by_an_interrupt_says_so():
    """Its tool is not interrupted again, but nobody had asked a model with its result."""

    def approve(call):
        raise KeyboardInterrupt

    first = run(Script(STEPS), tools=[search.approved(), listing], approve=approve)
    assert first.stop is StopReason.INTERRUPTED
    again = replay(Recording(first.events), [search, listing])
    assert again.lines() == [
        "no request differs",
        "0 replies not used",
        "tokens: recorded",
        "it ended with max_steps, the recording with interrupted",
    ]


@pytest.mark.parametrize("lines", range(2, 8))
def test_a_cut_transcript_plays_as_far_as_it_goes(tmp_path, lines):
    path = tmp_path / "run.jsonl"
    run(Script(STEPS), transcript=path)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:lines]) + '{"event": "rep')
    again = replay(read_recording(path), RUN["tools"])
    assert again.lines() == ["no request differs", "0 replies not used", "tokens: recorded"]
    assert len(again.result.steps) == (lines - 1) // 2


@pytest.mark.parametrize("lines", [2, 4, 6])
def test_a_run_that_was_cut_between_steps_and_went_on_plays_as_one(tmp_path, lines):
    path = tmp_path / "run.jsonl"
    run(Script(STEPS), transcript=path)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:lines]))
    run(continued(STEPS, read_transcript(path).events), transcript=path, resume=True)
    assert replay(read_recording(path), RUN["tools"]).lines()[0] == "no request differs"


def test_an_interrupted_call_that_runs_now_is_found(tmp_path):
    path = tmp_path / "run.jsonl"
    run(Script(STEPS), transcript=path)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:3]))
    run(continued(STEPS, read_transcript(path).events), transcript=path, resume=True)
    with pytest.raises(
        ReplayMiss, match=r"call 2: .* is 'found a', the recording has 'interrupted: this call"
    ):
        replay(read_recording(path), RUN["tools"])


def test_leniently_each_difference_is_listed_once_and_the_run_goes_on():
    recording = recorded([call("search", text=text) for text in "abc"] + [say("done")])
    again = run(model := Replay(recording, strict=False), tools=[searching, listing], system=RULES + "!")
    assert again.answer == "done"
    assert [(each.call, each.place) for each in model.differences] == [
        (1, "system[0].text"),
        (4, "messages[6].content[0].content"),
    ]
    played = replay(recording, [other_words], strict=False)
    assert played.result.answer == "done"
    assert [line.split(" is ")[0] for line in played.lines()] == [
        "call 1: tools[0].description",
        "call 1: tools[1]",
        "0 replies not used",
        "tokens: recorded",
    ]


def test_leniently_what_changes_from_call_to_call_is_listed_each_time():
    model = Replay(recorded(), strict=False)
    first = model.recording.settings | {"messages": plain_task()}
    for system in ("It is 10:02.", "It is 10:03.", "It is 10:03."):
        model.next_turn(first | {"system": [{"type": "text", "text": system}]}, [])
    assert [each.call for each in model.differences if each.place == "system[0].text"] == [1, 2]


def test_tokens_are_recorded_or_worked_out_anew_and_it_says_which():
    """A recording of another tokenizer: its counts are kept, or replaced by the client's own."""
    first = run(Script(STEPS))
    halved = []
    for event in first.events:
        if event["event"] == "reply":
            usage = {**event["usage"], "output_tokens": event["usage"]["output_tokens"] + 1_000}
            event = {**event, "usage": usage, "seconds": 60.0}
        halved.append(event)
    recording = Recording(tuple(halved))
    kept, anew = (replay(recording, RUN["tools"], tokens=tokens) for tokens in ("recorded", "recomputed"))
    for mine, step in zip(kept.result.steps, first.steps, strict=True):
        assert (mine.usage.output, mine.seconds) == (step.usage.output + 1_000, 60.0)
    assert [step.usage for step in anew.result.steps] == [step.usage for step in first.steps]
    assert [step.seconds for step in anew.result.steps] == [step.seconds for step in first.steps]
    assert (kept.lines()[-1], anew.lines()[-1]) == ("tokens: recorded", "tokens: recomputed")
    with pytest.raises(UnknownName, match="tokens"):
        Replay(recording, tokens="guessed")


def test_the_dollars_are_those_of_the_day():
    """Reads of Sonnet 5.5 cost half from 2026-10-07 on."""
    recording = recorded(model="claude-sonnet-5-5")
    old, new = (
        replay(recording, RUN["tools"], day=day).result for day in (date(2026, 10, 6), date(2026, 10, 7))
    )
    reads = sum(step.usage.cache_read for step in new.steps)
    assert reads > 0
    assert float(old.dollars - new.dollars) == pytest.approx(reads * 0.10 / 1e6)


@pytest.mark.parametrize("tokens", ["recorded", "recomputed"])
@pytest.mark.parametrize("model", ["gpt-4o", "gemini-2.5-pro", "claude-opus-4-8"])
def test_another_providers_run_plays_with_its_own_cache(model, tokens):
    catalogue = load_catalogue()
    client = FakeClient(Script(STEPS), cache=cache_for(model, catalogue, DAY))
    first = run_agent(**{**RUN, "effort": None}, client=client, model=model)
    again = replay(Recording(first.events), RUN["tools"], tokens=tokens)
    assert again.lines()[0] == "no request differs"
    assert [step.usage for step in again.result.steps] == [step.usage for step in first.steps]
    assert again.result.dollars == first.dollars


asked = st.sampled_from(
    [
        call("search", text="a"),
        call("search", text="b"),
        call("search"),
        call("serch"),
        call("listing"),
        say("I look.") + call("search", text="a") + call("listing"),
        think("hm") + call("listing"),
        say(" ") + call("search", text="c"),
    ]
)
scripts = st.tuples(
    st.lists(asked, max_size=6), st.sampled_from([say("done"), say(" "), think("hm") + say("x")])
)


@settings(max_examples=35)
@given(
    script=scripts,
    cache=st.sampled_from([None, "5m", "1h"]),
    max_steps=st.integers(0, 7),
    levers=st.sampled_from([[], [forgetting]]),
)
def test_what_was_recorded_never_differs(script, cache, max_steps, levers):
    first = run(Script([*script[0], script[1]]), cache=cache, max_steps=max_steps, levers=levers)
    written = [json.loads(json.dumps(event, default=str)) for event in first.events]
    again = replay(Recording(tuple(written)), RUN["tools"], levers=levers)
    assert again.differences == ()
    assert again.unused == 0
    assert [step.usage for step in again.result.steps] == [step.usage for step in first.steps]
    assert again.result.dollars == first.dollars


def leaves(piece, path=()):
    """The places of all values in a piece of JSON."""
    items = piece.items() if isinstance(piece, dict) else enumerate(piece) if isinstance(piece, list) else ()
    for name, value in items:
        yield from leaves(value, (*path, name))
    if not isinstance(piece, (dict, list)) or not piece:
        yield path


def another(value, at):
    """Another value of the same kind."""
    if isinstance(value, str):
        return value[:at] + "~" + value[at:]
    return not value if isinstance(value, bool) else ["more"] if value in ([], {}, None) else value + 1


@settings(max_examples=35)
@given(data=st.data(), script=scripts)
def test_whatever_is_changed_in_what_was_asked_is_found(data, script):
    """One value of the task's line, or of results that were sent on."""
    steps = [*script[0], script[1]]
    events = deepcopy(list(run(Script(steps), cache="1h").events))
    sent = [event for event in events if event["event"] in ("task", "results")]
    event = data.draw(st.sampled_from(sent if events[-1]["stop"] != "stuck" else sent[:-1]))
    part = {name: value for name, value in event.items() if name not in ("event", "step", "ran")}
    *way, last = data.draw(st.sampled_from(list(leaves(part))))
    inner = event
    for name in way:
        inner = inner[name]
    inner[last] = another(inner[last], data.draw(st.integers(0, 40)))
    with pytest.raises((ReplayMiss, BadTranscript)) as caught:
        run(Replay(Recording(tuple(events))), cache="1h")
    if isinstance(caught.value, ReplayMiss):
        assert caught.value.difference.call == event.get("step", 0) + 1
