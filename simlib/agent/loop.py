"""The loop: a model that chooses tools, code that runs them, until the model answers or a limit says stop."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from simlib.agent.approval import Approve
from simlib.agent.conversation import Conversation
from simlib.agent.guards import Guards
from simlib.agent.history import has_begun, has_new_results
from simlib.agent.ledger import Ledger, dollars_from_0
from simlib.agent.result import Result
from simlib.agent.resume import restore
from simlib.agent.run import Run
from simlib.agent.stop import StopReason, api_error_of, stop_of_reply
from simlib.agent.tool import Tool
from simlib.agent.transcript import Transcript
from simlib.billing.catalogue import load_catalogue
from simlib.errors import BadArgument, known, single, whole
from simlib.prompt.prompt import SECONDS, Lifetime
from simlib.tokens.counter import Counter

Lever = Callable[[Conversation], Conversation]


def run_agent(
    task: str,
    tools: Sequence[Tool] = (),
    system: str = "",
    *,
    client: Any,
    model: str = "claude-haiku-5-5",
    effort: str | None = None,
    max_steps: int = 12,
    max_cost: Decimal | float | None = None,
    max_tokens: int = 8_000,
    cache: Lifetime | None = "5m",
    parallel: bool = True,
    thinking: Literal["summarized", "omitted"] | None = None,
    transcript: Path | str | None = None,
    resume: bool = False,
    approve: Approve | None = None,
    levers: Sequence[Lever] = (),
    guards: Guards | None = None,
    ledger: Ledger | None = None,
    verbose: bool = False,
) -> Result:
    """Let a model work on a task with tools, until it answers or a limit is reached.

    task : what to do. tools : what the model may ask for. system : its instructions.
    client : anything with `messages.create`, ours or the SDK's. model, effort, max_tokens : of each call.
    max_steps : the most calls. max_cost : dollars after which no call is made.
    cache : the lifetime of the two markers that are set, one behind tools and system, one that moves along;
    None for none. parallel : whether a reply may ask for several tools. thinking : how thinking is shown,
    None to leave it to the model. transcript : a file for the events, which has to be new. resume : whether
    to go on from that file; the task is then the one that stands in it, and the ledger notes what was paid.
    approve : who agrees to calls that need it. levers : change the conversation after each step. guards :
    against going round in circles. ledger : who owns the money, one of its own by default. verbose : whether
    to print a line a step.
    Returns a Result, however the run ends.
    Raises BadArgument for an argument; UnknownName or Unpriced for a model without a price, before anything
    is sent; TranscriptFailed for a disk that is full. An interrupt before the task was written, or when all
    is done, goes on to the caller.

    >>> from simlib.models.client import FakeClient
    >>> from simlib.models.scripted import Script, say
    >>> run_agent("Which team owns port 7001?", client=FakeClient(Script([say("Growth.")]))).answer
    'Growth.'
    """
    single("max_steps", whole("max_steps", max_steps))
    budget = None if max_cost is None else dollars_from_0("max_cost", max_cost)
    if thinking is not None:
        known("thinking", thinking, ("summarized", "omitted"))
    if resume and transcript is None:
        raise BadArgument("transcript", None, "the file of the run that goes on")
    money = ledger or _ledger_for(client)
    money.check(model)
    names = [tool.name for tool in tools]
    if len(set(names)) < len(names):
        raise BadArgument("tools", names, "tools of different names")
    if cache is not None:
        known("cache", cache, SECONDS)
    conversation = Conversation(
        [tool.schema() for tool in tools],
        system,
        count=getattr(client, "count", Counter()),
        cache=cache,
        hidden=client.hidden_tokens(model) if hasattr(client, "hidden_tokens") else 0,
    )
    run = Run(
        client,
        _request(conversation, model, effort, max_tokens, cache, parallel, thinking),
        conversation,
        tools,
        ledger=money,
        transcript=Transcript.continued(transcript) if resume and transcript else Transcript(transcript),
        guards=guards or Guards(),
        approve=approve,
        window=money.window(model),
        max_steps=max_steps,
        max_cost=budget,
        verbose=verbose,
    )
    try:
        return _loop(run, levers, None if resume else task)
    finally:
        run.transcript.close()


def _loop(run: Run, levers: Sequence[Lever], task: str | None) -> Result:
    """The loop itself. Every limit is checked before the call that would break it."""
    try:
        if task is not None:
            run.begin(task)
        elif (end := _again(run, levers)) is not None:
            return run.ended(end)
        while (stop := run.limit()) is None:
            reply = run.ask()
            if reply.stop_reason == "pause_turn":
                continue  # a tool of the provider's is at work: ask again
            if reply.stop_reason != "tool_use":
                run.close_open_calls()
                return run.ended(stop_of_reply(reply.stop_reason))
            run.respond(reply.calls)
            if run.is_stuck:
                return run.ended(StopReason.STUCK)
            _pull(run, levers)
        return run.ended(stop)
    except KeyboardInterrupt:
        if not has_begun(run.transcript.events):
            raise  # a result would say that there is something to go on with
        run.close_open_calls()
        return run.ended(StopReason.INTERRUPTED)
    except Exception as error:
        refusal = api_error_of(error)
        if refusal is None:
            raise
        return run.ended(StopReason.API_ERROR, str(refusal))


def _again(run: Run, levers: Sequence[Lever]) -> StopReason | None:
    """Bring a run to where its transcript ends; returns the end, where the answer was given before."""
    restore(run)
    if run.is_finished:
        return stop_of_reply(run.steps[-1].stop_reason)
    if has_new_results(run.transcript.events):
        _pull(run, levers)
    return None


def _pull(run: Run, levers: Sequence[Lever]) -> None:
    """Let the levers change the conversation: one event, so that a cut leaves all of them pulled, or none."""
    conversation = run.conversation
    for lever in levers:
        conversation = lever(conversation)
        if not isinstance(conversation, Conversation):
            raise BadArgument("lever", conversation, "one that returns a Conversation")
    run.changed(conversation)


def _request(
    conversation: Conversation,
    model: str,
    effort: str | None,
    max_tokens: int,
    cache: Lifetime | None,
    parallel: bool,
    thinking: str | None,
) -> dict[str, Any]:
    """What every call sends beside the messages; only what says something."""
    marker: Mapping[str, Any] = (
        {"type": "ephemeral"} if cache == "5m" else {"type": "ephemeral", "ttl": cache}
    )
    one_call = {"type": "auto", "disable_parallel_tool_use": True}
    fields = {
        "model": model,
        "max_tokens": max_tokens,
        "tools": conversation.tools,
        "system": conversation.system,
        "output_config": {"effort": effort} if effort else None,
        "thinking": {"type": "adaptive", "display": thinking} if thinking else None,
        "tool_choice": one_call if conversation.tools and not parallel else None,
        "cache_control": marker if cache else None,
    }
    return {name: value for name, value in fields.items() if value not in (None, [])}


def _ledger_for(client: Any) -> Ledger:
    """A ledger with the prices of a simulated client's day, or of today."""
    today = datetime.now(tz=UTC).date()
    return Ledger(
        getattr(client, "catalogue", None) or load_catalogue(), getattr(client, "day", None) or today
    )
