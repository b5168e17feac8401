"""What a cache holds: entries, each for the prompt up to one marker, and which of them a request can read."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from simlib.prompt.prefix import Prefix
from simlib.prompt.prompt import SECONDS, Marker
from simlib.prompt.settings import Keys


@dataclass(slots=True)
class Entry:
    """A stored prompt of `tokens`: last used at `start`, alive for `lifetime` after it, readable from a time
    on.

    All three are seconds. `ends_request` says whether it is the last one that a request asked for, and no
    other request has gone on from there.
    """

    tokens: int
    start: float
    lifetime: int
    readable_at: float
    ends_request: bool

    def lives(self, time: float) -> bool:
        """Whether it has not outlived its lifetime."""
        return time - self.start <= self.lifetime


class Found(NamedTuple):
    """What a look into the cache brought: the link and the entry that are read, and the longest unreadable
    one.
    """

    link: Prefix | None = None
    entry: Entry | None = None
    unread: Entry | None = None

    @property
    def tokens(self) -> int:
        """Tokens that are read."""
        return self.link.tokens if self.link else 0


# The entries of one section's key, by the digest of the prompt; and the three of them that a request may
# read.
Table = dict[bytes, Entry]
Tables = Mapping[str, Table]


class Entries:
    """The entries of one cache, by what they were made from: owner and settings, then the blocks."""

    def __init__(self, lookback: int, runs_are_one_position: bool) -> None:
        self._tables: dict[tuple[object, ...], Table] = {}
        self._lookback = lookback
        self._position: Callable[[Prefix], int] = attrgetter(
            "position" if runs_are_one_position else "length"
        )

    def tables(self, keys: Keys) -> Tables:
        """The entries that a request with these keys may read and write, by the section in which they end."""
        return {section: self._tables.setdefault(key, {}) for section, key in keys._asdict().items()}

    def find(self, markers: Iterable[Marker], tables: Tables, time: float) -> Found:
        """The longest entry that the markers reach: from each, `lookback` positions back, itself the first.

        markers : the ones that count, the last one first.
        """
        unread, position = None, self._position
        for marker in markers:
            link: Prefix | None = marker.prefix
            limit = position(marker.prefix) - self._lookback
            while link is not None and position(link) > limit:
                entry = tables[link.block.section].get(link.digest)
                if entry is not None:
                    if entry.readable_at <= time and entry.lives(time):
                        return Found(link, entry, unread)
                    unread = unread or entry
                link = link.parent
        return Found(None, None, unread)

    def distance(self, earlier: Prefix, later: Prefix) -> int:
        """Positions from one block to a later one of the same prompt."""
        return self._position(later) - self._position(earlier)


def entry_of(link: Prefix, tables: Tables) -> Entry | None:
    """The entry of a prompt.

    link : its last link. tables : of the request's keys.
    Returns the Entry, alive or not, None if there never was one.
    Raises nothing.

    >>> from simlib.prompt.prompt import layout
    >>> tables = Entries(20, True).tables(Keys((), (), ()))
    >>> entry_of(layout([("system", "rules", 988, "text")], {}).last, tables) is None
    True
    """
    return tables[link.block.section].get(link.digest)


def store(marker: Marker, tables: Tables, time: float, readable_at: float, ends_request: bool) -> None:
    """Write the entry of a marker beyond what was read.

    One that lives but cannot be read yet is written once more: it is readable as soon as the first of them
    is, and lives as long as the longer of them.

    marker : where the entry ends, and its lifetime. tables : of the request's keys. time, readable_at : in
    seconds.
    ends_request : whether it is the request's last marker.
    Returns nothing.
    Raises nothing.

    >>> from simlib.prompt.prompt import layout
    >>> tables = Entries(20, True).tables(Keys((), (), ()))
    >>> (marker,) = layout([("system", "rules", 988, "text")], {0: "1h"}).markers
    >>> store(marker, tables, time=0, readable_at=1, ends_request=True)
    >>> entry_of(marker.prefix, tables).lifetime
    3600
    """
    before, lifetime = entry_of(marker.prefix, tables), SECONDS[marker.lifetime]
    if before is not None and before.lives(time):
        readable_at, lifetime = min(readable_at, before.readable_at), max(lifetime, before.lifetime)
    entry = Entry(marker.prefix.tokens, time, lifetime, readable_at, ends_request)
    tables[marker.prefix.block.section][marker.prefix.digest] = entry
