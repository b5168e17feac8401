"""Noise: as often as the rates say, told in the transcript, and never seen by the model that it wraps."""

import math
from collections import Counter
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simlib.agent.call import calls_in
from simlib.agent.guards import Guards
from simlib.agent.loop import run_agent
from simlib.agent.stop import StopReason
from simlib.agent.tool import tool
from simlib.errors import ApiError, NotAGenerator, NotANumber, OutOfRange, SimlibError
from simlib.models.client import FakeClient
from simlib.models.noisy import NoiseRates, Noisy
from simlib.models.recording import Recording
from simlib.models.replay import Replay
from simlib.models.replayed import replay
from simlib.models.scripted import Script, call, say, think
from simlib.models.turn import Turn
from simlib.theory.reliability import attempts_distribution

OPEN = Guards(None, None, None)
CALL, LIST, ANSWER = call("search", text="port"), call("listing"), say("Growth.")


@tool("Search.", text={"type": "string"}, unexpected={"type": "boolean"})
def search(text, unexpected=False):
    return f"found {text}"


@tool("List.")
def listing():
    return "a, b, c"


def noisy(model, seed=7, **rates):
    return Noisy(model, NoiseRates(**rates), np.random.default_rng(seed))


def run(model, **options):
    options = {"guards": OPEN, "max_steps": 80, **options}
    return run_agent("question", [search, listing], "Rules.", client=FakeClient(model), **options)


def noise_in(result):
    """How often each thing stands in a transcript."""
    notes = [event["text"] for event in result.events if event["event"] == "note"]
    return Counter(note.removeprefix("noise: ") for note in notes if note.startswith("noise: "))


def looking(seen):
    """A script that reacts, and keeps what it was sent."""

    def steps():
        found = ["port"]
        for _ in range(3):
            found = yield think("hm") + say("I look.") + call("search", text=found[0]) + LIST
            seen.append(found)
            seen.append((yield LIST))
        yield say(f"It says: {found[0]}")

    return steps


class Round:
    """A model that says the same steps again and again, and knows how many got through."""

    def __init__(self, *steps):
        self.steps, self.asked = steps, 0

    def next_turn(self, request, results):
        self.asked += 1
        return Turn(self.steps[(self.asked - 1) % len(self.steps)])


def within(count, chances, rate):
    """Whether a count lies within 4 standard errors of what a rate gives."""
    return abs(count - chances * rate) <= 4 * math.sqrt(chances * rate * (1 - rate))


def test_each_thing_happens_as_often_as_its_rate_says_where_it_can():
    """What can go wrong is known from outside: the step that is due, and the one that got through last."""
    rates = {
        "wrong": 0.15,
        "repeated": 0.2,
        "malformed": 0.1,
        "refused": 0.08,
        "overloaded": 0.12,
        "cut": 0.05,
    }
    steps = (CALL, LIST, ANSWER)
    model = noisy(Round(*steps), **rates)
    chances, counts, through, owes = Counter(), Counter(), 0, False
    for _ in range(6_000):
        due, before = steps[through % 3], steps[(through - 1) % 3] if through else ANSWER
        can = {
            "wrong": due is not LIST,  # which has no arguments that could be others
            "repeated": before is not ANSWER and not owes,
            "malformed": due is not ANSWER,
            "refused": True,
            "overloaded": True,
            "cut": True,
        }
        chances.update(name for name in can if can[name])
        try:
            notes = model.next_turn({}, ["x"]).notes
        except ApiError:
            counts["overloaded"] += 1
            continue
        kinds = [note.removeprefix("noise: ") for note in notes if note != "noise: overloaded"]
        counts.update(kinds)
        through += not kinds
        owes = (owes or bool(kinds)) and kinds not in ([], ["repeated"])
    assert counts == model.counts
    assert all(within(counts[name], chances[name], rate) for name, rate in rates.items()), (counts, chances)
    assert min(chances.values()) > 1_000


@pytest.mark.parametrize("rate", [0.1, 0.5])
def test_attempts_of_a_step_are_geometric(rate):
    """As those of a checked step whose errors are all noticed: the closed form is theory's."""
    model, attempts, tries = noisy(Round(CALL), wrong=rate), Counter(), 0
    for _ in range(4_000):
        tries += 1
        if not model.next_turn({}, ["x"]).notes:
            attempts[tries] += 1
            tries = 0
    tasks = attempts.total()
    law = attempts_distribution(1 - rate, 1, retries=40)
    assert all(within(attempts[at + 1], tasks, chance) for at, chance in enumerate(law) if chance * tasks > 5)
    mean = sum(at * number for at, number in attempts.items()) / tasks
    assert abs(mean - 1 / (1 - rate)) <= 4 * math.sqrt(rate / tasks) / (1 - rate)


some = st.floats(0, 0.16)


