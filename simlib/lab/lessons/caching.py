"""Lesson 04: caching, and when 90% off is not 90% off."""

from simlib.articles.figures.tier_cliff import CACHED, PROMPTS, TIER_CLIFF
from simlib.articles.inputs import ArticleA
from simlib.billing.forecast import changing_first_line, moving_marker, prefix_only, run_dollars
from simlib.billing.payback import break_even_uses
from simlib.lab.cached_runs import (
    CALLS,
    FIRST,
    GROWTH,
    RUN,
    audit_factor,
    audit_output,
    base_tokens,
    cached_search,
    first_dear_miss,
    ratio_both_cached,
    sonnet,
)
from simlib.lab.controls import Choice, Slider
from simlib.lab.exercise import Exercise, Mistake
from simlib.lab.figures.cache_ways import BROKEN, CACHE_WAYS, CacheWays
from simlib.lab.figures.observed_lifetimes import OBSERVED_LIFETIMES
from simlib.lab.figures.tool_minutes import TOOL_MINUTES
from simlib.lab.figures.window_costs import WINDOW_COSTS
from simlib.lab.lesson import Lesson
from simlib.lab.misses import CAUSES, WHAT_WAS_READ, why_did_it_miss
from simlib.lab.panel import Mark, Panel
from simlib.lab.scene import Play
from simlib.theory.growth import total_input

READ = int(total_input(*RUN))
MISS = 6  # the call that finds nothing


TIMESTAMP = Exercise(
    id="timestamp",
    kind="predict",
    prompt=f"The input of article B's {CALLS} calls costs $0.3768 without a cache. Now all is marked to be "
    "cached, but the first line of the system text says what time it is. What does the input cost? In "
    "dollars.",
    unit="dollars",
    answer=lambda: float(run_dollars(changing_first_line, *RUN, sonnet())),
    possible=(0, 100),
    hints=(
        "A cache compares from the beginning. Where does the first difference stand?",
        "Nothing is ever read again, and everything is stored anew.",
        "Storing costs 1.25 times the price of input.",
    ),
    explanation="${0:.4f}: a quarter more than without a cache. Every call stores everything, at 1.25 times "
    "the price, and nobody ever reads it.",
    mistakes=(
        Mistake(
            lambda: run_dollars(moving_marker, *RUN, sonnet()),
            "That is with a first line that stays. The cache compares from the first letter on.",
        ),
        Mistake(lambda: 0.3768, "As if a cache that is not hit cost nothing: storing does."),
        Mistake(lambda: 0.03768, "A tenth is the price of what is read from the cache; here nothing is."),
    ),
)

USES = Exercise(
    id="uses",
    kind="compute",
    prompt="Storing a prefix costs 1.25 times fresh input (for five minutes) or 2 times (for an hour), "
    "reading it 0.1 times. From how many uses on, the first one included, is that cheaper than no cache?",
    unit="uses",
    parts=("five minutes", "one hour"),
    answer=lambda: (break_even_uses(1.25), break_even_uses(2)),
    absolute=0,
    hints=(
        "The first use stores, each later one reads.",
        "write + (uses - 1) x 0.1 against uses x 1",
        "Two uses: 1.25 + 0.1 against ...",
    ),
    explanation="{0:.0f} and {1:.0f} uses: 1.35 against 2, and 2.2 against 3.",
    mistakes=(
        Mistake(lambda: (1, 1), "One use only stores: 1.25 or 2 against 1."),
        Mistake(lambda: (3, 4), "The first use counts: it stores and is served at once."),
    ),
)

PLACES = Exercise(
    id="places",
    kind="compute",
    prompt=f"Article B, {CALLS} calls: {FIRST:,} tokens at first, {GROWTH:,} more a step, {READ:,} read in "
    "all. How many tokens of fresh input cost as much, if only the first part is stored, if the marker "
    "moves along, and if it moves and stores for an hour?",
    unit="tokens of fresh input",
    parts=("first part only", "marker moves", "moves, one hour"),
    answer=lambda: (
        base_tokens(prefix_only(*RUN)),
        base_tokens(moving_marker(*RUN)),
        base_tokens(moving_marker(*RUN, lifetime="1h")),
    ),
    hints=(
        "Which tokens are stored, which are read again, which are fresh?",
        "1.25 or 2 x stored + 0.1 x read again + 1 x fresh",
        f"First part: {FIRST:,} x 1.25 + 7 x {FIRST:,} x 0.1 + ...",
    ),
    explanation="{0:,.0f}, {1:,.0f} and {2:,.0f}: 39%, 69% and 55% less than {READ:,}.".replace(
        "{READ:,}", f"{READ:,}"
    ),
    mistakes=(
        Mistake(lambda: [READ / 10] * 3, "A tenth of everything: but storing costs more than reading fresh."),
        Mistake(lambda: [READ * 1.25] * 3, "That stores everything at every call, and reads nothing."),
    ),
)

LATE = Exercise(
    id="late",
    kind="compute",
    prompt=f"The same run, its marker moving: at call {MISS} a tool has taken six minutes, and everything "
    "has to be stored anew. How many tokens of fresh input cost as much? And which is the first call at "
    "which such a miss makes five minutes dearer than an hour without a miss?",
    unit="",
    parts=("tokens of fresh input", "call"),
    answer=lambda: (base_tokens(moving_marker(*RUN, miss_at=MISS)), first_dear_miss()),
    absolute=(None, 0),
    hints=(
        "What was read at a tenth is stored at 1.25 instead.",
        "A miss costs 1.15 times the context that the call before sent.",
        f"{FIRST + (MISS - 2) * GROWTH:,} x 1.15 + ...",
    ),
    explanation="{0:,.0f} tokens; call {1:.0f}. The later a miss, the more has to be stored again.",
    mistakes=(
        Mistake(
            lambda: base_tokens(moving_marker(*RUN, miss_at=MISS - 1)), "That is a miss one call earlier.", 0
        ),
        Mistake(
            lambda: MISS - 1,
            "There five minutes are still cheaper, by a little. (Tool 5 is the one before call 6.)",
            1,
        ),
    ),
)

