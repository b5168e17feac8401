"""Two pieces of work timed in turn, so that a noisy machine slows both."""

import gc
import subprocess
import sys
from collections.abc import Callable
from statistics import median
from time import process_time


def cpu_seconds(work: Callable[[], object], times: int = 1) -> float:
    """CPU seconds of one call, averaged over `times` calls in a row, without the collector of garbage, whose
    time depends on what else was imported.
    """
    gc.collect()
    gc.disable()
    try:
        start = process_time()
        for _ in range(times):
            work()
        return (process_time() - start) / times
    finally:
        gc.enable()


def median_ratio(slow: Callable[[], float], fast: Callable[[], float], pairs: int) -> float:
    """Median over the pairs of slow() / fast(), each of which returns the seconds it took."""
    slow(), fast()  # the first call of anything pays for caches
    return median(slow() / fast() for _ in range(pairs))


def import_seconds(module: str, runs: int) -> float:
    """Median CPU seconds that a new interpreter spends on importing a module."""
    script = f"import time; t = time.process_time(); import {module}; print(time.process_time() - t)"
    command = [sys.executable, "-c", script]
    return median(float(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(runs))
