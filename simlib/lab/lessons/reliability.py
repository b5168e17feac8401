"""Lesson 08: why 90% is not good enough, and what checks change."""

import math

from simlib.articles.figures.success_by_steps import COMPARED_AT, SUCCESS_BY_STEPS, SuccessBySteps
from simlib.articles.inputs import ArticleC
from simlib.lab.controls import Choice, Slider
from simlib.lab.exercise import Exercise, Mistake
from simlib.lab.figures.luck import LUCK
from simlib.lab.figures.retries import MOST, RETRIES
from simlib.lab.lesson import Lesson
from simlib.lab.panel import Mark, Panel
from simlib.theory.intervals import tasks_needed
from simlib.theory.reliability import expected_attempts, step_success, task_success

P, D, R, STEPS, TASKS = (
    *(ArticleC.p_success, ArticleC.p_detect, ArticleC.retries, ArticleC.steps),
    ArticleC.simulated_tasks,
)
X = (1 - P) * D  # an attempt failed and the check saw it
ONE_CLASS = 0.7852  # what one class of 20,000 tasks found
RETRIED, DETECTS = (1, 3, 5), (0.25, 0.5, 0.75, 1)
LONG = 50  # steps of the task that should succeed half the time
Q_LONG = 0.5 ** (1 / LONG)

ATTEMPT_SLIDER = Slider("p_success", "an attempt succeeds", 0.5, 1.0, P, step=0.01)
CHECK_SLIDER = Slider("p_detect", "the check sees a failure", 0.0, 1.0, D, step=0.05)
SIMULATED = {"100": 100, "1,000": 1_000, "20,000": TASKS}


def _task(p_detect: float, retries: float) -> float:
    return float(task_success(step_success(P, p_detect, retries), STEPS))


TWENTY = Exercise(
    id="twenty",
    kind="predict",
    prompt=f"An agent does each step right {P:.0%} of the time. A task needs {STEPS} steps, all of them "
    "right. How many of such tasks succeed? Guess, in per cent.",
    unit="per cent, such as 75",
    answer=lambda: task_success(P, STEPS),
    hints=(
        "One wrong step spoils the task.",
        "Independent chances are multiplied.",
        f"{P:g} · {P:g} · {P:g} · ..., {STEPS} times",
    ),
    explanation=f"About {{0:.1%}}: {P:g} to the power of {STEPS}.",
    mistakes=(
        Mistake(lambda: P, f"That is the chance of one step; all {STEPS} have to be right."),
        Mistake(lambda: 1 - STEPS * (1 - P), "Chances of failure do not add up: that would be below zero."),
    ),
    absolute=0.01,
    percent=True,
    possible=(0, 1),
)

STEP = Exercise(
    id="step",
    kind="compute",
    prompt=f"An attempt succeeds with probability {P:g}. A check sees a failed one with probability "
    f"{D:g}; then the step is tried again, at most {R} times. By hand: "
    "how likely is it that the step ends well, and how many attempts does it take on average? "
    "To four decimals at least.",
    unit="",
    parts=("success of a step, q", "attempts on average"),
    answer=lambda: [step_success(P, D, R), expected_attempts(P, D, R)],
    hints=(
        "It ends well at the first attempt, or at the second, or at the third.",
        "q = p + p · x + p · x², where x = (1 - p) · d: the attempt failed and the check saw it.",
        f"{P:g} + {P:g} · {X:.2g} + ...; and 1 + {X:.2g} + ...",
    ),
    explanation="q = {0:.5f}, with {1:.4f} attempts: q is p times the attempts. A tenth more work does it.",
    mistakes=(
        Mistake(lambda: P + X, "As if a retry always worked: it succeeds with p only.", part=0),
        Mistake(
            lambda: [step_success(P, D, 1), expected_attempts(P, D, 1)], "That is one retry; two are allowed."
        ),
        Mistake(
            lambda: P * D, "p · d is a success that is noticed; the check need not notice those.", part=0
        ),
        Mistake(lambda: 1 + (1 - P), "That is one retry, of every failed attempt.", part=1),
        Mistake(lambda: R + 1, "That is the most attempts; most steps need only one.", part=1),
        Mistake(
            lambda: [step_success(P, 1, R), expected_attempts(P, 1, R)],
            "That is a check that sees every failure; this one misses some.",
        ),
        Mistake(lambda: [step_success(P, D, math.inf), 1 / (1 - X)], "That is retrying without end."),
    ),
    absolute=0.00006,
)

