"""What the articles say of prices and caches, against the catalogue that has them from elsewhere."""

from simlib.articles.inputs import ArticleA, ArticleB
from simlib.billing.catalogue import load_catalogue
from simlib.prompt.prompt import SECONDS

CATALOGUE = load_catalogue()
A, B = ArticleA(), ArticleB()
HAIKU = CATALOGUE.terms(A.model, A.price_day)
SONNET_46 = CATALOGUE.terms("claude-sonnet-4-6", A.price_day)


def test_article_a_gives_what_the_catalogue_has():
    assert A.cache_minimum == HAIKU.minimum_prefix
    assert A.cache_lifetime == SECONDS["5m"]
    assert A.write_multiplier == HAIKU.price.multiple("cache_write_5m")
    assert float(A.read_multiplier) == HAIKU.price.multiple("cache_read")
    assert A.long_prompt_threshold == HAIKU.price.long_above
    assert A.long_prompt_read_price == HAIKU.price.long_rates.cache_read
    assert A.tool_overhead == HAIKU.tool_overhead.automatic
    assert A.tool_overhead + A.forced_overhead == HAIKU.tool_overhead.forced
    assert A.small_request_forced - A.small_request_automatic == A.forced_overhead


def test_article_b_gives_what_the_catalogue_has():
    price = SONNET_46.price
    assert B.input_price == price.rates.input
    assert B.window == CATALOGUE.model("claude-sonnet-4-6").limits.window
    stated = [B.write_5m_multiplier, B.write_1h_multiplier, B.read_multiplier]
    ours = [price.multiple(name) for name in ("cache_write_5m", "cache_write_1h", "cache_read")]
    assert [float(multiple) for multiple in stated] == ours
