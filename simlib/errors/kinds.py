"""The errors that simlib raises on purpose, each naming what is wrong, its value and what is allowed."""


class SimlibError(Exception):
    """The base of every error that simlib raises on purpose."""


class BadArgument(SimlibError, ValueError):
    """One argument is wrong: `argument` is its name, `value` what was given, `allowed` the rule.

    The three are the exception's own args, so that it survives the way out of a worker process.
    """

    _verb = "is"

    def __init__(self, argument: str, value: object, allowed: str) -> None:
        super().__init__(argument, value, allowed)
        self.argument, self.value, self.allowed = argument, value, allowed

    def __str__(self) -> str:
        try:
            shown = repr(self.value)
        except ValueError:  # Python refuses to print ints of thousands of digits
            shown = "a number too long to print"
        shown = shown if len(shown) <= 60 else shown[:57] + "..."
        return f"{self.argument} {self._verb} {shown}; allowed: {self.allowed}"


class NotANumber(BadArgument):
    """Text, None, a truth value, NaN or a ragged list where numbers belong."""


class NotWhole(BadArgument):
    """A fraction where only whole numbers make sense."""


class OutOfRange(BadArgument):
    """A number outside the range in which the quantity means something."""


class ShapeMismatch(BadArgument):
    """Arrays whose shapes do not fit together, or that are too short."""

    _verb = "of shape"


class TooLarge(OutOfRange):
    """More than the computer's floats, integers or memory can hold."""


class ApiError(SimlibError):
    """What the API answers instead of a message: HTTP `status`, error `type` and `message`.

    The message begins with the place in the request that is at fault, as in messages.2.content.0, where
    there is one. A refused request costs nothing and changes nothing in a cache.
    """

    def __init__(self, status: int, type: str, message: str) -> None:
        super().__init__(status, type, message)
        self.status, self.type, self.message = status, type, message

    def __str__(self) -> str:
        return f"{self.status} {self.type}: {self.message}"

    @classmethod
    def invalid(cls, message: str) -> "ApiError":
        """The answer to a request that is not allowed: 400 invalid_request_error."""
        return cls(400, "invalid_request_error", message)


class NotAGenerator(BadArgument):
    """Something else where a random generator belongs: a seed, None, or numpy's old global state."""


class UnknownName(BadArgument):
    """A name that is not in the list; the message offers the nearest ones."""
