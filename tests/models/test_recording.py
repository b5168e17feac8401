"""Recordings: what they say was asked is what a client was really sent, however the run went."""

from copy import deepcopy

import pytest

from simlib.agent.approval import Decision
from simlib.agent.loop import run_agent
from simlib.agent.stop import StopReason
from simlib.agent.transcript import BadTranscript, Transcript, read_transcript
from simlib.errors import ApiError
from simlib.models.client import FakeClient
from simlib.models.continued import continued
from simlib.models.recording import Recording, read_recording
from simlib.models.scripted import Script, call, say, think
from simlib.models.turn import Turn

THREE = [
    think("hm") + say("I look.") + call("search", text="a"),
    call("search", text="b") + call("search", text="c"),
    say("done"),
]
RULES = "Use the tools. " * 60


class Spy(FakeClient):
    """Keeps what each request said, as it stood then."""

    def __init__(self, model):
        super().__init__(model)
        self.asked = []

    def create(self, **data):
        asked = deepcopy([dict(message) for message in data["messages"]])
        rest = {name: value for name, value in data.items() if name != "messages"}
        try:
            return super().create(**data)
        finally:
            self.asked.append((rest, asked))


class Turns:
    """A model of given turns; an error among them is raised."""

    def __init__(self, *turns):
        self._turns = list(turns)

    def next_turn(self, request, results):
        turn = self._turns.pop(0) if len(self._turns) > 1 else self._turns[0]
        if isinstance(turn, Exception):
            raise turn
        return turn


def forgetting(talk):
    """A lever that takes the first result away once there are two."""
    if len(talk) < 5 or talk[2]["content"][0]["content"] == "cleared":
        return talk
    messages = [*talk]
    messages[2] = {"role": "user", "content": [{**talk[2]["content"][0], "content": "cleared"}]}
    return talk.rewritten(messages)


def interrupting(call):
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("model", "options"),
    [
        (Script(THREE), {}),
        (Script(THREE), {"cache": None, "effort": "low", "parallel": False, "thinking": "omitted"}),
        (Script(THREE), {"cache": "1h", "max_tokens": 500}),
        (Script([*THREE[:2], *THREE]), {"levers": [forgetting]}),
        (Script(THREE), {"max_steps": 2}),
        (Turns(Turn([], "tool_use"), Turn(say("  "), "tool_use"), Turn(say("x"))), {}),
        (Turns(Turn(say("a"), "pause_turn"), Turn([], "pause_turn"), Turn(say("x"))), {}),
        (Turns(Turn(call("search", text="a")), ApiError(400, "invalid_request_error", "no: more")), {}),
        (Turns(Turn([], "refusal")), {}),
        (Turns(Turn(call("search", text="a") + say("cut"), "max_tokens")), {}),
        (Turns(Turn(call("search", text="a"))), {"max_steps": 30}),
    ],
)
def test_what_was_asked_is_what_the_client_was_sent(model, options, search):
    client = Spy(model)
    result = run_agent("question", [search], RULES, client=client, **options)
    recording = Recording(result.events)
    asked = [deepcopy(list(talk)) for talk, _ in recording.asked()]
    assert asked == [messages for _, messages in client.asked]
    assert all(recording.settings == rest for rest, _ in client.asked)
    assert (recording.task, recording.end) == ("question", result.events[-1])
    assert (recording.failure is None) == (result.stop is not StopReason.API_ERROR)
    assert len(recording.replies) == len(result.steps)


def test_an_interrupt_in_a_tool_is_part_of_what_was_asked(search, tmp_path):
    """Interrupted at the second step, and gone on with."""
    path = tmp_path / "run.jsonl"
    asked = []
    for resume in (False, True):
        client = Spy(continued(THREE, read_transcript(path).events) if resume else Script(THREE))
        said = iter([True, True, KeyboardInterrupt])

        def approve(call, said=said, resume=resume):
            answer = True if resume else next(said)
            if answer is not True:
                raise answer
            return Decision(True, 5)

        result = run_agent(
            "question", [search.approved()], client=client, transcript=path, approve=approve, resume=resume
        )
        asked += client.asked
    assert result.stop is StopReason.END_TURN
    talks = [deepcopy(list(talk)) for talk, _ in read_recording(path).asked()]
    assert talks == [messages for _, messages in asked]
    assert "interrupted" in talks[-1][-1]["content"][1]["content"]


