"""The tokens of a request by what is paid for them: five classes that do not overlap."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from simlib.errors import BadArgument, Numbers, OutOfRange, single, whole


class Usage(NamedTuple):
    """Tokens of one request or of many, each a number or an array; the classes add up.

    `input` is read fresh, `cache_write_5m` and `cache_write_1h` are read and stored, `cache_read` comes from
    the cache, `output` is written by the model. A provider that sells one kind of write counts it as
    `cache_write_5m`.

    >>> Usage(input=100, cache_read=8_000, output=200).prompt
    8100
    """

    input: Numbers = 0
    cache_write_5m: Numbers = 0
    cache_write_1h: Numbers = 0
    cache_read: Numbers = 0
    output: Numbers = 0

    @property
    def prompt(self) -> Numbers:
        """All tokens that the model read."""
        return self.input + self.cache_write_5m + self.cache_write_1h + self.cache_read

    def __add__(self, other: "Usage") -> "Usage":  # type: ignore[override]  # no tuple of ten
        """The tokens of both, class by class; `sum(usages, Usage())` adds up many."""
        return Usage(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    def __sub__(self, other: "Usage") -> "Usage":
        """The tokens that are left without the other's, class by class."""
        return Usage(*(mine - theirs for mine, theirs in zip(self, other, strict=True)))

    def to_api(self) -> dict[str, Any]:
        """The `usage` of the Messages API's answer."""
        return {
            "input_tokens": self.input,
            "cache_creation_input_tokens": self.cache_write_5m + self.cache_write_1h,
            "cache_read_input_tokens": self.cache_read,
            "cache_creation": {
                "ephemeral_5m_input_tokens": self.cache_write_5m,
                "ephemeral_1h_input_tokens": self.cache_write_1h,
            },
            "output_tokens": self.output,
        }


def usage_from_api(data: Mapping[str, Any]) -> Usage:
    """The `usage` of a Messages API's answer, whose classes do not overlap.

    data : the fields; missing ones of the cache count as 0, and writes without a lifetime as five minutes.
    The calls in `iterations` that wrote a summary stand nowhere else, so they are added.
    Returns a Usage.
    Raises BadArgument if the writes by lifetime do not add up to their total; NotWhole, NotANumber or
    OutOfRange for a count.

    >>> usage_from_api({"input_tokens": 20, "cache_read_input_tokens": 988, "output_tokens": 105})
    Usage(input=20, cache_write_5m=0, cache_write_1h=0, cache_read=988, output=105)
    """
    if not isinstance(data, Mapping):
        raise BadArgument("usage", data, "an object of counts")
    for name in ("input_tokens", "output_tokens"):
        if name not in data:
            raise BadArgument("usage", sorted(data), f"counts with the field {name}")
    split, written = data.get("cache_creation"), data.get("cache_creation_input_tokens") or 0
    if split is not None and not isinstance(split, Mapping):
        raise BadArgument("cache_creation", split, "an object of counts by lifetime")
    by_lifetime = split or {"ephemeral_5m_input_tokens": written}
    counts = {
        "input_tokens": data["input_tokens"],
        "ephemeral_5m_input_tokens": by_lifetime.get("ephemeral_5m_input_tokens", 0),
        "ephemeral_1h_input_tokens": by_lifetime.get("ephemeral_1h_input_tokens", 0),
        "cache_read_input_tokens": data.get("cache_read_input_tokens") or 0,
        "output_tokens": data["output_tokens"],
    }
    usage = Usage(*map(_counted, counts, counts.values()))
    if "cache_creation_input_tokens" in data and usage.cache_write_5m + usage.cache_write_1h != written:
        raise BadArgument("cache_creation", by_lifetime, f"writes that add up to {written} tokens")
    for iteration in data.get("iterations") or ():
        if iteration.get("type") == "compaction":
            usage += usage_from_api({**iteration, "iterations": None})
    return usage


def _counted(name: str, count: Any) -> Numbers:
    return count if type(count) is int and count >= 0 else whole(name, count)


def usage_from_overlapping(prompt: int, cached: int, output: int, written: int = 0) -> Usage:
    """The tokens of a provider that counts cached ones within the prompt, as OpenAI and Gemini do.

    prompt : all tokens read. cached : how many of them came from the cache. output : tokens written by the
    model.
    written : how many were stored, where that is sold.
    Returns a Usage.
    Raises OutOfRange, naming both numbers, if the parts are more than the whole; NotWhole, NotANumber or
    OutOfRange for a count.

    >>> usage_from_overlapping(prompt=2_006, cached=1_920, output=300).input
    86
    """
    total, read, stored, out = (
        whole(name, count)
        for name, count in {"prompt": prompt, "cached": cached, "written": written, "output": output}.items()
    )
    for name, count in {"prompt": total, "cached": read, "written": stored, "output": out}.items():
        single(name, count)
    fresh = total - read - stored
    if fresh < 0:
        raise OutOfRange("cached + written", read + stored, f"at most the {total} tokens of the prompt")
    return Usage(input=fresh, cache_write_5m=stored, cache_read=read, output=out)
