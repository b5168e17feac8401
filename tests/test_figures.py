"""Every figure: its numbers, its words, and whether it can be read from the back row."""

import csv
import io
import re
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Sheet

from simlib.articles.facts import load_facts, select
from simlib.articles.figures.figure import csv_text
from simlib.articles.figures.gallery import draw_all, gallery_entry, page_figures, write_gallery
from simlib.articles.figures.registry import FIGURES
from simlib.articles.reproduce import reproduce
from simlib.lab.figures.tool_minutes import TOOL_MINUTES
from simlib.lab.lessons.all import LESSONS
from simlib.plots.canvas import Canvas
from simlib.plots.style import ROLES, STYLES

ROOT = Path(__file__).parent.parent
GALLERY = ROOT / "figures"
PANEL_FIGURES = [panel.figure for lesson in LESSONS.values() for panel in lesson.panels]
ALL = list({figure.id: figure for figure in (*FIGURES, *PANEL_FIGURES, TOOL_MINUTES)}.values())

each = pytest.mark.parametrize("figure", ALL, ids=lambda figure: figure.id)


def by_id(name):
    return next(figure for figure in FIGURES if figure.id == name)


def holds(sheet, box):
    low, high = box.x0 >= -1 and box.y0 >= -1, box.x1 <= sheet.x1 + 1 and box.y1 <= sheet.y1 + 1
    return low and high


def texts_outside(canvas, draw):
    """Every text of a drawing that the figure's edge would cut, as a renderer measures it."""
    cut = []

    def measure(ax):
        draw(ax)
        sheet = ax.figure
        renderer = FigureCanvasAgg(sheet).get_renderer()
        sheet.draw(renderer)
        words = [ax.xaxis, ax.yaxis, *ax.texts]
        boxes = {word: word.get_tightbbox(renderer) for word in words}  # of an axis: what it really shows
        shown = {word: box for word, box in boxes.items() if box is not None}  # an axis may be switched off
        cut.extend(word for word, box in shown.items() if not holds(sheet.bbox, box))

    canvas.png(measure)
    return cut


@each
@pytest.mark.parametrize("style", STYLES)
def test_no_word_is_cut_off(figure, style):
    data = figure.data()
    assert texts_outside(Canvas(style), lambda ax: figure.draw(ax, data)) == []


def test_the_test_of_cut_words_finds_one():
    assert texts_outside(Canvas(), lambda ax: ax.set_xlabel("far too long a label " * 20))


@each
def test_two_drawings_are_the_same_bytes(figure):
    data = figure.data()
    assert figure.svg(Canvas(), data) == figure.svg(Canvas(), figure.data())
    assert figure.png(Canvas(), data) == figure.png(Canvas(), data)
    assert csv_text(figure.table(data)) == csv_text(figure.table(figure.data()))


@each
def test_svg_is_short(figure):
    assert len(figure.svg(Canvas(), figure.data())) < 24_000


@each
def test_drawing_keeps_no_trace_in_matplotlib(figure):
    before = dict(matplotlib.rcParams)
    figure.svg(Canvas(), figure.data())
    assert dict(matplotlib.rcParams) == before


@each
def test_the_sentence_says_numbers(figure):
    sentence = figure.sentence(figure.data())
    assert len(re.findall(r"\d[\d,.]*", sentence)) >= 2
    assert sentence.endswith(".")


@each
def test_a_drawing_takes_any_axes(figure):
    """Not only ours: whoever uses the library may draw into a figure of his own."""
    figure.draw(Sheet().add_subplot(), figure.data())


@each
def test_the_ground_is_white_and_opaque(figure):
    svg = figure.svg(Canvas(), figure.data())
    assert re.search(r'<path d="[^"]*z\s*" style="fill: #ffffff"', svg)


def test_ids_are_unique_and_facts_exist():
    assert len({figure.id for figure in FIGURES}) == len(FIGURES)
    facts = {fact.id for fact in load_facts()}
    assert all(name in facts for figure in ALL for name in figure.facts)


def drawn_by_lot(name):
    """Numpy keeps a seed's draws only within a version; 0.03 is eight standard errors of 20,000 tasks."""
    return "simulated" in name or "standard error" in name


def without_luck(text):
    """A page without the numbers that another version of numpy draws otherwise."""
    return re.sub(r"(simulated tasks give|task20\.simulated`\) \|)[^\n\]]*", r"\1", text)


def test_the_committed_tables_are_what_is_computed():
    """Compared as numbers: another numpy may round a last digit otherwise."""
    for figure in FIGURES:
        committed, fresh = (
            list(csv.reader(io.StringIO(text)))
            for text in (
                (GALLERY / f"{figure.id}.csv").read_text(encoding="utf-8"),
                csv_text(figure.table(figure.data())),
            )
        )
        assert committed[0] == fresh[0]
        for ours, theirs in zip(committed[1:], fresh[1:], strict=True):
            for name, one, other in zip(fresh[0], ours, theirs, strict=True):
                within = {"abs": 0.03} if drawn_by_lot(name) else {"rel": 1e-9}
                assert one == other or float(one) == pytest.approx(float(other), **within), (figure.id, name)


def test_the_committed_gallery_says_what_is_computed():
    page = (GALLERY / "README.md").read_text(encoding="utf-8")
    for figure in FIGURES:
        assert without_luck(gallery_entry(figure, figure.data())) in without_luck(page)


def test_the_gallery_is_complete_and_links_to_what_exists(tmp_path):
    written = {path.name for path in write_gallery(tmp_path / "figures", draw_all())}
    assert written == {path.name for path in GALLERY.iterdir()}


