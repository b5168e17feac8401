"""The benchmarks run and compare like with like; how fast they are is for a person to read."""

import math
import os
from random import Random

import pytest

from benchmarks.__main__ import line
from benchmarks.billing import growing_run, serve
from benchmarks.browser import chromium
from benchmarks.cases import CASES
from benchmarks.pairs import median_ratio
from benchmarks.peers import simulate_in_plain_python
from simlib.theory.reliability import step_success, task_success


def test_the_median_of_pairs_resists_an_outlier():
    seconds = iter([9, 1, 1, 1, 3, 1, 100, 1])
    assert median_ratio(lambda: next(seconds), lambda: next(seconds), pairs=3) == 3


def test_the_peer_does_the_same_work():
    """20,000 tasks in plain Python follow the same law, within 4 standard errors."""
    exact = task_success(step_success(0.9, 0.9, 2), 20)
    share = simulate_in_plain_python(20_000, 20, 0.9, 0.9, 2, Random(7)) / 20_000
    assert abs(share - exact) < 4 * math.sqrt(exact * (1 - exact) / 20_000)


def test_where_nothing_can_be_measured_it_says_so():
    (case,) = [case for case in CASES if case.name == "slider to picture in Lab"]
    assert line(case, math.nan).endswith("not measured: no chromium here")
    assert line(case, 120).endswith("kept")
    assert line(case, 151).endswith("BEYOND")


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_case_measures_something(case):
    if case.name.startswith("slider") and chromium() is None and not os.environ.get("CI"):
        pytest.skip("no chromium on this machine")
    assert 0 < case.measure(1) < math.inf


def test_the_run_that_is_timed_hits_all_it_should():
    """Contexts 1,008, 1,053, ...: each call reads what the one before sent, the first nothing."""
    contexts = [1_008 + 45 * step for step in range(50)]
    assert serve(growing_run(50)) == sum(contexts[:-1])
