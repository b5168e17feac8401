"""What is measured, and the limit that each figure has to keep."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import NamedTuple

import numpy as np

from benchmarks.agent import against_pydantic_ai, replies_per_second, twice_the_steps
from benchmarks.billing import (
    arrays_priced,
    one_pricing_against_genai_prices,
    requests_served,
    twice_the_requests,
)
from benchmarks.pairs import cpu_seconds, import_seconds, median_ratio
from benchmarks.peers import simulate_in_plain_python
from simlib.theory.counts import simulate_counts
from simlib.theory.growth import total_input
from simlib.theory.tasks import simulate_tasks

SEED = 7
STEP = 0.9, 0.9, 2  # p_success, p_detect, retries


class Case(NamedTuple):
    """A figure: `measure(pairs)` gives it, and it should be `least` or more, or `most` or less."""

    name: str
    unit: str
    measure: Callable[[int], float]
    least: float = 0
    most: float = float("inf")


def a_trillion_tasks(pairs: int) -> float:
    rng = np.random.default_rng(SEED)

    def seconds(tasks: int) -> float:
        return cpu_seconds(lambda: simulate_counts(tasks, 100, *STEP, rng=rng), times=10)

    return median_ratio(lambda: seconds(10**12), lambda: seconds(20_000), pairs)


def a_grid_of_parameters(pairs: int) -> float:
    """The loop takes every hundredth point of the grid, and its time is scaled up."""
    rng = np.random.default_rng(SEED)
    p, d, r = rng.random(10_000), rng.random(10_000), rng.integers(0, 4, 10_000)

    def loop() -> None:
        for point in zip(p[::100], d[::100], r[::100], strict=True):
            simulate_counts(20_000, 20, *point, rng=rng)

    def in_one_call() -> float:
        return cpu_seconds(lambda: simulate_counts(20_000, 20, p, d, r, rng=rng))

    return median_ratio(lambda: 100 * cpu_seconds(loop), in_one_call, pairs)


def tasks_against_plain_python(pairs: int) -> float:
    rng, random = np.random.default_rng(SEED), Random(SEED)

    def ours() -> float:
        return cpu_seconds(lambda: simulate_tasks(10**6, 20, *STEP, rng=rng)) / 10**6

    def theirs() -> float:
        return cpu_seconds(lambda: simulate_in_plain_python(20_000, 20, *STEP, random)) / 20_000

    return median_ratio(theirs, ours, pairs)


def a_million_totals(pairs: int, kind: type = int) -> float:
    calls, first_context, growth = np.random.default_rng(SEED).integers(1, 1_000, (3, 10**6)).astype(kind)

    def totals() -> float:
        return cpu_seconds(lambda: total_input(calls, first_context, growth), times=5)

    def multiplication() -> float:
        return cpu_seconds(lambda: first_context * growth, times=5)

    return median_ratio(totals, multiplication, pairs)


def slider_to_picture(application: str, pairs: int) -> float:
    """Milliseconds, median of twelve moves, however many pairs are asked for; NaN without a browser."""
    from benchmarks.browser import chromium  # a browser's driver, which other cases do without
    from benchmarks.sliders import median_wait

    if chromium() is None:
        return float("nan")
    return median_wait(application)


CASES = [
    Case("counts: 10^12 tasks against 20,000", "times", a_trillion_tasks, most=1.5),
    Case("counts: a loop over 10,000 points against one call", "times", a_grid_of_parameters, least=8),
    Case("tasks: Python's random against ours, per task", "times", tasks_against_plain_python, least=8),
    Case("a million totals of ints against one multiplication", "times", a_million_totals, most=30),
    Case("the same of floats", "times", lambda pairs: a_million_totals(pairs, float), most=30),
    Case("requests priced over arrays", "million/s", arrays_priced, least=10),
    Case("one exact pricing against genai-prices", "times", one_pricing_against_genai_prices, least=30),
    Case("requests of a growing run, made before, through the cache", "1,000/s", requests_served, least=50),
    Case("cache: 20,000 requests against 10,000", "times", twice_the_requests, most=2.6),
    Case("replies through the whole loop, 20 calls and an answer", "1,000/s", replies_per_second, least=5),
    Case("the same loop: pydantic-ai's FunctionModel against ours", "times", against_pydantic_ai, least=20),
    Case("loop: 2,000 steps against 1,000", "times", twice_the_steps, most=2.6),
    Case("slider to picture in Lab", "ms", partial(slider_to_picture, "lab"), most=150),
    Case("slider to picture in Voila", "ms", partial(slider_to_picture, "voila"), most=110),
    Case("import simlib", "s of CPU", lambda pairs: import_seconds("simlib", pairs), most=0.5),
    Case(
        "import of the command", "s of CPU", lambda pairs: import_seconds("simlib.__main__", pairs), most=0.5
    ),
]
