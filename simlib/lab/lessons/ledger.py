"""Lesson 03: from tokens to money."""

from decimal import Decimal

from simlib.articles.inputs import ArticleA
from simlib.articles.runs import port_run
from simlib.billing.catalogue import load_catalogue
from simlib.billing.price import Price
from simlib.billing.usage import Usage
from simlib.lab.controls import Choice, Slider
from simlib.lab.exercise import Exercise, Mistake
from simlib.lab.figures.request_bill import BY_TOKENS, REQUEST_BILL, VIEWS, RequestBill
from simlib.lab.lesson import Lesson
from simlib.lab.panel import Mark, Panel

GIVEN = ArticleA()
RUNS = sum(GIVEN.questions_by_kind) * GIVEN.runs_per_question
COST, PER_RUN_STEPS = float(GIVEN.mean_cost), (GIVEN.tool_calling_steps + RUNS) / RUNS
# What article A says of its 150 runs, beside their cost: shares in per cent, dollars, times.
OUTPUT_SHARE, READ_SHARE, UNCACHED = 51.0, 81.5, 0.00094
SONNET_COST, SONNET_PRICE, SPEND, SONNET_SPEND_SHARE = 11.8, 20, 0.45, 44
WRONG_CALL = 4  # of the ledger with a mistake


def _price() -> Price:
    return load_catalogue().price(GIVEN.model, GIVEN.price_day)


def _rate(name: str) -> float:
    """Dollars a token."""
    rate = _price().rates.by_class()[name]
    assert rate is not None  # this model sells its cache
    return float(rate) / 1e6


def _written() -> float:
    return COST * OUTPUT_SHARE / 100 / _rate("output")


def _read_in() -> float:
    """Input tokens of a run: what is left of the bill buys them, most from the cache, the rest stored."""
    read = READ_SHARE / 100
    each = read * _rate("cache_read") + (1 - read) * _rate("cache_write_5m")
    return COST * (1 - OUTPUT_SHARE / 100) / each


def _run_and_step(tokens: float) -> tuple[float, float]:
    """Tokens of a run, and of one of its steps."""
    return tokens, tokens / PER_RUN_STEPS


def _without_cache() -> float:
    return _read_in() * _rate("input") + _written() * _rate("output")


def wrong_ledger() -> list[tuple[int, Usage, Decimal]]:
    """The ledger of article A's five calls, in which one call's cache reads are billed like fresh input.

    Returns call, usage and dollars of each line.
    Raises nothing.

    >>> [call for call, _, _ in wrong_ledger()]
    [1, 2, 3, 4, 5]
    """
    lines = []
    for call, usage in enumerate(port_run(GIVEN).usages(), start=1):
        billed = usage
        if call == WRONG_CALL:
            billed = usage._replace(input=usage.input + usage.cache_read, cache_read=0)
        lines.append((call, usage, Decimal(_price().dollars(billed))))  # type: ignore[arg-type]  # one call
    return lines


def _too_much() -> float:
    reads = port_run(GIVEN).usages()[WRONG_CALL - 1].cache_read
    return float(reads) * (_rate("input") - _rate("cache_read")) * 1e6


SHARE = Exercise(
    id="share",
    kind="predict",
    prompt=f"Of what article A's runs read, {READ_SHARE}% came from the cache, and what the model wrote was "
    "one in sixteen of all tokens. Which share of the bill was for what it wrote? In per cent.",
    unit="per cent of the bill",
    answer=lambda: OUTPUT_SHARE / 100,
    percent=True,
    absolute=0.015,
    possible=(0, 1),
    hints=(
        "Tokens of different kinds have different prices.",
        "A token that is written costs fifty times one that is read from the cache.",
        "Move the panel from tokens to dollars.",
    ),
    explanation="{0:.0%}. Most tokens are read from the cache, at a fiftieth of what a written one costs.",
    mistakes=(
        Mistake(lambda: 1 / 16, "That is its share of the tokens; a written token costs fifty cache reads."),
        Mistake(lambda: 1 - READ_SHARE / 100, "That is the share of the input that was not in the cache."),
        Mistake(lambda: READ_SHARE / 100, "That is the share of what was read that came from the cache."),
        Mistake(lambda: 1 - OUTPUT_SHARE / 100, "That is the other part: what all the input costs."),
    ),
)

WRITTEN = Exercise(
    id="written",
    kind="compute",
    prompt=f"A run cost ${COST} on average, and {OUTPUT_SHARE:.0f}% of that was output, at $0.50 a million "
    f"tokens. How many tokens did a run write, and how many a step, with {PER_RUN_STEPS:.2f} steps a run?",
    unit="tokens",
    parts=("a run", "a step"),
    answer=lambda: _run_and_step(_written()),
    absolute=(None, 1.5),
    hints=(
        "How many dollars went into output?",
        "Tokens are dollars over the price of one; a price is for a million.",
        f"{COST} x {OUTPUT_SHARE / 100:.2f} / ...",
    ),
    explanation="{0:,.0f} tokens a run, {1:.0f} a step. The article's median step wrote 105: a few long "
    "answers draw a mean up.",
    mistakes=(
        Mistake(lambda: _run_and_step(COST / _rate("output")), "All of the bill? Only the output's share."),
        Mistake(
            lambda: _run_and_step(COST * OUTPUT_SHARE / 100 / _rate("input")),
            "That is at the price of input.",
        ),
    ),
)

