"""Models by any name, and what the documents say of each, column by column."""

from datetime import date

import pytest

from simlib.billing.catalogue import load_catalogue
from simlib.billing.model import model_from_toml, plain_name
from simlib.errors import BadArgument
from simlib.prompt.limits import REFUSALS

CATALOGUE = load_catalogue()
DAY = date(2026, 10, 24)
CLAUDE = {name for name in CATALOGUE.models if name.startswith("claude")}


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("claude-haiku-5-5", "claude-haiku-5-5"),
        ("Claude-Haiku-5.5", "claude-haiku-5-5"),
        ("claude-haiku-5-5-20261007", "claude-haiku-5-5"),
        ("anthropic/claude-haiku-5-5", "claude-haiku-5-5"),
        ("vertex_ai/claude-sonnet-4-5@20250929", "claude-sonnet-4-5"),
        ("us.anthropic.claude-opus-4-6-v1:0", "claude-opus-4-6"),
        ("bedrock/global.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"),
        ("claude-opus-4-6[1m]", "claude-opus-4-6"),
        ("apac.anthropic.claude-sonnet-4-6-v1", "claude-sonnet-4-6"),
        ("us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"),
        ("claude-sonnet-5-5@default", "claude-sonnet-5-5"),
        ("claude-3-5-haiku-latest", "claude-haiku-3-5"),
        ("claude-3-5-haiku-20241022", "claude-haiku-3-5"),
        ("claude-sonnet-4-20250514", "claude-sonnet-4"),
        ("claude-sonnet-4-0", "claude-sonnet-4"),
        ("claude-opus-4", "claude-opus-4"),
        ("claude-opus-4-1-20250805", "claude-opus-4-1"),
        ("openrouter/anthropic/claude-sonnet-4.5:thinking", "claude-sonnet-4-5"),
        ("claude-4.5-haiku", "claude-haiku-4-5"),
        ("openai/gpt-4o", "gpt-4o"),
        ("gpt-4o-2024-05-13", "gpt-4o-2024-05-13"),
    ],
)
def test_names_are_resolved_in_one_place(name, plain):
    assert plain_name(name) == plain
    if plain in CATALOGUE.rows:
        assert CATALOGUE.model(name).name == plain
        day = CATALOGUE.rows[plain][-1].valid_from
        assert CATALOGUE.terms(name, day).model == plain


def of_claude(value):
    """Models without "claude-" by what `value` gives for each."""
    found = {}
    for name in CLAUDE:
        found.setdefault(value(name), set()).add(name.removeprefix("claude-"))
    return found


def last(name):
    return CATALOGUE.rows[name][-1]


def test_minimums_are_those_of_the_caching_page():
    """They follow neither age nor size; the last row of each model counts."""
    assert of_claude(lambda name: last(name).minimum_prefix) == {
        512: {
            "haiku-5-5",
            "sonnet-5-5",
            "opus-5-5",
            "opus-5",
            "fable-5",
            "fable-5-1",
            "mythos-5",
            "mythos-5-1",
        },
        1_024: {"sonnet-5", "sonnet-4-6", "sonnet-4-5", "sonnet-4", "opus-4-8", "opus-4-1", "opus-4"},
        2_048: {"opus-4-7", "haiku-3-5"},
        4_096: {"opus-4-6", "opus-4-5", "haiku-4-5"},
    }
    assert [row.minimum_prefix for row in CATALOGUE.rows["claude-opus-4-7"]] == [4_096, 2_048]
    assert [row.minimum_prefix for row in CATALOGUE.rows["claude-sonnet-4-6"]] == [1_024, 1_024, 2_048, 1_024]


def test_tools_add_what_the_overview_of_tool_use_says():
    def both(name):
        overhead = last(name).tool_overhead
        return None if overhead is None else (overhead.automatic, overhead.forced)

    found = of_claude(both)
    assert found.pop(None) == {
        "opus-5-5",
        "opus-5",
        "fable-5",
        "fable-5-1",
        "mythos-5",
        "mythos-5-1",
        "haiku-3-5",
    }
    assert found == {
        (286, 406): {"haiku-5-5"},
        (286, None): {"sonnet-5-5"},
        (354, 474): {"sonnet-5"},
        (290, 410): {"opus-4-8"},
        (675, 804): {"opus-4-7"},
        (497, 589): {"opus-4-6", "sonnet-4-6"},
        (496, 588): {"opus-4-5", "sonnet-4-5", "haiku-4-5"},
        (313, 315): {"opus-4-1", "opus-4", "sonnet-4"},
    }
    for name in CLAUDE:
        assert len({row.tool_overhead for row in CATALOGUE.rows[name]}) == 1


