"""How far a student has come, and whether the notebook ran from top to bottom."""

from collections.abc import Sequence

from simlib.lab.lesson import Lesson
from simlib.lab.memory import Memory
from simlib.lab.message import Message, say


def standing(lesson: Lesson, memory: Memory, name: str) -> str:
    """Where one exercise stands, in words.

    lesson : it belongs to. memory : of the student. name : of the exercise.
    Returns text.
    Raises UnknownName.

    >>> from simlib.lab.lessons.square import LESSON
    >>> from pathlib import Path
    >>> standing(LESSON, Memory(Path("nowhere.json")), "eight")
    'not predicted'
    """
    tries = len(memory.tries(name))
    if lesson.exercise(name).kind == "predict":
        guess = memory.prediction(name)
        return "not predicted" if guess is None else f"predicted {guess:,.6g}"
    if memory.is_solved(name):
        return f"solved after {tries} {'try' if tries == 1 else 'tries'}"
    return f"open, {tries} {'try' if tries == 1 else 'tries'}" if tries else "open"


def progress_message(lesson: Lesson, memory: Memory) -> Message:
    """The exercises of a lesson, each with where it stands.

    lesson : the lesson. memory : of the student.
    Returns a Message.
    Raises nothing.

    >>> from simlib.lab.lessons.square import LESSON
    >>> from pathlib import Path
    >>> print(progress_message(LESSON, Memory(Path("nowhere.json"))).lines[-1])
    0 of 6 done.
    """
    lines = [f"{e.id}: {standing(lesson, memory, e.id)}" for e in lesson.exercises]
    done = sum(memory.is_solved(e.id) or memory.prediction(e.id) is not None for e in lesson.exercises)
    return say(*lines, f"{done} of {len(lesson.exercises)} done.", memory.notice)


def state_message(lesson: Lesson, run: Sequence[str]) -> Message:
    """Whether the steps of a lesson ran in its order, and all of them.

    lesson : the lesson. run : the steps run so far, in order of their first time.
    Returns a Message, which begins with "All right" if they did.
    Raises nothing.

    >>> from simlib.lab.lessons.square import LESSON
    >>> state_message(LESSON, LESSON.order).lines[0]
    'All right: every cell ran, in order.'
    """
    skipped = [step for step in lesson.order if step not in run]
    places = [lesson.order.index(step) for step in run]
    if not skipped and places == sorted(places):
        return say("All right: every cell ran, in order.")
    problems = [f"Not run since the kernel started: {', '.join(skipped)}."] if skipped else []
    if places != sorted(places):
        problems.append(f"Run in another order than they stand in: {', '.join(run)}.")
    return say(*problems, "To be sure, use the menu Kernel: Restart Kernel and Run All Cells.")
