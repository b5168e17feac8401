"""`simlib replay`: the steps of a recorded or published run, or what it would have cost otherwise."""

import argparse
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType

from simlib.agent.resume import step_of
from simlib.agent.transcript import Read, read_transcript
from simlib.articles.inputs import ArticleA, ArticleC
from simlib.articles.runs import port_run, read_all_run, search_run
from simlib.commands.names import PUBLISHED
from simlib.errors import BadArgument
from simlib.models.client import DAY
from simlib.models.published import PublishedTrace
from simlib.models.recording import Recording
from simlib.models.replayed import replay as play_again
from simlib.models.reprice import reprice
from simlib.worlds.library.agents import AGENTS
from simlib.worlds.library.recordings import load_recording
from simlib.worlds.library.texts import library_tools, load_texts

TRACES: Mapping[str, Callable[[], PublishedTrace]] = MappingProxyType(
    dict(
        zip(
            PUBLISHED,
            (
                lambda: port_run(ArticleA()),
                lambda: search_run(ArticleC()),
                lambda: read_all_run(ArticleC()),
            ),
            strict=True,
        )
    )
)
CHANGES = "--model, --day and --caching"


def replay(chosen: argparse.Namespace) -> int:
    """Print a run's steps, or its bill with something changed.

    chosen : what (a file, or a name), model, day and caching, as `simlib replay` reads them.
    Returns the exit code 0.
    Raises BadTranscript for a file that holds no run, ReplayMiss for a recording that does not play any more,
    BadArgument for a change to a run of which only counts are known, Unpriced and its like for a price.

    >>> unchanged = {"model": None, "day": None, "caching": None}
    >>> replay(argparse.Namespace(what="article-C-search", **unchanged))
    call  1  context     175
    call  2  context     209
    call  3  context     414
    call  4  context     560
    1,358 input tokens. From article C, section 3, approach 1, which gives counts: there is no text.
    0
    """
    is_changed = chosen.model is not None or chosen.day is not None or chosen.caching is not None
    named = not Path(chosen.what).exists()
    if named and chosen.what in TRACES:
        if is_changed:
            raise BadArgument(CHANGES, chosen.what, "a run whose requests are known")
        print("\n".join(TRACES[chosen.what]().lines()))
        return 0
    shipped = named and chosen.what in AGENTS
    read = Read(load_recording(chosen.what).events) if shipped else read_transcript(chosen.what, strict=False)
    if is_changed:
        _print_repriced(Recording(read.events), chosen)
    else:
        _print_steps(read)
    if shipped and not is_changed:
        print(", ".join(play_again(Recording(read.events), library_tools(load_texts())).lines()) + ".")
    return 0


def _print_steps(read: Read) -> None:
    total = Decimal(0)
    for event in read.events:
        if event["event"] == "reply":
            step = step_of(event)
            total += step.dollars or 0
            print(step.line(total))
        elif event["event"] == "note":
            print(f"note: {event['text']}")
        elif event["event"] == "end":
            print(f"{event['stop']}: {event['answer'] or event['error'] or 'no answer'}")
    if read.events[-1]["event"] != "end":
        print("The run did not come to its end.")
    if read.lost:
        print(f"The last line was cut and is left out: {read.lost[:60]}")


def _print_repriced(recording: Recording, chosen: argparse.Namespace) -> None:
    day = DAY if chosen.day is None else _day(chosen.day)
    again = reprice(recording, day=day, model=chosen.model, caching=chosen.caching or "as recorded")
    print("step  recorded   cache read  written  fresh   changed to")
    for step, usage, dollars in zip(again.steps, again.usages, again.dollars, strict=True):
        was = "unpriced" if step.dollars is None else f"${step.dollars:.6f}"
        written = usage.cache_write_5m + usage.cache_write_1h
        print(
            f"{step.number:4d}  {was:9s}  {usage.cache_read:10,d}  {written:7,d}  {usage.input:5,d}   "
            f"${dollars:.6f}"
        )
    was = "unpriced" if again.recorded_total is None else f"${again.recorded_total:.6f}"
    print(f"Together {was} as recorded, ${again.total:.6f} as changed.")
    print("\n".join(again.lines))


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadArgument("--day", text, "a day such as 2026-10-24") from None
