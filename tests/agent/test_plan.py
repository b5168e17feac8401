"""A plan: what the model reads of it, and that it stands in the context alone."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from simlib.agent.plan import MOST_STEPS, plan_text, plan_tool
from simlib.errors import BadArgument
from simlib.models.scripted import call, say


def steps(*done):
    return [{"text": f"step {number}", "done": each} for number, each in enumerate(done, start=1)]


def results(result):
    return [event["content"][0] for event in result.events if event["event"] == "results"]


def test_a_plan_is_written_and_rewritten_in_the_context(played):
    plans = [steps(False, False), steps(True, False), steps(True, True)]
    result, client = played([*(call("write_plan", steps=plan) for plan in plans), say("done")], [plan_tool()])
    assert [block["content"].splitlines()[-1] for block in results(result)] == [
        "0 of 2 done; next: step 1",
        "1 of 2 done; next: step 2",
        "2 of 2 done; nothing is left",
    ]
    assert results(result)[1]["content"].splitlines()[:2] == ["1. [x] step 1", "2. [ ] step 2"]
    assert len({request.prompt.tokens for request in client.sent}) == 4  # each stands there from then on


def test_the_first_that_is_not_done_comes_next():
    assert plan_text(steps(True, False, True)).endswith("2 of 3 done; next: step 2")


@given(st.lists(st.tuples(st.text(st.characters(codec="ascii"), max_size=30), st.booleans()), max_size=25))
def test_any_plan_has_a_line_a_step_or_is_refused(parts):
    plan = [{"text": text, "done": done} for text, done in parts]
    if not plan or len(plan) > MOST_STEPS or not all(text.strip() for text, _ in parts):
        with pytest.raises(BadArgument):
            plan_text(plan)
        return
    lines = plan_text(plan).split("\n")
    assert len(lines) == len(plan) + 1
    assert [line.split(". ", 1)[1].startswith("[x] ") for line in lines[:-1]] == [done for _, done in parts]


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ([], "BadArgument: steps is '0 steps'; allowed: a plan of 1 to 20 steps"),
        (steps(*[False] * 21), "BadArgument: steps is '21 steps'; allowed: a plan of 1 to 20 steps"),
        ([{"text": " ", "done": True}], "BadArgument: step 1 is ' '; allowed: a step that says what to do"),
        (
            [{"text": "x" * 201, "done": True}],
            "BadArgument: step 1 is '201 characters'; allowed: at most 200",
        ),
        ([{"text": "x"}], "write_plan was not run: the argument steps[0]: 'done' is a required property"),
        ([{"text": "x", "done": "no"}], "write_plan was not run: the argument steps[0]['done']"),
        (
            [{"text": "x", "done": True, "by": "me"}],
            "write_plan was not run: the argument steps[0]: Additional",
        ),
        ("search, then answer", "write_plan was not run: the argument steps: 'search, then answer' is not"),
    ],
)
def test_what_is_no_plan_is_told_to_the_model(played, plan, words):
    result, _ = played([call("write_plan", steps=plan), say("done")], [plan_tool()])
    assert results(result)[0]["is_error"]
    assert results(result)[0]["content"].startswith(words)


def test_nothing_holds_the_agent_to_it(played, search):
    plan = call("write_plan", steps=steps(False))
    result, _ = played([plan, call("search", text="x"), say("done")], [search, plan_tool()])
    assert (result.answer, result.stop) == ("done", "end_turn")


def test_the_schema_is_strict_in_every_object():
    schema = plan_tool().schema()["input_schema"]
    Draft202012Validator.check_schema(schema)
    step = schema["properties"]["steps"]["items"]
    assert schema["additionalProperties"] is step["additionalProperties"] is False
    assert set(step["required"]) == set(step["properties"])
    assert not any(word in json.dumps(schema) for word in ("minItems", "maxItems", "minLength", "maxLength"))


def test_the_same_plan_may_be_written_again(played):
    result, _ = played([*[call("write_plan", steps=steps(False))] * 5, say("done")], [plan_tool()])
    assert not any("refused" in block["content"] for block in results(result))
