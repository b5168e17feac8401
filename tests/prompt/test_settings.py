"""What of a request's settings reaches which part of the cache's key."""

import pytest

from simlib.prompt.blocks import CITATIONS, IMAGES
from simlib.prompt.settings import Settings, changed

PLAIN = Settings().keys("messages")
SECTIONS = ("tools", "system", "messages")


def lost(settings, reasoning_from="messages", default_effort="high", features=frozenset()):
    """The sections whose key is not that of plain settings."""
    plain = Settings().plain(default_effort).keys(reasoning_from)
    keys = settings.plain(default_effort).keys(reasoning_from, features)
    return [section for section in SECTIONS if getattr(keys, section) != getattr(plain, section)]


@pytest.mark.parametrize(
    ("settings", "sections"),
    [
        (Settings(tool_choice={"type": "any"}), ["messages"]),
        (Settings(tool_choice={"type": "auto", "disable_parallel_tool_use": True}), ["messages"]),
        (Settings(tool_choice={"type": "auto"}), []),
        (Settings(tool_choice={"type": "auto", "disable_parallel_tool_use": False}), []),
        (Settings(thinking={"type": "adaptive"}), ["messages"]),
        (Settings(effort="low"), ["messages"]),
        (Settings(effort="high"), []),
        (Settings(speed="fast"), ["system", "messages"]),
        (Settings(speed="standard"), []),
        (Settings(web_search=({"type": "web_search_20260209"},)), ["system", "messages"]),
        (Settings(output_format={"type": "json_schema"}), []),
    ],
)
def test_what_each_setting_loses(settings, sections):
    assert lost(settings) == sections


@pytest.mark.parametrize(("reasoning_from", "at"), [("tools", 0), ("system", 1), ("messages", 2)])
@pytest.mark.parametrize("settings", [Settings(effort="low"), Settings(thinking={"type": "disabled"})])
def test_where_thinking_and_effort_stand_is_the_models(settings, reasoning_from, at):
    assert lost(settings, reasoning_from) == list(SECTIONS[at:])


def test_images_lose_the_messages_and_citations_the_system_prompt_too():
    assert lost(Settings(), features=frozenset({IMAGES})) == ["messages"]
    assert lost(Settings(), features=frozenset({CITATIONS})) == ["system", "messages"]


def test_an_owner_shares_nothing_with_another():
    one, other = (Settings().keys("messages", owner=("toy-1", name)) for name in "ab")
    assert all(getattr(one, section) != getattr(other, section) for section in SECTIONS)


def test_the_order_of_fields_in_a_setting_is_of_no_account():
    one = Settings(thinking={"type": "enabled", "budget_tokens": 2_000})
    other = Settings(thinking={"budget_tokens": 2_000, "type": "enabled"})
    assert one.keys("tools") == other.keys("tools")
    assert changed(one, other) == []


def test_what_changed_is_named():
    assert changed(Settings(), Settings(effort="low", speed="fast")) == ["effort", "speed"]
