"""Where a run stands by what its transcript says, which is what a resumed run will know."""

from collections.abc import Sequence

from simlib.agent.call import calls_in
from simlib.agent.transcript import Event


def has_begun(events: Sequence[Event]) -> bool:
    """Whether it says what is to be done.

    events : of a transcript.
    Returns True or False.
    Raises nothing.

    >>> has_begun([{"event": "start"}])
    False
    """
    return any(event["event"] == "task" for event in events)


def open_calls(events: Sequence[Event]) -> list[str]:
    """The calls of the last reply, if it has no results.

    events : of a transcript.
    Returns their ids.
    Raises nothing.

    >>> call = {"type": "tool_use", "id": "toolu_1", "name": "search", "input": {}}
    >>> open_calls([{"event": "reply", "content": [call]}])
    ['toolu_1']
    """
    for event in reversed(events):
        if event["event"] == "results":
            return []
        if event["event"] == "reply":
            return [call.id for call in calls_in(event["content"])]
    return []


def has_new_results(events: Sequence[Event]) -> bool:
    """Whether results are the last that happened, so that no lever has changed the conversation since.

    events : of a transcript.
    Returns True or False.
    Raises nothing.

    >>> has_new_results([{"event": "results"}, {"event": "end"}])
    True
    """
    kinds = [event["event"] for event in events if event["event"] not in ("note", "end")]
    return kinds[-1:] == ["results"]
