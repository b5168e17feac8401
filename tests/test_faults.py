"""Whatever ends a run, nothing is lost but the event in flight, and the run goes on to the same end.

What is done with signals to a run in this process stands in test_interrupts.py.
"""

import errno
import os
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from disturbed import (
    CATALOGUE,
    check_accepted,
    check_replays,
    check_same_end,
    client_for,
    forgets,
    go,
    has_begun,
    has_ended,
    searching,
)
from processes import Processes

from simlib.agent.dispatch import INTERRUPTED
from simlib.agent.stop import StopReason
from simlib.agent.transcript import BadTranscript, TranscriptFailed, read_transcript
from simlib.billing.usage import Usage
from simlib.errors import BadArgument
from simlib.lines import Lines
from simlib.models.client import FakeClient
from simlib.models.scripted import Script, call, say
from simlib.models.turn import Turn

linux = pytest.mark.skipif(sys.platform != "linux", reason="forks, and kills with POSIX signals")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The run that nobody disturbs."""
    return go(tmp_path_factory.mktemp("whole") / "run.jsonl")


@pytest.fixture(scope="module")
def processes():
    processes = Processes()
    yield processes
    processes.close()


def finish(path, whole):
    """Go on to the end, unless there is no run yet, or the end stands there; both are said clearly."""
    if has_begun(path) and not has_ended(path):
        result = go(path, resume=True)
        assert (result.answer, result.stop) == (whole.answer, StopReason.END_TURN)
        assert result.dollars == sum(step.dollars for step in result.steps)
    else:
        before = path.read_bytes() if path.exists() else b""
        words = "come to its end" if has_begun(path) else "file that can be read|of version 1|one with a task"
        with pytest.raises(BadTranscript, match=words):
            go(path, resume=True)
        after = path.read_bytes() if path.exists() else b""
        assert after in (before, before[: before.rfind(b"\n") + 1]), "at most the cut line is taken away"
    if has_begun(path):
        check_same_end(path, whole)


# Killed

PAUSE = 0.002  # seconds that a tool takes, so that most moments are within one or between two of them


def killed_twice(processes, path, whole, rng):
    """Kill a run, and kill it again when it goes on; both at any moment. Returns how often it was."""
    seconds = processes.run(path.with_name("whole.jsonl"), pause=PAUSE)[1]
    codes, events = [processes.run(path, pause=PAUSE, kill_after=rng.uniform(0, seconds))[0]], ()
    if has_begun(path):
        events = read_transcript(path, strict=False).events
        assert events == whole.events[: len(events)], "they are those of the undisturbed run"
    if has_begun(path) and not has_ended(path):
        codes.append(processes.run(path, True, pause=PAUSE, kill_after=rng.uniform(0, seconds))[0])
        again = read_transcript(path, strict=False).events
        assert again[: len(events)] == events, "nothing that stood there was changed"
        check_accepted(again)
    return sum(code < 0 for code in codes)


def kill_many(processes, folder, whole, seeds):
    kills = 0
    for seed in seeds:
        path = folder / f"{seed}" / "run.jsonl"
        path.parent.mkdir()
        kills += killed_twice(processes, path, whole, np.random.default_rng(seed))
        finish(path, whole)
        if has_begun(path):
            check_replays(path, whole)
    return kills


@linux
def test_a_killed_run_goes_on_to_the_same_end(processes, tmp_path, whole):
    assert kill_many(processes, tmp_path, whole, range(6)) > 4


@linux
@pytest.mark.slow
def test_a_run_that_is_killed_at_any_of_a_hundred_moments_goes_on_to_the_same_end(processes, tmp_path, whole):
    assert kill_many(processes, tmp_path, whole, range(100, 200)) > 100


# Cut


@pytest.fixture(scope="module")
def complete(tmp_path_factory):
    """The bytes of the undisturbed run's file."""
    path = tmp_path_factory.mktemp("complete") / "run.jsonl"
    go(path)
    return path.read_bytes()


def resume_from_cuts(complete, path, whole, ends):
    for end in ends:
        path.write_bytes(complete[:end])
        if complete[:end].count(b"\n"):
            events = read_transcript(path, strict=False).events
            assert events == whole.events[: complete[:end].count(b"\n")]
        finish(path, whole)


def test_a_run_goes_on_from_a_transcript_that_was_cut(complete, tmp_path, whole):
    lines = [at + 1 for at, byte in enumerate(complete) if byte == ord("\n")]
    ends = sorted({*range(0, len(complete), 149), *lines, *(end - 1 for end in lines)})
    resume_from_cuts(complete, tmp_path / "run.jsonl", whole, ends)


@pytest.mark.slow
def test_a_run_goes_on_from_a_transcript_cut_at_every_byte(complete, tmp_path, whole):
    resume_from_cuts(complete, tmp_path / "run.jsonl", whole, range(len(complete) + 1))


