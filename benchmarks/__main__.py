"""Print every figure beside its limit: `python -m benchmarks`. Exit code 1 if one is beyond it."""

import argparse
import math
import sys

from tqdm import tqdm

from benchmarks.cases import CASES, Case


def line(case: Case, figure: float) -> str:
    limit = f"at most {case.most:g}" if case.least == 0 else f"at least {case.least:g}"
    if math.isnan(figure):
        return f"{case.name:60s} {'-':>8s} {case.unit:8s}  {limit:12s}  not measured: no chromium here"
    verdict = "kept" if case.least <= figure <= case.most else "BEYOND"
    return f"{case.name:60s} {figure:8.3g} {case.unit:8s}  {limit:12s}  {verdict}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks", description="Ratios and waits, medians in one run.")
    parser.add_argument("--pairs", type=int, default=7, help="pairs of each ratio (default: %(default)s)")
    parser.add_argument("--only", default="", metavar="WORDS", help="only cases whose name holds these words")
    chosen = parser.parse_args()
    cases = [case for case in CASES if chosen.only in case.name]
    lines = [line(case, case.measure(chosen.pairs)) for case in tqdm(cases, disable=None, leave=False)]
    print("\n".join(lines))
    return int(any(text.endswith("BEYOND") for text in lines))


if __name__ == "__main__":
    sys.exit(main())
