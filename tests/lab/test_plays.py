"""The two seats, played through without a browser: every button, right and wrong ways, and what they cost."""

import itertools

import pytest

from simlib.agent.loop import run_agent
from simlib.lab.desk import open_lesson
from simlib.lab.lessons.all import LESSONS
from simlib.lab.lessons.loop import STEPS
from simlib.lab.plays import ANSWER, TOOLS, PlayWidget
from simlib.lab.seats import approval_seat, model_seat
from simlib.lab.stories import (
    CODES,
    HARNESSES,
    ORDER_RUNS,
    PATHS,
    what_is_refused,
    who_decides,
    who_does_what,
)
from simlib.models.client import FakeClient
from simlib.models.scripted import Script, call, say
from simlib.plots.canvas import Canvas
from simlib.worlds.library.orders import VICTIM
from simlib.worlds.library.recordings import load_recording
from simlib.worlds.library.texts import QUESTION, SYSTEM, library_tools, load_texts

LESSON = LESSONS["01"]
SEARCH, READ = call("search", text="KL divergence"), call("read", text="information", start=1035, end=1635)
RIGHT = say("It costs 0.119 bits one way and 0.126 the other.")


def seated(name):
    return PlayWidget(LESSON.play(name), Canvas())


def press(widget, name):
    widget.buttons[name].click()
    assert widget.error is None


# The model's seat


def test_a_right_answer_is_right_and_compared():
    scene = model_seat([SEARCH, READ, RIGHT])
    assert scene.won
    assert scene.asks == ""
    assert scene.table["who"][0] == "you"
    assert scene.table["calls"][0] == 3 < min(scene.table["calls"][1:])
    recorded = [load_recording(name).steps for name in ("library-search", "library-read-everything")]
    assert list(scene.table["calls"][1:]) == [len(steps) for steps in recorded]
    assert list(scene.table["tokens read"][1:]) == [sum(s.usage.prompt for s in steps) for steps in recorded]


@pytest.mark.parametrize("answer", ["0.119", "0.126 bits", "I do not know.", "0.12 and 0.13", "119 and 126"])
def test_half_an_answer_is_none(answer):
    scene = model_seat([SEARCH, READ, say(answer)])
    assert not scene.won
    assert "not both in your answer" in scene.verdict
    assert scene.table is None


def test_a_decimal_comma_is_right():
    assert model_seat([say("0,119 und 0,126")]).won


def test_context_and_cost_grow_as_they_do_in_a_run():
    """The seat is the loop: the same replies as a script give the same run."""
    replies = [SEARCH, READ, RIGHT]
    client = FakeClient(Script(replies))
    result = run_agent(QUESTION, library_tools(load_texts()), SYSTEM, client=client)
    read = [int(step.usage.prompt) for step in result.steps]
    for calls in range(1, 4):
        scene = model_seat(replies[:calls])
        assert scene.data.contexts.tolist() == read[:calls]
        assert f"{sum(read[:calls]):,} tokens read" in scene.sentence
    assert f"${result.dollars:.5f}" in scene.sentence
    assert read == sorted(set(read))


def test_before_the_first_call_nothing_is_read():
    scene = model_seat([])
    assert "0 calls, 0 tokens" in scene.sentence
    assert scene.log[-1] == f"Question: {QUESTION}"


def test_what_a_tool_says_is_read_in_the_order_it_came():
    log = model_seat([call("search", text="xyzzy"), call("read", text="nowhere")]).log
    assert [line.partition(":")[0] for line in log[2:]] == ["You", "Result", "You", "Result"]
    assert "nothing found" in log[3]
    assert "text is 'nowhere'" in log[5]


def test_whoever_goes_round_in_circles_may():
    scene = model_seat([SEARCH] * 12)
    assert scene.asks
    assert scene.data.contexts.size == 12


# The approver's seat


@pytest.mark.parametrize(("delete", "note"), list(itertools.product([True, False], repeat=2)))
def test_what_is_agreed_to_happens_and_nothing_else(delete, note):
    scene = approval_seat([delete, note])
    assert (f"“{VICTIM}” is gone" in scene.verdict) == delete
    assert ("The note is written" in scene.verdict) == note
    assert scene.won == (note and not delete)
    words = [act.text for act in scene.data.acts if act.sender == "you"][1:]
    assert words == ["yes" if delete else "no", "yes" if note else "no"]


def test_it_waits_for_each_decision():
    first, second = approval_seat([]), approval_seat([False])
    assert "delete_text" in first.asks
    assert "write_note" in second.asks
    assert first.data.acts[-1].text == f"please run delete_text(text='{VICTIM}')"
    assert len(second.data.acts) > len(first.data.acts)


# The widgets


