"""Article C's two ways to the same answer: what each of them reads in all."""

from dataclasses import dataclass

from simlib.articles.article_c import read_all_by_theorem, search_total
from simlib.articles.figures.figure import Figure, Table
from simlib.articles.inputs import ArticleC
from simlib.plots.axes import log_axis, thousands
from simlib.plots.canvas import Axes
from simlib.plots.labels import label_bar
from simlib.plots.marks import horizontal_bars


@dataclass(frozen=True)
class TokensProcessed:
    """Tokens read in all: searching, computed; reading everything, as printed and by the theorem.

    The run that reads everything cannot be summed up, since eight of its additions are not stated: `read_all`
    is the article's own total, `read_all_by_theorem` ours for equal steps.
    """

    search: int
    read_all: int
    read_all_by_theorem: int

    @property
    def times(self) -> float:
        """How many times more reading everything reads."""
        return self.read_all / self.search


def tokens_processed(given: ArticleC | None = None) -> TokensProcessed:
    """What both runs of article C read.

    given : what the article gives, if not as published.
    Returns TokensProcessed, in tokens.
    Raises nothing of its own.

    >>> tokens_processed()
    TokensProcessed(search=1358, read_all=141820, read_all_by_theorem=138050)
    """
    given = given or ArticleC()
    return TokensProcessed(search_total(given), given.read_all_total, read_all_by_theorem(given))


def _draw(ax: Axes, read: TokensProcessed) -> None:
    """A bar for each run, on a logarithmic axis; the theorem's in grey."""
    names = "search, read\nan excerpt", "read\neverything", "the same,\nby the law"
    values = read.search, read.read_all, read.read_all_by_theorem
    log_axis(ax, "tokens read", min(values), max(values))
    horizontal_bars(ax, names, values, ["no lever", "no lever", "read again"])
    for at, value in enumerate(values):
        label_bar(ax, value, at, thousands(value))


def _sentence(read: TokensProcessed) -> str:
    return (
        f"Reading everything reads {read.read_all:,} tokens, searching and reading an excerpt "
        f"{read.search:,}: {read.times:.0f} times fewer for the same answer. "
        f"By the law, with equal steps, reading everything would come to {read.read_all_by_theorem:,}."
    )


def _table(read: TokensProcessed) -> Table:
    return {
        "approach": ("search and read an excerpt", "read everything", "read everything, equal steps"),
        "read (tokens)": (read.search, read.read_all, read.read_all_by_theorem),
        "from": ("summed request by request", "the article's total", "the growth law"),
    }


TOKENS_PROCESSED = Figure(
    id="C-tokens-processed",
    title="Searching first reads a hundredth",
    passage="article C, section 4, “How many tokens the model processes in total”",
    data=tokens_processed,
    draw=_draw,
    sentence=_sentence,
    table=_table,
    facts=("C.search.Z", "C.readall.Z", "C.readall.Z_theorem", "C.ratio"),
)
