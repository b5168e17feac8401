"""Ours beside published: verdicts, honesty, and what this version computes."""

import dataclasses
import json
import math
import tomllib
from decimal import Decimal
from importlib import resources

import pytest

from simlib.articles.facts import Fact, load_facts
from simlib.articles.inputs import Inputs
from simlib.articles.reproduce import Record, computations, count_verdicts, reproduce

RECORDS = {record.fact.id: record for record in reproduce(load_facts())}

NEEDS_NO_LOOP = (
    {"C.task20.simulated", "C.calls", "C.search.contexts"}
    | {f"C.readall.{name}" for name in ("first_contexts", "last_context", "Z")}
    | {f"A.audit.{name}" for name in ("growth", "input", "cache_factor")}
    | {f"A.port7001.{name}" for name in ("calls", "input", "warm", "jump", "cost")}
)


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_every_fact(record):
    """What a law or an input gives agrees; runs, simulations and what waits for them are pending."""
    needs_a_run = record.fact.kind in ("replayed", "measured", "scripted")
    waits = needs_a_run and record.fact.id not in NEEDS_NO_LOOP
    assert record.verdict == ("pending" if waits else "ok")


def test_no_published_value_reaches_a_computation():
    nonsense = [dataclasses.replace(fact, value=(-12_345, Decimal("0.678")), tol=0) for fact in load_facts()]
    for record in reproduce(nonsense):
        assert record.ours == RECORDS[record.fact.id].ours
        assert record.verdict == ("pending" if record.ours is None else "off")


def test_no_computation_reads_the_published_values_in_secret(monkeypatch):
    """The data file itself holds nonsense for whoever opens it: every computation gives what it gave."""
    facts = resources.files("simlib.articles").joinpath("facts.toml").read_text(encoding="utf-8")
    read, rows = tomllib.loads, tomllib.loads(facts, parse_float=Decimal)
    nonsense = {name: {**row, "value": [-12_345, Decimal("0.678")]} for name, row in rows.items()}
    monkeypatch.setattr("tomllib.loads", lambda text, **how: nonsense if text == facts else read(text, **how))
    assert {fact.value for fact in load_facts()} == {(-12_345, Decimal("0.678"))}
    for name, compute in computations(Inputs()).items():
        assert compute() == RECORDS[name].ours


def test_ours_moves_with_the_inputs():
    """Every computed value but the given ones changes when the article's parameters do."""
    inputs = Inputs()
    changed = dataclasses.replace(
        inputs,
        a=dataclasses.replace(
            inputs.a,
            audit_calls=20,
            audit_first_context=1_000,
            audit_total=50_000,
            misses=(5, 4),
            port_total=7_900,
            port_warm=1_000,
            port_jump=700,
            model="claude-opus-5-5",
            larger_model="claude-fable-5-1",
        ),
        b=dataclasses.replace(inputs.b, calls=9, input_price=Decimal(5)),
        c=dataclasses.replace(
            inputs.c,
            system_prompt=200,
            read_all_calls=12,
            read_all_last_context=30_000,
            rain=0.6,
            read_all_total=150_000,
            p_success=0.8,
            p_success_better=0.98,
            retries=3,
        ),
    )
    facts = [fact for fact in load_facts() if RECORDS[fact.id].ours is not None and fact.kind != "given"]
    moved = {
        record.fact.id for record in reproduce(facts, changed) if record.ours != RECORDS[record.fact.id].ours
    }
    told = {"A.port7001.calls"}  # as many as the article tells one by one
    assert moved == {fact.id for fact in facts} - told


def test_only_known_facts_are_computed():
    assert set(computations(Inputs())) <= set(RECORDS)


@pytest.mark.parametrize(
    ("published", "tol", "ours", "verdict"),
    [
        (100, 1, 101, "ok"),
        (100, 1, 101.001, "off"),
        (Decimal("0.3768"), 0, Decimal("0.3768"), "ok"),
        (Decimal("0.1"), 0, Decimal("0.1000001"), "off"),
        ((1, 2), Decimal("0.5"), (1.5, 2), "ok"),
        ((1, 2), (0, 1), (1.5, 2), "off"),
        ((1, 2), (0, 1), (1, 3), "ok"),
        ((1, 2), 5, (1, 2, 3), "off"),
        (1, 5, math.nan, "off"),
        (1, 5, math.inf, "off"),
        (1, 5, None, "pending"),
    ],
)
def test_verdicts(published, tol, ours, verdict):
    assert Record(Fact("C.x", "x", published, "tokens", "derived", tol), ours).verdict == verdict


def test_a_record_as_json():
    record = RECORDS["C.n50"].as_json()
    assert list(record) == ["id", "published", "ours", "tol", "kind", "verdict"]
    assert json.loads(json.dumps(record)) == record
    assert record["published"] == [6.6, 58.8, 69.0]
    assert RECORDS["A.port7001.latency"].as_json()["ours"] is None


def test_counts_add_up():
    counts = count_verdicts(RECORDS.values())
    assert sum(sum(verdicts.values()) for verdicts in counts.values()) == len(RECORDS)
    assert counts["derived"] == {"ok": 28, "off": 0, "pending": 0}
    assert counts["priced"] == {"ok": 2, "off": 0, "pending": 0}
