"""A reply with the attribute names of the SDK's Message, made of plain data."""

from collections.abc import Mapping, Sequence
from typing import Any

from simlib.billing.cache.policy import API_REASONS, Miss
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
    miss: Miss | None = None,
    notes: tuple[str, ...] = (),
) -> Fields:
    """A message of the API.

    id : of the message. model : who wrote it. content : its blocks. stop_reason : the API's. usage : its
    tokens.
    miss : why the cache was missed, None for nothing. notes : what was done to a simulated reply; they are
    an attribute, and no part of the message.
    Returns Fields with the names of the SDK's Message.
    Raises nothing.

    >>> message("msg_1", "toy-1", [{"type": "text", "text": "Growth."}], "end_turn", Usage(9)).content[0].text
    'Growth.'
    """
    diagnostics = None if miss is None else {"cache_miss_reason": _reason(miss)}
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
        notes=notes,
        content=[Fields(block) for block in content],
        diagnostics=None if diagnostics is None else _diagnostics(diagnostics),
        usage=Fields(counts, cache_creation=Fields(counts["cache_creation"])),
    )


def _diagnostics(plain: Mapping[str, Any]) -> Fields:
    reason = plain["cache_miss_reason"]
    return Fields(plain, cache_miss_reason=None if reason is None else Fields(reason))


def _reason(miss: Miss) -> dict[str, Any] | None:
    """Why the cache was missed, as the API says it; it says nothing where the words are simlib's own."""
    if miss.reason not in API_REASONS:
        return None
    counts = (
        {}
        if miss.reason in ("previous_message_not_found", "unavailable")
        else {"cache_missed_input_tokens": miss.tokens}
    )
    return {"type": miss.reason, **counts}
