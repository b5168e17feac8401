"""What is timed, as ratios within one run: `python -m benchmarks`."""
