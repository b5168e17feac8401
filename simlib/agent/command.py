"""Commands that a tool runs, which end when the tool's time is up."""

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from time import monotonic

_ENDS_AT: ContextVar[float | None] = ContextVar("ends_at", default=None)


@contextmanager
def deadline(seconds: float | None) -> Iterator[None]:
    """Within it, no command runs longer than so many seconds from now.

    seconds : the limit, None for none.
    Returns a context manager.
    Raises nothing.

    >>> with deadline(5):
    ...     run_command(["python3", "-c", "print('done')"], Path("."))
    'done'
    """
    token = _ENDS_AT.set(None if seconds is None else monotonic() + seconds)
    try:
        yield
    finally:
        _ENDS_AT.reset(token)


def run_command(command: Sequence[str], folder: Path) -> str:
    """Run a command without a shell, and give what it printed.

    command : program and arguments. folder : in which it runs.
    Returns standard output and error, with the exit code if that is not 0.
    Raises subprocess.TimeoutExpired when the tool's time is up, and then the command and what it started have
    been ended; OSError if it cannot be started.

    >>> run_command(["python3", "-c", "raise SystemExit(3)"], Path("."))
    'exit code 3'
    """
    ends_at = _ENDS_AT.get()
    left = None if ends_at is None else max(ends_at - monotonic(), 0)
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,  # so that what it starts ends with it
    )
    try:
        printed, complaints = process.communicate(timeout=left)
    except BaseException:
        _end(process)
        raise
    printed = (printed + complaints).strip()
    return "\n".join(filter(None, [printed, f"exit code {process.returncode}" if process.returncode else ""]))


def _end(process: "subprocess.Popen[str]") -> None:
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):  # it may have ended a moment ago
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate()
