"""A folder's tools: they stay inside, whatever path or pattern they are given."""

import os
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlib.agent.conversation import Conversation
from simlib.agent.guards import Guards
from simlib.agent.loop import run_agent
from simlib.agent.transcript import read_transcript
from simlib.errors import BadArgument
from simlib.models.client import FakeClient
from simlib.models.scripted import Script, call, say
from simlib.worlds.folder import Folder, OutsideFolder, folder_tools


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "docs"
    (root / "services").mkdir(parents=True)
    (root / "README.md").write_text("Larkspur\nport 7001 is the indexer's\n")
    (root / "services" / "auth.md").write_text("auth-gateway\nPORT 7002\n")
    (tmp_path / "secret.txt").write_text("port 7003")
    return Folder(root)


OUTSIDE = [
    "../secret.txt",
    "/etc/passwd",
    "services/../../secret.txt",
    "",
    ".",
    "a\0b",
    "link",
    "linked/secret.txt",
]


@pytest.mark.parametrize("name", OUTSIDE)
def test_no_path_leads_out(folder, name):
    (folder.root / "link").symlink_to(folder.root.parent / "secret.txt")
    (folder.root / "linked").symlink_to(folder.root.parent)
    for use in (folder.path, folder.read, lambda path: folder.write(path, "x")):
        with pytest.raises((OutsideFolder, FileNotFoundError, OSError)):
            use(name)
    assert not folder.exists(name)
    assert (folder.root.parent / "secret.txt").read_text() == "port 7003"
    assert folder.names() == ["README.md", "services/auth.md"]
    assert "7003" not in folder.search("port")


def test_a_name_that_is_too_long_is_no_file(folder):
    with pytest.raises(OSError, match="too long"):
        folder.read("x" * 5_000)
    assert not folder.exists("x" * 5_000)


def test_links_in_a_circle_are_no_file(folder):
    (folder.root / "two").symlink_to(folder.root / "one")
    (folder.root / "one").symlink_to(folder.root / "two")
    with pytest.raises((OutsideFolder, FileNotFoundError, OSError)):
        folder.read("one")
    assert folder.names() == ["README.md", "services/auth.md"]


@given(st.lists(st.sampled_from(["..", ".", "a", "services", "/", "\\", "~", "%2e%2e", ""]), max_size=6))
def test_whatever_the_parts_a_path_is_inside_or_refused(tmp_path_factory, parts):
    folder = Folder(tmp_path_factory.getbasetemp())
    try:
        path = folder.path("/".join(parts))
    except OutsideFolder:
        return
    assert path.is_relative_to(folder.root)


def test_a_file_that_is_too_large_or_no_text_is_not_read(folder):
    (folder.root / "large.txt").write_text("port " * 100)
    (folder.root / "binary").write_bytes(b"\xff\xfe\x00port")
    small = Folder(folder.root, most_bytes=200)
    with pytest.raises(BadArgument, match=r"large.txt is '500 bytes'; allowed: files of at most 200 bytes"):
        small.read("large.txt")
    with pytest.raises(BadArgument, match="binary is 'bytes'; allowed: files of text"):
        small.read("binary")
    assert small.search("port").splitlines() == [
        "README.md:2: port 7001 is the indexer's",
        "services/auth.md:2: PORT 7002",
    ]


def test_a_search_shows_lines_with_their_numbers_and_says_what_it_left_out(folder):
    assert (
        folder.search(r"^port \d+")
        == "README.md:2: port 7001 is the indexer's\nservices/auth.md:2: PORT 7002"
    )
    assert folder.search("port", limit=1).endswith("(1 more)")
    assert folder.search("nothing like it") == "no matches"


def test_a_regular_expression_cannot_hang_the_run(folder):
    (folder.root / "evil.txt").write_text("a" * 40 + "!")
    begun = time.monotonic()
    with pytest.raises(TimeoutError):
        folder.search(r"(a|a)*b|(a+)+$x")
    assert time.monotonic() - begun < 10


def test_what_is_no_regular_expression_is_named(folder):
    with pytest.raises(BadArgument, match="pattern is '\\('; allowed: a regular expression"):
        folder.search("(")


def test_a_folder_has_to_exist(tmp_path):
    with pytest.raises(BadArgument, match="a folder that exists"):
        Folder(tmp_path / "gone")


