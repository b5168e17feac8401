"""The one owner of money: the sum of its charges, exactly."""

from datetime import date
from decimal import Decimal

import pytest

from simlib.agent.ledger import Ledger
from simlib.billing.catalogue import load_catalogue
from simlib.billing.usage import Usage
from simlib.errors import NotANumber, OutOfRange, UnknownName

CATALOGUE = load_catalogue()
DAY = date(2026, 10, 24)


def test_the_total_is_the_sum_of_the_charges():
    ledger = Ledger(CATALOGUE, DAY)
    for tokens in (1_000, 3, 100_001):
        ledger.charge("claude-haiku-5-5", Usage(tokens, output=7))
    assert ledger.total == sum(charge.dollars for charge in ledger.charges)
    assert (
        ledger.total
        == (1_003 * Decimal("0.1") + 14 * Decimal("0.5") + 100_001 * Decimal("0.5") + 7 * Decimal("2.5"))
        / 10**6
    )
    assert not ledger.is_exhausted


def test_a_budget_is_used_up_when_it_is_reached():
    ledger = Ledger(CATALOGUE, DAY, budget=0.0001)
    ledger.charge("claude-haiku-5-5", Usage(999))
    assert not ledger.is_exhausted
    ledger.charge("claude-haiku-5-5", Usage(1))
    assert ledger.is_exhausted


def test_an_unpriced_model_is_an_error_or_unpriced_and_never_free():
    with pytest.raises(UnknownName):
        Ledger(CATALOGUE, DAY).charge("toy-1", Usage(5))
    lenient = Ledger(CATALOGUE, DAY, allow_unpriced=True)
    assert lenient.charge("toy-1", Usage(5)) is None
    assert (lenient.unpriced, lenient.total) == (1, 0)
    lenient.check("toy-1")


def test_a_window_is_known_where_the_model_is():
    ledger = Ledger(CATALOGUE, DAY)
    assert (ledger.window("claude-haiku-4-5"), ledger.window("toy-1")) == (200_000, None)


@pytest.mark.parametrize(
    ("budget", "error"), [(-1, OutOfRange), (float("nan"), OutOfRange), ("1", NotANumber), (True, NotANumber)]
)
def test_a_wrong_budget_is_named(budget, error):
    with pytest.raises(error, match="budget is"):
        Ledger(CATALOGUE, DAY, budget=budget)
