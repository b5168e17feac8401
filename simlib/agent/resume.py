"""Going on with a run from its transcript."""

from decimal import Decimal

from simlib.agent.call import calls_in
from simlib.agent.result import Step
from simlib.agent.run import Run
from simlib.agent.stop import StopReason
from simlib.agent.transcript import BadTranscript, Event
from simlib.billing.usage import usage_from_api
from simlib.errors import SimlibError


def step_of(event: Event) -> Step:
    """A step from its event in a transcript.

    event : a reply.
    Returns a Step.
    Raises BadTranscript for one that does not say what a reply has to say.

    >>> reply = {"step": 1, "content": [], "stop_reason": "end_turn", "seconds": 1, "dollars": None}
    >>> step_of({**reply, "usage": {"input_tokens": 20, "output_tokens": 5}}).usage.input
    20
    """
    try:
        dollars = None if event["dollars"] is None else Decimal(str(event["dollars"]))
        usage, calls = usage_from_api(event["usage"]), calls_in(event["content"])
        return Step(int(event["step"]), usage, float(event["seconds"]), dollars, event["stop_reason"], calls)
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise BadTranscript("transcript", str(event)[:80], f"a reply that can be read ({error})") from None


def restore(run: Run) -> None:
    """Bring a new run to where the transcript that it continues ends.

    run : with the transcript that was read, and nothing done yet.
    Returns nothing; calls that never got a result get one that says so. The run is finished if the answer
    stands there, and only its end does not.
    Raises BadTranscript for a transcript without a task, or of a run that came to its end by itself.

    >>> import tempfile
    >>> from simlib.agent.loop import run_agent
    >>> from simlib.models.client import FakeClient
    >>> from simlib.models.scripted import Script, say
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = folder + "/run.jsonl"
    ...     cut = run_agent("Which team?", client=FakeClient(Script([])), transcript=file, max_steps=0)
    ...     client = FakeClient(Script([say("Growth.")]))
    ...     run_agent("", client=client, transcript=file, resume=True).answer
    'Growth.'
    """
    events = list(run.transcript.events)
    tasks = [event for event in events if event["event"] == "task"]
    if not tasks:
        raise BadTranscript("transcript", [event["event"] for event in events], "one with a task")
    try:
        run.conversation.add("user", [{"type": "text", "text": tasks[0]["task"]}])
        for event in events:
            if event["event"] == "reply":
                run.again(step_of(event), float(event["at"]), event["content"])
            elif event["event"] == "results" and not run.has_results(event["content"]):
                run.results_again(event["content"], event["ran"])
            elif event["event"] == "context":
                run.changed_again(event["kept"], event["messages"])
    except BadTranscript:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, SimlibError) as error:
        raise BadTranscript("transcript", str(error), "one whose messages can follow each other") from None
    last = events[-1]
    if run.is_finished and last["event"] == "end" and last["stop"] != StopReason.INTERRUPTED:
        raise BadTranscript("transcript", "the answer was given", "a run that has not come to its end")
    results = run.close_open_calls()
    if results:
        run.conversation.add("user", results)
