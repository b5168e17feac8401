"""A prompt up to and including one block: the link of the chain that prompts share.

A link knows what the prompt up to it amounts to: its tokens, its hash, the positions that a cache counts. So
a prompt grows by one link in constant time, and two prompts that begin alike share their beginning.
"""

from collections.abc import Iterator
from typing import NamedTuple

from simlib.prompt.blocks import Block


class Prefix(NamedTuple):  # made at every step of every run, and a tuple is made fastest
    """The beginning of a prompt, which ends with `block` and goes on from `parent`.

    `length` counts its blocks, `tokens` theirs, and `position` counts as a cache does when it looks back: a
    run of tool calls, or of their results, as one. `digest` is the hash of all blocks in their order, without
    markers. `message` and `index` say where the block stands: in which message and as which of its blocks,
    from 0; in tools and system only `index` counts. `open_ids` are the tool calls that wait for their
    results. `features` (see Block) and `has_thinking` say what is among its blocks. `earlier_spoken` is the
    last block before this one that a user said (a tool's result is not said); `finished_tools` and
    `finished_head` are where the tools, and where tools and system, ended, if they have.
    """

    block: Block
    parent: "Prefix | None"
    length: int
    tokens: int
    position: int
    digest: bytes
    message: int
    index: int  # type: ignore[assignment]  # no method here
    open_ids: tuple[str, ...]
    features: frozenset[str]
    has_thinking: bool
    earlier_spoken: "Prefix | None"
    finished_tools: "Prefix | None"
    finished_head: "Prefix | None"

    @property
    def tools_end(self) -> "Prefix | None":
        """The last tool definition, None if there are none."""
        return self if self.block.section == "tools" else self.finished_tools

    @property
    def head_end(self) -> "Prefix | None":
        """The last block before the messages, None if there is none."""
        return self if self.block.section != "messages" else self.finished_head

    @property
    def last_spoken(self) -> "Prefix | None":
        """The last block that a user said, None if there is none."""
        is_spoken = self.block.role == "user" and self.block.kind != "tool_result"
        return self if is_spoken else self.earlier_spoken

    @property
    def place(self) -> str:
        """Where the block stands in a request, as the API names it."""
        if self.block.section == "messages":
            return f"messages.{self.message}.content.{self.index}"
        return f"{self.block.section}.{self.index}"

    def __eq__(self, other: object) -> bool:
        """Whether the prompts are the same to a cache."""
        return self.digest == other.digest if isinstance(other, Prefix) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return self.digest != other.digest if isinstance(other, Prefix) else NotImplemented

    def __repr__(self) -> str:
        return f"Prefix(length={self.length}, tokens={self.tokens}, block={self.block})"

    def __hash__(self) -> int:
        return hash(self.digest)

    def back(self) -> Iterator["Prefix"]:
        """This link and those before it, the last one first."""
        link: Prefix | None = self
        while link is not None:
            yield link
            link = link.parent
