"""The gallery: every figure as SVG, PNG and CSV in one folder, and a page that shows them.

The page puts each picture beside its sentence, the published values, ours, and the code that draws it.
"""

from html import escape
from pathlib import Path
from typing import Any

from simlib.articles.facts import elements, load_facts, select
from simlib.articles.figures.figure import Figure, csv_text
from simlib.articles.figures.registry import FIGURES
from simlib.articles.report import shown, shown_ours
from simlib.articles.reproduce import Record, reproduce
from simlib.files import write_whole
from simlib.plots.canvas import Canvas
from simlib.plots.svg import with_own_ids

_HEAD = """# Figures

Each one is drawn from numbers that simlib computes, by `simlib figures` (and by `simlib reproduce`). The
sentence below a picture says the same in words. Beside each picture lies its table as CSV.
"""


def write_gallery(folder: Path, style_name: str = "screen") -> list[Path]:
    """Write SVG, PNG and CSV of every figure, and the page README.md.

    folder : where to; made if its parent exists. style_name : screen, projector or print.
    Returns the files written, the page last. Two runs write the same bytes.
    Raises UnknownName for the style, OSError as the disk gives it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as parent:
    ...     print(write_gallery(Path(parent) / "figures")[-1].name)
    README.md
    """
    canvas = Canvas(style_name)
    folder.mkdir(exist_ok=True)
    written, parts = [], [_HEAD]
    for figure in FIGURES:
        data = figure.compute()
        contents: dict[str, str | bytes] = {
            "svg": stand_alone(figure.svg(canvas, data)) + "\n",
            "png": figure.png(canvas, data),
            "csv": csv_text(figure.table(data)),
        }
        for ending, content in contents.items():
            written.append(folder / f"{figure.id}.{ending}")
            write_whole(written[-1], content)
        parts.append(gallery_entry(figure, data))
    written.append(folder / "README.md")
    write_whole(written[-1], "\n".join(parts))
    return written


def gallery_entry(figure: Figure[Any], data: Any) -> str:
    """One figure's part of the page, as Markdown.

    figure : the figure. data : what it shows.
    Returns text: heading, picture, sentence, published values beside ours, and which code draws it.
    Raises UnknownName for a fact that does not exist.

    >>> print(gallery_entry(FIGURES[0], FIGURES[0].compute()).splitlines()[0])
    ## The bill is the area, not the last bar
    """
    sentence = figure.sentence(data)
    facts = [fact for name in figure.facts for fact in select(load_facts(), name)]
    code = figure.draw.__module__.replace(".", "/") + ".py"
    return "\n".join(
        [
            f"## {figure.title}\n",
            f"![{sentence}]({figure.id}.svg)\n",
            f"{sentence}\n",
            f"After {figure.passage}. Drawn by [`{figure.draw.__name__}`](../{code}); as a table:",
            f"[{figure.id}.csv]({figure.id}.csv); to print: [{figure.id}.png]({figure.id}.png).\n",
            "| published number | published | ours | verdict |\n|---|---|---|---|",
            *map(_row, reproduce(facts)),
            "",
        ]
    )


def stand_alone(svg: str) -> str:
    """An `<svg>` element as a file of its own, drawn on white whatever it lies on.

    svg : the element.
    Returns the text of an SVG file.
    Raises nothing.

    >>> stand_alone("<svg></svg>")
    '<?xml version="1.0" encoding="UTF-8"?>\\n<svg></svg>'
    """
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{svg}'


def page_figures(style_name: str = "screen") -> str:
    """Every figure for a page of HTML, each with its sentence.

    style_name : screen, projector or print.
    Returns `<figure>` elements.
    Raises UnknownName for the style.

    >>> page_figures().count("<figure ")
    5
    """
    canvas = Canvas(style_name)
    return "\n".join(_html_figure(figure, figure.compute(), canvas) for figure in FIGURES)


def _html_figure(figure: Figure[Any], data: Any, canvas: Canvas) -> str:
    sentence = escape(figure.sentence(data))
    picture = with_own_ids(figure.svg(canvas, data), f"{figure.id}-")
    picture = picture.replace("<svg ", f'<svg role="img" aria-label="{sentence}" ', 1)
    return (
        f"<figure id={figure.id}><h3>{escape(figure.title)}</h3>{picture}"
        f"<figcaption>{sentence} After {escape(figure.passage)}.</figcaption></figure>"
    )


def _row(record: Record) -> str:
    published, ours = " ".join(map(shown, elements(record.fact.value))), " ".join(shown_ours(record))
    return f"| {record.fact.what} (`{record.fact.id}`) | {published} | {ours} | {record.verdict} |"
