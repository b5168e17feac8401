"""The facts of article B that simlib computes: id -> computation from what the article gives."""

from collections.abc import Callable, Mapping
from decimal import Decimal

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
    "B.cost": _cost,
    "B.final_transcript": _final_transcript,
    "B.P": lambda given: given.first_context,
    "B.g": lambda given: given.growth,
    "B.price.sonnet46": lambda given: (given.input_price, given.window),
    "B.price.multipliers": lambda given: (
        given.write_5m_multiplier,
        given.write_1h_multiplier,
        given.read_multiplier,
    ),
    "B.limits": lambda given: (
        given.token_budget,
        given.result_cap,
        given.kept_messages,
        given.identical_calls,
        given.failures_per_tool,
        given.max_steps,
    ),
    "B.tool_results": lambda given: (given.read_file_result, given.run_tests_result),
}