def test_an_agent_reads_before_it_writes_and_is_told_what_goes_wrong(folder):
    def writes():
        (refused,) = yield call("write_file", path="README.md", text="new")
        (outside,) = yield call("read_file", path="../secret.txt")
        (_,) = yield call("read_file", path="README.md")
        (written,) = yield call("write_file", path="README.md", text="new")
        (created,) = yield call("write_file", path="notes/plan.md", text="1. look")
        yield say("\n".join([refused, outside, written, created]))

    tools = folder_tools(folder, writable=True)
    result = run_agent("q", tools, client=FakeClient(Script(writes)), guards=Guards())
    refused, outside, written, created = result.answer.splitlines()
    assert refused.startswith("refused: read README.md before you write it")
    assert outside.startswith("OutsideFolder: '../secret.txt' leads out")
    assert (written, created) == ("wrote 3 characters to README.md", "wrote 7 characters to notes/plan.md")
    assert folder.read("README.md") == "new"


def test_lines_are_counted_as_an_editor_counts_them(folder):
    (folder.root / "odd.txt").write_bytes(b"a\x0cb\nneedle\nneedle needle\n")
    assert folder.search("needle").splitlines() == ["odd.txt:2: needle", "odd.txt:3: needle needle"]
    (folder.root / "odd.txt").write_text("x" * 1_000 + "needle")
    assert len(folder.search("needle")) < 400


def test_a_long_log_is_searched_in_no_time(folder):
    (folder.root / "long.log").write_text("12:00 ERROR late\n" * 50_000)
    assert "(49970 more)" in folder.search("ERROR")


def test_many_slow_files_take_no_longer_than_one(folder):
    for number in range(40):
        (folder.root / f"{number}.txt").write_text("a" * 24 + "b")
    start = time.monotonic()
    with pytest.raises(TimeoutError):
        folder.search("(a|a)+c")
    assert time.monotonic() - start < 30  # each of them takes longer than all may


def test_ends_of_lines_stay_as_they_are(folder):
    (folder.root / "dos.txt").write_bytes(b"a\r\nb\r\n")
    folder.write("dos.txt", folder.read("dos.txt"))
    assert (folder.root / "dos.txt").read_bytes() == b"a\r\nb\r\n"


def test_what_is_no_file_or_too_large_is_not_written(folder):
    os.mkfifo(folder.root / "pipe")
    with pytest.raises(BadArgument, match="pipe is 'no file'"):
        folder.write("pipe", "x")
    with pytest.raises(BadArgument, match="files of at most 10 bytes"):
        Folder(folder.root, most_bytes=10).write("large.txt", "x" * 11)
    assert not (folder.root / "large.txt").exists()


def played(folder, steps, **options):
    client = FakeClient(Script(steps))
    return run_agent("q", folder_tools(folder, writable=True), client=client, **options)


def results_of(result):
    return [event["content"][0]["content"] for event in result.events if event["event"] == "results"]


def test_a_file_may_be_read_again_whenever_it_was_written(folder):
    steps = []
    for number in range(5):
        steps += [
            call("read_file", path="README.md"),
            call("write_file", path="README.md", text=f"v{number}"),
        ]
    said = results_of(played(folder, [*steps, say("done")], max_steps=20))
    assert said[2::2] == [f"v{number}" for number in range(4)]


def test_a_file_is_read_again_before_it_is_written_when_its_text_left_the_context(folder):
    def forgets(talk):
        shorter = Conversation(talk.tools, "", count=lambda block: 10)
        shorter.add("user", [{"type": "text", "text": "Go on."}])
        return shorter

    steps = [call("read_file", path="README.md"), call("write_file", path="README.md", text="x"), say("done")]
    assert results_of(played(folder, steps))[1].startswith("wrote")
    folder.write("README.md", "as before")
    assert "refused: read README.md" in results_of(played(folder, steps, levers=[forgets]))[1]


def test_a_strange_name_does_not_end_a_run(folder, tmp_path):
    (folder.root / os.fsdecode(b"\xff.txt")).write_text("x")
    result = played(folder, [call("list_files"), say("done")], transcript=tmp_path / "run.jsonl")
    assert result.answer == "done"
    assert read_transcript(tmp_path / "run.jsonl").events == result.events
