"""Imports only point down: every room stands on a floor, and knows only the floors below."""

import ast
from pathlib import Path

import pytest

import simlib

ROOT = Path(simlib.__file__).parent

FLOORS = [
    {"errors"},
    {"theory", "prompt", "sweep", "files", "lines"},
    {"billing", "tokens", "plots"},
    {"agent"},
    {"models", "traces"},
    {"worlds"},
    {"articles"},
    {"lab", "commands"},
    {"__main__"},
]

FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}

# What only one room may know, so that `import simlib` stays light and drawing stays in its place.
RESERVED = {
    "matplotlib": {"plots"},
    "ipywidgets": {"lab"},
    "IPython": {"lab"},
    "sympy": set(),
    "scipy": set(),
    "genai_prices": {"billing"},
    "jsonschema": {"agent"},
    "regex": {"worlds"},
    "ctok": {"tokens"},
    "anthropic": set(),
    "pydantic_ai": set(),
}

FILES = sorted(ROOT.rglob("*.py"))


def module_name(path):
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in FILES}


def imports(path):
    """Every module that a file imports, wherever in the file; from a package, the module in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            submodules = [f"{node.module}.{name.name}" for name in node.names]
            yield from (full if full in MODULES else node.module for full in submodules)


def room(module):
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "simlib"


@pytest.mark.parametrize("module", MODULES)
def test_imports_point_down(module):
    for imported in imports(MODULES[module]):
        if not imported.startswith("simlib") or room(imported) == room(module):
            continue
        if module == "simlib" or (imported == "simlib" and module == "simlib.__main__"):
            continue  # the package's face hands names on; the command prints its version
        assert FLOOR[room(imported)] < FLOOR[room(module)], f"{module} must not import {imported}"


def test_every_room_stands_on_a_floor():
    assert {room(module) for module in MODULES} - {"simlib"} <= set(FLOOR)


def test_files_of_a_room_import_each_other_in_no_circle():
    graph = {module: {name for name in imports(path) if name in MODULES} for module, path in MODULES.items()}
    done, path = set(), []

    def walk(module):
        assert module not in path, f"a circle: {' -> '.join([*path, module])}"
        if module in done:
            return
        path.append(module)
        for imported in graph[module]:
            walk(imported)
        done.add(path.pop())

    for module in graph:
        walk(module)


@pytest.mark.parametrize("module", MODULES)
def test_drawing_widgets_and_oracles_stay_in_their_rooms(module):
    for imported in imports(MODULES[module]):
        allowed = RESERVED.get(imported.split(".")[0])
        assert allowed is None or room(module) in allowed, f"{module} must not import {imported}"