@settings(max_examples=35)
@given(
    seed=st.integers(0, 2**32),
    rates=st.fixed_dictionaries({name: some for name in asdict(NoiseRates())}),
)
def test_the_model_is_sent_what_it_really_asked_for_and_the_transcript_says_what_was_done(seed, rates):
    meant, seen = [], []
    whole = run(Script(looking(meant)))
    model = noisy(Script(looking(seen)), seed, **rates)
    result = run(model)
    assert seen == meant[: len(seen)]
    told = noise_in(result)
    if result.stop is StopReason.API_ERROR:
        told["overloaded"] += 3  # after which there was no reply to note it at
    assert told == model.counts
    if result.stop is StopReason.END_TURN:
        assert not told["refused"]
        assert not told["cut"]
        assert (result.answer == whole.answer) == (not answered_wrong(result))
        if result.answer == whole.answer:
            assert seen == meant
    ids = [
        block["id"]
        for event in result.events
        if event["event"] == "reply"
        for block in event["content"]
        if "id" in block
    ]
    assert len(set(ids)) == len(ids)
    assert replay(Recording(result.events), [search, listing], guards=OPEN).differences == ()


def answered_wrong(result):
    """Whether the last reply was another answer than was meant."""
    *_, before, last, _ = [event for event in result.events if event["event"] != "results"]
    return last["event"] == "reply" and before == {"event": "note", "text": "noise: wrong"}


def test_malformed_arguments_never_pass_the_schema():
    """Of a tool with an argument of any name, and of one without arguments."""
    model = noisy(Script([CALL + LIST, LIST, say("done")]), malformed=0.8)
    result = run(model)
    assert result.answer == "done"
    bad = [
        event
        for event in result.events
        if event["event"] == "results" and event["content"][0].get("is_error")
    ]
    assert len(bad) == model.counts["malformed"] > 2
    for event in bad:
        assert event["ran"] == []
        assert all("was not run: there is no argument" in block["content"] for block in event["content"])


def test_a_wrong_step_asks_for_something_else_that_is_allowed():
    result = run(noisy(Script([CALL, say("done")]), wrong=0.8, seed=3), max_steps=200)
    asked = [step.calls[0].arguments["text"] for step in result.steps if step.calls]
    assert set(asked) == {"port", "ortp"}
    assert asked[-1] == "port"
    assert all(event["ran"] for event in result.events if event["event"] == "results")


@pytest.mark.parametrize("value", ["", "a", "aa", "ab", 0, -3, 2.5])
def test_what_is_wrong_is_never_what_was_meant(value):
    for step in (call("search", text=value), say(str(value) or "x")):
        turn = noisy(Script([step]), wrong=1).next_turn({}, [])
        assert turn.notes == ("noise: wrong",)
        assert turn.content != step
    (other,) = noisy(Script([call("search", text=value)]), wrong=1).next_turn({}, []).content
    assert type(other["input"]["text"]) is type(value)


@pytest.mark.parametrize("given", [{}, {"all": True}, {"of": ["x"]}, ["x"], "x", None])
def test_what_cannot_be_wrong_gets_through_and_nothing_is_noted(given):
    block = {"type": "tool_use", "id": "t1", "name": "search", "input": given}
    model = noisy(Script([[block], [block]]), wrong=1)
    assert model.next_turn({}, []) == Turn([block])
    assert model.counts == {}
    kinds = noisy(Script([[block], [block]]), malformed=1)
    assert bool(kinds.next_turn({}, []).notes) == isinstance(given, dict)


@pytest.mark.parametrize(
    ("kind", "stop", "answer"),
    [("refused", "refusal", ""), ("cut", "max_tokens", "Gro")],
)
def test_refused_and_cut_replies_end_the_run_with_their_reason(kind, stop, answer):
    result = run(noisy(Script([ANSWER]), **{kind: 1}))
    assert (result.stop, result.answer) == (stop, answer)
    assert noise_in(result) == {kind: 1}
    assert run(noisy(Script([CALL]), **{kind: 1})).stop == stop


def test_a_cut_reply_keeps_what_came_before():
    """Of two calls the second is gone, and the first is not run, as nobody knows whether it was whole."""
    result = run(noisy(Script([think("hm") + CALL + LIST]), cut=1))
    reply, results = (next(e for e in result.events if e["event"] == kind) for kind in ("reply", "results"))
    assert [block["type"] for block in reply["content"]] == ["thinking", "tool_use"]
    assert "did not finish" in results["content"][0]["content"]
    assert run(noisy(Script([say("x")]), cut=1)).answer == ""


def test_overloads_end_the_run_after_the_clients_retries():
    client = FakeClient(model := noisy(Script([ANSWER]), overloaded=1))
    result = run_agent("question", client=client)
    assert (result.stop, result.error) == ("api_error", "529 overloaded_error: Overloaded (injected)")
    assert (model.counts, client.now(), result.steps) == ({"overloaded": 3}, 1.5, ())


