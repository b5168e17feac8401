"""Lesson 02: why the bill grows like a square."""

import math

from simlib.articles.figures.cumulative_cost import CUMULATIVE_COST
from simlib.articles.figures.staircase import EVERY_REQUEST, GROWTH_STAIRCASE, LAST_REQUEST, Staircase
from simlib.articles.inputs import ArticleA, ArticleB, ArticleC
from simlib.lab.controls import Choice, Slider
from simlib.lab.exercise import Exercise, Mistake
from simlib.lab.figures.placing import CALLS as PLACING_CALLS
from simlib.lab.figures.placing import PLACING
from simlib.lab.lesson import Lesson
from simlib.lab.panel import Mark, Panel
from simlib.theory.budget import (
    input_dollars,
    longest_run_within_dollars,
    longest_run_within_window,
)
from simlib.theory.growth import contexts, doubling_ratio, linear_part, overtakes, reread, total_input

CALLS, FIRST, GROWTH = ArticleB.calls, ArticleB.first_context, ArticleB.growth
PRICE = float(ArticleB.input_price)
LONGER = (16, 32, 64)
RESULT, EARLY, LATE = 5_000, 2, 16
# First context and growth of the three articles' runs, B, A and C; C's growth is its mean addition.
RUNS = (
    (FIRST, GROWTH),
    (ArticleA.audit_first_context, ArticleA.audit_growth),
    (ArticleC.system_prompt + ArticleC.question, 2_475),
)


def _beginning_too_early(calls: int) -> float:
    return FIRST * calls + GROWTH * calls * (calls + 1) / 2


def _half_a_square(calls: int) -> float:
    return FIRST * calls + GROWTH * calls**2 / 2


_EARLY_GROWTH = "That counts growth before the first call, which has none yet: K(K+1)/2."
_HALF_SQUARE = "That is K²/2 steps of growth: the first call has none, so it is K(K-1)/2."
_ALL_EQUAL = "That is as if every call read the same; but each reads what the ones before it added."
_TRANSCRIPT = "That is the final transcript, once. Every request is paid for, not only the last one."


def _slips(calls: tuple[int, ...]) -> tuple[Mistake, ...]:
    """What people compute instead of the total, for each of these numbers of calls."""
    last = [int(contexts(number + 1, FIRST, GROWTH)[-1]) for number in calls]
    return (
        Mistake(lambda: [_beginning_too_early(number) for number in calls], _EARLY_GROWTH),
        Mistake(lambda: [_half_a_square(number) for number in calls], _HALF_SQUARE),
        Mistake(lambda: linear_part(list(calls), FIRST), _ALL_EQUAL),
        Mistake(lambda: [after - GROWTH for after in last], _TRANSCRIPT),
        Mistake(lambda: last, _TRANSCRIPT),
    )


EIGHT = Exercise(
    id="eight",
    kind="predict",
    prompt=f"An agent makes {CALLS} model calls. The first reads {FIRST:,} tokens, and every step adds "
    f"{GROWTH:,}. How many tokens are read, and billed, in all? Guess before you calculate.",
    unit="tokens",
    answer=lambda: total_input(CALLS, FIRST, GROWTH),
    hints=(
        "The model remembers nothing: every call reads the whole history again.",
        "Add up the heights of the bars: K first contexts, and the growth 0 + 1 + ... + (K - 1) times.",
        f"{FIRST:,} + {FIRST + GROWTH:,} + {FIRST + 2 * GROWTH:,} + ...",
    ),
    explanation="{0} tokens.",
    mistakes=_slips((CALLS,)),
)

TOTALS = Exercise(
    id="totals",
    kind="compute",
    prompt=f"The same agent ({FIRST:,} tokens at first, {GROWTH:,} more every step) works on longer tasks. "
    "How many tokens are read in all? To within half a per cent.",
    unit="tokens",
    parts=tuple(f"{calls} calls" for calls in LONGER),
    answer=lambda: total_input(list(LONGER), FIRST, GROWTH),
    hints=(
        "Two parts: what every call reads anyway, and what the steps before it have added.",
        "Z = K · first + growth · K(K - 1)/2",
        f"16 · {FIRST:,} + {GROWTH:,} · (0 + 1 + ... + 15)",
    ),
    explanation="16 calls: {0}, 32 calls: {1}, 64 calls: {2} tokens.",
    mistakes=_slips(LONGER),
    show=",.0f",
)

