"""Scripts: they react to what the tools returned, and say so when they have nothing left."""

import pytest

from simlib.errors import BadArgument
from simlib.models.scripted import Script, ScriptEnded, call, say, think


def test_a_list_is_played_in_order():
    script = Script([call("search", text="a"), say("done")])
    assert [script.next_step(results)[0]["type"] for results in ([], ["found"])] == ["tool_use", "text"]


def test_a_generator_is_sent_the_results_in_the_order_asked():
    def reacting():
        first, second = yield call("search", text="a") + call("search", text="b")
        yield say(f"{first} then {second}")

    script = Script(reacting)
    script.next_step([])
    assert script.next_step(["one", "two"]) == say("one then two")


def test_the_end_of_a_script_is_an_error_and_no_answer():
    script = Script([say("done")])
    script.next_step([])
    with pytest.raises(ScriptEnded, match="the script has 1 steps, and another one was asked for"):
        script.next_step([])


@pytest.mark.parametrize("step", ["text", None, [{"text": "x"}], ["x"]])
def test_a_step_that_is_none_is_named(step):
    with pytest.raises(BadArgument, match="step 1 of the script"):
        Script([step]).next_step([])


def test_parts_of_a_step_add_up():
    assert [block["type"] for block in think("hm") + say("x") + call("search")] == [
        "thinking",
        "text",
        "tool_use",
    ]
    assert call("rename", name="x")[0]["input"] == {"name": "x"}
