"""Files that are whole, whatever comes between."""

import os
import subprocess
import sys

import pytest

from simlib.files import write_whole

posix = pytest.mark.skipif(os.name == "nt", reason="rights and devices of POSIX")


@posix
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755])
def test_who_may_read_a_file_stays_as_it_was(tmp_path, mode):
    path = tmp_path / "page.html"
    path.write_text("old", encoding="utf-8")
    path.chmod(mode)
    write_whole(path, "new")
    assert path.read_text(encoding="utf-8") == "new"
    assert path.stat().st_mode & 0o777 == mode


@posix
def test_a_stream_that_a_shell_opened_is_written_into(tmp_path):
    log = tmp_path / "log.txt"
    log.write_text("before\n", encoding="utf-8")
    script = (
        "from pathlib import Path; from simlib.files import write_whole; "
        "write_whole(Path('/dev/stdout'), 'page')"
    )
    with log.open("a") as stream:
        subprocess.run([sys.executable, "-c", script], stdout=stream, check=True)
    assert log.read_text(encoding="utf-8") == "before\npage"


def test_text_is_utf8_with_line_feeds_and_bytes_stay(tmp_path):
    write_whole(tmp_path / "a", "größe\n")
    write_whole(tmp_path / "b", b"\x00\r\n")
    assert (tmp_path / "a").read_bytes() == "größe\n".encode()
    assert (tmp_path / "b").read_bytes() == b"\x00\r\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]
