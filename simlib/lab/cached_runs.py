"""What the articles' runs cost with a cache, in tokens of fresh input that would cost the same."""

from collections.abc import Sequence

from simlib.articles.inputs import ArticleA, ArticleB, ArticleC
from simlib.articles.runs import audit_run, read_all_run, search_run
from simlib.billing.catalogue import load_catalogue
from simlib.billing.forecast import input_equivalent, moving_marker, moving_marker_over
from simlib.billing.payback import output_that_explains
from simlib.billing.price import Price
from simlib.billing.usage import Usage
from simlib.lab.figures.tool_minutes import DAY, MODEL

RUN = CALLS, FIRST, GROWTH = ArticleB.calls, ArticleB.first_context, ArticleB.growth
MEASURED = 3.1  # times, article A's audit with its output


def sonnet() -> Price:
    """The price of article B's model.

    Returns a Price.
    Raises nothing.

    >>> sonnet().multiple("cache_write_1h")
    2.0
    """
    return load_catalogue().price(MODEL, DAY)


def base_tokens(usage: Usage) -> float:
    """Tokens of fresh input that would cost as much.

    usage : of a run.
    Returns tokens.
    Raises nothing.

    >>> base_tokens(moving_marker(*RUN))
    39470.0
    """
    return float(input_equivalent(usage, sonnet()))


def first_dear_miss() -> int:
    """The first call of article B's run at which a miss makes five minutes dearer than an hour without one.

    Returns the number of the call.
    Raises nothing.

    >>> first_dear_miss()
    6
    """
    hour = base_tokens(moving_marker(*RUN, lifetime="1h"))
    return next(call for call in range(2, CALLS + 1) if base_tokens(moving_marker(*RUN, miss_at=call)) > hour)


def cached_search(minimum: int = 0) -> float:
    """Article C's run that searches, its marker moving along.

    minimum : tokens of the shortest prompt that is stored.
    Returns tokens of fresh input.
    Raises what a minimum that is no count raises.

    >>> cached_search(512)
    1498.0
    """
    return _moving(search_run(ArticleC()).contexts, minimum)


def ratio_both_cached(minimum: int = ArticleA.cache_minimum) -> float:
    """How many times as much article C's run that reads everything costs, if both are cached.

    minimum : tokens of the shortest prompt that is stored.
    Returns a ratio.
    Raises what a minimum that is no count raises.

    >>> round(ratio_both_cached(), 1), round(ratio_both_cached(1_024), 1)
    (28.7, 31.7)
    """
    return _moving(read_all_run(ArticleC()).contexts, minimum) / cached_search(minimum)


def audit_factor() -> float:
    """How many times cheaper a moving marker makes the input of article A's audit, from an empty cache.

    Returns a ratio.
    Raises nothing.

    >>> round(audit_factor(), 2)
    4.35
    """
    contexts = audit_run(ArticleA()).contexts
    return sum(contexts) / _moving(contexts, 0)


def audit_output() -> float:
    """The tokens of output that make of that factor the one which article A measured.

    Returns tokens.
    Raises nothing.

    >>> round(audit_output())
    1290
    """
    contexts = audit_run(ArticleA()).contexts
    times = load_catalogue().price(ArticleA.model, ArticleA.price_day).multiple("output")
    return float(output_that_explains(MEASURED, sum(contexts), round(_moving(contexts, 0)), output=times))


def _moving(contexts: Sequence[int], minimum: int) -> float:
    return base_tokens(moving_marker_over(contexts, minimum=minimum))
