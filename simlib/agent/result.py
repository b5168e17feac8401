"""What a run gives: its steps, and how it ended."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from simlib.agent.call import Call
from simlib.agent.stop import StopReason
from simlib.agent.transcript import Event
from simlib.billing.usage import Usage


class Step(NamedTuple):
    """One call of the model: `number` from 1, its `usage`, the `seconds` it took, exact `dollars` (None if
    unpriced).

    `stop_reason` is the API's, `calls` are the tool calls.
    """

    number: int
    usage: Usage
    seconds: float
    dollars: Decimal | None
    stop_reason: str
    calls: tuple[Call, ...] = ()

    def line(self, total: Decimal) -> str:
        """The step in one line, and the run's dollars so far."""
        usage = self.usage
        written = usage.cache_write_5m + usage.cache_write_1h
        cost = "unpriced" if self.dollars is None else f"${self.dollars:.5f}"
        what = "  ".join(map(str, self.calls)) or self.stop_reason
        return (
            f"step {self.number:2d}  in {usage.input:6,d}  cache read {usage.cache_read:7,d}  "
            f"write {written:6,d}  out {usage.output:5,d}  {self.seconds:5.2f} s  {cost}  "
            f"total ${total:.5f}  {what}"
        )


@dataclass(frozen=True)
class Result:
    """A run that ended: the model's `answer` (empty if there is none), the `stop` reason, and its `steps`.

    `error` says in words what went wrong, empty if nothing did. `dollars` is the exact sum of the priced
    steps, `unpriced` counts the others. `unusable` counts replies that asked for a tool and named none; they
    are paid for all the same. `events` is the transcript.
    """

    answer: str
    stop: StopReason
    steps: tuple[Step, ...]
    dollars: Decimal
    unpriced: int = 0
    unusable: int = 0
    error: str = ""
    events: tuple[Event, ...] = field(default=(), repr=False)

    @property
    def total_input(self) -> int:
        """Tokens that the model read over all steps, from the cache or not."""
        return int(sum(step.usage.prompt for step in self.steps))
