"""Lesson 08: why 90 % is not good enough, and what checks change."""

import math

from simlib.articles.figures.success_by_steps import STEPS_IN_WORDS, SUCCESS_BY_STEPS, SuccessBySteps
from simlib.articles.inputs import ArticleC
from simlib.lab.controls import Choice, Slider
from simlib.lab.exercise import Exercise, Mistake
from simlib.lab.figures.luck import LUCK
from simlib.lab.figures.retries import RETRIES
from simlib.lab.lesson import Lesson
from simlib.lab.panel import Mark, Panel
from simlib.theory.intervals import tasks_needed
from simlib.theory.reliability import expected_attempts, step_success, task_success

P, D, R, STEPS = ArticleC.p_success, ArticleC.p_detect, ArticleC.retries, ArticleC.steps
TASKS = ArticleC.simulated_tasks
ONE_SEED = 0.7852  # what one class of 20,000 tasks found
DETECTS = (0, 0.25, 0.5, 0.75, 0.9, 1)


def _task(p_detect: float, retries: float, steps: int = STEPS) -> float:
    return float(task_success(step_success(P, p_detect, retries), steps))


TWENTY = Exercise(
    id="twenty",
    kind="predict",
    prompt=f"An agent does each step right {P:.0%} of the time. A task needs {STEPS} steps, all of them "
    f"right. "
    "How many of such tasks succeed? Guess, as a percentage.",
    unit="per cent, such as 75 %",
    answer=lambda: task_success(P, STEPS),
    hints=(
        "One wrong step spoils the task.",
        "Independent chances are multiplied.",
        "0.9 · 0.9 · 0.9 · ..., twenty times",
    ),
    explanation="About {0}: 0.9 to the power of 20.",
    mistakes=(
        Mistake(lambda: P, "That is the chance of one step; all twenty have to be right."),
        Mistake(
            lambda: 1 - STEPS * (1 - P), "Chances of failure do not simply add up: that would be below zero."
        ),
    ),
    absolute=0.01,
    show=".1%",
    percent=True,
)

STEP = Exercise(
    id="step",
    kind="compute",
    prompt=f"A check recognises a wrong attempt with probability {D:g}; a recognised one is repeated, at "
    f"most "
    f"{R} times. An attempt succeeds with probability {P:g}. By hand: how likely is it that the step ends "
    f"well, "
    "and how many attempts does it take on average? To four decimals at least.",
    unit="",
    parts=("success of a step, q", "attempts on average"),
    answer=lambda: [step_success(P, D, R), expected_attempts(P, D, R)],
    hints=(
        "It ends well at the first attempt, or at the second, or at the third.",
        "q = p + p · x + p · x², where x = (1 - p) · d: the attempt failed and the check saw it.",
        "0.9 + 0.9 · 0.09 + ...; and 1 + 0.09 + ...",
    ),
    explanation="q = {0}, with {1} attempts: q is p times the attempts, and a tenth more work does it.",
    mistakes=(
        Mistake(lambda: [P + (1 - P) * D, math.nan], "As if a retry always worked: it succeeds with p only."),
        Mistake(
            lambda: [step_success(P, D, 1), expected_attempts(P, D, 1)], "That is one retry; two are allowed."
        ),
        Mistake(lambda: [P * D, R + 1], "p · d is a success that is noticed; and most steps need no retry."),
        Mistake(
            lambda: [step_success(P, 1, R), expected_attempts(P, 1, R)],
            "That is a check that sees every failure; this one misses a tenth of them.",
        ),
        Mistake(
            lambda: [step_success(P, D, math.inf), 1 / (1 - (1 - P) * D)], "That is retrying without end."
        ),
    ),
    absolute=0.00006,
    show=".5g",
)

RETRYING = Exercise(
    id="retrying",
    kind="compute",
    prompt=f"How many tasks of {STEPS} steps succeed with 0 to 5 retries, the check still at {D:g}? And "
    f"which q "
    "can no number of retries exceed? Three decimals; q with five.",
    unit="share",
    parts=(*(f"{retries} retries" for retries in range(6)), "the greatest q"),
    answer=lambda: [*(_task(D, retries) for retries in range(6)), step_success(P, D, math.inf)],
    hints=(
        "The panel shows it, and its table has the decimals.",
        "q to the power of 20; the sum of a geometric series is p / (1 - x) at most.",
        "0.9 / (1 - 0.1 · 0.9)",
    ),
    explanation="{0}, {1}, {2}, {3}, {4}, {5}; q stays below {6}: the errors that the check misses remain.",
    mistakes=(
        Mistake(
            lambda: [math.nan] * 6 + [1.0], "With endless retries the errors that the check misses remain."
        ),
        Mistake(lambda: [_task(1, retries) for retries in range(6)] + [math.nan], "That is a perfect check."),
    ),
    absolute=(*(0.0006,) * 6, 0.000006),
    show=".5g",
)

