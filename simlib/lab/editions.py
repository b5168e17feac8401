"""Two editions from one source: the teacher's notebook is kept, the student's is made from it.

Cells are told apart by their tags. `solution` and `teacher` cells are left out of the student's edition; an
`explanation` is folded away until it is opened. Everything else is the same. `predict`, `panel`, `play` and
`check` say what a cell is for, so that tests can find it.
"""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

from simlib.errors import BadArgument
from simlib.files import write_whole

LEFT_OUT = frozenset({"solution", "teacher"})
TAGS = LEFT_OUT | {"explanation", "predict", "panel", "play", "check"}

Notebook = dict[str, Any]


def build(folder: Path) -> list[Path]:
    """Make the student's edition of every notebook in `teacher/`, and clean the teacher's.

    folder : the one that holds `teacher/`, and gets the students' notebooks.
    Returns the students' notebooks.
    Raises BadArgument if there are no teacher's notebooks, or one is none; OSError as the disk gives it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     (Path(folder) / "teacher").mkdir()
    ...     _ = (Path(folder) / "teacher" / "99.ipynb").write_text('{"cells": []}')
    ...     [path.name for path in build(Path(folder))]
    ['99.ipynb']
    """
    sources = sorted((folder / "teacher").glob("*.ipynb"))
    if not sources:
        raise BadArgument("folder", str(folder), "a folder with teacher/*.ipynb in it")
    teachers = {source: clean(load(source)) for source in sources}
    students = {folder / source.name: student_edition(notebook) for source, notebook in teachers.items()}
    for path, notebook in (teachers | students).items():
        write_whole(path, as_text(notebook))
    return list(students)


def load(path: Path) -> Notebook:
    """A notebook as data.

    path : of the .ipynb file.
    Returns the notebook.
    Raises BadArgument if the file holds no notebook, OSError as the disk gives it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "a.ipynb").write_text('{"cells": []}')
    ...     load(Path(folder) / "a.ipynb")
    {'cells': []}
    """
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        if not all("source" in cell and "cell_type" in cell for cell in notebook["cells"]):
            raise ValueError("cells without a type or a source")
    except (ValueError, KeyError, TypeError) as error:
        raise BadArgument("notebook", path.name, f"a Jupyter notebook ({error})") from None
    return dict(notebook)


def student_edition(teacher: Notebook) -> Notebook:
    """The notebook for students: without solutions, with explanations folded, clean.

    teacher : the teacher's notebook.
    Returns a new notebook.
    Raises BadArgument for a tag that does not exist: a misspelt `solution` would hand out the answer.

    >>> cell = {"cell_type": "markdown", "metadata": {"tags": ["teacher"]}, "source": ["Bring dice."]}
    >>> student_edition({"cells": [cell]})["cells"]
    []
    """
    notebook = clean(teacher)
    notebook["cells"] = [_for_students(cell) for cell in notebook["cells"] if not LEFT_OUT & tags(cell)]
    return notebook


def clean(notebook: Notebook) -> Notebook:
    """A notebook without anything that running it leaves behind.

    notebook : any.
    Returns a new one without outputs, counts and the state of widgets, its metadata only kernel and language.
    Raises BadArgument for a tag that does not exist.

    >>> cell = {"cell_type": "code", "source": ["1 + 1"], "outputs": [2], "execution_count": 7}
    >>> clean({"cells": [cell]})["cells"][0]["outputs"]
    []
    """
    cleaned = deepcopy(notebook)
    cleaned["metadata"] = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    cleaned["cells"] = [_clean_cell(cell) for cell in cleaned["cells"]]
    return {
        key: value
        for key, value in cleaned.items()
        if key in ("cells", "metadata", "nbformat", "nbformat_minor")
    }


def tags(cell: dict[str, Any]) -> set[str]:
    """The tags of a cell.

    cell : of a notebook.
    Returns a set of names.
    Raises BadArgument for a tag that does not exist.

    >>> tags({"cell_type": "code", "metadata": {"tags": ["check"]}})
    {'check'}
    """
    found = set((cell.get("metadata") or {}).get("tags") or ())
    if found - TAGS:
        raise BadArgument("tags", sorted(found - TAGS), f"any of {', '.join(sorted(TAGS))}")
    if "explanation" in found and cell["cell_type"] != "markdown":
        raise BadArgument("tags", sorted(found), "explanation on markdown alone: it is folded as text")
    return found


def as_text(notebook: Notebook) -> str:
    """A notebook as the text of its file, the same on every machine.

    notebook : as data.
    Returns JSON.
    Raises nothing.

    >>> as_text({"cells": []})
    '{\\n "cells": []\\n}\\n'
    """
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _clean_cell(cell: dict[str, Any]) -> dict[str, Any]:
    kept = sorted(tags(cell))
    clean_cell: dict[str, Any] = {
        key: cell[key] for key in ("attachments", "cell_type", "id", "source") if key in cell
    }
    clean_cell["metadata"] = {"tags": kept} if kept else {}
    if cell["cell_type"] == "code":
        clean_cell |= {"outputs": [], "execution_count": None}
    return clean_cell


def _for_students(cell: dict[str, Any]) -> dict[str, Any]:
    if "explanation" not in tags(cell):
        return cell
    text = "".join(cell["source"])
    folded = f"<details><summary>A model answer</summary>\n\n{text}\n\n</details>"
    return cell | {"source": folded.splitlines(keepends=True)}
