"""The command, as a person or a script calls it."""

import functools
import json
import os
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest

from simlib import __version__
from simlib.__main__ import main
from simlib.articles import facts
from simlib.articles.figures import gallery


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def drawn_once():
    return functools.cache(gallery.draw_all)


@pytest.fixture(autouse=True)
def figures_drawn_once(monkeypatch, drawn_once):
    """Within this process: other files test the drawing, these test where it goes."""
    monkeypatch.setattr(gallery, "draw_all", drawn_once)


def test_reproduce_prints_the_table_and_says_what_it_made(capsys, tmp_path):
    assert main(["reproduce"]) == 0
    printed = capsys.readouterr().out
    page = tmp_path / "reproduction.html"
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert printed.splitlines()[-1] == f"Made reproduction.html. Open it in a browser: {page.as_uri()}"
    assert "B.total_input" in printed
    assert {path.name for path in tmp_path.iterdir()} == {"reproduction.html", "figures"}
    assert (tmp_path / "figures" / "README.md").is_file()


def test_json_is_a_list_of_records_and_nothing_else(capsys, tmp_path):
    assert main(["reproduce", "--json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert len(records) == len(facts.load_facts())
    assert set(records[0]) == {"id", "published", "ours", "tol", "kind", "verdict"}
    assert not list(tmp_path.iterdir()), "a program that reads records wants no files"


def test_only_filters(capsys):
    assert main(["reproduce", "--only", "C", "--json"]) == 0
    assert {record["id"][0] for record in json.loads(capsys.readouterr().out)} == {"C"}


def test_something_off_is_exit_code_1(capsys, monkeypatch):
    monkeypatch.setattr("simlib.articles.article_c.COMPUTED", {"C.q": lambda given: 0.5})
    assert main(["reproduce", "--only", "C.q", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)[0]["verdict"] == "off"


def test_figures_are_the_same_bytes_twice(capsys, tmp_path):
    assert main(["figures", "--out", "one"]) == 0
    assert "Made 28 files in one." in capsys.readouterr().out
    assert main(["reproduce"]) == 0
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "figures" / path.name).read_bytes(), path.name


def test_a_page_elsewhere_brings_no_folder_along(tmp_path):
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "README.md").write_text("mine", encoding="utf-8")
    assert main(["reproduce", "--out", "page.html"]) == 0
    assert (tmp_path / "page.html").read_text(encoding="utf-8").count("<svg ") == 9
    assert (tmp_path / "figures" / "README.md").read_text(encoding="utf-8") == "mine"


def test_other_styles_leave_the_usual_folder_alone(tmp_path):
    assert main(["figures", "--style", "print"]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["figures-print"]


def test_figures_come_in_three_styles(tmp_path):
    for style in ("screen", "projector", "print"):
        assert main(["figures", "--out", style, "--style", style]) == 0
    sizes = {
        style: (tmp_path / style / "C-breakdown.svg").read_bytes()
        for style in ("screen", "projector", "print")
    }
    assert len(set(sizes.values())) == 3


@pytest.mark.parametrize("words", [["figures", "--out", "."], ["figures"], ["reproduce"]])
def test_another_ones_readme_is_never_replaced(capsys, tmp_path, words):
    for folder in (tmp_path, tmp_path / "figures"):
        folder.mkdir(exist_ok=True)
        (folder / "README.md").write_text("mine", encoding="utf-8")
    assert main(words) == 2
    assert "README.md" in capsys.readouterr().err
    assert {path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.*")} == {"mine"}


def test_a_page_of_one_article_shows_its_figures_alone(tmp_path):
    assert main(["reproduce", "--only", "C", "--out", "page.html"]) == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert re.findall(r"<figure id=(\w)", page) == ["C", "C", "C"]


def test_figures_into_nowhere_is_one_clear_line(capsys, tmp_path):
    assert main(["figures", "--out", "missing/figures"]) == 2
    assert "missing" in capsys.readouterr().err
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    assert main(["figures", "--out", "file"]) == 2
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


def test_notebooks_are_built_from_the_teachers(capsys, tmp_path):
    (tmp_path / "notebooks" / "teacher").mkdir(parents=True)
    (tmp_path / "notebooks" / "teacher" / "01.ipynb").write_text('{"cells": []}', encoding="utf-8")
    assert main(["notebooks", "build"]) == 0
    assert (tmp_path / "notebooks" / "01.ipynb").is_file()
    assert main(["notebooks", "build", "--folder", "elsewhere"]) == 2
    assert "elsewhere" in capsys.readouterr().err


def test_an_unknown_fact_is_one_clear_line(capsys, tmp_path):
    assert main(["reproduce", "--only", "C.raito"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "C.raito" in captured.err
    assert "C.ratio" in captured.err
    assert "articles A, B, C" in captured.err
    assert not list(tmp_path.iterdir())


def test_a_page_that_cannot_be_written_leaves_the_old_one(capsys, tmp_path):
    assert main(["reproduce", "--out", "missing/page.html"]) == 2
    assert "missing" in capsys.readouterr().err
    (tmp_path / "page.html").mkdir()
    for folder in ("page.html", "", ".", "/"):
        assert main(["reproduce", "--out", folder]) == 2
        assert "--out is" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_a_full_disk_leaves_the_old_page(capsys, tmp_path, monkeypatch):
    (tmp_path / "page.html").write_text("old", encoding="utf-8")

    def no_space(self, data):
        self.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_bytes", no_space)
    assert main(["reproduce", "--out", "page.html"]) == 2
    assert "No space left" in capsys.readouterr().err
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_links_are_followed_even_in_a_circle(tmp_path):
    (tmp_path / "link.html").symlink_to(tmp_path / "page.html")
    assert main(["reproduce", "--out", "link.html"]) == 0
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "page.html").stat().st_size > 1_000
    (tmp_path / "circle.html").symlink_to(tmp_path / "circle.html")
    assert main(["reproduce", "--out", "circle.html"]) in (0, 2)


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_pipes_stay_pipes_and_get_the_whole_page(tmp_path):
    done = run("--only", "C.q", "--out", "/dev/stdout", stdout=subprocess.PIPE)
    assert done.returncode == 0
    assert "</html>" in done.stdout
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", "pipe"], stdout=subprocess.PIPE, text=True) as reader:
        assert main(["reproduce", "--out", "pipe"]) == 0
        assert reader.stdout.read().endswith("</html>\n")
    assert (tmp_path / "pipe").is_fifo()


def test_a_name_that_the_terminal_cannot_show_is_no_trouble(tmp_path):
    done = run("--out", "größe.html", stdout=subprocess.PIPE, env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "größe.html").is_file()


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX terminal")
def test_a_terminal_sees_a_progress_bar_while_there_is_something_to_do():
    import pty
    import termios

    controller, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (24, 80))
    script = "from simlib.sweep import sweep; sweep(abs, range(3))"
    subprocess.run([sys.executable, "-c", script], stderr=terminal, check=True)
    shown, _, _ = select.select([controller], [], [], 5)
    assert shown, "nothing was shown"
    assert b"0/3 [" in os.read(controller, 10_000)
    os.close(terminal)
    os.close(controller)


def test_a_process_without_any_stderr_is_no_trouble():
    script = "import sys; sys.stderr = None; from simlib.__main__ import main; sys.exit(main(['reproduce']))"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=False).returncode == 0


def run(*words, **how):
    command = [sys.executable, "-m", "simlib", "reproduce", *words]
    return subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, **how)


def test_a_pipe_sees_no_progress_bar():
    done = run(stdout=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words", [["--json"], ["--only", "C.q"]], ids=["long output", "short output"])
def test_a_pipe_may_close_early(words):
    """Short output breaks only when it is flushed, which unbuffered output would hide."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as closed:
        done = run(*words, stdout=closed, env=environment)
    assert (done.returncode, done.stderr) == (2, "")


def test_version(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"simlib {__version__}\n"


@pytest.mark.parametrize(("name", "calls"), [("library-search", 4), ("library-read-everything", 11)])
def test_run_shows_the_steps_and_the_answer(name, calls, capsys):
    assert main(["run", name]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Question: Why is KL divergence not a distance?")
    assert len([line for line in lines if line.startswith("step ")]) == calls
    assert "0.119 bits one way and 0.126 bits the other" in lines[-3]
    assert lines[-2].startswith(f"end_turn: {calls} calls, ")


def test_replay_shows_the_same_steps(capsys):
    assert main(["run", "library-search", "--transcript", "run.jsonl", "--no-cache"]) == 0
    ran = capsys.readouterr().out.splitlines()
    assert main(["replay", "run.jsonl"]) == 0
    replayed = capsys.readouterr().out.splitlines()
    assert replayed[:4] == ran[1:5]
    assert replayed[4] == ran[5].replace("Answer", "end_turn")
    assert all(line.split("cache read")[1].split()[0] == "0" for line in replayed[:4])


def test_replay_of_a_cut_file_says_what_is_lost(capsys, in_an_empty_folder):
    main(["run", "library-search", "--transcript", "run.jsonl"])
    path = in_an_empty_folder / "run.jsonl"
    path.write_text(path.read_text()[:-20])
    capsys.readouterr()
    assert main(["replay", "run.jsonl"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("The last line was cut and is left out: ")


@pytest.mark.parametrize(
    "arguments",
    [["replay", "no such file"], ["run", "library-search", "--model", "toy-1"], ["replay", "bad.jsonl"]],
)
def test_run_and_replay_say_what_is_wrong(arguments, capsys):
    start = '{"event": "start", "format": "simlib-transcript", "version": 1}'
    names = ("step", "content", "stop_reason", "usage", "seconds", "dollars")
    reply = json.dumps({"event": "reply"} | dict.fromkeys(names, 5))
    Path("bad.jsonl").write_text(f"{start}\n{reply}\n")
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("simlib: ")


def test_replay_says_that_a_run_did_not_end(capsys):
    main(["run", "library-search", "--transcript", "run.jsonl"])
    whole = Path("run.jsonl").read_text().splitlines(keepends=True)
    Path("part.jsonl").write_text("".join(whole[:-1]))
    capsys.readouterr()
    assert main(["replay", "part.jsonl"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "The run did not come to its end."


def test_run_says_what_the_articles_own_run_read(capsys):
    for name, tokens in {"library-search": "1,358", "library-read-everything": "141,820"}.items():
        main(["run", name])
        assert f"{tokens} input tokens" in capsys.readouterr().out.splitlines()[-1]


def test_run_follows_the_rules_of_the_models_provider(capsys):
    assert main(["run", "library-search", "--model", "gpt-5"]) == 0


def test_run_writes_over_no_transcript(capsys, in_an_empty_folder):
    main(["run", "library-search", "--transcript", "run.jsonl"])
    before = (in_an_empty_folder / "run.jsonl").read_text()
    assert main(["run", "library-search", "--transcript", "run.jsonl"]) == 2
    assert "something stands in this one" in capsys.readouterr().err
    assert (in_an_empty_folder / "run.jsonl").read_text() == before


def test_a_run_goes_on_where_its_transcript_was_cut(capsys, in_an_empty_folder):
    main(["run", "library-search", "--transcript", "run.jsonl"])
    said = capsys.readouterr().out
    path = in_an_empty_folder / "run.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:6]))
    assert main(["run", "library-search", "--transcript", "run.jsonl", "--resume"]) == 0
    resumed = capsys.readouterr().out.splitlines()
    assert resumed[-3] == said.splitlines()[-3]
    assert len([line for line in resumed if line.startswith("step ")]) == 2, "the other two were done before"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "library-search", "--resume"], "--transcript is None"),
        (["run", "library-notes", "--pace"], "it compares four runs"),
        (["run", "library-read-everything", "--transcript", "of-another.jsonl", "--resume"], "step 1 of the"),
        (["replay", "article-C-search", "--caching", "off"], "a run whose requests are known"),
        (["replay", "library-search", "--day", "yesterday"], "--day is 'yesterday'"),
        (["replay", "library-search", "--day", "2001-01-01"], "2001"),
    ],
)
def test_what_a_run_cannot_do_is_said(words, said, capsys):
    if "of-another.jsonl" in words:
        main(["run", "library-search", "--transcript", "of-another.jsonl"])
        whole = Path("of-another.jsonl").read_text().splitlines(keepends=True)
        Path("of-another.jsonl").write_text("".join(whole[:4]))
    capsys.readouterr()
    assert main(words) == 2
    assert said in capsys.readouterr().err


def test_two_sessions_are_compared(capsys):
    assert main(["run", "library-notes"]) == 0
    head, *rows, paid = capsys.readouterr().out.splitlines()
    assert head.split() == ["session", "notes", "calls", "input", "tokens", "dollars", "answer"]
    calls = {tuple(row.split()[:2]): int(row.split()[2]) for row in rows}
    assert calls["2", "with"] < calls["2", "without"]
    assert "they have paid after 2 sessions" in paid


def test_a_recording_is_played_again_and_compared(capsys):
    assert main(["replay", "library-search"]) == 0
    *steps, compared = capsys.readouterr().out.splitlines()
    assert compared == "no request differs, 0 replies not used, tokens: recorded."
    assert len([line for line in steps if line.startswith("step ")]) == 4


def test_a_published_run_says_that_there_is_no_text(capsys):
    assert main(["replay", "article-A-port-7001"]) == 0
    *calls, told = capsys.readouterr().out.splitlines()
    assert len(calls) == 5
    assert told.startswith("7,853 input tokens.")
    assert told.endswith("there is no text.")


def test_a_run_is_priced_anew(capsys):
    """The same as the run without a cache, which really ran."""
    main(["run", "library-search", "--no-cache"])
    ran = re.search(r"\$([\d.]+)\. The model", capsys.readouterr().out).group(1)
    assert main(["replay", "library-search", "--caching", "off"]) == 0
    said = capsys.readouterr().out
    assert (
        f"${float(ran):.5f}" == f"${float(re.search(r'recorded, .([0-9.]+) as changed', said).group(1)):.5f}"
    )
    assert "it cannot show" in said
