"""No cache: every request is read fresh."""

from simlib.billing.cache.policy import Receipt, Turnstile
from simlib.billing.catalogue import Catalogue
from simlib.billing.usage import Usage
from simlib.prompt.limits import check_request
from simlib.prompt.request import Request, breakpoints


class NoCache:
    """The policy of a provider without a cache, or of one that is switched off.

    With a `catalogue` a request is checked as its model's, otherwise only its markers are.

    >>> from simlib.prompt.prompt import layout
    >>> prompt = layout([("system", "rules", 988, "text")], {0: "5m"})
    >>> NoCache().serve(Request("toy-1", prompt), time=0, output=105).usage.input
    988
    """

    def __init__(self, catalogue: Catalogue | None = None) -> None:
        self._catalogue = catalogue
        self._turnstile = Turnstile()

    def serve(self, request: Request, time: float, *, output: int = 0, first_token: float = 0.0) -> Receipt:
        """What a request uses that is sent at `time`: see CachePolicy.serve."""
        if self._catalogue is not None:
            check_request(request, self._catalogue.model(request.model).limits)
        breakpoints(request)
        id = self._turnstile.admit(request, time, first_token, output)
        return Receipt(id, Usage(request.prompt.tokens, output=output), None, None)
