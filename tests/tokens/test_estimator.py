"""The estimator against counts that real tokenizers gave for texts it was not fitted to."""

import pytest

from simlib.errors import BadArgument, UnknownName
from simlib.tokens.estimator import coefficients, estimate
from simlib.tokens.features import Features, features
from simlib.worlds.library.texts import load_texts

# Tokens of every other text of the library, those to which nothing was fitted: by a reconstruction of
# Claude's tokenizers (4.7 and later, before) and by o200k, without a message's frame; and how far off a sum
# may be.
HELD_OUT = {"claude-4.7+": (1_846, 0.15), "claude-3..4.6": (1_450, 0.10), "o200k": (1_408, 0.03)}


@pytest.mark.parametrize("family", HELD_OUT)
def test_texts_to_which_nothing_was_fitted_come_out_about_right(family):
    counted, share = HELD_OUT[family]
    estimated = sum(estimate(text, family) for text in list(load_texts().values())[1::2])
    assert abs(estimated - counted) < share * counted


def test_nothing_is_nothing_and_something_at_least_one():
    assert (estimate(""), estimate("."), estimate(" ")) == (0, 1, 1)


@pytest.mark.parametrize("family", ["claude-4.7+", "claude-3..4.6", "o200k"])
def test_a_text_twice_has_twice_the_tokens(family):
    text = "The agent reads the whole history at every step, 7001 times.\n"
    assert abs(estimate(text * 50, family) - 50 * estimate(text, family)) <= 25


def test_current_models_need_more_tokens():
    text = "Prompt caching stores a processed prefix, so that a later request need not compute it again. " * 5
    new, old, other = (estimate(text, family) for family in ("claude-4.7+", "claude-3..4.6", "o200k"))
    assert new > old > other


def test_each_family_has_a_weight_for_each_count():
    for weights in coefficients().values():
        assert len(weights) == len(Features._fields)
        assert min(weights) >= 0


def test_counts_are_what_their_names_say():
    found = features("Port 7001 is\n  open: Café и 中")
    assert found == Features(6, 0, 2, 1, 3, 1, 1, 1, 1, 1, 1)
    assert features("internationalization").letters_beyond_six == 14


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: estimate(5), BadArgument, "text is 5"),
        (lambda: estimate("x", "gpt"), UnknownName, "family is 'gpt'"),
    ],
)
def test_bad_input_is_named(call, error, words):
    with pytest.raises(error, match=words):
        call()
