"""What a player of a run sees at his turn, and what he decides: data, without a widget."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from simlib.articles.figures.figure import Figure, Table


@dataclass(frozen=True)
class Scene:
    """A run up to a player's next decision.

    `sentence` says where it stands. `asks` is what he has to decide, empty when the run is over. `log` is
    what he may read, oldest first. `data` is drawn by the play's figure. `verdict` says at the end how it
    went, and `won` whether well; `table` compares it with others, None before the end.
    """

    sentence: str
    asks: str
    log: tuple[str, ...]
    data: Any
    verdict: str = ""
    won: bool = False
    table: Table | None = None


@dataclass(frozen=True)
class Play:
    """A run in which a player decides. `scene` gives what he sees after his decisions so far, computed anew
    from the first one each time, so that taking one back is leaving it out.

    `decides` says on what: "calls" are a model's replies, "approvals" are yes or no, "options" one of
    `options`. `beside` is whether the log stands beside the picture.
    """

    id: str
    title: str
    decides: Literal["calls", "approvals", "options"]
    figure: Figure[Any]
    scene: Callable[[Sequence[Any]], Scene]
    beside: bool = False
    options: tuple[str, ...] = ()
