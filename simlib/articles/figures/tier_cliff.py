"""The cliff of long prompts: one token more than 100,000, and the whole request costs five times as much."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simlib.articles.figures.figure import Figure, Table
from simlib.articles.inputs import ArticleA
from simlib.billing.catalogue import load_catalogue
from simlib.billing.usage import Usage
from simlib.errors import axis_length, known
from simlib.plots.axes import count_axis, dollars, money_axis, thousands
from simlib.plots.canvas import Axes
from simlib.plots.labels import End, label_ends, note
from simlib.plots.marks import line

CACHED, FRESH = PROMPTS = "read from the cache", "read fresh"
PARTS = 30


@dataclass(frozen=True, eq=False)
class TierCliff:
    """Dollars of one request by the `tokens` of its prompt; the `edge` is the longest at the normal price."""

    tokens: NDArray[Any]
    dollars: NDArray[np.float64]
    edge: int
    prompt: str

    @property
    def at_the_edge(self) -> tuple[float, float]:
        """Dollars of the longest request at the normal price, and of one with a token more."""
        before = int(np.flatnonzero(self.tokens == self.edge)[0])
        return float(self.dollars[before]), float(self.dollars[before + 1])


def tier_cliff(
    prompt: str = CACHED,
    output: int = 0,
    longest: int = ArticleA.pasted_tokens,
    given: ArticleA | None = None,
) -> TierCliff:
    """What one request to Haiku 5.5 costs, by the length of its prompt.

    prompt : how it is read, CACHED or FRESH. output : tokens written. longest : of the prompts, in tokens; at
    least one more than the edge is shown. given : what the article gives, if not as published.
    Returns TierCliff, in dollars.
    Raises NotANumber, NotWhole, OutOfRange, or UnknownName for `prompt`.

    >>> tier_cliff().at_the_edge
    (0.001, 0.00500005)
    """
    given = given or ArticleA()
    price = load_catalogue().price(given.model, given.price_day)
    edge = price.long_above or given.long_prompt_threshold
    most = max(axis_length("longest", longest), edge + 1)
    tokens = np.unique([*np.linspace(0, most, PARTS + 1).astype(int), edge, edge + 1])
    read = {CACHED: Usage(cache_read=tokens, output=output), FRESH: Usage(input=tokens, output=output)}
    return TierCliff(tokens, np.asarray(price.dollars(read[known("prompt", prompt, PROMPTS)])), edge, prompt)


def _draw(ax: Axes, cliff: TierCliff) -> None:
    """The cost as two lines, and the jump between them in the colour of danger."""
    after = int(np.flatnonzero(cliff.tokens == cliff.edge)[0]) + 1
    role = "caching" if cliff.prompt == CACHED else "no lever"
    low, high = cliff.at_the_edge
    most = float(cliff.tokens[-1])
    ax.set_xlim(0, most)
    ax.set_ylim(0, float(cliff.dollars.max()) * 1.08)
    money_axis(ax, "one request")
    count_axis(ax, "x", f"tokens of the prompt, {cliff.prompt}", parts=3)
    for part in (slice(None, after), slice(after, None)):
        line(ax, cliff.tokens[part], cliff.dollars[part], role)
    line(ax, [cliff.edge, cliff.edge], [low, high], "danger")
    text = f"one token more:\n{dollars(low)} to\n{dollars(high)}"
    note(ax, (cliff.edge, (low + high) / 2), (0.04, 0.6), text)
    last = float(cliff.dollars[-1])
    label_ends(ax, [End(most, last, f"{thousands(most)}:\n{dollars(last)}", role)])


def _sentence(cliff: TierCliff) -> str:
    low, high = cliff.at_the_edge
    most, cost = f"{cliff.tokens[-1]:,}", dollars(float(cliff.dollars[-1]))
    return (
        f"A prompt of {cliff.edge:,} tokens, {cliff.prompt}, costs {dollars(low)}, one token more "
        f"{dollars(high)}: {high / low:.1f} times as much. {most} cost {cost}."
    )


def _table(cliff: TierCliff) -> Table:
    return {"prompt (tokens)": cliff.tokens.tolist(), f"{cliff.prompt} (dollars)": cliff.dollars.tolist()}


TIER_CLIFF = Figure(
    id="A-tier-cliff",
    title="The token that makes the whole prompt dear",
    passage="article A, step 5, “When the loop earns its cost”",
    data=tier_cliff,
    draw=_draw,
    sentence=_sentence,
    table=_table,
    facts=("A.long.threshold", "A.price.haiku.long", "A.paste.300k"),
)