FACTOR = Exercise(
    id="factor",
    kind="compute",
    prompt="Article A's audit reads 47,150 tokens in 18 calls, 5,327 of them in the last. By which factor "
    "does a marker that moves along make its input cheaper, from an empty cache? The article measured 3.1 "
    "for the whole run: how many tokens of output, at five times the price of input, explain that?",
    unit="",
    parts=("times", "tokens of output"),
    answer=lambda: (audit_factor(), audit_output()),
    absolute=(0.05, 15),
    hints=(
        "Stored is what the last call sent, once; read is the rest.",
        "factor = 47,150 / (1.25 x 5,327 + 0.1 x (47,150 - 5,327))",
        "(47,150 + 5x) / (10,841 + 5x) = 3.1",
    ),
    explanation="{0:.2f} for the input alone; {1:,.0f} tokens of output, 72 a step, bring it down to 3.1. "
    "(If the first 988 tokens were stored already, it takes 1,625.) Not ten: a tenth is the price of a "
    "part.",
    mistakes=(
        Mistake(lambda: 10, "A tenth is what is read again; storing is paid for as well.", 0),
        Mistake(lambda: 3.1, "That is the whole run, output included.", 0),
    ),
)

SHORT = Exercise(
    id="short",
    kind="compute",
    prompt="Article C's run that searches reads 175, 209, 414 and 560 tokens, and a cache stores nothing "
    "below 512. How many tokens of fresh input does it cost with a cache? Uncached, the run that reads "
    "everything (175 at its first call, 24,927 at its last, 141,820 in all) costs 104 times as much: how "
    "many times is it, if both are cached?",
    unit="",
    parts=("tokens of fresh input", "times"),
    answer=lambda: (cached_search(ArticleA.cache_minimum), ratio_both_cached()),
    absolute=(None, 0.5),
    hints=(
        "Which of the four calls is long enough to be stored? Does anybody read it?",
        "Three calls are fresh, the last one is stored at 1.25.",
        "175 + 209 + 414 + 560 x ...; and for the other run 175 + 1.25 x 24,927 + 0.1 x ...",
    ),
    explanation="{0:,.0f} tokens against 1,358: caching a short run costs a tenth more. And of the 104 "
    "times {1:.1f} are left, since the long run gains most.",
    mistakes=(
        Mistake(lambda: 1_358, "That is without a cache. The last call is long enough to be stored.", 0),
        Mistake(lambda: cached_search(), "What is too short is not stored, and nobody says so.", 0),
        Mistake(
            lambda: ratio_both_cached(1_024),
            "That is with a minimum of 1,024: the short run is not stored.",
            1,
        ),
    ),
)


def _guess(shown: CacheWays, guess: float) -> Mark | None:
    if shown.calls != CALLS or abs(float(shown.dollars[BROKEN][-1]) - TIMESTAMP.answers[0]) > 1e-9:
        return None  # about another run
    return Mark(CALLS, guess, f"your guess: ${guess:.4g}")


LESSON = Lesson(
    number="04",
    title="Caching: when 90% off is not 90% off",
    teaching=30,
    exercising=30,
    steps=(
        TIMESTAMP,
        Panel(
            "ways",
            CACHE_WAYS,
            (
                Slider("calls", "model calls", 1, 40, CALLS),
                Slider("first_context", "first context (tokens)", 0, 20_000, FIRST, step=500),
                Slider("growth", "growth (tokens a step)", 0, 6_000, GROWTH, step=100),
            ),
            guesses={TIMESTAMP.id: _guess},
        ),
        USES,
        PLACES,
        Panel(
            "minutes",
            TOOL_MINUTES,
            (
                Slider("longest", "longest shown (minutes)", 2, 90, 10),
                Slider("slow", "slow tool (0 for all)", 0, CALLS - 1, 0),
            ),
        ),
        LATE,
        Panel(
            "seen",
            OBSERVED_LIFETIMES,
            (Choice("lifetime", "stored for", {"five minutes": "5m", "one hour": "1h"}, "5m"),),
        ),
        Play(
            "misses",
            "Why did it miss?",
            "options",
            WHAT_WAS_READ,
            why_did_it_miss,
            beside=True,
            options=tuple(CAUSES),
        ),
        FACTOR,
        SHORT,
        Panel(
            "tier",
            TIER_CLIFF,
            (
                Slider("longest", "longest prompt (tokens)", 50_000, 400_000, 300_000, step=10_000),
                Choice("prompt", "read", {each: each for each in PROMPTS}, CACHED),
            ),
        ),
        Panel(
            "window",
            WINDOW_COSTS,
            (
                Slider("tokens", "tokens in the prompt", 1_000, 200_000, 100_000, step=1_000),
                Slider("cached", "share from the cache", 0.0, 1.0, 0.0, step=0.05),
                Slider("lost_per_doubling", "facts lost at each doubling", 0.0, 0.1, 0.035, step=0.005),
            ),
        ),
    ),
)
