"""A picture that does not move, for paper and for pages without a kernel."""

import base64
from html import escape

from simlib.lab.panel import Shown


def still_image(shown: Shown) -> str:
    """A picture as `<img>` with its alternative text, which every viewer of notebooks keeps.

    shown : what a panel shows.
    Returns HTML.
    Raises nothing.

    >>> still_image(Shown("<svg></svg>", "Eight calls.", None))[:24]
    '<img alt="Eight calls." '
    """
    data = base64.b64encode(shown.svg.encode()).decode()
    style = "width:100%;max-width:672px;background:#fff"
    return f'<img alt="{escape(shown.sentence)}" style="{style}" src="data:image/svg+xml;base64,{data}">'
