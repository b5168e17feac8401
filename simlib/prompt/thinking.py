"""Thinking that a model no longer reads: some strip what was thought before the user's last words."""

from simlib.prompt.blocks import THINKING
from simlib.prompt.prefix import Prefix
from simlib.prompt.prompt import Marker, Prompt, extended


class Forgetting:
    """Prompts as a model reads them that forgets its thinking whenever the user has spoken.

    It remembers the links that it made, so that in a run each block is walked once for each time the user
    speaks.

    >>> from simlib.prompt.blocks import Block
    >>> said = Block("messages", "text", "question", 20, role="user")
    >>> thought = Block("messages", "thinking", "hm", 300, role="assistant")
    >>> answer = Block("messages", "text", "six", 5, role="assistant")
    >>> prompt = Prompt().extended(said, thought, answer, said)
    >>> prompt.tokens, Forgetting().read(prompt).tokens
    (345, 45)
    """

    def __init__(self) -> None:
        self._made: dict[tuple[bytes, bytes], Prefix | None] = {}

    def read(self, prompt: Prompt) -> Prompt:
        """The prompt without the thinking that stands before the user's last words, its markers kept."""
        spoken = prompt.last.last_spoken if prompt.last else None
        if spoken is None or not spoken.has_thinking:
            return prompt
        last = self._without(prompt.last, spoken)
        markers = []
        for marker in prompt.markers:
            link = self._without(marker.prefix, spoken)
            if link is not None:
                markers.append(Marker(link, marker.lifetime))
        return Prompt(last, tuple(markers))

    def _without(self, link: Prefix | None, spoken: Prefix) -> Prefix | None:
        waiting = []
        while link is not None and (link.digest, spoken.digest) not in self._made:
            waiting.append(link)
            link = link.parent
        made = self._made[link.digest, spoken.digest] if link is not None else None
        for link in reversed(waiting):
            stale = link.length < spoken.length and link.block.kind in THINKING
            made = made if stale else extended(made, link.block)
            self._made[link.digest, spoken.digest] = made
        return made
