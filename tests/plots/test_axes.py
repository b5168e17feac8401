import pytest

from simlib.plots.axes import cents_per_thousand, dollars, log_axis, money_axis, thousands
from simlib.plots.canvas import Canvas


@pytest.mark.parametrize(
    ("amount", "said", "cents"),
    [
        (0, "$0", "0"),
        (0.00046, "$0.00046", "46"),
        (0.0000123, "$0.0000123", "1.23"),
        (0.3768, "$0.377", "37,680"),
        (1, "$1.00", "100,000"),
        (6.108, "$6.11", "610,800"),
        (680.559, "$680.56", "68,055,900"),
        (0.9996, "$1.00", "99,960"),
        (0.5, "$0.50", "50,000"),
        (999.996, "$1,000", "99,999,600"),
        (50_004, "$50,004", "5,000,400,000"),
    ],
)
def test_money_is_said_twice(amount, said, cents):
    assert (dollars(amount), cents_per_thousand(amount)) == (said, cents)


@pytest.mark.parametrize(("value", "said"), [(0, "0"), (1358, "1,358"), (0.25, "0.25"), (1e6, "1,000,000")])
def test_thousands_have_commas(value, said):
    assert thousands(value) == said


def test_a_money_axis_shows_dollars_and_cents():
    def draw(ax):
        ax.set_ylim(0, 0.004)
        money_axis(ax, "input")

    svg = Canvas().svg(draw)
    assert "$0.002" in svg
    assert "200 ¢" in svg
    assert "¢ per 1,000 runs" in svg


@pytest.mark.parametrize(("low", "high"), [(1358, 141_820), (1_000, 1_000_000), (0.5, 3), (7, 7)])
def test_a_log_axis_says_so_and_holds_its_values(low, high):
    limits = []

    def draw(ax):
        log_axis(ax, "tokens", low, high)
        limits.extend(ax.get_xlim())

    svg = Canvas().svg(draw)
    assert limits[0] <= low < high * 1.0001
    assert high <= limits[1]
    assert limits[0] < limits[1]
    assert "each gridline = ×10" in svg
    assert ">1,000<" in svg or low < 1000
