"""Lesson 01: who does what in an agent's loop."""

from collections.abc import Callable

from simlib.articles.figures.figure import Figure
from simlib.articles.inputs import ArticleA
from simlib.articles.runs import port_run
from simlib.lab.controls import Choice, Slider, TextBox
from simlib.lab.exercise import Exercise, Mistake
from simlib.lab.figures.counted import COUNTED, PROSE, SAMPLES
from simlib.lab.figures.dialogue import ROWS, Dialogue, as_table, draw_dialogue, in_words
from simlib.lab.figures.five_calls import FIVE_CALLS
from simlib.lab.lesson import Lesson
from simlib.lab.panel import Mark, Panel
from simlib.lab.scene import Play
from simlib.lab.seats import MY_CALLS, approval_seat, model_seat
from simlib.lab.stories import (
    CHAIN,
    CODES,
    HARNESSES,
    ORDER_NO_TOOL,
    PATHS,
    RUNS,
    calls_if_search_returns,
    what_is_refused,
    who_decides,
    who_does_what,
)

GIVEN = ArticleA()
TOTAL = port_run(GIVEN).total_input
CALLS = port_run(GIVEN).calls
DETOUR = 3  # the step whose result was of no use
LATER = CALLS - DETOUR  # calls that read it
MESSAGES = {"steps": 16, "refused": 21, "decides": 16}  # of each panel's longest story; a test counts them

WHO = Exercise(
    id="who",
    kind="predict",
    prompt="A model writes: “please run search(text='KL divergence')”. Who runs the search?",
    unit="",
    options=(
        "the model, inside the reply",
        "your code, after the reply",
        "the company that runs the model",
        "nobody: what the model writes is already what it found",
    ),
    possible=(1, 4),
    answer=lambda: 2,
    hints=(
        "Who has the files?",
        "A reply is text. What does it take for text to become an action?",
        "Step through the panel, and look whose arrow goes to the tools.",
    ),
    explanation="Your code. The model only writes down what it would like to have, the loop reads that, and "
    "runs it or does not. Where code refuses, nothing happens.",
    mistakes=(
        Mistake(lambda: 1, "A model reads and writes text; it has no files and no network of its own."),
        Mistake(lambda: 3, "Some providers offer tools of their own; these three are functions of yours."),
        Mistake(lambda: 4, "Then it would have made the result up. Look at the arrow after the request."),
    ),
    absolute=0,
)

NEXT = Exercise(
    id="next",
    kind="predict",
    prompt="In the picture above the second search has just found six places in one text. What will the "
    "model ask for next?",
    unit="",
    options=(
        "another search",
        "the whole text",
        "the text from one of the places on",
        "nothing: it answers",
    ),
    possible=(1, 4),
    answer=lambda: 3,
    hints=(
        "The hits show forty letters on either side. Is the answer among them?",
        "What it asks for will be read again by every call that follows.",
        "It has a position; the tool read takes a start and an end.",
    ),
    explanation="It reads on from the last of the places, 600 characters: enough to find the example, and "
    "no more than that has to be read again.",
    mistakes=(
        Mistake(lambda: 1, "It could, but the places are all in one text already."),
        Mistake(lambda: 2, "It could. That is what the dear agent does, and it pays at every later call."),
        Mistake(lambda: 4, "The question wants an example, and the hits show none."),
    ),
    absolute=0,
)


def _share(tokens: float) -> float:
    return 100 * tokens / TOTAL


HIDDEN = Exercise(
    id="hidden",
    kind="compute",
    prompt=f"As soon as there are tools, the provider adds a prompt of {GIVEN.tool_overhead} tokens to every "
    f"request. How many tokens is that in the run of {CALLS} calls, and how many per cent of its {TOTAL:,} "
    "tokens of input (to one decimal)?",
    unit="",
    parts=("tokens", "per cent of its input"),
    answer=lambda: (GIVEN.tool_overhead * CALLS, _share(GIVEN.tool_overhead * CALLS)),
    hints=(
        "A request carries everything, each time.",
        "The hidden prompt, times the calls; then over all input.",
        f"{GIVEN.tool_overhead} x ...",
    ),
    explanation="{0:,.0f} tokens, {1:.1f}% of what the run read, before a single tool was used.",
    mistakes=(
        Mistake(
            lambda: (GIVEN.tool_overhead, _share(GIVEN.tool_overhead)),
            "That is one call. The model remembers nothing, so every request carries it again.",
        ),
        Mistake(
            lambda: (GIVEN.tool_overhead * (CALLS - 1), _share(GIVEN.tool_overhead * (CALLS - 1))),
            "The last call carries the tools, too, though it asks for none.",
        ),
    ),
)

DETOURED = Exercise(
    id="detour",
    kind="compute",
    prompt=f"Step {DETOUR} was a detour: its result, {GIVEN.port_jump} tokens with the call, was of no use. "
    f"How many tokens has it cost until the end of the {CALLS} calls, and how many per cent of the input is "
    "that (to one decimal)?",
    unit="",
    parts=("tokens", "per cent of its input"),
    answer=lambda: (GIVEN.port_jump * LATER, _share(GIVEN.port_jump * LATER)),
    hints=(
        "Who reads the result of step 3?",
        "What a step adds is read by every call after it.",
        f"Call 4 reads {GIVEN.port_jump} more, call 5 reads ...",
    ),
    explanation="{0:,.0f} tokens, {1:.1f}%: calls 4 and 5 have both read it. In a long run every call that "
    "is still to come would read it.",
    mistakes=(
        Mistake(
            lambda: (GIVEN.port_jump, _share(GIVEN.port_jump)),
            "That is read once. But the context only grows: the last call reads it again.",
        ),
        Mistake(
            lambda: (GIVEN.port_jump * (LATER + 1), _share(GIVEN.port_jump * (LATER + 1))),
            "Call 3 asked for it and has not read it: the result comes after the reply.",
        ),
        Mistake(
            lambda: (GIVEN.port_jump * CALLS, _share(GIVEN.port_jump * CALLS)),
            "The first calls were made before it was there.",
        ),
    ),
)