RETRYING = Exercise(
    id="retrying",
    kind="compute",
    prompt=f"How many tasks of {STEPS} steps succeed with so many retries, the check still at {D:g}? "
    "And which q can no number of retries exceed? Three decimals; q with five.",
    unit="share",
    parts=(*(f"{retries} retr{'y' if retries == 1 else 'ies'}" for retries in RETRIED), "the greatest q"),
    answer=lambda: [*(_task(D, retries) for retries in RETRIED), step_success(P, D, math.inf)],
    hints=(
        "The panel's table has the shares; q needs an endless sum.",
        f"q to the power of {STEPS}; the sum of an endless geometric series is p / (1 - x).",
        f"{P:g} / (1 - {1 - P:.1g} · {D:g})",
    ),
    explanation="{0:.3f}, {1:.3f}, {2:.3f}; q stays below {3:.5f}, because the errors that the check "
    "does not see remain.",
    mistakes=(
        Mistake(lambda: 1, "With endless retries the errors that the check does not see remain.", part=3),
        Mistake(
            lambda: [*(_task(1, retries) for retries in RETRIED), 1], "That is a check that sees everything."
        ),
        Mistake(
            lambda: [*(step_success(P, D, retries) for retries in RETRIED), math.nan],
            f"That is one step; the task needs {STEPS} of them.",
        ),
    ),
    absolute=(*(0.0006,) * len(RETRIED), 0.000006),
)

DETECTING = Exercise(
    id="detecting",
    kind="compute",
    prompt=f"Now {R} retries, and a better or worse check. How many tasks of {STEPS} steps succeed if it "
    "sees this share of failures? Three decimals.",
    unit="share",
    parts=tuple(f"sees {share:.0%}" for share in DETECTS),
    answer=lambda: [_task(share, R) for share in DETECTS],
    hints=(
        "The first panel shows it: move the check, and show the numbers as a table.",
        f"q = p(1 + x + x²) with x = (1 - p) · d, and then q to the power of {STEPS}.",
        f"d = {DETECTS[1]:g}: x = {(1 - P) * DETECTS[1]:.2g}, q = {P:g} · (1 + 0.05 + 0.0025)",
    ),
    explanation="{0:.3f}, {1:.3f}, {2:.3f}, {3:.3f}: nearly half of the gain comes from the last quarter "
    "of the check.",
    mistakes=(
        Mistake(lambda: [_task(share, 1) for share in DETECTS], "That is one retry; two are allowed."),
        Mistake(
            lambda: [math.nan, *(_task(share, math.inf) for share in DETECTS[1:])],
            "That is retrying without end.",
        ),
        Mistake(lambda: [step_success(P, share, R) for share in DETECTS], "That is one step, not the task."),
    ),
    absolute=0.0006,
)


def _check_needed() -> float:
    """p(1 + x + x²) = q with x = (1 - p) d, solved for d."""
    x = (math.sqrt(1 - 4 * (1 - Q_LONG / P)) - 1) / 2
    return x / (1 - P)