ALWAYS_THINK = {"opus-5-5", "fable-5", "fable-5-1", "mythos-5", "mythos-5-1", "sonnet-5-5"}
NEWER = {"haiku-5-5", "opus-5", "sonnet-5", "opus-4-8", "opus-4-7", *ALWAYS_THINK}
NO_ADAPTIVE = {"opus-4-5", "sonnet-4-5", "haiku-4-5", "opus-4-1", "opus-4", "sonnet-4", "haiku-3-5"}
REFUSED_BY = {
    "sampling": NEWER,
    "forced_tools": {"sonnet-5-5", "opus-5-5", "fable-5-1", "mythos-5-1"},
    "thinking_enabled": {*NEWER, "haiku-3-5"},
    "thinking_disabled": ALWAYS_THINK,
    "thinking_adaptive": NO_ADAPTIVE,
    "prefill": {*NEWER, "opus-4-6", "sonnet-4-6"},
}


@pytest.mark.parametrize("refusal", sorted(REFUSALS))
def test_each_refusal_is_of_the_models_that_the_documents_name(refusal):
    refusing = {
        name.removeprefix("claude-") for name in CLAUDE if refusal in CATALOGUE.models[name].limits.refuses
    }
    assert refusing == REFUSED_BY[refusal]


def test_default_efforts_are_documented():
    no_effort = NO_ADAPTIVE - {"opus-4-5"}
    assert of_claude(lambda name: CATALOGUE.models[name].default_effort) == {
        "medium": {"haiku-5-5", "opus-5-5"},
        None: no_effort,
        "high": {name.removeprefix("claude-") for name in CLAUDE} - {"haiku-5-5", "opus-5-5"} - no_effort,
    }
    assert of_claude(lambda name: len(CATALOGUE.models[name].limits.efforts)) == {
        5: NEWER,
        4: {"opus-4-6", "sonnet-4-6"},
        3: {"opus-4-5"},
        0: no_effort,
    }


def test_windows_are_documented():
    small = {"opus-4-5", "sonnet-4-5", "haiku-4-5", "opus-4-1", "opus-4", "sonnet-4", "haiku-3-5"}
    found = of_claude(lambda name: CATALOGUE.models[name].limits.window)
    assert found[200_000] == small
    assert set(found) == {200_000, 1_000_000}


def test_thinking_is_kept_from_opus_4_5_and_sonnet_4_6_on():
    stripping = {"sonnet-4-5", "haiku-4-5", "opus-4-1", "opus-4", "sonnet-4", "haiku-3-5"}
    assert of_claude(lambda name: CATALOGUE.models[name].keeps_thinking)[False] == stripping


ROW = {"cache": "none", "window": 8_000, "max_output": 1_000, "source": "made up"}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"refuse": []}, "model toy-1 is 'refuse'; allowed: no fields but"),
        ({"window": -8}, "model toy-1, window is -8"),
        ({"max_output": "1"}, "model toy-1, max_output is '1'"),
        ({"cache": "claude"}, "model toy-1, cache is 'claude'"),
        ({"refuses": ["smapling"]}, "model toy-1, refuses is 'smapling'"),
        ({"reasoning_from": "top"}, "model toy-1, reasoning_from is 'top'"),
    ],
)
def test_a_wrong_table_is_named(fields, words):
    with pytest.raises(BadArgument, match=words):
        model_from_toml("toy-1", {**ROW, **fields})


@pytest.mark.parametrize("field", ROW)
def test_a_missing_field_is_named(field):
    with pytest.raises(BadArgument, match=f"allowed: a table with {field}"):
        model_from_toml("toy-1", {name: value for name, value in ROW.items() if name != field})