def test_the_committed_pictures_say_what_is_drawn():
    """Their words and numbers; lines may differ with matplotlib's version."""

    def words(svg):
        return [text for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg) if text.strip()]

    for figure in FIGURES:
        committed = (GALLERY / f"{figure.id}.svg").read_text(encoding="utf-8")
        assert words(committed) == words(figure.svg(Canvas(), figure.data())), figure.id


def test_the_gallery_links_to_what_exists():
    page = (GALLERY / "README.md").read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)]+)\)", page):
        assert (GALLERY / link).resolve().is_file(), link


def test_every_picture_of_the_gallery_has_its_sentence_as_alternative_text():
    page = (GALLERY / "README.md").read_text(encoding="utf-8")
    alternatives = re.findall(r"^!\[(.+)\]\(.+\.svg\)$", page, flags=re.MULTILINE)
    sentences = [figure.sentence(figure.data()) for figure in FIGURES]
    assert list(map(without_luck, alternatives)) == list(map(without_luck, sentences))


def test_the_page_of_the_command_names_every_picture():
    page = page_figures(draw_all())
    assert len(re.findall(r'<svg role="img" aria-label="[^"]+\d', page)) == len(FIGURES)
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids)), "pictures on one page share ids"


def test_pictures_on_one_page_never_share_an_id():
    page = page_figures(draw_all())
    for reference in re.findall(r'(?:url\(#|href="#)([^)"]+)', page):
        assert f'id="{reference}"' in page


# What the figures say, by arithmetic of their own.


def test_staircase_by_hand():
    data = by_id("growth-staircase").data()
    heights = [8_000 + 2_200 * step for step in range(8)]
    assert data.contexts.tolist() == heights
    assert (data.total, data.last) == (sum(heights), heights[-1])
    assert data.new.tolist() == [8_000] + [2_200] * 7
    assert (data.new + data.read_again).tolist() == heights


def test_breakdown_by_hand():
    data = by_id("C-breakdown").data()
    assert data.contexts.tolist() == [175, 175 + 34, 175 + 34 + 205, 175 + 34 + 205 + 146]


def test_the_bars_reach_as_high_as_the_data():
    heights = []

    def read(ax):
        figure.draw(ax, data)
        heights.extend(patch.get_height() for patch in ax.patches)

    figure = by_id("growth-staircase")
    data = figure.data()
    Canvas().svg(read)
    assert sum(heights) == pytest.approx(data.total)


def test_cumulative_cost_call_by_call():
    data = by_id("B-cumulative-cost").data(calls=40, growth=2_200, token_budget=30_000)
    naive = held = 0
    for call in range(40):
        naive += (8_000 + 2_200 * call) * 3 / 1e6
        held += min(8_000 + 2_200 * call, 30_000) * 3 / 1e6
        assert data.naive[call] == pytest.approx(naive)
        assert data.held[call] == pytest.approx(held)
    assert naive == pytest.approx(6.108)
    assert held == pytest.approx(3.237)


def test_success_curves_are_powers():
    shown = by_id("C-success-by-steps").data(tasks=0)
    q = {
        "90%, unchecked": 0.9,
        "90%, checked": 0.98829,
        "99%, unchecked": 0.99,
        "99%, checked": 0.99 * (1 + 0.009 + 0.009**2),
    }
    for curve in shown.curves:
        assert curve.success == pytest.approx([q[curve.label] ** n for n in range(101)])


def test_simulated_points_are_near_the_curves():
    """Within 4 standard errors of the exact share; the seed is fixed, so this is no matter of luck."""
    data = by_id("C-success-by-steps").data()
    for curve in data.curves:
        exact = curve.success[data.simulated_at]
        error = np.sqrt(exact * (1 - exact) / data.tasks)
        assert (abs(curve.simulated - exact) <= 4 * error).all()
        assert curve.error == pytest.approx(np.sqrt(curve.simulated * (1 - curve.simulated) / data.tasks))


def test_the_sentence_and_the_fact_come_from_one_simulation():
    (record,) = reproduce(select(load_facts(), "C.task20.simulated"))
    unchecked, checked = record.ours
    sentence = by_id("C-success-by-steps").sentence(by_id("C-success-by-steps").data())
    assert f"simulated tasks give {unchecked:.1%} and {checked:.1%}." in sentence


def test_two_equal_attempts_are_one_pair_of_curves():
    shown = by_id("C-success-by-steps").data(p_success=0.99)
    assert [curve.label for curve in shown.curves] == ["99%, checked", "99%, unchecked"]
    assert len({curve.role for curve in shown.curves}) == 1
    pairs = by_id("C-success-by-steps").data(p_success=0.98)
    assert len({curve.label for curve in pairs.curves}) == 4


def luminance(colour):
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


LINES = {name: role for name, role in ROLES.items() if not role.only_filled}


@pytest.mark.parametrize("name", LINES)
def test_lines_stand_out_from_white(name):
    """WCAG asks for 3:1 where a graphic carries meaning."""
    for colour in (ROLES[name].colour, ROLES[name].grey):
        assert 1.05 / (luminance(colour) + 0.05) >= 3, colour


def test_no_two_roles_differ_by_colour_alone():
    lines = [role for name, role in LINES.items() if name != "other"]  # what is told apart by its label alone
    assert len({str(role.dash) for role in lines}) == len(lines)
    assert len({role.marker for role in lines}) == len(lines)
    hatched = [role for role in ROLES.values() if role.hatch]
    assert len({(role.hatch, role.grey) for role in hatched}) == len(hatched) >= 4


def test_the_back_row_can_read_it():
    screen, projector = STYLES["screen"], STYLES["projector"]
    assert projector.label >= 16
    assert projector.tick >= 14
    assert projector.line >= 3
    assert projector.label / screen.label == pytest.approx(1.6)
    assert all(style.width <= 7.2 and style.height <= 3.8 for style in STYLES.values())
