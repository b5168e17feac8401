"""Lesson 00: how panels, guesses, answers and hints work, on a run of eighteen calls."""

import numpy as np

from simlib.articles.figures.staircase import Staircase
from simlib.lab.controls import Slider
from simlib.lab.exercise import Exercise, Mistake
from simlib.lab.figures.replayed_run import CONTEXTS, REPLAYED_RUN
from simlib.lab.lesson import Lesson
from simlib.lab.panel import Mark, Panel

CALLS, FIRST, SECOND, THIRD = CONTEXTS.size, *(int(context) for context in CONTEXTS[:3])

COSTLIEST = Exercise(
    id="costliest",
    kind="predict",
    prompt=f"An agent answers one question with {CALLS} model calls. "
    f"Which of the calls, 1 to {CALLS}, reads most? A whole number.",
    unit="number of the call",
    answer=lambda: np.argmax(CONTEXTS) + 1,
    hints=(
        "What does the model have to read before it can answer?",
        "A call reads everything that came before it, and something new.",
        "Call 2 reads all of call 1 and what step 1 added; call 3 reads all of call 2 and ...",
    ),
    explanation="Call {0:.0f}. Each call reads everything before it, so the last one is the longest; "
    "if every token costs the same, it is the one that costs most.",
    mistakes=(
        Mistake(
            lambda: 1,
            "Most people say the first, where the question and the instructions are. "
            "But every later call reads those again, and what came after them.",
        ),
        Mistake(lambda: CALLS // 2, "Nothing is ever taken out again, so the middle is no peak."),
    ),
    absolute=0,
    possible=(1, CALLS),
)

BILL = Exercise(
    id="bill",
    kind="predict",
    prompt=f"The first of the {CALLS} calls reads {FIRST:,} tokens. "
    f"How many tokens do all {CALLS} calls read together? Guess; nobody can know.",
    unit="tokens",
    answer=lambda: CONTEXTS.sum(),
    hints=(
        "It is more than one reading of everything, and more than the first call many times over.",
        "Add up what each call reads: that is the height of each bar.",
        f"{FIRST:,} + {SECOND:,} + {THIRD:,} + ...",
    ),
    explanation="{0:,.0f} tokens: the sum of all bars. Lesson 02 finds a formula for it.",
    mistakes=(
        Mistake(
            lambda: CALLS * FIRST, "That is the first call, as many times as there are calls: no growth."
        ),
        Mistake(lambda: CONTEXTS[-1], "That is the last call alone: the whole transcript, read once."),
    ),
    possible=(0, 1e9),
)

THREE = Exercise(
    id="three",
    kind="compute",
    prompt="Move the panel to call 3, or show its numbers as a table. "
    "How many tokens have the first three calls read together? Exactly.",
    unit="tokens",
    answer=lambda: CONTEXTS[:3].sum(),
    hints=(
        "The sentence under the picture says it.",
        "Add the heights of the first three bars.",
        f"{FIRST:,} + {SECOND:,} + ...",
    ),
    explanation="{0:,.0f} tokens. You know now how a panel, a table, a check and a hint work.",
    mistakes=(
        Mistake(lambda: THIRD, "That is what call 3 reads alone."),
        Mistake(lambda: 3 * FIRST, "That is three times the first call; the second and third read more."),
    ),
    absolute=0,
)


def _place_call(run: Staircase, guess: float) -> Mark:
    return Mark(guess, 0.6 * run.height, f"your guess: call {guess:.0f}")


def _place_total(run: Staircase, guess: float) -> Mark:
    return Mark(
        1, guess / CALLS, f"your guess: {guess:,.0f} in all,\n{CALLS} bars of this height", block=True
    )


LESSON = Lesson(
    number="00",
    title="Start here",
    teaching=5,
    exercising=5,
    steps=(
        COSTLIEST,
        BILL,
        Panel(
            "run",
            REPLAYED_RUN,
            (Slider("calls", "model calls so far", 1, CALLS, 1, next_button="Next call"),),
            guesses={COSTLIEST.id: _place_call, BILL.id: _place_total},
        ),
        THREE,
    ),
)
