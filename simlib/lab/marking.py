"""Judging an answer: right, or what is wrong with it; never a partial "all passed"."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from simlib.errors import BadArgument, real, whole
from simlib.lab.exercise import Exercise
from simlib.lab.reading import read_number


class Verdict(NamedTuple):
    """Whether all parts are right, and a line for each part that was answered."""

    right: bool
    lines: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.lines)


def judge(exercise: Exercise, given: Sequence[Any]) -> Verdict:
    """Compare answers with an exercise.

    exercise : the question. given : one answer for each of its parts, typed or computed, in its unit.
    Returns a Verdict.
    Raises BadArgument if there are not as many answers as parts; an answer that is no number is a wrong one.

    >>> from simlib.lab.lessons.square import EIGHT
    >>> judge(EIGHT, ["143,200"]).lines[0]
    'Not yet: 143,200. That counts growth before the first call, which has none yet: K(K+1)/2.'
    """
    if len(given) != len(exercise.parts):
        raise BadArgument("answers", len(given), f"one for each part: {len(exercise.parts)}")
    lines, right = [], []
    for part, (name, typed) in enumerate(zip(exercise.parts, given, strict=True)):
        said = f"{name}: " if name else ""
        try:
            number = read_number(_plain(name, typed), percent=exercise.percent)
        except BadArgument as error:
            right.append(False)
            lines.append(said + ("No answer yet." if is_blank(typed) else f"{error}."))
            continue
        right.append(exercise.is_right(part, number))
        lines.append(
            said + ("Correct." if right[-1] else f"Not yet: {typed}. {_why(exercise, part, number)}")
        )
    if all(right) and len(right) > 1:
        lines.append("All parts are correct.")
    return Verdict(all(right), tuple(lines))


def _plain(part: str, typed: Any) -> Any:
    """What was typed, without the sign where the part asks for a number of per cent anyway."""
    if part.startswith("per cent") and isinstance(typed, str):
        return typed.replace("%", "").replace("per cent", "").replace("percent", "")
    return typed


def is_blank(typed: Any) -> bool:
    """Whether nothing was answered: an empty box, or the dots that stand for an answer.

    typed : what was typed or given.
    Returns True or False.
    Raises nothing.

    >>> is_blank(" "), is_blank(...), is_blank(0)
    (True, True, False)
    """
    return typed is ... or typed is None or (isinstance(typed, str) and not typed.strip())


def is_number(typed: Any) -> bool:
    """Whether an answer can be read at all; what cannot is no try.

    typed : what was typed or given.
    Returns True or False.
    Raises nothing.

    >>> is_number("14 calls"), is_number("lots")
    (True, False)
    """
    try:
        read_number(typed)
    except BadArgument:
        return False
    return True


def check_possible(exercise: Exercise, guess: float) -> None:
    """Refuse a prediction that cannot be: a share above 100%, call 25 of 18.

    exercise : what is predicted. guess : the number.
    Returns nothing.
    Raises OutOfRange, or NotWhole where only whole numbers can be right.

    >>> from simlib.lab.lessons.start_here import COSTLIEST
    >>> check_possible(COSTLIEST, 7)
    """
    low, high = exercise.possible
    if exercise.wants_whole(0):
        whole("your guess", guess)
    real("your guess", guess, low=low, high=high)


def _why(exercise: Exercise, part: int, number: float) -> str:
    """The nearest thing to a reason: a known mistake, a slip of the unit, or at least the direction."""
    known = exercise.diagnosis(part, number)
    if known:
        return known
    right = exercise.answers[part]
    for factor, slip in ((100, "per cent and shares"), (1_000, "thousands"), (1_000_000, "millions")):
        if exercise.is_right(part, number / factor) or exercise.is_right(part, number * factor):
            return f"The digits are right, the size is not: did you mix up {slip}?"
    if exercise.is_right(part, -number):
        return "The size is right, the sign is not."
    if exercise.wants_whole(part) and number != int(number):
        return "A whole number is wanted."
    if right and abs(number / right - 1) < 0.03:
        return "Near, but not near enough: look at the precision asked for."
    return f"That is too {'large' if number > right else 'small'}."
