"""The one owner of a run's money: what each call cost, and whether the next one may be made."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from simlib.billing.catalogue import Catalogue
from simlib.billing.price import Price, Unpriced
from simlib.billing.usage import Usage
from simlib.errors import NotANumber, OutOfRange, UnknownName


class Charge(NamedTuple):
    """One call: its model, its tokens, and exact dollars, None where the model has no price."""

    model: str
    usage: Usage
    dollars: Decimal | None


class Ledger:
    """Charges in their order, and their sum.

    Prices are those of `catalogue` on `day`. `budget` is in dollars, None for none. A model without a price
    is an error unless `allow_unpriced`, and then its calls stand as unpriced, never as free.

    >>> from simlib.billing.catalogue import load_catalogue
    >>> ledger = Ledger(load_catalogue(), date(2026, 10, 24), budget=Decimal("0.01"))
    >>> ledger.charge("claude-haiku-5-5", Usage(input=100_000)), ledger.is_exhausted
    (Decimal('0.01'), True)
    """

    def __init__(
        self,
        catalogue: Catalogue,
        day: date,
        *,
        budget: Decimal | float | None = None,
        allow_unpriced: bool = False,
    ) -> None:
        self._catalogue, self._day, self._allow_unpriced = catalogue, day, allow_unpriced
        self.budget = None if budget is None else dollars_from_0("budget", budget)
        self.charges: list[Charge] = []
        self.total = Decimal(0)
        self._prices: dict[str, Price] = {}

    def check(self, model: str) -> None:
        """UnknownName, OutOfRange or Unpriced for a model that could not be charged for."""
        self._dollars(model, Usage())

    def window(self, model: str) -> int | None:
        """The most tokens of a prompt, None for a model whose facts are not known."""
        name = self._catalogue.name_of(model)
        return (
            None
            if name is None or name not in self._catalogue.models
            else self._catalogue.models[name].limits.window
        )

    def charge(self, model: str, usage: Usage) -> Decimal | None:
        """Note a call and return its dollars, None where it is unpriced; errors as for check."""
        dollars = self._dollars(model, usage)
        self.note(Charge(model, usage, dollars))
        return dollars

    def note(self, charge: Charge) -> None:
        """Add a call that was charged before, as one of a run that goes on."""
        self.charges.append(charge)
        self.total += charge.dollars or 0

    @property
    def is_exhausted(self) -> bool:
        """Whether the budget is used up, so that no other call may be made."""
        return self.budget is not None and self.total >= self.budget

    @property
    def unpriced(self) -> int:
        """How many calls have no price and are missing from the sum."""
        return sum(charge.dollars is None for charge in self.charges)

    def _dollars(self, model: str, usage: Usage) -> Decimal | None:
        try:
            if model not in self._prices:
                self._prices[model] = self._catalogue.price(model, self._day)
            dollars = self._prices[model].dollars(usage)
        except (UnknownName, OutOfRange, Unpriced):
            if self._allow_unpriced:
                return None
            raise
        assert isinstance(dollars, Decimal)  # single counts cost exact money
        return dollars


def dollars_from_0(name: str, amount: Decimal | float) -> Decimal:
    """An amount of dollars, checked.

    name : of the argument. amount : its value.
    Returns it as a Decimal.
    Raises NotANumber or OutOfRange.

    >>> dollars_from_0("budget", 0.05)
    Decimal('0.05')
    """
    if isinstance(amount, bool) or not isinstance(amount, (int, float, Decimal)):
        raise NotANumber(name, amount, "dollars from 0")
    exact = Decimal(str(amount))
    if exact.is_nan() or exact < 0:
        raise OutOfRange(name, amount, "dollars from 0")
    return exact
