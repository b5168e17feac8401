"""A tool call: what a model asks for."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

SHOWN = 50  # characters of a call's arguments, where it stands in a line


@dataclass(frozen=True)
class Call:
    """A tool call as the model wrote it: its `id`, the tool's `name`, and its `arguments`.

    `normal` is the form in which calls are compared: case of the name, spaces around texts and the order of
    keys do not count.

    >>> spaced = Call("toolu_2", "Search ", {"text": " 7001"})
    >>> spaced.normal == Call("toolu_1", "search", {"text": "7001"}).normal
    True
    >>> print(spaced)
    Search (text=' 7001')
    """

    id: str
    name: str
    arguments: Any
    normal: tuple[str, Hashable] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "normal", (self.name.strip().lower(), _normal(self.arguments)))

    def __str__(self) -> str:
        given = self.arguments.items() if isinstance(self.arguments, dict) else [("", self.arguments)]
        words = ", ".join(f"{name}={value!r}".lstrip("=") for name, value in given)
        return f"{self.name}({words if len(words) <= SHOWN else words[:SHOWN] + '…'})"


def calls_in(content: Iterable[Mapping[str, Any]]) -> tuple[Call, ...]:
    """The tool calls of a reply.

    content : its blocks.
    Returns calls in their order.
    Raises nothing.

    >>> calls_in([{"type": "text", "text": "Let me look."}])
    ()
    """
    return tuple(
        [Call(block["id"], block["name"], block["input"]) for block in content if block["type"] == "tool_use"]
    )


def _normal(value: Any) -> Hashable:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, dict):
        return tuple(sorted([(key, _normal(part)) for key, part in value.items()]))
    if isinstance(value, list):
        return "list", *map(_normal, value)
    return (repr(value),)  # so that 1, True and "1" differ
