"""The facts of article B: which computations give them, and which are inputs carried along."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from operator import attrgetter

from simlib.articles.facts import Value
from simlib.articles.inputs import ArticleB
from simlib.theory.budget import input_dollars
from simlib.theory.growth import contexts, linear_part, quadratic_part, total_input


def _total_input(given: ArticleB) -> int:
    return int(total_input(given.calls, given.first_context, given.growth))


def _cost(given: ArticleB) -> Value:
    dollars = input_dollars(_total_input(given), given.input_price)
    assert isinstance(dollars, Decimal)  # single numbers cost exact money
    return dollars


def _final_transcript(given: ArticleB) -> Value:
    """What the next call would read: everything after the last step."""
    return int(contexts(given.calls + 1, given.first_context, given.growth)[-1])


COMPUTED: Mapping[str, Callable[[ArticleB], Value]] = {
    "B.linear_term": lambda given: int(linear_part(given.calls, given.first_context)),
    "B.quadratic_term": lambda given: int(quadratic_part(given.calls, given.growth)),
    "B.total_input": _total_input,
    "B.final_transcript": _final_transcript,
    "B.cost": _cost,
}

GIVEN: Mapping[str, Callable[[ArticleB], Value]] = {
    "B.P": attrgetter("first_context"),
    "B.g": attrgetter("growth"),
    "B.tool_results": attrgetter("read_file_result", "run_tests_result"),
    "B.price.multipliers": attrgetter("write_5m_multiplier", "write_1h_multiplier", "read_multiplier"),
    "B.price.sonnet46": attrgetter("input_price", "window"),
    "B.limits": attrgetter(
        "token_budget", "result_cap", "kept_messages", "identical_calls", "failures_per_tool", "max_steps"
    ),
}
