"""Both editions of every notebook: clean, complete, executed, and without answers where none belong."""

import ast
import asyncio
import json
import re
import shutil
import statistics
import subprocess
from datetime import datetime
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from simlib.lab.editions import as_text, clean, load, student_edition, tags
from simlib.lab.lessons.all import LESSONS
from simlib.lab.memory import Memory

FOLDER = Path(__file__).parent.parent / "notebooks"
TEACHERS = sorted((FOLDER / "teacher").glob("*.ipynb"))
STUDENTS = sorted(FOLDER.glob("*.ipynb"))
NAMES = [path.name for path in TEACHERS]
EACH = pytest.mark.parametrize("name", NAMES)
BOTH = pytest.mark.parametrize(
    "path", [*TEACHERS, *STUDENTS], ids=lambda path: f"{path.parent.name}/{path.name}"
)

PARTS = (
    *("**Question of the day.**", "**You will be able to**", "**Minutes (estimates):**", "**You need:**"),
    *("Key points", "### For the teacher"),
)
PARTS_OF_A_LESSON = (
    *("**Think!**", "## Misconception cards", "leaves out", "**Expect**"),
    *("**Short of time?**", "**Without computers:**", "**Exit ticket:**"),
)

WITHOUT_DERIVATION = {"00", "01"}  # who does what needs no algebra

SECONDS_A_NOTEBOOK, SECONDS_A_CELL = 60, 5


def source(cell):
    return "".join(cell["source"])


def words(notebook):
    return "\n".join(source(cell) for cell in notebook["cells"] if cell["cell_type"] == "markdown")