def test_overloads_that_pass_are_noted_at_the_reply():
    """With two of them before each reply, which the client asks again for."""
    seed = next(seed for seed in range(200) if drawn(seed, 6, 0.6) == [True, True, False] * 2)
    result = run(model := noisy(Script([CALL, ANSWER]), seed, overloaded=0.6))
    assert result.answer == "Growth."
    kinds = [event["text" if event["event"] == "note" else "event"] for event in result.events]
    told = ["noise: overloaded"] * 2
    assert kinds == ["start", "task", *told, "reply", "results", *told, "reply", "end"]
    assert model.counts == {"overloaded": 4}


def drawn(seed, requests, rate):
    """Whether the one thing that can happen at a rate happens to each request."""
    return (np.random.default_rng(seed).random(requests) < rate).tolist()


def test_the_fourth_time_a_call_is_refused_and_the_run_ends_well():
    """A run in which the first call is repeated three times, with the guards as they are."""

    def script(seen):
        def steps():
            seen.append((yield CALL))
            yield ANSWER

        return steps

    seed = next(seed for seed in range(999) if drawn(seed, 6, 0.7)[1:] == [True] * 3 + [False] * 2)
    seen = []
    result = run(model := noisy(Script(script(seen)), seed, repeated=0.7), guards=Guards())
    results = [e["content"][0]["content"] for e in result.events if e["event"] == "results"]
    assert results[:3] == ["found port"] * 3
    assert results[3].startswith("refused: this very call was made 3 times already")
    assert (len(results), model.counts) == (4, {"repeated": 3})
    assert (result.stop, result.answer, seen) == ("end_turn", "Growth.", [["found port"]])


def test_a_model_that_only_repeats_is_stuck():
    assert run(noisy(Script([CALL]), repeated=1), guards=Guards()).stop is StopReason.STUCK


def test_the_same_seed_is_the_same_run():
    rates = {"wrong": 0.2, "repeated": 0.2, "malformed": 0.1, "overloaded": 0.1}
    one, again, other = (run(noisy(Script(looking([])), seed, **rates)) for seed in (5, 5, 6))
    assert one.events == again.events
    assert one.events != other.events


def test_without_noise_nothing_changes():
    plain, wrapped = run(Script(looking([]))), run(noisy(Script(looking([]))))
    assert plain.events == wrapped.events


@pytest.mark.parametrize("tokens", ["recorded", "recomputed"])
@pytest.mark.parametrize("kind", ["wrong", "repeated", "malformed"])
def test_noise_around_a_lenient_replay(kind, tokens):
    """The replies are the recorded ones in the end, and no call has an id that another one has."""
    recording = Recording(run(Script(looking([]))).events)
    model = noisy(inner := Replay(recording, strict=False, tokens=tokens), seed=3, **{kind: 0.6})
    result = run(model)
    ids = [call.id for step in result.steps for call in step.calls]
    assert len(set(ids)) == len(ids)
    assert inner.unused == 0
    assert noise_in(result) == model.counts
    assert model.counts[kind] > 1
    meant = {call.id for reply in recording.replies for call in calls_in(reply["content"])}
    assert meant <= set(ids)


def test_what_is_said_in_a_recorded_turns_place_has_no_recorded_tokens():
    recording = Recording(run(Script([CALL, ANSWER])).events)
    request = {**recording.settings, "messages": [{"role": "user", "content": "question"}]}
    turn = noisy(Replay(recording, strict=False), wrong=1).next_turn(request, [])
    assert (turn.usage, turn.seconds, turn.notes) == (None, None, ("noise: wrong",))
    assert (turn.stop_reason, turn.content[0]["input"]) == ("tool_use", {"text": "ortp"})


def test_a_call_without_arguments_cannot_be_wrong_in_a_replay_either():
    recording = Recording(run(Script([LIST, ANSWER])).events)
    model = noisy(Replay(recording, strict=False), wrong=1)
    assert run(model).answer == "rowth.G"
    assert model.counts == {"wrong": 1}


@pytest.mark.parametrize("name", asdict(NoiseRates()))
@pytest.mark.parametrize(
    ("rate", "error"),
    [(-0.1, OutOfRange), (1.1, OutOfRange), (math.nan, SimlibError), ("x", NotANumber), (None, NotANumber)],
)
def test_a_bad_rate_is_named(name, rate, error):
    with pytest.raises(error, match=name):
        NoiseRates(**{name: rate})


def test_rates_of_more_than_one_together_are_named():
    with pytest.raises(OutOfRange, match=r"rates is .* allowed: rates of at most 1 together"):
        NoiseRates(wrong=0.6, cut=0.5)
    NoiseRates(*[1 / 6] * 6)
    with pytest.raises(SimlibError, match="wrong"):
        NoiseRates(wrong=[0.1, 0.2])


@pytest.mark.parametrize("rng", [7, None, np.random, np.random.RandomState(7)])
def test_what_is_no_generator_is_named(rng):
    with pytest.raises(NotAGenerator, match=r"rng is .*; allowed: a numpy Generator"):
        Noisy(Script([]), NoiseRates(), rng)
