"""Record the runs that come with the package anew, after a script, a text, a price or the loop has changed.

    python scripts/record.py

A test records them too, and fails where the files here are not what comes out.
"""

from pathlib import Path

import simlib
from simlib.files import write_whole
from simlib.worlds.library.agents import AGENTS
from simlib.worlds.library.recordings import recorded

FOLDER = Path(simlib.__file__).parent / "worlds" / "library" / "recordings"

if __name__ == "__main__":
    for name in AGENTS:
        write_whole(FOLDER / f"{name}.jsonl", recorded(name))
        print(f"Recorded {name}.")
