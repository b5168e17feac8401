"""`simlib run`: let a scripted agent work, from the beginning or from where its transcript ends."""

import argparse

from simlib.agent.loop import run_agent
from simlib.agent.stop import StopReason
from simlib.articles.inputs import ArticleC
from simlib.articles.runs import read_all_run, search_run
from simlib.billing.cache.choose import cache_for
from simlib.billing.catalogue import load_catalogue
from simlib.commands.names import NOTES
from simlib.errors import BadArgument
from simlib.models.client import DAY, FakeClient
from simlib.models.continued import continued, patient
from simlib.models.recording import read_recording
from simlib.models.scripted import Script
from simlib.worlds.library.agents import AGENTS
from simlib.worlds.library.recordings import MOST_STEPS
from simlib.worlds.library.sessions import comparison
from simlib.worlds.library.texts import QUESTION, SYSTEM, library_tools, load_texts

ENDED, DID_NOT_END = 0, 2


def run(chosen: argparse.Namespace) -> int:
    """Run one of the agents, and print its steps.

    chosen : name, transcript, resume, model, no_cache and pace, as `simlib run` reads them.
    Returns the exit code: 0 if it gave an answer.
    Raises SimlibError for a model without a price, a transcript that stands there, one to go on from that
    does not.

    >>> names = ("transcript", "resume", "no_cache", "pace")
    >>> words = argparse.Namespace(name="library-notes", model="claude-haiku-5-5", **dict.fromkeys(names))
    >>> run(words)  # doctest: +ELLIPSIS
    session  notes ...
    0
    """
    if chosen.name == NOTES:
        return _sessions(chosen)
    return _agent(chosen)


def _agent(chosen: argparse.Namespace) -> int:
    catalogue = load_catalogue()
    client = FakeClient(
        _script(chosen),
        catalogue=catalogue,
        cache=cache_for(chosen.model, catalogue, DAY),
        pace=chosen.pace,
    )
    print(f"Question: {QUESTION}")
    result = run_agent(
        QUESTION,
        library_tools(load_texts()),
        SYSTEM,
        client=client,
        model=chosen.model,
        max_steps=MOST_STEPS,
        cache=None if chosen.no_cache else "5m",
        transcript=chosen.transcript,
        resume=chosen.resume,
        verbose=True,
    )
    print(f"Answer: {result.answer or result.error or 'none'}")
    print(
        f"{result.stop}: {len(result.steps)} calls, {result.total_input:,} input tokens (estimated), "
        f"${result.dollars:.5f}. The model is a script; tools, tokens, cache and prices are worked out."
    )
    own = {run.name: run for run in (search_run(ArticleC()), read_all_run(ArticleC()))}[chosen.name]
    print(
        f"The article's own run ({own.source}): {own.calls} calls, {own.total_input:,} input tokens, "
        "with texts and counts of its own."
    )
    return ENDED if result.stop is StopReason.END_TURN else DID_NOT_END


def _script(chosen: argparse.Namespace) -> Script:
    """The agent's script, from where the transcript ends if the run goes on."""
    script = patient(AGENTS[chosen.name])
    if not chosen.resume:
        return Script(script)
    if chosen.transcript is None:
        raise BadArgument("--transcript", None, "the file of the run that goes on")
    return continued(script, read_recording(chosen.transcript).events)


def _sessions(chosen: argparse.Namespace) -> int:
    """The table of both sessions; what the other agents' options say has no place here."""
    if chosen.transcript or chosen.resume or chosen.no_cache or chosen.pace:
        raise BadArgument("options", f"of {NOTES}", "none: it compares four runs")
    compared = comparison()
    print("session  notes    calls  input tokens  dollars   answer")
    for session, notes, calls, tokens, dollars, answer in zip(*compared.table.values(), strict=True):
        print(f"{session:7d}  {notes:7s}  {calls:5d}  {tokens:12,d}  {dollars:.6f}  {answer[:60]}…")
    cost, saved, paid = compared.cost, compared.saved, compared.paid_after
    print(
        f"Notes cost ${cost['dollars']:.6f} in the first session and save ${saved['dollars']:.6f} in the "
        f"second: they have paid after {paid['dollars']:.0f} sessions like it, in input tokens after "
        f"{paid['input tokens']:.0f}. The model is a script, tokens are estimated."
    )
    return ENDED
