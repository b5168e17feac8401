import json

import pytest

from simlib.errors import BadArgument
from simlib.lab.editions import build, clean, load, student_edition


def cell(source, *tags, kind="code", **more):
    made = {"cell_type": kind, "id": source[:8] or "x", "metadata": {"tags": list(tags)}, "source": [source]}
    return made | ({"outputs": [], "execution_count": None} if kind == "code" else {}) | more


def notebook(*cells):
    return {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def test_solutions_and_the_teachers_cells_are_left_out():
    made = student_edition(notebook(cell("a"), cell("b", "solution"), cell("c", "teacher", kind="markdown")))
    assert [one["source"] for one in made["cells"]] == [["a"]]


def test_explanations_are_folded_away():
    (one,) = student_edition(notebook(cell("Because.", "explanation", kind="markdown")))["cells"]
    text = "".join(one["source"])
    assert text.startswith("<details><summary>A model answer</summary>\n\nBecause.")
    assert text.endswith("</details>")


def test_a_misspelt_tag_is_an_error_and_not_a_leak():
    with pytest.raises(BadArgument, match="soluton"):
        student_edition(notebook(cell("secret", "soluton")))


def test_the_teachers_notebook_is_not_changed():
    teacher = notebook(cell("a", "panel", outputs=[{"x": 1}], execution_count=3))
    before = json.dumps(teacher)
    student_edition(teacher)
    assert json.dumps(teacher) == before


def test_clean_leaves_nothing_of_a_run():
    dirty = notebook(cell("a", outputs=[{"x": 1}], execution_count=3))
    dirty["metadata"] = {
        "widgets": {"state": 1},
        "kernelspec": {"name": "conda-env-mine"},
        "language_info": {},
    }
    dirty["cells"][0]["metadata"] |= {"execution": {"t": 1}, "collapsed": True}
    made = clean(dirty)
    assert made["cells"][0]["outputs"] == []
    assert made["cells"][0]["execution_count"] is None
    assert made["cells"][0]["metadata"] == {}
    assert set(made["metadata"]) == {"kernelspec", "language_info"}
    assert made["metadata"]["kernelspec"]["name"] == "python3"


def test_building_twice_changes_nothing(tmp_path):
    (tmp_path / "teacher").mkdir()
    source = notebook(cell("a"), cell("b", "solution"))
    (tmp_path / "teacher" / "01.ipynb").write_text(json.dumps(source), encoding="utf-8")
    (path,) = build(tmp_path)
    first = path.read_bytes()
    assert build(tmp_path) == [path]
    assert path.read_bytes() == first
    assert load(path)["cells"][0]["source"] == ["a"]


def test_one_bad_notebook_and_none_is_written(tmp_path):
    (tmp_path / "teacher").mkdir()
    (tmp_path / "teacher" / "01.ipynb").write_text(json.dumps(notebook(cell("a"))), encoding="utf-8")
    (tmp_path / "teacher" / "02.ipynb").write_text("{", encoding="utf-8")
    with pytest.raises(BadArgument, match=r"02\.ipynb"):
        build(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["teacher"]


@pytest.mark.parametrize("make", [lambda folder: None, lambda folder: (folder / "teacher").mkdir()])
def test_a_folder_without_teachers_notebooks_is_named(tmp_path, make):
    make(tmp_path)
    with pytest.raises(BadArgument, match="folder is"):
        build(tmp_path)


def test_a_wrong_tag_beside_a_right_one_is_an_error_too():
    with pytest.raises(BadArgument, match="solutoin"):
        student_edition(notebook(cell("secret", "solution", "solutoin")))


def test_the_build_cleans_the_teachers_notebooks_too(tmp_path):
    (tmp_path / "teacher").mkdir()
    path = tmp_path / "teacher" / "01.ipynb"
    dirty = notebook(cell("a", "panel", outputs=[{"x": 1}], execution_count=3))
    path.write_text(json.dumps(dirty), encoding="utf-8")
    build(tmp_path)
    assert load(path)["cells"][0]["outputs"] == []
    assert load(path)["cells"][0]["metadata"] == {"tags": ["panel"]}


def test_an_explanation_in_code_is_an_error():
    with pytest.raises(BadArgument, match="explanation on markdown alone"):
        student_edition(notebook(cell("1 + 1", "explanation")))


def test_nothing_unknown_reaches_the_students():
    dirty = notebook(
        cell("a", "panel", answer=42), cell("b", kind="markdown", outputs=[1]), cell("c", kind="raw")
    )
    dirty["worksheets"] = ["secret"]
    dirty["cells"][2]["metadata"] = None
    made = student_edition(dirty)
    assert set(made) == {"cells", "metadata", "nbformat", "nbformat_minor"}
    assert "answer" not in made["cells"][0]
    assert "outputs" not in made["cells"][1]


@pytest.mark.parametrize("content", ['{"cells": "abc"}', '{"cells": [1]}', '{"cells": [{}]}', "[]", "3"])
def test_what_is_no_notebook_is_named(tmp_path, content):
    path = tmp_path / "a.ipynb"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(BadArgument, match=r"notebook is 'a\.ipynb'"):
        load(path)