def test_a_cut_line_that_cannot_be_taken_away_is_not_gone_on_with(monkeypatch, complete, tmp_path, whole):
    """As in a file to which the system lets nobody do anything but add."""

    def refuses(file, size):
        raise PermissionError

    path = tmp_path / "run.jsonl"
    path.write_bytes(complete[:1200])
    with monkeypatch.context() as patch:
        patch.setattr(os, "truncate", refuses)
        with pytest.raises(BadArgument, match="whose cut last line can be taken away"):
            go(path, resume=True)
    assert path.read_bytes() == complete[:1200]
    finish(path, whole)


def test_an_answer_that_was_given_is_not_asked_for_again(complete, tmp_path, whole):
    """Only the line of the end is missing: what it says is known."""
    path = tmp_path / "run.jsonl"
    path.write_bytes(complete[: complete.rindex(b"\n", 0, -1) + 1])
    client = client_for(path, resume=True)
    result = go(path, resume=True, client=client)
    assert (result.answer, result.stop, client.sent) == (whole.answer, StopReason.END_TURN, [])
    assert path.read_bytes() == complete


# No room


def check_full(path, error_path, events, words, whole):
    """The file holds all but the last event, whole lines of them, and the run can go on."""
    written = read_transcript(path).events
    assert error_path == str(path)
    assert f"{len(written)} events stand in it" in words
    assert ("resumed" in words) == (len(written) > 1)
    assert [*written, events[-1]] == list(events) == list(whole.events[: len(events)])


@linux
def test_a_disk_that_takes_nothing_is_named_before_anything_is_sent():
    client = client_for(None, resume=False)
    with pytest.raises(TranscriptFailed, match=r"/dev/full could not be written .* had not begun") as caught:
        go("/dev/full", client=client)
    assert [event["event"] for event in caught.value.events] == ["start"]
    assert client.sent == []


def fill(processes, path, whole, limits):
    """Each limit cuts a write in the middle, as a full disk does; later there is room again."""
    for most in limits:
        code, _, failed = processes.run(path, most_bytes=most)
        assert code == 1
        words, named, events = failed
        if path.read_bytes():
            check_full(path, named, events, words, whole)
        finish(path, whole)
        path.unlink()


@linux
def test_a_run_goes_on_when_a_full_disk_has_room_again(processes, complete, tmp_path, whole):
    fill(processes, tmp_path / "run.jsonl", whole, range(0, len(complete), 149))


@linux
@pytest.mark.slow
def test_a_disk_that_is_full_at_any_byte_leaves_whole_lines(processes, complete, tmp_path, whole):
    fill(processes, tmp_path / "run.jsonl", whole, range(0, len(complete), 11))


def full_after(monkeypatch, lines):
    """Let the disk be full after so many lines."""
    add, left = Lines.add, iter(range(lines))

    def adding(self, line):
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        add(self, line)

    monkeypatch.setattr(Lines, "add", adding)


def test_a_disk_that_is_full_after_any_line_loses_that_line_alone(monkeypatch, tmp_path, whole):
    for lines in range(1, len(whole.events)):
        path = tmp_path / f"{lines}.jsonl"
        with monkeypatch.context() as patch:
            full_after(patch, lines)
            with pytest.raises(TranscriptFailed) as caught:
                go(path)
        check_full(path, caught.value.path, caught.value.events, str(caught.value), whole)
        finish(path, whole)


def test_an_interrupt_on_a_full_disk_is_a_full_disk(monkeypatch, tmp_path, whole):
    def interrupts(text):
        raise KeyboardInterrupt

    path = tmp_path / "run.jsonl"
    with monkeypatch.context() as patch:
        full_after(patch, 3)
        with pytest.raises(TranscriptFailed) as caught:
            go(path, search=searching(before=interrupts))
    assert caught.value.events[-1]["content"][0]["content"] == INTERRUPTED
    finish(path, whole)


# No permission


@pytest.mark.parametrize("folder", ["/sys", "/proc"])
@linux
def test_a_folder_that_takes_no_file_is_named_before_anything_is_sent(folder):
    client = client_for(None, resume=False)
    with pytest.raises(
        BadArgument, match=f"transcript is '{folder}/run.jsonl'; .*a file that can be written"
    ):
        go(f"{folder}/run.jsonl", client=client)
    assert client.sent == []


@pytest.mark.parametrize("resume", [False, True])
def test_a_file_that_may_not_be_written_is_named_and_stays_as_it_is(
    monkeypatch, complete, tmp_path, whole, resume
):
    """For whoever may write everything too, whom no mode of a file keeps out."""

    def refuses(self, mode="r", *rest, **options):
        if "a" in mode or "w" in mode:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self))
        return opens(self, mode, *rest, **options)

    path, opens = tmp_path / "run.jsonl", Path.open
    path.write_bytes(complete[:1200])
    client = client_for(path, resume)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", refuses)
        with pytest.raises(BadArgument, match=r"transcript is .*can be written \(Permission denied\)"):
            go(path, resume, client=client)
    assert client.sent == []
    assert path.read_bytes() == complete[:1200]
    finish(path, whole)


