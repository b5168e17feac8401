"""The bill of one request with a cache: tokens stored, read again and written, and what each kind costs."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

from simlib.articles.figures.figure import Figure, Table
from simlib.articles.inputs import ArticleA
from simlib.billing.catalogue import load_catalogue
from simlib.billing.usage import Usage
from simlib.errors import OutOfRange, known, real, single, whole
from simlib.plots.axes import cents_per_thousand, count_axis
from simlib.plots.canvas import Axes
from simlib.plots.labels import label_bar
from simlib.plots.marks import horizontal_bars

BY_TOKENS, BY_DOLLARS = VIEWS = "by tokens", "by dollars"
KINDS: Mapping[str, str] = MappingProxyType(  # names for readers, and what the bars look like
    {"stored": "caching", "read again": "read again", "written": "no lever"}
)


@dataclass(frozen=True)
class RequestBill:
    """A request's `tokens` and `dollars` by kind, and the `view` that is drawn."""

    tokens: Mapping[str, int]
    dollars: Mapping[str, float]
    view: str

    @property
    def shown(self) -> Mapping[str, float]:
        """What the view shows, in tokens or dollars."""
        return self.tokens if self.view == BY_TOKENS else self.dollars


def request_bill(
    prompt: int = 2_000,
    read_share: float = 0.815,
    output: int = 130,
    view: str = BY_TOKENS,
    *,
    model: str = ArticleA.model,
    day: date = ArticleA.price_day,
) -> RequestBill:
    """What a request with a cache costs: what was read from it, and the rest, which is stored.

    prompt : tokens that the model reads. read_share : how much of it comes from the cache, from 0 to 1.
    output : tokens that the model writes. view : one of VIEWS. model, day : whose prices.
    Returns a RequestBill, in tokens and dollars.
    Raises NotANumber, NotWhole, OutOfRange, or UnknownName for a view or a model.

    >>> bill = request_bill(2_000, 0.5, 100)
    >>> bill.tokens["stored"], round(bill.dollars["written"], 6)
    (1000, 5e-05)
    """
    known("view", view, VIEWS)
    total, written = single("prompt", whole("prompt", prompt)), single("output", whole("output", output))
    read = round(total * single("read_share", real("read_share", read_share, low=0, high=1)))
    tokens = {"stored": total - read, "read again": read, "written": written}
    parts = {
        "stored": Usage(cache_write_5m=total - read),
        "read again": Usage(cache_read=read),
        "written": Usage(output=written),
    }
    price = load_catalogue().price(model, day)
    paid = {kind: float(price.dollars(part)) for kind, part in parts.items()}
    if abs(sum(paid.values()) - float(price.dollars(sum(parts.values(), Usage())))) > 1e-12:
        raise OutOfRange("prompt", prompt, "prompts that are not billed as long ones")
    return RequestBill(tokens, paid, view)


def share_of(amounts: Mapping[str, float], kind: str) -> float:
    """The share of one kind.

    amounts : by kind. kind : the one.
    Returns a share, 0 of nothing.
    Raises nothing.

    >>> share_of({"written": 1, "stored": 3}, "written")
    0.25
    """
    total = sum(amounts.values())
    return amounts[kind] / total if total else 0.0


def _draw(ax: Axes, bill: RequestBill) -> None:
    kinds = list(KINDS)
    amounts = [float(bill.shown[kind]) for kind in kinds]
    horizontal_bars(ax, kinds, amounts, [KINDS[kind] for kind in kinds])
    most = max(*amounts, 1e-9)
    ax.set_xlim(0, max(sum(amounts), most) * 1.25)
    if bill.view == BY_TOKENS:
        count_axis(ax, "x", "tokens of the request", parts=5)
    else:
        ax.set_xlabel("cents for 1,000 such requests")
        ax.set_xticks([])
    for at, (kind, amount) in enumerate(zip(kinds, amounts, strict=True)):
        shown = f"{amount:,.0f}" if bill.view == BY_TOKENS else f"{cents_per_thousand(amount)} ¢"
        label_bar(ax, amount, at, f"{shown}: {share_of(bill.shown, kind):.0%}")


def _sentence(bill: RequestBill) -> str:
    (wrote, wrote_paid), (read, read_paid) = (
        (share_of(bill.tokens, kind), share_of(bill.dollars, kind)) for kind in ("written", "read again")
    )
    return (
        f"{sum(bill.tokens.values()):,} tokens cost ${sum(bill.dollars.values()):.6f}. What the model wrote "
        f"is {wrote:.1%} of the tokens and {wrote_paid:.0%} of the bill; what it read again is {read:.0%} of "
        f"the tokens and {read_paid:.0%} of the bill."
    )


def _table(bill: RequestBill) -> Table:
    kinds = list(KINDS)
    return {
        "kind": kinds,
        "tokens": [bill.tokens[kind] for kind in kinds],
        "dollars": [f"{bill.dollars[kind]:.8f}" for kind in kinds],
    }


REQUEST_BILL = Figure(
    id="request-bill",
    title="What is most of the tokens need not be most of the bill",
    passage="article A, step 4, what a step costs",
    data=request_bill,
    draw=_draw,
    sentence=_sentence,
    table=_table,
    facts=("A.price.haiku",),
)
