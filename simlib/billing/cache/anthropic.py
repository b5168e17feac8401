"""Anthropic's prompt cache, request by request, to the letter of its documented rules.

A request may mark up to four places. The prompt up to each of them is stored, and a later request reads the
longest stored beginning that its own markers reach. What is stored costs more than fresh input, what is read
costs much less, and what nobody uses for five minutes (or an hour) is gone.

What no source states and is assumed: a hit also refreshes the entries under the request's own earlier
markers; an entry under a marker that was read over is not stored anew if it is gone; of images and citations
only their presence counts; and the longer of two lifetimes holds where two requests store the same before
either can be read.

Left out: entries that are dropped early under load, the few tokens that real answers count as fresh behind an
automatic marker, what tools on the provider's side store by themselves, and tools that a search brings into
the prompt.
"""

from collections.abc import Mapping, Sequence
from datetime import date

from simlib.billing.cache.entries import Entries, Found, Tables, entry_of, store
from simlib.billing.cache.history import History, Sent
from simlib.billing.cache.misses import why_missed
from simlib.billing.cache.policy import Miss, Receipt, Turnstile
from simlib.billing.catalogue import Catalogue
from simlib.billing.model import Model
from simlib.billing.usage import Usage
from simlib.errors import BadArgument, known, single, whole
from simlib.prompt.blocks import SECTIONS
from simlib.prompt.limits import check_request
from simlib.prompt.prompt import Marker, Prompt
from simlib.prompt.request import Request, breakpoints
from simlib.prompt.settings import Keys, Settings
from simlib.prompt.thinking import Forgetting

LOOKBACK = 20  # positions that a marker looks back, its own the first


class AnthropicCache:
    """The cache of one organization, which models and workspaces do not share.

    `catalogue` and `day` give each model's facts and minimum; `minimum` (for all models, or by a model's
    name), `reasoning_from` (see Model) and `lookback` replace what they or the rules say.
    `runs_are_one_position` is false where each tool call counts by itself, as older guides say.

    >>> from simlib.billing.catalogue import load_catalogue
    >>> from simlib.prompt.prompt import layout
    >>> cache = AnthropicCache(load_catalogue(), date(2026, 10, 24))
    >>> prompt = layout([("system", "rules", 988, "text"), ("messages", "question", 20, "text")], {0: "5m"})
    >>> for time in (0, 60, 361):
    ...     receipt = cache.serve(Request("claude-haiku-5-5", prompt), time, output=105)
    ...     print(receipt.usage.cache_read, receipt.miss.reason if receipt.miss else "hit")
    0 cold
    988 hit
    0 expired
    """

    def __init__(
        self,
        catalogue: Catalogue,
        day: date,
        *,
        minimum: int | Mapping[str, int] | None = None,
        reasoning_from: str | None = None,
        lookback: int = LOOKBACK,
        runs_are_one_position: bool = True,
    ) -> None:
        given = minimum.values() if isinstance(minimum, Mapping) else () if minimum is None else (minimum,)
        for least in given:
            single("minimum", whole("minimum", least))
        if reasoning_from is not None:
            known("reasoning_from", reasoning_from, SECTIONS)
        self._catalogue, self._day = catalogue, day
        self._minimum, self._reasoning_from = minimum, reasoning_from
        self._entries = Entries(single("lookback", whole("lookback", lookback, low=1)), runs_are_one_position)
        self._history = History()
        self._turnstile = Turnstile()
        self._forgetting = Forgetting()
        self._known: dict[str, tuple[Model, int]] = {}
        self._asked: tuple[object, ...] = ()
        self._answer: tuple[Settings, Keys, Tables] = Settings(), Keys((), (), ()), {}

    def serve(self, request: Request, time: float, *, output: int = 0, first_token: float = 0.0) -> Receipt:
        """What a request uses that is sent at `time`: see CachePolicy.serve."""
        model, minimum = self._facts(request.model)
        prompt = Prompt(request.prompt.last, breakpoints(request))
        if not model.keeps_thinking:
            prompt = self._forgetting.read(prompt)
        check_request(request, model.limits, request.version, tokens=prompt.tokens)
        id = self._turnstile.admit(request, time, first_token, output)
        last, markers = prompt.last, prompt.markers
        assert last is not None  # the request was checked
        settings, keys, tables = self._kept(request, model, last.features)
        counting = [marker for marker in markers if marker.prefix.tokens >= minimum]
        found = self._entries.find(reversed(counting), tables, time)
        usage = classes(last.tokens, found.tokens, counting, output)
        marked = markers[-1].prefix if markers else None
        sent = Sent(id, time, model.name, settings, keys, last, marked)
        before = self._history.before(request.previous, request.workspace)
        cause = why_missed(sent, before, request.previous, found, minimum, self._entries, tables)
        miss = None
        if cause is not None:
            would = classes(last.tokens, found.tokens + cause.tokens, counting, output)
            miss = Miss(cause.reason, cause.detail, cause.tokens, would)
        self._history.remember(sent, request.workspace)
        _commit(counting, tables, found, time, time + first_token)
        return Receipt(id, usage, found.link, miss)

    def _kept(
        self, request: Request, model: Model, features: frozenset[str]
    ) -> tuple[Settings, Keys, Tables]:
        """Plain settings, keys and tables; the last answer is kept, since a run asks with equal settings."""
        asked = request.settings, model.name, request.workspace, features
        if asked != self._asked:
            settings = request.settings.plain(model.default_effort)
            owner = model.name, request.workspace
            keys = settings.keys(self._reasoning_from or model.reasoning_from, features, owner)
            self._asked, self._answer = asked, (settings, keys, self._entries.tables(keys))
        return self._answer

    def _facts(self, name: str) -> tuple[Model, int]:
        """The model and the shortest prompt that its cache stores."""
        if name not in self._known:
            model = self._catalogue.model(name)
            given = self._minimum
            minimum = given.get(model.name) if isinstance(given, Mapping) else given
            if minimum is None:
                minimum = self._catalogue.terms(name, self._day).minimum_prefix
            if model.cache != "anthropic" or minimum is None:
                raise BadArgument("model", name, "a model whose cache follows Anthropic's rules")
            self._known[name] = model, minimum
        return self._known[name]


