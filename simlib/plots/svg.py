"""Making matplotlib's SVG short: a slider sends the whole picture at every move."""

import re
from html import escape

# What matplotlib writes for other programs than a browser, and names that nothing in the picture refers to.
_UNUSED = re.compile(
    r"<\?xml.*?\?>|<!DOCTYPE.*?>|<metadata>.*?</metadata>|<!--.*?-->|(?<=<g) id=\"[^\"]*\"", re.DOTALL
)
_LONG_NUMBER = re.compile(r"-?\d+\.\d\d+")
_TAG = re.compile(r"<[^>]*>")
_ID = re.compile(r'(?<= id=")|(?<=url\(#)|(?<=href="#)')
# How a text names its font: the newer matplotlib in two properties, the older in one.
_FONT = re.compile(r"font(?:-size)?: ([\d.]+px)(?: 'DejaVu Sans'[^;\"]*|; font-family: 'DejaVu Sans'[^;\"]*)")


def shortened(svg: str) -> str:
    """The same picture in fewer bytes: rounded to a tenth of a point, without what a browser does not need.

    svg : an SVG file as matplotlib writes it.
    Returns the `<svg>` element alone, which names its font once.
    Raises nothing.

    >>> shortened('<?xml version="1.0"?><svg><g id="axes_1"><path d="M 10.123 20.0004"/>$6.11</g></svg>')
    '<svg><g><path d="M 10.1 20"/>$6.11</g></svg>'
    """
    svg = _UNUSED.sub("", svg)
    svg = _TAG.sub(lambda tag: _LONG_NUMBER.sub(_rounded, tag[0]), svg)  # what is written between tags stays
    svg = _FONT.sub(r"font-size: \1", svg).replace(
        "<svg ", "<svg font-family=\"'DejaVu Sans',Verdana,sans-serif\" ", 1
    )
    svg = re.sub(r"\s*\n\s*", "\n", svg).strip()
    return re.sub(r">\s+<", "><", svg)


def with_own_ids(svg: str, prefix: str) -> str:
    """The same picture with ids of its own, for a page that holds several.

    Two pictures on a page must not share an id: a browser takes a hatching from whichever comes first, and
    shows none if that one is hidden.

    svg : an `<svg>` element. prefix : what its ids begin with, in letters, digits and hyphens.
    Returns the element.
    Raises nothing.

    >>> with_own_ids('<svg><path id="h1"/><use href="#h1"/><g clip-path="url(#h1)"/></svg>', "a-")
    '<svg><path id="a-h1"/><use href="#a-h1"/><g clip-path="url(#a-h1)"/></svg>'
    """
    return _ID.sub(prefix, svg)


def described(svg: str, sentence: str, prefix: str) -> str:
    """The same picture with a text alternative, for a page that holds several.

    svg : an `<svg>` element. sentence : what it shows. prefix : see `with_own_ids`.
    Returns the element.
    Raises nothing.

    >>> described("<svg></svg>", "Eight calls.", "left")
    '<svg role="img" aria-label="Eight calls."></svg>'
    """
    return with_own_ids(svg, f"{prefix}-").replace(
        "<svg", f'<svg role="img" aria-label="{escape(sentence)}"', 1
    )


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.1f}".removesuffix(".0")
