"""No cache: every request is read fresh."""

from itertools import count

from simlib.billing.cache.policy import Clock, Receipt
from simlib.billing.usage import Usage
from simlib.prompt.request import Request


class NoCache:
    """The policy of a provider without a cache, or of one that nobody uses.

    >>> from simlib.prompt.prompt import layout
    >>> prompt = layout([("system", "rules", 988, "text")], {0: "5m"})
    >>> NoCache().serve(Request("toy-1", prompt), time=0, output=105).usage.input
    988
    """

    def __init__(self) -> None:
        self._clock = Clock()
        self._numbers = count(1)

    def serve(self, request: Request, time: float, *, output: int = 0, first_token: float = 0.0) -> Receipt:
        """What a request uses that is sent at `time`: see CachePolicy.serve."""
        self._clock.check(time, first_token, output)
        self._clock.now = time
        return Receipt(f"msg_{next(self._numbers)}", Usage(request.prompt.tokens, output=output), None, None)
