"""A model that goes wrong at given rates: it wraps another one, and says in the transcript what it did."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from simlib.errors import ApiError, NotAGenerator, OutOfRange, real, single
from simlib.models.turn import Blocks, FakeModel, Turn

NOTHING = "nothing"
UNEXPECTED = "an unexpected argument"  # no name that the API allows for one, so that no schema has it


@dataclass(frozen=True)
class NoiseRates:
    """How often a reply goes wrong, each as a share of the replies that can go wrong so; at most 1 together.

    `wrong`: it asks for, or answers, something else than was meant. `repeated`: it asks once more for what it
    has. `malformed`: a call's arguments do not match the schema. `refused`: it declines. `overloaded`: the
    API does not answer at all. `cut`: the reply ends in the middle, as at max_tokens.
    """

    wrong: float = 0.0
    repeated: float = 0.0
    malformed: float = 0.0
    refused: float = 0.0
    overloaded: float = 0.0
    cut: float = 0.0

    def __post_init__(self) -> None:
        for name, rate in asdict(self).items():
            single(name, real(name, rate, low=0, high=1))
        if sum(asdict(self).values()) > 1 + 1e-12:
            raise OutOfRange("rates", asdict(self), "rates of at most 1 together")

    def draw(self, rng: np.random.Generator) -> str:
        """What happens to a reply: the name of a rate, or "nothing"."""
        at = rng.random()
        for name, rate in asdict(self).items():
            if at < rate:
                return name
            at -= rate
        return NOTHING


class Noisy:
    """Wraps `model`. After a wrong, a malformed or a repeated step the model itself does not know of it: the
    step that it meant is said next, until it gets through. Refused and cut replies end most runs.

    `rng` draws once for each request. `counts` are how often each thing happened; notes in the transcript say
    when.

    >>> from simlib.models.scripted import Script, say
    >>> noisy = Noisy(Script([say("Growth.")]), NoiseRates(refused=1), np.random.default_rng(7))
    >>> turn = noisy.next_turn({}, [])
    >>> turn.stop_reason, turn.notes
    ('refusal', ('noise: refused',))
    """

    def __init__(self, model: FakeModel, rates: NoiseRates, rng: np.random.Generator) -> None:
        if not isinstance(rng, np.random.Generator):
            raise NotAGenerator("rng", rng, "a numpy Generator, as from numpy.random.default_rng(seed)")
        self._model, self._rates, self._rng = model, rates, rng
        self.counts: dict[str, int] = {}
        self._owed: Turn | None = None  # meant, and not said yet
        self._said: Turn | None = None  # the last one that got through, if it asked for tools
        self._results: list[str] = []  # of that one, which the model has not been sent yet
        self._is_astray = False  # whether what comes in answers something that the model did not mean
        self._overloads = 0

    def next_turn(self, request: Mapping[str, Any], results: list[str]) -> Turn:
        """The wrapped model's turn, or what becomes of it; ApiError for an overload."""
        kind = self._rates.draw(self._rng)
        if kind == "overloaded":
            self._overloads += 1
            self._count(kind)
            raise ApiError(529, "overloaded_error", "Overloaded (injected)")
        if not self._is_astray:
            self._results = results
        if kind == "repeated" and self._said is not None and self._owed is None:
            self._is_astray = True
            return self._noted(Turn(self._said.content, self._said.stop_reason), kind)
        turn = self._owed or self._model.next_turn(request, self._results)
        spoiled = self._spoiled(turn, kind)
        if spoiled is None:
            self._owed, self._is_astray = None, False
            self._said = turn if _asks(turn) else None
            return self._noted(turn, NOTHING)
        self._owed, self._is_astray = turn, True
        return self._noted(spoiled, kind)

    def _spoiled(self, turn: Turn, kind: str) -> Turn | None:
        """What is said in a turn's place; None where the noise cannot befall it."""
        if kind == "refused":
            return Turn([], "refusal")
        if kind == "cut":
            return Turn(_half(turn.content), "max_tokens")
        changed = turn.content
        if kind == "malformed":
            changed = _with_input(turn.content, lambda given: {**given, UNEXPECTED: True})
        elif kind == "wrong" and _asks(turn):
            changed = _with_input(turn.content, _other_input)
        elif kind == "wrong":
            changed = [
                {**block, "text": _other(block["text"])} if "text" in block else block for block in changed
            ]
        return None if changed == turn.content else Turn(changed, turn.stop_reason)

    def _noted(self, turn: Turn, kind: str) -> Turn:
        notes = ("noise: overloaded",) * self._overloads
        self._overloads = 0
        if kind != NOTHING:
            self._count(kind)
            notes += (f"noise: {kind}",)
            turn = turn._replace(content=_with_ids_of(f"{kind}_{self.counts[kind]}", turn.content))
        return turn._replace(notes=turn.notes + notes)

    def _count(self, kind: str) -> None:
        self.counts[kind] = self.counts.get(kind, 0) + 1


def _asks(turn: Turn) -> bool:
    return any(block["type"] == "tool_use" for block in turn.content)


def _with_ids_of(noise: str, content: Blocks) -> Blocks:
    """A reply whose calls have other ids than those that were meant, where these have theirs already, as in a
    recording.
    """
    return [{**block, "id": f"{block['id']}_{noise}"} if "id" in block else block for block in content]


def _with_input(content: Blocks, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Blocks:
    """A reply whose calls ask with other arguments; what is no arguments at all stays as it is."""
    return [
        {**block, "input": change(block["input"])} if isinstance(block.get("input"), dict) else block
        for block in content
    ]


def _other_input(given: dict[str, Any]) -> dict[str, Any]:
    """Arguments of which the first is another one."""
    return {name: value if at else _other(value) for at, (name, value) in enumerate(given.items())}


def _other(value: Any) -> Any:
    """Something else of the same kind: a text that begins with its second letter, the next number."""
    if isinstance(value, str):
        return value[1:] + value[:1] if len(set(value)) > 1 else f"{value}?"
    return value + 1 if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def _half(content: Blocks) -> Blocks:
    """A reply that ends in its last block: half of a text, nothing of a call."""
    *whole, last = content or [{"type": "tool_use"}]
    half = last.get("text", "")[: len(last.get("text", "")) // 2]
    return [*whole, {**last, "text": half}] if half else list(whole)
