"""What a larger window costs: dollars and seconds of a call, and facts that are no longer found."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simlib.articles.figures.figure import Figure, Table
from simlib.articles.inputs import ArticleB
from simlib.errors import OutOfRange, axis_length, probability, single
from simlib.plots.axes import count_axis, dollars
from simlib.plots.canvas import Axes
from simlib.plots.marks import line
from simlib.plots.strips import name_strip, strip_scale, strips
from simlib.theory.budget import input_dollars
from simlib.theory.latency import time_to_first_token
from simlib.theory.recall import context_rot

POINTS = 40
LESS = float(1 - ArticleB.read_multiplier)  # that a token costs less which comes from the cache


@dataclass(frozen=True, eq=False)
class WindowCosts:
    """Dollars of a call's input, seconds to its first token and shares of facts found (an illustration), by
    the tokens of its prompt, of which `tokens` is the one asked for.
    """

    prompts: NDArray[Any]
    dollars: NDArray[np.float64]
    seconds: NDArray[np.float64]
    found: NDArray[np.float64]
    tokens: int

    @property
    def chosen(self) -> tuple[float, float, float]:
        """Dollars, seconds and share found at `tokens`."""
        at = int(np.searchsorted(self.prompts, self.tokens))
        return float(self.dollars[at]), float(self.seconds[at]), float(self.found[at])


def window_costs(
    tokens: int = 100_000,
    most: int = 200_000,
    input_price: float = float(ArticleB.input_price),
    cached: float = 0.0,
    lost_per_doubling: float = 0.035,
) -> WindowCosts:
    """Three costs of one call by the size of its prompt.

    tokens : of the prompt asked for, from 1 to `most`. most : tokens of the longest prompt shown.
    input_price : dollars per million fresh tokens. cached : share of the prompt that comes from the cache,
    at a tenth of the price. lost_per_doubling : see `theory.recall.context_rot`.
    Returns WindowCosts.
    Raises NotANumber, NotWhole, OutOfRange or TooLarge.

    >>> [round(value, 2) for value in window_costs().chosen]
    [0.3, 11.5, 0.66]
    """
    longest, asked = axis_length("most", most, low=1), axis_length("tokens", tokens, low=1)
    if asked > longest:
        raise OutOfRange("tokens", tokens, f"whole numbers from 1 to most, here {most}")
    prompts = np.unique(np.append(np.geomspace(1, longest, POINTS).round().astype(np.int64), asked))
    ready = prompts * float(single("cached", probability("cached", cached)))
    found = context_rot(prompts, lost_per_doubling=lost_per_doubling)
    seconds = time_to_first_token(prompts - ready, ready)
    bill = np.asarray(input_dollars(prompts, input_price)) * (1 - LESS * float(single("cached", cached)))
    return WindowCosts(prompts, bill, np.asarray(seconds), np.asarray(found), asked)


def _draw(ax: Axes, costs: WindowCosts) -> None:
    """A strip for each cost, and a line through all of them at the prompt asked for."""
    bill, seconds, found = costs.chosen
    top, middle, bottom = strips(ax, 3)
    most_dollars, most_seconds = float(costs.dollars[-1]) or 1.0, float(costs.seconds[-1])
    strip_scale(top, most_dollars, dollars(most_dollars))
    strip_scale(middle, most_seconds, f"{most_seconds:.3g} s")
    strip_scale(bottom, 1, "100%")
    for strip, values in ((top, costs.dollars), (middle, costs.seconds), (bottom, costs.found)):
        line(strip, costs.prompts, values, "no lever")
        line(strip, [costs.tokens] * 2, strip.get_ylim(), "other")
    name_strip(top, f"one call: {dollars(bill)}")
    name_strip(middle, f"first token: {seconds:.1f} s")
    free = {"top": float(costs.found[-1]) < 0.4, "left": 2 * costs.tokens > costs.prompts[-1]}
    name_strip(bottom, f"facts found: {found:.0%} (illustration)", **free)
    count_axis(bottom, "x", "tokens in the prompt", parts=5)
    bottom.set_xlim(0, costs.prompts[-1])


def _sentence(costs: WindowCosts) -> str:
    bill, seconds, found = costs.chosen
    return (
        f"A call with {costs.tokens:,} tokens costs {dollars(bill)} of input, its first token takes "
        f"{seconds:.1f} s, and it finds {found:.0%} of the facts in it (a curve for illustration only)."
    )


def _table(costs: WindowCosts) -> Table:
    return {
        "tokens in the prompt": costs.prompts.tolist(),
        "input (dollars)": costs.dollars.tolist(),
        "first token (seconds)": costs.seconds.tolist(),
        "facts found (illustration)": costs.found.tolist(),
    }


WINDOW_COSTS = Figure(
    id="window-costs",
    title="A larger window is dearer, slower and forgets more",
    data=window_costs,
    draw=_draw,
    sentence=_sentence,
    table=_table,
)
