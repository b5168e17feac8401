"""The published facts are complete, well-formed, and kept apart from what is computed."""

import ast
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

import simlib.articles
from simlib.articles.facts import KINDS, load_facts, select
from simlib.errors import UnknownName

FACTS = {fact.id: fact for fact in load_facts()}


def test_every_fact_is_there():
    assert Counter((fact.article, fact.kind) for fact in FACTS.values()) == {
        ("A", "derived"): 8,
        ("A", "priced"): 1,
        ("A", "replayed"): 11,
        ("A", "measured"): 17,
        ("A", "scripted"): 5,
        ("A", "given"): 16,
        ("B", "derived"): 4,
        ("B", "priced"): 1,
        ("B", "given"): 6,
        ("C", "derived"): 16,
        ("C", "replayed"): 6,
        ("C", "given"): 5,
    }


@pytest.mark.parametrize("fact", FACTS.values(), ids=FACTS)
def test_every_fact_is_well_formed(fact):
    assert fact.kind in KINDS
    assert fact.what
    assert fact.unit
    values = fact.value if isinstance(fact.value, tuple) else (fact.value,)
    assert all(type(value) in (int, Decimal) for value in values)
    tolerances = fact.tol if isinstance(fact.tol, tuple) else (fact.tol,)
    assert all(tolerance >= 0 for tolerance in tolerances)
    assert len(tolerances) in (1, len(values))
    assert fact.kind != "given" or fact.tol == 0
    units = fact.unit.split(", ")
    assert len(units) in (1, len(values))


def test_selecting_an_article_a_part_a_fact():
    assert {fact.article for fact in select(load_facts(), "C")} == {"C"}
    assert [fact.id for fact in select(load_facts(), "C.n50")] == ["C.n50"]
    for unknown in ("C.nothing", "c", "C.", "", "C.n5"):
        with pytest.raises(UnknownName, match="fact is"):
            select(load_facts(), unknown)


def test_what_computes_knows_only_the_type_of_a_fact():
    """Modules that compute take `Value` from facts and nothing else, in whatever form they import it."""
    folder = Path(simlib.articles.__file__).parent
    computing = sorted([*folder.glob("article_*.py"), folder / "inputs.py", folder / "runs.py"])
    assert len(computing) == 5
    for path in computing:
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Import):
                assert not [name.name for name in node.names if name.name.startswith("simlib")]
            if isinstance(node, ast.ImportFrom) and node.module.startswith("simlib.articles"):
                allowed = {
                    "simlib.articles.facts": {"Value"},
                    "simlib.articles.inputs": {"ArticleA", "ArticleB", "ArticleC"},
                    "simlib.articles.runs": {
                        "audit_run",
                        "first_context",
                        "port_run",
                        "read_all_run",
                        "search_run",
                    },
                }
                assert {name.name for name in node.names} <= allowed.get(node.module, set())
        assert "facts.toml" not in source
