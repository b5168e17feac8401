"""Running the calls of one reply: checked, guarded, approved, limited in time; whatever happens, the model is
told.

One after the other in the order asked, so that a run can be repeated; the results go back in that order and
by id.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any, NamedTuple

from simlib.agent.approval import Approve, decide
from simlib.agent.call import Call
from simlib.agent.command import deadline
from simlib.agent.guards import Watch
from simlib.agent.tool import Tool

INTERRUPTED = "interrupted: this call did not finish"


class Outcome(NamedTuple):
    """What came of a call: a `text` for the model, whether it is an error, and whether the tool `ran`."""

    call: Call
    text: str
    is_error: bool
    ran: bool

    def block(self) -> dict[str, Any]:
        """The tool_result block."""
        block = {"type": "tool_result", "tool_use_id": self.call.id, "content": self.text}
        return block | {"is_error": True} if self.is_error else block


class ToolTimeout(Exception):
    """A tool that ran longer than it may."""


def not_finished(id: str) -> dict[str, Any]:
    """The result of a call that was asked for and has none, so that the conversation can go on.

    id : of the call.
    Returns a tool_result block, an error.
    Raises nothing.

    >>> not_finished("toolu_1")["content"]
    'interrupted: this call did not finish'
    """
    return {"type": "tool_result", "tool_use_id": id, "content": INTERRUPTED, "is_error": True}


def dispatch(
    calls: Iterable[Call],
    tools: Mapping[str, Tool],
    watch: Watch,
    approve: Approve | None = None,
    wait: Callable[[float], object] = lambda seconds: None,
) -> Iterator[Outcome]:
    """Run calls and give what came of each as soon as it is there.

    calls : as the model asked. tools : by name. watch : the run's guards. approve : who agrees to calls that
    need it.
    wait : told how many seconds a decision took, so that the run's clock goes on.
    Returns an iterator of an Outcome for each call, in their order.
    Raises KeyboardInterrupt alone, when somebody interrupts a tool.

    >>> from simlib.agent.guards import Guards
    >>> [outcome] = dispatch([Call("toolu_1", "serch", {})], {}, Watch(Guards()))
    >>> outcome.text
    "there is no tool 'serch'; there are none"
    """
    for call in calls:
        refusal = _refusal(call, tools, watch, approve, wait)
        if refusal is None:
            watch.begins(call)
            text, is_error = _run(tools[call.name], call.arguments)
        else:
            text, is_error = refusal, True
        if not text.isascii():
            text = text.encode("utf-8", "replace").decode()  # half a character is no text
        text = watch.saw(call, tools.get(call.name), text, is_error)
        yield Outcome(call, text, is_error, refusal is None)


def _refusal(
    call: Call,
    tools: Mapping[str, Tool],
    watch: Watch,
    approve: Approve | None,
    wait: Callable[[float], object],
) -> str | None:
    """Why a call is not run, in words for the model; None if it is."""
    if call.name not in tools:
        return f"there is no tool {call.name!r}; there are {', '.join(tools) or 'none'}"
    tool = tools[call.name]
    try:
        problem = tool.problem(call.arguments)
    except Exception as error:  # a schema that refers to nothing
        problem = f"{type(error).__name__}: {error}"
    if problem is not None:
        return f"{call.name} was not run: {problem}"
    refusal = watch.refusal(call, tool)
    if refusal is None and tool.needs_approval:
        decision = decide(approve, call)
        wait(decision.seconds)
        if not decision.granted:
            return "denied: this call needs approval, and did not get it"
    return refusal


def _run(tool: Tool, arguments: dict[str, Any]) -> tuple[str, bool]:
    """What a tool returned or raised, and whether it is an error."""
    try:
        return _as_text(tool.name, _limited(tool, _own(arguments)))
    except (Exception, SystemExit) as error:  # whatever a tool raises, the model may be able to act on it
        return f"{type(error).__name__}: {error}", True


def _as_text(name: str, result: Any) -> tuple[str, bool]:
    if not isinstance(result, str):
        return f"{name} returned {type(result).__name__} where text belongs", True
    if not result.strip():
        return f"{name} returned an empty text", True
    return result, False


def _own(arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments that a tool may change, without changing what the model said."""
    return {
        name: deepcopy(value) if isinstance(value, (dict, list)) else value
        for name, value in arguments.items()
    }


def _limited(tool: Tool, arguments: Mapping[str, Any]) -> Any:
    """Run a tool; one that is past its limit is given up, and goes on unheard in a thread that ends with the
    process.
    """
    if tool.seconds is None:
        return tool.function(**arguments)
    result: list[Any] = []
    failure: list[BaseException] = []

    def work() -> None:
        try:
            with deadline(tool.seconds):
                result.append(tool.function(**arguments))
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(tool.seconds)
    if failure:
        raise failure[0]
    if not result:
        raise ToolTimeout(
            f"{tool.name} took longer than {tool.seconds:g} s and was given up; try a smaller request"
        )
    return result[0]
