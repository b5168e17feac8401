"""Attention's share against a sum over the tokens, and against what was worked out elsewhere."""

import numpy as np
import pytest

from simlib.errors import NotANumber, OutOfRange, ShapeMismatch
from simlib.theory.attention import attention_share, prompt_of_equal_parts


@pytest.mark.parametrize(
    ("prompt", "share"), [(1_000, 0.005), (10_000, 0.045), (100_000, 0.32), (1_000_000, 0.82)]
)
def test_a_model_of_70_billion_parameters(prompt, share):
    assert attention_share(prompt) == pytest.approx(share, abs=0.005)


def test_token_by_token():
    """The k-th token meets k tokens, itself included, in every layer: half a token more on average."""
    parameters, layers, width, prompt = 50_000, 3, 40, 2_000
    linear = squares = 0
    for k in range(1, prompt + 1):
        linear += 2 * parameters
        squares += 2 * layers * width * k
    share = attention_share(prompt, parameters, layers, width)
    assert share == pytest.approx(squares / (linear + squares), rel=1 / prompt)


@pytest.mark.parametrize("width", [512, 8_192])
def test_a_plain_transformer_has_equal_parts_at_24_widths(width):
    """Its parameters are 12 layers width² (4 for attention, 8 for the rest), so only the width remains."""
    equal = prompt_of_equal_parts(12 * 80 * width**2, 80, width)
    assert equal == pytest.approx(24 * width)
    assert attention_share(equal, 12 * 80 * width**2, 80, width) == pytest.approx(0.5)
    assert prompt_of_equal_parts(12 * 80 * width**2, 80, width, per_pair=4) == pytest.approx(12 * width)


def test_ends_and_grids():
    assert attention_share(0) == 0
    assert attention_share(1e300) == 1
    grid = attention_share(np.array([[0], [1_000], [50_000]]), parameters=[1e9, 70e9])
    assert grid.shape == (3, 2)
    assert grid[2, 0] == attention_share(50_000, 1e9)
    assert (np.diff(grid[:, 0]) > 0).all()


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: attention_share(-1), OutOfRange, "prompt is -1"),
        (lambda: attention_share(1, layers=0), OutOfRange, "layers is 0"),
        (lambda: attention_share("1"), NotANumber, "prompt is '1'"),
        (lambda: prompt_of_equal_parts([1, 2], [1, 2, 3]), ShapeMismatch, "parameters and layers"),
        (lambda: attention_share([1, 2], [1, 2, 3]), ShapeMismatch, "prompt and model"),
    ],
)
def test_bad_input_is_named(call, error, words):
    with pytest.raises(error, match=words):
        call()