RATIOS = Exercise(
    id="ratios",
    kind="compute",
    prompt="How many times more is read each time the calls double? Predict it first; then divide your "
    "totals. "
    "Two decimals.",
    unit="times",
    parts=("8 to 16 calls", "16 to 32 calls", "32 to 64 calls"),
    answer=lambda: doubling_ratio([CALLS, *LONGER[:2]], FIRST, GROWTH),
    hints=(
        "One part of the total doubles, the other becomes four times as much, nearly.",
        "Z(2K) / Z(K), with Z from the exercise before.",
        "(16 · first + growth · 120) / (8 · first + growth · 28)",
    ),
    explanation="{0}, {1} and {2} times: on the way from 2 to 4, which it never reaches.",
    mistakes=(
        Mistake(
            lambda: [4, 4, 4], "Only the square part grows about fourfold; the first contexts just double."
        ),
        Mistake(
            lambda: [2, 2, 2], "Only the first contexts double; what the steps add grows with the square."
        ),
    ),
    absolute=0.01,
    show=".2f",
)

CROSSING = Exercise(
    id="crossing",
    kind="compute",
    prompt="From which number of calls on is the square part larger than the linear part? For three runs, "
    "given "
    "as first context and growth. Whole calls.",
    unit="calls",
    parts=tuple(f"{first:,} and {growth:,} tokens" for first, growth in RUNS),
    answer=lambda: [overtakes(first, growth) for first, growth in RUNS],
    hints=(
        "Both parts contain the number of calls. Divide it out.",
        "growth · (K - 1)/2 > first",
        f"{GROWTH:,} · (K - 1) > 2 · {FIRST:,}, so K - 1 > ...",
    ),
    explanation="{0}, {1} and {2} calls.",
    mistakes=(
        Mistake(
            lambda: [math.floor(2 * first / growth) + 1 for first, growth in RUNS],
            "One call too early: with K - 1 steps of growth before call K, the parts are not yet apart.",
        ),
        Mistake(
            lambda: [math.floor(first / growth) + 2 for first, growth in RUNS],
            "That is where one request holds more growth than first context; the question is about the sums.",
        ),
    ),
    absolute=0,
)

PLACED = Exercise(
    id="placed",
    kind="compute",
    prompt=f"A run has {PLACING_CALLS} calls. One tool result has {RESULT:,} tokens. How many tokens are "
    f"read "
    "because of it, in all, if it comes early, and if it comes late?",
    unit="tokens",
    parts=(f"at step {EARLY}", f"at step {LATE}"),
    answer=lambda: reread(RESULT, [EARLY, LATE], PLACING_CALLS),
    hints=(
        "Who reads a result? Not the call that asked for it, but all calls after that.",
        "tokens · (calls - step)",
        f"{RESULT:,} · ({PLACING_CALLS} - {EARLY})",
    ),
    explanation="{0} tokens early, {1} late: the same result, eight times the reading.",
    mistakes=(
        Mistake(
            lambda: [RESULT * (PLACING_CALLS - step + 1) for step in (EARLY, LATE)],
            "One reader too many: the call that asks for the result does not read it.",
        ),
        Mistake(lambda: [RESULT * PLACING_CALLS] * 2, "The calls before it do not read it."),
        Mistake(lambda: [RESULT, RESULT], "It is read by every later call, not once."),
        Mistake(lambda: [RESULT * EARLY, RESULT * LATE], "That counts the calls before it, not those after."),
    ),
    show=",.0f",
)


def _window_calls() -> int:
    return int(longest_run_within_window(ArticleB.window, FIRST, GROWTH))


