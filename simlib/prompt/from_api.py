"""A request read from the shape in which the Messages API takes it, refused as the API would refuse it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, cast

from simlib.errors import ApiError
from simlib.prompt.blocks import KINDS, block_from_api
from simlib.prompt.prompt import SECONDS, Lifetime, Prompt
from simlib.prompt.request import LATEST, NEWEST_VERSION, Request
from simlib.prompt.settings import Settings

Data = Mapping[str, Any]
Count = Callable[[Data], int]

SAMPLING = ("temperature", "top_p", "top_k")
EXTRAS = ("metadata", "stop_sequences", "service_tier", "inference_geo", "container", "context_management")
_READ = ("model", "max_tokens", "messages", "system", "tools", "tool_choice", "thinking", "output_config")
FIELDS = frozenset({*_READ, "cache_control", "stream", "speed", "diagnostics", *SAMPLING, *EXTRAS})
ROLES = ("user", "assistant", "system")


def request_from_api(
    data: Data,
    count: Count,
    *,
    workspace: str = "",
    version: str = NEWEST_VERSION,
    strict_roles: bool = False,
    prompt: Prompt | None = None,
) -> Request:
    """A request as the API reads it.

    data : the fields of the request; blocks may be the SDK's own objects. count : gives a block's tokens,
    called once for each block of the prompt. workspace : within which caches are shared. version : the day of
    the API's version. strict_roles : whether two messages of one role in a row are refused, and not read as
    one message (sources disagree; the SDK says that they are merged). prompt : what tools, system and
    messages make, where that is known already, so that they are not read again.
    Returns a Request.
    Raises ApiError as the API would, naming the place; messages are numbered after those of one role are
    merged.

    >>> messages = [{"role": "user", "content": "Hello"}]
    >>> data = {"model": "claude-haiku-5-5", "max_tokens": 100, "messages": messages}
    >>> request_from_api(data, count=lambda block: 8).prompt.tokens
    8
    """
    _check_fields(data)
    tools = [
        _object(f"tools.{number}", tool) for number, tool in enumerate(_list("tools", data.get("tools")))
    ]
    deferred = tuple(tool for tool in tools if tool.get("defer_loading"))
    if prompt is None:
        prompt = prompt_from_api(data, count, strict_roles=strict_roles)
    return Request(
        model=data["model"],
        prompt=prompt,
        settings=_settings(data, tools),
        automatic=_lifetime(data["cache_control"], "cache_control") if data.get("cache_control") else None,
        max_tokens=data["max_tokens"],
        stream=bool(data.get("stream")),
        workspace=workspace,
        version=version,
        previous=_previous(data.get("diagnostics")),
        sampling={name: data[name] for name in SAMPLING if name in data} or None,
        deferred_tools=deferred,
        extras={name: data[name] for name in EXTRAS if name in data} or None,
    )


def prompt_from_api(data: Data, count: Count, *, strict_roles: bool = False) -> Prompt:
    """The prompt that a request's tools, system and messages make.

    data : the fields of the request; others are not looked at. count : gives a block's tokens. strict_roles :
    as for a request. Tools that are deferred or search the web stand in no prompt; a marker on one of these
    counts for the tool before it.
    Returns a Prompt.
    Raises ApiError as the API would, naming the place.

    >>> prompt_from_api({"system": "Be brief.", "messages": []}, count=lambda block: 3).tokens
    3
    """
    prompt = Prompt()
    for section, place, block, role in (*_tools(data), *_system(data), *_messages(data, strict_roles)):
        control = block.get("cache_control")
        if section != "tools":
            _check_content(place, block)
        if not _stands_apart(section, block):
            prompt = prompt.extended(block_from_api(section, block, count(block), role, place))
        if control is not None and prompt.length:
            prompt = prompt.marked(_lifetime(control, f"{place}.cache_control"))
    return prompt


class _Found(NamedTuple):
    """A block as it stands in a request."""

    section: str
    place: str
    block: Data
    role: str = ""


def _check_fields(data: Data) -> None:
    for name in data:
        if name not in FIELDS:
            raise ApiError.invalid(f"{name}: Extra inputs are not permitted")
    for name in ("model", "max_tokens", "messages"):
        if name not in data:
            raise ApiError.invalid(f"{name}: Field required")
    if not isinstance(data["model"], str):
        raise ApiError.invalid("model: Input should be a valid string")
    if type(data["max_tokens"]) is not int:
        raise ApiError.invalid("max_tokens: Input should be a valid integer")
    if not _list("messages", data["messages"]):
        raise ApiError.invalid("messages: at least one message is required")


def _settings(data: Data, tools: list[Data]) -> Settings:
    output = _object("output_config", data.get("output_config") or {})
    for name in output:
        if name not in ("effort", "format"):
            raise ApiError.invalid(f"output_config.{name}: Extra inputs are not permitted")
    choice, thinking = data.get("tool_choice"), data.get("thinking")
    return Settings(
        tool_choice=None if choice is None else _object("tool_choice", choice),
        thinking=None if thinking is None else _object("thinking", thinking),
        effort=output.get("effort"),
        speed=data.get("speed"),
        web_search=tuple(_unmarked(tool) for tool in tools if _searches_the_web(tool)),
        output_format=output.get("format"),
    )


def _previous(diagnostics: Any) -> str | None:
    if diagnostics is None:
        return LATEST
    return cast(str | None, _object("diagnostics", diagnostics).get("previous_message_id"))


def _stands_apart(section: str, block: Data) -> bool:
    return section == "tools" and (bool(block.get("defer_loading")) or _searches_the_web(block))


def _searches_the_web(tool: Data) -> bool:
    return str(tool.get("type", "")).startswith("web_search")


def _unmarked(tool: Data) -> Data:
    return {name: value for name, value in tool.items() if name != "cache_control"}


def _tools(data: Data) -> Iterator[_Found]:
    for number, item in enumerate(_list("tools", data.get("tools"))):
        tool = _object(f"tools.{number}", item)
        if "input_schema" not in tool and tool.get("type", "custom") == "custom":
            raise ApiError.invalid(f"tools.{number}.custom.input_schema: Field required")
        yield _Found("tools", f"tools.{number}", tool)


def _system(data: Data) -> Iterator[_Found]:
    for number, block in enumerate(_as_blocks("system", data.get("system") or ())):
        yield _Found("system", f"system.{number}", block)


def _messages(data: Data, strict_roles: bool) -> Iterator[_Found]:
    """The blocks of all messages; neighbours of one role are one message, in their places too."""
    number, index, before = -1, 0, ""
    for item in _list("messages", data.get("messages")):
        message = _object(f"messages.{number + 1}", item)
        role = message.get("role", "")
        if strict_roles and role == before:
            raise ApiError.invalid(
                f'messages.{number}: roles must alternate between "user" and "assistant", '
                f'but found multiple "{role}" roles in a row'
            )
        number, index = (number, index) if role == before else (number + 1, 0)
        place, before = f"messages.{number}", role
        if role not in ROLES:
            raise ApiError.invalid(f"{place}.role: Input should be one of {', '.join(ROLES)}")
        content = _as_blocks(f"{place}.content", message.get("content") or ())
        if not content:
            raise ApiError.invalid(f"{place}: all messages must have non-empty content")
        for block in content:
            yield _Found("messages", f"{place}.content.{index}", block, role)
            index += 1


def _list(place: str, value: Any) -> list[Any]:
    if value is None:
        return []
    if isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "__iter__"):
        raise ApiError.invalid(f"{place}: Input should be a valid list")
    return list(value)


def _object(place: str, value: Any) -> Data:
    """A JSON object, or the SDK's object for one."""
    if isinstance(value, Mapping):
        return value
    if hasattr(value, "model_dump"):
        return cast(Data, value.model_dump(exclude_none=True))
    raise ApiError.invalid(f"{place}: Input should be an object")


