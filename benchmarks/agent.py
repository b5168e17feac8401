"""What a step of the loop takes: replies per second, and ratios against a peer and against itself."""

import asyncio
from collections.abc import Callable
from statistics import median
from typing import Any

from benchmarks.pairs import cpu_seconds, median_ratio
from simlib.agent.loop import run_agent
from simlib.agent.tool import tool
from simlib.billing.catalogue import load_catalogue
from simlib.models.client import FakeClient
from simlib.models.scripted import Playing, Script, call, say

CALLS = 20  # of a tool, and then the answer
SYSTEM = "Search before you answer, one thing at a time. " * 10
FOUND = "port 7001 belongs to the gateway, which the platform team runs; " * 2
CATALOGUE = load_catalogue()


@tool("Search the texts.", text={"type": "string"})
def search(text: str) -> str:
    """Some twenty words for any text."""
    return f"{text}: {FOUND}"


def replies_per_second(pairs: int) -> float:
    """Thousands."""
    run = _our_run(CALLS)
    run()
    return median((CALLS + 1) / cpu_seconds(run, times=30) for _ in range(pairs)) / 1_000


def against_pydantic_ai(pairs: int) -> float:
    """Both are told what to say by a function, check the arguments, run the same tool and send its result."""
    with asyncio.Runner() as runner:
        ours, theirs = _our_run(CALLS), _their_run(CALLS, runner)
        assert ours() == theirs() == "done"
        return median_ratio(lambda: cpu_seconds(theirs, times=2), lambda: cpu_seconds(ours, times=30), pairs)


def twice_the_steps(pairs: int) -> float:
    """2,000 steps against 1,000."""
    long, short = _our_run(2_000), _our_run(1_000)
    return median_ratio(lambda: cpu_seconds(long), lambda: cpu_seconds(short), pairs)


def _our_run(calls: int) -> Callable[[], str]:
    def playing() -> Playing:
        for number in range(calls):
            yield call("search", text=f"word {number}")
        yield say("done")

    def run() -> str:
        client = FakeClient(Script(playing), catalogue=CATALOGUE)
        return run_agent("Whose port?", [search], SYSTEM, client=client, max_steps=calls + 1).answer

    return run


def _their_run(calls: int, runner: asyncio.Runner) -> Callable[[], str]:
    from pydantic_ai import Agent  # large, and only a peer
    from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel
    from pydantic_ai.usage import UsageLimits

    def playing(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        number = len(messages) // 2
        if number == calls:
            return ModelResponse(parts=[TextPart("done")])
        return ModelResponse(parts=[ToolCallPart("search", {"text": f"word {number}"})])

    agent: Any = Agent(FunctionModel(playing), system_prompt=SYSTEM)
    agent.tool_plain(name="search", description=search.description)(search.function)
    limits = UsageLimits(request_limit=calls + 1)
    return lambda: runner.run(agent.run("Whose port?", usage_limits=limits)).output
