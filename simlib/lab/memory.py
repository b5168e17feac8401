"""What a student predicted and tried: a JSON file beside the notebook, which survives a restart."""

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from simlib.files import write_whole

SCHEMA = "simlib answers 1"

State = dict[str, dict[str, Any]]


class Memory:
    """Predictions, tries, hints taken and answers revealed, each by exercise.

    The file is the truth: it is read again before every change, so that two open copies of a notebook lose
    nothing of each other unless they write in the same moment. What cannot be understood is set aside; where
    the file cannot be read or written, it is left alone, and the answers live as long as the kernel. `notice`
    says so.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.notice, self._only_here = path, "", False
        self._kept: State = {"predictions": {}, "tries": {}, "hints": {}, "revealed": {}}
        self._read()

    def prediction(self, name: str) -> float | None:
        """The guess kept for an exercise."""
        guess: float | None = self._kept["predictions"].get(name)
        return guess

    def tries(self, name: str) -> list[Mapping[str, Any]]:
        """What was tried, in order: {"given": the answers as typed, "right": whether all were right}."""
        return list(self._kept["tries"].get(name, ()))

    def hints(self, name: str) -> int:
        """How many hints were taken."""
        return int(self._kept["hints"].get(name, 0))

    def is_solved(self, name: str) -> bool:
        """Whether any try was right."""
        return any(attempt["right"] for attempt in self.tries(name))

    def is_revealed(self, name: str) -> bool:
        """Whether the answer was shown."""
        return bool(self._kept["revealed"].get(name))

    def keep_prediction(self, name: str, guess: float) -> None:
        """Keep a guess, in place of an earlier one."""
        self._change(lambda kept: kept["predictions"].update({name: guess}))

    def keep_try(self, name: str, given: list[str], right: bool) -> None:
        """Add a try, unless it is the last one again: running a cell twice is not trying twice."""
        attempt = {"given": given, "right": right}

        def add(kept: State) -> None:
            before = kept["tries"].setdefault(name, [])
            if not before or before[-1] != attempt:
                before.append(attempt)

        self._change(add)

    def keep_hints(self, name: str, taken: int) -> None:
        """Remember how many hints were taken."""
        self._change(lambda kept: kept["hints"].update({name: taken}))

    def keep_revealed(self, name: str) -> None:
        """Remember that the answer was shown."""
        self._change(lambda kept: kept["revealed"].update({name: True}))

    def forget(self) -> None:
        """Start again: a new student at the same machine."""
        self._change(lambda kept: kept.update({part: {} for part in kept}))

    def _change(self, change: Callable[[State], Any]) -> None:
        if not self._only_here:
            self._read()
        change(self._kept)
        if self._only_here:
            return
        text = json.dumps({"schema": SCHEMA, **self._kept}, indent=1, ensure_ascii=False)
        try:
            write_whole(self.path, text + "\n")
        except (OSError, ValueError) as error:
            self._keep_only_here(error)

    def _read(self) -> None:
        try:
            self._kept = _understood(json.loads(self.path.read_text(encoding="utf-8-sig")))
        except FileNotFoundError:
            return
        except OSError as error:
            self._keep_only_here(error)
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            self._set_aside()

    def _keep_only_here(self, error: Exception) -> None:
        self._only_here = True
        self.notice = f"Answers last only until the kernel stops: {self.path.name} is not kept ({error})."

    def _set_aside(self) -> None:
        number = 1
        while (aside := self.path.with_name(f"{self.path.stem}.unreadable-{number}.json")).exists():
            number += 1
        try:
            self.path.rename(aside)
            self.notice = f"{self.path.name} could not be understood. It is kept as {aside.name}."
        except OSError as error:
            self.notice = f"{self.path.name} could not be understood ({error})."


def _understood(found: Any) -> State:
    """The state in a file; fails where a part is missing or holds what it never should."""
    kept: State = {part: found[part] for part in ("predictions", "tries", "hints", "revealed")}
    attempts = [attempt for tries in dict(kept["tries"]).values() for attempt in list(tries)]
    if not (
        found["schema"] == SCHEMA
        and all(isinstance(part, dict) for part in kept.values())
        and all(
            type(guess) in (int, float) and math.isfinite(guess) for guess in kept["predictions"].values()
        )
        and all(type(attempt["right"]) is bool for attempt in attempts)
        and all(isinstance(text, str) for attempt in attempts for text in list(attempt["given"]))
        and all(type(taken) is int and taken >= 0 for taken in kept["hints"].values())
        and all(type(seen) is bool for seen in kept["revealed"].values())
    ):
        raise ValueError(f"not {SCHEMA}")
    return kept
