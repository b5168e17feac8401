"""The requests that a cache served, kept to compare new ones with: what is it that changed?"""

from typing import NamedTuple

from simlib.prompt.prefix import Prefix
from simlib.prompt.request import LATEST
from simlib.prompt.settings import Keys, Settings, changed


class Sent(NamedTuple):
    """What of a served request is kept: its last block, the last one it wanted stored, and what made its
    key.
    """

    id: str
    time: float
    model: str
    settings: Settings
    keys: Keys
    last: Prefix
    marked: Prefix | None


class Cause(NamedTuple):
    """A reason, in the words of policy.REASONS, its details, and the tokens that were not read because of
    it.
    """

    reason: str
    detail: str
    tokens: int


class History:
    """The requests served so far, by their ids and by their workspace."""

    def __init__(self) -> None:
        self._by_id: dict[tuple[str, str | None], Sent] = {}
        self._latest: dict[str, Sent] = {}

    def remember(self, sent: Sent, workspace: str) -> None:
        """Keep a request for those that come after it."""
        self._by_id[workspace, sent.id] = self._latest[workspace] = sent

    def before(self, previous: str | None, workspace: str) -> Sent | None:
        """The request to compare with: the one of that id, or the workspace's latest; None if there is
        none.
        """
        return self._latest.get(workspace) if previous == LATEST else self._by_id.get((workspace, previous))


def difference(before: Sent, sent: Sent) -> tuple[str, str] | None:
    """The first thing, in the order of the prompt, in which a request differs from the one before it.

    before, sent : the two.
    Returns a reason and its details; None if all that the one before wanted stored stands at the beginning of
    the other one too.
    Raises nothing.

    >>> from simlib.prompt.prompt import layout
    >>> first, second = layout([("tools", "A", 9, "text")], {}), layout([("tools", "B", 9, "text")], {})
    >>> keys = Keys((), (), ())
    >>> sent = [Sent("", t, "toy-1", Settings(), keys, p.last, p.last) for t, p in enumerate((first, second))]
    >>> difference(*sent)
    ('tools_changed', '1 s after the request before')
    """
    gap = f"{sent.time - before.time:g} s after the request before"
    settings = changed(before.settings, sent.settings)
    if before.model != sent.model:
        return "model_changed", f"from {before.model} to {sent.model}, {gap}"
    if "speed" in settings:
        return "model_changed", f"another speed, {gap}"
    if before.last.tools_end != sent.last.tools_end or "web_search" in settings:
        return "tools_changed", gap
    if before.last.head_end != sent.last.head_end:
        return "system_changed", gap
    if before.keys != sent.keys:
        return "unavailable", f"another setting: {', '.join(settings) or 'images or citations'}, {gap}"
    if before.marked is not None and not _begins_with(sent.last, before.marked):
        return "messages_changed", gap
    return None


def _begins_with(last: Prefix, part: Prefix) -> bool:
    link: Prefix | None = last
    while link is not None and link.length > part.length:
        link = link.parent
    return link == part