def code_cells(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def lesson_of(path):
    return LESSONS[path.name[:2]]


def calls_of_lab(notebook):
    """Every `lab.something("name", ...)` of a notebook, in order: (something, name, number of answers)."""
    for cell in code_cells(notebook):
        for node in ast.walk(ast.parse(source(cell))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("lab."):
                name = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
                yield ast.unparse(node.func).removeprefix("lab."), name, len(node.args) - 1


# The files


def test_every_lesson_has_its_notebook_in_both_editions():
    assert [path.name for path in STUDENTS] == NAMES
    assert [name[:2] for name in NAMES] == list(LESSONS)


@EACH
def test_the_students_edition_is_exactly_the_build(name):
    built = as_text(student_edition(load(FOLDER / "teacher" / name)))
    assert (FOLDER / name).read_text(encoding="utf-8") == built


@BOTH
def test_notebooks_are_clean(path):
    notebook = load(path)
    assert path.read_text(encoding="utf-8") == as_text(clean(notebook)), "run: simlib notebooks build"
    nbformat.validate(nbformat.read(path, as_version=4))
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)


@BOTH
def test_no_notebook_knows_a_machine_or_the_network(path):
    text = path.read_text(encoding="utf-8")
    for trace in ("/home/", "/tmp/", "/Users/", "C:\\\\", "http://", "localhost", "%pip", "!pip"):
        assert trace not in text, trace


# What a lesson has


@EACH
def test_the_notebook_follows_its_lesson(name):
    """Panels, predictions and exercises: all of them, each once, in the lesson's order, with their tags."""
    notebook = load(FOLDER / name)
    steps = [
        step for call, step, _ in calls_of_lab(notebook) if call in ("panel", "predict", "play", "check")
    ]
    assert tuple(steps) == LESSONS[name[:2]].order
    for cell in code_cells(notebook):
        for call in ("panel", "predict", "play", "check"):
            assert (f"lab.{call}(" in source(cell)) == (call in tags(cell)), source(cell)


@EACH
def test_a_prediction_comes_before_the_first_panel(name):
    kinds = [tag for cell in load(FOLDER / name)["cells"] for tag in tags(cell)]
    assert kinds.index("predict") < kinds.index("panel")


@EACH
def test_every_panel_has_its_picture_before_it_and_questions_after_it(name):
    cells = load(FOLDER / name)["cells"]
    for at, cell in enumerate(cells):
        if "panel" in tags(cell):
            (panel,) = re.findall(r'lab\.panel\("([^"]+)"', source(cell))
            before = [source(one) for one in cells[:at] if f'lab.picture("{panel}"' in source(one)]
            assert before, f"no static picture before {panel}"
            assert source(cells[at + 1]).startswith("1. "), "no written questions"
            assert re.search(r"^2\. ", source(cells[at + 1]), flags=re.MULTILINE)
            assert source(cells[at + 2]).startswith("<details>"), "no model answer"


@EACH
def test_every_exercise_has_its_solution(name):
    notebook = load(FOLDER / "teacher" / name)
    solved = [step for call, step, answers in calls_of_lab(notebook) if call == "check" and answers]
    assert sorted(solved) == sorted(exercise.id for exercise in LESSONS[name[:2]].exercises)
    for cell in code_cells(notebook):
        gives = any(call == "check" and answers for call, _, answers in calls_of_lab({"cells": [cell]}))
        assert gives == ("solution" in tags(cell))


@EACH
def test_the_skeleton_is_there(name):
    teacher = load(FOLDER / "teacher" / name)
    text = words(teacher)
    assert [part for part in PARTS if part not in text] == []
    if name[:2] != "00":
        assert [part for part in PARTS_OF_A_LESSON if part not in text] == []
        assert 3 <= len(LESSONS[name[:2]].exercises) - 1 <= 5
    student = load(FOLDER / name)
    assert "### For the teacher" not in words(student)
    assert source(code_cells(student)[-1]) == "lab.finish()"


@EACH
def test_the_minutes_add_up(name):
    """The clock in the headings runs to the minutes on top, and those are the lesson's."""
    text, lesson = words(load(FOLDER / name)), LESSONS[name[:2]]
    total, teaching, exercising = map(
        int, re.search(r"\(estimates\):\*\* (\d+) = (\d+) explanation \+ (\d+) exercises", text).groups()
    )
    assert (total, teaching, exercising) == (teaching + exercising, lesson.teaching, lesson.exercising)
    clock = 0
    for heading in re.findall(r"^## .*\((.*min.*)\)$", text, flags=re.MULTILINE):
        spent, _, reached = heading.partition(";")
        clock += sum(map(int, re.findall(r"(\d+) min", spent)))
        assert clock == int(re.search(r"(\d+) min", reached).group(1)), heading
    assert clock == total


@EACH
def test_cells_are_small(name):
    sizes = [len(source(cell).splitlines()) for cell in code_cells(load(FOLDER / name))]
    assert statistics.median(sizes) <= 3
    assert max(sizes) <= 12
    assert sum(source(cell).count("def ") for cell in code_cells(load(FOLDER / name))) <= 2


@BOTH
def test_links_lead_somewhere(path):
    text = words(load(path))
    for link in re.findall(r"\]\(([^)]+)\)", text):
        file, _, anchor = link.partition("#")
        target = FOLDER / file if file else path
        assert target.is_file(), link
        headings = re.findall(r"^#+ (.+)$", words(load(target)), flags=re.MULTILINE)
        assert not anchor or anchor.replace("-", " ") in headings, link


@EACH
def test_derivations_are_proved(name):
    if name[:2] in WITHOUT_DERIVATION:
        return
    proofs = [source(cell) for cell in code_cells(load(FOLDER / name)) if "assert " in source(cell)]
    assert proofs
    assert all("sp." in proof for proof in proofs)


@BOTH
def test_two_dollars_are_no_formula(path):
    """Jupyter takes what stands between two bare dollar signs for mathematics."""
    for cell in load(path)["cells"]:
        if cell["cell_type"] == "markdown":
            assert not re.search(r"(?<!\\)\$\d", re.sub(r"\$\$.*?\$\$", "", source(cell), flags=re.DOTALL))


def test_numbers_of_four_digits_have_commas():
    for path in (*TEACHERS, *STUDENTS):
        for number in re.findall(r"(?<![\d.,/_^{])\d{4,}(?![\d\w.]*[\]}])", words(load(path))):
            is_a_year, is_a_port = 2019 <= int(number) <= 2026, number == "7001"
            assert is_a_year or is_a_port, f"{number} in {path.name}"


# No answer leaks


def spellings(number):
    """How a text could show a number; whole ones below a hundred are everywhere, and cannot be looked for."""
    shown = {f"{number:,.0f}", f"{number:.0f}", f"{number:_.0f}"} if abs(number) >= 100 else set()
    if number != int(number):
        shown |= {f"{number:.{digits}f}" for digits in (2, 3, 4, 5)} | {f"{number:.4g}"}
        if 0 < number < 1:
            shown |= {f"{number:.1%}", f"{100 * number:.1f} %"}
    return shown


@EACH
def test_no_answer_stands_in_the_students_file(name):
    text = (FOLDER / name).read_text(encoding="utf-8")
    lesson = LESSONS[name[:2]]
    for exercise in lesson.exercises:
        for number in exercise.answers:
            for shown in spellings(number):
                assert not re.search(rf"(?<![\d.,]){re.escape(shown)}(?![\d]|[.,]\d)", text), (
                    exercise.id,
                    shown,
                )
    assert all(not answers for call, _, answers in calls_of_lab(load(FOLDER / name)) if call == "check")
    for exercise in lesson.exercises:
        assert exercise.explanation not in text


def test_the_test_of_leaks_finds_one():
    teacher = (FOLDER / "teacher" / "02_why_the_bill_grows_like_a_square.ipynb").read_text(encoding="utf-8")
    found = [n for n in LESSONS["02"].exercise("totals").answers if any(s in teacher for s in spellings(n))]
    assert len(found) == 3


# They run


async def run(path, folder, free):
    """Execute a copy of a notebook where nothing of an earlier run is; gives it with its outputs."""
    shutil.copy(path, folder)
    notebook = nbformat.read(folder / path.name, as_version=4)
    resources = {"metadata": {"path": str(folder)}}
    async with free, asyncio.timeout(SECONDS_A_NOTEBOOK):
        await NotebookClient(notebook, timeout=SECONDS_A_CELL * 3, resources=resources).async_execute()
    return notebook


def seconds_of_slowest(notebook):
    def moment(cell, name):
        text = cell["metadata"]["execution"][name].replace("Z", "+00:00")
        return datetime.fromisoformat(text).timestamp()

    return max(
        moment(cell, "shell.execute_reply") - moment(cell, "iopub.status.busy")
        for cell in notebook.cells
        if cell.cell_type == "code"
    )


def plain(cell):
    return " ".join(output.get("data", {}).get("text/plain", "") for output in cell.get("outputs", ()))


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """Every notebook of both editions, run once: {path: (notebook with outputs, folder it ran in)}."""
    paths = [*TEACHERS, *STUDENTS]
    folders = [tmp_path_factory.mktemp(path.parent.name) for path in paths]

    async def two_at_a_time():
        free = asyncio.Semaphore(2)
        return await asyncio.gather(
            *(run(path, folder, free) for path, folder in zip(paths, folders, strict=True))
        )

    notebooks = asyncio.run(two_at_a_time())
    return dict(zip(paths, zip(notebooks, folders, strict=True), strict=True))


@pytest.mark.parametrize("path", TEACHERS, ids=lambda path: path.name)
def test_the_teachers_edition_solves_everything(path, executed):
    notebook, folder = executed[path]
    memory, lesson = Memory(folder / f"answers-{path.name[:2]}.json"), lesson_of(path)
    assert memory.notice == ""
    assert [exercise.id for exercise in lesson.exercises if not memory.is_solved(exercise.id)] == []
    assert seconds_of_slowest(notebook) < SECONDS_A_CELL


@pytest.mark.parametrize("path", STUDENTS, ids=lambda path: path.name)
def test_the_students_edition_runs_and_says_so(path, executed):
    notebook, folder = executed[path]
    said = {source(cell): plain(cell) for cell in notebook.cells if cell.cell_type == "code"}
    assert "All right: every guess, panel and exercise ran, in order." in said["lab.finish()"]
    assert f"0 of {len(lesson_of(path).exercises)} done." in said["lab.finish()"]
    assert not list(folder.glob("answers*")), "nothing was answered, so nothing is kept"
    assert seconds_of_slowest(notebook) < SECONDS_A_CELL


@pytest.mark.slow
def test_restart_and_run_all_with_answers_kept(tmp_path):
    path = FOLDER / "02_why_the_bill_grows_like_a_square.ipynb"
    memory = Memory(tmp_path / "answers-02.json")
    memory.keep_prediction("eight", 64_000.0)
    memory.keep_try("totals", ["1", "2", "3"], right=False)
    for _ in range(2):
        notebook = asyncio.run(run(path, tmp_path, asyncio.Semaphore()))
        assert "1 of 6 done." in " ".join(map(plain, notebook.cells))
        assert "You guessed 64,000" in " ".join(map(plain, notebook.cells))
    again = Memory(memory.path)
    assert again.prediction("eight") == 64_000
    assert again.tries("totals") == [{"given": ["1", "2", "3"], "right": False}]


def test_every_picture_in_an_executed_notebook_has_alternative_text(executed):
    for path in STUDENTS:
        outputs = [output for cell in executed[path][0].cells for output in cell.get("outputs", ())]
        html = [output["data"]["text/html"] for output in outputs if "text/html" in output.get("data", {})]
        pictures = [tag for text in html for tag in re.findall(r"<(?:img|svg)[^>]*>", text)]
        assert pictures
        assert all(re.search(r'(alt|aria-label)="[^"]*\d[^"]*"', tag) for tag in pictures)
        assert not any("image/png" in output.get("data", {}) for output in outputs)


def test_the_index_names_every_notebook():
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    for path in STUDENTS:
        lesson = lesson_of(path)
        row = next(line for line in index.splitlines() if f"]({path.name})" in line)
        assert lesson.title in row
        assert f"{lesson.teaching + lesson.exercising} min" in row
    for link in re.findall(r"\]\(([^)]+)\)", index):
        assert (FOLDER / link).resolve().exists(), link


def test_the_index_counts_the_exercises():
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    for path in STUDENTS:
        row = next(line for line in index.splitlines() if f"]({path.name})" in line)
        assert f"{len(lesson_of(path).exercises)} exercises" in row


def test_the_notebooks_are_valid_json_with_real_letters():
    for path in (*TEACHERS, *STUDENTS):
        assert "\\u" not in path.read_text(encoding="utf-8")
        json.loads(path.read_text(encoding="utf-8"))


def test_only_notebooks_and_their_index_are_kept():
    """No answers of whoever tried them last, no reports."""
    tracked = subprocess.run(
        ["git", "ls-files", "notebooks"], cwd=FOLDER.parent, capture_output=True, text=True, check=False
    ).stdout.split()
    assert all(name.endswith((".ipynb", "README.md")) for name in tracked)
