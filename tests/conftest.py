import math

import numpy as np
import pytest

from simlib.theory.reliability import attempts_distribution, step_success


@pytest.fixture
def rng():
    return np.random.default_rng(20261130)


@pytest.fixture
def exact_attempts_error():
    """Standard deviation of a step's attempts, from its distribution, over the root of the steps begun."""

    def error(law, simulated, steps):
        p, d, retries, f = law
        chances = attempts_distribution(p, d, int(min(retries, 200)), f)
        k = np.arange(1, chances.size + 1)
        deviation = math.sqrt(max(chances @ k**2 - (chances @ k) ** 2, 0))
        begun = sum(simulated.tasks * step_success(*law) ** at for at in range(steps))
        return deviation / math.sqrt(begun)

    return error


@pytest.fixture
def audit_trace():
    """Contexts of 18 calls that meet article A's audit: 1,146 at call 1, 3,906 at 17, 47,150 in all."""
    contexts = "1146 1294 1445 1599 1757 1918 2082 2250 2421 2595 2772 2953 3137 3324 3515 3709 3906 5327"
    return [int(context) for context in contexts.split()]
