"""Transcripts: complete up to whatever ends a run, read back as they were written, and gone on from."""

import json
from decimal import Decimal

import pytest

from simlib.agent.ledger import Ledger
from simlib.agent.loop import run_agent
from simlib.agent.stop import StopReason
from simlib.agent.transcript import BadTranscript, Transcript, read_transcript
from simlib.billing.catalogue import load_catalogue
from simlib.errors import BadArgument
from simlib.models.client import DAY, FakeClient
from simlib.models.scripted import Script, call, say

STEPS = [call("search", text="a"), call("search", text="b"), say("done")]


def plain(events):
    return [json.loads(json.dumps(event, default=str)) for event in events]


def test_what_is_read_back_is_what_was_written(played, tmp_path):
    path = tmp_path / "run.jsonl"
    result, _ = played(STEPS, transcript=path)
    assert list(read_transcript(path).events) == plain(result.events)
    kinds = [event["event"] for event in result.events]
    assert kinds == ["start", "task", "reply", "results", "reply", "results", "reply", "end"]


def test_it_is_written_as_it_happens(search, tmp_path):
    path, seen = tmp_path / "run.jsonl", []

    def watching():
        for name in "ab":
            seen.append(len(path.read_text().splitlines()))
            yield call("search", text=name)
        yield say("done")

    run_agent("q", [search], client=FakeClient(Script(watching)), transcript=path)
    assert seen == [2, 4]


@pytest.mark.parametrize(
    ("options", "stop"),
    [({"max_steps": 1}, "max_steps"), ({"max_cost": 0}, "max_cost"), ({"effort": "x"}, "api_error")],
)
def test_whatever_ends_a_run_it_is_complete(played, tmp_path, options, stop):
    path = tmp_path / "run.jsonl"
    result, _ = played(STEPS, transcript=path, **options)
    last = read_transcript(path).events[-1]
    assert (last["event"], last["stop"], last["steps"]) == ("end", stop, len(result.steps))


def test_a_transcript_cut_at_any_byte_loses_the_cut_line_alone(played, tmp_path):
    path, part = tmp_path / "run.jsonl", tmp_path / "part.jsonl"
    played(STEPS, transcript=path)
    whole = path.read_bytes()
    events = read_transcript(path).events
    for end in range(whole.index(b"\n") + 1, len(whole) + 1):
        part.write_bytes(whole[:end])
        read = read_transcript(part, strict=False)
        assert read.events == events[: whole[:end].count(b"\n")]
        assert bool(read.lost) == (whole[end - 1 : end] != b"\n")
        if read.lost:
            with pytest.raises(BadTranscript, match="a whole line"):
                read_transcript(part)


@pytest.mark.parametrize("lines", range(2, 8))
def test_a_run_goes_on_from_wherever_it_was_cut(played, search, tmp_path, lines):
    """The model is asked for what it had not said yet, if anything, and nothing is charged twice."""
    path, part = tmp_path / "run.jsonl", tmp_path / "part.jsonl"
    complete, _ = played(STEPS, transcript=path)
    part.write_text("".join(path.read_text().splitlines(keepends=True)[:lines]) + '{"event": "rep')
    said = sum(event["event"] == "reply" for event in read_transcript(part, strict=False).events)
    rest = FakeClient(Script(STEPS[said:]))
    resumed = run_agent("q", [search], "Use the tools. " * 60, client=rest, transcript=part, resume=True)
    assert (resumed.answer, resumed.stop, len(resumed.steps)) == ("done", StopReason.END_TURN, 3)
    asked = [[str(call) for step in run.steps for call in step.calls] for run in (resumed, complete)]
    assert asked[0] == asked[1]
    paid = [Decimal(event["dollars"]) for event in read_transcript(part).events if event["event"] == "reply"]
    assert resumed.dollars == sum(paid) == sum(step.dollars for step in resumed.steps)
    assert len(rest.sent) == 3 - said
    assert read_transcript(part).events[-1]["answer"] == "done"
    with pytest.raises(BadTranscript, match="has not come to its end"):
        run_agent("q", [search], client=rest, transcript=part, resume=True)


def test_a_file_that_holds_a_run_is_not_written_over(played, tmp_path):
    path = tmp_path / "run.jsonl"
    played(STEPS, transcript=path)
    before = path.read_bytes()
    with pytest.raises(BadArgument, match="something stands in this one"):
        played(STEPS, transcript=path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "a simlib-transcript of version 1"),
        ('{"event": "start", "format": "other", "version": 1}\n', "a simlib-transcript of version 1"),
        ('{"event": "start", "format": "simlib-transcript", "version": 99}\n', "of version 1"),
        (
            '{"event": "start", "format": "simlib-transcript", "version": 1}\nnonsense\n{}\n',
            "line 2 is 'nonsense'",
        ),
        ('{"event": "start", "format": "simlib-transcript", "version": 1}\n[]\n', "line 2"),
        (
            '{"event": "start", "format": "simlib-transcript", "version": 1}\n{"event": "end"}\n',
            "a end with answer, dollars, error, steps, stop",
        ),
        (
            '{"event": "start", "format": "simlib-transcript", "version": 1}\n{"event": "ned"}\n',
            "these events",
        ),
        (f"{'[' * 100_000}\n", "line 1"),
    ],
)
def test_what_is_no_transcript_is_named(tmp_path, text, words):
    path = tmp_path / "run.jsonl"
    path.write_text(text)
    for strict in (True, False):
        with pytest.raises(BadTranscript, match=words):
            read_transcript(path, strict=strict)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadTranscript, match="FileNotFoundError"):
        read_transcript(tmp_path / "run.jsonl")


