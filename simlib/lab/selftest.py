"""Does this computer have what the notebooks need? A line for each thing, and what to do if it is missing."""

import importlib.metadata
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from simlib.lab.lessons.start_here import LESSON
from simlib.lab.message import Message
from simlib.lab.widgets import PanelWidget
from simlib.plots.canvas import Canvas
from simlib.theory.growth import total_input

NEEDED = {"numpy": "2.0", "matplotlib": "3.9", "ipywidgets": "8.1", "sympy": "1.12"}


class Finding(NamedTuple):
    """What was looked at, whether it is fine, and what was found or what to do."""

    what: str
    fine: bool
    said: str

    def __str__(self) -> str:
        return f"{'✓' if self.fine else '✗'} {self.what}: {self.said}"


def self_test(folder: Path | str = ".") -> Message:
    """Look at Python, the packages, the folder, a computation, a picture and a panel.

    folder : where answers would be kept.
    Returns a Message: a line for each finding, and a last one that sums up.
    Raises nothing: whatever fails is a finding.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     self_test(folder).lines[-1]
    'Everything works.'
    """
    checks: list[Callable[[], Finding]] = [_python, *map(_package, NEEDED), _law, _picture, _panel]
    findings = [_tried(check) for check in [*checks, lambda: _folder(Path(folder))]]
    failed = sum(not finding.fine for finding in findings)
    last = "Everything works." if not failed else f"{failed} of {len(findings)} need attention, see ✗ above."
    return Message((*map(str, findings), last))


def _tried(check: Callable[[], Finding]) -> Finding:
    try:
        return check()
    except Exception as error:
        return Finding(
            "simlib", False, f"{type(error).__name__}: {error}. Install it again, as README.md says."
        )


def _python() -> Finding:
    version = sys.version.split()[0]
    fine = sys.version_info >= (3, 11)
    return Finding("Python", fine, version if fine else f"{version}; install 3.11 or newer from python.org")


def _package(name: str) -> Callable[[], Finding]:
    def check() -> Finding:
        repair = f"run: {Path(sys.executable).name} -m pip install -r requirements.txt"
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            return Finding(name, False, f"not installed; {repair}")
        fine = _numbers(version) >= _numbers(NEEDED[name])
        return Finding(name, fine, version if fine else f"{version} is older than {NEEDED[name]}; {repair}")

    return check


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")[:2]]


def _law() -> Finding:
    law, summed = total_input(5, 1_000, 300), sum(1_000 + 300 * step for step in range(5))
    return Finding("a computation", law == summed, f"{law:,} by the law, {summed:,} added up")


def _picture() -> Finding:
    size = len(Canvas().svg(lambda ax: ax.set_xlabel("calls")))
    return Finding("a picture", size > 1_000, f"{size:,} bytes drawn")


def _panel() -> Finding:
    widget = PanelWidget(LESSON.panel("run"), Canvas())
    widget.set(calls=3)
    said = f"{widget.redraws} pictures" if widget.error is None else f"{widget.error}"
    return Finding("a panel", widget.error is None and "Call 3" in widget.picture.value, said)


def _folder(folder: Path) -> Finding:
    probe = folder / "simlib-self-test.txt"
    try:
        probe.write_text("fine", encoding="utf-8")
        probe.unlink()
    except OSError as error:
        return Finding(
            "this folder", False, f"answers cannot be kept here ({error}); copy the notebooks elsewhere"
        )
    return Finding("this folder", True, "answers can be kept here")
