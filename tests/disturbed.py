"""A run to disturb, and what has to hold of its transcript whatever was done to it."""

import time
from decimal import Decimal

from simlib.agent.dispatch import INTERRUPTED
from simlib.agent.loop import run_agent
from simlib.agent.stop import StopReason
from simlib.agent.tool import tool
from simlib.agent.transcript import read_transcript
from simlib.billing.catalogue import load_catalogue
from simlib.models.client import FakeClient
from simlib.models.continued import as_recorded, continued, patient
from simlib.models.recording import Recording
from simlib.models.replayed import replay
from simlib.models.scripted import Script, call, say

CATALOGUE = load_catalogue()


def asks():
    """One call, two at once, one that fails, two more, and an answer that only their results can give."""
    (found,) = yield say("I look.") + call("search", text="a")
    second, third = yield call("search", text=found) + call("search", text="Grüße, 日本")
    (failure,) = yield call("search", text="broken")
    fourth, fifth = yield say("Once more.") + call("search", text="c") + call("search", text="d")
    yield say(f"{second}; {third}; {failure}; {fourth}; {fifth}")


def searching(pause=0.0, before=lambda text: None):
    """The tool; `pause` is how many seconds it takes, `before` is told what is looked for."""

    @tool("Search.", text={"type": "string"})
    def search(text):
        before(text)
        time.sleep(pause)
        if text == "broken":
            raise ValueError("the index is broken")
        return f"found {text}"

    return search


def forgets(talk):
    """A lever that leaves out what was found before the last step. Twice is the same as once."""

    def left_out(block):
        return {**block, "content": "left out"} if block["type"] == "tool_result" else block

    old = [{**message, "content": [*map(left_out, message["content"])]} for message in talk[:-2]]
    return talk if old == talk[:-2] else talk.rewritten([*old, *talk[-2:]])


def client_for(path, resume, steps=asks):
    """A client whose model is where the transcript ends, and asks again for what was interrupted."""
    events = read_transcript(path, strict=False).events if resume else ()
    return FakeClient(continued(patient(steps), events), catalogue=CATALOGUE)


def go(path, resume=False, *, client=None, search=None, **options):
    """Begin the run, or go on with it."""
    client = client or client_for(path, resume)
    tools = [search or searching()]
    return run_agent("q", tools, "Rules.", client=client, transcript=path, resume=resume, **options)


def said_and_returned(events):
    """Contents of replies and results in pairs, without those of calls that were interrupted."""
    said, pairs = None, []
    for event in events:
        if event["event"] == "reply":
            said = as_recorded(event["content"])
            pairs.append((said, None))
        elif event["event"] == "results" and said is not None:  # an interrupt may have them written twice
            pairs.pop()
            texts = [block["content"] for block in event["content"]]
            pairs += [(said, texts)] if INTERRUPTED not in texts else []
            said = None
    return pairs


def has_begun(path):
    """Whether a file says what was to be done."""
    return path.exists() and path.read_bytes().count(b"\n") >= 2


def has_ended(path):
    """Whether the last that stands in a file is the run's own end."""
    last = read_transcript(path, strict=False).events[-1]
    return last["event"] == "end" and last["stop"] == StopReason.END_TURN


def check_same_end(path, whole):
    """What stands in the file is the undisturbed run, but for calls that were asked for again."""
    events = read_transcript(path).events
    assert said_and_returned(events) == said_and_returned(whole.events)
    last = events[-1]
    assert (last["event"], last["stop"], last["answer"]) == ("end", StopReason.END_TURN, whole.answer)
    replies = [event for event in events if event["event"] == "reply"]
    assert [reply["step"] for reply in replies] == list(range(1, last["steps"] + 1)), "each is counted once"
    assert Decimal(last["dollars"]) == sum(Decimal(reply["dollars"]) for reply in replies)
    check_accepted(events)
    continued(patient(asks), events)  # raises if the model would have said anything else to these results


def check_replays(path, whole):
    """The file can be played to its end, and unless a call was interrupted, word by word."""
    events = read_transcript(path).events
    strict = not any(INTERRUPTED in str(event) for event in events)
    played = replay(Recording(events), [searching()], strict=strict)
    assert (played.result.answer, played.unused) == (whole.answer, 0)


def check_accepted(events):
    """The API takes all that was sent: every call has its result behind it."""
    recording = Recording(tuple(events))
    client = FakeClient(Script([say("yes")] * len(recording.replies)), catalogue=CATALOGUE)
    for talk, _ in recording.asked():
        client.create(messages=list(talk), **recording.settings)
