"""The two seats, played through without a browser: every button, right and wrong ways, and what they cost."""

import itertools

import pytest

from simlib.agent.loop import run_agent
from simlib.errors import BadArgument
from simlib.lab.desk import open_lesson
from simlib.lab.lessons.all import LESSONS
from simlib.lab.lessons.loop import MESSAGES
from simlib.lab.plays import ANSWER, TOOLS, PlayWidget
from simlib.lab.seats import approval_seat, model_seat
from simlib.lab.stories import (
    CODES,
    HARNESSES,
    LIMIT,
    MOST,
    ORDER_RUNS,
    PATHS,
    what_is_refused,
    who_decides,
    who_does_what,
)
from simlib.lab.widgets import PanelWidget
from simlib.models.client import FakeClient
from simlib.models.scripted import Script, call, say
from simlib.plots.canvas import Canvas
from simlib.worlds.library.orders import VICTIM
from simlib.worlds.library.rare import RARE_AGENTS, RARE_QUESTION
from simlib.worlds.library.recordings import MOST_STEPS
from simlib.worlds.library.texts import SYSTEM, library_tools, load_texts

LESSON = LESSONS["01"]
SEARCH, READ = call("search", text="tests positive"), call("read", text="bayes", start=163, end=763)
RIGHT = say("Of eleven who are told so, one is ill.")


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
    assert len(scene.table["who"]) == 1 + len(RARE_AGENTS)
    assert scene.table["tokens read"][0] < min(scene.table["tokens read"][1:])


@pytest.mark.parametrize("answer", ["One of ten.", "I do not know.", "111", "99 of 100", "elevenfold"])
def test_another_number_is_not_right(answer):
    scene = model_seat([SEARCH, READ, say(answer)])
    assert not scene.won
    assert "your answer does not say it" in scene.verdict
    assert scene.table is None


@pytest.mark.parametrize("answer", ["1 in 11", "ELEVEN!", "one of eleven", "it is 1/11."])
def test_a_right_number_is_right_only_if_it_was_read(answer):
    assert model_seat([SEARCH, READ, say(answer)]).won
    made_up = model_seat([say(answer)])
    assert not made_up.won
    assert "you have not read it" in made_up.verdict


@pytest.mark.parametrize("name", RARE_AGENTS)
def test_the_scripts_answer_it_too_and_only_from_what_they_read(name):
    def answered(texts):
        client = FakeClient(Script(RARE_AGENTS[name]))
        tools = library_tools(texts)
        return run_agent(RARE_QUESTION, tools, SYSTEM, client=client, max_steps=MOST_STEPS).answer

    texts = load_texts()
    assert answered(texts) == "One of eleven is really ill (from “bayes”)."
    assert "eleven" not in answered(texts | {"bayes": texts["bayes"].replace("eleven", "some")})


def test_a_reply_beyond_the_limit_is_refused_and_not_kept():
    with pytest.raises(BadArgument, match="a shorter one"):
        model_seat([SEARCH, say("x " * 30_000)])


def test_context_and_cost_grow_as_they_do_in_a_run():
    """The seat is the loop: the same replies as a script give the same run."""
    replies = [SEARCH, READ, RIGHT]
    client = FakeClient(Script(replies))
    result = run_agent(RARE_QUESTION, library_tools(load_texts()), SYSTEM, client=client)
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
    assert scene.log[-1] == f"Question: {RARE_QUESTION}"


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
    what.value, text.value = "search", " tests positive "
    press(widget, "Send")
    assert text.value == "", "ready for the next one"
    what.value, text.value = "read", "bayes"
    widget.inputs.start.value = 163
    assert widget.inputs.end.value == 763, "follows, so that nobody reads backwards by accident"
    press(widget, "Send")
    assert "one case of eleven" in widget.history.value
    what.value, text.value = ANSWER, "one of eleven"
    press(widget, "Send")
    assert widget.scene.won
    assert "Right, and you have read it." in widget.words.value
    assert "the script that searches" in widget.words.value
    assert widget.entry.layout.display == "none"
    text.value = "one thing more"
    press(widget, "Send")
    assert len(widget.decisions) == 3, "the run is over"
    press(widget, "Take back")
    assert widget.entry.layout.display == ""
    assert len(widget.decisions) == 2
    press(widget, "Start again")
    assert widget.decisions == []


@pytest.mark.parametrize("tool", [*TOOLS, ANSWER])
def test_what_says_nothing_or_too_much_is_not_sent(tool):
    widget = seated("model")
    widget.inputs.what.value = tool
    press(widget, "Send")
    if tool == "list_texts":
        assert len(widget.decisions) == 1
        return
    assert "Write into the box" in widget.words.value
    widget.inputs.text.value = "x" * 301
    press(widget, "Send")
    assert "At most 300 letters" in widget.words.value
    assert widget.decisions == []


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
    first.inputs.text.value = "illness"
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
    assert max(lengths) == MESSAGES[panel]
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
    assert acts[-1].text == "My search was denied, so I do not know."


def test_a_limit_ends_the_run_before_its_answer():
    acts = what_is_refused(99, LIMIT).acts
    assert acts[-1].text == "stopped: max_steps"
    assert acts[-1].calls == MOST


def test_another_choice_begins_its_story_anew():
    widget = PanelWidget(LESSON.panel("steps"), Canvas())
    widget.inputs["step"].value = 9
    before = widget.redraws
    widget.inputs["code"].value = CODES[1]
    assert widget.inputs["step"].value == 1
    assert widget.redraws == before + 1
    assert "Message 1 of 7" in widget.picture.value


def test_the_chain_fails_where_the_loop_does_not_and_is_cheaper_where_it_works():
    chain, lucky, loop = (who_decides(99, path).acts[-1] for path in PATHS)
    assert chain.text.startswith("I do not know")
    assert "0.119" in lucky.text
    assert "0.119" in loop.text
    assert chain.dollars < lucky.dollars < loop.dollars
    assert loop.dollars / lucky.dollars == pytest.approx(3, abs=0.1)
