"""Counting with ctok, a reconstruction of Claude's tokenizers, where it is installed."""

from collections.abc import Callable

from simlib.errors import BadArgument, known

VERSIONS = {"claude-4.7+": "4.8", "claude-3..4.6": "3.0"}  # our names for families, ctok's for them


def ctok_counter(family: str) -> Callable[[str], int]:
    """A counter of a text's own tokens, for `Counter(of_text=...)`.

    family : claude-4.7+ or claude-3..4.6.
    Returns a function of a text; about 80,000 characters a second, so count each block once.
    Raises UnknownName for a family; BadArgument where the package ctok (Python 3.12 or newer) is not
    installed.

    >>> ctok_counter("o200k")
    Traceback (most recent call last):
    simlib.errors.kinds.UnknownName: family is 'o200k'; allowed: one of 2 names; nearest: none
    """
    version = VERSIONS[known("family", family, VERSIONS)]
    try:
        from ctok import token_count
    except ImportError:
        raise BadArgument("family", family, "one whose package is installed: pip install ctok") from None
    frame = token_count("a", version) - 1
    return lambda text: int(token_count(text, version)) - frame if text else 0