FORCED = Exercise(
    id="forced",
    kind="compute",
    prompt=f"One small request has {GIVEN.small_request_automatic} tokens if the model may choose whether to "
    f"use a tool, and {GIVEN.small_request_forced} if it has to use one. What does forcing cost a call?",
    unit="tokens",
    answer=lambda: GIVEN.small_request_forced - GIVEN.small_request_automatic,
    hints=(
        "Everything else in the two requests is the same.",
        "Take one from the other.",
        f"{GIVEN.small_request_forced} - ...",
    ),
    explanation="{0:.0f} tokens a call: whoever is forced gets longer instructions, in every request.",
    mistakes=(
        Mistake(
            lambda: GIVEN.small_request_forced - GIVEN.tool_overhead,
            "That takes away the hidden prompt; but both requests have that.",
        ),
        Mistake(lambda: GIVEN.small_request_forced, "That is the whole request."),
        Mistake(lambda: GIVEN.small_request_automatic, "That is the whole request that is not forced."),
    ),
    absolute=0,
)

STOP = Exercise(
    id="stop",
    kind="design",
    prompt="Make the scripted model stop sooner by changing nothing but what its search returns (the cell "
    "above). What is the least number of calls that you can bring it to?",
    unit="calls",
    answer=lambda: calls_if_search_returns("There is no such library."),
    hints=(
        "The loop ends when a reply asks for no tool. When does this model not ask for one?",
        "It searches again only after exactly “nothing found”, and reads only if it sees a place.",
        "Return something that is neither.",
    ),
    explanation="{0:.0f} calls: one that searches, one that gives up. You never touched the model: a result "
    "decided how the run went. That is what makes it an agent, and what makes it easy to mislead.",
    mistakes=(
        Mistake(lambda: 1, "The first call asks before it has any result: no result can prevent it."),
        Mistake(
            lambda: calls_if_search_returns("nothing found"),
            "There is a text after which it neither searches again nor reads.",
        ),
    ),
    absolute=0,
)


def _mark(exercise: Exercise, row: float) -> Callable[[Dialogue, float], Mark]:
    """The words of a guess, in a row of their own below the arrows."""
    words = {WHO.id: "who runs it", NEXT.id: "what comes next"}[exercise.id]
    return lambda shown, guess: Mark(
        0, ROWS + row, f"your guess, {words}: {exercise.named(guess)}", words=True
    )


def _story(id: str, title: str, data: Callable[..., Dialogue], passage: str) -> Figure[Dialogue]:
    return Figure(
        id=id, title=title, passage=passage, data=data, draw=draw_dialogue, sentence=in_words, table=as_table
    )


def _panel(figure: Figure[Dialogue], choice: Choice, **guesses: Callable[[Dialogue, float], Mark]) -> Panel:
    step = Slider("step", "messages so far", 1, MESSAGES[figure.id], 1, next_button="Next message")
    return Panel(figure.id, figure, (step, choice), guesses)


CODE = Choice("code", "your code", {option: option for option in CODES}, RUNS, restarts="step")
STORY = Choice(
    "story", "what happens", {option: option for option in HARNESSES}, ORDER_NO_TOOL, restarts="step"
)
PATH = Choice("path", "who decides", {option: option for option in PATHS}, CHAIN, restarts="step")

WHO_DOES_WHAT = _story(
    "steps",
    "The model asks, your code acts",
    who_does_what,
    "article A, step 2; article C, section 3",
)
REFUSED = _story("refused", "The harness does not have to obey", what_is_refused, "article C, section 7")
DECIDES = _story(
    "decides", "An agent decides what comes next, a chain does not", who_decides, "article A, step 1"
)

LESSON = Lesson(
    number="01",
    title="The loop: who does what?",
    teaching=30,
    exercising=25,
    steps=(
        WHO,
        NEXT,
        _panel(
            WHO_DOES_WHAT,
            CODE,
            who=_mark(WHO, 0.25),
            next=_mark(NEXT, 0.65),
        ),
        Panel(
            "five",
            FIVE_CALLS,
            (Slider("calls", "model calls so far", 1, CALLS, 1, next_button="Next call"),),
        ),
        HIDDEN,
        DETOURED,
        FORCED,
        Play(
            "approval",
            "You have to agree",
            "approvals",
            _story("approval", "You have to agree", who_does_what, "article C, section 7"),
            approval_seat,
            beside=True,
        ),
        _panel(REFUSED, STORY),
        _panel(DECIDES, PATH),
        STOP,
        Play("model", "You are the model", "calls", MY_CALLS, model_seat, beside=True),
        Panel(
            "tokens",
            COUNTED,
            (
                TextBox("own", "a text of your own", 2_000),
                Choice("kind", "or a sample", {kind: kind for kind in SAMPLES}, PROSE, restarts="own"),
            ),
        ),
    ),
)
