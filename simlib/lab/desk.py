"""The one object that a notebook talks to: `lab = open_lesson("02")`."""

from pathlib import Path
from typing import Any

import numpy as np

from simlib.articles.facts import load_facts, select
from simlib.articles.reproduce import reproduce
from simlib.errors import BadArgument, known
from simlib.files import write_whole
from simlib.lab.beside import facts_message
from simlib.lab.controls import values_of
from simlib.lab.exercise import Exercise
from simlib.lab.forms import Form
from simlib.lab.html import CSS, still_picture, table_html
from simlib.lab.lesson import Lesson
from simlib.lab.lessons.all import LESSONS
from simlib.lab.marking import check_possible, is_blank, is_number, judge
from simlib.lab.memory import Memory
from simlib.lab.message import Message, say
from simlib.lab.plays import PlayWidget
from simlib.lab.progress import order_lines, progress_lines
from simlib.lab.reading import read_number
from simlib.lab.report import report_page
from simlib.lab.widgets import PanelWidget
from simlib.plots.canvas import Canvas

TRIES_BEFORE_REVEAL = 2


def open_lesson(number: str, folder: Path | str = ".") -> "Desk":
    """Begin a lesson, or go on with it.

    number : of the notebook, such as "02". folder : where the student's answers are kept, the notebook's own
    by default.
    Returns a Desk.
    Raises UnknownName for a lesson that does not exist.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     open_lesson("02", folder)
    Lesson 02: Why the bill grows like a square.
    """
    return Desk(LESSONS[known("lesson", number, LESSONS)], Path(folder))


