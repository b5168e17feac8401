"""Counting the blocks of a request, by an estimate or by a tokenizer that somebody brings."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from simlib.errors import NotANumber, ShapeMismatch, real
from simlib.tokens.estimator import CURRENT, estimate

IMAGE_TOKENS = 1_600  # of a picture as large as it may be; smaller ones have fewer
FRAME_TOKENS = 4  # around a block, assumed: no source gives them

_WRITE = json.JSONEncoder(ensure_ascii=False).encode
_HIDDEN = frozenset({"type", "id", "tool_use_id", "cache_control", "signature", "strict", "is_error"})


@dataclass(frozen=True)
class Counter:
    """Counts the tokens of blocks as the API writes them; `is_estimate` says whether they are a guess.

    `of_text` counts a text; by default it is the estimate for a `family` of tokenizers. `factor` corrects it,
    as a recorded run shows: see `calibrated`.

    >>> Counter()({"type": "text", "text": "The agent reads the whole history at every step."})
    16
    """

    family: str = CURRENT
    of_text: Callable[[str], int] | None = None
    factor: float = 1.0

    @property
    def is_estimate(self) -> bool:
        """Whether a count is a guess: any but that of a tokenizer, uncorrected."""
        return self.of_text is None or self.factor != 1

    def __call__(self, block: Mapping[str, Any]) -> int:
        """Tokens of a block, its frame included."""
        if block.get("type") == "image":
            return IMAGE_TOKENS
        text = block_text(block)
        tokens = estimate(text, self.family) if self.of_text is None else self.of_text(text)
        return round(self.factor * tokens) + FRAME_TOKENS

    def calibrated(self, estimated: Sequence[float], recorded: Sequence[float]) -> "Counter":
        """The counter with the factor that fits a recorded run best, by least squares.

        `estimated` and `recorded` are the input tokens of the same requests. NotANumber, OutOfRange or
        ShapeMismatch for counts.
        """
        guesses, facts = (
            _counts(name, values) for name, values in {"estimated": estimated, "recorded": recorded}.items()
        )
        if len(guesses) != len(facts) or not any(guesses):
            raise ShapeMismatch(
                "estimated and recorded", (len(guesses), len(facts)), "as many of each, not all 0"
            )
        fitted = sum(a * b for a, b in zip(guesses, facts, strict=True)) / sum(a * a for a in guesses)
        return replace(self, factor=self.factor * fitted)


def block_text(block: Mapping[str, Any]) -> str:
    """What of a block a model reads, as one text.

    block : as the API writes it.
    Returns text: of a tool its name, description and schema, of a call its name and arguments, of a result
    its contents; ids and markers are left out.
    Raises nothing.

    >>> block_text({"type": "tool_use", "id": "toolu_1", "name": "search", "input": {"text": "7001"}})
    'search {"text": "7001"}'
    """
    return " ".join(
        [
            value if isinstance(value, str) else _text(value)
            for name, value in block.items()
            if name not in _HIDDEN
        ]
    )


def _text(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(part, Mapping) and "type" in part for part in value):
        return " ".join(block_text(part) for part in value)
    return _WRITE(value)


def _counts(name: str, values: Sequence[float]) -> list[float]:
    checked = real(name, list(values), low=0, noun="tokens")
    if isinstance(checked, (int, float)):
        raise NotANumber(name, values, "a list of tokens")
    return [float(value) for value in checked]
