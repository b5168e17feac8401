"""Writing files that are whole: a reader finds all of a file or the one before it, never half of it."""

import os
from pathlib import Path

from simlib.errors import BadArgument


def write_whole(path: Path, content: str | bytes, argument: str = "path") -> None:
    """Write a file at once.

    path : the file; a link is followed, a pipe or device written into. content : text goes out as UTF-8 with
    line feeds. argument : what the message calls the path.
    Returns nothing.
    Raises BadArgument if the path is a folder or its folder does not exist; OSError as the disk gives it, and
    then the old file is still there.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(Path(folder) / "page.html", "ready")
    ...     (Path(folder) / "page.html").read_text()
    'ready'
    """
    data = content.encode() if isinstance(content, str) else content
    if path.parts[:2] == (os.sep, "dev"):
        with path.open("ab") as stream:  # a shell may have made it a log that others write to
            stream.write(data)
        return
    target = Path(os.path.realpath(path))  # what a link points to is replaced, not the link
    if target.is_dir() or not target.parent.is_dir():
        raise BadArgument(argument, str(path), "a file in a folder that exists")
    if path.exists() and not target.is_file():
        path.write_bytes(data)  # a device or a pipe, which must stay what it is
        return
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.unfinished")
    try:
        unfinished.write_bytes(data)
        if target.exists():
            unfinished.chmod(target.stat().st_mode & 0o777)  # who may read it stays as it was
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
