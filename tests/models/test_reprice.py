"""Pricing a recording anew: what really running the same script with those settings uses and costs."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simlib.agent.approval import Decision
from simlib.agent.loop import run_agent
from simlib.agent.tool import tool
from simlib.billing.cache.choose import cache_for
from simlib.billing.catalogue import load_catalogue
from simlib.errors import ApiError, BadArgument, OutOfRange, UnknownName
from simlib.models.client import DAY, FakeClient
from simlib.models.recording import Recording
from simlib.models.reprice import reprice
from simlib.models.scripted import Script, call, say, think
from simlib.models.turn import Turn

CATALOGUE = load_catalogue()
RULES = "Use the tools. " * 200
STEPS = [
    think("hm") + say("I look.") + call("search", text="a"),
    call("search", text="b") + call("search", text="c"),
    call("search", text="d"),
    say("done"),
]


@tool("Search.", text={"type": "string"})
def search(text):
    return f"found {text} " * 300


def run(script=STEPS, model="claude-haiku-5-5", cache="5m", **options):
    """A run as it really goes; the hidden tokens of the model's tools are the client's."""
    client = FakeClient(Script(script), catalogue=CATALOGUE, cache=cache_for(model, CATALOGUE, DAY))
    options = {"tools": [search], "system": RULES, **options}
    return run_agent("question", client=client, model=model, cache=cache, **options)


def recorded(*args, **options):
    return Recording(run(*args, **options).events)


def assert_as_run(again, result):
    assert list(again.usages) == [step.usage for step in result.steps]
    assert list(again.dollars) == [step.dollars for step in result.steps]
    assert again.total == result.dollars


@pytest.mark.parametrize("was", ["5m", "1h", None])
@pytest.mark.parametrize("caching", ["off", "5m", "1h"])
@pytest.mark.parametrize(
    "model",
    [
        None,
        "claude-haiku-5-5",
        "claude-sonnet-5-5",  # as many hidden tokens
        "claude-opus-4-8",  # more of them
        "claude-haiku-4-5",  # and a larger minimum
        "claude-opus-5-5",  # none that are known
        "gpt-4o",  # caches by itself
        "gemini-2.5-pro",  # whose cache is not simulated
    ],
)
def test_it_costs_what_the_run_with_that_cache_and_model_costs(was, caching, model):
    again = reprice(recorded(cache=was), day=DAY, model=model, caching=caching)
    real = run(model=model or "claude-haiku-5-5", cache=None if caching == "off" else caching)
    assert_as_run(again, real)
    assert [step.dollars for step in again.steps] == [step.dollars for step in run(cache=was).steps]
    assert again.recorded_total == run(cache=was).dollars


def test_the_shapes_differ_as_they_should():
    """So that the comparison above is one of different numbers."""
    off, short, long = (reprice(recorded(), day=DAY, caching=caching) for caching in ("off", "5m", "1h"))
    assert all(usage.prompt == usage.input for usage in off.usages)
    assert all(usage.cache_write_5m > 0 == usage.cache_write_1h for usage in short.usages)
    assert all(usage.cache_write_1h > 0 == usage.cache_write_5m for usage in long.usages)
    assert short.total < long.total < off.total
    assert [usage.prompt for usage in off.usages] == [usage.prompt for usage in long.usages]


asked = st.sampled_from(
    [
        call("search", text="a"),
        call("search", text="b") + call("search", text="c"),
        call("search"),
        say("I look.") + call("search", text="d"),
        think("hm") + say(" ") + call("search", text="e"),
    ]
)


@settings(max_examples=40)
@given(
    script=st.lists(asked, max_size=4),
    was=st.sampled_from(["5m", "1h", None]),
    caching=st.sampled_from(["off", "5m", "1h"]),
    model=st.sampled_from([None, "claude-opus-4-8", "gpt-4o"]),
    system=st.sampled_from(["", RULES]),
    tools=st.sampled_from([[search], []]),
    max_steps=st.integers(1, 5),
)
def test_whatever_the_script_does(script, was, caching, model, system, tools, max_steps):
    steps, options = [*script, say("done")], {"system": system, "tools": tools, "max_steps": max_steps}
    again = reprice(recorded(steps, cache=was, **options), day=DAY, model=model, caching=caching)
    real = run(steps, model or "claude-haiku-5-5", None if caching == "off" else caching, **options)
    assert_as_run(again, real)


@pytest.mark.parametrize("day", [date(2026, 10, 6), date(2026, 10, 7), date(2026, 11, 30)])
def test_another_day_prices_the_recorded_tokens(day):
    """Reads of Sonnet 5.5 cost 0.20 dollars a million until 2026-10-06, and 0.10 from then on."""
    recording = recorded(model="claude-sonnet-5-5", cache="1h")
    again = reprice(recording, day=day)
    assert list(again.usages) == [step.usage for step in again.steps]
    read_at = Decimal("0.20") if day < date(2026, 10, 7) else Decimal("0.10")
    own = sum(
        u.input * 2
        + Decimal("2.5") * u.cache_write_5m
        + 4 * u.cache_write_1h
        + read_at * u.cache_read
        + 10 * u.output
        for u in again.usages
    )
    assert again.total == own / 10**6
    assert again.lines[:2] == (f"Prices: claude-sonnet-5-5 on {day}.", "Tokens: as recorded.")


def test_another_model_is_priced_on_a_day_before_the_recorded_one_was_sold():
    """And after it was sold itself for the last time."""
    again = reprice(recorded(), day=date(2025, 11, 1), model="claude-opus-4-1")
    assert list(again.usages) == list(
        reprice(recorded(), day=date(2026, 1, 1), model="claude-opus-4-1").usages
    )
    with pytest.raises(OutOfRange, match="claude-haiku-5-5"):
        reprice(recorded(), day=date(2025, 11, 1))


def test_the_hidden_tokens_of_a_model_are_the_same_on_every_day():
    """A recording says no day, so those of the latest row are taken."""
    for rows in CATALOGUE.rows.values():
        assert len({row.tool_overhead for row in rows}) == 1


@pytest.mark.parametrize("was", ["5m", "1h", None])
def test_a_long_pause_for_approval_outlives_five_minutes_and_not_an_hour(was):
    """The pause stands in the recording's times, so it need not be told."""
    options = {
        "tools": [search.approved()],
        "approve": lambda call: Decision(True, 400.0 if call.arguments["text"] == "c" else 1.0),
    }
    recording = recorded(cache=was, **options)
    at = [event["at"] for event in recording.replies]
    assert at[2] - at[1] > 400
    for caching, survives in (("5m", False), ("1h", True)):
        again = reprice(recording, day=DAY, caching=caching)
        assert_as_run(again, run(cache=caching, **options))
        assert [usage.cache_read > 0 for usage in again.usages] == [False, True, survives, True]


