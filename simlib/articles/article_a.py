"""The facts of article A: which computations give them, and which are inputs carried along."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from operator import attrgetter

import numpy as np

from simlib.articles.facts import Value
from simlib.articles.inputs import ArticleA
from simlib.articles.runs import audit_run, port_run
from simlib.billing.catalogue import load_catalogue
from simlib.billing.price import Price
from simlib.billing.usage import Usage
from simlib.models.published import PublishedTrace
from simlib.theory.growth import contexts, total_input
from simlib.theory.intervals import question_bootstrap

BOOTSTRAP_SEED = 7


def _audit_formula(given: ArticleA) -> Value:
    return int(total_input(given.audit_calls, given.audit_first_context, given.audit_growth))


def _audit_step_ratio(given: ArticleA) -> Value:
    context = contexts(given.audit_late_step, given.audit_first_context, given.audit_growth)
    return float(context[-1] / context[0])


def _audit_growth(given: ArticleA) -> Value:
    """Three contexts that are carried along, and the mean growth up to the last but one."""
    *before, last = audit_run(given).contexts
    return before[0], before[-1], last, (before[-1] - before[0]) / (len(before) - 1)


def _audit_cache_factor(given: ArticleA) -> Value:
    run = audit_run(given)
    return float(_cost(given, run.uncached()) / _cost(given, run))


def _accuracy_by_questions(given: ArticleA) -> Value:
    right = np.full(sum(given.questions_by_kind), given.runs_per_question)
    right[: len(given.misses)] -= given.misses
    rng = np.random.default_rng(BOOTSTRAP_SEED)
    low, high = question_bootstrap(right, given.runs_per_question, rng=rng)
    return float(low), float(high)


def _price(given: ArticleA, model: str) -> Price:
    return load_catalogue().price(model, given.price_day)


def _haiku_prices(given: ArticleA) -> Value:
    rates = _price(given, given.model).rates.by_class()
    return tuple(_sold(rates[name]) for name in ("input", "cache_write_5m", "cache_read", "output"))


def _sonnet_prices(given: ArticleA) -> Value:
    rates = _price(given, given.larger_model).rates
    return rates.input, rates.output


def _output_to_read_price(given: ArticleA) -> Value:
    rates = _price(given, given.model).rates
    return rates.output / _sold(rates.cache_read)


def _sonnet_price_ratio(given: ArticleA) -> Value:
    """How many times dearer the larger model is; of input and of output, which must be the same."""
    small, large = (_price(given, model).rates for model in (given.model, given.larger_model))
    ratios = {large.input / small.input, large.output / small.output}
    return ratios.pop() if len(ratios) == 1 else tuple(sorted(ratios))


def _paste_to_read(given: ArticleA) -> Decimal:
    dollars = _price(given, given.model).dollars(Usage(cache_read=given.pasted_tokens))
    assert isinstance(dollars, Decimal)  # single numbers cost exact money
    return dollars


def _sold(rate: Decimal | None) -> Decimal:
    assert rate is not None  # both models' caches are sold
    return rate


def _caching_runs(given: ArticleA) -> Value:
    off = given.caching_questions * given.runs_with_caching_off
    on = given.caching_questions * given.runs_with_caching_on
    return off, on, off + on


def _cost(given: ArticleA, run: PublishedTrace) -> Decimal:
    """Dollars of a run, each call by its own tier."""
    price = _price(given, given.model)
    return sum((Decimal(price.dollars(usage)) for usage in run.usages()), Decimal(0))  # type: ignore[arg-type]


COMPUTED: Mapping[str, Callable[[ArticleA], Value]] = {
    "A.agent.accuracy.question_bootstrap": _accuracy_by_questions,
    "A.audit.formula": _audit_formula,
    "A.audit.growth": _audit_growth,
    "A.audit.input": lambda given: audit_run(given).total_input,
    "A.audit.cache_factor": _audit_cache_factor,
    "A.audit.step_ratio": _audit_step_ratio,
    "A.port7001.calls": lambda given: port_run(given).calls,
    "A.port7001.input": lambda given: port_run(given).total_input,
    "A.port7001.warm": lambda given: int(port_run(given).usages()[0].cache_read),
    "A.port7001.jump": lambda given: port_run(given).contexts[3] - port_run(given).contexts[2],
    "A.port7001.cost": lambda given: _cost(given, port_run(given)),
    "A.price.haiku": _haiku_prices,
    "A.price.sonnet": _sonnet_prices,
    "A.output_to_read_price": _output_to_read_price,
    "A.sonnet.price_ratio": _sonnet_price_ratio,
    "A.paste.300k": _paste_to_read,
    "A.paste.300k.ratio": lambda given: _paste_to_read(given) / given.mean_cost,
}

GIVEN: Mapping[str, Callable[[ArticleA], Value]] = {
    "A.limits": attrgetter("max_steps", "max_cost"),
    "A.corpus": attrgetter("files", "kilobytes", "corpus_tokens", "incident_rows", "roster_rows"),
    "A.questions": lambda given: (*given.questions_by_kind, given.runs_per_question),
    "A.price.haiku.long": attrgetter("long_prompt_read_price"),
    "A.cache.minimum": attrgetter("cache_minimum"),
    "A.cache.lifetime": attrgetter("cache_lifetime"),
    "A.cache.multipliers": attrgetter("write_multiplier", "read_multiplier"),
    "A.long.threshold": attrgetter("long_prompt_threshold"),
    "A.tools.overhead": attrgetter("tool_overhead", "forced_overhead"),
    "A.tools.forced": attrgetter("small_request_forced", "small_request_automatic"),
    "A.steps.counts": attrgetter("tool_calling_steps", "parallel_steps"),
    "A.audit.runs": attrgetter("audit_calls", "audit_runs"),
    "A.caching.runs": _caching_runs,
    "A.caching.design": attrgetter("caching_questions", "runs_with_caching_off", "runs_with_caching_on"),
    "A.spend": attrgetter("spend", "spend_share_sonnet"),
    "A.multi_agent": attrgetter("tokens_agent_against_chat", "tokens_multi_agent_against_chat"),
}
