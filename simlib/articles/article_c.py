"""The facts of article C: which computations give them, and which are inputs carried along."""

from collections.abc import Callable, Mapping
from operator import attrgetter

import numpy as np

from simlib.articles.facts import Value
from simlib.articles.inputs import ArticleC
from simlib.theory.counts import simulate_counts
from simlib.theory.growth import contexts_from, linear_part, total_input
from simlib.theory.reliability import half_life, step_success, task_success


def _first_context(given: ArticleC) -> int:
    return given.system_prompt + given.question


def _search_total(given: ArticleC) -> int:
    return int(contexts_from(_first_context(given), given.search_additions).sum())


def _mean_addition(given: ArticleC) -> float:
    return (given.read_all_last_context - _first_context(given)) / (given.read_all_calls - 1)


def _read_all_by_theorem(given: ArticleC) -> Value:
    """The article rounds the mean addition before it goes into the theorem."""
    return int(total_input(given.read_all_calls, _first_context(given), round(_mean_addition(given))))


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
    """The article's experiment again, from one fixed seed: unchecked, then checked."""
    rng = np.random.default_rng(7)
    p_detect = np.array([0, given.p_detect])
    done = simulate_counts(
        given.simulated_tasks, given.steps, given.p_success, p_detect, given.retries, rng=rng
    )
    return tuple(float(share) for share in np.asarray(done.success))


COMPUTED: Mapping[str, Callable[[ArticleC], Value]] = {
    "C.c1": _first_context,
    "C.search.Z": _search_total,
    "C.readall.mean_addition": _mean_addition,
    "C.readall.Z_theorem": _read_all_by_theorem,
    "C.readall.prefix_share": lambda given: int(linear_part(given.read_all_calls, _first_context(given))),
    "C.ratio": lambda given: given.read_all_total / _search_total(given),
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
