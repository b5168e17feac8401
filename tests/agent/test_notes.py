"""Notes: they outlast a run, no interruption loses or hides anything, and a person may correct them."""

import io
import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlib.agent.memory import MOST_BYTES, Notes, notes_tools
from simlib.agent.notes import CUT
from simlib.errors import BadArgument
from simlib.models.scripted import call, say


@pytest.fixture
def notes(tmp_path):
    return Notes(tmp_path / "notes.txt")


def test_what_one_run_writes_the_next_one_reads(played, tmp_path):
    path = tmp_path / "notes.txt"

    def reads():
        (text,) = yield call("read_notes")
        yield say(text)

    first, _ = played(reads, tools=notes_tools(Notes(path)))
    assert first.answer == "there are no notes yet"
    writes = [
        call("write_note", text="the index is slow"),
        call("write_note", text="port: 7001"),
        say("done"),
    ]
    played(writes, tools=notes_tools(Notes(path)))
    later, _ = played(reads, tools=notes_tools(Notes(path)))
    assert later.answer == "1. the index is slow\n2. port: 7001"


def test_two_on_one_file_see_all_notes(notes):
    other = Notes(notes.path)
    assert (notes.write("a"), other.write("b"), notes.write("c")) == (1, 2, 3)
    assert notes.read() == other.read() == ["a", "b", "c"]


def test_many_writers_at_once_lose_nothing(notes):
    def write(name):
        mine = Notes(notes.path)
        for number in range(25):
            mine.write(f"{name} {number}")

    threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(notes.read()) == sorted(f"{name} {number}" for name in "abcd" for number in range(25))


def test_a_note_of_several_lines_is_one(notes):
    notes.write("  First do this.\n\n2. Then that.\r\nAnd\tthat. ")
    assert notes.read() == ["First do this. / 2. Then that. / And that."]
    assert notes.path.read_bytes().count(b"\n") == 1


def test_the_same_note_stands_once(notes):
    assert [notes.write(text) for text in ("a", "b", " a\n")] == [1, 2, 1]
    assert notes.read() == ["a", "b"]


@given(st.lists(st.text(), max_size=5))
def test_any_text_is_kept_as_it_is_told_or_refused(tmp_path_factory, texts):
    notes, kept = Notes(tmp_path_factory.mktemp("any") / "notes.txt"), []
    for text in texts:
        try:
            number = notes.write(text)
        except BadArgument:
            continue
        kept += [notes.read()[-1]] if number > len(kept) else []
        assert len(notes.read()) == len(kept)
        assert "".join(notes.read()[number - 1].split()).replace("/", "") == "".join(
            text.replace("\ufeff", "").split()
        ).replace("/", "")
    assert Notes(notes.path).read() == kept


WRITTEN = ["plain", "Grüße, 日本", "a longer one, of several words"]


@given(st.integers(0, 80), st.integers(0, 120))
def test_half_a_note_is_seen_and_costs_no_other(tmp_path_factory, cut, again):
    """The file ends at any byte, within a character too, and then once more when the next note is there."""
    notes = Notes(tmp_path_factory.mktemp("cut") / "notes.txt")
    for text in WRITTEN:
        notes.write(text)
    for at, new in ((cut, "after"), (again, "after it")):
        data, before = notes.path.read_bytes()[:at], notes.read()
        notes.path.write_bytes(data)
        kept, *cut_off = before[: data.count(b"\n")], *notes.read()[data.count(b"\n") :]
        assert notes.read()[: len(kept)] == kept
        assert len(cut_off) == bool(data.rpartition(b"\n")[2])
        assert all(note.endswith(CUT) for note in cut_off)
        notes.write(new)
        assert notes.read() == [*kept, *cut_off, new]


def test_a_person_corrects_the_file(notes):
    notes.write("port 7001")
    notes.write("wrong")
    notes.path.write_bytes(b"\xef\xbb\xbf# Rules\r\n\r\nport 7002\r\nask first")
    assert notes.shown() == f"1. # Rules\n2. port 7002\n3. ask first{CUT}"
    notes.write("port 7003")
    assert notes.read() == ["# Rules", "port 7002", f"ask first{CUT}", "port 7003"]
    notes.path.unlink()
    assert notes.read() == []
    assert notes.write("anew") == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "text is ''; allowed: a note that says something"),
        (" \n\t", "a note that says something"),
        ("x" * 501, "text is '501 characters'; allowed: at most 500 in a note"),
        ("a\0b", "without NUL"),
        ("a\udc80", "half characters"),
        (5, "text is 5; allowed: text"),
    ],
)
def test_what_is_no_note_is_refused(notes, text, words):
    with pytest.raises(BadArgument, match=words):
        notes.write(text)
    assert notes.path.read_bytes() == b""


