"""A request written in the shape that a client sends."""

from collections.abc import Mapping
from typing import Any

from simlib.prompt.prompt import Lifetime, Prompt
from simlib.prompt.request import LATEST, Request

Data = Mapping[str, Any]


def request_to_api(request: Request) -> dict[str, Any]:
    """A request in the shape that `client.messages.create(**request)` takes.

    request : a request whose blocks have contents, not only sizes.
    Returns the fields: only those that say something.
    Raises ValueError (of JSON) for a bare layout.

    >>> messages = [{"role": "user", "content": "Hello"}]
    >>> from simlib.prompt.from_api import request_from_api
    >>> data = {"model": "claude-haiku-5-5", "max_tokens": 100, "messages": messages}
    >>> request_to_api(request_from_api(data, count=lambda block: 8))["messages"]
    [{'role': 'user', 'content': [{'text': 'Hello', 'type': 'text'}]}]
    """
    settings = request.settings
    output = {"effort": settings.effort, "format": settings.output_format}
    tools, system, messages = _sections(request.prompt)
    tools += [dict(tool) for tool in (*settings.web_search, *request.deferred_tools)]
    fields = {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "tools": tools,
        "system": system,
        "messages": messages,
        "tool_choice": settings.tool_choice,
        "thinking": settings.thinking,
        "output_config": {name: value for name, value in output.items() if value is not None},
        "speed": settings.speed,
        "cache_control": _control(request.automatic) if request.automatic else None,
        "stream": request.stream or None,
        "diagnostics": None if request.previous == LATEST else {"previous_message_id": request.previous},
    }
    given = {name: value for name, value in fields.items() if value not in (None, [], {})}
    return given | dict(request.sampling or {}) | dict(request.extras or {})


def _control(lifetime: Lifetime) -> dict[str, str]:
    return {"type": "ephemeral"} if lifetime == "5m" else {"type": "ephemeral", "ttl": lifetime}


def _sections(prompt: Prompt) -> tuple[list[Data], list[Data], list[dict[str, Any]]]:
    """Tools, system texts, and messages, whose blocks are gathered by their roles."""
    marked = {marker.prefix.length: marker.lifetime for marker in prompt.markers}
    tools: list[Data] = []
    system: list[Data] = []
    messages: list[dict[str, Any]] = []
    for number, block in enumerate(prompt.blocks(), start=1):
        data = block.to_api()
        if number in marked:
            data["cache_control"] = _control(marked[number])
        if block.section != "messages":
            (tools if block.section == "tools" else system).append(data)
        elif messages and messages[-1]["role"] == block.role:
            messages[-1]["content"].append(data)
        else:
            messages.append({"role": block.role, "content": [data]})
    return tools, system, messages