DETECTING = Exercise(
    id="detecting",
    kind="compute",
    prompt=f"Now {R} retries, and a better or worse check. How many tasks of {STEPS} steps succeed if it "
    f"sees "
    "this share of failures? Three decimals.",
    unit="share",
    parts=tuple(f"sees {share:.0%}" for share in DETECTS),
    answer=lambda: [_task(share, R) for share in DETECTS],
    hints=(
        "The panel shows it: move the check and read the sentence.",
        "q = p(1 + x + x²) with x = (1 - p) · d, and then q to the power of 20.",
        "d = 0.5: x = 0.05, q = 0.9 · 1.0525",
    ),
    explanation="{0}, {1}, {2}, {3}, {4}, {5}: nearly half of the gain comes from the last quarter of the "
    "check.",
    mistakes=(
        Mistake(lambda: [_task(share, 1) for share in DETECTS], "That is one retry; two are allowed."),
        Mistake(lambda: [_task(share, math.inf) for share in DETECTS], "That is retrying without end."),
        Mistake(
            lambda: [float(step_success(P, share, R)) for share in DETECTS], "That is one step, not the task."
        ),
    ),
    absolute=0.0006,
    show=".3f",
)


def _check_needed() -> float:
    """p(1 + x + x²) = q with x = (1 - p) d, solved for d, where q to the power of 50 is one half."""
    x = (math.sqrt(1 - 4 * (1 - 0.5 ** (1 / 50) / P)) - 1) / 2
    return x / (1 - P)


NEEDED = Exercise(
    id="needed",
    kind="design",
    prompt=f"How good does the check have to be, with {R} retries and p = {P:g}, so that half of all "
    f"tasks of 50 "
    "steps succeed? Three decimals.",
    unit="share of failures seen",
    answer=_check_needed,
    hints=(
        "Which q do fifty steps need? Then which check gives that q?",
        "q = 0.5 to the power of 1/50; then p(1 + x + x²) = q for x, and d = x / (1 - p).",
        "q = 0.98623, so x² + x + 1 = 1.09581",
    ),
    explanation="It has to see {0} of the failures.",
    mistakes=(
        Mistake(lambda: 0.5 ** (1 / 50), "That is the q that the steps need, not the check that gives it."),
        Mistake(lambda: (0.5 ** (1 / 50) / P - 1) / (1 - P), "That is with one retry; two are allowed."),
    ),
    absolute=0.0006,
    show=".4f",
)


def _error() -> float:
    share = _task(D, R)
    return math.sqrt(share * (1 - share) / TASKS)


SURE = Exercise(
    id="sure",
    kind="compute",
    prompt=f"A class simulates {TASKS:,} tasks with checked steps. What is the standard error of the "
    f"share it "
    "finds? How many tasks make it sure to one percentage point (95 %)? One class finds "
    f"{ONE_SEED:.2%}: how many standard errors is that from the exact share (with its sign)?",
    unit="",
    parts=("standard error (share)", "tasks for ± 1 point", "standard errors away"),
    answer=lambda: [_error(), tasks_needed(_task(D, R), 0.01), (ONE_SEED - _task(D, R)) / _error()],
    hints=(
        "Each task is a coin that falls right with the exact share.",
        "SE = √(s(1 - s)/n); half a 95 % interval is 1.96 of them.",
        "√(0.79 · 0.21 / 20,000)",
    ),
    explanation="{0}; {1} tasks; {2} standard errors: about one class in eleven is that far off.",
    mistakes=(
        Mistake(
            lambda: [1 / math.sqrt(TASKS), 1 / 0.01**2, (ONE_SEED - _task(D, R)) / (2 * _error())],
            "1/√n is a rule of thumb for the worst case and for two standard errors.",
        ),
        Mistake(
            lambda: [
                _task(D, R) * (1 - _task(D, R)) / TASKS,
                _task(D, R) * (1 - _task(D, R)) / 0.01**2,
                math.nan,
            ],
            "The root is missing, or the 1.96.",
        ),
    ),
    absolute=(0.00006, None, 0.06),
    show=".4g",
)


def _place_share(_: SuccessBySteps, guess: float) -> Mark:
    return Mark(STEPS_IN_WORDS, guess, f"your guess: {guess:.0%}")


LESSON = Lesson(
    number="08",
    title="Reliability: 90 % is not good enough",
    teaching=30,
    exercising=30,
    exercises=(TWENTY, STEP, RETRYING, DETECTING, NEEDED, SURE),
    panels={
        "success": Panel(
            SUCCESS_BY_STEPS,
            Slider("p_success", "an attempt succeeds", 0.5, 1.0, P, step=0.01),
            Slider("p_detect", "the check sees a failure", 0.0, 1.0, D, step=0.05),
            Slider("retries", "retries at most", 0, 5, R),
            Choice(
                "tasks", "simulated tasks:", {"none": 0, "100": 100, "1,000": 1_000, "20,000": TASKS}, TASKS
            ),
            predicts="twenty",
            place_guess=_place_share,
        ),
        "retries": Panel(
            RETRIES,
            Slider("p_success", "an attempt succeeds", 0.5, 1.0, P, step=0.01),
            Slider("p_detect", "the check sees a failure", 0.0, 1.0, D, step=0.05),
            Slider("steps", "steps of the task", 1, 100, STEPS),
        ),
        "luck": Panel(
            LUCK,
            Slider("seed", "which luck (seed)", 1, 50, 7),
            Choice("tasks", "tasks in each class:", {"100": 100, "1,000": 1_000, "20,000": TASKS}, 1_000),
        ),
    },
    order=(
        *("twenty", "success", "step", "retries", "retrying", "detecting", "needed"),
        *("luck", "sure"),
    ),
)
