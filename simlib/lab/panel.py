"""A panel: a figure and what can be moved in it. It computes and draws; widgets come in `widgets`."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from types import MappingProxyType
from typing import Any, NamedTuple

from simlib.articles.figures.figure import Figure, Table
from simlib.lab.controls import Control, check_controls, values_of
from simlib.plots.canvas import Axes, Canvas
from simlib.plots.marks import guess as draw_guess
from simlib.plots.marks import remark

NO_GUESSES: Mapping[str, float] = MappingProxyType({})


class Mark(NamedTuple):
    """Where a reader's guess is drawn, in the units of the axes, and its label; see `plots.marks.guess`. A
    guess in `words` has no place of its own, and stands at the left edge.
    """

    x: float
    y: float
    text: str
    block: bool = False
    words: bool = False


class Shown(NamedTuple):
    """What a panel shows: the picture as `<svg>`, and the sentence that says it in words."""

    svg: str
    sentence: str


@dataclass(frozen=True)
class Panel:
    """A figure with its controls.

    `guesses` says of each prediction that belongs to the panel, by the exercise's id, where it is drawn: a
    function of the figure's data and of the number guessed, which gives None where the guess was about
    something else than the picture shows now.
    """

    id: str
    figure: Figure[Any]
    controls: tuple[Control, ...]
    guesses: Mapping[str, Callable[[Any, float], Mark | None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_controls(self.controls)

    def corners(self) -> Iterator[dict[str, Any]]:
        """Every combination of the least, middle and greatest value of each control."""
        for values in product(*(control.corners for control in self.controls)):
            yield dict(zip((control.name for control in self.controls), values, strict=True))

    def show(self, canvas: Canvas, guesses: Mapping[str, float] = NO_GUESSES, **values: Any) -> Shown:
        """Compute and draw.

        canvas : what to draw on. guesses : a reader's predictions, by exercise; those of other panels are
        left out. values : of the controls, in their units; the others stand at their defaults.
        Raises whatever the computation raises, and UnknownName or OutOfRange for values beyond the controls.
        """
        data = self.figure.data(**values_of(self.controls, values))

        def draw(ax: Axes) -> None:
            self.figure.draw(ax, data)
            for exercise, place in self.guesses.items():
                mark = place(data, guesses[exercise]) if exercise in guesses else None
                if mark and mark.words:
                    remark(ax, mark.y, mark.text)
                elif mark:
                    draw_guess(ax, mark.x, mark.y, mark.text, block=mark.block)

        return Shown(canvas.svg(draw), self.figure.sentence(data))

    def table(self, **values: Any) -> Table:
        """The figure's numbers as columns, with the controls at these values."""
        return self.figure.table(self.figure.data(**values_of(self.controls, values)))
