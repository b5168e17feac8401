"""Guards: what is refused, what changes a message, and when a run is stuck."""

import pytest

from simlib.agent.call import Call
from simlib.agent.guards import Guards, Watch
from simlib.agent.tool import Tool
from simlib.errors import OutOfRange

READ = Tool("read", "Read.", {}, lambda: "text", reads="path")
WRITE = Tool("write", "Write.", {}, lambda: "done", writes="path", exists=lambda path: path != "new.py")
SEARCH = Tool("search", "Search.", {}, lambda: "found")
TESTS = Tool("tests", "Run the tests.", {}, lambda: "1 failed", may_repeat=True)


def made(watch, name, tool, times=1, text="found", is_error=False, **arguments):
    for _ in range(times):
        watch.begins(Call("t", name, arguments))
        last = watch.saw(Call("t", name, arguments), tool, text, is_error)
    return last


def test_the_same_call_is_refused_the_fourth_time():
    watch = Watch(Guards())
    call = Call("t", "search", {"text": "7001"})
    for _ in range(3):
        assert watch.refusal(call, SEARCH) is None
        watch.begins(call)
        watch.saw(call, SEARCH, "found", False)
    assert "made 3 times already" in watch.refusal(call, SEARCH)


@pytest.mark.parametrize("again", [{"b": 1, "a": " x "}, {"a": "x", "b": 1}])
def test_calls_are_compared_in_one_form(again):
    watch = Watch(Guards())
    made(watch, "search", SEARCH, 3, a="x", b=1)
    assert watch.refusal(Call("t", "Search ", again), SEARCH) is not None
    assert watch.refusal(Call("t", "search", {"a": "y", "b": 1}), SEARCH) is None


def test_twenty_three_equal_calls_are_found_early():
    watch, steps = Watch(Guards()), 0
    for _ in range(23):
        made(watch, "search", SEARCH, text="found", a="x")
        steps += 1
        if watch.end_step():
            break
    assert steps == 6  # the first brought something, five did not


def test_a_call_whose_result_may_change_may_be_repeated():
    watch = Watch(Guards())
    made(watch, "tests", TESTS, 10)
    assert watch.refusal(Call("t", "tests", {}), TESTS) is None


def test_three_failures_in_a_row_change_the_message_and_a_success_counts_anew():
    watch = Watch(Guards(identical_calls=None))
    texts = [made(watch, "search", SEARCH, text="Error: no", is_error=True, n=n) for n in range(3)]
    assert texts[:2] == ["Error: no"] * 2
    assert "failed 3 times in a row" in texts[2]
    made(watch, "search", SEARCH, text="found", n=9)
    assert made(watch, "search", SEARCH, text="Error: no", is_error=True, n=10) == "Error: no"


def test_another_tools_failures_are_its_own():
    watch = Watch(Guards())
    made(watch, "search", SEARCH, 2, text="no", is_error=True)
    assert made(watch, "tests", TESTS, text="no", is_error=True) == "no"


def test_a_file_is_read_before_it_is_written_and_again_after_its_text_is_gone():
    watch = Watch(Guards())
    write = Call("t", "write", {"path": "a.py"})
    assert "read a.py before you write it" in watch.refusal(write, WRITE)
    made(watch, "read", READ, path="a.py")
    assert watch.refusal(write, WRITE) is None
    gone = [
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "[cleared]"}]}
    ]
    watch.look_at(gone)
    assert watch.refusal(write, WRITE) is not None


def test_a_new_file_and_one_that_was_written_need_no_reading():
    watch = Watch(Guards())
    assert watch.refusal(Call("t", "write", {"path": "new.py"}), WRITE) is None
    made(watch, "write", WRITE, path="b.py")
    assert watch.refusal(Call("t", "write", {"path": "b.py"}), WRITE) is None


def test_a_reading_that_failed_does_not_count():
    watch = Watch(Guards())
    made(watch, "read", READ, text="no such file", is_error=True, path="a.py")
    assert watch.refusal(Call("t", "write", {"path": "a.py"}), WRITE) is not None


def test_steps_that_bring_something_new_are_progress():
    watch = Watch(Guards(no_progress=2))
    for number in range(5):
        made(watch, "search", SEARCH, text=f"found {number}", n=number)
        assert not watch.end_step()
    made(watch, "search", SEARCH, text="Error", is_error=True, n=99)
    assert not watch.end_step()
    made(watch, "search", SEARCH, text="found 4", n=4)
    assert watch.end_step()


def test_guards_can_be_switched_off():
    watch = Watch(Guards(None, None, None, read_before_write=False))
    made(watch, "search", SEARCH, 50)
    assert watch.refusal(Call("t", "search", {}), SEARCH) is None
    assert watch.refusal(Call("t", "write", {"path": "a.py"}), WRITE) is None
    assert not any(watch.end_step() for _ in range(50))
    assert made(watch, "search", SEARCH, 9, text="no", is_error=True) == "no"


@pytest.mark.parametrize("name", ["identical_calls", "failures", "no_progress"])
def test_bad_input_is_named(name):
    with pytest.raises(OutOfRange, match=f"{name} is 0"):
        Guards(**{name: 0})


def test_a_path_is_one_file_however_it_is_written():
    watch = Watch(Guards())
    made(watch, "read", READ, path="a.py")
    assert watch.refusal(Call("t", "write", {"path": "./a.py"}), WRITE) is None


def test_a_call_that_was_not_run_was_not_made():
    watch = Watch(Guards())
    for _ in range(5):
        watch.saw(Call("t", "search", {}), SEARCH, "denied", True)
    assert watch.refusal(Call("t", "search", {}), SEARCH) is None


def test_failures_are_of_a_tool_however_its_name_is_written():
    watch = Watch(Guards())
    made(watch, "search", SEARCH, 2, text="no", is_error=True)
    assert "failed 3 times" in made(watch, "Search ", SEARCH, text="no", is_error=True)
