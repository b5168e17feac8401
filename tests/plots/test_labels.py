import itertools

from hypothesis import given
from hypothesis import strategies as st
from matplotlib.text import Annotation

from simlib.plots.canvas import Canvas
from simlib.plots.labels import End, label_ends, note, spread

labels = st.lists(st.tuples(st.floats(0, 100), st.floats(0.1, 12)), min_size=1, max_size=8)


@given(labels)
def test_labels_never_overlap_and_stay_inside(given_labels):
    wanted, heights = zip(*given_labels, strict=True)
    placed = spread(wanted, heights, 0, 100)
    boxes = sorted((y - h / 2, y + h / 2) for y, h in zip(placed, heights, strict=True))
    for (_, top), (bottom, _) in itertools.pairwise(boxes):
        assert bottom >= top - 1e-9
    assert boxes[0][0] >= -1e-9
    assert boxes[-1][1] <= 100 + 1e-9


@given(labels)
def test_labels_keep_the_order_of_their_lines(given_labels):
    wanted, heights = zip(*given_labels, strict=True)
    placed = spread(wanted, heights, 0, 100)
    for one, other in zip(range(len(wanted)), range(1, len(wanted)), strict=False):
        if wanted[one] < wanted[other]:
            assert placed[one] <= placed[other]


def test_labels_with_room_stay_where_their_lines_end():
    assert spread([10, 50, 90], [5, 5, 5], 0, 100) == [10, 50, 90]


def test_equal_ends_get_labels_apart():
    drawn = []

    def draw(ax):
        ax.set_xlim(0, 1)
        ax.set_ylim(0, 10)
        label_ends(ax, [End(1, 5, name, "no lever") for name in ("one", "two", "three")])
        drawn.extend(child.xy[1] for child in ax.get_children() if isinstance(child, Annotation))

    Canvas().svg(draw)
    heights = sorted(drawn)
    assert len(heights) == 3
    assert all(b - a > 0.5 for a, b in itertools.pairwise(heights))


def test_a_note_stands_at_its_place_and_points_at_its_point():
    kept = []
    Canvas().svg(lambda ax: (note(ax, (0.2, 0.3), (0.5, 0.8), "here"), kept.append(ax)))
    (said,) = kept[0].texts
    assert (said.xy, said.get_position()) == ((0.2, 0.3), (0.5, 0.8))
    assert said.arrow_patch is not None
