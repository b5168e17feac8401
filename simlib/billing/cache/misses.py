"""Why a request read less from Anthropic's cache than it might have."""

from simlib.billing.cache.entries import Entries, Entry, Found, Tables, entry_of
from simlib.billing.cache.history import Cause, Sent, difference
from simlib.prompt.request import LATEST


def why_missed(
    sent: Sent,
    before: Sent | None,
    previous: str | None,
    found: Found,
    minimum: int,
    entries: Entries,
    tables: Tables,
) -> Cause | None:
    """What kept a request from reading all that the one before it had marked.

    sent, before : the request, and the one to compare it with. previous : which one was asked for. found :
    what the cache gave. minimum : the shortest prompt that is stored, in tokens. entries, tables : what is
    stored.
    Returns a Cause; None if nobody asked for a cache, or there was no more to read.
    Raises nothing.

    >>> from simlib.prompt.prompt import layout
    >>> from simlib.prompt.settings import Keys, Settings
    >>> last = layout([("system", "rules", 511, "text")], {}).last
    >>> keys, entries = Keys((), (), ()), Entries(20, True)
    >>> sent = Sent("", 0, "toy-1", Settings(), keys, last, marked=last)
    >>> why_missed(sent, None, LATEST, Found(), 512, entries, entries.tables(keys)).reason
    'below_minimum'
    """
    if sent.marked is None or found.tokens == sent.marked.tokens:
        return None
    missed = 0
    if before is not None and before.marked is not None:
        missed = max(min(before.marked.tokens, sent.marked.tokens) - found.tokens, 0)
    if sent.marked.tokens < minimum:
        return Cause("below_minimum", f"{sent.marked.tokens} tokens, and {minimum} are needed", missed)
    if found.unread is not None:
        return unread_cause(found.unread, sent.time, found.unread.tokens - found.tokens)
    if before is None and previous not in (None, LATEST):
        return Cause("previous_message_not_found", f"no answer {previous!r}", 0)
    if previous == LATEST and found.entry is not None and found.entry.ends_request:
        return None  # it goes on where some request ended, if not the latest
    changed = None
    if before is not None and missed and found.tokens + missed >= minimum:
        changed = difference(before, sent) or _out_of_reach(before, sent, entries, tables)
    if changed is not None:
        return Cause(*changed, missed)
    return None if found.tokens else Cause("cold", "nothing that it could have read was ever stored", 0)


def unread_cause(entry: Entry, time: float, missed: int) -> Cause:
    """Why an entry that was found could not be read.

    entry : the entry. time : of the request, in seconds. missed : tokens that were not read because of it.
    Returns a Cause.
    Raises nothing.

    >>> unread_cause(Entry(988, start=0, lifetime=300, readable_at=1, ends_request=True), 301, 988).reason
    'expired'
    """
    if entry.lives(time):
        return Cause("unavailable", f"the answer that stores it begins at {entry.readable_at:g} s", missed)
    return Cause(
        "expired", f"last used {time - entry.start:g} s ago, and it lives {entry.lifetime} s", missed
    )


def _out_of_reach(before: Sent, sent: Sent, entries: Entries, tables: Tables) -> tuple[str, str] | None:
    """Why what the request before stored was not found, though it is the beginning of this very prompt."""
    assert before.marked is not None  # or nothing would be missed
    assert sent.marked is not None
    distance = entries.distance(before.marked, sent.marked)
    if distance <= 0:
        return None  # it stored more than this one marks, and nothing up to here
    if entry_of(before.marked, tables) is None:
        return "below_minimum", f"only {before.marked.tokens} tokens were marked before, too few to be stored"
    return "lookback", f"the entry is {distance} positions before the last marker"
