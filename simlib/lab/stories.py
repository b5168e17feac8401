"""The runs that lesson 01 steps through, each as acts; what a choice changes is the code, never the model."""

from dataclasses import replace

from simlib.agent.loop import run_agent
from simlib.errors import known
from simlib.lab.acts import CODE, MODEL, PERSON, TOOLS, Act, acts_of
from simlib.lab.figures.dialogue import Dialogue, dialogue
from simlib.models.client import FakeClient
from simlib.models.scripted import Playing, Script, call, say
from simlib.worlds.library.agents import AGENTS, PHRASES
from simlib.worlds.library.chain import run_chain
from simlib.worlds.library.orders import NO_QUESTIONS, NO_TOOL, NOBODY_AGREES, run_with_order
from simlib.worlds.library.recordings import load_recording
from simlib.worlds.library.texts import QUESTION, SYSTEM, library_tools, load_texts

MOST = 3  # model calls, where there is a limit
RUNS, REFUSES = CODES = "runs the tools", "refuses every tool"
ORDER_NO_TOOL, ORDER_ASKS, ORDER_RUNS, SCHEMA, LIMIT = HARNESSES = (
    f"an order in a text; {NO_TOOL}",
    f"an order in a text; {NOBODY_AGREES}",
    f"an order in a text; {NO_QUESTIONS}",
    "arguments that do not match the schema",
    f"a limit of {MOST} calls",
)
CHAIN, LUCKY_CHAIN, LOOP = PATHS = (
    "a chain of three prompts",
    "the same chain, a luckier phrase",
    "the loop, the model decides",
)


def who_does_what(step: int = 7, code: str = RUNS) -> Dialogue:
    """The recorded run that searches the library, or the same model where the code runs nothing.

    step : how many acts have happened. code : one of CODES.
    Returns a Dialogue.
    Raises UnknownName, or what a step that is no number raises.

    >>> who_does_what(7).acts[-1].text
    "please run search(text='KL divergence')"
    """
    known("code", code, CODES)
    if code == RUNS:
        return dialogue(acts_of(load_recording("library-search").events), step)
    tools = [tool.approved() for tool in library_tools(load_texts())]
    client = FakeClient(Script(AGENTS["library-search"]))
    return dialogue(acts_of(run_agent(QUESTION, tools, SYSTEM, client=client).events), step)


def what_is_refused(step: int = 9, story: str = ORDER_NO_TOOL) -> Dialogue:
    """A model that asks for what it should not, and what the harness makes of it.

    step : how many acts have happened. story : one of HARNESSES.
    Returns a Dialogue.
    Raises UnknownName, or what a step that is no number raises.

    >>> what_is_refused(99, ORDER_RUNS).of
    20
    """
    known("story", story, HARNESSES)
    if story == SCHEMA:
        client = FakeClient(Script(_careless))
        events = run_agent(QUESTION, library_tools(load_texts()), SYSTEM, client=client).events
        return dialogue(acts_of(events), step)
    if story == LIMIT:
        client = FakeClient(Script(AGENTS["library-search"]))
        limited = run_agent(QUESTION, library_tools(load_texts()), SYSTEM, client=client, max_steps=MOST)
        return dialogue(acts_of(limited.events), step)
    result, _ = run_with_order(story.partition("; ")[2])
    asking = {"delete_text"} if story == ORDER_ASKS else ()
    return dialogue(acts_of(result.events, asking), step)


def who_decides(step: int = 9, path: str = CHAIN) -> Dialogue:
    """A fixed chain of prompts, or the loop, on the same question.

    step : how many acts have happened. path : one of PATHS.
    Returns a Dialogue.
    Raises UnknownName, or what a step that is no number raises.

    >>> who_decides(99, CHAIN).acts[-1].text
    'I do not know: there is no excerpt.'
    """
    known("path", path, PATHS)
    if path == LOOP:
        return who_does_what(step, RUNS)
    return dialogue(_acts_of_chain(PHRASES[path == LUCKY_CHAIN]), step)


def calls_if_search_returns(found: str) -> int:
    """How many model calls the agent that searches makes, if its search always returns this.

    found : what the search says.
    Returns a whole number.
    Raises nothing.

    >>> calls_if_search_returns("nothing found")
    3
    """

    def always(text: str, limit: int = 1) -> str:
        return found

    list_texts, search, read = library_tools(load_texts())
    tools = [list_texts, replace(search, function=always), read]
    client = FakeClient(Script(AGENTS["library-search"]))
    return len(run_agent(QUESTION, tools, SYSTEM, client=client).steps)


def _careless() -> Playing:
    """A model that gets the arguments wrong twice, reads the errors, and mends them."""
    yield say("I read on.") + call("read", name="information")
    yield say("It is called text.") + call("read", text="information", start="1035")
    yield say("As a number.") + call("read", text="information", start=1035, end=1335)
    yield say("Now it ran: the first two calls never reached the tool.")


def _acts_of_chain(phrase: str) -> tuple[Act, ...]:
    acts, spent = [Act(PERSON, CODE, QUESTION)], Act("", "", "")
    for number, link in enumerate(run_chain(phrase), start=1):
        prompt = int(link.usage.prompt)
        spent = spent._replace(
            calls=number, tokens=spent.tokens + prompt, dollars=spent.dollars + link.dollars
        )
        said = [
            (CODE, MODEL, f"prompt {number} of 3, {prompt:,} tokens: {link.prompt}"),
            (MODEL, CODE, link.said),
        ]
        if link.did:
            said += [(CODE, TOOLS, link.did), (TOOLS, CODE, link.result)]
        acts += [spent._replace(sender=sender, receiver=to, text=text) for sender, to, text in said]
    return *acts, spent._replace(sender=CODE, receiver=PERSON, text=acts[-1].text)
