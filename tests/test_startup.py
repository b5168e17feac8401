"""Importing simlib brings in nothing that a newcomer has to wait for."""

import subprocess
import sys

import pytest

HEAVY = ("matplotlib", "ipywidgets", "IPython", "sympy", "scipy", "genai_prices")


LIGHT = (
    "simlib",
    "simlib.theory.growth",
    "simlib.sweep",
    "simlib.billing.cache.anthropic",
    "simlib.__main__",
)


@pytest.mark.parametrize("module", LIGHT)
def test_no_heavy_package_comes_along(module):
    script = f"import sys, {module}; print(*[name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
