"""What every cache answers, whichever rules it follows."""

import math
from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import NamedTuple, Protocol

from simlib.billing.price import Price
from simlib.billing.usage import Usage
from simlib.errors import OutOfRange, real, single, whole
from simlib.prompt.prefix import Prefix
from simlib.prompt.request import Request

# Why tokens were not read that might have been: the API's words, then four of ours for what it does not tell.
REASONS: Mapping[str, str] = MappingProxyType(
    {
        "model_changed": "the model or its speed is not that of the request before",
        "tools_changed": "the tools are not those of the request before",
        "system_changed": "the system prompt is not that of the request before",
        "messages_changed": "an earlier message changed, instead of new ones being added at the end",
        "previous_message_not_found": "there is no record of the request to compare with",
        "unavailable": "something else kept the entry from being read: a setting, or an answer that had "
        "not begun",
        "cold": "nothing that it could have read was ever stored",
        "expired": "the entry outlived its lifetime since it was last used",
        "below_minimum": "the prompt up to the marker is too short to be stored",
        "lookback": "the entry lies further back than a marker looks",
    }
)


API_REASONS = frozenset(list(REASONS)[:6])


class Miss(NamedTuple):
    """Why a request read less from the cache than it might have.

    `reason` is a key of REASONS, `detail` says more in words. `tokens` is how many more would have been read,
    and `usage` what the request would have used then.
    """

    reason: str
    detail: str
    tokens: int
    usage: Usage


class Receipt(NamedTuple):
    """What one request used: an `id` for it, its `usage`, the entry that it hit, and why it missed.

    `hit` is the part of the prompt that was stored, None for none. `miss` is None after a full hit, and where
    no cache was asked for.
    """

    id: str
    usage: Usage
    hit: Prefix | None
    miss: Miss | None

    def dollars(self, price: Price) -> Decimal:
        """What the request cost; with `price.in_batch()`, what it cost in a batch."""
        return Decimal(price.dollars(self.usage))  # type: ignore[arg-type]  # of single numbers

    def dollars_lost(self, price: Price) -> Decimal:
        """What the miss cost: the dollars beyond those of the same request without it."""
        if self.miss is None or not self.miss.tokens:
            return Decimal(0)
        return self.dollars(price) - Decimal(price.dollars(self.miss.usage))  # type: ignore[arg-type]


class CachePolicy(Protocol):
    """A cache under some provider's rules. It remembers what it served, so that runs in turn find each
    other's.
    """

    def serve(self, request: Request, time: float, *, output: int = 0, first_token: float = 0.0) -> Receipt:
        """What a request uses that is sent at `time`, in seconds on any clock.

        `output` is how many tokens the model writes, `first_token` how many seconds later its answer begins,
        from when on what the request stored can be read. ApiError for a request that the API refuses, which
        changes nothing; OutOfRange for a time before the last one, or more output than the request allows.
        """


class Turnstile:
    """Where requests enter a cache: one after the other in the order of their times, and each gets an id."""

    def __init__(self) -> None:
        self._now = -math.inf
        self._served = 0

    def admit(self, request: Request, time: float, first_token: float, output: int) -> str:
        """The request's id; OutOfRange or NotANumber, and nothing has changed, for what cannot be."""
        if type(output) is not int or output < 0:
            single("output", whole("output", output))
        if output > request.max_tokens:
            raise OutOfRange("output", output, f"at most the request's max_tokens, {request.max_tokens}")
        if type(first_token) is not float or not 0 <= first_token < math.inf:
            single("first_token", real("first_token", first_token, low=0, noun="seconds"))
        if type(time) not in (int, float) or not self._now <= time < math.inf:
            single("time", real("time", time, noun="seconds"))
        if time < self._now:
            raise OutOfRange("time", time, f"seconds from {self._now}, the time of the last request")
        self._now = time
        self._served += 1
        return f"msg_{self._served}"
