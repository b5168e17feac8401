"""Two sessions in the library: what the second one knows of the first, and what that costs and saves."""

import math
import re

import pytest

from simlib.agent.memory import Notes
from simlib.agent.stop import StopReason
from simlib.errors import BadArgument, UnknownName
from simlib.theory.information import kl_divergence
from simlib.worlds.library.remembers import NOT_FOUND, RELATED
from simlib.worlds.library.sessions import comparison, run_session, two_sessions
from simlib.worlds.library.texts import QUESTION, load_texts

TEXTS = load_texts()
FORWARD, BACKWARD = (kl_divergence(*pair) for pair in (([0.7, 0.3], [0.5, 0.5]), ([0.5, 0.5], [0.7, 0.3])))
WITHOUT_EXAMPLE = {**TEXTS, "information": re.sub(r"0\.1\d\d bits", "some bits", TEXTS["information"])}
MOVED = {**TEXTS, "information": "A line that was not there before.\n\n" * 20 + TEXTS["information"]}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "notes.txt"


def called(result):
    return [call.name for step in result.steps for call in step.calls]


def test_both_answers_are_right_with_notes_and_without(path):
    for first, second in (two_sessions(None), two_sessions(path)):
        assert f"{FORWARD:.3f} bits one way and {BACKWARD:.3f} bits the other" in first.answer
        assert BACKWARD > FORWARD  # where 0.5 is true and 0.7 believed
        assert second.answer.startswith("Believing 0.7 where 0.5 is true costs more, by 0.007 bits")
        assert float(second.answer.split(" by ")[1].split()[0]) == pytest.approx(
            BACKWARD - FORWARD, abs=0.001
        )
        assert (first.stop, second.stop) == (StopReason.END_TURN, StopReason.END_TURN)


def test_without_notes_the_second_session_falls_over_the_same_phrase(path):
    first, second = two_sessions(None)
    assert called(first) == called(second) == ["search", "search", "read"]
    phrases = [result.steps[0].calls[0].arguments for result in (first, second)]
    assert phrases == [{"text": "KL divergence is not a distance"}] * 2
    assert all(result.events[3]["content"][0]["content"] == "nothing found" for result in (first, second))


def test_with_notes_it_goes_straight_to_the_place(path):
    first, second = two_sessions(path)
    assert called(first) == ["read_notes", "search", "search", "read", "write_note"]
    assert called(second) == ["read_notes", "read"]
    assert len(path.read_text().splitlines()) == 1
    name, start, end = re.match(r"(\S+), characters (\d+) to (\d+)", path.read_text()).groups()
    passage = TEXTS[name][int(start) : int(end)]
    assert passage.startswith("probability 0.7")
    assert passage.endswith(f"{BACKWARD:.3f} bits")


def test_the_second_session_knows_nothing_but_what_it_reads(path):
    first, second = two_sessions(path)
    assert [event["event"] for event in second.events[:3]] == ["start", "task", "reply"]
    assert second.events[1]["task"] == RELATED
    assert second.steps[0].usage.cache_read == 0  # a client of its own
    path.write_text("")  # somebody throws the notes away
    forgetful = run_session(RELATED, Notes(path))
    assert called(forgetful) == called(first)
    assert forgetful.answer == second.answer


@pytest.mark.parametrize("noted", [True, False])
def test_what_the_texts_do_not_say_is_not_found(path, noted):
    first, second = two_sessions(path if noted else None, WITHOUT_EXAMPLE)
    assert first.answer == second.answer == NOT_FOUND
    assert not noted or path.read_text() == ""


def test_a_note_alone_is_no_evidence(path):
    _, second = two_sessions(path, TEXTS, WITHOUT_EXAMPLE)
    assert called(second) == ["read_notes", "read", "search", "search", "read"]
    assert second.answer == NOT_FOUND


