"""Why a request read less than it might have: it is compared with the one before it, and with what is
stored.
"""

from typing import NamedTuple

from simlib.billing.cache.entries import Entries, Found, Tables, entry_of
from simlib.prompt.prefix import Prefix
from simlib.prompt.request import LATEST
from simlib.prompt.settings import Keys, Settings, changed


class Sent(NamedTuple):
    """What of a served request is kept to compare with: its last link, its last marker's, and what made its
    key.
    """

    id: str
    time: float
    model: str
    settings: Settings
    keys: Keys
    tables: Tables
    last: Prefix
    marked: Prefix | None


class Cause(NamedTuple):
    """A reason, in the words of policy.REASONS, its details, and the tokens that were not read because of
    it.
    """

    reason: str
    detail: str
    tokens: int


class Misses:
    """The requests served so far, and what kept each new one from reading all that the one before had
    marked.
    """

    def __init__(self, entries: Entries) -> None:
        self._entries = entries
        self._by_id: dict[str, Sent] = {}
        self._latest: dict[str, Sent] = {}

    def remember(self, sent: Sent, workspace: str) -> None:
        """Keep a request for those that come after it."""
        self._by_id[sent.id] = self._latest[workspace] = sent

    def cause(
        self, sent: Sent, found: Found, minimum: int, previous: str | None, workspace: str
    ) -> Cause | None:
        """Why a request read no more than it `found`; None if there was no more to read.

        minimum : the shortest prompt that is stored, in tokens. previous : the id of the answer before.
        """
        if sent.marked is None:
            return None  # nobody asked for a cache
        read = found.tokens
        before = self._latest.get(workspace) if previous == LATEST else self._by_id.get(previous or "")
        missed = 0
        if before is not None and before.marked is not None:
            missed = max(min(before.marked.tokens, sent.marked.tokens) - read, 0)
        if sent.marked.tokens < minimum:
            return Cause("below_minimum", f"{sent.marked.tokens} tokens, and {minimum} are needed", missed)
        if found.unread is not None:
            return self._unread(found, sent.time, read)
        if before is None and previous not in (None, LATEST):
            return Cause("previous_message_not_found", f"no answer {previous!r}", 0)
        if previous == LATEST and found.entry is not None and found.entry.ends_request:
            return None  # it goes on where some request ended, if not the latest
        if before is None or not missed:
            return None if read else Cause("cold", "no entry is found, and none was to be expected", 0)
        return Cause(*self._difference(before, sent, read), missed)

    def _unread(self, found: Found, time: float, read: int) -> Cause:
        entry = found.unread
        assert entry is not None
        missed = entry.tokens - read
        if entry.lives(time):
            return Cause(
                "unavailable", f"the answer that stores it begins at {entry.readable_at:g} s", missed
            )
        return Cause("expired", _age(time - entry.start, entry.lifetime), missed)

    def _difference(self, before: Sent, sent: Sent, read: int) -> tuple[str, str]:
        settings = changed(before.settings, sent.settings)
        if before.model != sent.model:
            return "model_changed", f"from {before.model} to {sent.model}"
        if "speed" in settings:
            return "model_changed", "another speed"
        gap = f"{sent.time - before.time:g} s after the request before; {read} tokens were read all the same"
        if before.last.tools_end != sent.last.tools_end:
            return "tools_changed", gap
        if before.last.head_end != sent.last.head_end:
            return "system_changed", gap
        if before.keys != sent.keys:
            return "unavailable", f"another setting: {', '.join(settings) or 'images or none'}"
        assert before.marked is not None
        if not _holds(sent.last, before.marked):
            return "messages_changed", gap
        return self._out_of_reach(before.marked, sent)

    def _out_of_reach(self, marked: Prefix, sent: Sent) -> tuple[str, str]:
        """Why an entry at the beginning of this very prompt was not found."""
        entry = entry_of(marked, sent.tables)
        if entry is None:
            return "below_minimum", f"the request before marked {marked.tokens} tokens, too few to be stored"
        if not entry.lives(sent.time):
            return "expired", _age(sent.time - entry.start, entry.lifetime)
        assert sent.marked is not None
        return (
            "lookback",
            f"the entry is {self._entries.distance(marked, sent.marked)} positions before the marker",
        )


def _age(seconds: float, lifetime: int) -> str:
    return f"last used {seconds:g} s ago, and it lives {lifetime} s"


def _holds(last: Prefix, part: Prefix) -> bool:
    """Whether a prompt begins with another one."""
    link: Prefix | None = last
    while link is not None and link.length > part.length:
        link = link.parent
    return link == part
