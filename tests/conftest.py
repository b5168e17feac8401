import math

import numpy as np
import pytest
from hypothesis import settings

from simlib.agent.loop import run_agent
from simlib.agent.tool import tool
from simlib.models.client import FakeClient
from simlib.models.scripted import Script
from simlib.theory.reliability import attempts_distribution, step_success

# No test is against the clock, hypothesis' own limit on an example included.
settings.register_profile("patient", settings(deadline=None))
settings.load_profile("patient")


@pytest.fixture
def rng():
    return np.random.default_rng(20261130)


@pytest.fixture
def attempts_error_of():
    """The standard error that a step's attempts should have, within 4 standard errors of its own.

    The deviation of n values is known to sqrt((kurtosis - 1) / 4n), the root of the steps begun to at most
    1 / sqrt(4n) where n counts the tasks, which is the smaller number: their sum of squares is a safe bound.
    """

    def expected(law, simulated, steps):
        p, d, retries, f = law
        chances = attempts_distribution(p, d, int(min(retries, 200)), f)
        k = np.arange(1, chances.size + 1)
        away = k - chances @ k
        variance = chances @ away**2
        kurtosis = chances @ away**4 / variance**2 if variance > 1e-12 else 1
        begun = sum(simulated.tasks * step_success(*law) ** at for at in range(steps))
        relative = 4 * math.sqrt(kurtosis / (4 * simulated.tasks))  # kurtosis - 1, and 1
        return pytest.approx(math.sqrt(max(variance, 0) / begun), rel=relative)

    return expected


@pytest.fixture
def audit_trace():
    """Contexts of 18 calls that meet article A's audit: 1,146 at call 1, 3,906 at 17, 47,150 in all."""
    contexts = "1146 1294 1445 1599 1757 1918 2082 2250 2421 2595 2772 2953 3137 3324 3515 3709 3906 5327"
    return [int(context) for context in contexts.split()]


@pytest.fixture
def search():
    """A tool that finds what it is asked for, but for "nothing", and breaks on "broken"."""

    @tool("Search.", text={"type": "string"}, limit={"type": "integer", "minimum": 1})
    def search(text, limit=20):
        if text == "broken":
            raise ValueError("the index is broken")
        return "" if text == "nothing" else f"found {text} ({limit})"

    return search


@pytest.fixture
def played(search):
    """Runs a script with the search tool; the result, and the client that saw it."""

    def run(steps, tools=None, **options):
        client = FakeClient(Script(steps))
        return run_agent(
            "question", tools or [search], "Use the tools. " * 60, client=client, **options
        ), client

    return run