def _as_blocks(place: str, content: Any) -> list[Data]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [_object(f"{place}.{index}", block) for index, block in enumerate(_list(place, content))]


def _check_content(place: str, block: Data) -> None:
    kind = block.get("type")
    if kind not in KINDS - {"tool"}:
        raise ApiError.invalid(
            f"{place}: Input tag '{kind}' found using 'type' does not match any of the expected tags"
        )
    if kind == "text":
        text = block.get("text")
        if not isinstance(text, str):
            raise ApiError.invalid(f"{place}.text: Input should be a valid string")
        if not text and block.get("cache_control"):
            raise ApiError.invalid(f"{place}: cache_control cannot be set for empty text blocks")
        if text and not text.strip():
            raise ApiError.invalid(f"{place}: text content blocks must contain non-whitespace text")
    for name in ("content", "citations"):
        parts = block.get(name)
        for index, part in enumerate(parts if isinstance(parts, list) else ()):
            if isinstance(part, Mapping) and "cache_control" in part:
                raise ApiError.invalid(
                    f"{place}.{name}.{index}.cache_control: Extra inputs are not permitted"
                )


def _lifetime(control: Any, place: str) -> Lifetime:
    fields = _object(place, control)
    if fields.get("type") != "ephemeral":
        raise ApiError.invalid(f"{place}.type: Input should be 'ephemeral'")
    lifetime = fields.get("ttl") or "5m"
    if lifetime not in SECONDS:
        raise ApiError.invalid(f"{place}.ttl: Input should be '5m' or '1h'")
    return cast(Lifetime, lifetime)
