"""Which rules a model's cache follows."""

from datetime import date

from simlib.billing.cache.anthropic import AnthropicCache
from simlib.billing.cache.openai import OpenAICache
from simlib.billing.cache.policy import CachePolicy
from simlib.billing.cache.uncached import NoCache
from simlib.billing.catalogue import Catalogue


def cache_for(model: str, catalogue: Catalogue, day: date) -> CachePolicy:
    """A new cache with the rules of a model's provider.

    model : any of its names. catalogue, day : with whose facts and of when.
    Returns a policy; one without a cache for a provider whose cache is not simulated.
    Raises UnknownName for a model whose facts the catalogue lacks.

    >>> from simlib.billing.catalogue import load_catalogue
    >>> type(cache_for("gpt-4o", load_catalogue(), date(2026, 10, 24))).__name__
    'OpenAICache'
    """
    rules = catalogue.model(model).cache
    if rules == "anthropic":
        return AnthropicCache(catalogue, day)
    return OpenAICache(catalogue, day) if rules == "openai" else NoCache(catalogue)
