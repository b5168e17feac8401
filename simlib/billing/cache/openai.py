"""OpenAI's prompt cache: automatic, in steps of 128 tokens, free to write before GPT-5.6.

Nothing is marked. A prompt of at least 1,024 tokens is stored by itself, and a later one reads the longest
beginning that both share, rounded down to a whole step. From GPT-5.6 on what is stored costs more than fresh
input and lives 30 minutes; explicit markers then say up to where.

Assumed, since no source says it exactly: prompts that begin alike are kept on one machine and are dropped
together when it has been idle. Blocks are compared whole. Left out: hits that get lost when one machine gets
more than about 15 requests a minute.
"""

from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from simlib.billing.cache.history import Cause, History, Sent, difference
from simlib.billing.cache.policy import Miss, Receipt, Turnstile
from simlib.billing.catalogue import Catalogue
from simlib.billing.model import Model
from simlib.billing.usage import Usage
from simlib.errors import BadArgument, real, single
from simlib.prompt.limits import check_request
from simlib.prompt.prefix import Prefix
from simlib.prompt.request import LATEST, Request, breakpoints
from simlib.prompt.settings import Keys

Owner = tuple[str, str]  # model and workspace

STEP = 128  # tokens
IDLE, IDLE_IF_SOLD = 300.0, 1_800.0  # seconds without a request after which what is stored is gone


@dataclass(slots=True)
class _Machine:
    """Where prompts that begin alike are kept; when it was last asked, and how long it keeps them idle, in
    seconds.
    """

    used: float
    idle: float


class _Stored(NamedTuple):
    """A beginning that a machine holds, of so many tokens, readable from a time on."""

    machine: _Machine
    tokens: int
    readable_at: float

    def lives(self, time: float) -> bool:
        """Whether its machine has not been idle for too long."""
        return time - self.machine.used <= self.machine.idle


class OpenAICache:
    """The cache of one organization, which models and workspaces do not share.

    `catalogue` and `day` give each model's facts, its minimum, and whether storing is sold. `idle` is how
    many seconds without a request it survives: by default 300, or 1,800 where storing is sold; 86,400 is the
    retention that can be asked for.

    >>> from simlib.billing.catalogue import load_catalogue
    >>> from simlib.prompt.prompt import layout
    >>> cache = OpenAICache(load_catalogue(), date(2026, 10, 24))
    >>> request = Request("gpt-4o", layout([("messages", "question", 2_006, "text")], {}))
    >>> [cache.serve(request, time).usage.cache_read for time in (0, 60)]
    [0, 1920]
    """

    def __init__(self, catalogue: Catalogue, day: date, *, idle: float | None = None) -> None:
        self._idle: float | None = None
        if idle is not None:
            self._idle = single("idle", real("idle", idle, low=0, noun="seconds"))
        self._catalogue, self._day = catalogue, day
        self._stored: dict[tuple[str, str, bytes], _Stored] = {}
        self._history = History()
        self._turnstile = Turnstile()

    def serve(self, request: Request, time: float, *, output: int = 0, first_token: float = 0.0) -> Receipt:
        """What a request uses that is sent at `time`: see CachePolicy.serve."""
        model, minimum, sold = self._facts(request.model)
        check_request(request, model.limits)
        markers = breakpoints(request) if sold else ()
        id = self._turnstile.admit(request, time, first_token, output)
        last = request.prompt.last
        assert last is not None  # the request was checked
        end = markers[-1].prefix if markers else last
        owner = model.name, request.workspace
        hit, unread = self._find(last, owner, time)
        read = _in_steps(hit.tokens if hit else 0, minimum)
        stored = max(_in_steps(end.tokens, minimum), read) if sold else read
        usage = Usage(last.tokens - stored, stored - read, 0, read, output)
        settings = request.settings.plain(model.default_effort)
        sent = Sent(id, time, model.name, settings, Keys(owner, owner, owner), last, end)
        before = self._history.before(request.previous, request.workspace)
        cause = _cause(sent, before, request.previous, unread, read, minimum)
        self._history.remember(sent, request.workspace)
        self._store(end, hit, owner, _Machine(time, self._idle_time(sold)), time + first_token)
        return Receipt(id, usage, hit if read else None, cause and _miss(usage, cause))

    def _facts(self, name: str) -> tuple[Model, int, bool]:
        """The model, the shortest prompt that is stored, and whether storing is sold."""
        model = self._catalogue.model(name)
        terms = self._catalogue.terms(name, self._day)
        if model.cache != "openai" or terms.minimum_prefix is None:
            raise BadArgument("model", name, "a model whose cache follows OpenAI's rules")
        return model, terms.minimum_prefix, terms.price.rates.cache_write_5m is not None

    def _find(self, last: Prefix, owner: Owner, time: float) -> tuple[Prefix | None, _Stored | None]:
        """The longest beginning that can be read, and the longest that is stored but cannot."""
        unread = None
        for link in last.back():
            stored = self._stored.get((*owner, link.digest))
            if stored is not None:
                if stored.readable_at <= time and stored.lives(time):
                    return link, unread
                unread = unread or stored
        return None, unread

    def _idle_time(self, sold: bool) -> float:
        if self._idle is None:
            return IDLE_IF_SOLD if sold else IDLE
        return self._idle

    def _store(
        self, end: Prefix, hit: Prefix | None, owner: Owner, new: _Machine, readable_at: float
    ) -> None:
        """Keep every beginning beyond the hit, on the machine that had it, or on a new one.

        What waits to be readable already keeps its time.
        """
        time, machine = new.used, self._stored[*owner, hit.digest].machine if hit else new
        machine.used = time
        for link in end.back():
            if link is hit:
                break
            kept = self._stored.get((*owner, link.digest))
            if kept is not None and kept.lives(time):
                kept.machine.used = time
            else:
                self._stored[*owner, link.digest] = _Stored(machine, link.tokens, readable_at)


def _in_steps(tokens: int, minimum: int) -> int:
    return tokens // STEP * STEP if tokens >= minimum else 0


def _cause(
    sent: Sent, before: Sent | None, previous: str | None, unread: _Stored | None, read: int, minimum: int
) -> Cause | None:
    assert sent.marked is not None  # everything is stored without being asked
    if sent.marked.tokens < minimum:
        return Cause("below_minimum", f"{sent.marked.tokens} tokens, and {minimum} are needed", 0)
    lost = _in_steps(unread.tokens, minimum) - read if unread else 0
    if unread is not None and lost:
        if sent.time < unread.readable_at:
            return Cause("unavailable", f"the answer that stores it begins at {unread.readable_at:g} s", lost)
        return Cause("expired", f"nothing came for more than {unread.machine.idle:g} s", lost)
    if before is None and previous not in (None, LATEST):
        return Cause("previous_message_not_found", f"no answer {previous!r}", 0)
    expected = min(before.marked.tokens, sent.marked.tokens) if before and before.marked else 0
    missed = _in_steps(expected, minimum) - read
    changed = difference(before, sent) if before and missed > 0 else None
    if changed is not None:
        return Cause(*changed, missed)
    return None if read else Cause("cold", "nothing that it could have read was ever stored", 0)


def _miss(usage: Usage, cause: Cause) -> Miss:
    """The miss, with what the request would have used: written tokens first turn into read ones, then fresh
    ones.
    """
    written = min(usage.cache_write_5m, cause.tokens)
    fresh = cause.tokens - written
    instead = Usage(fresh, written, 0, -cause.tokens, 0)
    return Miss(cause.reason, cause.detail, cause.tokens, usage - instead)