# Two writers


def check_refused(path):
    """Neither a new run nor one that goes on gets at a file that is being written, and it stays as it is."""
    before = path.read_bytes()
    for resume in (False, True):
        client = client_for(path, resume)
        with pytest.raises(BadArgument, match="a file that nobody else is writing"):
            go(path, resume, client=client)
        assert client.sent == []
    assert path.read_bytes() == before


def test_a_run_within_a_tool_gets_another_file(tmp_path, whole):
    path, looked_for = tmp_path / "run.jsonl", []

    def another(text):
        looked_for.append(text)
        check_refused(path)

    result = go(path, search=searching(before=another))
    assert result.answer == whole.answer
    assert len(looked_for) == 6
    check_same_end(path, whole)
    with pytest.raises(BadArgument, match="something stands in this one"):
        go(path)


@linux
def test_a_file_is_free_again_when_the_process_that_wrote_it_was_killed(processes, tmp_path, whole):
    path = tmp_path / "run.jsonl"
    processes.begin(path, pause=60, kill_after="told", most_bytes=None)
    while not path.exists() or path.read_bytes().count(b"\n") < 3:
        pass  # until it is in the tool
    check_refused(path)
    code, *_ = processes.kill()
    assert code < 0
    finish(path, whole)


def test_a_run_that_failed_leaves_its_file_free(tmp_path, whole):
    def breaks(**request):
        raise ZeroDivisionError

    path = tmp_path / "run.jsonl"
    client = client_for(path, resume=False)
    client.create = breaks
    with pytest.raises(ZeroDivisionError):
        go(path, client=client)
    finish(path, whole)


# What else the run that goes on has to know


def test_an_interruption_is_no_failure_of_the_tool(tmp_path):
    """Three failures in a row would change the message."""

    def interrupts(text):
        raise KeyboardInterrupt

    path = tmp_path / "run.jsonl"
    go(path, search=searching(before=interrupts))
    for _ in range(2):
        go(path, resume=True, search=searching(before=interrupts))
    client = FakeClient(Script([call("search", text="broken"), say("done")]), catalogue=CATALOGUE)
    result = go(path, resume=True, client=client)
    texts = [event["content"][0]["content"] for event in result.events if event["event"] == "results"]
    assert texts == [INTERRUPTED] * 3 + ["ValueError: the index is broken"]


def test_how_large_the_context_really_is_is_known_after_a_cut(tmp_path):
    """By the API's count it is beyond the window, by ours it is not."""

    class Large:
        def next_turn(self, request, results):
            return Turn(call("search", text="a"), usage=Usage(input=990_000, output=20))

    path, client = tmp_path / "run.jsonl", FakeClient(Large(), catalogue=CATALOGUE)
    stopped = go(path, client=client)
    assert (stopped.stop, len(stopped.steps)) == (StopReason.WINDOW_EXCEEDED, 1)
    resumed = go(path, resume=True, client=client)
    assert (resumed.stop, len(resumed.steps), len(client.sent)) == (StopReason.WINDOW_EXCEEDED, 1, 1)


def counts(talk):
    """A lever that adds to the task at each step. Twice is not the same as once."""
    task = talk[0]["content"][0]["text"] + "!"
    return talk.rewritten([{"role": "user", "content": [{"type": "text", "text": task}]}, *talk[1:]])


def requests_of(client):
    """What is sent, without ids, call by call."""
    sent, create = [], client.create

    def creating(*, messages, **rest):
        blocks = messages.prompt.blocks()
        sent.append([(block.kind, re.sub(r"toolu_\d+_\d+", "", block.content)) for block in blocks])
        return create(messages=messages, **rest)

    client.create = creating
    return sent


@pytest.mark.parametrize(
    ("levers", "contexts"), [([forgets], 3), ([counts], 4), ([counts, forgets], 4), ([forgets, counts], 4)]
)
def test_a_run_goes_on_with_what_levers_made_of_its_context(tmp_path, levers, contexts):
    """Each step pulls all of them once, wherever the cut was."""
    path, part = tmp_path / "run.jsonl", tmp_path / "part.jsonl"
    client = client_for(path, resume=False)
    sent = requests_of(client)
    whole = go(path, client=client, levers=levers)
    kinds = [event["event"] for event in whole.events]
    assert kinds.count("context") == contexts
    lines = path.read_bytes().splitlines(keepends=True)
    for end in (at + 1 for at, kind in enumerate(kinds) if kind in ("task", "results", "context")):
        part.write_bytes(b"".join(lines[:end]))
        client = client_for(part, resume=True)
        rest = requests_of(client)
        resumed = go(part, resume=True, client=client, levers=levers)
        assert resumed.answer == whole.answer
        assert rest == sent[len(sent) - len(rest) :], f"after {kinds[end - 1]}, line {end}"
        assert len(rest) == len(sent) - kinds[:end].count("reply")
