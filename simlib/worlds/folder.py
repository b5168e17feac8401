"""Tools for the files of one folder, which stay inside it whatever path they are given."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import monotonic

import regex

from simlib.agent.tool import Tool, tool
from simlib.errors import BadArgument, SimlibError, single, whole
from simlib.files import write_whole

MOST_BYTES = 1_000_000  # of a file that is read
MOST_LINES = 30  # that a search shows
MOST_LETTERS = 300  # of such a line
SECONDS = 3.0  # that a search may take for all files


class OutsideFolder(SimlibError):
    """A path that leads out of the folder that an agent may use."""


class Folder:
    """A folder and nothing else: every path is resolved, links too, and has to lie within it.

    `most_bytes` is the size above which a file is neither read nor written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as root:
    ...     folder = Folder(Path(root))
    ...     folder.write("notes/a.md", "text")
    ...     folder.names(), folder.read("notes/a.md")
    (['notes/a.md'], 'text')
    """

    def __init__(self, root: Path | str, *, most_bytes: int = MOST_BYTES) -> None:
        self.root = Path(root).resolve()
        if not self.root.is_dir():
            raise BadArgument("root", str(root), "a folder that exists")
        self._most_bytes = single("most_bytes", whole("most_bytes", most_bytes))

    def path(self, name: str) -> Path:
        """Where a file of the folder lies; OutsideFolder for a path that leads out of it, or is none."""
        try:
            found = (self.root / name).resolve()
        except (ValueError, OSError, RuntimeError):  # a NUL, a name too long, links in a circle
            raise OutsideFolder(f"{name!r} is no path of a file in this folder") from None
        if not found.is_relative_to(self.root) or found == self.root:
            raise OutsideFolder(f"{name!r} leads out of this folder")
        return found

    def names(self) -> list[str]:
        """Paths of all files that lie within the folder, in order."""
        return [path.relative_to(self.root).as_posix() for path in self._files()]

    def read(self, name: str) -> str:
        """A file's text; OutsideFolder, FileNotFoundError, or BadArgument for a file that is too large or no
        text.
        """
        path = self.path(name)
        if not path.is_file():
            raise FileNotFoundError(f"there is no file {name!r}")
        size = path.stat().st_size
        if size > self._most_bytes:
            raise BadArgument(name, f"{size} bytes", f"files of at most {self._most_bytes} bytes")
        try:
            with path.open(encoding="utf-8", newline="") as stream:  # ends of lines as they are
                return stream.read()
        except UnicodeDecodeError:
            raise BadArgument(name, "bytes", "files of text") from None

    def write(self, name: str, text: str) -> None:
        """Write a file whole, and the folders it needs; OutsideFolder for a path that leads out,
        BadArgument for a text that is too large.
        """
        path, size = self.path(name), len(text.encode())
        if size > self._most_bytes:
            raise BadArgument(name, f"{size} bytes", f"files of at most {self._most_bytes} bytes")
        if path.exists() and not path.is_file():
            raise BadArgument(name, "no file", "files, and no folders or pipes")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)

    def exists(self, name: str) -> bool:
        """Whether there is such a file in the folder."""
        try:
            return self.path(name).is_file()
        except (OutsideFolder, OSError):
            return False

    def search(self, pattern: str, limit: int = MOST_LINES) -> str:
        """Lines that hold a regular expression, whatever their case, as path:number: text.

        Each file is searched once, as a whole. BadArgument for what is no regular expression, TimeoutError
        for one that takes too long.
        """
        try:
            found = regex.compile(pattern, regex.IGNORECASE | regex.MULTILINE)
        except regex.error as error:
            raise BadArgument("pattern", pattern, f"a regular expression ({error})") from None
        ends_at = monotonic() + SECONDS
        lines = [line for name in self.names() for line in self._hits(name, found, ends_at)]
        more = [f"({len(lines) - limit} more)"] if len(lines) > limit else []
        return "\n".join([*lines[:limit], *more]) or "no matches"

    def _hits(self, name: str, pattern: "regex.Pattern[str]", ends_at: float) -> Iterator[str]:
        try:
            text = self.read(name)
        except (BadArgument, OSError):
            return  # too large, or no text
        left = ends_at - monotonic()
        if left <= 0:
            raise TimeoutError("the search took too long: ask for something simpler")
        starts = [match.start() for match in pattern.finditer(text, timeout=left)]
        lines = text.split("\n")
        number = end = -1
        for start in starts:
            if start <= end:
                continue  # in a line that was shown
            while end < start:
                number += 1
                end += len(lines[number]) + 1
            yield f"{name}:{number + 1}: {lines[number].strip()[:MOST_LETTERS]}"

    def _files(self) -> Iterator[Path]:
        for path in sorted(self.root.rglob("*")):
            if path.is_file() and path.resolve().is_relative_to(self.root):
                yield path


def folder_tools(folder: Folder, *, writable: bool = False) -> list[Tool]:
    """The tools that an agent gets for a folder.

    folder : the one. writable : whether there is a tool that writes.
    Returns list_files, read_file and search, and write_file if it may write: it overwrites only what was
    read.
    Raises nothing; what goes wrong in a tool is told to the model.

    >>> [tool.name for tool in folder_tools(Folder("."))]
    ['list_files', 'read_file', 'search']
    """

    @tool("List the paths of all files.")
    def list_files() -> str:
        return "\n".join(folder.names()) or "the folder is empty"

    @tool("Read a file.", path={"type": "string", "minLength": 1})
    def read_file(path: str) -> str:
        return folder.read(path) or "(the file is empty)"

    @tool(
        f"Search all files for a text or regular expression, whatever its case. Returns up to "
        f"{MOST_LINES} lines as "
        "path:number: text.",
        pattern={"type": "string", "minLength": 1},
    )
    def search(pattern: str) -> str:
        return folder.search(pattern)

    @tool("Write a file whole.", path={"type": "string", "minLength": 1}, text={"type": "string"})
    def write_file(path: str, text: str) -> str:
        folder.write(path, text)
        return f"wrote {len(text)} characters to {path}"

    reading = [list_files, replace(read_file, reads="path"), search]
    if not writable:
        return reading
    # What is written changes what the others find.
    writing = replace(write_file, writes="path", exists=folder.exists)
    return [*(replace(each, may_repeat=True) for each in reading), writing]
