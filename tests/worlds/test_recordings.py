"""The recordings that come with the package: they say where they come from, and play to the letter."""

import json
from dataclasses import replace
from importlib import resources

import pytest

from simlib.errors import UnknownName
from simlib.models.client import DAY
from simlib.models.replay import ReplayMiss
from simlib.models.replayed import replay
from simlib.models.reprice import reprice
from simlib.models.scripted import Script
from simlib.worlds.library import agents
from simlib.worlds.library.agents import AGENTS
from simlib.worlds.library.recordings import load_recording, recorded
from simlib.worlds.library.texts import QUESTION, library_tools, load_texts

FOLDER = resources.files("simlib.worlds.library").joinpath("recordings")


@pytest.mark.parametrize("name", AGENTS)
def test_recorded_anew_they_are_the_same_to_the_byte(name):
    """After a change: python scripts/record.py."""
    assert FOLDER.joinpath(f"{name}.jsonl").read_bytes() == recorded(name).encode()


def test_there_is_one_for_each_agent_and_no_other_file():
    files = {file.name for file in FOLDER.iterdir() if file.name != "__pycache__"}
    assert files == {f"{name}.jsonl" for name in AGENTS}


@pytest.mark.parametrize("name", AGENTS)
def test_the_first_line_says_where_it_comes_from(name):
    head = json.loads(FOLDER.joinpath(f"{name}.jsonl").read_text(encoding="utf-8").splitlines()[0])
    provenance = load_recording(name).provenance
    assert head == {"event": "start", "format": "simlib-transcript", "version": 1, **provenance}
    assert set(provenance) == {"name", "script", "made_by", "prices", "about"}
    assert (provenance["name"], provenance["prices"]) == (name, str(DAY))
    module, _, function = provenance["script"].rpartition(".")
    assert module == agents.__name__
    assert getattr(agents, function) is AGENTS[name]
    assert provenance["made_by"] == f"{recorded.__module__}.{recorded.__qualname__}"
    assert "The model is a script" in provenance["about"]


@pytest.mark.parametrize("tokens", ["recorded", "recomputed"])
@pytest.mark.parametrize("name", AGENTS)
def test_they_play_with_the_tools_and_give_their_own_answer(name, tokens):
    recording = load_recording(name)
    played = replay(recording, library_tools(load_texts()), tokens=tokens)
    assert played.lines() == ["no request differs", "0 replies not used", f"tokens: {tokens}"]
    assert (recording.task, played.result.stop) == (QUESTION, "end_turn")
    assert played.result.answer == recording.end["answer"]
    assert str(played.result.dollars) == recording.end["dollars"]


@pytest.mark.parametrize("name", AGENTS)
def test_its_words_are_its_scripts(name):
    """Sent the recorded results, the script says the recorded steps."""
    script, results = Script(AGENTS[name]), []
    for event in load_recording(name).events:
        if event["event"] == "reply":
            said = [{key: value for key, value in block.items() if key != "id"} for block in event["content"]]
            assert script.next_step(results) == said
        elif event["event"] == "results":
            results = [block["content"] for block in event["content"]]


@pytest.mark.parametrize(
    ("name", "text", "call"),
    [
        ("library-search", "information", 3),  # the second search finds it there
        ("library-read-everything", list(load_texts())[2], 4),  # the third text that it reads
    ],
)
def test_a_text_that_was_changed_is_named_where_it_is_read_first(name, text, call):
    texts = load_texts()
    changed = {**texts, text: texts[text].replace("a", "o", 1).replace("KL", "K L")}
    with pytest.raises(ReplayMiss) as caught:
        replay(load_recording(name), library_tools(changed))
    difference = caught.value.difference
    assert difference.call == call
    assert difference.place == f"messages[{2 * (call - 1)}].content[0].content"
    assert caught.value.unused == len(load_recording(name).replies) - difference.call + 1


def test_a_text_that_neither_reads_makes_no_difference():
    texts = load_texts()
    last = list(texts)[-1]
    played = replay(load_recording("library-search"), library_tools({**texts, last: texts[last] + " More."}))
    assert played.differences == ()


def test_a_tool_that_is_described_otherwise_is_named():
    first, *rest = library_tools(load_texts())
    other = replace(first, description="List the texts.")
    with pytest.raises(
        ReplayMiss, match=r"call 1: tools\[0\].description is 'List the texts.', the recording"
    ):
        replay(load_recording("library-search"), [other, *rest])


def test_the_search_costs_less_however_it_is_paid_for():
    for options in ({}, {"caching": "off"}, {"model": "gpt-4o"}):
        search, everything = (reprice(load_recording(name), day=DAY, **options).total for name in AGENTS)
        assert search < everything


def test_another_name_is_named():
    for function in (load_recording, recorded):
        with pytest.raises(UnknownName, match="library-searches"):
            function("library-searches")
