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