READ_IN = Exercise(
    id="read_in",
    kind="compute",
    prompt=f"The rest of the ${COST} was input: {READ_SHARE}% of its tokens read from the cache at $0.01 a "
    "million, the others stored in it at $0.125. How many input tokens did a run have, and how many a step?",
    unit="tokens",
    parts=("a run", "a step"),
    answer=lambda: _run_and_step(_read_in()),
    absolute=(None, 25.0),
    hints=(
        "What does one input token cost on average?",
        "0.815 of a cache read and 0.185 of a write.",
        "0.815 x 0.01 + 0.185 x ... dollars a million",
    ),
    explanation="{0:,.0f} tokens a run, a context of {1:,.0f} a step. The bill alone told you how long the "
    "prompts were.",
    mistakes=(
        Mistake(
            lambda: _run_and_step(COST * (1 - OUTPUT_SHARE / 100) / _rate("cache_read")),
            "Not all of it is read from the cache; a fifth is stored, at more than ten times the price.",
        ),
        Mistake(
            lambda: _run_and_step(COST * (1 - OUTPUT_SHARE / 100) / _rate("input")),
            "That is as if there were no cache.",
        ),
    ),
)

UNCACHED_BILL = Exercise(
    id="uncached",
    kind="compute",
    prompt="What would the same tokens have cost without a cache, with all input at $0.10 a million? In "
    "dollars a run.",
    unit="dollars",
    answer=_without_cache,
    hints=(
        "The output stays as it was.",
        "Input tokens at the fresh price, and the output's dollars.",
        "input tokens of a run x 0.10 / 1,000,000 + ...",
    ),
    explanation=f"${{0:.6f}}; article A measured ${UNCACHED}. It is twice as much, not ten times: half of "
    "the bill was output, which no cache makes cheaper.",
    mistakes=(
        Mistake(lambda: COST * 10, "A tenth is the price of a cache read; the bill has other parts."),
        Mistake(lambda: _read_in() * _rate("input"), "That is the input alone."),
    ),
)

SONNET = Exercise(
    id="sonnet",
    kind="compute",
    prompt=f"On the long questions Sonnet 5.5 cost {SONNET_COST} times as much as Haiku 5.5, at "
    f"{SONNET_PRICE} times the price of a token. Every kind at 20 times: with how many per cent of Haiku's "
    f"tokens did it do? And of the ${SPEND} that all of the article's experiments cost, "
    f"{SONNET_SPEND_SHARE}% went to Sonnet: how many dollars?",
    unit="",
    parts=("per cent of Haiku's tokens", "dollars"),
    answer=lambda: (100 * SONNET_COST / SONNET_PRICE, SPEND * SONNET_SPEND_SHARE / 100),
    hints=(
        "Cost is tokens times price.",
        "Tokens' ratio = cost's ratio over price's ratio.",
        f"{SONNET_COST} / ...",
    ),
    explanation="{0:.0f}% of the tokens, ${1:.3f}. (With cache reads at ten times the price and not twenty, "
    "as since October 2026, it is 63%.) The larger model needed fewer tokens, and was almost twelve times "
    "as dear.",
    mistakes=(
        Mistake(lambda: 100 * SONNET_PRICE / SONNET_COST, "Upside down: fewer tokens, at a higher price.", 0),
        Mistake(lambda: SPEND * (1 - SONNET_SPEND_SHARE / 100), "That is what the other model cost.", 1),
    ),
)

AUDIT = Exercise(
    id="audit",
    kind="design",
    prompt="In the ledger above somebody has billed one call's cache reads like fresh input. Which call is "
    "it, and how many millionths of a dollar is it too dear?",
    unit="",
    parts=("call", "millionths of a dollar"),
    answer=lambda: (WRONG_CALL, _too_much()),
    absolute=(0.0, 0.6),
    hints=(
        "Price one line yourself: stored at 0.125, read at 0.01, written at 0.50 dollars a million.",
        "In dollars a million, tokens are millionths of a dollar: 1,000 stored tokens are 125.",
        "Line 1: 32 x 0.125 + 988 x 0.01 + ...",
    ),
    explanation="Call {0:.0f}, {1:.1f} millionths too dear: its reads stand at 0.10 instead of 0.01. A bill "
    "that nobody else adds up is only believed.",
    mistakes=(
        Mistake(lambda: 5, "That one is long, and right.", 0),
        Mistake(
            lambda: float(port_run(GIVEN).usages()[WRONG_CALL - 1].cache_read) * _rate("input") * 1e6,
            "That is what was billed for the reads; a tenth of it was due.",
            1,
        ),
    ),
)


def _guess(bill: RequestBill, guess: float) -> Mark:
    """The share that was guessed, on the bar of what is written; of the bill, whatever the bars show."""
    return Mark(guess * sum(bill.shown.values()), 2, f"your guess, of the bill: {guess:.0%}")


VIEW = Choice("view", "show", {view: view for view in VIEWS}, BY_TOKENS)

LESSON = Lesson(
    number="03",
    title="From tokens to money: reading a ledger",
    teaching=20,
    exercising=20,
    steps=(
        SHARE,
        Panel(
            "bill",
            REQUEST_BILL,
            (
                Slider("prompt", "tokens read", 0, 20_000, 2_000, step=100),
                Slider("read_share", "share from the cache", 0.0, 1.0, 0.815, step=0.005),
                Slider("output", "tokens written", 0, 2_000, 130, step=10),
                VIEW,
            ),
            guesses={SHARE.id: _guess},
        ),
        WRITTEN,
        READ_IN,
        UNCACHED_BILL,
        SONNET,
        AUDIT,
    ),
)
