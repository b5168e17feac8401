"""The runs that the articles describe by their token counts: what is stated, and what was reconstructed."""

from simlib.articles.inputs import ArticleA, ArticleC
from simlib.models.published import PublishedTrace, spread_evenly
from simlib.theory.growth import contexts_from


def first_context(given: ArticleC) -> int:
    """What both runs read before their first step: system prompt and question.

    given : what the article gives.
    Returns tokens. Raises nothing.

    >>> first_context(ArticleC())
    175
    """
    return given.system_prompt + given.question


def search_run(given: ArticleC) -> PublishedTrace:
    """Article C's run that searches: every addition is stated.

    given : what the article gives.
    Returns a PublishedTrace.
    Raises nothing.

    >>> search_run(ArticleC()).contexts
    (175, 209, 414, 560)
    """
    contexts = contexts_from(first_context(given), given.search_additions)
    return PublishedTrace("library-search", tuple(contexts.tolist()), "article C, section 3, approach 1")


def read_all_run(given: ArticleC) -> PublishedTrace:
    """Article C's run that reads everything: eight of its additions are not stated, only where they end and
    their sum.

    given : what the article gives.
    Returns a PublishedTrace, whose seven contexts between the stated ones are reconstructed in one even bend.
    Raises OutOfRange for inputs that no run can have.

    >>> read_all_run(ArticleC()).total_input
    141820
    """
    begun = contexts_from(first_context(given), given.read_all_first_additions).tolist()
    last = given.read_all_last_context
    between = given.read_all_calls - len(begun) - 1
    rest = spread_evenly(begun[-1], last, between, given.read_all_total - sum(begun) - last)
    return PublishedTrace(
        "library-read-everything",
        (*begun, *rest, last),
        "article C, section 3, approach 2",
        reconstructed=tuple(range(len(begun) + 1, given.read_all_calls)),
    )


# Article A's five calls, as it tells them. It prints no counts of single calls: the contexts of the first
# three and the outputs are chosen, plausible for these texts, so that the sum, the jump and the cost that it
# states come out; the last context is what the sum leaves.
PORT_BEGUN = 1_020, 1_150, 1_343
PORT_OUTPUTS = 55, 55, 50, 57, 80
PORT_STEPS = (
    "search 7001",
    "read the service's page",
    "search Growth",
    "read the page of team Growth",
    "answer: 6",
)


def port_run(given: ArticleA) -> PublishedTrace:
    """Article A's run on the team behind port 7001: four stated figures, and contexts that meet them.

    given : what the article gives.
    Returns a PublishedTrace, all of whose contexts are reconstructed.
    Raises OutOfRange for inputs that no run can have.

    >>> port_run(ArticleA()).contexts
    (1020, 1150, 1343, 2021, 2319)
    """
    begun = (*PORT_BEGUN, PORT_BEGUN[-1] + given.port_jump)
    contexts = (*begun, given.port_total - sum(begun))
    return PublishedTrace(
        "port-7001",
        contexts,
        "article A, step 3, five calls to answer one question",
        reconstructed=tuple(range(1, len(contexts) + 1)),
        outputs=PORT_OUTPUTS,
        warm=given.port_warm,
        steps=PORT_STEPS,
    )


# Article A states no outputs of its audit. These are chosen: for each tool call as many tokens as in the run
# above, and for the table at the end what makes the run 3.1 times cheaper with the cache than without. It is
# read as a run that finds tools and system prompt cached, as article A says that its runs did. From an empty
# cache fewer tokens, about 1,290 in all, would give the same factor.
AUDIT_STEP_OUTPUT, AUDIT_ANSWER_OUTPUT = 55, 690


def audit_run(given: ArticleA) -> PublishedTrace:
    """Article A's audit, one call a step: three contexts are stated, and the mean total of its runs.

    given : what the article gives; the last context but one is its late context.
    Returns a PublishedTrace, whose contexts between the first and the last two are reconstructed in one even
    bend, and which begins as warm as the run on port 7001.
    Raises OutOfRange for inputs that no run can have.

    >>> audit_run(ArticleA()).total_input, sum(audit_run(ArticleA()).outputs)
    (47150, 1625)
    """
    first, late, last = given.audit_first_context, given.audit_late_context, given.audit_last_context
    tools = given.audit_calls - 1
    rest = spread_evenly(first, late, tools - 2, given.audit_total - first - late - last)
    return PublishedTrace(
        "audit",
        (first, *rest, late, last),
        "article A, step 4, the audit with one call a step",
        reconstructed=tuple(range(2, tools)),
        outputs=(*[AUDIT_STEP_OUTPUT] * tools, AUDIT_ANSWER_OUTPUT),
        warm=given.port_warm,
        steps=(
            *["read the page of a service or a team"] * (tools - 1),
            "read the incident log",
            "answer: a table, and the lead whose team has most incidents",
        ),
    )