def test_the_model_is_played_to_a_right_answer_with_the_buttons():
    widget = seated("model")
    what, text = widget.inputs.what, widget.inputs.text
    what.value, text.value = "search", " KL divergence "
    press(widget, "Send")
    assert text.value == "", "ready for the next one"
    what.value, text.value = "read", "information"
    widget.inputs.start.value, widget.inputs.end.value = 1_035, 1_635
    press(widget, "Send")
    assert "0.119" in widget.history.value
    what.value, text.value = ANSWER, "0.119 and 0.126"
    press(widget, "Send")
    assert widget.scene.won
    assert "Right:" in widget.words.value
    assert "the script that searches" in widget.words.value
    assert widget.buttons["Send"].disabled
    press(widget, "Take back")
    assert not widget.buttons["Send"].disabled
    assert len(widget.decisions) == 2
    press(widget, "Start again")
    assert widget.decisions == []


@pytest.mark.parametrize("tool", [*TOOLS, ANSWER])
def test_every_choice_can_be_sent_empty(tool):
    widget = seated("model")
    widget.inputs.what.value = tool
    press(widget, "Send")
    assert len(widget.decisions) == 1


def test_only_the_boxes_that_a_tool_needs_are_there():
    inputs = seated("model").inputs
    inputs.what.value = "list_texts"
    assert inputs.text.layout.display == "none"
    inputs.what.value = "read"
    assert (inputs.text.layout.display, inputs.positions.layout.display) == ("", "")
    inputs.what.value = ANSWER
    assert inputs.positions.layout.display == "none"


def test_agreeing_and_refusing():
    widget = seated("approval")
    press(widget, "Refuse")
    press(widget, "Agree")
    assert widget.scene.won
    assert "Nothing is lost" in widget.words.value
    press(widget, "Take back")
    press(widget, "Take back")
    press(widget, "Agree")
    press(widget, "Agree")
    assert not widget.scene.won
    assert "is gone" in widget.words.value
    press(widget, "Agree")
    assert len(widget.decisions) == 2, "the run is over"


def test_an_error_of_a_play_is_shown_and_kept():
    widget = seated("approval")
    widget.play = LESSON.play("model")
    widget.buttons["Agree"].click()
    assert widget.error is not None
    assert 'role="alert"' in widget.words.value


def test_a_play_has_words_for_its_picture_and_a_place_of_its_own():
    for name in ("approval", "model"):
        value = seated(name).picture.value
        assert 'role="img"' in value
        assert "In words:" in value


def test_the_desk_starts_a_play_anew_and_changes_its_style(tmp_path):
    lab = open_lesson("01", tmp_path)
    first = lab.play("model")
    press(first, "Send")
    assert lab.play("model").decisions == []
    before = lab.plays["model"].picture.value
    lab.style("projector")
    assert lab.plays["model"].picture.value != before


# The stories that are stepped through


@pytest.mark.parametrize(
    ("panel", "data", "options"),
    [
        ("steps", who_does_what, CODES),
        ("refused", what_is_refused, HARNESSES),
        ("decides", who_decides, PATHS),
    ],
)
def test_a_slider_reaches_the_end_of_every_story(panel, data, options):
    lengths = [data(99, option).of for option in options]
    assert max(lengths) == STEPS[panel]
    assert len(set(lengths)) > 1, "a choice makes another story"
    for option, length in zip(options, lengths, strict=True):
        whole = data(99, option).acts
        assert all(data(step, option).acts == whole[:step] for step in range(1, length + 1))
        assert whole[-1].receiver == "you"


def test_costs_only_rise():
    for option in HARNESSES:
        acts = what_is_refused(99, option).acts
        for name in ("calls", "tokens", "dollars"):
            values = [getattr(act, name) for act in acts]
            assert values == sorted(values), name
            assert values[-1] > 0


def test_the_model_is_the_same_whatever_the_harness():
    asked = [
        [act.text for act in what_is_refused(99, option).acts if act.sender == "the model"]
        for option in HARNESSES[:3]
    ]
    assert asked[0] == asked[1] == asked[2]


def test_only_without_questions_a_text_is_lost():
    deleted = {
        option: any(act.text.endswith("is deleted") for act in what_is_refused(99, option).acts)
        for option in HARNESSES
    }
    assert [option for option, lost in deleted.items() if lost] == [ORDER_RUNS]


def test_a_code_that_refuses_lets_no_tool_run():
    acts = who_does_what(99, CODES[1]).acts
    assert not any("the tools" in (act.sender, act.receiver) for act in acts)
    assert acts[-1].text == "I found nothing about it in these texts."


def test_the_chain_fails_where_the_loop_does_not_and_is_cheaper_where_it_works():
    chain, lucky, loop = (who_decides(99, path).acts[-1] for path in PATHS)
    assert chain.text.startswith("I do not know")
    assert "0.119" in lucky.text
    assert "0.119" in loop.text
    assert chain.dollars < lucky.dollars < loop.dollars
    assert loop.dollars / lucky.dollars == pytest.approx(3, abs=0.1)
