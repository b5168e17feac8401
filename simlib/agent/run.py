"""One run in progress: what the loop asks of it at every step."""

import time
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from simlib.agent.approval import Approve
from simlib.agent.call import Call, calls_in
from simlib.agent.conversation import Conversation
from simlib.agent.dispatch import INTERRUPTED, Outcome, dispatch, not_finished
from simlib.agent.guards import Guards, Watch
from simlib.agent.history import open_calls
from simlib.agent.ledger import Charge, Ledger
from simlib.agent.result import Result, Step
from simlib.agent.stop import StopReason
from simlib.agent.tool import Tool
from simlib.agent.transcript import Transcript
from simlib.billing.usage import usage_from_api

UNUSABLE = "Your last reply asked for a tool but named none. Call a tool, or give your answer."


class Reply(NamedTuple):
    """A model's reply: its text, its tool calls, and the API's stop reason."""

    text: str
    calls: tuple[Call, ...]
    stop_reason: str


class Run:
    """The state of a run. Every step is charged, counted and written down before anything else is done with
    it.
    """

    def __init__(
        self,
        client: Any,
        request: Mapping[str, Any],
        conversation: Conversation,
        tools: Sequence[Tool],
        *,
        ledger: Ledger,
        transcript: Transcript,
        guards: Guards,
        approve: Approve | None,
        window: int | None,
        max_steps: int,
        max_cost: Decimal | None,
        verbose: bool,
    ) -> None:
        self._client, self._request, self.conversation = client, dict(request), conversation
        self._tools = {tool.name: tool for tool in tools}
        self._ledger, self.transcript, self._begun_at = ledger, transcript, ledger.total
        self._watch, self._approve = Watch(guards), approve
        self._window, self._max_steps, self._max_cost, self._verbose = window, max_steps, max_cost, verbose
        self._now = getattr(client, "now", time.monotonic)
        self._wait = getattr(client, "wait", lambda seconds: None)
        self._zero = self._now()  # of the run's clock
        self.steps: list[Step] = []
        self._scale = 1.0  # of the estimated tokens, as the last reply showed
        self.is_stuck = self.is_finished = self._waits = False  # for results
        self.answer = ""

    def begin(self, task: str) -> None:
        """The first message."""
        self.conversation.add("user", [{"type": "text", "text": task}])
        self.transcript.write("task", task=task, **self._request)

    @property
    def dollars(self) -> Decimal:
        """What the run has cost."""
        return self._ledger.total - self._begun_at

    def again(self, step: Step, at: float, content: list[dict[str, Any]]) -> None:
        """A step of an earlier part of the run: counted, and noted with the price that was paid for it. The
        run's clock goes on from it; how long nobody worked on the run is not known.
        """
        self._zero = self._now() - at - step.seconds
        self._scale = float(step.usage.prompt) / max(self.conversation.prompt.tokens, 1)
        if content:
            self.conversation.add("assistant", content, int(step.usage.output))
        self.steps.append(step)
        self._ledger.note(Charge(self._request["model"], step.usage, step.dollars))
        self._waits, self.answer = True, _text_of(content)
        self.is_finished = step.stop_reason not in ("tool_use", "pause_turn") and not step.calls

    def has_results(self, content: list[dict[str, Any]]) -> bool:
        """Whether these results are of calls that have theirs, as when an interrupt came while they were
        written.
        """
        answered = () if self._waits or not self.steps else [call.id for call in self.steps[-1].calls]
        return bool(answered) and all(block.get("tool_use_id") in answered for block in content)

    def results_again(self, content: list[dict[str, Any]], ran: list[str]) -> None:
        """The results of an earlier step, which the guards see as well; `ran` are ids of calls that did."""
        self.conversation.add("user", content)
        self._waits = False
        calls = {call.id: call for call in self.steps[-1].calls} if self.steps else {}
        for block in content:
            call = calls.get(block.get("tool_use_id", ""))
            if call is not None:
                if call.id in ran:
                    self._watch.begins(call)
                if block["content"] == INTERRUPTED:
                    continue  # which is no failure of the tool
                is_error = bool(block.get("is_error"))
                self._watch.saw(call, self._tools.get(call.name), block["content"], is_error)
        self._watch.end_step()

    def changed(self, conversation: Conversation) -> None:
        """Go on with what levers made of the conversation."""
        if conversation is not self.conversation:
            kept = _alike(self.conversation, conversation)
            self.transcript.write("context", step=len(self.steps), kept=kept, messages=conversation[kept:])
            self.conversation = conversation
            self._watch.look_at(conversation)

    def changed_again(self, kept: int, messages: list[dict[str, Any]]) -> None:
        """What levers made of the conversation in an earlier part of the run."""
        self.conversation = self.conversation.rewritten([*self.conversation[:kept], *messages])
        self._watch.look_at(self.conversation)

    def limit(self) -> StopReason | None:
        """The limit that forbids another call, None if there is none."""
        if len(self.steps) >= self._max_steps:
            return StopReason.MAX_STEPS
        if self._ledger.is_exhausted or (self._max_cost is not None and self.dollars >= self._max_cost):
            return StopReason.MAX_COST
        if self._window is not None and self.conversation.prompt.tokens * self._scale > self._window:
            return StopReason.WINDOW_EXCEEDED
        return None

    def ask(self) -> Reply:
        """Call the model; ApiError, or what the client raises, if there is no reply."""
        begun = self._now()
        message = self._client.messages.create(messages=self.conversation, **self._request)
        seconds = round(self._now() - begun, 3)
        usage = message.usage.model_dump()
        content = _without_blank([block.model_dump(exclude_none=True) for block in message.content])
        calls = calls_in(content)
        counted = usage_from_api(usage)
        self._scale = float(counted.prompt) / max(self.conversation.prompt.tokens, 1)
        dollars = self._ledger.charge(self._request["model"], counted)
        for note in getattr(message, "notes", ()):
            self.transcript.write("note", text=note)
        self.steps.append(Step(len(self.steps) + 1, counted, seconds, dollars, message.stop_reason, calls))
        self.transcript.write(
            "reply",
            step=len(self.steps),
            at=round(begun - self._zero, 3),
            content=content,
            stop_reason=message.stop_reason,
            usage=usage,
            seconds=seconds,
            dollars=None if dollars is None else str(dollars),
        )
        if self._verbose:
            print(self.steps[-1].line(self.dollars))
        if content:
            self.conversation.add("assistant", content, int(counted.output))
        self.answer = _text_of(content)
        return Reply(self.answer, calls, message.stop_reason)

    def respond(self, calls: Sequence[Call]) -> None:
        """Run the calls and add their results; a reply that asked for a tool and named none is sent back."""
        outcomes: list[Outcome] = []
        try:
            for outcome in dispatch(calls, self._tools, self._watch, self._approve, self._wait):
                outcomes.append(outcome)  # noqa: PERF402  # an interrupt leaves what has finished
        finally:
            content = [outcome.block() for outcome in outcomes]
            content += [not_finished(call.id) for call in calls[len(outcomes) :]]
            ran = [outcome.call.id for outcome in outcomes if outcome.ran]
            self._add_results(content or [{"type": "text", "text": UNUSABLE}], ran)
        self.is_stuck = self._watch.end_step()

    def close_open_calls(self) -> list[dict[str, Any]]:
        """Write for every call without a result one that says so, and return them for the conversation, if
        that is to go on.

        What is open is what the transcript says: an interrupt may have come between writing and doing.
        """
        results = [not_finished(id) for id in open_calls(self.transcript.events)]
        if results:
            self.transcript.write("results", step=len(self.steps), content=results, ran=[])
        return results

    def ended(self, stop: StopReason, error: str = "") -> Result:
        """Write the end down, and give the result."""
        answer = (
            self.answer if stop in (StopReason.END_TURN, StopReason.MAX_TOKENS, StopReason.REFUSAL) else ""
        )
        unpriced = sum(step.dollars is None for step in self.steps)
        unusable = sum(step.stop_reason == "tool_use" and not step.calls for step in self.steps)
        self.transcript.write(
            "end", stop=stop, answer=answer, steps=len(self.steps), dollars=str(self.dollars), error=error
        )
        return Result(
            answer,
            stop,
            tuple(self.steps),
            self.dollars,
            unpriced,
            unusable,
            error,
            tuple(self.transcript.events),
        )

    def _add_results(self, content: list[dict[str, Any]], ran: list[str]) -> None:
        """Add results; `ran` are the ids of the calls whose tools did run."""
        self.transcript.write("results", step=len(self.steps), content=content, ran=ran)
        self.conversation.add("user", content)


def _without_blank(content: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without texts that say nothing: a model may write them, and the API does not take them back."""
    return [block for block in content if block["type"] != "text" or block["text"].strip()]


def _text_of(content: Sequence[Mapping[str, Any]]) -> str:
    """What a reply says."""
    return "".join([block["text"] for block in content if block["type"] == "text"])


def _alike(before: Sequence[Any], after: Sequence[Any]) -> int:
    """How many messages at the beginning are the same."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(before), len(after)))
