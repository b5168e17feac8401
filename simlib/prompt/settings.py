"""What a request asks for beside its prompt, and how far each setting reaches into the cache's key.

A changed setting can cost a cached prefix though no text has changed: a provider writes some settings into
the prompt it builds. Which part is lost is the same for every model, but for thinking and effort.
"""

import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from simlib.prompt.blocks import CITATIONS, IMAGES

_one_form = json.JSONEncoder(sort_keys=True).encode
AUTOMATIC = {"type": "auto"}  # the tool choice of a request that says nothing


class Keys(NamedTuple):
    """What beside the blocks belongs to the key of a prompt that ends in tools, in system, or in messages."""

    tools: tuple[Any, ...]
    system: tuple[Any, ...]
    messages: tuple[Any, ...]


@dataclass(frozen=True)
class Settings:
    """The settings that a cache notices, each as the API writes it; None is what the API does without it.

    `speed` and `web_search` (definitions of that server tool) reach from the system prompt on, `tool_choice`
    over the messages, `thinking` and `effort` over what the model decides. `output_format` is a
    schema for the answer, which no documented rule puts into the key.

    >>> automatic, forced = Settings(), Settings(tool_choice={"type": "any"})
    >>> automatic.keys("messages").system == forced.keys("messages").system
    True
    """

    tool_choice: Mapping[str, Any] | None = None
    thinking: Mapping[str, Any] | None = None
    effort: str | None = None
    speed: str | None = None
    web_search: tuple[Mapping[str, Any], ...] = ()
    output_format: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        for name in ("tool_choice", "thinking", "web_search", "output_format"):
            # Copies, so that nobody changes them afterwards.
            value = getattr(self, name)
            if value:
                object.__setattr__(self, name, deepcopy(value))

    def plain(self, default_effort: str | None) -> "Settings":
        """The same settings with everything left out that is what the API does anyway."""
        choice = {name: value for name, value in (self.tool_choice or {}).items() if value is not False}
        return replace(
            self,
            tool_choice=None if choice in ({}, AUTOMATIC) else choice,
            effort=None if self.effort == default_effort else self.effort,
            speed=None if self.speed == "standard" else self.speed,
        )

    def keys(
        self, reasoning_from: str, features: frozenset[str] = frozenset(), owner: tuple[str, ...] = ()
    ) -> Keys:
        """What a cache compares beside the blocks, of settings that are plain.

        `owner` says whose prompts they are: model and workspace. `features` are the prompt's.
        `reasoning_from` is the section from which on the model's key holds thinking and effort.
        """
        reasoning = _one_form([self.thinking, self.effort])
        tools = (*owner, reasoning) if reasoning_from == "tools" else owner
        head = _one_form([self.speed, self.web_search]), CITATIONS in features
        system = (*tools, *head, *((reasoning,) if reasoning_from == "system" else ()))
        last = _one_form(self.tool_choice), IMAGES in features
        messages = (*system, *last, *((reasoning,) if reasoning_from == "messages" else ()))
        return Keys(tools, system, messages)


def changed(before: Settings, now: Settings) -> list[str]:
    """Which settings differ.

    before, now : two requests' settings, both plain.
    Returns names, in the order of the fields.
    Raises nothing.

    >>> changed(Settings(), Settings(effort="low"))
    ['effort']
    """
    return [
        field.name for field in fields(Settings) if getattr(before, field.name) != getattr(now, field.name)
    ]
