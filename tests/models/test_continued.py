"""Scripts that go on: where a transcript was cut, after an interrupt, and not if they say something else."""

from itertools import pairwise

import pytest

from simlib.agent.approval import Decision
from simlib.agent.dispatch import INTERRUPTED
from simlib.agent.loop import run_agent
from simlib.agent.stop import StopReason
from simlib.agent.transcript import read_transcript
from simlib.errors import BadArgument
from simlib.models.client import FakeClient
from simlib.models.continued import continued, patient
from simlib.models.scripted import Script, ScriptEnded, call, say, think


def reacting():
    first, second = yield think("hm") + say("Two.") + call("search", text="a") + call("search", text="b")
    (third,) = yield say(" ") + call("search", text=f"{first}+{second}")
    yield say(f"It says: {third}")


def ran(events):
    """Words of what ran and what was said, in order."""
    for event in events:
        if event["event"] == "reply":
            for block in event["content"]:
                yield block.get("text") or str(block.get("input", block["type"]))
        elif event["event"] == "results":
            yield from (block["content"] for block in event["content"])


@pytest.mark.parametrize("lines", [2, 4, 6])
def test_a_run_that_was_cut_between_steps_goes_on_as_if_it_had_not_been(search, tmp_path, lines):
    """A blank text is in no transcript, and makes no difference."""
    path = tmp_path / "run.jsonl"
    whole = run_agent("q", [search], client=FakeClient(Script(reacting)), transcript=path)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:lines]))
    script = continued(reacting, read_transcript(path).events)
    again = run_agent("", [search], client=FakeClient(script), transcript=path, resume=True)
    assert list(ran(again.events)) == list(ran(whole.events))
    assert again.answer == whole.answer == "It says: found found a (20)+found b (20) (20)"


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([call("search", text="a"), call("search", text="x")], "step 2 of the script"),
        ([say("Look.") + call("search", text="a")], "step 1 of the script"),
        ([call("find", text="a")], "step 1 of the script"),
        ([call("search", text="a") + call("search", text="b")], "step 1 of the script"),
    ],
)
def test_a_script_that_says_something_else_is_named_with_both(search, steps, words):
    client = FakeClient(Script([call("search", text="a"), call("search", text="b"), say("done")]))
    events = run_agent("q", [search], client=client, max_steps=2).events
    with pytest.raises(BadArgument, match=f"{words} is .* what the transcript has: .*search"):
        continued(steps, events)


def test_a_script_that_has_less_to_say_says_so(search):
    client = FakeClient(Script([call("search", text="a"), call("search", text="b")]))
    events = run_agent("q", [search], client=client, max_steps=2).events
    with pytest.raises(ScriptEnded, match="the script has 1 steps"):
        continued([call("search", text="a")], events)
    with pytest.raises(ScriptEnded, match="the script has 2 steps"):
        continued([call("search", text="a"), call("search", text="b")], events).next_step(["x"])


def test_a_script_that_reacts_is_sent_what_the_tools_returned_then():
    """And not what an interrupt wrote after that, as the resumed conversation has it."""
    seen = []

    def looking():
        seen.append((yield call("search", text="a")))
        seen.append((yield call("search", text="b")))
        yield say("x")

    def reply(text, id):
        return {"event": "reply", "content": [{**call("search", text=text)[0], "id": id}]}

    def results(text, id):
        return {"event": "results", "content": [{"type": "tool_result", "tool_use_id": id, "content": text}]}

    events = [reply("a", "t1"), results("A", "t1"), results(INTERRUPTED, "t1"), reply("b", "t2")]
    continued(looking, events).next_step(["B"])
    assert seen == [["A"], ["B"]]


def interrupted_once(granted):
    """An approver that is interrupted after so many calls, once."""
    left = [granted]

    def approve(call):
        left[0] -= 1
        if left[0] == -1:
            raise KeyboardInterrupt
        return Decision(True)

    return approve


@pytest.mark.parametrize("granted", [0, 1, 2])
def test_a_patient_script_asks_again_for_what_was_interrupted(search, tmp_path, granted):
    """Of two calls in one reply the whole step is asked for again, the one that had its result as well."""
    path, approve, tools = tmp_path / "run.jsonl", interrupted_once(granted), [search.approved()]
    script = patient(reacting)
    first = run_agent("q", tools, client=FakeClient(Script(script)), transcript=path, approve=approve)
    assert first.stop is StopReason.INTERRUPTED
    client = FakeClient(continued(script, read_transcript(path).events))
    again = run_agent("", tools, client=client, transcript=path, approve=approve, resume=True)
    assert again.answer == "It says: found found a (20)+found b (20) (20)"
    asked = [event["content"] for event in again.events if event["event"] == "reply"]
    plain = [[{**block, "id": ""} for block in content] for content in asked]
    repeated = [before == after for before, after in pairwise(plain)]
    assert repeated == ([True, False, False] if granted < 2 else [False, True, False])
    # And once more from the same file, which has the interrupt in its middle.
    continued(script, [event for event in again.events if event is not again.events[-2]])


def test_a_script_that_is_not_patient_takes_an_interrupt_for_a_result(search, tmp_path):
    path, tools = tmp_path / "run.jsonl", [search.approved()]
    approve = interrupted_once(1)
    run_agent("q", tools, client=FakeClient(Script(reacting)), transcript=path, approve=approve)
    client = FakeClient(continued(reacting, read_transcript(path).events))
    again = run_agent("", tools, client=client, transcript=path, approve=approve, resume=True)
    assert INTERRUPTED in again.answer


def test_without_an_interrupt_a_patient_script_is_the_script():
    one, other = Script(reacting), Script(patient(reacting))
    for results in ([], ["A", "B"], ["C"]):
        assert one.next_step(results) == other.next_step(results)
    for script in (one, other):
        with pytest.raises(ScriptEnded, match="3 steps"):
            script.next_step([])
    with pytest.raises(ScriptEnded, match="0 steps"):
        Script(patient(lambda: iter(()))).next_step([])
