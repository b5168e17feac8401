import re

import matplotlib
import pytest

from simlib.plots.canvas import Canvas
from simlib.plots.marks import bars
from simlib.plots.svg import shortened, with_own_ids


def test_numbers_in_words_are_never_rounded():
    """A label such as $6.11 is text, not a coordinate."""
    svg = Canvas().svg(lambda ax: ax.set_xlabel("6.1149 of 3.14159"))
    assert "6.1149 of 3.14159" in svg


def test_coordinates_are_rounded_to_a_tenth():
    svg = Canvas().svg(lambda ax: ax.plot([1, 2, 3], [2.123456, 1, 7]))
    inside_tags = re.sub(r">[^<]*<", "><", svg)
    assert not re.findall(r"\d\.\d\d", inside_tags.replace('version="1.1"', ""))


def test_what_a_browser_does_not_need_is_gone():
    svg = Canvas().svg(lambda ax: ax.set_title("bars & <lines>"))
    for useless in ("<?xml", "<!DOCTYPE", "<metadata", "<!--", "matplotlib"):
        assert useless not in svg
    assert "bars &amp; &lt;lines&gt;" in svg


def test_a_comment_like_text_survives():
    assert shortened("<svg><text>a --&gt; b</text></svg>").endswith("<text>a --&gt; b</text></svg>")


def test_own_ids_reach_every_reference():
    svg = with_own_ids(Canvas().svg(lambda ax: bars(ax, [1, 2], [3, 4], "read again")), "x-")
    defined = set(re.findall(r' id="([^"]+)"', svg))
    used = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', svg))
    assert used
    assert used <= defined
    assert all(name.startswith("x-") for name in defined)


@pytest.mark.parametrize("style", ["screen", "projector", "print"])
def test_the_size_is_the_styles(style):
    canvas = Canvas(style)
    svg = canvas.svg(lambda ax: ax.plot([1, 2]))
    width, height = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups()
    assert float(width) == pytest.approx(canvas.style.width * 72, abs=0.1)
    assert float(height) == pytest.approx(canvas.style.height * 72, abs=0.1)


def test_the_font_is_named_once_with_others_to_fall_back_on():
    svg = Canvas().svg(lambda ax: ax.set_title("a title"))
    assert svg.count("DejaVu Sans") == 1
    assert "Verdana,sans-serif" in svg


@pytest.mark.parametrize(
    "written",
    ["font: 10px 'DejaVu Sans', 'Lucida Grande', sans-serif; fill: #262626",
     "font-size: 10px; font-family: 'DejaVu Sans'; fill: #262626"],
)  # fmt: skip
def test_both_ways_of_naming_a_font_are_shortened(written):
    assert shortened(f'<svg><text style="{written}">1</text></svg>').endswith(
        '<text style="font-size: 10px; fill: #262626">1</text></svg>'
    )


OWN = [
    *({"axes.grid": True}, {"savefig.transparent": True}, {"savefig.bbox": "tight"}, {"lines.marker": "x"}),
    *({"xtick.direction": "in"}, {"font.size": 30}, {"axes.unicode_minus": True}),
]


@pytest.mark.parametrize("own", OWN)
def test_what_a_user_sets_for_his_figures_does_not_reach_ours(own):
    def draw(ax):
        ax.plot([-1, 2], [3, 4])

    usual = Canvas().svg(draw)
    with matplotlib.rc_context(own):
        assert Canvas().svg(draw) == usual
        assert all(matplotlib.rcParams[name] == value for name, value in own.items())
