"""A request to the Messages API as a value, and its markers as the API counts them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simlib.errors import ApiError
from simlib.prompt.prefix import Prefix
from simlib.prompt.prompt import Lifetime, Marker, Prompt
from simlib.prompt.settings import Settings

MOST_MARKERS = 4
NEWEST_VERSION = "2026-10-21"  # of the Messages API, which the SDK sends from its version 2.0 on
LATEST = "latest"  # in place of an id: the last answer of the workspace

_PLAIN = Settings()  # shared by all requests that say nothing of theirs


@dataclass(frozen=True, slots=True)
class Request:
    """One request: what is read (`prompt`), by which `model`, and how.

    `automatic` is the lifetime of a marker that the API sets on the last block by itself, None for none.
    `max_tokens` limits the answer, and 0 only fills the cache. `sampling` holds temperature, top_p and top_k.
    Caches are shared within a `workspace`. `previous` is the id of the answer before, with whose request this
    one is compared to explain a miss; None at the first turn of a conversation. `batch` is whether it is part
    of a batch. `deferred_tools` are definitions that stand in no prefix until a search has found them.
    `version` is the day of the API's version, `extras` what neither the key nor the bill depends on.
    """

    model: str
    prompt: Prompt
    settings: Settings = field(default_factory=lambda: _PLAIN)
    automatic: Lifetime | None = None
    max_tokens: int = 1_024
    stream: bool = False
    batch: bool = False
    workspace: str = ""
    previous: str | None = LATEST
    sampling: Mapping[str, float] | None = None
    deferred_tools: tuple[Mapping[str, Any], ...] = ()
    version: str = NEWEST_VERSION
    extras: Mapping[str, Any] | None = None

    def reading(self, prompt: Prompt) -> "Request":
        """The same request for another prompt."""
        return Request(
            self.model,
            prompt,
            self.settings,
            self.automatic,
            self.max_tokens,
            self.stream,
            self.batch,
            self.workspace,
            self.previous,
            self.sampling,
            self.deferred_tools,
            self.version,
            self.extras,
        )


def breakpoints(request: Request) -> tuple[Marker, ...]:
    """Where a request's prompt may be cached: its own markers, and the automatic one.

    request : the request.
    Returns markers in the order of their blocks.
    Raises ApiError for more than four, for an hour after five minutes, and for an automatic marker that has
    no place or disagrees with the one that stands there.

    >>> from simlib.prompt.prompt import layout
    >>> prompt = layout([("system", "rules", 988, "text"), ("messages", "question", 20, "text")], {0: "5m"})
    >>> [marker.prefix.tokens for marker in breakpoints(Request("claude-haiku-5-5", prompt, automatic="5m"))]
    [988, 1008]
    """
    markers = request.prompt.markers
    if len(markers) > MOST_MARKERS:
        raise ApiError.invalid(
            f"A maximum of {MOST_MARKERS} blocks with cache_control may be provided. Found {len(markers)}."
        )
    if request.automatic is not None:
        markers = _with_automatic(request.prompt, request.automatic)
    if len(markers) > 1:
        _check_lifetimes(markers)
    return markers


def _with_automatic(prompt: Prompt, lifetime: Lifetime) -> tuple[Marker, ...]:
    link = prompt.last
    while link is not None and not link.block.is_markable:
        link = link.parent
    if link is None:
        return prompt.markers
    if prompt.markers and prompt.markers[-1].prefix is link:
        return _agreeing(prompt.markers, link, lifetime)
    if len(prompt.markers) == MOST_MARKERS:
        raise ApiError.invalid(
            f"cache_control: no slot is left for the automatic marker beside {MOST_MARKERS} of your own"
        )
    return (*prompt.markers, Marker(link, lifetime))


def _agreeing(markers: tuple[Marker, ...], link: Prefix, lifetime: Lifetime) -> tuple[Marker, ...]:
    if markers[-1].lifetime != lifetime:
        raise ApiError.invalid(
            f"cache_control: the automatic ttl='{lifetime}' differs from "
            f"ttl='{markers[-1].lifetime}' on the last block, {link.place}"
        )
    return markers


def _check_lifetimes(markers: tuple[Marker, ...]) -> None:
    short = False
    for marker in markers:
        if short and marker.lifetime == "1h":
            raise ApiError.invalid(
                f"{marker.prefix.place}.cache_control.ttl: "
                "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block."
            )
        short = short or marker.lifetime == "5m"
