"""Lesson 02: why the bill grows like a square."""

import math

from simlib.articles.article_c import mean_addition
from simlib.articles.figures.cumulative_cost import CUMULATIVE_COST
from simlib.articles.figures.staircase import GROWTH_STAIRCASE, NEW_AND_OLD, VIEWS, Staircase
from simlib.articles.inputs import ArticleA, ArticleB, ArticleC
from simlib.articles.runs import first_context
from simlib.lab.controls import Choice, Slider
from simlib.lab.exercise import Exercise, Mistake
from simlib.lab.figures.placing import CALLS as PLACING_CALLS
from simlib.lab.figures.placing import PLACING
from simlib.lab.lesson import Lesson
from simlib.lab.panel import Mark, Panel
from simlib.theory.budget import input_dollars, longest_run_within_dollars, longest_run_within_window
from simlib.theory.growth import (
    contexts,
    doubling_ratio,
    linear_part,
    overtakes,
    quadratic_part,
    reread,
    total_input,
)

CALLS, FIRST, GROWTH, WINDOW = ArticleB.calls, ArticleB.first_context, ArticleB.growth, ArticleB.window
PRICE = float(ArticleB.input_price)
LONGER = (16, 32, 64)
RESULT, EARLY, LATE = 5_000, 2, 16
# First context and growth of three runs: articles B, A and C.
RUNS = (
    (FIRST, GROWTH),
    (ArticleA.audit_first_context, ArticleA.audit_growth),
    (first_context(ArticleC()), round(mean_addition(ArticleC()))),
)

GROWTH_SLIDER = Slider("growth", "growth (tokens a step)", 0, 6_000, GROWTH, step=100)


def _slips(calls: tuple[int, ...]) -> tuple[Mistake, ...]:
    """What people compute instead of the total, for each of these numbers of calls."""
    transcript = "That is the final transcript, once. Every request is paid for, not only the last one."
    return (
        Mistake(
            lambda: [FIRST * k + GROWTH * k * (k + 1) / 2 for k in calls],
            "That counts growth before the first call, which has none yet: K(K+1)/2.",
        ),
        Mistake(
            lambda: [FIRST * k + GROWTH * k**2 / 2 for k in calls],
            "That is K²/2 steps of growth: the first call has none, so it is K(K-1)/2.",
        ),
        Mistake(
            lambda: linear_part(list(calls), FIRST),
            "That is as if every call read the same; but each reads what the ones before it added.",
        ),
        Mistake(lambda: [contexts(k, FIRST, GROWTH)[-1] for k in calls], transcript),
        Mistake(lambda: [contexts(k + 1, FIRST, GROWTH)[-1] for k in calls], transcript),
    )


def _calls_in_window() -> int:
    return int(longest_run_within_window(WINDOW, FIRST, GROWTH))


def _read_in_window() -> int:
    return int(total_input(_calls_in_window(), FIRST, GROWTH))


def _dollars(calls: int) -> float:
    return float(input_dollars(total_input(calls, FIRST, GROWTH), PRICE))


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
    explanation=f"{CALLS} · {FIRST:,} + {GROWTH:,} · {CALLS * (CALLS - 1) // 2} = "
    f"{linear_part(CALLS, FIRST):,} + {quadratic_part(CALLS, GROWTH):,} = {{0:,.0f}} tokens, or "
    f"${_dollars(CALLS):.4f} at ${PRICE:g} a million. Look at the law's two parts in the panel.",
    mistakes=_slips((CALLS,)),
    possible=(0, 1e9),
)

TOTALS = Exercise(
    id="totals",
    kind="compute",
    prompt=f"The same agent ({FIRST:,} tokens at first, {GROWTH:,} more every step) works on longer "
    "tasks. How many tokens are read in all? To within half a per cent.",
    unit="tokens",
    parts=tuple(f"{calls} calls" for calls in LONGER),
    answer=lambda: total_input(list(LONGER), FIRST, GROWTH),
    hints=(
        "Two parts: what every call reads anyway, and what the steps before it have added.",
        "Z = K · first + growth · K(K - 1)/2",
        f"{LONGER[0]} · {FIRST:,} + {GROWTH:,} · (0 + 1 + ... + {LONGER[0] - 1})",
    ),
    explanation="{0:,.0f}, {1:,.0f} and {2:,.0f} tokens.",
    mistakes=_slips(LONGER),
)

