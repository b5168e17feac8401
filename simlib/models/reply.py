"""A reply with the attribute names of the SDK's Message, made of plain data."""

from collections.abc import Mapping, Sequence
from typing import Any

from simlib.billing.usage import Usage


class Fields:
    """A JSON object, its fields as attributes, with the SDK's `model_dump`.

    `plain` is the object; `nested` are those of its fields that have attributes themselves.

    >>> usage = Fields({"input_tokens": 20, "service_tier": None})
    >>> usage.input_tokens, usage.model_dump(exclude_none=True)
    (20, {'input_tokens': 20})
    """

    def __init__(self, plain: Mapping[str, Any], **nested: Any) -> None:
        fields = self.__dict__
        fields.update(plain)
        fields.update(nested)
        self._plain = plain

    def __repr__(self) -> str:
        return f"Fields({self._plain})"

    def model_dump(self, *, exclude_none: bool = False) -> dict[str, Any]:
        """The fields as plain data, as the SDK's models give them."""
        return _without_none(self._plain) if exclude_none else dict(self._plain)


def _without_none(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Without the fields that say nothing; a call's input is no field, and stays as it is."""
    return {
        name: _without_none(value) if isinstance(value, dict) and name != "input" else value
        for name, value in plain.items()
        if value is not None
    }


def message(
    id: str,
    model: str,
    content: Sequence[Mapping[str, Any]],
    stop_reason: str,
    usage: Usage,
    diagnostics: Mapping[str, Any] | None = None,
) -> Fields:
    """A message of the API.

    id : of the message. model : who wrote it. content : its blocks. stop_reason : the API's. usage : its
    tokens.
    diagnostics : why the cache was missed, as the API says it, None for nothing.
    Returns Fields with the names of the SDK's Message.
    Raises nothing.

    >>> message("msg_1", "toy-1", [{"type": "text", "text": "Growth."}], "end_turn", Usage(9)).content[0].text
    'Growth.'
    """
    counts = usage.to_api()
    counts["service_tier"] = "standard"
    plain = {
        "id": id,
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": list(content),
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "diagnostics": diagnostics,
        "usage": counts,
    }
    return Fields(
        plain,
        content=[Fields(block) for block in content],
        diagnostics=None if diagnostics is None else _diagnostics(diagnostics),
        usage=Fields(counts, cache_creation=Fields(counts["cache_creation"])),
    )


def _diagnostics(plain: Mapping[str, Any]) -> Fields:
    reason = plain["cache_miss_reason"]
    return Fields(plain, cache_miss_reason=None if reason is None else Fields(reason))
