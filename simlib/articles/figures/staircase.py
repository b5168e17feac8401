"""The staircase: each request a bar, what is new in it apart from what is read again.

Article C explains its total by the breakdown of the sum: call k reads everything that the steps before it
added. The area of the bars is what is paid for; the last bar alone is what people think they pay for.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simlib.articles.figures.figure import Figure, Table
from simlib.articles.inputs import ArticleB, ArticleC
from simlib.articles.runs import first_context as first_context_of_c
from simlib.errors import axis_length, known
from simlib.plots.axes import count_axis, thousands
from simlib.plots.canvas import Axes
from simlib.plots.labels import End, label_ends
from simlib.plots.marks import bars
from simlib.theory.growth import contexts, contexts_from

NEW_AND_OLD, TWO_PARTS, LAST_REQUEST = VIEWS = (
    "every request: new, read again",
    "every request: the law's two parts",
    "the last request only",
)


@dataclass(frozen=True, eq=False)
class Staircase:
    """Requests of one run: `contexts` is what each reads, in tokens.

    `view` is how they are looked at: split into what is new and what is read again, or into the first context
    and what steps have added (the two parts of the law), or as those see it who count the last request only.
    `width` and `height` keep the axes as they are while a run grows: calls and tokens.
    """

    contexts: NDArray[Any]
    view: str = NEW_AND_OLD
    width: int = 0
    height: float = 0

    @property
    def new(self) -> NDArray[Any]:
        """Tokens of each request that are read for the first time."""
        return np.asarray(np.diff(self.contexts, prepend=0))

    @property
    def read_again(self) -> NDArray[Any]:
        """Tokens of each request that an earlier one has read already."""
        return np.asarray(self.contexts - self.new)

    @property
    def total(self) -> float:
        """Tokens read in all: the area."""
        return float(self.contexts.sum())

    @property
    def last(self) -> float:
        """Tokens of the last request: the whole transcript, once."""
        return float(self.contexts[-1])


def search_staircase(given: ArticleC | None = None) -> Staircase:
    """The requests of article C's run that searches and reads an excerpt.

    given : what the article gives, if not as published.
    Returns a Staircase, in tokens.
    Raises nothing of its own.

    >>> search_staircase().contexts
    array([175, 209, 414, 560])
    """
    given = given or ArticleC()
    return Staircase(contexts_from(first_context_of_c(given), given.search_additions))


def growth_staircase(
    calls: int = ArticleB.calls,
    first_context: float = ArticleB.first_context,
    growth: float = ArticleB.growth,
    view: str = NEW_AND_OLD,
) -> Staircase:
    """The requests of a run whose steps all add the same.

    calls : model calls, at least 1. first_context : tokens. growth : tokens per call. view : see Staircase.
    Returns a Staircase, in tokens.
    Raises NotANumber, NotWhole, OutOfRange, or UnknownName for `view`.

    >>> growth_staircase().total
    125600.0
    """
    axis_length("calls", calls, low=1)
    return Staircase(contexts(calls, first_context, growth), known("view", view, VIEWS))


def draw_staircase(ax: Axes, stairs: Staircase) -> None:
    """Draw each request as a bar, in two parts: grey and hatched below, black on top.

    ax : what to draw on. stairs : the data.
    Returns nothing. Raises nothing.

    >>> from simlib.plots.canvas import Canvas
    >>> "read again" in Canvas().svg(lambda ax: draw_staircase(ax, growth_staircase()))
    True
    """
    calls = np.arange(1, stairs.contexts.size + 1)
    most = max(calls.size, stairs.width)
    width = 1.0 if most > 25 else 0.86
    if stairs.view == LAST_REQUEST:
        bars(ax, calls[:-1], stairs.contexts[:-1], "not counted", width=width)
        bars(ax, calls[-1:], stairs.contexts[-1:], "no lever", width=width)
    else:
        lower = stairs.read_again if stairs.view == NEW_AND_OLD else np.full(calls.size, stairs.contexts[0])
        bars(ax, calls, lower, "read again", width=width)
        bars(ax, calls, stairs.contexts - lower, "no lever", bottom=lower, width=width)
    ax.set_xlim(0.4, most + 0.6)
    ax.set_ylim(0, max(float(stairs.contexts.max()), stairs.height, 1) * 1.08)
    count_axis(ax, "x", "model call", parts=10)
    count_axis(ax, "y", "tokens read by the call", parts=5)
    label_ends(ax, _ends(stairs, most + 0.6))


def staircase_table(stairs: Staircase) -> Table:
    """The staircase as columns.

    stairs : the data.
    Returns columns: call, and tokens new, read again, and read up to then.
    Raises nothing.

    >>> list(staircase_table(search_staircase())["read so far (tokens)"])
    [175, 384, 798, 1358]
    """
    return {
        "call": range(1, stairs.contexts.size + 1),
        "new (tokens)": stairs.new.tolist(),
        "read again (tokens)": stairs.read_again.tolist(),
        "read by the call (tokens)": stairs.contexts.tolist(),
        "read so far (tokens)": stairs.contexts.cumsum().tolist(),
    }


def _ends(stairs: Staircase, edge: float) -> list[End]:
    """What the parts of the bars come to, each beside its part of the last bar."""
    if stairs.view == LAST_REQUEST:
        return [End(edge, stairs.last, f"one bar:\n{thousands(stairs.last)}", "no lever")]
    if stairs.view == TWO_PARTS:
        lower = float(stairs.contexts[0])
        names, lower_total = ("additions", "first context"), lower * stairs.contexts.size
    else:
        lower = float(stairs.read_again[-1])
        names, lower_total = ("new", "read again"), float(stairs.read_again.sum())
    upper_total = stairs.total - lower_total
    ends = [
        End(edge, (lower + stairs.last) / 2, f"{names[0]}\nin all:\n{thousands(upper_total)}", "no lever"),
        End(edge, lower / 2, f"{names[1]}\nin all:\n{thousands(lower_total)}", "other"),
    ]
    return [end for end, total in zip(ends, (upper_total, lower_total), strict=True) if total]


def _sentence(stairs: Staircase) -> str:
    calls, total, last = stairs.contexts.size, thousands(stairs.total), thousands(stairs.last)
    if not stairs.total:
        return f"In {calls:,} call{'s' if calls > 1 else ''} the model reads 0 tokens."
    if calls == 1:
        return f"In 1 call the model reads {total} tokens, each of them once."
    if stairs.view == LAST_REQUEST:
        return (
            f"The last of {calls:,} requests has {last} tokens. If only that one were paid for, the bill "
            f"would be {stairs.last / stairs.total:.0%} of what it is: {total} tokens."
        )
    if stairs.view == TWO_PARTS:
        firsts = float(stairs.contexts[0]) * calls
        return (
            f"In {calls:,} calls the model reads {total} tokens: {thousands(firsts)} of first context, "
            f"read {calls:,} times, and {thousands(stairs.total - firsts)} of what the steps have added."
        )
    return (
        f"In {calls:,} calls the model reads {total} tokens: {stairs.total / stairs.last:.1f} times the "
        f"{last} of the last request, because {float(stairs.read_again.sum()) / stairs.total:.0%} of it "
        "is read again."
    )


SEARCH_STAIRCASE = Figure(
    id="C-breakdown",
    title="Most of what a model reads, it reads again",
    passage="article C, section 4, the breakdown of Z",
    data=search_staircase,
    draw=draw_staircase,
    sentence=_sentence,
    table=staircase_table,
    facts=("C.search.Z", "C.search.contexts"),
)

GROWTH_STAIRCASE = Figure(
    id="growth-staircase",
    title="The bill is the area, not the last bar",
    passage="article B, “Why context explodes”",
    data=growth_staircase,
    draw=draw_staircase,
    sentence=_sentence,
    table=staircase_table,
    facts=("B.linear_term", "B.quadratic_term", "B.total_input", "B.final_transcript"),
)
