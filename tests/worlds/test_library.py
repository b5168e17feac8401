"""The library: its tools, the two agents that use them, and a retrieval that misses the example."""

import pytest

from simlib.agent.loop import run_agent
from simlib.errors import UnknownName
from simlib.models.client import FakeClient
from simlib.models.scripted import Script
from simlib.theory.information import kl_divergence
from simlib.worlds.library.agents import AGENTS
from simlib.worlds.library.texts import QUESTION, SYSTEM, library_tools, load_texts
from simlib.worlds.retrieval import most_like, pieces

TEXTS = load_texts()
LIST, SEARCH, READ = library_tools(TEXTS)
BITS = [f"{kl_divergence(*pair):.3f}" for pair in (([0.7, 0.3], [0.5, 0.5]), ([0.5, 0.5], [0.7, 0.3]))]


def run(name, texts=TEXTS, **options):
    client = FakeClient(Script(AGENTS[name]))
    return run_agent(QUESTION, library_tools(texts), SYSTEM, client=client, max_steps=30, **options)


def test_twenty_one_texts_and_the_answer_in_the_tenth():
    assert len(TEXTS) == 21
    assert list(TEXTS) == sorted(TEXTS)
    holding = [name for name, text in TEXTS.items() if all(bits in text for bits in BITS)]
    assert holding == [list(TEXTS)[9]]
    assert BITS == ["0.119", "0.126"]


def test_searching_finds_nothing_then_something_and_reads_an_excerpt():
    result = run("library-search")
    words = [step.calls[0].name for step in result.steps[:-1]]
    assert words == ["search", "search", "read"]
    results = [event["content"][0]["content"] for event in result.events if event["event"] == "results"]
    assert results[0] == "nothing found"
    assert results[1].count("information:") >= 5
    assert len(results[2]) < len(TEXTS["information"]) / 2
    assert all(bits in result.answer for bits in BITS)


def test_reading_everything_comes_across_it_in_the_tenth_text():
    result = run("library-read-everything")
    assert len(result.steps) == 11
    assert all(bits in result.answer for bits in BITS)
    assert result.total_input > 4 * run("library-search").total_input


@pytest.mark.parametrize("name", AGENTS)
def test_without_the_example_neither_makes_one_up(name):
    without = {**TEXTS, "information": TEXTS["information"].replace(BITS[0], "few").replace(BITS[1], "more")}
    assert not any(bits in run(name, without).answer for bits in BITS)


def test_a_search_that_finds_nothing_at_all_says_so():
    result = run("library-search", {"bayes": TEXTS["bayes"]})
    assert result.answer == "I found nothing about it in these texts."
    assert len(result.steps) == 3


def test_one_retrieval_brings_three_pieces_of_the_right_text_without_the_example():
    found = most_like(QUESTION, pieces(TEXTS))
    assert [piece.name for piece in found] == ["information"] * 3
    assert not any(bits in piece.text for piece in found for bits in BITS)


def test_pieces_are_the_text():
    for piece in pieces(TEXTS):
        assert TEXTS[piece.name][piece.start :].startswith(piece.text)
    words = [word for piece in pieces(TEXTS) for word in piece.text.split()]
    assert words == [word for text in TEXTS.values() for word in text.split()]


def test_the_tools_do_what_they_say():
    assert LIST().splitlines()[9] == f"information: {len(TEXTS['information'])} characters"
    assert SEARCH(text="ENTROPY", limit=2).endswith("more)")
    place = SEARCH(text="Take rain", limit=1)
    start = int(place.split(":")[1])
    assert READ(text="information", start=start, end=start + 9) == "Take rain"
    assert "there is nothing from 90000 on" in READ(text="information", start=90_000)
    with pytest.raises(UnknownName, match="text is 'x'"):
        READ(text="x")
