"""How far a student has come, and whether the notebook ran from top to bottom."""

from collections.abc import Sequence

from simlib.lab.exercise import Exercise
from simlib.lab.lesson import Lesson
from simlib.lab.memory import Memory


def is_done(exercise: Exercise, memory: Memory) -> bool:
    """Whether an exercise is solved, or a prediction made.

    exercise : the exercise. memory : of the student.
    Returns True or False.
    Raises nothing.

    >>> from pathlib import Path
    >>> from simlib.lab.lessons.square import EIGHT
    >>> is_done(EIGHT, Memory(Path("nowhere.json")))
    False
    """
    return memory.is_solved(exercise.id) or (
        exercise.kind == "predict" and memory.prediction(exercise.id) is not None
    )


def standing(exercise: Exercise, memory: Memory) -> str:
    """Where an exercise stands, in words.

    exercise : the exercise. memory : of the student.
    Returns text.
    Raises nothing.

    >>> from pathlib import Path
    >>> from simlib.lab.lessons.square import EIGHT
    >>> standing(EIGHT, Memory(Path("nowhere.json")))
    'open'
    """
    rights = [attempt["right"] for attempt in memory.tries(exercise.id)]
    tries = rights.index(True) + 1 if True in rights else len(rights)
    guess = memory.prediction(exercise.id)
    counted = f"{tries} {'try' if tries == 1 else 'tries'}"
    if exercise.kind == "predict" and guess is not None:
        return f"predicted {exercise.named(guess)}"
    if memory.is_solved(exercise.id):
        return f"solved after {counted}"
    return f"open, {counted}" if tries else "open"


def progress_lines(lesson: Lesson, memory: Memory) -> list[str]:
    """The exercises of a lesson, each with where it stands, and how many are done.

    lesson : the lesson. memory : of the student.
    Returns lines of text.
    Raises nothing.

    >>> from pathlib import Path
    >>> from simlib.lab.lessons.square import LESSON
    >>> progress_lines(LESSON, Memory(Path("nowhere.json")))[-1]
    '0 of 6 done.'
    """
    done = sum(is_done(exercise, memory) for exercise in lesson.exercises)
    lines = [f"{exercise.id}: {standing(exercise, memory)}" for exercise in lesson.exercises]
    return [*lines, f"{done} of {len(lesson.exercises)} done."]


def order_lines(lesson: Lesson, run: Sequence[str]) -> list[str]:
    """Whether the steps of a lesson ran in its order, and all of them.

    lesson : the lesson. run : the steps run so far, in order of their first time.
    Returns lines of text; the only one begins with "All right" if they did.
    Raises nothing.

    >>> from simlib.lab.lessons.square import LESSON
    >>> order_lines(LESSON, LESSON.order)
    ['All right: every guess, panel and exercise ran, in order.']
    """
    skipped = [step for step in lesson.order if step not in run]
    places = [lesson.order.index(step) for step in run]
    if not skipped and places == sorted(places):
        return ["All right: every guess, panel and exercise ran, in order."]
    problems = [f"Not run since the kernel started: {', '.join(skipped)}."] if skipped else []
    if places != sorted(places):
        problems.append(f"Run in another order than they stand in: {', '.join(run)}.")
    return [*problems, "To be sure, use the menu Kernel: Restart Kernel and Run All Cells."]