def test_a_transcript_in_memory_needs_no_file():
    transcript = Transcript()
    transcript.write("note", dollars=Decimal("0.1"))
    transcript.close()
    assert transcript.events[1] == {"event": "note", "dollars": Decimal("0.1")}


def test_guards_and_budget_know_what_happened_before_the_cut(search, tmp_path):
    path = tmp_path / "run.jsonl"
    same = [call("search", text="x")] * 3
    run_agent("q", [search], client=FakeClient(Script(same)), transcript=path, max_steps=3)
    ledger = Ledger(load_catalogue(), DAY)
    rest = FakeClient(Script([call("search", text="x"), say("done")]))
    resumed = run_agent("q", [search], client=rest, transcript=path, resume=True, ledger=ledger)
    refused = [event["content"][0]["content"] for event in resumed.events if event["event"] == "results"]
    assert [text.startswith("refused") for text in refused] == [False, False, False, True]
    assert ledger.total == resumed.dollars == sum(step.dollars for step in resumed.steps)
    assert len(ledger.charges) == 5
    ids = [call.id for step in resumed.steps for call in step.calls]
    assert len(set(ids)) == len(ids)


def test_to_go_on_a_file_is_needed():
    with pytest.raises(BadArgument, match="transcript is None"):
        run_agent("q", client=FakeClient(Script([])), resume=True)


def test_half_a_character_is_written_and_read_back(played, tmp_path):
    path = tmp_path / "run.jsonl"
    result, _ = played([call("search", text="\ud800"), say("done")], transcript=path)
    assert result.answer == "done"
    assert read_transcript(path).events == result.events


@pytest.mark.parametrize("content", [5, [{"type": "tool_result", "tool_use_id": "t", "content": "x"}], [{}]])
def test_a_transcript_whose_messages_cannot_follow_each_other_is_named(tmp_path, content):
    transcript = Transcript(tmp_path / "run.jsonl")
    transcript.write("task", task="q")
    transcript.write("results", step=1, content=content, ran=[])
    transcript.close()
    with pytest.raises(BadTranscript, match="follow each other"):
        run_agent("q", client=FakeClient(Script([])), transcript=tmp_path / "run.jsonl", resume=True)


def test_calls_that_were_denied_before_the_cut_were_not_made(search, tmp_path):
    path, asked = tmp_path / "run.jsonl", call("search", text="x")
    tools = [search.approved()]
    run_agent("q", tools, client=FakeClient(Script([asked] * 3)), transcript=path, max_steps=3)
    rest = FakeClient(Script([asked, say("done")]))
    resumed = run_agent("q", tools, client=rest, transcript=path, resume=True, approve=lambda call: True)
    said = [event["content"][0]["content"] for event in resumed.events if event["event"] == "results"]
    assert [text.split()[0] for text in said] == ["denied:", "denied:", "denied:", "found"]


def test_a_reply_without_anything_is_not_sent_back(tmp_path):
    path, client = tmp_path / "run.jsonl", FakeClient(Script([say(" "), say("never")]))
    create = client.create

    def names_no_tool(**request):
        reply = create(**request)
        reply.stop_reason = "tool_use"
        return reply

    client.create = names_no_tool
    run_agent("q", client=client, transcript=path, max_steps=1)
    rest = FakeClient(Script([say("done")]))
    resumed = run_agent("q", client=rest, transcript=path, resume=True)
    assert (resumed.answer, resumed.unusable) == ("done", 1)
    assert {block.role for block in rest.sent[0].prompt.blocks()} == {"user"}


def test_ids_differ_whoever_answered(search, tmp_path):
    path, client = tmp_path / "run.jsonl", FakeClient(Script([call("search", text=f"{n}") for n in range(4)]))
    run_agent("an earlier run", [search], client=client, max_steps=2)
    run_agent("q", [search], client=client, transcript=path, max_steps=2)
    rest = FakeClient(Script([call("search", text="y"), call("search", text="z"), say("done")]))
    resumed = run_agent("q", [search], client=rest, transcript=path, resume=True)
    ids = [call.id for step in resumed.steps for call in step.calls]
    assert len(set(ids)) == len(ids) == 4
