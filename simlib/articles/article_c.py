"""The facts of article C: which computations give them, and which are inputs carried along."""

from collections.abc import Callable, Mapping
from operator import attrgetter

import numpy as np
from numpy.typing import ArrayLike

from simlib.articles.facts import Value
from simlib.articles.inputs import ArticleC
from simlib.articles.runs import first_context, read_all_run, search_run
from simlib.theory.counts import simulate_counts
from simlib.theory.growth import linear_part, total_input
from simlib.theory.information import kl_divergence
from simlib.theory.reliability import half_life, step_success, task_success
from simlib.theory.simulation import Simulated

SIMULATED_AT = 5, 20, 50, 80  # steps of the simulated tasks in the figure
SEED = 7  # of the simulation that the figure and the fact share


def search_total(given: ArticleC) -> int:
    """What the run that searches reads in all, request by request.

    given : what the article gives.
    Returns tokens. Raises nothing.

    >>> search_total(ArticleC())
    1358
    """
    return search_run(given).total_input


def mean_addition(given: ArticleC) -> float:
    """What a step of the run that reads everything adds on average.

    given : what the article gives.
    Returns tokens per step. Raises nothing.

    >>> mean_addition(ArticleC())
    2475.2
    """
    return (given.read_all_last_context - first_context(given)) / (given.read_all_calls - 1)


def read_all_by_theorem(given: ArticleC) -> int:
    """What the run that reads everything would read with equal steps; the article rounds their mean first.

    given : what the article gives.
    Returns tokens. Raises nothing.

    >>> read_all_by_theorem(ArticleC())
    138050
    """
    return int(total_input(given.read_all_calls, first_context(given), round(mean_addition(given))))


def simulate_curves(
    p_success: ArrayLike, p_detect: float, retries: int, steps: ArrayLike, tasks: int, seed: int = SEED
) -> Simulated:
    """The article's simulation: tasks with a check and without, for each attempt and each number of steps.

    p_success : of an attempt, one probability or several. p_detect : that the check sees a failure.
    retries : the most repetitions of a step. steps : of a task. tasks : of each point. seed : of the draws.
    Returns Simulated, in the shape (attempts, 2, steps): with the check first.
    Raises NotANumber, NotWhole, OutOfRange or ShapeMismatch.

    >>> simulate_curves([0.9, 0.99], 0.9, 2, steps=[20], tasks=1_000).success.shape
    (2, 2, 1)
    """
    p = np.reshape(p_success, (-1, 1, 1))
    d = np.array([[p_detect], [0]])
    return simulate_counts(tasks, steps, p, d, retries, rng=np.random.default_rng(seed))


def _checked(p_success: float, given: ArticleC) -> float:
    return float(step_success(p_success, given.p_detect, given.retries))


def _terms(given: ArticleC) -> Value:
    """What the first attempt and each retry add to the success of a step."""
    by_retries = step_success(given.p_success, given.p_detect, np.arange(given.retries + 1))
    return tuple(float(term) for term in np.diff(by_retries, prepend=0))


def _half_lives(given: ArticleC) -> Value:
    steps = given.p_success, _checked(given.p_success, given), given.p_success_better
    return tuple(float(half_life(q)) for q in steps)


def _simulated(given: ArticleC) -> Value:
    """From the same simulation as the figure: its tasks of the article's length, unchecked and checked."""
    steps = sorted({*SIMULATED_AT, given.steps})
    attempts = given.p_success, given.p_success_better
    done = simulate_curves(attempts, given.p_detect, given.retries, steps, given.simulated_tasks)
    checked, unchecked = np.asarray(done.success)[0, :, steps.index(given.steps)]
    return float(unchecked), float(checked)


def _divergence(given: ArticleC, true: float, believed: float) -> float:
    return float(kl_divergence([true, 1 - true], [believed, 1 - believed]))


COMPUTED: Mapping[str, Callable[[ArticleC], Value]] = {
    "C.c1": first_context,
    "C.calls": lambda given: (search_run(given).calls, read_all_run(given).calls),
    "C.search.contexts": lambda given: search_run(given).contexts,
    "C.search.Z": search_total,
    "C.readall.first_contexts": lambda given: read_all_run(given).contexts[:3],
    "C.readall.last_context": lambda given: read_all_run(given).contexts[-1],
    "C.readall.Z": lambda given: read_all_run(given).total_input,
    "C.readall.mean_addition": mean_addition,
    "C.readall.Z_theorem": read_all_by_theorem,
    "C.readall.prefix_share": lambda given: int(linear_part(given.read_all_calls, first_context(given))),
    "C.ratio": lambda given: given.read_all_total / search_total(given),
    "C.kl.forward": lambda given: _divergence(given, given.rain, given.forecast),
    "C.kl.backward": lambda given: _divergence(given, given.forecast, given.rain),
    "C.q": lambda given: _checked(given.p_success, given),
    "C.q.terms": _terms,
    "C.task20.unchecked": lambda given: float(task_success(given.p_success, given.steps)),
    "C.task20.checked": lambda given: float(task_success(_checked(given.p_success, given), given.steps)),
    "C.task20.simulated": _simulated,
    "C.task100.p99.unchecked": lambda given: float(task_success(given.p_success_better, given.steps_longer)),
    "C.task100.p99.checked": lambda given: float(
        task_success(_checked(given.p_success_better, given), given.steps_longer)
    ),
    "C.n50": _half_lives,
    "C.n50.p99.checked": lambda given: float(half_life(_checked(given.p_success_better, given))),
}

GIVEN: Mapping[str, Callable[[ArticleC], Value]] = {
    "C.corpus": attrgetter("texts", "tools", "retrieved_chunks", "position_of_answer"),
    "C.parts": attrgetter("system_prompt", "question"),
    "C.additions": lambda given: (*given.search_additions, *given.read_all_first_additions),
    "C.mc.n": attrgetter("simulated_tasks"),
    "C.metr.doubling": attrgetter("doubling_months"),
}
