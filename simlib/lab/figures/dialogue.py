"""Who does what in a run: the last few acts as arrows between the model, your code, the tools and you."""

from dataclasses import dataclass

from simlib.articles.figures.figure import Table
from simlib.errors import axis_length
from simlib.lab.acts import LANES, Act
from simlib.plots.canvas import Axes
from simlib.plots.lanes import Arrow, draw_lanes, shortened

ROWS = 6  # acts shown
SPOKEN = 95  # letters of an act that the sentence repeats


@dataclass(frozen=True)
class Dialogue:
    """The first acts of a run: `acts` are those up to now, `of` is how many there will be, 0 if nobody knows
    yet.
    """

    acts: tuple[Act, ...]
    of: int

    @property
    def shown(self) -> tuple[Act, ...]:
        """The last few."""
        return self.acts[-ROWS:]


def dialogue(acts: tuple[Act, ...], step: int) -> Dialogue:
    """A run up to one of its acts.

    acts : of the whole run. step : how many have happened, from 1; beyond the last one it stays there.
    Returns a Dialogue.
    Raises NotANumber, NotWhole or OutOfRange.

    >>> len(dialogue((Act("you", "your code", "Whose port?"),), 3).acts)
    1
    """
    return Dialogue(acts[: axis_length("step", step, low=1)], len(acts))


def draw_dialogue(ax: Axes, shown: Dialogue) -> None:
    """Draw the last acts, the latest one strong; what is refused or fails in the colour of danger.

    ax : what to draw on. shown : the data.
    Returns nothing. Raises nothing.

    >>> from simlib.plots.canvas import Canvas
    >>> said = dialogue((Act("you", "your code", "Whose port?"),), 1)
    >>> "Whose port?" in Canvas().svg(lambda ax: draw_dialogue(ax, said))
    True
    """
    latest = len(shown.shown) - 1
    arrows = [
        Arrow(
            LANES.index(act.sender),
            LANES.index(act.receiver),
            act.text,
            "danger" if act.is_error else "no lever",
            strong=at == latest,
        )
        for at, act in enumerate(shown.shown)
    ]
    draw_lanes(ax, LANES, arrows, ROWS)


def in_words(shown: Dialogue) -> str:
    """The latest act, and what the run has cost.

    shown : the data.
    Returns a sentence or two.
    Raises nothing.

    >>> in_words(dialogue((Act("you", "your code", "Whose port?"),), 1))
    'Message 1 of 1, the last: you to your code: “Whose port?” 0 calls so far, 0 tokens read, $0.00000.'
    """
    act = shown.acts[-1]
    what = shortened(act.text, SPOKEN)
    who = act.sender if act.sender == act.receiver else f"{act.sender} to {act.receiver}"
    calls = f"{act.calls} call{'s' * (act.calls != 1)} so far, {act.tokens:,} tokens read"
    number = len(shown.acts)
    place = f"{number} of {shown.of}{', the last' * (number == shown.of)}" if shown.of else f"{number} so far"
    return f"Message {place}: {who}: “{what}” {calls}, ${act.dollars:.5f}."


def as_table(shown: Dialogue) -> Table:
    """All acts up to now.

    shown : the data.
    Returns columns: number, who, to whom, what, tokens and dollars up to then.
    Raises nothing.

    >>> as_table(dialogue((Act("you", "your code", "Whose port?"),), 1))["to whom"]
    ['your code']
    """
    return {
        "message": range(1, len(shown.acts) + 1),
        "who": [act.sender for act in shown.acts],
        "to whom": [act.receiver for act in shown.acts],
        "what": [act.text for act in shown.acts],
        "tokens read so far": [act.tokens for act in shown.acts],
        "dollars so far": [f"{act.dollars:.6f}" for act in shown.acts],
    }