def classes(prompt: int, read: int, markers: Sequence[Marker], output: int) -> Usage:
    """What of a request is paid for in which class.

    prompt : all its tokens. read : how many of them the cache gave. markers : those that count, in their
    order.
    output : tokens that the model writes.
    Returns a Usage: up to the last marker for an hour what is not read is written for an hour, from there to
    the last marker for five minutes, and the rest is fresh.
    Raises nothing.

    >>> from simlib.prompt.prompt import layout
    >>> rows = [("system", "rules", 988, "text"), ("messages", "question", 20, "text")]
    >>> prompt = layout(rows, {0: "1h", 1: "5m"})
    >>> classes(1_008, 0, prompt.markers, output=105)
    Usage(input=0, cache_write_5m=20, cache_write_1h=988, cache_read=0, output=105)
    """
    hour = stored = read
    for marker in markers:
        stored = max(stored, marker.prefix.tokens)
        if marker.lifetime == "1h":
            hour = stored
    return Usage(prompt - stored, stored - hour, hour - read, read, output)


def _commit(markers: Sequence[Marker], tables: Tables, found: Found, time: float, readable_at: float) -> None:
    """Refresh what was read, for its own lifetime, and store what was not."""
    read_to = 0
    if found.link is not None and found.entry is not None:
        found.entry.start = time
        found.entry.ends_request = False  # unless the request ends here as well, see below
        read_to = found.link.length
    for marker in markers:
        ends_request = marker is markers[-1]
        if marker.prefix.length > read_to:
            store(marker, tables, time, readable_at, ends_request)
            continue
        entry = entry_of(marker.prefix, tables)
        if entry is not None and entry.lives(time):
            entry.start, entry.ends_request = time, ends_request