def test_a_run_with_an_api_error_or_without_replies_costs_what_was_paid():
    class Refusing:
        turns = 0

        def next_turn(self, request, results):
            self.turns += 1
            if self.turns > 2:
                raise ApiError(400, "invalid_request_error", "no")
            return Turn(STEPS[self.turns - 1])

    events = run_agent("question", [search], RULES, client=FakeClient(Refusing())).events
    again = reprice(Recording(events), day=DAY, caching="1h")
    assert_as_run(again, run(cache="1h", max_steps=2))
    none = reprice(recorded(max_steps=0), day=DAY, model="gpt-4o", caching="off")
    assert (none.usages, none.dollars, none.total, none.recorded_total) == ((), (), 0, 0)


def test_what_was_not_priced_has_no_recorded_total():
    recording = recorded()
    events = [event | {"dollars": None} if event["event"] == "reply" else event for event in recording.events]
    again = reprice(Recording(tuple(events)), day=DAY)
    assert again.recorded_total is None
    assert again.total == run().dollars


def test_it_says_what_was_worked_out_and_what_was_not():
    cannot = (
        "What was said, asked for and returned is as recorded: whether the run would have gone this way, it "
        "cannot show."
    )
    counted = "The text is counted as claude-haiku-5-5 counted it; {0} may count it differently."
    anew = "Tokens: what is stored and read worked out anew, with {0} and the recorded times."
    own = "gpt-4o stores by itself, whatever is marked: its cache cannot be off."
    for options, words in (
        ({}, ["Prices: claude-haiku-5-5 on 2026-10-24.", "Tokens: as recorded."]),
        ({"caching": "off"}, ["Prices: claude-haiku-5-5 on 2026-10-24.", anew.format("no markers")]),
        ({"caching": "1h"}, ["Prices: claude-haiku-5-5 on 2026-10-24.", anew.format("1h markers")]),
        (
            {"model": "claude-opus-4-8"},
            [
                "Prices: claude-opus-4-8 on 2026-10-24.",
                anew.format("its markers as recorded"),
                counted.format("claude-opus-4-8"),
            ],
        ),
        (
            {"model": "gpt-4o", "caching": "off"},
            ["Prices: gpt-4o on 2026-10-24.", anew.format("no markers"), own, counted.format("gpt-4o")],
        ),
    ):
        assert reprice(recorded(), day=DAY, **options).lines == (*words, cannot)


