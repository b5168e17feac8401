"""A file that grows line by line: whole lines only, from one writer at a time."""

import contextlib
import errno
import os
import sys
from pathlib import Path
from typing import BinaryIO

from simlib.errors import BadArgument

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

FAR = 2**40  # bytes; where Windows locks, so that others can read what stands in the file


class Lines:
    """A file opened to add lines to it, which nobody else adds to as long as it is open.

    `argument` is what messages call the path. Each line goes out in one write, so that whatever ends the
    process, at most the line that is being written is cut. The lock ends with the process.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lines = Lines(Path(folder) / "log.txt")
    ...     lines.add("begun")
    ...     lines.close()
    ...     (Path(folder) / "log.txt").read_text()
    'begun\\n'
    """

    def __init__(self, path: Path | str, argument: str = "path") -> None:
        target = Path(path)
        if target.is_dir() or not target.parent.is_dir():
            raise BadArgument(argument, str(path), "a file in a folder that exists")
        try:
            self._file = target.open("ab", buffering=0)
        except OSError as error:
            raise BadArgument(argument, str(path), f"a file that can be written ({error.strerror})") from None
        try:
            _lock(self._file)
        except OSError:
            self._file.close()
            raise BadArgument(argument, str(path), "a file that nobody else is writing") from None

    @property
    def size(self) -> int:
        """Bytes that stand in the file."""
        return os.fstat(self._file.fileno()).st_size

    def add(self, line: str) -> None:
        """Add a line; OSError as the disk gives it, and then nothing of the line is there.

        Half a character, as in the name of a strange file, is written as an escape.
        """
        data = line.encode("utf-8", "backslashreplace") + b"\n"
        written = self._file.write(data) or 0
        if written < len(data):
            self.cut(self.size - written)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def cut(self, size: int) -> None:
        """Take away all but the first bytes; what is no file of a disk stays as it is."""
        with contextlib.suppress(OSError):
            os.truncate(self._file.fileno(), size)

    def close(self) -> None:
        """Close the file, and let others write."""
        self._file.close()


def _lock(file: BinaryIO) -> None:
    if sys.platform == "win32":
        file.seek(FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