NEEDED = Exercise(
    id="needed",
    kind="design",
    prompt=f"How good does the check have to be, with {R} retries and p = {P:g}, so that half of all "
    f"tasks of {LONG} steps succeed? Three decimals.",
    unit="share of failures seen",
    answer=_check_needed,
    hints=(
        f"Which q do {LONG} steps need? Then which check gives that q?",
        f"q = 0.5 to the power of 1/{LONG}; then p(1 + x + x²) = q for x, and d = x / (1 - p).",
        f"q = {Q_LONG:.5f}, so x² + x + 1 = {Q_LONG / P:.5f}",
    ),
    explanation="It has to see {0:.4f} of the failures.",
    mistakes=(
        Mistake(lambda: Q_LONG, "That is the q that the steps need, not the check that gives it."),
        Mistake(lambda: (Q_LONG / P - 1) / (1 - P), "That is with one retry; two are allowed."),
    ),
    absolute=0.0006,
)


def _error() -> float:
    return math.sqrt(_variance() / TASKS)


def _variance() -> float:
    return _task(D, R) * (1 - _task(D, R))


SURE = Exercise(
    id="sure",
    kind="compute",
    prompt=f"A class simulates {TASKS:,} tasks with checked steps. "
    "What is the standard error of the share that it finds? How many tasks make it sure to one "
    f"percentage point (95%)? One class finds {ONE_CLASS:g}: how many standard errors is that from the "
    "exact share (with its sign)?",
    unit="",
    parts=("standard error (share)", "tasks for ± 1 point", "standard errors away"),
    answer=lambda: [_error(), tasks_needed(_task(D, R), 0.01), (ONE_CLASS - _task(D, R)) / _error()],
    hints=(
        "Each task is a coin that falls right with the exact share.",
        "SE = √(s(1 - s)/n); half of a 95% interval is 1.96 of them.",
        f"√(0.79 · 0.21 / {TASKS:,})",
    ),
    explanation="{0:.4f}; {1:,.0f} tasks; {2:.1f} standard errors: "
    "about one class in eleven is that far off.",
    mistakes=(
        Mistake(lambda: 1 / math.sqrt(TASKS), "1/√n is twice the standard error in the worst case.", part=0),
        Mistake(lambda: _variance() / TASKS, "That is the variance; the standard error is its root.", part=0),
        Mistake(lambda: (1.96 / 2 / 0.01) ** 2, "That is the worst case, a share of one half.", part=1),
        Mistake(lambda: 1 / 0.01**2, "1/√n is a rule for the worst case, a share of one half.", part=1),
        Mistake(
            lambda: _variance() / 0.01**2, "That is for one standard error; 95% needs 1.96 of them.", part=1
        ),
        Mistake(
            lambda: (_task(D, R) - ONE_CLASS) / _error(),
            "The size is right; below the exact is minus.",
            part=2,
        ),
    ),
    absolute=(0.00006, None, 0.06),
)


def _place_share(shown: SuccessBySteps, guess: float) -> Mark | None:
    if shown.p_success != P:
        return None  # it was a guess about another attempt
    return Mark(COMPARED_AT, guess, f"your guess: {guess:.0%}")


LESSON = Lesson(
    number="08",
    title="Reliability: 90% is not good enough",
    teaching=30,
    exercising=30,
    steps=(
        TWENTY,
        Panel(
            "success",
            SUCCESS_BY_STEPS,
            (
                ATTEMPT_SLIDER,
                CHECK_SLIDER,
                Slider("retries", "retries at most", 0, MOST, R),
                Choice("tasks", "simulated tasks:", {"none": 0, **SIMULATED}, TASKS),
            ),
            guesses={TWENTY.id: _place_share},
        ),
        STEP,
        Panel(
            "retries",
            RETRIES,
            (ATTEMPT_SLIDER, CHECK_SLIDER, Slider("steps", "steps of the task", 1, 100, STEPS)),
        ),
        RETRYING,
        DETECTING,
        NEEDED,
        Panel(
            "luck",
            LUCK,
            (
                Slider("seed", "which luck (seed)", 1, 50, 7),
                Choice("tasks", "tasks in each class:", SIMULATED, 1_000),
            ),
        ),
        SURE,
    ),
)
