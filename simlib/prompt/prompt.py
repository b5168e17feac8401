"""A prompt that shares its beginning with the one it was extended from.

A loop sends the whole history at every step, so a run of n steps has n prompts. Here they are one chain of
links: extending is constant work, and nothing is copied. Cache markers are kept beside the chain, since they
say where a cache may write and are no part of what it compares.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal, NamedTuple

from simlib.errors import ApiError, OutOfRange, known
from simlib.prompt.blocks import THINKING, Block
from simlib.prompt.order import check_follows
from simlib.prompt.prefix import Prefix

Lifetime = Literal["5m", "1h"]
RUNS = frozenset({"tool_use", "tool_result"})  # a run of one of these kinds counts as a single position
SECONDS: Mapping[str, int] = {"5m": 300, "1h": 3_600}  # how long an entry lives, in seconds


class Marker(NamedTuple):
    """A cache marker: the prompt up to its block, itself included, may be stored for `lifetime`."""

    prefix: Prefix
    lifetime: Lifetime


@dataclass(frozen=True, slots=True)
class Prompt:
    """An immutable sequence of blocks in the order tools, system, messages, and the markers on some of them.

    `last` is its last link, None if it is empty. `markers` are in the order of their blocks. For a marker
    that moves along, keep the prompt without it and send `prompt.marked()` at each step.

    >>> first = Prompt().extended(Block("system", "text", "rules", 988)).marked("5m")
    >>> second = first.extended(Block("messages", "text", "question", 20, role="user"))
    >>> second.tokens, second.last.parent is first.last
    (1008, True)
    """

    last: Prefix | None = None
    markers: tuple[Marker, ...] = ()

    def extended(self, *blocks: Block) -> "Prompt":
        """The prompt with more blocks at its end; the markers stay. BadArgument or ApiError as for a link."""
        last = self.last
        for block in blocks:
            last = extended(last, block)
        return Prompt(last, self.markers)

    def marked(self, lifetime: Lifetime = "5m", at: int = -1) -> "Prompt":
        """The prompt with a marker on the block number `at`, from 0, or -1 for the last one.

        A marker that was there is replaced. ApiError, which names the place, for a block that may carry none;
        OutOfRange for a block that does not exist; UnknownName for a lifetime that does not.
        """
        known("lifetime", lifetime, SECONDS)
        link = self._link(at)
        if not link.block.is_markable:
            raise ApiError.invalid(f"{link.place}.cache_control: Extra inputs are not permitted")
        others = [marker for marker in self.markers if marker.prefix is not link]
        markers = sorted([*others, Marker(link, lifetime)], key=lambda marker: marker.prefix.length)
        return Prompt(self.last, tuple(markers))

    def unmarked(self) -> "Prompt":
        """The prompt without markers, which a cache compares as the same."""
        return Prompt(self.last)

    @property
    def length(self) -> int:
        """How many blocks there are."""
        return self.last.length if self.last else 0

    @property
    def tokens(self) -> int:
        """Tokens of all blocks."""
        return self.last.tokens if self.last else 0

    def blocks(self) -> list[Block]:
        """All blocks from the first to the last; it walks the whole prompt, as finding a block by number
        does.
        """
        return [link.block for link in self.last.back()][::-1] if self.last else []

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as a list, since a chain of thousands of links is too deep for pickle."""
        markers = [(marker.prefix.length - 1, marker.lifetime) for marker in self.markers]
        return _rebuilt, (self.blocks(), markers)

    def _link(self, at: int) -> Prefix:
        number = at + self.length if at < 0 else at
        if self.last is None or not 0 <= number < self.length:
            raise OutOfRange("at", at, f"the number of one of {self.length} blocks")
        return next(link for link in self.last.back() if link.length == number + 1)


def _rebuilt(blocks: list[Block], markers: list[tuple[int, Lifetime]]) -> Prompt:
    prompt = Prompt().extended(*blocks)
    for at, lifetime in markers:
        prompt = prompt.marked(lifetime, at)
    return prompt


def layout(rows: Iterable[tuple[str, str, int, str]], markers: Mapping[int, Lifetime]) -> Prompt:
    """A prompt of which only sizes are known.

    rows : (section, name, tokens, kind) of each block; equal rows in equal places are the same to a cache.
    markers : lifetimes by the number of the block, from 0.
    Returns a Prompt, whose messages have no roles and are not checked for order.
    Raises UnknownName for a section or kind; NotWhole or OutOfRange for tokens or a number; ApiError for a
    marker.

    >>> layout([("system", "rules", 988, "text"), ("messages", "question", 20, "text")], {0: "5m"}).tokens
    1008
    """
    blocks = [Block(section, kind, name, tokens) for section, name, tokens, kind in rows]
    return _rebuilt(blocks, list(markers.items()))


def extended(before: Prefix | None, block: Block) -> Prefix:
    """A prompt with one block more, in constant time.

    before : the prompt so far, None for an empty one. block : what follows.
    Returns the new last link.
    Raises BadArgument or ApiError if the block may not stand there: see check_follows.

    >>> system = extended(None, Block("system", "text", "rules", 988))
    >>> extended(system, Block("messages", "text", "question", 20, role="user")).tokens
    1008
    """
    check_follows(before, block)
    digest = blake2b((before.digest if before else b"") + block.identity, digest_size=16).digest()
    thinking = block.kind in THINKING
    if before is None:
        open_ids = _open_ids((), block)
        facts = 1, block.tokens, 1, digest, 0, 0, open_ids, block.features, thinking
        return Prefix(block, None, *facts, earlier_spoken=None, finished_tools=None, finished_head=None)
    last = before.block
    same_section = last.section == block.section
    same_message = same_section and last.role == block.role
    in_run = same_message and block.kind in RUNS and last.kind == block.kind
    return Prefix(
        block=block,
        parent=before,
        length=before.length + 1,
        tokens=before.tokens + block.tokens,
        position=before.position if in_run else before.position + 1,
        digest=digest,
        message=before.message + (same_section and not same_message),
        index=before.index + 1 if same_message else 0,
        open_ids=_open_ids(before.open_ids, block),
        features=before.features | block.features if block.features else before.features,
        has_thinking=before.has_thinking or thinking,
        earlier_spoken=before.last_spoken,
        finished_tools=before.finished_tools if same_section else before.tools_end,
        finished_head=before.finished_head if same_section else before.head_end,
    )


def _open_ids(before: tuple[str, ...], block: Block) -> tuple[str, ...]:
    if not block.role or block.kind not in RUNS:
        return before
    if block.kind == "tool_use":
        return (*before, block.id)
    return tuple(id for id in before if id != block.id)
