"""Article A's audit, reconstructed: what is stated comes out, and a cache served call by call agrees."""

import dataclasses
import json
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

from simlib.articles.inputs import ArticleA
from simlib.articles.runs import audit_run
from simlib.billing.cache.anthropic import AnthropicCache
from simlib.billing.cache.uncached import NoCache
from simlib.billing.catalogue import load_catalogue
from simlib.errors import OutOfRange
from simlib.prompt.prompt import layout
from simlib.prompt.request import Request

KEY = json.loads((Path(__file__).parents[1] / "data" / "classroom_answers.json").read_text(encoding="utf-8"))
A = ArticleA()
RUN = audit_run(A)
CATALOGUE = load_catalogue()
HAIKU = CATALOGUE.price(A.model, A.price_day)


def served(cache, *, warm, outputs):
    """Dollars of the run, a request a minute; `warm` if an earlier run has stored the first 988 tokens."""
    blocks = [("system", "rules", 988, "text"), ("messages", "question", RUN.contexts[0] - 988, "text")]
    earlier, spent = [blocks[0], ("messages", "other", 9, "text")], Decimal(0)
    if warm:
        cache.serve(Request(A.model, layout(earlier, {0: "5m"})), 0)
    for call, output in enumerate(outputs):
        if call:
            added = RUN.contexts[call] - RUN.contexts[call - 1]
            blocks.append(("messages", f"reply and result {call}", added, "text"))
        prompt = layout(blocks, {0: "5m", len(blocks) - 1: "5m"})
        assert prompt.tokens == RUN.contexts[call]
        spent += cache.serve(Request(A.model, prompt), 60 * (call + 1), output=output).dollars(HAIKU)
    return spent


def factor(*, warm, outputs):
    cached = served(AnthropicCache(CATALOGUE, A.price_day), warm=warm, outputs=outputs)
    return served(NoCache(CATALOGUE), warm=False, outputs=outputs) / cached


def test_one_trace_meets_every_figure_of_the_audit():
    assert list(RUN.contexts) == KEY["trace_ctx"]
    assert RUN.total_input == KEY["trace_total"]
    stated = [RUN.contexts[at - 1] for at in (1, 17, 18)]
    assert stated == [1_146, 3_906, 5_327]
    assert (RUN.contexts[16] - RUN.contexts[0]) / 16 == 172.5
    assert set(range(1, 19)) - set(RUN.reconstructed) == {1, 17, 18}


def test_the_cache_call_by_call_gives_the_factor():
    found = factor(warm=True, outputs=RUN.outputs)
    assert float(found) == pytest.approx(3.1, abs=0.005)
    cached = served(AnthropicCache(CATALOGUE, A.price_day), warm=True, outputs=RUN.outputs)
    assert cached == sum(HAIKU.dollars(usage) for usage in RUN.usages())


def spread(tokens):
    """So many tokens of output, each call about as many."""
    return [tokens // 18 + (call < tokens % 18) for call in range(18)]


def test_both_readings_of_the_factor_as_the_classroom_has_them():
    """So many tokens explain 3.1: fewer from an empty cache than from a warm one, which is the run's."""
    cold, warm = KEY["A18_implied_output_tok"], KEY["A18_implied_output_tok_988_warm"]
    assert sum(RUN.outputs) == warm
    assert float(factor(warm=False, outputs=spread(cold))) == pytest.approx(3.1, abs=0.002)
    assert float(factor(warm=True, outputs=spread(warm))) == pytest.approx(3.1, abs=0.002)
    without_output = factor(warm=False, outputs=[0] * 18)
    assert float(without_output) == pytest.approx(KEY["A18_input_only_factor"], abs=0.005)


def test_an_answer_is_part_of_what_the_next_call_reads_anew():
    for output, (before, after) in zip(RUN.outputs, pairwise(RUN.contexts), strict=False):
        assert 0 < output < after - before


def test_a_run_that_cannot_be_is_named():
    with pytest.raises(OutOfRange, match="total is"):
        audit_run(dataclasses.replace(A, audit_total=20_000))