RATIOS = Exercise(
    id="ratios",
    kind="compute",
    prompt="How many times more is read each time the calls double? Say what you expect first; "
    "then divide your totals. Two decimals.",
    unit="times",
    parts=("8 to 16 calls", "16 to 32 calls", "32 to 64 calls"),
    answer=lambda: doubling_ratio([CALLS, *LONGER[:2]], FIRST, GROWTH),
    hints=(
        "One part of the total doubles, the other becomes nearly four times as much.",
        "Z(2K) / Z(K), with Z from the exercise before.",
        "(16 · first + growth · 120) / (8 · first + growth · 28)",
    ),
    explanation="{0:.2f}, {1:.2f} and {2:.2f} times: on the way to 4, here from below.",
    mistakes=(
        Mistake(
            lambda: [4, 4, 4], "Only the square part grows about fourfold; the first contexts just double."
        ),
        Mistake(
            lambda: [2, 2, 2], "Only the first contexts double; what the steps add grows with the square."
        ),
    ),
    absolute=0.01,
)

CROSSING = Exercise(
    id="crossing",
    kind="compute",
    prompt="From which number of calls on is the square part larger than the linear part? "
    "For three runs, each given by its first context and its growth. Whole calls.",
    unit="calls",
    parts=tuple(f"{first:,} and {growth:,} tokens" for first, growth in RUNS),
    answer=lambda: [overtakes(first, growth) for first, growth in RUNS],
    hints=(
        "Both parts contain the number of calls. Divide it out.",
        "growth · (K - 1)/2 > first",
        f"{GROWTH:,} · (K - 1) > 2 · {FIRST:,}, so K - 1 > ...",
    ),
    explanation="From {0:.0f}, {1:.0f} and {2:.0f} calls on: the first K with K - 1 > 2 · first / growth.",
    mistakes=(
        Mistake(
            lambda: [math.floor(2 * first / growth) + 1 for first, growth in RUNS],
            "One call too early: there K(K-1)/2 times the growth is still the smaller part. Was it K²/2?",
        ),
        Mistake(
            lambda: [2 * first / growth + 1 for first, growth in RUNS],
            "There the parts are equal; the question is about the next whole call.",
        ),
        Mistake(
            lambda: [math.floor(first / growth) + 2 for first, growth in RUNS[:2]] + [math.nan],
            "That is where one request holds more growth than first context; the question is about the sums.",
        ),
    ),
    absolute=0,
)

PLACED = Exercise(
    id="placed",
    kind="compute",
    prompt=f"A run has {PLACING_CALLS} calls. One tool result has {RESULT:,} tokens. "
    "How many tokens are read because of it, in all, if it comes early, and if it comes late? Exactly.",
    unit="tokens",
    parts=(f"at step {EARLY}", f"at step {LATE}"),
    answer=lambda: reread(RESULT, [EARLY, LATE], PLACING_CALLS),
    hints=(
        "Who reads a result? Not the call that asked for it, but all calls after that.",
        "tokens · (calls - step)",
        f"{RESULT:,} · ({PLACING_CALLS} - {EARLY})",
    ),
    explanation="{0:,.0f} tokens early, {1:,.0f} late: the same result, eight times the reading.",
    mistakes=(
        Mistake(
            lambda: [RESULT * (PLACING_CALLS - step + 1) for step in (EARLY, LATE)],
            "One reader too many: the call that asks for the result does not read it.",
        ),
        Mistake(
            lambda: [RESULT * (PLACING_CALLS - step - 1) for step in (EARLY, LATE)],
            "One reader too few: the last call reads it too.",
        ),
        Mistake(lambda: [RESULT * PLACING_CALLS] * 2, "The calls before it do not read it."),
        Mistake(lambda: [RESULT, RESULT], "It is read by every later call, not once."),
        Mistake(
            lambda: [RESULT * EARLY, RESULT * LATE],
            "That is tokens times the step; what counts is how many calls come after it.",
        ),
    ),
    absolute=0,
)


