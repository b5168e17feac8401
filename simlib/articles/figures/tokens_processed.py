"""Article C's two ways to the same answer: what each of them reads in all."""

from dataclasses import dataclass

from simlib.articles.article_c import COMPUTED
from simlib.articles.figures.figure import Figure, Table
from simlib.articles.inputs import ArticleC
from simlib.plots.axes import log_axis, thousands
from simlib.plots.canvas import Axes, style_of
from simlib.plots.labels import label_bar
from simlib.plots.marks import lying_bars


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
    ours = {name: COMPUTED[name](given) for name in ("C.search.Z", "C.readall.Z_theorem")}
    return TokensProcessed(ours["C.search.Z"], given.read_all_total, ours["C.readall.Z_theorem"])  # type: ignore[arg-type]


def draw_tokens_processed(ax: Axes, read: TokensProcessed) -> None:
    """Draw a bar for each run, on a logarithmic axis.

    ax : what to draw on. read : the data.
    Returns nothing. Raises nothing.

    >>> from simlib.plots.canvas import Canvas
    >>> "141,820" in Canvas().svg(lambda ax: draw_tokens_processed(ax, tokens_processed()))
    True
    """
    names = "search, read\nan excerpt", "read\neverything", "the same,\nby the law"
    values = read.search, read.read_all, read.read_all_by_theorem
    log_axis(ax, "tokens read", min(values), max(values))
    lying_bars(ax, names, values, ["no lever", "no lever", "read again"])
    for at, value in enumerate(values):
        label_bar(ax, value, at, thousands(value))
    box, room = ax.get_position(), 0.019 * style_of(ax).tick
    ax.set_position((room, box.y0, 0.9 - room, box.height))


def say_tokens_processed(read: TokensProcessed) -> str:
    """What the bars show.

    read : the data.
    Returns a sentence, in tokens.
    Raises nothing.

    >>> say_tokens_processed(tokens_processed())[:60]
    'Reading everything reads 141,820 tokens, searching and readi'
    """
    return (
        f"Reading everything reads {read.read_all:,} tokens, searching and reading an excerpt "
        f"{read.search:,}: {read.times:.0f} times fewer for the same answer. By the law, with equal "
        f"steps, reading everything "
        f"would come to {read.read_all_by_theorem:,}."
    )


def tokens_processed_table(read: TokensProcessed) -> Table:
    """The bars as columns.

    read : the data.
    Returns columns: the approach, tokens read, and where the number is from.
    Raises nothing.

    >>> tokens_processed_table(tokens_processed())["read (tokens)"]
    (1358, 141820, 138050)
    """
    return {
        "approach": ("search and read an excerpt", "read everything", "read everything, equal steps"),
        "read (tokens)": (read.search, read.read_all, read.read_all_by_theorem),
        "from": ("summed request by request", "the article's total", "the growth law"),
    }


TOKENS_PROCESSED = Figure(
    "C-tokens-processed",
    "Searching first reads a hundredth",
    "article C, section 4, “How many tokens the model processes in total”",
    tokens_processed,
    draw_tokens_processed,
    say_tokens_processed,
    tokens_processed_table,
    facts=("C.search.Z", "C.readall.Z", "C.readall.Z_theorem", "C.ratio"),
)
