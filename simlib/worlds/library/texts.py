"""The texts, and the three tools that an agent has for them."""

import tomllib
from importlib import resources

from simlib.agent.tool import Tool, tool
from simlib.errors import BadArgument, UnknownName
from simlib.theory.information import kl_divergence

QUESTION = "Why is KL divergence not a distance? Give an example."
SYSTEM = (
    "You answer questions from a small library of texts. You have three tools: list_texts, search and read. "
    "In each step say briefly what you are looking for and use one tool, or give your answer and name the "
    "text that it is from. If a search finds nothing, try other words."
)
AROUND = 40  # characters shown on either side of what a search found
MOST = 20  # hits


def load_texts() -> dict[str, str]:
    """The texts by name, in the order of the alphabet.

    Returns a dict; lines are joined, paragraphs stay apart, and the two divergences are computed.
    Raises nothing.

    >>> len(load_texts()), list(load_texts())[9]
    (21, 'information')
    """
    text = resources.files("simlib.worlds.library").joinpath("texts.toml").read_text(encoding="utf-8")
    bits = {
        "{forward}": f"{kl_divergence([0.7, 0.3], [0.5, 0.5]):.3f}",
        "{backward}": f"{kl_divergence([0.5, 0.5], [0.7, 0.3]):.3f}",
    }
    return {name: _joined(written, bits) for name, written in sorted(tomllib.loads(text).items())}


def _joined(written: str, values: dict[str, str]) -> str:
    for place, value in values.items():
        written = written.replace(place, value)
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in written.strip().split("\n\n"))


def library_tools(texts: dict[str, str]) -> list[Tool]:
    """The tools: list the texts, search in all of them, read a part of one.

    texts : by name.
    Returns three tools.
    Raises nothing; a tool raises UnknownName for a text that does not exist, which the model reads.

    >>> search = library_tools(load_texts())[1]
    >>> search(text="KL divergence is not a metric")
    'nothing found'
    """

    @tool("List the texts and their lengths in characters.")
    def list_texts() -> str:
        return "\n".join(f"{name}: {len(text)} characters" for name, text in texts.items())

    @tool(
        "Find a text in all texts, whatever its case. Returns name, position and surroundings of each place.",
        text={"type": "string", "minLength": 1},
        limit={"type": "integer", "minimum": 1, "maximum": MOST},
    )
    def search(text: str, limit: int = MOST) -> str:
        found = [place for name in texts for place in _places(name, texts[name], text)]
        more = f"\n({len(found) - limit} more)" if len(found) > limit else ""
        return "\n".join(found[:limit]) + more if found else "nothing found"

    @tool(
        "Read a text, or the part of it from one position to another.",
        text={"type": "string"},
        start={"type": "integer", "minimum": 0},
        end={"type": "integer", "minimum": 1},
    )
    def read(text: str, start: int = 0, end: int = 100_000) -> str:
        if text not in texts:
            raise UnknownName("text", text, f"one of {', '.join(texts)}")
        if end <= start:
            raise BadArgument("end", end, f"a position after start, {start}")
        return (
            texts[text][start:end]
            or f"there is nothing from {start} on: the text has {len(texts[text])} characters"
        )

    return [list_texts, search, read]


def _places(name: str, text: str, wanted: str) -> list[str]:
    lower, looked_for, places, at = text.lower(), wanted.lower(), [], -1
    while (at := lower.find(looked_for, at + 1)) >= 0:
        around = text[max(at - AROUND, 0) : at + len(wanted) + AROUND].replace("\n", " ")
        places.append(f"{name}:{at}: …{around}…")
    return places
