"""A recorded run at other prices, another model's, or with another cache: what it would have cost.

What was said is as recorded. That another model would have said something else is not in here, and cannot be.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Literal

from simlib.agent.result import Step
from simlib.agent.resume import step_of
from simlib.billing.cache.choose import cache_for
from simlib.billing.catalogue import Catalogue, load_catalogue
from simlib.billing.usage import Usage
from simlib.errors import known
from simlib.models.measured import block_counts
from simlib.models.recording import Recording
from simlib.prompt.from_api import request_from_api

Caching = Literal["as recorded", "5m", "1h", "off"]


@dataclass(frozen=True)
class Repriced:
    """A run's `steps` as recorded, and the `usages` and exact `dollars` of each with what was changed.

    `lines` say what was worked out anew, and what was not.
    """

    steps: tuple[Step, ...]
    usages: tuple[Usage, ...]
    dollars: tuple[Decimal, ...]
    lines: tuple[str, ...]

    @property
    def total(self) -> Decimal:
        """Dollars of the whole run, with what was changed."""
        return sum(self.dollars, Decimal(0))

    @property
    def recorded_total(self) -> Decimal | None:
        """Dollars of the run as recorded; None if a step had no price."""
        paid = [step.dollars for step in self.steps]
        return None if None in paid else sum((each for each in paid if each is not None), Decimal(0))


def reprice(
    recording: Recording,
    *,
    day: date,
    model: str | None = None,
    caching: Caching = "as recorded",
    catalogue: Catalogue | None = None,
) -> Repriced:
    """What a recorded run would have cost.

    recording : the run. day : of the prices. model : whose prices and cache, None for the recorded one.
    caching : the lifetime of the markers, or without them. catalogue : of the prices, our own by default.
    Returns a Repriced; the first call finds nothing stored if the cache is played anew.
    Raises BadArgument for a run whose context a lever rewrote, if the cache has to be played anew; ApiError
    for settings that the other model does not take; UnknownName, OutOfRange or Unpriced for a model or a day
    without a price.

    >>> from simlib.agent.loop import run_agent
    >>> from simlib.models.client import FakeClient
    >>> from simlib.models.scripted import Script, say
    >>> client = FakeClient(Script([say("Growth's.")]))
    >>> recording = Recording(run_agent("Whose port?", client=client).events)
    >>> again = reprice(recording, day=client.day, model="claude-sonnet-4-6")
    >>> int(again.total / again.recorded_total)
    30
    """
    known("caching", caching, ("as recorded", "5m", "1h", "off"))
    facts, name = catalogue or load_catalogue(), model or str(recording.settings["model"])
    price = facts.price(name, day)
    steps = tuple(step_of(reply) for reply in recording.replies)
    anew = bool(steps) and (caching != "as recorded" or model is not None)
    usages = tuple(_played(recording, facts, day, name, caching)) if anew else tuple(s.usage for s in steps)
    dollars = tuple(Decimal(price.dollars(usage)) for usage in usages)  # type: ignore[arg-type]  # one call each
    by_itself = anew and facts.model(name).cache == "openai"
    return Repriced(steps, usages, dollars, tuple(_words(recording, day, model, caching, anew, by_itself)))


def _played(
    recording: Recording, catalogue: Catalogue, day: date, model: str, caching: Caching
) -> Iterator[Usage]:
    """The usage of each call with the cache played anew at the recorded times."""
    cache = cache_for(model, catalogue, day)
    counts = block_counts(recording, _hidden(catalogue, str(recording.settings["model"])))
    changed = _changed(recording, model, caching)
    for talk, reply in changed.asked(lambda block: counts.popleft(), _hidden(catalogue, model)):
        if reply["event"] != "reply":
            return  # an error of the API, which costs nothing
        data = {**changed.settings, "messages": talk}
        request = request_from_api(data, len, prompt=talk.prompt)
        output = int(step_of(reply).usage.output)
        yield cache.serve(request, float(reply["at"]), output=output).usage


def _changed(recording: Recording, model: str, caching: Caching) -> Recording:
    """The recording as if another model had been asked, or the markers had been others."""
    settings = {**recording.settings, "model": model}
    if caching != "as recorded":
        for part in ("tools", "system"):
            settings[part] = [_without_marker(block) for block in settings.get(part, [])]
        settings = _without_marker(settings)
        marker = {"type": "ephemeral", "ttl": caching}
        for block in (settings, (settings["system"] or settings["tools"] or [{}])[-1]) * (caching != "off"):
            block["cache_control"] = marker
    task = {"event": "task", "task": recording.task, **settings}
    return Recording(tuple(task if event["event"] == "task" else event for event in recording.events))


def _hidden(catalogue: Catalogue, model: str) -> int:
    """Tokens that the provider adds to a prompt with tools, whatever the day: a recording says no day."""
    rows = catalogue.rows.get(catalogue.name_of(model) or "", ())
    overhead = rows[-1].tool_overhead if rows else None
    return overhead.automatic if overhead else 0


def _without_marker(block: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in block.items() if name != "cache_control"}


def _words(
    recording: Recording, day: date, model: str | None, caching: Caching, anew: bool, by_itself: bool
) -> Iterator[str]:
    recorded = recording.settings["model"]
    yield f"Prices: {model or recorded} on {day}."
    if not anew:
        yield "Tokens: as recorded."
    else:
        named = {"as recorded": "its markers as recorded", "off": "no markers"}
        shown = named.get(caching, f"{caching} markers")
        yield f"Tokens: what is stored and read worked out anew, with {shown} and the recorded times."
        if by_itself:
            yield f"{model or recorded} stores by itself, whatever is marked: its cache cannot be off."
        warm = step_of(recording.replies[0]).usage.cache_read
        if warm:
            yield f"The recording found {warm} tokens of an earlier run; here the first call finds none."
    if model not in (None, recorded):
        yield f"The text is counted as {recorded} counted it; {model} may count it differently."
    yield (
        "What was said, asked for and returned is as recorded: whether the run would have gone this way, it "
        "cannot show."
    )
