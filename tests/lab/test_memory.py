"""What a student did survives whatever happens to the file."""

import json

import pytest

from simlib.lab.memory import Memory


@pytest.fixture
def path(tmp_path):
    return tmp_path / "answers-02.json"


def filled(path):
    memory = Memory(path)
    memory.keep_prediction("eight", 64_000.0)
    memory.keep_try("totals", ["128,000", "1", "2"], right=False)
    memory.keep_hints("totals", 2)
    memory.keep_revealed("eight")
    return memory


def test_everything_survives_a_restart(path):
    filled(path)
    again = Memory(path)
    assert again.prediction("eight") == 64_000
    assert again.tries("totals") == [{"given": ["128,000", "1", "2"], "right": False}]
    assert (again.hints("totals"), again.is_revealed("eight"), again.is_solved("totals")) == (2, True, False)
    assert again.notice == ""


def test_looking_writes_nothing(path):
    Memory(path).tries("totals")
    assert not path.exists()


def test_the_same_answer_again_is_one_try(path):
    """Restart-and-run-all must not count as trying."""
    memory = Memory(path)
    for _ in range(3):
        memory.keep_try("totals", ["1", "2", "3"], right=False)
    assert len(memory.tries("totals")) == 1
    memory.keep_try("totals", ["2", "2", "3"], right=False)
    assert len(memory.tries("totals")) == 2


def test_two_open_copies_lose_nothing_of_each_other(path):
    one, other = Memory(path), Memory(path)
    one.keep_prediction("eight", 1.0)
    other.keep_prediction("twice", 2.0)
    one.keep_try("totals", ["3"], right=False)
    assert (Memory(path).prediction("eight"), Memory(path).prediction("twice")) == (1, 2)
    assert one.prediction("twice") == 2


EMPTY = {"schema": "simlib answers 1", "predictions": {}, "tries": {}, "hints": {}, "revealed": {}}
WRONG_PARTS = [
    *({"schema": "simlib answers 2"}, {"predictions": []}, {"predictions": None}, {"tries": 3}),
    *({"predictions": {"a": guess}} for guess in ("3", None, True, float("nan"), float("inf"), 10**400)),
    *({"tries": {"a": tries}} for tries in ([1], {"given": 1}, [{"given": ["1"]}], [{"right": True}])),
    {"tries": {"a": [{"given": ["1"], "right": "yes"}]}},
    {"tries": {"a": [{"given": [1], "right": True}]}},
    *({"hints": {"a": "2"}}, {"hints": {"a": -1}}, {"revealed": {"a": 1}}),
]
BROKEN = [
    *(
        "",
        "{",
        "[]",
        "null",
        '"text"',
        "[" * 5_000,
        '{"schema": "something else"}',
        '{"schema": "simlib answers 1"}',
    ),
    *(json.dumps(EMPTY | part) for part in WRONG_PARTS),
]


@pytest.mark.parametrize("content", BROKEN)
def test_what_cannot_be_understood_is_set_aside(path, content):
    path.write_text(content, encoding="utf-8")
    memory = Memory(path)
    assert "kept as answers-02.unreadable-1.json" in memory.notice
    assert path.with_name("answers-02.unreadable-1.json").read_text(encoding="utf-8") == content
    assert memory.prediction("a") is None
    assert memory.tries("a") == []
    memory.keep_prediction("eight", 1.0)
    assert Memory(path).prediction("eight") == 1


def test_two_broken_files_are_both_kept(path):
    for content in ("first", "second"):
        path.write_text(content, encoding="utf-8")
        Memory(path)
    kept = sorted(file.read_text(encoding="utf-8") for file in path.parent.iterdir())
    assert kept == ["first", "second"]


def test_a_file_cut_anywhere_never_crashes(path):
    filled(path)
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        Memory(path).keep_prediction("eight", 2.0)
        assert Memory(path).prediction("eight") == 2


def test_where_nothing_can_be_written_the_answers_last_as_long_as_the_kernel(path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    memory = Memory(path)
    monkeypatch.setattr("simlib.lab.memory.write_whole", full)
    memory.keep_prediction("eight", 1.0)
    memory.keep_try("totals", ["1"], right=True)
    assert (memory.prediction("eight"), memory.is_solved("totals")) == (1, True)
    assert "No space left" in memory.notice


def test_a_folder_that_does_not_exist_is_said(tmp_path):
    memory = Memory(tmp_path / "gone" / "answers-02.json")
    memory.keep_prediction("eight", 1.0)
    assert memory.prediction("eight") == 1
    assert "answers-02.json is not kept" in memory.notice


def test_a_new_student_begins_empty(path):
    filled(path).forget()
    again = Memory(path)
    assert again.prediction("eight") is None
    assert again.tries("totals") == []


def test_the_file_says_what_it_is(path):
    filled(path)
    assert json.loads(path.read_text(encoding="utf-8"))["schema"] == "simlib answers 1"


def test_going_back_to_an_earlier_answer_is_another_try(path):
    memory = Memory(path)
    for given in ("1", "2", "1"):
        memory.keep_try("totals", [given], right=False)
    assert [attempt["given"] for attempt in memory.tries("totals")] == [["1"], ["2"], ["1"]]


def test_forgetting_forgets_everything(path):
    memory = filled(path)
    memory.forget()
    assert (memory.hints("totals"), memory.is_revealed("eight"), memory.tries("totals")) == (0, False, [])


def test_a_file_that_cannot_be_read_is_left_alone(path, monkeypatch):
    filled(path)
    before = path.read_text(encoding="utf-8")

    def denied(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.read_text", denied)
    memory = Memory(path)
    memory.keep_prediction("eight", 5.0)
    memory.keep_prediction("eight", 6.0)
    monkeypatch.undo()
    assert memory.prediction("eight") == 6
    assert "Permission denied" in memory.notice
    assert path.read_text(encoding="utf-8") == before


def test_a_file_that_cannot_be_written_forgets_nothing(path, monkeypatch):
    filled(path)
    memory = Memory(path)

    def denied(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("simlib.lab.memory.write_whole", denied)
    memory.keep_prediction("eight", 222.0)
    for given in ("1", "2"):
        memory.keep_try("ratios", [given], right=False)
    assert memory.prediction("eight") == 222
    assert len(memory.tries("ratios")) == 2


def test_a_mark_that_windows_editors_leave_is_no_trouble(path):
    filled(path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert Memory(path).prediction("eight") == 64_000
