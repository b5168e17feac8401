"""The gallery: every figure as SVG, PNG and CSV in one folder, and a page that shows them.

The page puts each picture beside its sentence, the published values, ours, and the code that draws it.
"""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from simlib.articles.facts import load_facts, select
from simlib.articles.figures.figure import Figure, csv_text
from simlib.articles.figures.registry import FIGURES
from simlib.articles.report import PLAIN_COLUMNS, plain_row
from simlib.articles.reproduce import reproduce
from simlib.errors import BadArgument
from simlib.files import write_whole
from simlib.plots.canvas import Canvas
from simlib.plots.svg import described

_HEAD = """# Figures

Each one is drawn from numbers that simlib computes, by `simlib figures` (and by `simlib reproduce`). The
sentence below a picture says the same in words. Beside each picture lies its table as CSV.
"""


class Drawn(NamedTuple):
    """A figure with its data, computed and drawn once for whoever shows it, and what it was drawn on."""

    figure: Figure[Any]
    data: Any
    svg: str
    canvas: Canvas


def draw_all(style_name: str = "screen") -> list[Drawn]:
    """Every figure, drawn.

    style_name : screen, projector or print.
    Returns a Drawn for each figure, in the order of the gallery.
    Raises UnknownName for the style.

    >>> [drawn.figure.id for drawn in draw_all()][0]
    'growth-staircase'
    """
    canvas = Canvas(style_name)
    computed = [(figure, figure.data()) for figure in FIGURES]
    return [Drawn(figure, data, figure.svg(canvas, data), canvas) for figure, data in computed]


def write_gallery(folder: Path, drawn: Sequence[Drawn]) -> list[Path]:
    """Write SVG, PNG and CSV of every figure, and the page README.md.

    folder : where to; made if its parent exists. drawn : as from `draw_all`.
    Returns the files written, the page last. Two runs write the same bytes.
    Raises BadArgument if the folder has a README.md that is not such a page, OSError as the disk gives it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as parent:
    ...     print(write_gallery(Path(parent) / "figures", draw_all())[-1].name)
    README.md
    """
    page = folder / "README.md"
    if page.is_file() and not page.read_text(encoding="utf-8", errors="replace").startswith(_HEAD):
        raise BadArgument("folder", str(folder), "a folder without a README.md, or with one that simlib made")
    folder.mkdir(exist_ok=True)
    contents: dict[str, str | bytes] = {}
    for figure, data, svg, canvas in drawn:
        contents[f"{figure.id}.svg"] = f'<?xml version="1.0" encoding="UTF-8"?>\n{svg}\n'
        contents[f"{figure.id}.png"] = figure.png(canvas, data)
        contents[f"{figure.id}.csv"] = csv_text(figure.table(data))
    contents["README.md"] = "\n".join([_HEAD, *(gallery_entry(one.figure, one.data) for one in drawn)])
    for name, content in contents.items():
        write_whole(folder / name, content)
    return [folder / name for name in contents]


def gallery_entry(figure: Figure[Any], data: Any) -> str:
    """One figure's part of the page, as Markdown.

    figure : the figure. data : what it shows.
    Returns text: heading, picture, sentence, published values beside ours, and which code draws it.
    Raises UnknownName for a fact that does not exist.

    >>> print(gallery_entry(FIGURES[0], FIGURES[0].data()).splitlines()[0])
    ## The bill is the area, not the last bar
    """
    sentence = figure.sentence(data)
    facts = [fact for name in figure.facts for fact in select(load_facts(), name)]
    code = figure.draw.__module__.replace(".", "/") + ".py"  # no link: the page may lie anywhere
    return "\n".join(
        [
            f"## {figure.title}\n",
            f"![{sentence}]({figure.id}.svg)\n",
            f"{sentence}\n",
            f"After {figure.passage}. Drawn by `{code}`; as a table:",
            f"[{figure.id}.csv]({figure.id}.csv); to print: [{figure.id}.png]({figure.id}.png).\n",
            f"| {' | '.join(PLAIN_COLUMNS)} |\n|---|---|---|---|---|",
            *(f"| {' | '.join(plain_row(record))} |" for record in reproduce(facts)),
            "",
        ]
    )


def page_figures(drawn: Sequence[Drawn]) -> str:
    """Every figure for a page of HTML, each with its sentence.

    drawn : as from `draw_all`.
    Returns `<figure>` elements.
    Raises nothing.

    >>> page_figures(draw_all()).count("<figure ")
    9
    """
    return "\n".join(map(_html_figure, drawn))


def _html_figure(drawn: Drawn) -> str:
    figure, sentence = drawn.figure, drawn.figure.sentence(drawn.data)
    picture = described(drawn.svg, sentence, figure.id)
    return (
        f"<figure id={figure.id}><h3>{escape(figure.title)}</h3>{picture}<figcaption>{escape(sentence)} "
        f"After {escape(figure.passage)}.</figcaption></figure>"
    )
