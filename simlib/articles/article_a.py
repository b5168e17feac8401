"""The facts of article A that simlib computes: id -> computation from what the article gives."""

from collections.abc import Callable, Mapping

import numpy as np

from simlib.articles.facts import Value
from simlib.articles.inputs import ArticleA
from simlib.theory.growth import contexts, total_input
from simlib.theory.intervals import question_bootstrap

BOOTSTRAP_SEED = 7
AUDIT_STEP = 17


def _audit_formula(given: ArticleA) -> Value:
    return int(total_input(given.audit_calls, given.audit_first_context, given.audit_growth))


def _audit_step_ratio(given: ArticleA) -> Value:
    context = contexts(given.audit_calls, given.audit_first_context, given.audit_growth)
    return float(context[AUDIT_STEP - 1] / context[0])


def _accuracy_by_questions(given: ArticleA) -> Value:
    questions = sum(_questions(given))
    right = np.full(questions, given.runs_per_question)
    right[: len(given.misses)] -= given.misses
    interval = question_bootstrap(right, given.runs_per_question, rng=np.random.default_rng(BOOTSTRAP_SEED))
    return float(interval.low), float(interval.high)


def _questions(given: ArticleA) -> tuple[int, ...]:
    return (
        given.lookup_questions,
        given.multi_hop_questions,
        given.aggregate_questions,
        given.long_questions,
    )


def _caching_runs(given: ArticleA) -> Value:
    off = given.caching_questions * given.runs_with_caching_off
    on = given.caching_questions * given.runs_with_caching_on
    return off, on, off + on


COMPUTED: Mapping[str, Callable[[ArticleA], Value]] = {
    "A.audit.formula": _audit_formula,
    "A.audit.step_ratio": _audit_step_ratio,
    "A.agent.accuracy.question_bootstrap": _accuracy_by_questions,
    "A.price.haiku.long": lambda given: given.long_prompt_read_price,
    "A.cache.minimum": lambda given: given.cache_minimum,
    "A.cache.lifetime": lambda given: given.cache_lifetime,
    "A.cache.multipliers": lambda given: (given.write_multiplier, given.read_multiplier),
    "A.long.threshold": lambda given: given.long_prompt_threshold,
    "A.tools.overhead": lambda given: (given.tool_overhead, given.forced_overhead),
    "A.tools.forced": lambda given: (given.small_request_forced, given.small_request_automatic),
    "A.limits": lambda given: (given.max_steps, given.max_cost),
    "A.corpus": lambda given: (
        given.files,
        given.kilobytes,
        given.corpus_tokens,
        given.incident_rows,
        given.roster_rows,
    ),
    "A.questions": lambda given: (*_questions(given), given.runs_per_question),
    "A.steps.counts": lambda given: (given.tool_calling_steps, given.parallel_steps),
    "A.audit.runs": lambda given: (given.audit_calls, given.audit_runs),
    "A.caching.design": lambda given: (
        given.caching_questions,
        given.runs_with_caching_off,
        given.runs_with_caching_on,
    ),
    "A.caching.runs": _caching_runs,
    "A.spend": lambda given: (given.spend, given.spend_share_sonnet),
    "A.multi_agent": lambda given: (
        given.tokens_agent_against_chat,
        given.tokens_multi_agent_against_chat,
    ),
}
