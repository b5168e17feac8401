"""A tool: a function that the model may ask for, with a name, a description and a schema of its arguments."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from simlib.errors import BadArgument, real, single

Function = Callable[..., Any]

# What a strict schema may not hold, by the documentation of structured outputs.
BOUNDS = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
)
# Where schemas stand within a schema: by name, in a list, alone.
OF_NAMES = ("properties", "$defs")
OF_SCHEMAS = ("anyOf", "allOf", "oneOf", "prefixItems")
OF_SCHEMA = ("items", "additionalProperties", "not")


@dataclass(frozen=True)
class Tool:
    """One tool. The model reads `name`, `description` and `schema()`; code runs `function` with checked
    arguments.

    `parameters` are JSON Schemas by argument name; all are required but those for which the function has a
    default. `seconds` is the longest that it may run, None for no limit. `needs_approval` says that somebody
    has to agree to each call. `may_repeat` says that the same call can have another result, as a test run
    has. `reads` and `writes` name the argument that holds the path of a file that it reads or overwrites, and
    `exists` tells whether there is such a file.
    """

    name: str
    description: str
    parameters: Mapping[str, Mapping[str, Any]]
    function: Function
    seconds: float | None = None
    needs_approval: bool = False
    may_repeat: bool = False
    reads: str | None = None
    writes: str | None = None
    exists: Callable[[str], bool] | None = None
    _validators: dict[str, Any] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        from jsonschema import Draft202012Validator  # slow to import, and only who makes tools needs it
        from jsonschema.exceptions import SchemaError

        try:
            for schema in self.parameters.values():
                Draft202012Validator.check_schema(schema)
        except SchemaError as error:
            raise BadArgument(
                f"tool {self.name}", error.message, "parameters that are JSON Schemas"
            ) from None
        validators = {name: Draft202012Validator(schema) for name, schema in self.parameters.items()}
        object.__setattr__(self, "_validators", validators)

    def __call__(self, **arguments: Any) -> Any:
        """The function itself, for code that calls it directly."""
        return self.function(**arguments)

    def schema(self) -> dict[str, Any]:
        """The definition as the API reads it; strict, so that a model's arguments match it.

        A strict schema may hold no bounds, so they are told in the argument's description, and checked here.
        """
        return {
            "name": self.name,
            "description": self.description,
            "strict": True,
            "input_schema": {
                "type": "object",
                "properties": {name: _without_bounds(schema) for name, schema in self.parameters.items()},
                "required": list(self.required),
                "additionalProperties": False,
            },
        }

    @cached_property
    def required(self) -> tuple[str, ...]:
        """Names of the arguments that every call has to have."""
        defaults = inspect.signature(self.function).parameters
        return tuple(
            name
            for name in self.parameters
            if name not in defaults or defaults[name].default is inspect.Parameter.empty
        )

    def problem(self, arguments: Any) -> str | None:
        """What is wrong with a call's arguments, in words that a model can act on; None if nothing is."""
        if not isinstance(arguments, dict):
            return f"the arguments have to be an object, not {arguments!r}"
        for name in self.required:
            if name not in arguments:
                return f"the argument {name!r} is missing"
        for name, value in arguments.items():
            if name not in self._validators:
                return f"there is no argument {name!r}; there are {', '.join(self.parameters) or 'none'}"
            for error in self._validators[name].iter_errors(value):
                where = "".join(f"[{part!r}]" for part in error.absolute_path)
                return f"the argument {name}{where}: {error.message}"
        return None

    def limited(self, seconds: float) -> "Tool":
        """The tool with a time limit; OutOfRange or NotANumber for one that is no time."""
        single("seconds", real("seconds", seconds, low=0, noun="seconds"))
        return replace(self, seconds=seconds)

    def approved(self) -> "Tool":
        """The tool, every call of which somebody has to agree to."""
        return replace(self, needs_approval=True)


def _without_bounds(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema without what a strict one may not hold, which its description tells instead."""
    sent: dict[str, Any] = {}
    for keyword, value in schema.items():
        if keyword in BOUNDS:
            continue
        if keyword in OF_NAMES and isinstance(value, Mapping):
            sent[keyword] = {name: _without_bounds(part) for name, part in value.items()}
        elif keyword in OF_SCHEMAS and isinstance(value, list):
            sent[keyword] = [_without_bounds(part) for part in value]
        elif keyword in OF_SCHEMA and isinstance(value, Mapping):
            sent[keyword] = _without_bounds(value)
        else:
            sent[keyword] = value
    bounds = ", ".join(f"{keyword} {schema[keyword]}" for keyword in BOUNDS if keyword in schema)
    if bounds:
        sent["description"] = f"{schema['description']} ({bounds})" if "description" in schema else bounds
    return sent


def tool(description: str, **parameters: Mapping[str, Any]) -> Callable[[Function], Tool]:
    """Make a tool of a function: a decorator.

    description : what the model is told that it does. parameters : a JSON Schema for each argument.
    Returns a decorator, which turns the function into a Tool of its name.
    Raises BadArgument for a parameter that is no JSON Schema.

    >>> @tool("Add two numbers.", a={"type": "integer"}, b={"type": "integer"})
    ... def add(a: int, b: int) -> str:
    ...     return str(a + b)
    >>> add(a=1, b=2), add.problem({"a": 1})
    ('3', "the argument 'b' is missing")
    """
    return lambda function: Tool(function.__name__, description, parameters, function)