def test_a_first_call_that_was_warm_is_told():
    """Two runs in a row with one cache; alone, the second would have had to write what it read."""
    cache = cache_for("claude-haiku-5-5", CATALOGUE, DAY)
    before, client = (FakeClient(Script(STEPS), cache=cache) for _ in range(2))
    run_agent("question", [search], RULES, client=before)
    client.wait(before.now() + 60)
    second = run_agent("question", [search], RULES, client=client)
    warm = second.steps[0].usage.cache_read
    assert warm > 0
    recording = Recording(second.events)
    again = reprice(recording, day=DAY, caching="5m")
    assert (
        f"The recording found {warm} tokens of an earlier run; here the first call finds none." in again.lines
    )
    assert list(again.usages) == [step.usage for step in run().steps]
    kept = reprice(recording, day=DAY)
    assert kept.total == second.dollars
    assert not any("earlier run" in line for line in kept.lines)


def test_a_lever_is_refused_where_the_cache_is_played_anew():
    recording = recorded(levers=[lambda talk: talk.rewritten([*talk])])
    with pytest.raises(BadArgument, match="a context that a lever rewrote"):
        reprice(recording, day=DAY, caching="off")
    assert reprice(recording, day=DAY).total == reprice(recording, day=DAY).recorded_total > 0


def test_prompts_that_shrink_are_named():
    events = [dict(event) for event in recorded().events]
    replies = [event for event in events if event["event"] == "reply"]
    replies[0]["usage"] = replies[-1]["usage"]
    with pytest.raises(BadArgument, match="prompts that grow from call to call"):
        reprice(Recording(tuple(events)), day=DAY, caching="off")


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"caching": "on"}, UnknownName, "caching"),
        ({"model": "toy-1"}, UnknownName, "toy-1"),
        ({"day": date(2001, 1, 1)}, OutOfRange, "2001"),
        ({"day": "2026-10-24"}, BadArgument, "day"),
    ],
)
def test_bad_input_is_named(options, error, words):
    with pytest.raises(error, match=words):
        reprice(recorded(), **{"day": DAY, **options})


def test_settings_that_the_other_model_does_not_take_are_named():
    with pytest.raises(ApiError, match="effort: low is not supported"):
        reprice(recorded(effort="low"), day=DAY, model="gpt-4o")
    assert reprice(recorded(effort="low"), day=DAY, caching="off").total > 0


def test_a_real_recordings_tokens_are_kept_where_an_estimate_would_differ():
    """Another tokenizer's counts: prompts stay as recorded to the token, whatever our estimate says."""
    client = FakeClient(Script(STEPS), counter=lambda block: 37 + 3 * len(str(block)) // 7)
    first = run_agent("question", [search], RULES, client=client)
    again = reprice(Recording(first.events), day=DAY, caching="off")
    assert [usage.prompt for usage in again.usages] == [step.usage.prompt for step in first.steps]
    assert [usage.output for usage in again.usages] == [step.usage.output for step in first.steps]
    assert all(usage.input == usage.prompt for usage in again.usages)
