"""A run's tokens beside its dollars, by what is paid for: most of the tokens are not most of the money."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from simlib.articles.figures.figure import Figure, Table
from simlib.articles.inputs import ArticleA
from simlib.articles.runs import audit_run, port_run
from simlib.billing.catalogue import load_catalogue
from simlib.billing.price import Price
from simlib.billing.usage import Usage
from simlib.errors import known
from simlib.plots.axes import dollars
from simlib.plots.canvas import Axes
from simlib.plots.labels import label_bar
from simlib.plots.marks import horizontal_bars

TOKENS, DOLLARS = "tokens", "dollars"
VIEWS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"tokens and dollars": (TOKENS, DOLLARS), TOKENS: (TOKENS,), DOLLARS: (DOLLARS,)}
)
CLASSES = MappingProxyType({"cache_read": "reads", "cache_write_5m": "new input", "output": "output"})
ROLES = "read again", "no lever", "other"


@dataclass(frozen=True)
class TokensAndDollars:
    """Cache reads, new input and output of a run, in this order, as counts and as dollars.

    `view` is a key of VIEWS.
    """

    tokens: tuple[int, ...]
    dollars: tuple[float, ...]
    view: str

    @property
    def read_share(self) -> float:
        """The part of the input tokens that the cache gave."""
        return self.tokens[0] / sum(self.tokens[:2])

    @property
    def output_cost_share(self) -> float:
        """The part of the dollars that is output."""
        return self.dollars[2] / sum(self.dollars)

    def shares(self, of: str) -> list[float]:
        """Per cent of each class, of the tokens or of the dollars."""
        amounts = self.tokens if of == TOKENS else self.dollars
        return [100 * amount / sum(amounts) for amount in amounts]


def _mean_run(given: ArticleA, price: Price) -> Usage:
    """The run that costs what the mean one did, if all that no cache gave was stored."""
    rates, million = price.rates, 1_000_000
    output = given.mean_cost * given.output_cost_share / rates.output
    share = given.cache_read_share
    assert rates.cache_read is not None  # the model's cache is sold
    assert rates.cache_write_5m is not None
    a_token = share * rates.cache_read + (1 - share) * rates.cache_write_5m
    read = given.mean_cost * (1 - given.output_cost_share) / a_token
    return Usage(
        cache_write_5m=round((1 - share) * read * million),
        cache_read=round(share * read * million),
        output=round(output * million),
    )


RUNS: Mapping[str, Callable[[ArticleA, Price], Usage]] = MappingProxyType(
    {
        "the mean run": _mean_run,
        "port 7001": lambda given, _: sum(port_run(given).usages(), Usage()),
        "the audit": lambda given, _: sum(audit_run(given).usages(), Usage()),
    }
)


def tokens_and_dollars(
    view: str = "tokens and dollars", run: str = "the mean run", given: ArticleA | None = None
) -> TokensAndDollars:
    """What a run of article A used, and what of it the bill is for.

    view : a key of VIEWS. run : a key of RUNS; the mean run is rebuilt from its cost and two of its shares.
    given : what the article gives, if not as published.
    Returns TokensAndDollars.
    Raises UnknownName for `view` or `run`.

    >>> tokens_and_dollars().tokens
    (5874, 1333, 469)
    """
    given = given or ArticleA()
    price = load_catalogue().price(given.model, given.price_day).short()
    used = RUNS[known("run", run, RUNS)](given, price)
    parts = [Usage(**{name: getattr(used, name)}) for name in CLASSES]
    cost = tuple(float(price.dollars(part)) for part in parts)
    return TokensAndDollars(tuple(sum(map(int, part)) for part in parts), cost, known("view", view, VIEWS))


def _draw(ax: Axes, run: TokensAndDollars) -> None:
    """A bar for the tokens of each class, then one for its dollars, with share and amount beside it."""
    views = VIEWS[run.view]
    shares = [share for of in views for share in run.shares(of)]
    names = [f"{name}, {'$' if of == DOLLARS else of}" for of in views for name in CLASSES.values()]
    horizontal_bars(ax, names, shares, ROLES * len(views))
    ax.set_xlim(0, 130)  # room for what stands beside the longest bar
    ax.set_xticks([0, 25, 50, 75, 100], ["0%", "25%", "50%", "75%", "100%"])
    ax.set_xlabel(f"share of the run's {run.view}")
    amounts = {TOKENS: [f"{count:,}" for count in run.tokens], DOLLARS: list(map(dollars, run.dollars))}
    for at, (share, amount) in enumerate(zip(shares, (a for of in views for a in amounts[of]), strict=True)):
        label_bar(ax, share, at, f"{share:.0f}%: {amount}")


def _sentence(run: TokensAndDollars) -> str:
    return (
        f"Of {sum(run.tokens[:2]):,} input tokens {run.read_share:.1%} are cache reads; yet "
        f"{run.tokens[2]:,} tokens of output are {run.output_cost_share:.0%} of the "
        f"{dollars(sum(run.dollars))} that the run costs."
    )


def _table(run: TokensAndDollars) -> Table:
    return {
        "class": list(CLASSES.values()),
        "tokens": run.tokens,
        "of the tokens (per cent)": run.shares(TOKENS),
        "dollars": run.dollars,
        "of the dollars (per cent)": run.shares(DOLLARS),
    }


TOKENS_AND_DOLLARS = Figure(
    id="A-tokens-and-dollars",
    title="Most tokens are read again, half the money is output",
    passage="article A, step 4, “What a step costs” (the mean run, rebuilt from its cost and these shares)",
    data=tokens_and_dollars,
    draw=_draw,
    sentence=_sentence,
    table=_table,
    facts=("A.output_to_read_price", "A.price.haiku"),
)