@pytest.mark.parametrize("lines", range(2, 7))
def test_a_run_that_was_cut_and_went_on_is_one_recording(search, tmp_path, lines):
    path = tmp_path / "run.jsonl"
    first = Spy(Script(THREE))
    run_agent("question", [search], RULES, client=first, transcript=path)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:lines]) + '{"event": "rep')
    cut = read_recording(path)
    assert cut.end is None
    assert len(cut.replies) == sum(event["event"] == "reply" for event in cut.events)
    client = Spy(continued(THREE, cut.events))
    run_agent("", [search], RULES, client=client, transcript=path, resume=True)
    talks = [deepcopy(list(talk)) for talk, _ in read_recording(path).asked()]
    assert talks == [messages for _, messages in first.asked[: len(cut.replies)] + client.asked]


def test_results_that_were_written_twice_are_read_once(played):
    """As when an interrupt comes after they were written, and before the loop knows."""
    events = list(played(THREE)[0].events)
    at = next(number for number, event in enumerate(events) if event["event"] == "results")
    again = {
        **events[at],
        "content": [{**block, "content": "interrupted"} for block in events[at]["content"]],
    }
    twice = Recording((*events[: at + 1], again, *events[at + 1 :]))
    once, both = (
        [deepcopy(list(talk)) for talk, _ in each.asked()] for each in (Recording(tuple(events)), twice)
    )
    assert once == both


@pytest.mark.parametrize("options", [{}, {"cache": "1h"}, {"cache": None}, {"tools": []}])
def test_the_prompts_are_those_that_were_billed(search, options):
    """Tokens, markers and what a cache compares, with the client's own count and hidden tokens."""
    client = FakeClient(Script(THREE if "tools" not in options else [say("done")]))
    tools = options.pop("tools", [search])
    result = run_agent("question", tools, RULES, client=client, **options)
    asked = Recording(result.events).asked(client.count, 286)
    for (talk, _), request in zip(asked, client.sent, strict=True):
        assert (talk.prompt.last, talk.prompt.markers) == (request.prompt.last, request.prompt.markers)
        assert talk.prompt.tokens == request.prompt.tokens


def test_provenance_is_what_the_head_says_beside_the_format():
    transcript = Transcript(provenance={"name": "mine", "prices": "2026-10-24"})
    transcript.write("task", task="q", model="toy-1", max_tokens=5)
    recording = Recording(tuple(transcript.events))
    assert recording.provenance == {"name": "mine", "prices": "2026-10-24"}
    assert recording.settings == {"model": "toy-1", "max_tokens": 5}
    assert (recording.end, recording.replies, list(recording.asked())) == (None, (), [])


def test_a_run_that_had_not_begun_is_named(tmp_path):
    Transcript(tmp_path / "run.jsonl").close()
    with pytest.raises(BadTranscript, match="a transcript with one task"):
        read_recording(tmp_path / "run.jsonl")


def test_two_runs_in_one_are_named(played):
    events = played(THREE)[0].events
    with pytest.raises(BadTranscript, match="one task"):
        Recording(events + events)


@pytest.mark.parametrize(
    "broken",
    [{"usage": {}}, {"usage": None}, {"content": 5}, {"content": [{}]}, {"dollars": "much"}, {"step": "x"}],
)
def test_a_reply_that_cannot_be_read_is_named_at_once(played, broken):
    events = [event | broken if event["event"] == "reply" else event for event in played(THREE)[0].events]
    with pytest.raises(BadTranscript, match="a reply that can be read"):
        Recording(tuple(events))


@pytest.mark.parametrize("kind", ["results", "reply"])
def test_messages_that_cannot_follow_each_other_are_named(played, kind):
    events = list(played(THREE)[0].events)
    del events[next(number for number, event in enumerate(events) if event["event"] == kind)]
    with pytest.raises(BadTranscript, match="messages can follow each other"):
        Recording(tuple(events))


@pytest.mark.parametrize(
    ("task", "words"),
    [
        ({"model": "toy-1"}, "a task with model and max_tokens"),
        ({"max_tokens": 5}, "a task with model and max_tokens"),
        ({"model": "toy-1", "max_tokens": 5, "system": ["Be brief."]}, "messages can follow"),
        ({"model": "toy-1", "max_tokens": 5, "tools": None}, "messages can follow"),
    ],
)
def test_settings_that_no_request_can_have_are_named(task, words):
    transcript = Transcript()
    transcript.write("task", task="q", **task)
    with pytest.raises(BadTranscript, match=words):
        Recording(tuple(transcript.events))
