"""All figures of the articles, in the order of the gallery."""

from typing import Any

from simlib.articles.figures.audit_contexts import AUDIT_CONTEXTS
from simlib.articles.figures.audit_cost import AUDIT_COST
from simlib.articles.figures.cumulative_cost import CUMULATIVE_COST
from simlib.articles.figures.figure import Figure
from simlib.articles.figures.staircase import GROWTH_STAIRCASE, SEARCH_STAIRCASE
from simlib.articles.figures.success_by_steps import SUCCESS_BY_STEPS
from simlib.articles.figures.tier_cliff import TIER_CLIFF
from simlib.articles.figures.tokens_and_dollars import TOKENS_AND_DOLLARS
from simlib.articles.figures.tokens_processed import TOKENS_PROCESSED

FIGURES: tuple[Figure[Any], ...] = (
    GROWTH_STAIRCASE,
    AUDIT_CONTEXTS,
    AUDIT_COST,
    TOKENS_AND_DOLLARS,
    TIER_CLIFF,
    CUMULATIVE_COST,
    SEARCH_STAIRCASE,
    TOKENS_PROCESSED,
    SUCCESS_BY_STEPS,
)
