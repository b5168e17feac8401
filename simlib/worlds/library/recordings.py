"""Recordings of the library's agents, which come with the package: whole runs, to be played again."""

import json
from importlib import resources

from simlib.agent.loop import run_agent
from simlib.agent.transcript import read_text
from simlib.errors import known
from simlib.models.client import DAY, FakeClient
from simlib.models.recording import Recording
from simlib.models.scripted import Script
from simlib.worlds.library.agents import AGENTS
from simlib.worlds.library.texts import QUESTION, SYSTEM, library_tools, load_texts

MOST_STEPS = 30


def recorded(name: str) -> str:
    """An agent's run, recorded now.

    name : of the agent.
    Returns the text of a transcript, whose first line says where it comes from.
    Raises UnknownName.

    >>> recorded("library-search").count("\\n")
    10
    """
    script = AGENTS[known("agent", name, AGENTS)]
    client, tools = FakeClient(Script(script)), library_tools(load_texts())
    result = run_agent(QUESTION, tools, SYSTEM, client=client, max_steps=MOST_STEPS)
    provenance = {
        "name": name,
        "script": f"{script.__module__}.{script.__qualname__}",
        "made_by": "simlib.worlds.library.recordings.recorded",
        "prices": str(DAY),
        "about": "The model is a script; tools ran; tokens are estimated; cache, prices, times worked out.",
    }
    start, *rest = result.events
    lines = [json.dumps(event, ensure_ascii=False) for event in ({**start, **provenance}, *rest)]
    return "".join(f"{line}\n" for line in lines)


def load_recording(name: str) -> Recording:
    """An agent's run as it comes with the package.

    name : of the agent.
    Returns a Recording.
    Raises UnknownName.

    >>> load_recording("library-search").provenance["name"]
    'library-search'
    """
    file = f"{known('recording', name, AGENTS)}.jsonl"
    folder = resources.files("simlib.worlds.library").joinpath("recordings")
    return Recording(read_text(folder.joinpath(file).read_text(encoding="utf-8"), file).events)
