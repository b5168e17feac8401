"""An exercise: a question whose answer is computed, with hints and the mistakes that people make."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

Compute = Callable[[], Any]  # a number, or one for each part

KINDS = {"P": "predict", "C": "compute", "D": "design"}


class Mistake(NamedTuple):
    """A wrong computation that people make: what it gives for each part, and what went wrong."""

    wrong: Compute
    diagnosis: str


@dataclass(frozen=True)
class Exercise:
    """A question with a number, or one for each of `parts`, as its answer.

    `answer` and the mistakes are computed from the lesson's parameters. An answer is right within `tolerance`
    of its size, or within `absolute` where that is given (one, or one for each part). `hints` are three: the
    idea, the formula, the first line of the sum. `explanation` is what `reveal` says beside the answer, with
    {0}, {1}, ... for its parts.
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
    tolerance: float = 0.005
    absolute: float | tuple[float | None, ...] | None = None
    show: str = ",.6g"
    percent: bool = False  # whether 75 means 75 %

    @property
    def answers(self) -> tuple[float, ...]:
        """The right number of each part."""
        return as_parts(self.answer)

    def understood(self, number: float) -> float:
        """A typed number in the unit of the answer: where per cent are asked for, 75 is 0.75."""
        return number / 100 if self.percent and abs(number) > 1 else number

    def is_right(self, part: int, number: float) -> bool:
        """Whether a number is right for a part."""
        return self._meets(part, number, self.answers[part])

    def diagnosis(self, part: int, number: float) -> str:
        """What a wrong number tells about how it came about; empty if nothing known gives it."""
        for mistake in self.mistakes:
            wrongs = as_parts(mistake.wrong)
            wrong = wrongs[part] if part < len(wrongs) else None
            if wrong is not None and self._meets(part, number, wrong):
                return mistake.diagnosis
        return ""

    def _meets(self, part: int, number: float, value: float) -> bool:
        absolute = self.absolute[part] if isinstance(self.absolute, tuple) else self.absolute
        allowed = self.tolerance * abs(value) if absolute is None else absolute
        return abs(number - value) <= allowed * (1 + 1e-9)

    @property
    def solution(self) -> str:
        """The answer in words, for whoever may see it."""
        return self.explanation.format(*(format(number, self.show) for number in self.answers))


def as_parts(compute: Compute) -> tuple[float, ...]:
    """What a computation gives, as one number for each part.

    compute : gives a number or several.
    Returns a tuple of floats.
    Raises what the computation raises.

    >>> as_parts(lambda: 3), as_parts(lambda: [1, 2])
    ((3.0,), (1.0, 2.0))
    """
    return tuple(float(value) for value in np.ravel(compute()))
