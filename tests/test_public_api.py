"""Every public function says what it takes, returns and raises, where it comes from, and shows an example.

That the examples run is checked by pytest's doctest collection.
"""

import importlib
import inspect
import pkgutil
import re

import pytest

import simlib


def public_functions():
    for info in pkgutil.walk_packages(simlib.__path__, "simlib."):
        module = importlib.import_module(info.name)
        for name, member in vars(module).items():
            mine = getattr(member, "__module__", None) == info.name
            if mine and inspect.isfunction(member) and not name.startswith("_"):
                yield pytest.param(member, id=f"{info.name}.{name}")


def public_classes_and_modules():
    for info in pkgutil.walk_packages(simlib.__path__, "simlib."):
        module = importlib.import_module(info.name)
        if not info.ispkg:
            yield pytest.param(module, id=info.name)
        for name, member in vars(module).items():
            if inspect.isclass(member) and member.__module__ == info.name and not name.startswith("_"):
                yield pytest.param(member, id=f"{info.name}.{name}")


@pytest.mark.parametrize("function", list(public_functions()))
def test_docstrings_are_complete(function):
    doc = inspect.getdoc(function)
    assert doc, "no docstring"
    parts = ["Returns", "Raises", ">>>"]
    if ".theory." in function.__module__ and function.__module__.split(".")[-1] not in (
        "exact",
        "simulation",
    ):
        parts.append("Source:")
    missing = [part for part in parts if part not in doc]
    assert not missing, f"without {missing}"
    explained = re.findall(r"(\w+(?:, \w+)*)\s:\s", doc.split(">>>")[0].replace("\n", " "))
    names = {name for group in explained for name in group.split(", ")}
    unexplained = set(inspect.signature(function).parameters) - names
    assert not unexplained, f"says nothing about {unexplained}"


@pytest.mark.parametrize("member", list(public_classes_and_modules()))
def test_classes_and_modules_have_a_docstring_of_their_own(member):
    doc = member.__doc__
    assert doc
    assert not doc.startswith(f"{member.__name__}("), "only the one that Python made up"


@pytest.mark.parametrize("function", list(public_functions()))
def test_signatures_are_typed(function):
    signature = inspect.signature(function)
    assert signature.return_annotation is not inspect.Signature.empty
    assert all(p.annotation is not p.empty for p in signature.parameters.values())
