"""How many tokens a text has, by kind and by family of tokenizers, beside four characters a token."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from simlib.articles.figures.figure import Figure, Table
from simlib.errors import known
from simlib.plots.axes import count_axis, thousands
from simlib.plots.canvas import Axes
from simlib.plots.labels import label_bar
from simlib.plots.marks import horizontal_bars
from simlib.tokens.estimator import estimate

RULE_OF_THUMB = 4  # characters a token
FAMILIES = {"current Claude": "claude-4.7+", "earlier Claude": "claude-3..4.6", "OpenAI's o200k": "o200k"}
THUMB = "4 characters a token"
PROSE, CODE, TABLE, CZECH = "English prose", "Python code", "a CSV table", "Czech prose"

SAMPLES: Mapping[str, str] = MappingProxyType(
    {
        PROSE: "An assistant in an archive may not walk into the stacks. He writes a slip, a clerk brings a "
        "copy, and before he writes the next slip he reads his whole notebook again. With five slips this is "
        "no trouble. With fifty he spends most of the day reading what he has read already.",
        CODE: "def total_input(calls, first_context, growth):\n    total = 0\n    context = first_context\n"
        "    for call in range(calls):\n        total += context\n        context += growth\n"
        "    return total\n\nprint(total_input(8, 8_000, 2_200))\n",
        TABLE: "id,service,severity,minutes_down,opened\nINC-1041,payments-api,SEV1,47,2026-03-02T08:14\n"
        "INC-1042,auth-gateway,SEV2,12,2026-03-02T19:50\nINC-1043,search-indexer,SEV3,5,2026-03-04T02:31\n"
        "INC-1044,auth-gateway,SEV1,88,2026-03-07T11:09\n",
        CZECH: "Pomocník v archivu nesmí mezi regály. Napíše lístek, úředník přinese kopii, a než pomocník "
        "napíše další lístek, přečte si znovu celý svůj sešit. Při pěti lístcích to nevadí. Při padesáti "
        "stráví většinu dne čtením toho, co už jednou četl.",
    }
)


@dataclass(frozen=True)
class Counted:
    """A text by the name of its kind, its characters, and its tokens as each family, and the rule of thumb,
    has them.
    """

    kind: str
    characters: int
    tokens: Mapping[str, int]


def counted(kind: str = PROSE, own: str = "") -> Counted:
    """A text's tokens, estimated.

    kind : of the sample. own : another text in its place, if it is not empty.
    Returns a Counted, in tokens.
    Raises UnknownName for a kind, BadArgument for what is no text.

    >>> counted(own="Four letters a token?").tokens[THUMB]
    5
    """
    text = own or SAMPLES[known("kind", kind, SAMPLES)]
    tokens = {name: estimate(text, family) for name, family in FAMILIES.items()}
    return Counted(
        "your text" if own else kind, len(text), tokens | {THUMB: round(len(text) / RULE_OF_THUMB)}
    )


def _draw(ax: Axes, shown: Counted) -> None:
    names, widths = list(shown.tokens), [float(tokens) for tokens in shown.tokens.values()]
    horizontal_bars(ax, names, widths, ["no lever", "other", "other", "read again"])
    most = max(*widths, 1.0)
    ax.set_xlim(0, most * 1.1)
    count_axis(ax, "x", f"tokens of {shown.kind}", parts=5)
    for at, width in enumerate(widths):
        label_bar(ax, width, at, thousands(width))


def _sentence(shown: Counted) -> str:
    current, thumb = shown.tokens["current Claude"], shown.tokens[THUMB]
    if not current:
        return f"{shown.characters} characters are 0 tokens."
    each = shown.characters / current
    off = f", {thumb / current - 1:+.0%}" if thumb != current else ""
    return (
        f"{shown.kind[0].upper()}{shown.kind[1:]}: {shown.characters:,} characters are about {current:,} "
        f"tokens for a current Claude model, {each:.1f} characters each. Four characters a token would say "
        f"{thumb:,}{off}."
    )


def _table(shown: Counted) -> Table:
    return {
        "counted as": list(shown.tokens),
        "tokens": list(shown.tokens.values()),
        "characters a token": [shown.characters / max(tokens, 1) for tokens in shown.tokens.values()],
    }


COUNTED = Figure(
    id="counted",
    title="A token is four characters only in some texts",
    passage="article A, “word pieces of about four characters”",
    data=counted,
    draw=_draw,
    sentence=_sentence,
    table=_table,
)