def test_all_notes_have_a_limit_too(tmp_path):
    notes = Notes(tmp_path / "notes.txt", most_in_note=6, most_in_all=10)
    notes.write("sixsix")
    with pytest.raises(
        BadArgument, match=r"text is '5 characters'; allowed: 4 more characters in notes\.txt"
    ):
        notes.write("fives")
    assert notes.write("four") == 2
    description = notes_tools(notes)[0].description
    assert "at most 6 characters" in description
    assert "at most 10" in description


def test_of_more_than_fit_the_newest_are_read(tmp_path):
    notes = Notes(tmp_path / "notes.txt", most_in_all=10)
    notes.path.write_text("first\nsecond\nfour\nfive\n")
    assert notes.shown() == "(left out, since all may have 10 characters: 2 notes)\n3. four\n4. five"
    with pytest.raises(BadArgument, match="0 more characters"):
        notes.write("x")


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n", b"a\0b", "Grüße\n".encode("latin-1")])
def test_a_file_that_is_no_text_is_refused_and_left_alone(tmp_path, content):
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(BadArgument, match=r"path is .*; allowed: a file of text in UTF-8"):
        Notes(path)
    assert path.read_bytes() == content


def test_a_place_for_no_file_is_known_before_the_run(tmp_path):
    (tmp_path / "file").write_text("x")
    os.mkfifo(tmp_path / "pipe")
    for name in ("gone/notes.txt", "", "file/notes.txt", "a\0b", "x" * 300, "pipe"):
        with pytest.raises(BadArgument, match=r"path is .*; allowed: a file in a folder that exists"):
            Notes(tmp_path / name)
    (tmp_path / "file").write_text("x" * (MOST_BYTES + 1))
    with pytest.raises(BadArgument, match="a file of at most 1000000 bytes"):
        Notes(tmp_path / "file")


def played_open(monkeypatch, opened):
    """Plays what the system does to whoever opens a file to add to it: root may write everywhere."""
    really = Path.open

    def open_(self, mode="r", *args, **options):
        return opened(self) if mode == "ab" else really(self, mode, *args, **options)

    monkeypatch.setattr(Path, "open", open_)


def test_a_place_that_may_only_be_read_is_named(notes, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied")

    played_open(monkeypatch, refuse)
    for use in (lambda: Notes(notes.path), lambda: notes.write("x")):
        with pytest.raises(BadArgument, match=r"to be written \(Permission denied\)"):
            use()


def test_a_full_disk_says_that_the_note_was_cut(notes, monkeypatch):
    class Full(io.BytesIO):
        def write(self, data):
            return len(data) - 1

    played_open(monkeypatch, lambda path: Full())
    with pytest.raises(BadArgument, match="a file on a disk with room; this note was cut off"):
        notes.write("x")


def test_what_goes_wrong_in_a_run_is_told_to_the_model(played, notes):
    def tries():
        (long,) = yield call("write_note", text="word " * 1_000)
        notes.path.unlink()
        notes.path.mkdir()
        (written,) = yield call("write_note", text="x")
        (read,) = yield call("read_notes")
        yield say("\n".join([long, written, read]))

    result, _ = played(tries, tools=notes_tools(notes))
    long, written, read = result.answer.splitlines()
    assert long == "BadArgument: text is '4999 characters'; allowed: at most 500 in a note"
    assert written.startswith("BadArgument: path is")
    assert read.startswith("BadArgument: path is")


@pytest.mark.parametrize("limits", [{"most_in_note": 0}, {"most_in_all": -1}, {"most_in_all": "x"}])
def test_limits_are_numbers_from_1(tmp_path, limits):
    with pytest.raises(BadArgument, match=next(iter(limits))):
        Notes(tmp_path / "notes.txt", **limits)


def test_notes_are_read_again_as_often_as_needed(played, notes):
    result, _ = played([*[call("read_notes")] * 4, say("done")], tools=notes_tools(notes))
    texts = [event["content"][0]["content"] for event in result.events if event["event"] == "results"]
    assert texts == ["there are no notes yet"] * 4
