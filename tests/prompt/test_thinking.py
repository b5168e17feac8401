"""A model that forgets its thinking, against the same prompt built without it."""

from simlib.prompt.blocks import Block
from simlib.prompt.prompt import Prompt, extended
from simlib.prompt.thinking import Forgetting


def said(text):
    return Block("messages", "text", text, 20, "user")


def thought(text):
    return Block("messages", "thinking", text, 300, "assistant")


def call(id):
    return Block("messages", "tool_use", id, 50, "assistant", id)


def result(id):
    return Block("messages", "tool_result", id, 90, "user", id)


FIRST = [
    said("one"),
    thought("hm"),
    call("a"),
    result("a"),
    thought("so"),
    Block("messages", "text", "6", 5, "assistant"),
]


def test_thinking_stays_while_only_tools_have_answered():
    prompt = Prompt().extended(*FIRST)
    assert Forgetting().read(prompt) is prompt


def test_thinking_goes_when_the_user_speaks_again_and_the_new_one_stays():
    prompt = Prompt().extended(*FIRST, said("two"), thought("new"), call("b"), result("b"))
    kept = [block for block in prompt.blocks() if block.content not in ("hm", "so")]
    assert Forgetting().read(prompt) == Prompt().extended(*kept)


def test_markers_stay_on_their_blocks():
    prompt = Prompt().extended(*FIRST).marked("1h", at=3).extended(said("two")).marked()
    read = Forgetting().read(prompt)
    assert [(marker.prefix.block.content, marker.lifetime) for marker in read.markers] == [
        ("a", "1h"),
        ("two", "5m"),
    ]


def test_a_run_makes_each_link_at_most_twice(monkeypatch):
    """However often the user speaks: once with the thinking since then, once without any."""
    made = []
    monkeypatch.setattr("simlib.prompt.thinking.extended", lambda *at: made.append(at) or extended(*at))
    forgetting, prompt = Forgetting(), Prompt().extended(*FIRST)
    for number in range(50):
        prompt = prompt.extended(
            said(f"{number}"), thought(f"{number}"), call(f"c{number}"), result(f"c{number}")
        )
        forgetting.read(prompt.marked())
    assert len(made) <= 2 * prompt.length


def test_a_marker_before_the_users_last_words_but_one_is_found_too():
    blocks = [*FIRST, said("two"), thought("new"), call("b"), result("b"), said("three")]
    prompt = Prompt().extended(*blocks[:9]).marked("1h", at=4 - 1).marked("1h").extended(*blocks[9:]).marked()
    plain = Prompt().extended(*(block for block in blocks if block.kind != "thinking"))
    read = Forgetting().read(prompt)
    assert read.last == plain.last
    links = {link.length: link for link in plain.last.back()}
    assert [marker.prefix for marker in read.markers] == [links[3], links[6], links[8]]
