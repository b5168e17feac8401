"""Ctrl-C, at any moment and in any line: the run says so, and goes on from its file to the same end."""

import signal
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from disturbed import (
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

import simlib
from simlib.agent.dispatch import INTERRUPTED
from simlib.agent.stop import StopReason
from simlib.agent.transcript import BadTranscript, read_transcript

# An interrupt may come while a file is closed, and then it is closed with the object that held it.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
SOON = 0.0002  # seconds from one interrupt to the next
ROOT = Path(simlib.__file__).parent
TRACED = {str(path) for path in [*(ROOT / "agent").glob("*.py"), ROOT / "lines.py"]}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The run that nobody disturbs."""
    return go(tmp_path_factory.mktemp("whole") / "run.jsonl")


@pytest.fixture(scope="module")
def half(tmp_path_factory):
    """The bytes of a run that was cut before the two calls of its second reply had their results."""
    path = tmp_path_factory.mktemp("half") / "run.jsonl"
    go(path)
    return b"".join(path.read_bytes().splitlines(keepends=True)[:5])


def check_interrupted(result, path, before, whole, times=1, **options):
    """What there is after an interrupt, or one and another soon after, and that it leads to the same end."""
    data = path.read_bytes() if path.exists() else b""
    assert data.startswith(before)
    assert data.endswith(b"\n") or not data, "no line is cut"
    if result is not None:
        stopped, over = (StopReason.INTERRUPTED, ""), (StopReason.END_TURN, whole.answer)
        assert (result.stop, result.answer) in (stopped, over)
    elif times == 1 and has_begun(path):
        # The interrupt came out, since the run had hardly begun, or gone on, or was over.
        assert data == before or read_transcript(path).events[-1]["event"] in ("task", "end")
    if not has_begun(path):
        assert result is None
        with pytest.raises(BadTranscript):
            go(path, resume=True)
        return
    if not has_ended(path):
        resumed = go(path, resume=True, **options)
        assert (resumed.answer, resumed.stop) == (whole.answer, StopReason.END_TURN)
    check_same_end(path, whole)


def seconds_of(path):
    """How long the undisturbed run takes here."""
    client, begun = client_for(path, resume=False), time.perf_counter()
    go(path, client=client)
    return time.perf_counter() - begun


def timed(action, seconds, times=1):
    """Do something, interrupted after so many seconds as Ctrl-C interrupts; None if the interrupt came out.

    The alarm stands for Ctrl-C since it can be set to any moment, and raises in the same way. It may come
    several times, soon after each other.
    """

    def interrupts(number, frame):
        if left:
            left.pop()
            raise KeyboardInterrupt

    result, left, before = None, [True] * times, signal.signal(signal.SIGALRM, interrupts)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds, SOON)
            result = action()
        finally:
            left.clear()
    except KeyboardInterrupt:
        pass
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)
    return result


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs POSIX timers")
@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("moments", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_run_that_is_interrupted_at_any_moment_goes_on_to_the_same_end(moments, times, tmp_path, whole):
    """Also for whoever presses the keys once more, while the run is ending."""
    rng, stopped = np.random.default_rng(20261201), 0
    seconds = min(seconds_of(tmp_path / f"whole-{number}.jsonl") for number in range(3))
    for number in range(moments):
        path = tmp_path / f"{number}.jsonl"
        client = client_for(path, resume=False)
        moment = rng.uniform(1e-6, seconds)
        result = timed(lambda path=path, client=client: go(path, client=client), moment, times)
        stopped += result is None or result.stop is StopReason.INTERRUPTED
        check_interrupted(result, path, b"", whole, times)
        path.unlink(missing_ok=True)
    assert stopped > moments / 4


def traced(action, line):
    """Do something, interrupted before the line of the loop's files that is the `line`-th to be run.

    Returns what it returned, None if the interrupt came out of it, and how many lines were run.
    """
    count, before = 0, sys.gettrace()

    def trace(frame, event, arg):
        nonlocal count
        if event == "call":
            return trace if frame.f_code.co_filename in TRACED else None
        if event == "line":
            count += 1
            if count == line:
                raise KeyboardInterrupt
        return trace

    result = None
    sys.settrace(trace)
    try:
        result = action()
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(before)
    return result, count


def interrupt_in_lines(tmp_path, before, whole, step):
    """Interrupt a run, begun anew or gone on with from a file, in each line or some of them."""
    options = {"levers": [forgets]}
    path, line, lines, stopped = tmp_path / "run.jsonl", 0, 1, 0
    while line < lines:
        path.unlink(missing_ok=True)
        if before:
            path.write_bytes(before)
        client = client_for(path, resume=bool(before))
        result, count = traced(lambda client=client: go(path, bool(before), client=client, **options), line)
        if line:
            stopped += result is not None and result.stop is StopReason.INTERRUPTED
            check_interrupted(result, path, before, whole, **options)
        else:
            lines = count
        line += 1 if not line else step
    assert stopped > (lines - 1) / step / 2


@pytest.mark.parametrize("step", [61, pytest.param(1, marks=pytest.mark.slow)])
def test_a_run_that_is_interrupted_in_any_line_goes_on_to_the_same_end(step, tmp_path, whole):
    interrupt_in_lines(tmp_path, b"", whole, step)


@pytest.mark.parametrize("step", [61, pytest.param(1, marks=pytest.mark.slow)])
def test_a_run_that_is_interrupted_while_it_goes_on_goes_on_again(step, tmp_path, half, whole):
    interrupt_in_lines(tmp_path, half, whole, step)


@pytest.mark.parametrize("text", ["a", "found a", "Grüße, 日本", "broken", "d"])
def test_an_interrupt_in_a_tool_leaves_every_call_with_its_result(text, tmp_path, whole):
    """Those that had finished keep what they returned; the others have an error that says why."""

    def interrupts(looked_for):
        if looked_for == text:
            raise KeyboardInterrupt

    path = tmp_path / "run.jsonl"
    result = go(path, search=searching(before=interrupts))
    assert (result.stop, result.answer) == (StopReason.INTERRUPTED, "")
    events = read_transcript(path).events
    assert events == result.events
    check_accepted(events)
    reply, results, _ = events[-3:]
    asked = [block for block in reply["content"] if block["type"] == "tool_use"]
    assert [block["tool_use_id"] for block in results["content"]] == [block["id"] for block in asked]
    finished = [block["input"]["text"] for block in asked].index(text)
    assert [block["content"] == INTERRUPTED for block in results["content"]] == [
        at >= finished for at in range(len(asked))
    ]
    check_interrupted(result, path, b"", whole)
    check_replays(path, whole)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs POSIX timers")
def test_an_interrupt_does_not_wait_for_a_tool_with_a_limit(tmp_path, whole):
    """Such a tool runs in a thread, which is left to itself."""
    path, goes_on = tmp_path / "run.jsonl", threading.Event()
    slow = replace(searching(before=lambda text: goes_on.wait(60)), seconds=60)
    result = timed(lambda: go(path, search=slow), 0.05)
    goes_on.set()
    assert result.stop is StopReason.INTERRUPTED
    check_interrupted(result, path, b"", whole)
