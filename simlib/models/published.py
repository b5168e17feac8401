"""A run that an article describes by its token counts alone: it can be summed up and priced, and has no
text.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

from simlib.billing.usage import Usage
from simlib.errors import OutOfRange, ShapeMismatch


@dataclass(frozen=True)
class PublishedTrace:
    """Contexts of a run, in tokens before each call.

    `outputs` are the tokens that each call wrote, empty where nobody says. `warm` is how many tokens the
    first call found in the cache, None for a run without one. `steps` is what each call asked for, in words.
    `reconstructed` are the numbers of the calls, from 1, whose contexts the article does not state: they are
    chosen so that the sums which it does state come out. `source` says where the run is described.
    """

    name: str
    contexts: tuple[int, ...]
    source: str
    reconstructed: tuple[int, ...] = ()
    outputs: tuple[int, ...] = ()
    warm: int | None = None
    steps: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.contexts:
            raise ShapeMismatch("contexts", (0,), "one call or more")
        if any(after < before for before, after in pairwise(self.contexts)):
            raise OutOfRange("contexts", self.contexts, "contexts that never shrink")
        for name in ("outputs", "steps"):
            if len(getattr(self, name)) not in (0, self.calls):
                raise ShapeMismatch(name, (len(getattr(self, name)),), f"one for each of {self.calls} calls")

    @property
    def calls(self) -> int:
        """How many calls the run made."""
        return len(self.contexts)

    @property
    def total_input(self) -> int:
        """Tokens read over all calls."""
        return sum(self.contexts)

    def usages(self) -> tuple[Usage, ...]:
        """The tokens of each call by class: with a cache, a call reads what the call before it sent, and
        stores the rest for five minutes.
        """
        outputs = self.outputs or (0,) * self.calls
        if self.warm is None:
            pairs = zip(self.contexts, outputs, strict=True)
            return tuple(Usage(input=context, output=output) for context, output in pairs)
        stored = (self.warm, *self.contexts[:-1])
        return tuple(
            Usage(cache_write_5m=context - read, cache_read=read, output=output)
            for context, read, output in zip(self.contexts, stored, outputs, strict=True)
        )

    def uncached(self) -> "PublishedTrace":
        """The same run without a cache."""
        return replace(self, warm=None)

    def lines(self) -> list[str]:
        """The run, a line a call, and that its texts are not known."""
        steps = self.steps or ("",) * self.calls
        lines = [
            f"call {number:2d}  context {context:7,d}  {step}"
            + " (reconstructed)" * (number in self.reconstructed)
            for number, (context, step) in enumerate(zip(self.contexts, steps, strict=True), start=1)
        ]
        told = f"{self.total_input:,} input tokens. From {self.source}, which gives counts: there is no text."
        return [*map(str.rstrip, lines), told]


def spread_evenly(first: int, last: int, between: int, total: int) -> tuple[int, ...]:
    """Contexts between two that are known, so that all of them together have a known sum.

    first, last : tokens of the two that are known. between : how many lie between them. total : tokens of
    those between, together.
    Returns contexts that climb from one to the other in one bend: steps shrink, or grow, by an even amount.
    Raises OutOfRange if no climb from the first to the last has that sum.

    >>> spread_evenly(5_256, 24_927, between=7, total=109_354)[:3]
    (8024, 10704, 13296)
    """
    straight = [first + (last - first) * (k + 1) / (between + 1) for k in range(between)]
    bow = [(k + 1) * (between - k) for k in range(between)]
    height = (total - sum(straight)) / sum(bow)
    contexts = [round(line + height * bend) for line, bend in zip(straight, bow, strict=True)]
    contexts[-1] += total - sum(contexts)  # what rounding has left
    climb = [first, *contexts, last]
    if any(after < before for before, after in pairwise(climb)):
        raise OutOfRange("total", total, f"a sum that {between} contexts from {first} to {last} can have")
    return tuple(contexts)
