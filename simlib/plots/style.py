"""How figures look: three styles, and one fixed meaning for each colour.

The colours are Okabe and Ito's, which colour-blind readers can tell apart; only those with a contrast of at
least 3 on white draw lines. Colour never speaks alone: each role has its dash, marker and hatching too, and
its line a label at its end. Sizes are points (1/72 inch), as printed at the figure's own size.
"""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from simlib.errors import known

INK, PAPER, GRID = "#262626", "#ffffff", "#d9d9d9"
LETTER = 0.6  # width of a letter in heights of the text: DejaVu Sans, on average


@dataclass(frozen=True)
class Role:
    """What a mark stands for, as colour, dash (points on, points off), marker and hatching of a bar.

    A colour too faint for a line is `only_filled`: drawn with a dark edge, never as a line or a point.
    """

    colour: str
    grey: str
    dash: str | tuple[float, tuple[float, ...]]
    marker: str
    hatch: str
    only_filled: bool = False


ROLES = MappingProxyType(
    {
        "no lever": Role("#000000", "#000000", "-", "o", ""),
        "caching": Role("#0072B2", "#000000", (0, (6, 2)), "s", "//"),
        "compaction": Role("#009E73", "#4d4d4d", (0, (4, 1.5, 1, 1.5)), "^", ".."),
        "subagents": Role("#CC79A7", "#7f7f7f", (0, (2, 1.5)), "D", "xx"),
        "danger": Role("#D55E00", "#4d4d4d", (0, (1, 1)), "v", "\\\\"),
        "other": Role("#595959", "#7f7f7f", "-", "P", ""),
        "not counted": Role(PAPER, PAPER, "-", "h", "", only_filled=True),
        "read again": Role("#bfbfbf", "#bfbfbf", "-", "h", "//", only_filled=True),
    }
)


@dataclass(frozen=True)
class Style:
    """Sizes of a figure: inches at a resolution in dots per inch, text and lines in points."""

    name: str
    width: float
    height: float
    dpi: int
    label: float
    tick: float
    line: float
    marker: float
    grey: bool = False

    @property
    def large(self) -> bool:
        """Whether it is to be read from the back of a room."""
        return self.label >= 16


STYLES = MappingProxyType(
    {
        "screen": Style("screen", 7.2, 3.8, 100, label=11, tick=10, line=2, marker=7),
        "projector": Style("projector", 7.2, 3.8, 100, label=17.6, tick=16, line=3, marker=10),
        "print": Style("print", 6.3, 3.5, 200, label=9, tick=8, line=1.5, marker=5, grey=True),
    }
)


def style(name: str) -> Style:
    """One of the styles by name: screen, projector (letters 1.6 times as large) or print (safe in grey).

    name : of the style.
    Returns a Style, in inches and points.
    Raises UnknownName, which offers the styles there are.

    >>> style("projector").tick
    16
    """
    return STYLES[known("style", name, STYLES)]


def rc_parameters(chosen: Style) -> dict[Any, Any]:
    """Matplotlib's settings for a style, to be used for one drawing and never set for good.

    chosen : the style.
    Returns settings by matplotlib's names for them; sizes in points.
    Raises nothing.

    >>> rc_parameters(style("screen"))["axes.facecolor"]
    '#ffffff'
    """
    ink = {
        name: INK
        for name in ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")
    }
    paper = {name: PAPER for name in ("figure.facecolor", "savefig.facecolor", "axes.facecolor")}
    return (
        ink
        | paper
        | {
            "font.family": [
                "DejaVu Sans"
            ],  # it comes with matplotlib, so that pictures are the same everywhere
            "font.size": chosen.label,
            "axes.labelsize": chosen.label,
            "axes.titlesize": chosen.label,
            "xtick.labelsize": chosen.tick,
            "ytick.labelsize": chosen.tick,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.unicode_minus": False,
            "lines.linewidth": chosen.line,
            "lines.markersize": chosen.marker,
            "hatch.linewidth": chosen.line / 2,
            "svg.fonttype": "none",
            "svg.hashsalt": "simlib",
            "path.simplify": True,
            "path.simplify_threshold": 1.0,
        }
    )
