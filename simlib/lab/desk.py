"""The one object that a notebook talks to: `lab = open_lesson("02")`."""

from pathlib import Path
from typing import Any

from simlib.articles.facts import load_facts, select
from simlib.articles.reproduce import reproduce
from simlib.errors import BadArgument, known
from simlib.files import write_whole
from simlib.lab.beside import facts_message
from simlib.lab.exercise import Exercise
from simlib.lab.forms import Form
from simlib.lab.lesson import Lesson
from simlib.lab.lessons.all import LESSONS
from simlib.lab.marking import judge
from simlib.lab.memory import Memory
from simlib.lab.message import Message, say
from simlib.lab.panel import in_words, table_html
from simlib.lab.progress import progress_message, state_message
from simlib.lab.reading import read_number
from simlib.lab.report import report_page
from simlib.lab.still import still_image
from simlib.lab.widgets import STYLE, PanelWidget
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
    ...     open_lesson("02", folder).lesson.title
    'Why the bill grows like a square'
    """
    return Desk(LESSONS[known("lesson", number, LESSONS)], Path(folder))


class Desk:
    """A lesson in progress: its panels, its exercises, and what the student has done so far."""

    def __init__(self, lesson: Lesson, folder: Path) -> None:
        self.lesson, self.folder = lesson, folder
        self.memory = Memory(folder / f"answers-{lesson.number}.json")
        self.canvas = Canvas()
        self.run: list[str] = []  # what has been run since the kernel started, in order
        self.shown: dict[str, PanelWidget] = {}

    def _repr_html_(self) -> str:
        return Message(
            (f"Lesson {self.lesson.number}: {self.lesson.title}.", self.memory.notice)
        )._repr_html_()

    def style(self, name: str) -> Message:
        """Draw from now on for a `screen`, a `projector` (large letters) or for `print`."""
        self.canvas = Canvas(name)
        for widget in self.shown.values():
            widget.canvas = self.canvas
            widget.redraw()
        return say(f"Pictures are drawn for: {name}.")

    def panel(self, name: str, **values: Any) -> PanelWidget:
        """Sliders and their picture. Running the cell again starts the same panel afresh."""
        panel = self.lesson.panel(name)
        self._take(name)
        key = f"{name} {sorted(values.items())}"
        if key not in self.shown:
            self.shown[key] = PanelWidget(panel, self.canvas, self._guess(panel.predicts))
        widget = self.shown[key]
        widget.guess = self._guess(panel.predicts)
        widget.reset()
        if values:
            widget.set(**values)
        return widget

    def picture(self, name: str, **values: Any) -> Message:
        """The same picture without sliders, for paper and for pages that cannot move."""
        panel = self.lesson.panel(name)
        shown = panel.show(self.canvas, self._guess(panel.predicts), **values)
        return Message((shown.sentence,), f"{STYLE}{still_image(shown)}{in_words(shown.sentence)}")

    def table(self, name: str, **values: Any) -> Message:
        """The numbers behind a panel's picture."""
        panel = self.lesson.panel(name)
        table = panel.table(**values)
        lines = [", ".join(map(str, row)) for row in zip(*table.values(), strict=True)]
        return Message((", ".join(table), *lines), STYLE + table_html(table, panel.figure.title))

    def facts(self, *names: str) -> Message:
        """Published numbers of the articles, by id or part, with ours beside them."""
        published = load_facts()
        return facts_message(reproduce([fact for name in names for fact in select(published, name)]))

    def predict(self, name: str, guess: Any = None) -> Form | Message:
        """A box for a guess, which the next picture shows as a hollow diamond; or the guess itself."""
        exercise = self.lesson.exercise(name)
        late = self._take(name)
        if guess is None or guess is ...:
            before = self.memory.prediction(name)
            typed = "" if before is None else _shown(exercise, before)
            return Form(exercise, [typed], {"Keep my guess": lambda given: self.predict(name, given)}, late)
        try:
            number = exercise.understood(read_number(guess, "your guess"))
        except BadArgument as error:
            return say(f"{error}.", late)
        self.memory.keep_prediction(name, number)
        for widget in self.shown.values():
            if widget.panel.predicts == name:
                widget.guess = number
                widget.redraw()
        return say(f"Kept: {_shown(exercise, number)}. Now look.", self.memory.notice, late)

    def check(self, name: str, *given: Any) -> Form | Message:
        """Boxes for an answer, with hints; or, given the answers themselves, what is right or wrong."""
        exercise = self.lesson.exercise(name)
        late = self._take(name)
        if not given or given == (...,):
            tries = self.memory.tries(name)
            typed = [str(text) for text in tries[-1]["given"]] if tries else []
            typed = typed if len(typed) == len(exercise.parts) else [""] * len(exercise.parts)
            note = "Solved before: correct." if self.memory.is_solved(name) else late
            return Form(exercise, typed, self._buttons(name), note)
        verdict = judge(exercise, given)
        if any(answer not in ("", ...) for answer in given):
            self.memory.keep_try(name, [_as_typed(answer) for answer in given], verdict.right)
        return say(*verdict.lines, self._next(exercise, verdict.right), self.memory.notice, late)

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
            first = (
                "predict" if exercise.kind == "predict" else f"try {TRIES_BEFORE_REVEAL - tries} more time(s)"
            )
            return say(f"First {first}: what you have thought about, you keep.")
        self.memory.keep_revealed(name)
        said = (
            [] if guess is None else [f"You guessed {_shown(exercise, guess)}. {_of_guess(exercise, guess)}"]
        )
        return say(*said, exercise.solution)

    def progress(self) -> Message:
        """What is done and what is open."""
        return progress_message(self.lesson, self.memory)

    def state_ok(self) -> Message:
        """Whether the cells ran in order since the kernel started."""
        return state_message(self.lesson, self.run)

    def export_report(self, name: str = "") -> Message:
        """Write one page to hand in, beside the notebook.

        name : of whoever hands it in.
        """
        path = self.folder / f"report-{self.lesson.number}.html"
        write_whole(path, report_page(self.lesson, self.memory, name))
        return say(f"Made {path.name}, beside this notebook. Open it in a browser, print it or hand it in.")

    def start_again(self) -> Message:
        """Forget this lesson's guesses and answers."""
        self.memory.forget()
        return say("Forgotten. Restart the kernel and run all cells to begin.")

    def _take(self, name: str) -> str:
        """Note that a step is run; what to say if earlier ones were left out."""
        skipped = [step for step in self.lesson.before(name) if step not in self.run]
        if name not in self.run:
            self.run.append(name)
        if not skipped:
            return ""
        return (
            f"Not run since the kernel started: {', '.join(skipped)}. "
            "The menu Run has: Run All Above Selected Cell."
        )

    def _guess(self, name: str) -> float | None:
        return self.memory.prediction(name) if name else None

    def _buttons(self, name: str) -> dict[str, Any]:
        return {
            "Check": lambda *given: self.check(name, *given),
            "Hint": lambda *_: self.hint(name),
            "Reveal": lambda *_: self.reveal(name),
        }

    def _next(self, exercise: Exercise, right: bool) -> str:
        if right:
            return exercise.solution
        tries, hints = len(self.memory.tries(exercise.id)), self.memory.hints(exercise.id)
        if hints < len(exercise.hints):
            return f"There are {len(exercise.hints) - hints} hints left." if tries else ""
        return "Reveal shows the answer." if tries >= TRIES_BEFORE_REVEAL else ""


def _of_guess(exercise: Exercise, guess: float) -> str:
    return "That is right." if exercise.is_right(0, guess) else exercise.diagnosis(0, guess)


def _shown(exercise: Exercise, guess: float) -> str:
    return f"{guess * 100:.4g} %" if exercise.percent else f"{guess:,.6g}"


def _as_typed(answer: Any) -> str:
    return answer if isinstance(answer, str) else "" if answer is ... else f"{float(answer):.12g}"
