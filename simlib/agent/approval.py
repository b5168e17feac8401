"""Who agrees to a call: any function of it. What needs approval and gets none does not run."""

from collections.abc import Callable, Collection
from typing import NamedTuple

from simlib.agent.call import Call
from simlib.errors import BadArgument, real, single


class Decision(NamedTuple):
    """Whether a call is `granted`, and how many `seconds` it took to decide, on the run's clock."""

    granted: bool
    seconds: float = 0.0


Approve = Callable[[Call], bool | Decision]


def decide(approve: Approve | None, call: Call) -> Decision:
    """What the approver says of a call.

    approve : the approver, None for nobody. call : the call.
    Returns a Decision: a denial where nobody can be asked, or asking failed.
    Raises KeyboardInterrupt alone.

    >>> decide(None, Call("toolu_1", "delete", {})).granted
    False
    """
    if approve is None:
        return Decision(False)
    try:
        said = approve(call)
        granted, seconds = said if isinstance(said, Decision) else (said, 0.0)
        return Decision(granted is True, float(single("seconds", real("seconds", seconds, low=0))))
    except (Exception, SystemExit):  # as from a console where nobody sits; nobody has agreed
        return Decision(False)


def only(names: Collection[str]) -> Approve:
    """A policy that agrees to calls of some tools and to no others.

    names : of the tools.
    Returns an approver.
    Raises BadArgument for a single text.

    >>> only(["write_note"])(Call("toolu_1", "delete", {}))
    False
    """
    if isinstance(names, str):
        raise BadArgument("names", names, "a list of names")
    allowed = frozenset(names)
    return lambda call: call.name in allowed


def ask_on_console(call: Call) -> bool:
    """Ask whoever sits at the terminal.

    call : the call.
    Returns whether the answer was y or yes.
    Raises EOFError where nobody can answer.

    >>> from unittest.mock import patch
    >>> with patch("builtins.input", return_value="Yes "):
    ...     ask_on_console(Call("toolu_1", "delete", {}))
    True
    """
    return input(f"The agent asks for {call.name}({call.arguments}). Run it? [y/N] ").strip().lower() in (
        "y",
        "yes",
    )