FAR = Exercise(
    id="far",
    kind="design",
    prompt=f"The agent of before, at ${PRICE:g} per million tokens of input. "
    "How many calls has the longest run that costs no more than one dollar? "
    f"How many calls fit into a window of {WINDOW:,} tokens? How many tokens has that second run read, "
    "and what did they cost? Calls exactly, the rest to half a per cent.",
    unit="",
    parts=("calls for $1", "calls that fit the window", "tokens read by then", "dollars by then"),
    answer=lambda: [
        longest_run_within_dollars(1, FIRST, GROWTH, PRICE),
        _calls_in_window(),
        _read_in_window(),
        _dollars(_calls_in_window()),
    ],
    hints=(
        "Try a number of calls, compute the total, and halve the interval.",
        f"A dollar buys {1e6 / PRICE:,.0f} tokens. The window limits one request: first + (K - 1) · growth.",
        f"{FIRST:,} · K + {GROWTH:,} · K(K - 1)/2 ≤ {1e6 / PRICE:,.0f}; "
        f"{FIRST:,} + (K - 1) · {GROWTH:,} ≤ {WINDOW:,}",
    ),
    explanation="{0:.0f} calls for a dollar; {1:.0f} calls fit the window, {2:,.0f} tokens for ${3:.0f}.",
    mistakes=(
        Mistake(
            lambda: longest_run_within_dollars(1, FIRST, GROWTH, PRICE) + 1,
            "That costs a few cents more than a dollar.",
            part=0,
        ),
        Mistake(lambda: 1e6 / PRICE // FIRST, "That leaves out the growth.", part=0),
        Mistake(
            lambda: CALLS / _dollars(CALLS) // 1,
            "That is in proportion to eight calls; but every further call costs more than the one before.",
            part=0,
        ),
        Mistake(lambda: _calls_in_window() + 1, "That request is too long by a few tokens.", part=1),
        Mistake(lambda: _calls_in_window() - 1, "One more fits: the first call has no growth yet.", part=1),
        Mistake(lambda: WINDOW // GROWTH, "That leaves out the first context and the first call.", part=1),
        Mistake(lambda: WINDOW, "That is the last request alone; all of them were read.", part=2),
        Mistake(lambda: WINDOW * PRICE / 1e6, "That is the last request alone; all of them cost.", part=3),
    ),
    absolute=(0, 0, None, None),
)


def _place_total(stairs: Staircase, guess: float) -> Mark | None:
    """A total is an area: the guess stands at the height of a block that is as wide as the staircase."""
    calls = stairs.contexts.size
    if (calls, stairs.contexts[0], stairs.new[-1]) != (CALLS, FIRST, GROWTH):
        return None  # it was a guess about another run
    return Mark(1, guess / calls, f"your guess: {guess:,.0f} in all,\na block of this height", block=True)


LESSON = Lesson(
    number="02",
    title="Why the bill grows like a square",
    teaching=30,
    exercising=25,
    steps=(
        EIGHT,
        Panel(
            "staircase",
            GROWTH_STAIRCASE,
            (
                Slider("calls", "model calls (K)", 1, 64, CALLS),
                Slider("first_context", "first context (tokens)", 0, 20_000, FIRST, step=500),
                GROWTH_SLIDER,
                Choice("view", "look at:", {view: view for view in VIEWS}, NEW_AND_OLD),
            ),
            guesses={EIGHT.id: _place_total},
        ),
        TOTALS,
        RATIOS,
        CROSSING,
        Panel(
            "placing",
            PLACING,
            (
                Slider("step", "the result comes at step", 1, PLACING_CALLS - 1, PLACING_CALLS // 2),
                Slider("tokens", "its size (tokens)", 0, 20_000, RESULT, step=500),
            ),
        ),
        PLACED,
        Panel(
            "dollars",
            CUMULATIVE_COST,
            (
                Slider("calls", "model calls (K)", 2, 120, ArticleB.max_steps),
                GROWTH_SLIDER,
                Slider("token_budget", "budget (tokens)", FIRST, 120_000, ArticleB.token_budget, step=1_000),
            ),
        ),
        FAR,
    ),
)
