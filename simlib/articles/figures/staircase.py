"""The staircase: each request a bar, what is new in it apart from what is read again.

Article C explains its total by the breakdown of the sum: call k reads everything that the steps before it
added. The area of the bars is what is paid for; the last bar alone is what people think they pay for.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simlib.articles.figures.figure import Figure, Table
from simlib.articles.inputs import ArticleB, ArticleC
from simlib.errors import axis_length, known
from simlib.plots.axes import count_axis, thousands
from simlib.plots.canvas import Axes
from simlib.plots.labels import End, label_ends
from simlib.plots.marks import bars
from simlib.theory.growth import contexts, contexts_from

EVERY_REQUEST, LAST_REQUEST = PAID = "every request", "the last request only"


@dataclass(frozen=True, eq=False)
class Staircase:
    """Requests of one run: `contexts` is what each reads, in tokens.

    `paid` is what a reader believes to pay for: every request, or the last one only. `width` and `height`
    keep the axes as they are while a run grows: calls and tokens.
    """

    contexts: NDArray[Any]
    paid: str = EVERY_REQUEST
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
    return run_staircase(given.system_prompt + given.question, given.search_additions)


def run_staircase(first_context: float, additions: ArrayLike) -> Staircase:
    """The requests of a run whose steps add what they add.

    first_context : tokens. additions : tokens that each step adds; one more call follows the last.
    Returns a Staircase, in tokens.
    Raises NotANumber, OutOfRange or ShapeMismatch.

    >>> run_staircase(175, [34, 205, 146]).total
    1358.0
    """
    return Staircase(contexts_from(first_context, additions))


def growth_staircase(
    calls: int = ArticleB.calls,
    first_context: float = ArticleB.first_context,
    growth: float = ArticleB.growth,
    paid: str = EVERY_REQUEST,
) -> Staircase:
    """The requests of a run whose steps all add the same.

    calls : model calls, at least 1. first_context : tokens. growth : tokens per call. paid : see Staircase.
    Returns a Staircase, in tokens.
    Raises NotANumber, NotWhole, OutOfRange, or UnknownName for `paid`.

    >>> growth_staircase().total
    125600.0
    """
    axis_length("calls", calls, low=1)
    return Staircase(contexts(calls, first_context, growth), known("paid", paid, PAID))


def draw_staircase(ax: Axes, stairs: Staircase) -> None:
    """Draw each request as a bar: grey and hatched what is read again, black what is new.

    ax : what to draw on. stairs : the data.
    Returns nothing. Raises nothing.

    >>> from simlib.plots.canvas import Canvas
    >>> "new" in Canvas().svg(lambda ax: draw_staircase(ax, growth_staircase()))
    True
    """
    calls = np.arange(1, stairs.contexts.size + 1)
    most = max(calls.size, stairs.width)
    width = 1.0 if most > 25 else 0.86
    if stairs.paid == LAST_REQUEST:
        bars(ax, calls[:-1], stairs.contexts[:-1], "not counted", width=width)
        bars(ax, calls[-1:], stairs.contexts[-1:], "no lever", width=width)
    else:
        bars(ax, calls, stairs.read_again, "read again", width=width)
        bars(ax, calls, stairs.new, "no lever", bottom=stairs.read_again, width=width)
    edge = most + 0.6
    ax.set_xlim(0.4, edge)
    ax.set_ylim(0, max(float(stairs.contexts.max()), stairs.height, 1) * 1.08)
    count_axis(ax, "x", "model call", parts=10)
    count_axis(ax, "y", "tokens read by the call", parts=5)
    middle_of_new = stairs.last - float(stairs.new[-1]) / 2
    if stairs.paid == LAST_REQUEST:
        label_ends(ax, [End(edge, stairs.last, f"one bar\n{thousands(stairs.last)}", "no lever")])
        return
    label_ends(
        ax,
        [
            End(edge, middle_of_new, f"new\n{thousands(float(stairs.new.sum()))}", "no lever"),
            End(edge, middle_of_new / 2, f"read again\n{thousands(stairs.total - stairs.last)}", "other"),
        ],
    )


def say_staircase(stairs: Staircase) -> str:
    """What the staircase shows.

    stairs : the data.
    Returns a sentence with the total, in tokens, and how it compares with the last request.
    Raises nothing.

    >>> say_staircase(growth_staircase())[:55]
    'In 8 calls the model reads 125,600 tokens: 5.4 times th'
    """
    calls = stairs.contexts.size
    if stairs.paid == LAST_REQUEST:
        return (
            f"The last of {calls:,} requests has {thousands(stairs.last)} tokens. If only it were paid "
            f"for, the "
            f"bill would be {_share(stairs.last, stairs.total)} of what it is: {thousands(stairs.total)} "
            f"tokens."
        )
    if calls == 1:
        return f"In one call the model reads {thousands(stairs.total)} tokens, each of them once."
    again = stairs.total - stairs.last
    times = stairs.total / stairs.last if stairs.last else 1
    return (
        f"In {calls:,} calls the model reads {thousands(stairs.total)} tokens: {times:.1f} times the "
        f"{thousands(stairs.last)} of the last request, because {_share(again, stairs.total)} of it is "
        f"read again."
    )


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


def _share(part: float, whole: float) -> str:
    return f"{part / whole if whole else 0:.0%}"


SEARCH_STAIRCASE = Figure(
    "C-breakdown",
    "Most of what a model reads, it reads again",
    "article C, section 4, the breakdown of Z",
    search_staircase,
    draw_staircase,
    say_staircase,
    staircase_table,
    facts=("C.search.Z", "C.search.contexts"),
)

GROWTH_STAIRCASE = Figure(
    "growth-staircase",
    "The bill is the area, not the last bar",
    "article B, “Why context explodes”",
    growth_staircase,
    draw_staircase,
    say_staircase,
    staircase_table,
    facts=("B.linear_term", "B.quadratic_term", "B.total_input", "B.final_transcript"),
)
