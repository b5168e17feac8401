"""Why did it miss? Pairs of requests of which the second finds nothing in the cache, or less than it might.

The player names the cause, and the simulated cache answers with its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from simlib.articles.figures.figure import Figure, Table
from simlib.articles.inputs import ArticleA
from simlib.billing.cache.anthropic import AnthropicCache
from simlib.billing.cache.policy import API_REASONS, REASONS, Miss, Receipt
from simlib.billing.catalogue import load_catalogue
from simlib.lab.scene import Scene
from simlib.plots.axes import count_axis, thousands
from simlib.plots.canvas import Axes
from simlib.plots.labels import label_bar
from simlib.plots.marks import horizontal_bars
from simlib.prompt.blocks import Block
from simlib.prompt.prompt import Prompt
from simlib.prompt.request import Request

MODEL, DAY = ArticleA.model, ArticleA.price_day
CAUSES: Mapping[str, str] = MappingProxyType(  # what a player may say, and the cache's word for it
    {
        "the tools are others": "tools_changed",
        "the system text is another": "system_changed",
        "an earlier message is another": "messages_changed",
        "the model is another": "model_changed",
        "too much time has passed": "expired",
        "the prompt is too short to be stored": "below_minimum",
    }
)


class Round(NamedTuple):
    """What is `told` of a second request, the two requests, and the seconds between them."""

    told: str
    before: Request
    now: Request
    seconds: float = 30


@dataclass(frozen=True)
class Found:
    """What a request read from the cache and what it stored anew, in tokens, and the number of its round."""

    read: int
    stored: int
    fresh: int
    number: int


def rounds() -> tuple[Round, ...]:
    """The five pairs of requests.

    Returns them in their order, each with a cause of its own.
    Raises nothing.

    >>> len(rounds())
    5
    """
    first = _request()
    return (
        Round(
            "An agent's second request, half a minute after the first. The system text begins with the time "
            "of day: 09:14:07, and now 09:14:37.",
            _request(system="It is 09:14:07. Answer from the files."),
            _request(system="It is 09:14:37. Answer from the files.", more=2),
        ),
        Round(
            "The same agent, without the time of day. Somebody had to approve a call, and was at lunch: six "
            "minutes.",
            first,
            _request(more=2),
            360,
        ),
        Round(
            "Half a minute later. To save tokens, the code has shortened the result of the first search.",
            _request(more=2),
            _request(result="12 lines, shortened", found=400, more=4),
        ),
        Round(
            "Half a minute later. A new version of the code lists its tools in another order.",
            first,
            _request(tools=("search", "read_file"), more=2),
        ),
        Round(
            "A small agent: one tool, two sentences of system text, a short question; its whole prompt has "
            "some three hundred tokens.",
            _request(tools=("search",), scale=0.1),
            _request(tools=("search",), scale=0.1, more=2),
        ),
    )


def receipt_of(played: Round) -> Receipt:
    """What the cache says of a round's second request.

    played : the round.
    Returns a Receipt.
    Raises nothing.

    >>> receipt_of(rounds()[1]).miss.reason
    'expired'
    """
    cache = AnthropicCache(load_catalogue(), DAY)
    cache.serve(played.before, 0, output=50)
    return cache.serve(played.now, played.seconds, output=50)


def in_its_words(miss: Miss) -> str:
    """Why the cache was missed, in the API's word where it has one.

    miss : the miss.
    Returns two sentences.
    Raises nothing.

    >>> in_its_words(receipt_of(rounds()[1]).miss)[:53]
    'The API does not tell; it is expired: the entry outli'
    """
    says = "The API says" if miss.reason in API_REASONS else "The API does not tell; it is"
    return (
        f"{says} {miss.reason}: {REASONS[miss.reason]} ({miss.detail}). {miss.tokens:,} tokens more could "
        "have been read."
    )


def why_did_it_miss(named: Sequence[str]) -> Scene:
    """The game up to the next request whose cause is to be named.

    named : the causes that the player has named so far, keys of CAUSES.
    Returns a Scene, its data a Found.
    Raises KeyError for a cause that there is not.

    >>> why_did_it_miss(["the system text is another"]).sentence
    '1 of 1 right.'
    """
    played, log, right = rounds(), list[str](), 0
    for number, (each, cause) in enumerate(zip(played, named, strict=False), start=1):
        miss = receipt_of(each).miss
        assert miss is not None  # every round has one
        is_right = CAUSES[cause] == miss.reason
        right += is_right
        log.append(f"Request {number}. {each.told}")
        log.append(f"{'Right' if is_right else f'Not “{cause}”'}. {in_its_words(miss)}")
    at = min(len(named), len(played) - 1)
    usage = receipt_of(played[at]).usage
    stored = int(usage.cache_write_5m)
    shown = Found(int(usage.cache_read), stored, int(usage.input), at + 1)
    score = f"{right} of {len(named)} right." if named else "Five requests."
    if len(named) < len(played):
        log.append(f"Request {at + 1}. {played[at].told}")
        return Scene(score, f"Request {at + 1}: why was so little read from the cache?", tuple(log), shown)
    return Scene(
        score, "", tuple(log), shown, f"{right} of {len(played)} causes named.", right == len(played)
    )


def _request(
    tools: Sequence[str] = ("read_file", "search"),
    system: str = "Answer from the files.",
    result: str = "40 lines that were found",
    found: int = 1_200,
    more: int = 0,
    scale: float = 1.0,
) -> Request:
    """An agent's request: tools, system text, a question, a search and what it found, and later steps."""
    blocks = [Block("tools", "tool", name, round(700 * scale)) for name in tools]
    blocks.append(Block("system", "text", system, round(600 * scale)))
    said = ["Which team owns port 7001?", "I search for it.", result]
    said += [f"step {number}" for number in range(more)]
    for at, text in enumerate(said):
        role = "user" if at % 2 == 0 else "assistant"
        tokens = {2: found}.get(at, 150)  # the third is what the search found
        blocks.append(Block("messages", "text", text, round(tokens * scale), role=role))
    return Request(MODEL, Prompt().extended(*blocks).marked("5m"), max_tokens=1_000)


def _draw(ax: Axes, found: Found) -> None:
    amounts = [float(found.read), float(found.stored), float(found.fresh)]
    horizontal_bars(ax, ["read again", "stored", "fresh"], amounts, ["read again", "caching", "other"])
    ax.set_xlim(0, max(*amounts, 1.0) * 1.25)
    count_axis(ax, "x", f"tokens of request {found.number}", parts=4)
    for at, amount in enumerate(amounts):
        label_bar(ax, amount, at, thousands(amount))


def _sentence(found: Found) -> str:
    return (
        f"Request {found.number}: {found.read:,} tokens were read from the cache, {found.stored:,} stored in "
        f"it, and {found.fresh:,} read fresh."
    )


def _table(found: Found) -> Table:
    return {"kind": ["read again", "stored", "fresh"], "tokens": [found.read, found.stored, found.fresh]}


def _shown(number: int = 1) -> Found:
    """What is seen of a round, by its number."""
    return Found(0, 0, 0, number)


WHAT_WAS_READ = Figure(
    id="what-was-read",
    title="What a request found in the cache",
    passage="article A, prompt caching",
    data=_shown,
    draw=_draw,
    sentence=_sentence,
    table=_table,
)
