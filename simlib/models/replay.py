"""A model that says what was recorded, and notices when it is asked something else."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from simlib.agent.conversation import Conversation
from simlib.billing.usage import usage_from_api
from simlib.errors import ApiError, SimlibError, known
from simlib.models.difference import Difference, differences
from simlib.models.recording import Recording
from simlib.models.turn import Turn

Tokens = Literal["recorded", "recomputed"]


class ReplayMiss(SimlibError):
    """A request that is not the recorded one: the first `difference`, and how many replies are `unused`."""

    def __init__(self, difference: Difference, unused: int) -> None:
        super().__init__(difference, unused)
        self.difference, self.unused = difference, unused

    def __str__(self) -> str:
        return f"{self.difference}; {replies(self.unused)} not used"


class RecordingEnded(SimlibError):
    """A recording that was asked for one reply more than it has."""


class Replay:
    """Plays a recording through a client: `FakeClient(Replay(recording))`. Nothing else is ever asked.

    If `strict`, a request that differs from the recorded one is a ReplayMiss; otherwise it gets the recorded
    reply all the same, and `differences` lists what was not there before. `tokens` says whether usage and
    time are those of the recording, or worked out anew by the client; of a text that was cut at max_tokens
    only what is left can be counted again.
    """

    def __init__(self, recording: Recording, *, strict: bool = True, tokens: Tokens = "recorded") -> None:
        self.recording, self.strict = recording, strict
        known("tokens", tokens, ("recorded", "recomputed"))
        self.tokens: Tokens = tokens
        self.differences: list[Difference] = []
        self.played = 0
        self._asked = recording.asked()
        self._settings = recording.settings
        self._compared: tuple[Any, Any, int] = None, None, 0  # both conversations, up to where
        self._failure: ApiError | None = None  # that ended the recorded run, once it was asked for
        self._seen: set[tuple[str, ...]] = set()

    @property
    def unused(self) -> int:
        """How many recorded replies nobody has asked for."""
        return len(self.recording.replies) - self.played

    def next_turn(self, request: Mapping[str, Any], results: list[str]) -> Turn:
        """The recorded reply; ReplayMiss, RecordingEnded, or the ApiError that ended the recorded run."""
        if self._failure is not None:
            raise self._failure  # again, since a client asks again
        talk, reply = next(self._asked, (None, None))
        if talk is None or reply is None:
            raise RecordingEnded(f"the recording has {replies(self.played)}, and another one was asked for")
        for difference in self._differences(talk, request):
            if self.strict:
                raise ReplayMiss(difference, self.unused)
            self._note(difference)
        if reply["event"] == "end":
            self._failure = _error(reply["error"])
            raise self._failure
        self.played += 1
        notes = (f"replayed from a recording, tokens {self.tokens}",) if self.played == 1 else ()
        turn = Turn(reply["content"], reply["stop_reason"], notes=notes)
        if self.tokens == "recomputed":
            return turn
        return turn._replace(usage=usage_from_api(reply["usage"]), seconds=float(reply["seconds"]))

    def _differences(self, talk: Conversation, request: Mapping[str, Any]) -> Iterator[Difference]:
        """Where the request is not the recorded one. Two conversations that go on are compared from where
        they were left, and walked only if there is something to find.
        """
        call, sent = self.played + 1, {name: request[name] for name in request if name != "messages"}
        if sent != self._settings:
            yield from differences(call, "", self._settings, _plain(sent))
        messages = request["messages"]
        recorded_before, before, compared = self._compared
        begin = compared if talk is recorded_before and messages is before else 0
        if talk[begin:] != messages[begin:]:
            yield from differences(call, "messages", list(talk), _plain(messages))
        if isinstance(messages, Conversation):
            self._compared = talk, messages, min(len(talk), len(messages))

    def _note(self, difference: Difference) -> None:
        """List it, if the same was not listed for an earlier call: what differs once stays in the history."""
        _, *what = difference
        if tuple(what) not in self._seen:
            self._seen.add(tuple(what))
            self.differences.append(difference)


def _error(words: str) -> ApiError:
    """An error of the API from how a transcript has it in words."""
    status, _, rest = words.partition(" ")
    kind, _, message = rest.partition(": ")
    return ApiError(int(status) if status.isdigit() else 0, kind, message)


def _plain(value: Any) -> Any:
    """What is sent, as JSON has it; a client's own list may hold the SDK's objects."""

    def plain(part: Any) -> Any:
        return part.model_dump(exclude_none=True) if hasattr(part, "model_dump") else str(part)

    return json.loads(json.dumps(value, default=plain))


def replies(number: int) -> str:
    """A number of replies in words.

    number : of them.
    Returns text. Raises nothing.

    >>> replies(1), replies(2)
    ('1 reply', '2 replies')
    """
    return f"{number} repl{'y' if number == 1 else 'ies'}"
