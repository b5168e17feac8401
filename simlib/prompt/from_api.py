"""A request read from the shape in which the Messages API takes it, refused as the API would refuse it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, cast

from simlib.errors import ApiError
from simlib.prompt.blocks import KINDS, block_from_api
from simlib.prompt.prompt import SECONDS, Lifetime, Prompt
from simlib.prompt.request import LATEST, NEWEST_VERSION, Request
from simlib.prompt.settings import Settings

Data = Mapping[str, Any]

SAMPLING = ("temperature", "top_p", "top_k")
EXTRAS = ("metadata", "stop_sequences", "service_tier", "inference_geo", "container", "context_management")
_READ = ("model", "max_tokens", "messages", "system", "tools", "tool_choice", "thinking", "output_config")
FIELDS = frozenset({*_READ, "cache_control", "stream", "speed", "diagnostics", *SAMPLING, *EXTRAS})
ROLES = ("user", "assistant", "system")


def request_from_api(
    data: Data,
    count: Callable[[Data], int],
    *,
    workspace: str = "",
    version: str = NEWEST_VERSION,
    strict_roles: bool = False,
) -> Request:
    """A request as the API reads it.

    data : the fields of the request. count : gives a block's tokens, called once for each block.
    workspace : within which caches are shared. version : the day of the API's version. strict_roles : whether
    two messages of one role in a row are refused, and not read as one message (sources disagree; the SDK says
    that they are merged).
    Returns a Request.
    Raises ApiError as the API would, naming the place.

    >>> messages = [{"role": "user", "content": "Hello"}]
    >>> data = {"model": "claude-haiku-5-5", "max_tokens": 100, "messages": messages}
    >>> request_from_api(data, count=lambda block: 8).prompt.tokens
    8
    """
    for name in data:
        if name not in FIELDS:
            raise ApiError.invalid(f"{name}: Extra inputs are not permitted")
    for name in ("model", "max_tokens", "messages"):
        if name not in data:
            raise ApiError.invalid(f"{name}: Field required")
    if not data["messages"]:
        raise ApiError.invalid("messages: at least one message is required")
    tools = list(data.get("tools") or ())
    deferred = [tool for tool in tools if tool.get("defer_loading")]
    web_search = [tool for tool in tools if str(tool.get("type", "")).startswith("web_search")]
    prompt = Prompt()
    listed = [tool for tool in tools if tool not in deferred and tool not in web_search]
    for found in (*_tools(listed), *_system(data.get("system")), *_messages(data["messages"], strict_roles)):
        prompt = _with_block(prompt, found, count)
    output = data.get("output_config") or {}
    return Request(
        model=data["model"],
        prompt=prompt,
        settings=Settings(
            tool_choice=data.get("tool_choice"),
            thinking=data.get("thinking"),
            effort=output.get("effort"),
            speed=data.get("speed"),
            web_search=web_search[0] if web_search else None,
            output_format=output.get("format"),
        ),
        automatic=_lifetime(data["cache_control"], "cache_control") if data.get("cache_control") else None,
        max_tokens=data["max_tokens"],
        stream=bool(data.get("stream")),
        workspace=workspace,
        version=version,
        previous=data["diagnostics"].get("previous_message_id") if data.get("diagnostics") else LATEST,
        sampling={name: data[name] for name in SAMPLING if name in data} or None,
        deferred_tools=tuple(deferred),
        extras={name: data[name] for name in EXTRAS if name in data} or None,
    )


class _Found(NamedTuple):
    """A block as it stands in a request."""

    section: str
    place: str
    data: Data
    role: str = ""


def _tools(tools: Iterable[Data]) -> Iterator[_Found]:
    for number, tool in enumerate(tools):
        if "input_schema" not in tool and tool.get("type", "custom") == "custom":
            raise ApiError.invalid(f"tools.{number}.custom.input_schema: Field required")
        yield _Found("tools", f"tools.{number}", tool)


def _system(system: str | Iterable[Data] | None) -> Iterator[_Found]:
    for number, block in enumerate(_as_blocks(system or ())):
        yield _Found("system", f"system.{number}", block)


def _messages(messages: Iterable[Data], strict_roles: bool) -> Iterator[_Found]:
    before = None
    for number, message in enumerate(messages):
        role, content = message.get("role", ""), _as_blocks(message.get("content") or ())
        if role not in ROLES:
            raise ApiError.invalid(f"messages.{number}.role: Input should be one of {', '.join(ROLES)}")
        if not content:
            raise ApiError.invalid(f"messages.{number}: all messages must have non-empty content")
        if strict_roles and role == before:
            raise ApiError.invalid(
                f'messages.{number}: roles must alternate between "user" and "assistant", but found multiple '
                f'"{role}" roles in a row'
            )
        before = role
        for index, block in enumerate(content):
            yield _Found("messages", f"messages.{number}.content.{index}", block, role)


def _as_blocks(content: str | Iterable[Data]) -> list[Data]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def _with_block(prompt: Prompt, found: _Found, count: Callable[[Data], int]) -> Prompt:
    section, place, data, role = found
    control = data.get("cache_control")
    if section != "tools":
        _check_content(place, data)
    block = block_from_api(section, data, count(data), role)
    prompt = prompt.extended(block)
    return prompt if control is None else prompt.marked(_lifetime(control, f"{place}.cache_control"))


def _check_content(place: str, data: Data) -> None:
    kind = data.get("type")
    if kind not in KINDS - {"tool"}:
        raise ApiError.invalid(
            f"{place}: Input tag '{kind}' found using 'type' does not match any of the expected tags"
        )
    if kind == "text":
        text = data.get("text", "")
        if not text and data.get("cache_control"):
            raise ApiError.invalid(f"{place}: cache_control cannot be set for empty text blocks")
        if not text:
            raise ApiError.invalid(f"{place}: text content blocks must be non-empty")
        if not text.strip():
            raise ApiError.invalid(f"{place}: text content blocks must contain non-whitespace text")
    for name in ("content", "citations"):
        parts = data.get(name)
        for index, part in enumerate(parts if isinstance(parts, list) else ()):
            if isinstance(part, Mapping) and "cache_control" in part:
                raise ApiError.invalid(
                    f"{place}.{name}.{index}.cache_control: Extra inputs are not permitted"
                )


def _lifetime(control: Data, place: str) -> Lifetime:
    if control.get("type") != "ephemeral":
        raise ApiError.invalid(f"{place}.type: Input should be 'ephemeral'")
    lifetime = control.get("ttl") or "5m"
    if lifetime not in SECONDS:
        raise ApiError.invalid(f"{place}.ttl: Input should be '5m' or '1h'")
    return cast(Lifetime, lifetime)
