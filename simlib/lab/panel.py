"""A panel: a figure and what can be moved in it. It computes and draws; widgets come in `widgets`."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import product
from typing import Any, NamedTuple

from simlib.articles.figures.figure import Figure, Table
from simlib.lab.controls import Control, check_controls, values_of
from simlib.plots.canvas import Axes, Canvas
from simlib.plots.marks import guess as draw_guess
from simlib.plots.svg import with_own_ids


class Mark(NamedTuple):
    """Where a reader's guess is drawn, in the units of the axes, and its label."""

    x: float
    y: float
    text: str


class Shown(NamedTuple):
    """What a panel shows: the picture as `<svg>`, the sentence, and the figure's data."""

    svg: str
    sentence: str
    data: Any


@dataclass(frozen=True, init=False)
class Panel:
    """A figure with its controls. `predicts` is the prediction that it draws, `place_guess` says where."""

    figure: Figure[Any]
    controls: tuple[Control, ...]
    predicts: str
    place_guess: Callable[[Any, float], Mark] | None

    def __init__(
        self,
        figure: Figure[Any],
        *controls: Control,
        predicts: str = "",
        place_guess: Callable[[Any, float], Mark] | None = None,
    ) -> None:
        check_controls(controls)
        for name, value in {
            "figure": figure,
            "controls": controls,
            "predicts": predicts,
            "place_guess": place_guess,
        }.items():
            object.__setattr__(self, name, value)

    def corners(self) -> Iterator[dict[str, Any]]:
        """Every combination of the least, middle and greatest value of each control."""
        for values in product(*(control.corners for control in self.controls)):
            yield dict(zip((control.name for control in self.controls), values, strict=True))

    def show(self, canvas: Canvas, guess: float | None = None, **values: Any) -> Shown:
        """Compute and draw.

        canvas : what to draw on. guess : a reader's prediction, if there is one. values : of the controls, in
        their units; the others stand at their defaults.
        Raises whatever the computation raises, and UnknownName or OutOfRange for values beyond the controls.
        """
        data = self.figure.compute(**values_of(self.controls, values))

        def draw(ax: Axes) -> None:
            self.figure.draw(ax, data)
            if guess is not None and self.place_guess:
                draw_guess(ax, *self.place_guess(data, guess))

        return Shown(canvas.svg(draw), self.figure.sentence(data), data)

    def table(self, **values: Any) -> Table:
        """The figure's numbers as columns, with the controls at these values."""
        return self.figure.table(self.figure.compute(**values_of(self.controls, values)))


def picture_html(shown: Shown, name: str) -> str:
    """A picture with a text alternative, and the same sentence under it for everyone.

    shown : what a panel shows. name : of the place that it is shown at, used by no other on the page.
    Returns HTML.
    Raises nothing.

    >>> picture_html(Shown("<svg></svg>", "Eight calls.", None), "left").count("Eight calls.")
    2
    """
    named = f'<svg role="img" aria-label="{escape(shown.sentence)}" style="width:100%;height:auto" '
    svg = with_own_ids(shown.svg, f"{name}-").replace("<svg", named, 1)
    return f'<div class="simlib-picture">{svg}</div>{in_words(shown.sentence)}'


def in_words(sentence: str) -> str:
    """The sentence under a picture.

    sentence : what the picture shows.
    Returns HTML, dark on white in every theme.
    Raises nothing.

    >>> "In words" in in_words("Eight calls.")
    True
    """
    return f'<p class="simlib-words"><b>In words:</b> {plain_text(sentence)}</p>'


def table_html(table: Table, caption: str) -> str:
    """A figure's numbers as a table.

    table : columns by name, with units. caption : what they are.
    Returns HTML.
    Raises nothing.

    >>> "<td>1,358</td>" in table_html({"tokens": [1358]}, "read")
    True
    """
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in table)
    rows = "".join(
        f"<tr>{''.join(f'<td>{_cell(value)}</td>' for value in row)}</tr>"
        for row in zip(*table.values(), strict=True)
    )
    return (
        f"<table class=simlib-table><caption>{plain_text(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    )


def plain_text(text: str) -> str:
    """Text as HTML in which nothing is markup, and two dollar signs are no formula to Jupyter.

    text : any.
    Returns HTML.
    Raises nothing.

    >>> plain_text("$6.11 < $50")
    '<span>$</span>6.11 &lt; <span>$</span>50'
    """
    return escape(text).replace("$", "<span>$</span>")


def _cell(value: Any) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return plain_text(str(value))
