"""Turning a drawing into SVG or PNG: one matplotlib figure, drawn on again and again.

No pyplot, so that nothing global is kept: a slider may redraw for hours.
"""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import IO, Any

import matplotlib
import matplotlib.style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simlib.plots.style import Style, rc_parameters, style
from simlib.plots.svg import shortened

Draw = Callable[[Axes], object]

__all__ = ["Axes", "Canvas", "Draw"]


class Sheet(Figure):
    """A matplotlib figure that knows the style it is drawn in."""

    style: Style


class Canvas:
    """Draws in one style, named `screen`, `projector` or `print`; the figure behind it is reused."""

    def __init__(self, style_name: str = "screen") -> None:
        self.style = style(style_name)
        with _settings(self.style):
            self._sheet = Sheet(figsize=(self.style.width, self.style.height), dpi=self.style.dpi)
        self._sheet.style = self.style

    def svg(self, draw: Draw) -> str:
        """The drawing as an `<svg>` element without a file's head: short, and the same every time."""
        written = io.StringIO()
        self._save(draw, written, "svg")
        return shortened(written.getvalue())

    def png(self, draw: Draw) -> bytes:
        """The drawing as the bytes of a PNG file, at the style's resolution."""
        written = io.BytesIO()
        self._save(draw, written, "png")
        return written.getvalue()

    def _save(self, draw: Draw, target: IO[Any], form: str) -> None:
        no_metadata: dict[str, dict[str, str | datetime | None]] = {
            "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
            "png": {"Software": None},
        }
        with _settings(self.style):
            self._sheet.clear()
            draw(self._sheet.add_axes(self._box()))
            self._sheet.savefig(target, format=form, metadata=no_metadata[form])

    def _box(self) -> tuple[float, float, float, float]:
        """Left, bottom, width and height of the Axes, as shares of the figure: letters need margins."""
        left, bottom = (
            0.09 * (self.style.tick / self.style.width),
            0.056 * (self.style.tick / self.style.height),
        )
        return left, bottom, 0.97 - left, 0.95 - bottom


@contextmanager
def _settings(chosen: Style) -> Iterator[None]:
    """Matplotlib's own defaults and ours, whatever a user has set for his figures."""
    with matplotlib.style.context("default"), matplotlib.rc_context(rc_parameters(chosen)):
        yield


def style_of(ax: Axes) -> Style:
    """The style that a drawing is made in; the screen's where the Axes belong to a figure of someone else's.

    ax : the Axes that are drawn on.
    Returns a Style.
    Raises nothing.

    >>> style_of(Figure().add_subplot()).name
    'screen'
    """
    sheet = ax.figure.figure  # of a subfigure, the figure that holds it
    return sheet.style if isinstance(sheet, Sheet) else style("screen")
