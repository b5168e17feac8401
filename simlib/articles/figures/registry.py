"""All figures of the articles, in the order of the gallery."""

from typing import Any

from simlib.articles.figures.cumulative_cost import CUMULATIVE_COST
from simlib.articles.figures.figure import Figure
from simlib.articles.figures.staircase import GROWTH_STAIRCASE, SEARCH_STAIRCASE
from simlib.articles.figures.success_by_steps import SUCCESS_BY_STEPS
from simlib.articles.figures.tokens_processed import TOKENS_PROCESSED

FIGURES: tuple[Figure[Any], ...] = (
    GROWTH_STAIRCASE,
    CUMULATIVE_COST,
    SEARCH_STAIRCASE,
    TOKENS_PROCESSED,
    SUCCESS_BY_STEPS,
)
