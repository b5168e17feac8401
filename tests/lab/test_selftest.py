import importlib.metadata
import re
from pathlib import Path

from simlib.lab.selftest import NEEDED, self_test


def test_here_everything_works(tmp_path):
    said = self_test(tmp_path)
    assert said.lines[-1] == "Everything works."
    assert all(line.startswith("✓") for line in said.lines[:-1])
    assert not list(tmp_path.iterdir())


def test_a_missing_package_says_what_to_do(tmp_path, monkeypatch):
    def missing(name):
        if name == "sympy":
            raise importlib.metadata.PackageNotFoundError(name)
        return "99.0"

    monkeypatch.setattr("importlib.metadata.version", missing)
    said = str(self_test(tmp_path))
    assert "✗ sympy: not installed; run: " in said
    assert "-m pip install -r requirements.txt" in said
    assert "1 of 9 need attention" in said


def test_an_old_package_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.metadata.version", lambda name: "1.0")
    said = str(self_test(tmp_path))
    assert f"✗ numpy: 1.0 is older than {NEEDED['numpy']}" in said


def test_a_folder_that_keeps_nothing_is_said(tmp_path):
    assert "✗ this folder: answers cannot be kept here" in str(self_test(tmp_path / "gone"))


def test_whatever_breaks_is_a_finding(tmp_path, monkeypatch):
    def broken(*_):
        raise RuntimeError("no fonts")

    monkeypatch.setattr("simlib.lab.selftest.Canvas", broken)
    assert "RuntimeError: no fonts" in str(self_test(tmp_path))


def test_what_is_looked_for_is_what_the_requirements_ask_for():
    lines = (
        (Path(__file__).parent.parent.parent / "requirements.txt").read_text(encoding="utf-8").splitlines()
    )
    asked = dict(re.fullmatch(r"([\w-]+)>=([\d.]+),.*", line).groups() for line in lines if ">=" in line)
    assert NEEDED == {name: asked[name] for name in NEEDED}


def test_an_old_python_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.version_info", (3, 10, 1))
    assert "install 3.11 or newer" in str(self_test(tmp_path))
