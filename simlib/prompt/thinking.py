"""Thinking that a model no longer reads: some strip what was thought before the user's last words."""

from simlib.prompt.blocks import THINKING
from simlib.prompt.prefix import Prefix
from simlib.prompt.prompt import Marker, Prompt, extended

Made = dict[bytes, Prefix | None]


class Forgetting:
    """Prompts as a model reads them that forgets its thinking whenever the user has spoken.

    It remembers the links that it made, by the digest of the one they stand for, so that a run walks each of
    its blocks at most twice.

    >>> from simlib.prompt.blocks import Block
    >>> said = Block("messages", "text", "question", 20, role="user")
    >>> thought = Block("messages", "thinking", "hm", 300, role="assistant")
    >>> answer = Block("messages", "text", "six", 5, role="assistant")
    >>> prompt = Prompt().extended(said, thought, answer, said)
    >>> prompt.tokens, Forgetting().read(prompt).tokens
    (345, 45)
    """

    def __init__(self) -> None:
        self._without: Made = {}  # all thinking left out
        self._since: Made = {}  # that before the user's last words left out

    def read(self, prompt: Prompt) -> Prompt:
        """The prompt without the thinking that stands before the user's last words, its markers kept."""
        spoken = prompt.last.last_spoken if prompt.last else None
        if prompt.last is None or spoken is None or not spoken.has_thinking:
            return prompt
        markers = []
        for link, lifetime in prompt.markers:
            read = self._stripped(link) if link.length <= spoken.length else self._recent(link, spoken)
            if read is not None:
                markers.append(Marker(read, lifetime))
        return Prompt(self._recent(prompt.last, spoken), tuple(markers))

    def _stripped(self, link: Prefix) -> Prefix | None:
        """The prompt up to a link without any thinking."""
        waiting, start = _unmade(link, None, self._without)
        made = self._without[start.digest] if start else None
        for each in waiting:
            made = made if each.block.kind in THINKING else extended(made, each.block)
            self._without[each.digest] = made
        return made

    def _recent(self, link: Prefix, spoken: Prefix) -> Prefix | None:
        """The prompt up to a link after the user's last words, with the thinking since then."""
        waiting, start = _unmade(link, spoken, self._since)
        made = self._stripped(spoken) if start is spoken or start is None else self._since[start.digest]
        for each in waiting:
            made = extended(made, each.block)
            self._since[each.digest] = made
        return made


def _unmade(link: Prefix, end: Prefix | None, made: Made) -> tuple[list[Prefix], Prefix | None]:
    """The links up to this one that have not been made, in order, and the one before them.

    That is one that has been made, or `end`, or None before the first.
    """
    waiting: list[Prefix] = []
    start: Prefix | None = link
    while start is not None and start is not end and start.digest not in made:
        waiting.append(start)
        start = start.parent
    return waiting[::-1], start
