"""A lesson as data: what a notebook shows and asks, in the order in which it does."""

from dataclasses import dataclass

from simlib.errors import BadArgument, known
from simlib.lab.exercise import Exercise
from simlib.lab.panel import Panel
from simlib.lab.scene import Play


@dataclass(frozen=True)
class Lesson:
    """One notebook: its panels, plays and exercises (predictions among them) as `steps`, in its order.

    `teaching` and `exercising` are minutes; estimates, until classes have measured them.
    """

    number: str
    title: str
    teaching: int
    exercising: int
    steps: tuple[Exercise | Panel | Play, ...]

    def __post_init__(self) -> None:
        if len(set(self.order)) < len(self.order):
            raise BadArgument("steps", self.order, "steps with an id of their own each")
        for name in {name for panel in self.panels for name in panel.guesses}:
            known("guess", name, [exercise.id for exercise in self.exercises if exercise.kind == "predict"])

    @property
    def order(self) -> tuple[str, ...]:
        """The ids of all steps."""
        return tuple(step.id for step in self.steps)

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """What is asked, predictions included."""
        return tuple(step for step in self.steps if isinstance(step, Exercise))

    @property
    def panels(self) -> tuple[Panel, ...]:
        """What can be moved."""
        return tuple(step for step in self.steps if isinstance(step, Panel))

    @property
    def plays(self) -> tuple[Play, ...]:
        """What can be played through."""
        return tuple(step for step in self.steps if isinstance(step, Play))

    def exercise(self, name: str) -> Exercise:
        """The exercise of that id."""
        by_id = {exercise.id: exercise for exercise in self.exercises}
        return by_id[known("exercise", name, by_id)]

    def panel(self, name: str) -> Panel:
        """The panel of that id."""
        by_id = {panel.id: panel for panel in self.panels}
        return by_id[known("panel", name, by_id)]

    def play(self, name: str) -> Play:
        """The play of that id."""
        by_id = {play.id: play for play in self.plays}
        return by_id[known("play", name, by_id)]

    def before(self, name: str) -> tuple[str, ...]:
        """What the notebook has done before it comes to this."""
        return self.order[: self.order.index(known("step", name, self.order))]
