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
from simlib.articles.reproduce import Record, reproduce
from simlib.commands.names import NOTES, PUBLISHED
from simlib.errors import SimlibError
from simlib.files import write_whole
from simlib.plots.style import STYLES
from simlib.worlds.library.agents import AGENTS

AGREES, SOMETHING_IS_OFF, CANNOT = 0, 1, 2
PAGE, GALLERY, NOTEBOOKS = Path("reproduction.html"), Path("figures"), Path("notebooks")


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
        code: int = chosen.run(chosen)
        return code
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
    _add_reproduce(commands)
    _add_figures(commands)
    _add_notebooks(commands)
    _add_run(commands)
    _add_replay(commands)
    return parser


def _add_reproduce(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "reproduce",
        help="put our numbers beside those of the three articles",
        description="Put our numbers beside those of the three articles, and draw their figures. "
        "Exit code 1 if a number is off.",
    )
    parser.set_defaults(run=_reproduce)
    parser.add_argument(
        "--only",
        metavar="ID",
        help="an article (C), a part (C.readall) or a fact (C.q); makes a page only with --out",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print a list of records instead, and make nothing")
    form.add_argument(
        "--out", metavar="FILE", type=Path, help=f"where the page goes (default: {PAGE}, and figures/ anew)"
    )


def _add_figures(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "figures",
        help="draw the articles' figures",
        description="Write every figure as SVG, PNG and CSV, and a page README.md that shows them.",
    )
    parser.set_defaults(run=_figures)
    parser.add_argument(
        "--out", metavar="FOLDER", type=Path, help="where they go (default: figures, or figures-STYLE)"
    )
    parser.add_argument(
        "--style", choices=STYLES, default="screen", help="letters and lines for where they are read"
    )


def _add_notebooks(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("notebooks", help="make the students' notebooks from the teacher's")
    parser.set_defaults(run=_notebooks)
    parser.add_argument(
        "what", choices=["build"], help="write the student edition of every teacher's notebook"
    )
    parser.add_argument(
        "--folder", type=Path, default=NOTEBOOKS, help="the one that holds teacher/ (default: %(default)s)"
    )


def _add_run(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("run", help="let a scripted agent work, without a key")
    parser.set_defaults(run=_run)
    parser.add_argument(
        "name", choices=[*AGENTS, NOTES], help=f"which agent; {NOTES} compares two sessions with and without"
    )
    parser.add_argument("--transcript", metavar="FILE", type=Path, help="write what happens to a new file")
    parser.add_argument("--resume", action="store_true", help="go on with the run of which FILE holds a part")
    parser.add_argument(
        "--model", default="claude-haiku-5-5", help="whose prices and rules (default: %(default)s)"
    )
    parser.add_argument("--no-cache", action="store_true", help="without cache markers")
    parser.add_argument("--pace", action="store_true", help="let every step take its time, to watch")


def _add_replay(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "replay",
        help="print the steps of a run, or what it would have cost otherwise",
        description=f"Print the steps of a run: a transcript's, a recording's ({', '.join(AGENTS)}), which "
        f"is played again and compared, or a published one's ({', '.join(PUBLISHED)}). With one of the "
        "options below it is re-priced instead: what was said stays as it was.",
    )
    parser.set_defaults(run=_replay)
    parser.add_argument("what", metavar="RUN", help="the transcript, or the name of a run")
    parser.add_argument("--model", help="at this model's prices")
    parser.add_argument("--day", metavar="DATE", help="at the prices of a day, such as 2026-10-24")
    parser.add_argument("--caching", choices=["5m", "1h", "off"], help="with other cache markers, or none")


def _reproduce(chosen: argparse.Namespace) -> int:
    facts = load_facts()
    records = reproduce(facts if chosen.only is None else select(facts, chosen.only))
    if chosen.json:
        print(json.dumps([record.as_json() for record in records], indent=2))
    else:
        print(f"{text_report(records)}\n\n{finding(records)}")
        if chosen.out or chosen.only is None:
            _make_page(chosen.out, records)
    sys.stdout.flush()
    return SOMETHING_IS_OFF if any(record.verdict == "off" for record in records) else AGREES


def _make_page(out: Path | None, records: list[Record]) -> None:
    """The page; and where it goes to its usual place, the gallery of figures is refreshed beside it."""
    from simlib.articles.figures.gallery import draw_all, page_figures, write_gallery  # slow to import

    drawn, page = draw_all(), out or PAGE
    if out is None:
        write_gallery(GALLERY, drawn)
    shown = {record.fact.id for record in records}
    figures = page_figures([one for one in drawn if shown.intersection(one.figure.facts)])
    write_whole(page, html_report(records, figures), argument="--out")
    print(f"Made {page}. Open it in a browser: {page.resolve().as_uri()}")


def _figures(chosen: argparse.Namespace) -> int:
    from simlib.articles.figures.gallery import draw_all, write_gallery

    usual = GALLERY if chosen.style == "screen" else GALLERY.with_name(f"{GALLERY.name}-{chosen.style}")
    folder = chosen.out or usual
    written = write_gallery(folder, draw_all(chosen.style))
    print(f"Made {len(written)} files in {folder}. The page that shows them is {written[-1]}.")
    return AGREES


def _notebooks(chosen: argparse.Namespace) -> int:
    from simlib.lab.editions import build

    for path in build(chosen.folder):
        print(f"Made {path}.")
    return AGREES


def _run(chosen: argparse.Namespace) -> int:
    from simlib.commands.run import run  # with what it brings, a third of a second

    return run(chosen)


def _replay(chosen: argparse.Namespace) -> int:
    from simlib.commands.replay import replay

    return replay(chosen)


if __name__ == "__main__":
    sys.exit(main())
