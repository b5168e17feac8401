"""How long a call takes: reading the prompt, then writing the answer.

Before its first token a model reads what it was sent; a token from the cache takes about an eighth of the
time of a fresh one. Then it writes token by token, at a speed that does not depend on the prompt. Times are
seconds, tokens are counts; numbers and arrays broadcast.

Calibrated on two points that a provider announced in August 2024 for one model (10,000 tokens: 1.6 s fresh,
1.1 s cached; 100,000 tokens: 11.5 s fresh, 2.4 s cached) and on article A's mean step of 1.72 s with about
133 tokens written. So: the order of magnitude of one model without load, no more. Left out: waiting in a
queue, networks, and the part of reading that grows with the square of the prompt (see attention), which
matters only beyond some 100,000 tokens.
"""

from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from simlib.errors import Numbers, broadcast_shape, floats, real
from simlib.theory.exact import narrowed
from simlib.theory.growth import token_counts

BASE = 0.5  # s, before anything is read
PER_FRESH = 0.000_110  # s a token
PER_CACHED = 0.000_0144  # s a token
SPEED = 119.0  # tokens a second


@dataclass(frozen=True)
class Latency:
    """The pace of a model: seconds before anything is read, seconds a fresh and a cached token, tokens a
    second.

    Its methods take numbers that are known to be counts, as in a simulation that calls them at every step;
    the functions below check what they are given.
    """

    base: float = BASE
    per_fresh: float = PER_FRESH
    per_cached: float = PER_CACHED
    speed: float = SPEED

    def first_token(self, fresh: Any, cached: Any = 0) -> Any:
        """Seconds until the answer begins."""
        return self.base + self.per_fresh * fresh + self.per_cached * cached

    def call(self, fresh: Any, cached: Any, output: Any) -> Any:
        """Seconds until the answer is written."""
        return self.first_token(fresh, cached) + output / self.speed


def time_to_first_token(
    fresh: ArrayLike,
    cached: ArrayLike = 0,
    *,
    base: ArrayLike = BASE,
    per_fresh: ArrayLike = PER_FRESH,
    per_cached: ArrayLike = PER_CACHED,
) -> Numbers:
    """Seconds until the answer begins: base + per_fresh fresh + per_cached cached.

    fresh, cached : tokens of the prompt that are read for the first time (stored or not), and from the cache.
    base : seconds before anything is read. per_fresh, per_cached : seconds a token. All broadcast.
    Returns seconds, in the broadcast shape: the base for an empty prompt.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: the announcement of prompt caching for Claude 3.5 Sonnet, 2024; see above.

    >>> round(time_to_first_token(10_000), 2), round(time_to_first_token(0, cached=100_000), 2)
    (1.6, 1.94)
    """
    read, ready = (
        floats(name, value)
        for name, value in zip(("fresh", "cached"), token_counts(fresh=fresh, cached=cached), strict=True)
    )
    start, slow, fast = (
        real(name, value, low=0, noun="seconds")
        for name, value in {"base": base, "per_fresh": per_fresh, "per_cached": per_cached}.items()
    )
    broadcast_shape(fresh=read, cached=ready, base=start, per_fresh=slow, per_cached=fast)
    return narrowed(Latency(start, slow, fast).first_token(read, ready))  # type: ignore[arg-type]  # arrays, too


def call_seconds(first_token: ArrayLike, output: ArrayLike, *, speed: ArrayLike = SPEED) -> Numbers:
    """Seconds that a whole call takes: until the answer begins, and while it is written.

    first_token : seconds until the answer begins. output : tokens written. speed : tokens a second, more than
    0. All broadcast.
    Returns seconds, in the broadcast shape.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: article A's mean step of 1.72 s; own arithmetic for the speed.

    >>> round(call_seconds(time_to_first_token(200, cached=2_000), output=133), 2)
    1.67
    """
    waited = real("first_token", first_token, low=0, noun="seconds")
    (written,) = token_counts(output=output)
    rate = real("speed", speed, above=0, noun="tokens a second")
    broadcast_shape(first_token=waited, output=written, speed=rate)
    return narrowed(waited + written / rate)
