"""What a reader can move, as data: a panel is tested at the corners of these without a browser."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simlib.errors import BadArgument, UnknownName, known, real, single, whole


@dataclass(frozen=True)
class Slider:
    """A number from `low` to `high` in steps of `step`; whole if all of these are. `name` is the parameter's.

    `next_button` names a button that moves one step on, where a picture is meant to grow step by step.
    """

    name: str
    label: str
    low: float
    high: float
    default: float
    step: float = 1
    next_button: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether only whole numbers come out of it."""
        return all(isinstance(value, int) for value in (self.low, self.high, self.default, self.step))

    @property
    def corners(self) -> tuple[float, ...]:
        """Its least, middle and greatest value."""
        middle = self.low + round((self.high - self.low) / 2 / self.step) * self.step
        return self.low, self.checked(middle), self.high

    def checked(self, value: Any) -> float:
        """The value without the dust of binary fractions; an error if the slider cannot take it."""
        number = single(self.name, real(self.name, value, low=self.low, high=self.high))
        if self.is_whole:
            whole(self.name, number)
        return int(number) if self.is_whole else round(float(number), 10)


@dataclass(frozen=True)
class Choice:
    """One of a few options, each a value with what a reader sees.

    `restarts` names a control that goes back to where it started when another option is chosen.
    """

    name: str
    label: str
    options: Mapping[str, Any]
    default: Any
    restarts: str = ""

    @property
    def corners(self) -> tuple[Any, ...]:
        """All of its values."""
        return tuple(self.options.values())

    def checked(self, value: Any) -> Any:
        """The value; an error if it is not one of the options."""
        if not any(
            value is option or (type(value) is type(option) and value == option) for option in self.corners
        ):
            raise UnknownName(self.name, value, f"one of {', '.join(map(repr, self.corners))}")
        return value


@dataclass(frozen=True)
class TextBox:
    """A text that a reader may type, of at most `most` characters; empty where there is none of his own."""

    name: str
    label: str
    most: int
    default: str = ""

    @property
    def corners(self) -> tuple[str, ...]:
        """No text, a short one and the longest, with signs that pages and pictures take for their own."""
        return "", "<b>5 $ & 7 $</b>", "Řeka, 7001. " * (self.most // 12)

    def checked(self, value: Any) -> str:
        """The text; an error if it is none, or too long."""
        if not isinstance(value, str) or len(value) > self.most:
            raise BadArgument(self.name, value, f"a text of at most {self.most:,} characters")
        return value


Control = Slider | Choice | TextBox


def values_of(controls: tuple[Control, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """A value for each control: the given one, checked, or the default.

    controls : the controls. given : values by name; units as the controls say.
    Returns values by name.
    Raises UnknownName for a name without a control, OutOfRange and its like for a value beyond its control.

    >>> values_of((Slider("calls", "model calls", 1, 64, 8),), {"calls": 16})
    {'calls': 16}
    """
    for name in given:
        known("control", name, [control.name for control in controls])
    return {control.name: control.checked(given.get(control.name, control.default)) for control in controls}


def check_controls(controls: tuple[Control, ...]) -> None:
    """Refuse what does not fit on a projector: more than three sliders, one choice or one text box.

    controls : of one panel.
    Returns nothing.
    Raises BadArgument.

    >>> check_controls((Slider("calls", "model calls", 1, 64, 8),))
    """
    kinds = [type(control) for control in controls]
    names = {control.name for control in controls}
    many = kinds.count(Slider) > 3 or kinds.count(Choice) > 1 or kinds.count(TextBox) > 1
    if many or len(names) < len(controls):
        shown = [control.name for control in controls]
        allowed = "at most three sliders, one choice and one text box, each with its own name"
        raise BadArgument("controls", shown, allowed)
    for control in controls:
        control.checked(control.default)
