"""What can be wrong with an argument, and the checks that every room shares."""

from simlib.errors.checks import (
    LONGEST_AXIS,
    axis_length,
    broadcast_shape,
    generator,
    known,
    probability,
    real,
    single,
    unknown,
    whole,
)
from simlib.errors.kinds import (
    ApiError,
    BadArgument,
    NotAGenerator,
    NotANumber,
    NotWhole,
    OutOfRange,
    ShapeMismatch,
    SimlibError,
    TooLarge,
    UnknownName,
)
from simlib.errors.plain import Numbers, floats

__all__ = [
    "LONGEST_AXIS",
    "ApiError",
    "BadArgument",
    "NotAGenerator",
    "NotANumber",
    "NotWhole",
    "Numbers",
    "OutOfRange",
    "ShapeMismatch",
    "SimlibError",
    "TooLarge",
    "UnknownName",
    "axis_length",
    "broadcast_shape",
    "floats",
    "generator",
    "known",
    "probability",
    "real",
    "single",
    "unknown",
    "whole",
]
