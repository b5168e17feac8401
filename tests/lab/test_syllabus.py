"""Numbers of the syllabus that no exercise asks for: they come out of the library too."""

import json
from pathlib import Path

import numpy as np
import pytest

from simlib.articles.facts import load_facts
from simlib.articles.figures.success_by_steps import success_by_steps
from simlib.articles.reproduce import reproduce
from simlib.lab.figures.replayed_run import CONTEXTS
from simlib.lab.figures.retries import RETRIES
from simlib.theory.budget import input_dollars
from simlib.theory.growth import contexts, linear_part, quadratic_part, total_input
from simlib.theory.reliability import expected_attempts, half_life, step_success, task_success

KEY = json.loads(
    (Path(__file__).parent.parent / "data" / "classroom_answers.json").read_text(encoding="utf-8")
)
OURS = {record.fact.id: record.ours for record in reproduce(load_facts())}
AUDIT = 18, 1_146, 172
Q = step_success(0.9, 0.9, 2)


@pytest.mark.parametrize(
    ("ours", "key", "within"),
    [
        (linear_part(8, 8_000), KEY["B_linear8"], 0),
        (quadratic_part(8, 2_200), KEY["B_quad8"], 0),
        (float(input_dollars(total_input(8, 8_000, 2_200), 3)), KEY["B_cost8_$"], 0),
        (contexts(8, 8_000, 2_200)[-1], KEY["B_last_request"], 0),
        (total_input(*AUDIT), KEY["A_Z18"], 0),
        (contexts(*AUDIT)[16], KEY["A_c17_model"], 0),
        (100 * (total_input(*AUDIT) / CONTEXTS.sum() - 1), -0.44, 0.005),
        (CONTEXTS[16] / CONTEXTS[0], KEY["A_c17/c1"], 0.0005),
        (sum(1_146 + (3_906 - 1_146) / 16 * step for step in range(17)) + 5_327, KEY["A_linear17+jump"], 0.5),
        (OURS["C.search.Z"], KEY["C_search"], 0),
        (OURS["C.readall.Z_theorem"], KEY["C_readall_model"], 0),
        (OURS["C.ratio"], KEY["C_ratio"], 0.05),
        (100 * (OURS["C.readall.Z_theorem"] / 141_820 - 1), KEY["C_model_err_%"], 0.005),
        (float(input_dollars(total_input(14, 8_000, 2_200), 3)), 0.9366, 1e-9),
        (float(input_dollars(total_input(15, 8_000, 2_200), 3)), 1.0530, 1e-9),
        (half_life(0.9), KEY["n50 .9"][0], 0.05),
        (half_life(Q), KEY["n50 .9"][1], 0.05),
        (half_life(0.99), KEY["n50 .99"][0], 0.05),
        (half_life(step_success(0.99, 0.9, 2)), KEY["n50 .99"][1], 0.5),
        (task_success(0.99, 100), KEY[".99^100"][0], 0.0005),
        (task_success(step_success(0.99, 0.9, 2), 100), KEY[".99^100"][1], 0.0005),
        (0.9 * expected_attempts(0.9, 0.9, 2), Q, 1e-12),
    ],
)
def test_numbers_of_02_and_08(ours, key, within):
    assert abs(ours - key) <= within


def test_every_number_of_retries_and_of_checks():
    shown = RETRIES.data()
    assert shown.success.round(3).tolist() == KEY["q^20 r=0..5"]
    assert np.round(step_success(0.9, 0.9, shown.retries), 5).tolist() == KEY["q r=0..5"]
    for p_detect, share in KEY["q^20 by d (r=2)"].items():
        assert round(success_by_steps(p_detect=float(p_detect), tasks=0).curves[0].success[20], 3) == share


def test_the_run_of_00_meets_everything_that_is_printed():
    assert CONTEXTS.tolist() == KEY["trace_ctx"]
    assert CONTEXTS.sum() == KEY["trace_total"]


def test_twenty_thousand_tasks_give_12_and_79_per_cent():
    shown = success_by_steps()
    at = list(shown.simulated_at).index(20)
    checked, unchecked = (round(curve.simulated[at], 2) for curve in shown.curves[:2])
    assert (unchecked, checked) == (0.12, 0.79)
