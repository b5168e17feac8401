"""What the README says is so. Its Python examples run as doctests; `.ci/run` runs its commands."""

import re
from pathlib import Path

import pytest

import simlib
from simlib.articles.facts import load_facts
from simlib.articles.figures.staircase import GROWTH_STAIRCASE
from simlib.articles.report import ARTICLES, finding, text_report
from simlib.articles.reproduce import reproduce

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def requirements(name):
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def test_every_link_leads_somewhere():
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    for link in links:
        assert (ROOT / link).is_file(), link


def test_the_reading_order_holds_every_file_of_the_library():
    read = set(re.findall(r"\]\(simlib/([^)]+)\)", README))
    package = Path(simlib.__file__).parent
    files = {
        path.relative_to(package).as_posix() for path in package.rglob("*.py") if path.name != "__init__.py"
    }
    assert read == files | {"articles/facts.toml", "billing/models.toml", "billing/prices.toml"} | {
        "tokens/coefficients.toml",
        "worlds/library/texts.toml",
    }


def test_the_reading_order_needs_only_what_came_before():
    order = re.findall(r"\]\(simlib/([^)]+\.py)\)", README)
    place = {f"simlib.{name[:-3].replace('/', '.')}": at for at, name in enumerate(order)}
    for module, at in place.items():
        text = (ROOT / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
        for imported in re.findall(r"^from (simlib\.\S+) import", text, flags=re.MULTILINE):
            if imported in place:
                assert place[imported] < at, f"{module} needs {imported}"


def test_there_are_two_commands_and_their_windows_forms():
    commands = re.findall(r"^python3 -m venv \.venv && (.*)$", README, flags=re.MULTILINE)
    windows = re.findall(r'^cmd /c "py -m venv \.venv && (.*)"$', README, flags=re.MULTILINE)
    assert len(commands) == 2
    assert [form.replace("\\", "/").replace("Scripts", "bin") for form in windows] == commands
    assert commands[0].endswith("simlib reproduce")
    assert commands[1].endswith("pytest")
    for name in re.findall(r"-r (\S+)", " ".join(commands)):
        assert (ROOT / name).is_file()
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert re.search(r"grep -m1 '\^python3 -m venv \.\* pytest\$' README\.md", ci)


def test_the_table_shown_is_what_is_printed():
    shown = re.search(r"```text\n(.*?)```", README, flags=re.DOTALL).group(1).splitlines()
    records = reproduce(load_facts())
    printed = [re.sub(r" +", " ", line) for line in [*text_report(records).splitlines(), finding(records)]]
    *table, made = [line for line in shown if line != "..."]
    assert len(table) == 7
    assert all(re.sub(r" +", " ", line) in printed for line in table)
    assert made.startswith("Made reproduction.html. Open it in a browser: file:///")


def test_the_articles_have_the_same_titles_everywhere():
    titles = dict(re.findall(r"^\| ([ABC]) \| ([^|(]+?) (?:\(.*)?\|$", README, flags=re.MULTILINE))
    assert titles == ARTICLES


def test_the_first_door_counts_the_facts():
    said = re.search(r"(\d+) published numbers.*?(\d+) are computed, (\d+) are inputs.*?, (\d+) wait", README)
    found = re.findall(r"\d+", finding(reproduce(load_facts())))
    assert list(said.groups()) == [found[0], found[1], found[2], found[4]]


def test_the_changelog_counts_the_facts():
    counts = re.search(
        r"(\d+) published facts.*?, (\d+) of them computed and (\d+) carried", changelog(), re.DOTALL
    )
    said = re.findall(r"\d+", finding(reproduce(load_facts())))[:3]
    assert list(counts.groups()) == said


def test_the_changelog_knows_this_version():
    assert f"## {simlib.__version__}" in changelog()


def changelog():
    return (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_a_users_packages_are_bounded_and_the_same_everywhere():
    needed = requirements("requirements.txt")
    names = {re.split(r"[><=]", line)[0] for line in needed}
    assert names == {
        "-e .",
        "numpy",
        "tqdm",
        "matplotlib",
        "sympy",
        "jupyter",
        "ipywidgets",
        "genai-prices",
    } | {
        "jsonschema",
        "regex",
    }
    assert all(re.search(r">=[\d.]+,<\d", line) for line in needed - {"-e ."})
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    declared = re.search(r"^dependencies = \[(.*?)^\]$", project, flags=re.MULTILINE | re.DOTALL).group(1)
    assert set(re.findall(r'"([^"]+)"', declared)) <= needed


@pytest.mark.parametrize("word", ["API key", "network"])
def test_the_first_paragraph_promises_what_matters(word):
    assert word in README.split("**Doors")[0]


def test_the_picture_on_top_says_what_it_shows():
    sentence = GROWTH_STAIRCASE.sentence(GROWTH_STAIRCASE.data())
    alternative = re.search(r"!\[([^\]]+)\]\(figures/growth-staircase\.svg\)", README).group(1)
    assert sentence in " ".join(alternative.split())


def test_the_notebooks_are_where_the_command_looks():
    assert ".venv/bin/jupyter lab notebooks" in README
    assert (ROOT / "notebooks" / "00_start_here.ipynb").is_file()
