"""An exercise: a question whose answer is computed, with hints and the mistakes that people make."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from simlib.errors import BadArgument, known

Compute = Callable[[], Any]  # a number, or one for each part

KINDS = "predict", "compute", "design"
CLOSE = 0.005  # of an answer's size: how near is right, unless an exercise says otherwise


class Mistake(NamedTuple):
    """A wrong computation that people make: what it gives, and what went wrong.

    It gives a number for each part of the exercise, or one number for the `part` that it is about.
    """

    wrong: Compute
    diagnosis: str
    part: int | None = None


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """A question with a number, or one for each of `parts`, as its answer.

    `kind` is one of KINDS. `answer` and the mistakes are computed from the lesson's parameters. An answer is
    right within half a per cent, or within `absolute` (one number, or one for each part, with None for the
    half per cent). `hints` are three: the idea, the formula, the first line of the sum. `explanation` is what
    `reveal` says beside the answer, with {0:,.0f}, {1:.3f}, ... for its parts. Where `percent` is set, a bare
    75 means 75%. A prediction outside `possible` is asked for again. A prediction with `options` is one of
    them, by its number from 1.
    """

    id: str
    kind: str
    prompt: str
    unit: str
    answer: Compute
    hints: tuple[str, str, str]
    explanation: str
    mistakes: tuple[Mistake, ...] = ()
    parts: tuple[str, ...] = ("",)
    absolute: float | tuple[float | None, ...] | None = None
    percent: bool = False
    possible: tuple[float, float] = (-math.inf, math.inf)
    options: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        known("kind", self.kind, KINDS)
        if self.kind == "predict" and len(self.parts) > 1:
            raise BadArgument("parts", self.parts, "one: a prediction is one number")
        if self.options and (self.kind != "predict" or self.possible != (1, len(self.options))):
            raise BadArgument("options", self.options, "those of a prediction from 1 to their number")

    @property
    def answers(self) -> tuple[float, ...]:
        """The right number of each part."""
        return _numbers(self.answer)

    def is_right(self, part: int, number: float) -> bool:
        """Whether a number is right for a part."""
        return self._meets(part, number, self.answers[part])

    def wants_whole(self, part: int) -> bool:
        """Whether only a whole number can be right for a part."""
        return self._allowed(part, self.answers[part]) == 0 and self.answers[part].is_integer()

    def wrong_answers(self, mistake: Mistake) -> tuple[float, ...]:
        """What a mistake gives for each part; NaN for a part that it is not about."""
        numbers = _numbers(mistake.wrong)
        if mistake.part is None:
            return numbers
        return tuple(numbers[0] if part == mistake.part else math.nan for part in range(len(self.parts)))

    def diagnosis(self, part: int, number: float) -> str:
        """What a wrong number tells about how it came about; empty if nothing known gives it."""
        for mistake in self.mistakes:
            if self._meets(part, number, self.wrong_answers(mistake)[part]):
                return mistake.diagnosis
        return ""

    @property
    def option_numbers(self) -> range:
        """The numbers of the options."""
        return range(1, len(self.options) + 1)

    def named(self, number: float) -> str:
        """A number as the question has it: the words of an option, a share in per cent."""
        if self.options:
            return self.options[int(min(max(number, 1), len(self.options))) - 1]
        return f"{number * 100:.4g}%" if self.percent else f"{number:,.6g}"

    @property
    def solution(self) -> str:
        """The answer in words, for whoever may see it."""
        return self.explanation.format(*self.answers)

    def _meets(self, part: int, number: float, value: float) -> bool:
        return abs(number - value) <= self._allowed(part, value) * (1 + 1e-9)  # the edge itself is allowed

    def _allowed(self, part: int, value: float) -> float:
        absolute = self.absolute[part] if isinstance(self.absolute, tuple) else self.absolute
        return CLOSE * abs(value) if absolute is None else absolute


def _numbers(compute: Compute) -> tuple[float, ...]:
    return tuple(float(value) for value in np.ravel(compute()))
