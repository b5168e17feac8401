"""Importing simlib brings in nothing that a newcomer has to wait for."""

import subprocess
import sys

import pytest

HEAVY = ("matplotlib", "ipywidgets", "IPython", "sympy", "scipy", "genai_prices")


@pytest.mark.parametrize("module", ["simlib", "simlib.theory.growth", "simlib.sweep", "simlib.__main__"])
def test_no_heavy_package_comes_along(module):
    script = f"import sys, {module}; print(*[name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