class Desk:
    """A lesson in progress: its panels, its exercises, and what the student has done so far."""

    def __init__(self, lesson: Lesson, folder: Path) -> None:
        self.lesson, self.folder = lesson, folder
        self.memory = Memory(folder / f"answers-{lesson.number}.json")
        self.canvas = Canvas()
        self.steps_run: list[str] = []  # since the kernel started, in order of their first time
        self.widgets: dict[str, PanelWidget] = {}
        self.plays: dict[str, PlayWidget] = {}

    def __repr__(self) -> str:
        return str(self._greeting())

    def _repr_html_(self) -> str:
        return self._greeting()._repr_html_()

    def style(self, name: str) -> Message:
        """Draw from now on for a `screen`, a `projector` (large letters) or for `print`."""
        self.canvas = Canvas(name)
        for widget in self.widgets.values():
            widget.canvas = self.canvas
            widget.redraw()
        for play in self.plays.values():
            play.canvas = self.canvas
            play.redraw()
        return say(f"Pictures are drawn for: {name}.")

    def panel(self, name: str, **values: Any) -> PanelWidget:
        """Sliders and their picture, starting at these values. The same cell run again starts it anew."""
        panel = self.lesson.panel(name)
        values_of(panel.controls, values)  # refuses wrong values before anything is shown
        self._note_step(name)
        key = f"{name} {sorted(values.items())}"
        if key not in self.widgets:
            self.widgets[key] = PanelWidget(panel, self.canvas, self._guesses(), **values)
        else:
            self.widgets[key].guesses = self._guesses()
            self.widgets[key].reset(**values)
        return self.widgets[key]

    def play(self, name: str) -> PlayWidget:
        """A run in which you decide, from its beginning."""
        self._note_step(name)
        self.plays[name] = PlayWidget(self.lesson.play(name), self.canvas)
        return self.plays[name]

    def picture(self, name: str, **values: Any) -> Message:
        """The same picture without sliders, for paper and for pages that cannot move."""
        svg, sentence = self.lesson.panel(name).show(self.canvas, self._guesses(), **values)
        return Message((sentence,), still_picture(svg, sentence, self.canvas.style.large))

    def table(self, name: str, **values: Any) -> Message:
        """The numbers behind a panel's picture."""
        panel = self.lesson.panel(name)
        table = panel.table(**values)
        lines = [", ".join(map(str, row)) for row in zip(*table.values(), strict=True)]
        return Message((", ".join(table), *lines), CSS + table_html(table, panel.figure.title))

    def facts(self, *names: str) -> Message:
        """Published numbers of the articles, by id or part, with ours beside them; all without a name."""
        published = load_facts()
        return facts_message(
            reproduce([fact for name in names for fact in select(published, str(name))] or published)
        )

    def predict(self, name: str, guess: Any = None) -> Form | Message:
        """A box for a guess, which its panel then shows as a hollow diamond; or, given the guess, keep it."""
        exercise = self.lesson.exercise(name)
        known("prediction", name, [one.id for one in self.lesson.exercises if one.kind == "predict"])
        note = self._note_step(name)
        if is_blank(guess):
            before = self.memory.prediction(name)
            typed = "" if before is None else f"{before:.0f}" if exercise.options else exercise.named(before)
            keep = {"Keep my guess": lambda typed: self._keep_guess(exercise, typed)}
            return Form(exercise, [typed], keep, note, large=self.canvas.style.large)
        return self._keep_guess(exercise, guess, note)

    def check(self, name: str, *given: Any) -> Form | Message:
        """Boxes for an answer, with hints; or, given the answers themselves, what is right or wrong."""
        exercise = self.lesson.exercise(name)
        note = self._note_step(name)
        answers = _one_by_one(given)
        if all(map(is_blank, answers)):
            note = "Solved before: correct." if self.memory.is_solved(name) else note
            typed = self._typed_before(exercise)
            return Form(exercise, typed, self._buttons(exercise), note, large=self.canvas.style.large)
        return self._judge(exercise, answers, note)

    def hint(self, name: str) -> Message:
        """The next of three hints: the idea, the formula, the first line of the sum."""
        hints = self.lesson.exercise(name).hints
        taken = min(self.memory.hints(name) + 1, len(hints))
        self.memory.keep_hints(name, taken)
        return say(*(f"Hint {at + 1} of {len(hints)}: {hints[at]}" for at in range(taken)))

    def reveal(self, name: str) -> Message:
        """The answer and how it comes about, after a prediction or two tries."""
        exercise = self.lesson.exercise(name)
        guess, tries = self.memory.prediction(name), len(self.memory.tries(name))
        if guess is None and tries < TRIES_BEFORE_REVEAL and not self.memory.is_solved(name):
            times = ("one more time", "twice")[TRIES_BEFORE_REVEAL - tries - 1]
            first = "make your guess" if exercise.kind == "predict" else f"try {times}"
            return say(f"First {first}: what you have thought about, you keep.")
        self.memory.keep_revealed(name)
        if guess is None:
            return say(exercise.solution)
        reason = "That is right." if exercise.is_right(0, guess) else exercise.diagnosis(0, guess)
        return say(f"You guessed {exercise.named(guess)}. {reason}".strip(), exercise.solution)

    def progress(self) -> Message:
        """What is done and what is open."""
        return say(*progress_lines(self.lesson, self.memory), self.memory.notice)

    def state_ok(self) -> Message:
        """Whether the cells ran in order since the kernel started."""
        return say(*order_lines(self.lesson, self.steps_run))

    def finish(self) -> Message:
        """What is done, whether the cells ran in order, and how to hand in."""
        hand_in = 'To hand in, run lab.export_report("your name") in a cell of its own.'
        return say(*self.progress().lines, *self.state_ok().lines, hand_in)

    def export_report(self, name: str = "") -> Message:
        """Write one page to hand in, beside the notebook; `name` is that of whoever hands it in."""
        path = self.folder / f"report-{self.lesson.number}.html"
        write_whole(path, report_page(self.lesson, self.memory, name))
        return say(f"Made {path.name}, beside this notebook. Open it in a browser, print it or hand it in.")

    def start_again(self) -> Message:
        """Forget this lesson's guesses and answers."""
        self.memory.forget()
        return say("Forgotten. Restart the kernel and run all cells to begin.")

    def _greeting(self) -> Message:
        return say(f"Lesson {self.lesson.number}: {self.lesson.title}.", self.memory.notice)

    def _note_step(self, name: str) -> str:
        """Remember that a step runs; gives what to say if earlier ones were left out."""
        skipped = [step for step in self.lesson.before(name) if step not in self.steps_run]
        if name not in self.steps_run:
            self.steps_run.append(name)
        if not skipped:
            return ""
        menu = "The menu Run has: Run All Above Selected Cell."
        return f"Not run since the kernel started: {', '.join(skipped)}. {menu}"

    def _guesses(self) -> dict[str, float]:
        guesses = {exercise.id: self.memory.prediction(exercise.id) for exercise in self.lesson.exercises}
        return {name: guess for name, guess in guesses.items() if guess is not None}

    def _keep_guess(self, exercise: Exercise, typed: Any, note: str = "") -> Message:
        if exercise.options and not (is_number(typed) and read_number(typed) in exercise.option_numbers):
            offered = "; ".join(f"{at}. {exercise.named(at)}" for at in exercise.option_numbers)
            return say(f"Choose one of these first: {offered}.", note)
        try:
            guess = read_number(typed, "your guess", percent=exercise.percent)
            check_possible(exercise, guess)
        except BadArgument as error:
            return say(f"{error}.", note)
        self.memory.keep_prediction(exercise.id, guess)
        for widget in self.widgets.values():
            if exercise.id in widget.panel.guesses:
                widget.guesses = self._guesses()
                widget.redraw()
        return say(f"Kept: {exercise.named(guess)}. Now look.", self.memory.notice, note)

    def _judge(self, exercise: Exercise, answers: list[Any], note: str = "") -> Message:
        verdict = judge(exercise, answers)
        if any(map(is_number, answers)):
            self.memory.keep_try(exercise.id, [_as_typed(answer) for answer in answers], verdict.right)
        more = exercise.solution if verdict.right else self._what_helps(exercise)
        return say(*verdict.lines, more, self.memory.notice, note)

    def _what_helps(self, exercise: Exercise) -> str:
        left = len(exercise.hints) - self.memory.hints(exercise.id)
        if left:
            return f"{left} hint{'s' if left > 1 else ''} left."
        return (
            "Reveal shows the answer." if len(self.memory.tries(exercise.id)) >= TRIES_BEFORE_REVEAL else ""
        )

    def _typed_before(self, exercise: Exercise) -> list[str]:
        tries = self.memory.tries(exercise.id)
        right = [attempt for attempt in tries if attempt["right"]]
        typed = list((right or tries)[-1]["given"]) if tries else []
        return typed if len(typed) == len(exercise.parts) else [""] * len(exercise.parts)

    def _buttons(self, exercise: Exercise) -> dict[str, Any]:
        return {
            "Check": lambda *typed: self._judge(exercise, list(typed)),
            "Hint": lambda *_: self.hint(exercise.id),
            "Reveal": lambda *_: self.reveal(exercise.id),
        }


def _one_by_one(given: tuple[Any, ...]) -> list[Any]:
    """Answers given one by one, or together in one list or array."""
    if len(given) == 1 and isinstance(given[0], (list, tuple, np.ndarray)):
        return list(given[0].ravel() if isinstance(given[0], np.ndarray) else given[0])
    return list(given)


def _as_typed(answer: Any) -> str:
    if isinstance(answer, str):
        return answer
    if is_number(answer):
        return f"{read_number(answer):.12g}"
    return "" if is_blank(answer) else str(answer)
