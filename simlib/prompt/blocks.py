"""The blocks that a request consists of: tool definitions, system texts, and the contents of messages."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from simlib.errors import ApiError, known, single, whole

SECTIONS = ("tools", "system", "messages")  # the order in which a model reads them

# What may carry a cache marker, and what may not.
MARKABLE = frozenset({"tool", "text", "image", "document", "search_result", "tool_use", "tool_result"})
THINKING = frozenset({"thinking", "redacted_thinking"})
OF_SERVER = frozenset(  # what tools on the provider's side leave in a conversation
    {
        "server_tool_use",
        "web_search_tool_result",
        "web_fetch_tool_result",
        "code_execution_tool_result",
        "bash_code_execution_tool_result",
        "text_editor_code_execution_tool_result",
        "tool_search_tool_result",
        "container_upload",
    }
)
KINDS = MARKABLE | THINKING | OF_SERVER

# What in a prompt a cache notices wherever it stands.
IMAGES, CITATIONS = "images", "citations"

_WRITE = json.JSONEncoder(ensure_ascii=False).encode  # made once: making it takes longer than using it
_ID_FIELD = MappingProxyType({"tool_use": "id", "tool_result": "tool_use_id"})


@dataclass(frozen=True, slots=True)
class Block:
    """One block: where it stands, what it is, its content, and how many `tokens` it has.

    `content` is the block as the API writes it, in JSON and without a cache marker, the keys within it in the
    order given, which counts for a cache; where only sizes matter it may be any name that tells blocks apart.
    `role` belongs to messages: user, assistant or system. These five are its identity: one of them changed,
    and it is another block to a cache. `id` is that of a tool call, for the call and for its result, and
    `features` are IMAGES and CITATIONS, for what it has of them.
    """

    section: str
    kind: str
    content: str
    tokens: int
    role: str = ""
    id: str = ""
    features: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.section not in SECTIONS:
            known("section", self.section, SECTIONS)
        if self.kind not in KINDS:
            known("kind", self.kind, sorted(KINDS))
        if type(self.tokens) is not int or self.tokens < 0:
            object.__setattr__(self, "tokens", single("tokens", whole("tokens", self.tokens)))
        if self.kind == "image" and IMAGES not in self.features:
            object.__setattr__(self, "features", self.features | {IMAGES})

    @property
    def identity(self) -> bytes:
        """What a cache compares, as bytes."""
        return f"{self.section}|{self.kind}|{self.role}|{self.tokens}|{self.content}".encode(
            "utf-8", "surrogatepass"
        )

    @property
    def is_markable(self) -> bool:
        """Whether the API lets a cache marker sit on it."""
        return self.kind in MARKABLE

    def to_api(self) -> dict[str, Any]:
        """The block as the API writes it, without a marker; ValueError if only a name of it is known."""
        data: dict[str, Any] = json.loads(self.content)
        return data


def block_from_api(
    section: str, data: Mapping[str, Any], tokens: int, role: str = "", place: str = ""
) -> Block:
    """A block of the API's request as a Block.

    section : tools, system or messages. data : the block as the API writes it; a cache marker on it is left
    out.
    tokens : how many it has. role : of its message, otherwise empty. place : where it stands, for messages.
    Returns a Block.
    Raises UnknownName for a section or a kind that does not exist; NotWhole or OutOfRange for the tokens;
    ApiError for a text that says nothing.

    >>> block_from_api("system", {"type": "text", "text": "Be brief."}, tokens=3).kind
    'text'
    """
    kind = "tool" if section == "tools" else data.get("type", "")
    if kind == "text" and not str(data.get("text", "")).strip():
        raise ApiError.invalid(f"{place or section}: text content blocks must be non-empty")
    unmarked = {key: data[key] for key in sorted(data) if key != "cache_control"}
    content = _WRITE(unmarked)
    id = str(data.get(_ID_FIELD.get(kind, ""), ""))
    return Block(section, kind, content, tokens, role, id, _features(data))


def text_block(section: str, text: str, tokens: int, role: str = "") -> Block:
    """A block of text, the commonest one.

    section : system or messages. text : what it says. tokens : how many it has. role : of its message.
    Returns a Block.
    Raises UnknownName for a section that does not exist; NotWhole or OutOfRange for the tokens; ApiError for
    a text that says nothing.

    >>> text_block("messages", "Which team owns port 7001?", tokens=9, role="user").tokens
    9
    """
    return block_from_api(section, {"type": "text", "text": text}, tokens, role)


def _features(data: Mapping[str, Any]) -> frozenset[str]:
    """Whether a block holds an image, itself or within it, and whether it asks for citations."""
    parts, asked = data.get("content"), data.get("citations")
    images = data.get("type") == "image" or (isinstance(parts, list) and _has_image(parts))
    cites = bool(asked) and isinstance(asked, Mapping) and bool(asked.get("enabled"))
    if not images and not cites:
        return frozenset()
    return frozenset([IMAGES] * images + [CITATIONS] * cites)


def _has_image(parts: list[Any]) -> bool:
    return any(isinstance(part, Mapping) and part.get("type") == "image" for part in parts)