@pytest.mark.parametrize("later", [MOVED, {f"new-{name}": text for name, text in TEXTS.items()}])
def test_a_stale_note_is_noticed_and_a_new_one_written(path, later):
    _, second = two_sessions(path, TEXTS, later)
    assert called(second) == ["read_notes", "read", "search", "search", "read", "write_note"]
    assert "0.007 bits" in second.answer
    assert len(Notes(path).read()) == 2
    third = run_session(RELATED, Notes(path), later)
    assert (called(third), third.answer) == (["read_notes", "read"], second.answer)


def test_an_answer_is_computed_from_what_stands_there_now(path):
    changed = {**TEXTS, "information": TEXTS["information"].replace("0.119", "0.526")}
    _, second = two_sessions(path, TEXTS, changed)
    assert second.answer.startswith("Believing 0.5 where 0.7 is true costs more, by 0.400 bits")
    same = {**TEXTS, "information": TEXTS["information"].replace("0.119", "0.126")}
    assert run_session(RELATED, Notes(path), same).answer.startswith("Neither: it is 0.126 bits both ways")


def test_notes_of_somebody_else_do_not_help_and_do_not_harm(path):
    path.write_text("ask before you delete\ninformation, characters 0 to 99: the example, I think\n")
    result = run_session(QUESTION, Notes(path))
    assert called(result) == ["read_notes", "read", "search", "search", "read", "write_note"]
    assert Notes(path).read()[0] == "ask before you delete"


def test_the_first_session_may_keep_a_plan(path):
    first, second = two_sessions(path, plan=True)
    assert called(first)[0] == called(first)[-1] == "write_plan"
    assert "write_plan" not in called(second)
    plans = [
        event["content"][0]["content"].splitlines()[-1]
        for event in first.events
        if event["event"] == "results" and " done; " in event["content"][0]["content"]
    ]
    assert plans == [
        "0 of 2 done; next: find where the example stands",
        "2 of 2 done; nothing is left",
    ]


def test_the_comparison_shows_what_notes_cost_and_what_they_save():
    found = comparison()
    assert list(found.table) == ["session", "notes", "calls", "input tokens", "dollars", "answer"]
    assert list(zip(found.table["session"], found.table["notes"], strict=True)) == [
        (1, "without"),
        (1, "with"),
        (2, "without"),
        (2, "with"),
    ]
    for name in ("calls", "input tokens", "dollars"):
        first, noting, second, knowing = found.table[name]
        assert noting > first
        assert knowing < second
        assert (noting - first, second - knowing) == (found.cost[name], found.saved[name])


@pytest.mark.parametrize("plan", [False, True])
def test_notes_have_paid_when_the_sum_of_all_sessions_says_so(path, plan):
    """Runs one session after the other, until those with notes have cost no more in all."""
    expected = comparison(plan=plan).paid_after
    measures = {
        "calls": lambda result: len(result.steps),
        "input tokens": lambda result: result.total_input,
        "dollars": lambda result: result.dollars,
    }
    notes = Notes(path)
    with_notes, without = run_session(QUESTION, notes, plan=plan), run_session(QUESTION, plan=plan)
    ahead = {name: measure(with_notes) - measure(without) for name, measure in measures.items()}
    paid = {}
    for number in range(1, 12):
        with_notes, without = run_session(RELATED, notes), run_session(RELATED)
        for name, measure in measures.items():
            ahead[name] += measure(with_notes) - measure(without)
            if ahead[name] <= 0:
                paid.setdefault(name, number)
    assert paid == expected


def test_notes_about_nothing_never_pay():
    found = comparison({"bayes": TEXTS["bayes"]})
    assert set(found.table["answer"]) == {NOT_FOUND}
    assert set(found.paid_after.values()) == {math.inf}


def test_a_session_asks_what_it_knows_and_notes_need_a_place(tmp_path):
    with pytest.raises(UnknownName, match="task is 'Why'"):
        run_session("Why")
    with pytest.raises(BadArgument, match="path is"):
        two_sessions(tmp_path / "gone" / "notes.txt")