FAR = Exercise(
    id="far",
    kind="design",
    prompt=f"How far does it reach? The agent of before, at ${PRICE:g} per million tokens of input: the "
    f"longest "
    f"run that costs no more than one dollar; the last call that still fits into a window of "
    f"{ArticleB.window:,} tokens; and what that whole run has read, and costs.",
    unit="",
    parts=("calls for $1", "calls that fit the window", "millions of tokens by then", "dollars by then"),
    answer=lambda: [
        longest_run_within_dollars(1, FIRST, GROWTH, PRICE),
        _window_calls(),
        total_input(_window_calls(), FIRST, GROWTH) / 1e6,
        float(input_dollars(total_input(_window_calls(), FIRST, GROWTH), PRICE)),
    ],
    hints=(
        "Try a number of calls, compute the total, and halve the interval.",
        "A dollar buys a third of a million tokens. The window limits one request: first + (K - 1) · growth.",
        f"{FIRST:,} · K + {GROWTH:,} · K(K - 1)/2 ≤ 333,333, and {FIRST:,} + (K - 1) · {GROWTH:,} ≤ "
        f"1,000,000",
    ),
    explanation="{0} calls for a dollar; {1} calls fit the window, {2} million tokens for ${3}.",
    mistakes=(
        Mistake(
            lambda: [longest_run_within_dollars(1, FIRST, GROWTH, PRICE) + 1, _window_calls() + 1, 1, PRICE],
            "That is just beyond: a dollar and a few cents, one request too long, or the last request alone.",
        ),
        Mistake(
            lambda: [1e6 / PRICE // FIRST, _window_calls() - 1, ArticleB.window / 1e6, math.nan],
            "That leaves out the growth, or the first call, or all requests but one.",
        ),
        Mistake(
            lambda: [
                math.floor(CALLS / float(input_dollars(total_input(CALLS, FIRST, GROWTH), PRICE))),
                math.nan,
                math.nan,
                math.nan,
            ],
            "That is in proportion to eight calls; but every further call costs more than the one before.",
        ),
    ),
    absolute=(0, 0, None, None),
    show=",.4g",
)


def _place_total(stairs: Staircase, guess: float) -> Mark:
    """A total is an area: the guess stands at the height of a block that is as wide as the staircase."""
    calls = stairs.contexts.size
    return Mark(1, guess / calls, f"your guess, {guess:,.0f},\nas {calls} equal bars")


LESSON = Lesson(
    number="02",
    title="Why the bill grows like a square",
    teaching=30,
    exercising=25,
    exercises=(EIGHT, TOTALS, RATIOS, CROSSING, PLACED, FAR),
    panels={
        "staircase": Panel(
            GROWTH_STAIRCASE,
            Slider("calls", "model calls (K)", 1, 64, CALLS),
            Slider("first_context", "first context (tokens)", 0, 20_000, FIRST, step=500),
            Slider("growth", "growth (tokens a step)", 0, 6_000, GROWTH, step=100),
            Choice(
                "paid", "paid for:", {EVERY_REQUEST: EVERY_REQUEST, LAST_REQUEST: LAST_REQUEST}, EVERY_REQUEST
            ),
            predicts="eight",
            place_guess=_place_total,
        ),
        "placing": Panel(
            PLACING,
            Slider("step", "the result comes at step", 1, PLACING_CALLS - 1, LATE),
            Slider("tokens", "its size (tokens)", 0, 20_000, RESULT, step=500),
        ),
        "dollars": Panel(
            CUMULATIVE_COST,
            Slider("calls", "model calls (K)", 1, 120, ArticleB.max_steps),
            Slider("growth", "growth (tokens a step)", 0, 6_000, GROWTH, step=100),
            Slider(
                "token_budget",
                "budget of the window (tokens)",
                8_000,
                120_000,
                ArticleB.token_budget,
                step=1_000,
            ),
        ),
    },
    order=("eight", "staircase", "totals", "ratios", "crossing", "placing", "placed", "dollars", "far"),
)
