"""HTML for notebooks: dark letters on white in every theme, pictures with their words, tables."""

import base64
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from simlib.plots.svg import described

WORD = 12  # letters; longer texts in a table are read, not compared, and stand to the left

CSS = """<style>
.simlib-panel, .simlib-form, .simlib-play {
  background: #fff; color: #262626; padding: 4px 8px; max-width: 720px;
  --jp-widgets-color: #262626; --jp-widgets-label-color: #262626; --jp-widgets-input-color: #262626;
  --jp-widgets-input-background-color: #fff; --jp-widgets-input-border-color: #767676;
  --jp-ui-font-color1: #262626; --jp-content-font-color1: #262626; --jp-layout-color2: #e6e6e6;
}
.simlib-large { --jp-widgets-font-size: 17px; --jp-widgets-inline-height: 30px }
.simlib-large .simlib-words { font-size: 17px } .simlib-large .simlib-picture { max-width: 590px }
.simlib-picture { width: 100%; max-width: 672px; background: #fff }
.simlib-picture svg, .simlib-picture img { width: 100%; height: auto; background: #fff }
.simlib-words { margin: 2px 0 0; line-height: 1.35; min-height: 2.7em; color: #262626; background: #fff }
.simlib-table, .simlib-table tr, .simlib-table caption, .simlib-table th, .simlib-table td {
  color: #262626 !important; background: #fff !important }
.simlib-table { border-collapse: collapse; font-size: 13px }
.simlib-table caption { font-weight: bold; text-align: left }
.simlib-table td, .simlib-table th { border-bottom: 1px solid #ccc; padding: 1px 8px; text-align: right }
.simlib-table td:first-child, .simlib-table th:first-child { text-align: left }
.simlib-table td.simlib-said { text-align: left; max-width: 380px; white-space: normal }
.simlib-scroll { max-height: 400px; overflow: auto }
.simlib-play { max-width: 800px }
.simlib-log { max-height: 260px; overflow: auto; border: 1px solid #767676; padding: 2px 6px }
.simlib-log { font-size: 13px }
.simlib-log p { margin: 2px 0; line-height: 1.3; overflow-wrap: anywhere; white-space: pre-line }
.simlib-large .simlib-log { font-size: 16px }
.simlib-error { border-left: 4px solid #b03a00; padding: 8px; color: #262626; background: #fff }
</style>"""


def plain_text(text: str) -> str:
    """Text as HTML in which nothing is markup, and two dollar signs are no formula to Jupyter.

    text : any.
    Returns HTML.
    Raises nothing.

    >>> plain_text("$6.11 < $50")
    '<span>$</span>6.11 &lt; <span>$</span>50'
    """
    return escape(text).replace("$", "<span>$</span>")


def moving_picture(svg: str, sentence: str, place: str) -> str:
    """A picture for a panel, with its sentence as alternative text and, for everyone, under it.

    svg : the picture. sentence : what it shows. place : where it stands, used by nothing else on the page.
    Returns HTML.
    Raises nothing.

    >>> moving_picture("<svg></svg>", "Eight calls.", "left").count("Eight calls.")
    2
    """
    return f'<div class="simlib-picture">{described(svg, sentence, place)}</div>{_in_words(sentence)}'


def still_picture(svg: str, sentence: str, large: bool = False) -> str:
    """A picture that does not move, as `<img>`: its alternative text survives in every viewer of notebooks.

    svg : the picture. sentence : what it shows. large : whether the sentence has to be read from afar.
    Returns HTML.
    Raises nothing.

    >>> still_picture("<svg></svg>", "Eight calls.").count("Eight calls.")
    2
    """
    data = base64.b64encode(svg.encode()).decode()
    image = f'<img alt="{escape(sentence)}" src="data:image/svg+xml;base64,{data}">'
    shown = f'<div class="simlib-picture">{image}</div>{_in_words(sentence)}'
    return f'{CSS}<div class="simlib-large">{shown}</div>' if large else CSS + shown


def table_html(table: Mapping[str, Sequence[Any]], caption: str) -> str:
    """Numbers as a table.

    table : columns by name, with units. caption : what they are.
    Returns HTML.
    Raises ValueError if the columns differ in length.

    >>> "<td>1,358</td>" in table_html({"tokens": [1358]}, "read")
    True
    """
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in table)
    rows = "".join(f"<tr>{''.join(map(_table_cell, row))}</tr>" for row in zip(*table.values(), strict=True))
    return (
        f"<table class=simlib-table><caption>{plain_text(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _in_words(sentence: str) -> str:
    return f'<p class="simlib-words"><b>In words:</b> {plain_text(sentence)}</p>'


def _table_cell(value: Any) -> str:
    is_long = isinstance(value, str) and len(value) > WORD
    return f"<td class=simlib-said>{_cell(value)}</td>" if is_long else f"<td>{_cell(value)}</td>"


def _cell(value: Any) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return plain_text(str(value))
