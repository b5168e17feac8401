"""A lesson as data: what a notebook shows and asks, in the order in which it does."""

from collections.abc import Mapping
from dataclasses import dataclass

from simlib.errors import known
from simlib.lab.exercise import Exercise
from simlib.lab.panel import Panel


@dataclass(frozen=True)
class Lesson:
    """One notebook: its exercises (predictions among them), its panels, and the order of both.

    `teaching` and `exercising` are minutes; estimates, until classes have measured them.
    """

    number: str
    title: str
    teaching: int
    exercising: int
    exercises: tuple[Exercise, ...]
    panels: Mapping[str, Panel]
    order: tuple[str, ...]

    def exercise(self, name: str) -> Exercise:
        """The exercise of that id."""
        by_name = {exercise.id: exercise for exercise in self.exercises}
        return by_name[known("exercise", name, by_name)]

    def panel(self, name: str) -> Panel:
        """The panel of that name."""
        return self.panels[known("panel", name, self.panels)]

    def before(self, name: str) -> tuple[str, ...]:
        """What the notebook has done before it comes to this."""
        return self.order[: self.order.index(known("step", name, self.order))]
