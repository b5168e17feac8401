"""The `simlib` command."""

import argparse
import io
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from simlib import __version__
from simlib.articles.facts import load_facts, select
from simlib.articles.report import finding, html_report, text_report
from simlib.articles.reproduce import reproduce
from simlib.errors import BadArgument, SimlibError

AGREES, SOMETHING_IS_OFF, CANNOT = 0, 1, 2
PAGE = Path("reproduction.html")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    arguments : the words after `simlib`, those of the process if None.
    Returns the exit code: 0 if all went well, 1 if a fact is off, 2 if the command could not be carried out.
    Raises SystemExit for words that the command does not know, as argparse does.

    >>> main(["reproduce", "--only", "C.nothing"])
    2
    """
    parser = _parser()
    chosen = parser.parse_args(arguments)
    if chosen.command is None:
        parser.print_help()
        return CANNOT
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a file name may hold what a terminal cannot show
    try:
        return _reproduce(chosen)
    except BrokenPipeError:
        # Whoever read our output has seen enough; nothing may be flushed to them at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CANNOT
    except (SimlibError, OSError) as error:
        print(f"simlib: {error}", file=sys.stderr)
        return CANNOT


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="simlib", description="What LLM agents read and cost, offline.")
    parser.add_argument("--version", action="version", version=f"simlib {__version__}")
    commands = parser.add_subparsers(dest="command")
    reproduce_parser = commands.add_parser(
        "reproduce",
        help="put our numbers beside those of the three articles",
        description="Put our numbers beside those of the three articles. Exit code 1 if one is off.",
    )
    add = reproduce_parser.add_argument
    add(
        "--only",
        metavar="ID",
        help="an article (C), a part (C.readall) or a fact (C.q); makes no page",
    )
    form = reproduce_parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print a list of records instead, and make no page")
    form.add_argument("--out", metavar="FILE", type=Path, help=f"where the page goes (default: {PAGE})")
    return parser


def _reproduce(chosen: argparse.Namespace) -> int:
    facts = load_facts()
    records = reproduce(facts if chosen.only is None else select(facts, chosen.only))
    if chosen.json:
        print(json.dumps([record.as_json() for record in records], indent=2))
    else:
        print(f"{text_report(records)}\n\n{finding(records)}")
        page = chosen.out or (PAGE if chosen.only is None else None)
        if page:
            _write(page, html_report(records))
            print(f"Made {page}. Open it in a browser: {page.resolve().as_uri()}")
    sys.stdout.flush()
    return SOMETHING_IS_OFF if any(record.verdict == "off" for record in records) else AGREES


def _write(path: Path, text: str) -> None:
    """All of the file or none of it: a reader never finds half a page."""
    target = Path(os.path.realpath(path))  # what a link points to is replaced, not the link
    if target.is_dir() or not target.parent.is_dir():
        raise BadArgument("--out", str(path), "a file in a folder that exists")
    if path.exists() and not target.is_file():
        path.write_text(text, encoding="utf-8")  # a device or a pipe, which must stay what it is
        return
    unfinished = target.with_name(f".{os.getpid()}.unfinished")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
