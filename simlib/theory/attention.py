"""How much of the reading of a prompt is attention: the part of the work that grows with its square.

Reading a prompt, a model multiplies every token with all of its parameters, and compares every token with
those before it. The first part grows with the length of the prompt, the second with its square:

    work  =  2 parameters prompt  +  per_pair layers width prompt² / 2

So the square is there, but small in prompts of usual length: a bill that grows with the square of the calls
does so because the history is sent again, not because of attention.

The defaults are a dense model of 70 billion parameters. Work is no time: kernels differ in how fast they do
either part. Models that attend to a part of the prompt only, or share work between layers, do less.
"""

import numpy as np
from numpy.typing import ArrayLike

from simlib.errors import Numbers, broadcast_shape, floats, real
from simlib.theory.exact import finite, narrowed
from simlib.theory.growth import token_counts

PARAMETERS, LAYERS, WIDTH = 70e9, 80.0, 8_192.0
PER_PAIR = 2.0  # operations for a token and one before it, by layer and unit of width


def attention_share(
    prompt: ArrayLike,
    parameters: ArrayLike = PARAMETERS,
    layers: ArrayLike = LAYERS,
    width: ArrayLike = WIDTH,
    *,
    per_pair: ArrayLike = PER_PAIR,
) -> Numbers:
    """Attention's share of the work of reading a prompt: prompt / (prompt + the prompt of equal parts).

    prompt : tokens. parameters : of the model, without its table of words. layers : of the model. width : of
    what it keeps of a token in each. per_pair : operations, see `prompt_of_equal_parts`. All broadcast.
    Returns shares, in the broadcast shape: 0 for an empty prompt, towards 1 for an endless one.
    Raises NotANumber, OutOfRange, ShapeMismatch or TooLarge.
    Source: Kaplan et al., Scaling Laws for Neural Language Models (arXiv 2001.08361, 2020), summed over the
    prompt's tokens.

    >>> [round(attention_share(n), 3) for n in (1_000, 10_000, 100_000, 1_000_000)]
    [0.005, 0.045, 0.319, 0.824]
    """
    (tokens,) = token_counts(prompt=prompt)
    equal = prompt_of_equal_parts(parameters, layers, width, per_pair=per_pair)
    broadcast_shape(prompt=tokens, model=equal)
    read = floats("prompt", tokens)
    with np.errstate(over="ignore", invalid="ignore"):
        return finite("the share", narrowed(read / (read + equal)))


def prompt_of_equal_parts(
    parameters: ArrayLike = PARAMETERS,
    layers: ArrayLike = LAYERS,
    width: ArrayLike = WIDTH,
    *,
    per_pair: ArrayLike = PER_PAIR,
) -> Numbers:
    """The length of prompt at which attention is half of the work: 4 parameters / (per_pair layers width).

    parameters, layers, width : of the model, more than 0. per_pair : operations for a token and one before
    it, by layer and unit of width, more than 0: 2 as the source's formula is read here, with n_ctx as the
    tokens so far; 4 if the scores and the sums that they weigh both count, which halves the result. All
    broadcast.
    Returns tokens, in the broadcast shape.
    Raises NotANumber, OutOfRange, ShapeMismatch or TooLarge.
    Source: 2 N + 2 n_layer n_ctx d_model operations a token, Kaplan et al. (2020), quoted second-hand.

    >>> round(prompt_of_equal_parts())
    213623
    """
    model = {"parameters": parameters, "layers": layers, "width": width, "per_pair": per_pair}
    checked = {name: real(name, value, above=0) for name, value in model.items()}
    broadcast_shape(**checked)
    size, depth, across, each = (floats(name, value) for name, value in checked.items())
    with np.errstate(over="ignore", divide="ignore"):
        return finite("the prompt of equal parts", narrowed(4 * size / each / depth / across))
