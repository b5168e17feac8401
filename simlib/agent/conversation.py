"""What is sent to a model: a list of messages that only grows, and knows the prompt it makes.

A client reads it as the list that it is. A simulated one takes `prompt` instead, so that it need not read the
whole history anew at every step.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from simlib.prompt.blocks import Block, block_from_api
from simlib.prompt.prompt import Lifetime, Prompt

Message = dict[str, Any]
HIDDEN = "what a provider adds to a prompt with tools"
Count = Callable[[Mapping[str, Any]], int]


class Conversation(list[Message]):
    """Messages in the API's shape. Add to it with `add` alone, or `prompt` is not what it says.

    `tools` and `system` are what stands before the messages; `cache` is the lifetime of a marker on the last
    of them, None for none. `count` gives a block's tokens, and is asked once for each; `hidden` are tokens
    that a provider adds where there are tools.

    >>> talk = Conversation([], "Use the tools.", count=lambda block: 10)
    >>> talk.add("user", [{"type": "text", "text": "Which team?"}])
    >>> talk, talk.prompt.tokens
    ([{'role': 'user', 'content': [{'type': 'text', 'text': 'Which team?'}]}], 20)
    """

    def __init__(
        self,
        tools: Sequence[Mapping[str, Any]],
        system: str,
        *,
        count: Count,
        cache: Lifetime | None = None,
        hidden: int = 0,
    ) -> None:
        super().__init__()
        self._count = count
        self.tools = [dict(tool) for tool in tools]
        self.system: list[dict[str, Any]] = [{"type": "text", "text": system}] if system else []
        head = [block_from_api("tools", tool, count(tool)) for tool in self.tools]
        if hidden and head:
            head.append(Block("tools", "tool", HIDDEN, hidden))
        head += [block_from_api("system", block, count(block)) for block in self.system]
        self.prompt = Prompt().extended(*head)
        if cache is not None and head:
            self.prompt = self.prompt.marked(cache)
            marker = {"type": "ephemeral"} if cache == "5m" else {"type": "ephemeral", "ttl": cache}
            (self.system or self.tools)[-1]["cache_control"] = marker
        self._head = self.prompt

    def rewritten(self, messages: Iterable[Message]) -> "Conversation":
        """Other messages behind the same tools and system text; ApiError for one that may not stand there."""
        other = Conversation([], "", count=self._count)
        other.tools, other.system, other.prompt, other._head = self.tools, self.system, self._head, self._head
        for message in messages:
            other.add(message["role"], message["content"])
        return other

    def add(self, role: str, content: Sequence[Mapping[str, Any]], tokens: int | None = None) -> None:
        """Add a message; ApiError, and nothing is added, for one that may not stand there.

        `tokens` are those of the message where they are known, as a reply's are. They are taken for a message
        of one block, and not for several, whose shares nobody knows.
        """
        if tokens is not None and len(content) == 1:
            counts = [tokens]
        else:
            counts = [self._count(block) for block in content]
        prompt = self.prompt
        for block, count in zip(content, counts, strict=True):
            prompt = prompt.extended(block_from_api("messages", block, count, role))
            if "cache_control" in block:
                prompt = prompt.marked(block["cache_control"].get("ttl", "5m"))
        self.prompt = prompt
        self.append({"role": role, "content": [dict(block) for block in content]})

    def stands_before(self, tools: Sequence[Any], system: Sequence[Any]) -> bool:
        """Whether a request with these tools and this system text is the one that `prompt` describes."""
        return list(tools) == self.tools and system == self.system

    @property
    def open_calls(self) -> tuple[str, ...]:
        """Ids of the tool calls that have no result yet."""
        return self.prompt.last.open_ids if self.prompt.last else ()
