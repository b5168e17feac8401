"""What the articles give: parameters, prices, limits and stated token counts, from which facts are computed.

Nothing here is a result, except token counts of an article's own runs that nobody can recompute.
Counts of text are tokens, prices are dollars per million tokens, times are seconds.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal


@dataclass(frozen=True)
class ArticleA:
    """The Loop, Measured: 150 runs of an agent on a small docs folder, and one long audit."""

    # The run limits and the folder (step 3); its size in files, kilobytes and tokens, its two tables in rows.
    max_steps: int = 12
    max_cost: Decimal = Decimal("0.05")
    files: int = 23
    kilobytes: int = 12
    corpus_tokens: int = 6_700
    incident_rows: int = 40
    roster_rows: int = 65

    # Step 4: lookup, multi-hop, aggregate and long questions, runs of each, and the wrong runs of the two
    # questions that were missed; the steps that called tools, and those that called several at once.
    questions_by_kind: tuple[int, ...] = (8, 8, 8, 6)
    runs_per_question: int = 5
    misses: tuple[int, ...] = (5, 2)
    tool_calling_steps: int = 380
    parallel_steps: int = 215

    # The five-call run (step 3): its input tokens, those that were cached before it, and the jump that the
    # search for "Growth" left.
    port_total: int = 7_853
    port_warm: int = 988
    port_jump: int = 678

    # The audit: its calls, how often it ran, what the article puts into the formula, and the late step that
    # it compares with the first. Of its run, the contexts of the last two calls, and the mean total (all
    # others are not stated, so that it cannot be summed up here).
    audit_calls: int = 18
    audit_runs: int = 16
    audit_late_step: int = 17
    audit_first_context: int = 1_146
    audit_growth: int = 172
    audit_late_context: int = 3_906
    audit_last_context: int = 5_327
    audit_total: int = 47_150

    # Caching: its rules on Haiku 5.5, its prices, and the experiment with caching off and on.
    cache_minimum: int = 512
    cache_lifetime: int = 300
    write_multiplier: Decimal = Decimal("1.25")
    read_multiplier: Decimal = Decimal("0.1")
    long_prompt_threshold: int = 100_000
    long_prompt_read_price: Decimal = Decimal("0.05")
    caching_questions: int = 18
    runs_with_caching_off: int = 3
    runs_with_caching_on: int = 5

    # The models, whose prices are the catalogue's of a day (the article has no date; both prices held from
    # 2026-10-07 on), a prompt that would be read from the cache, and the mean cost of the agent's runs.
    model: str = "claude-haiku-5-5"
    larger_model: str = "claude-sonnet-5-5"
    price_day: date = date(2026, 10, 24)
    pasted_tokens: int = 300_000
    mean_cost: Decimal = Decimal("0.00046")

    # Of that mean cost, the part that is output, and of the input tokens those that were read from the cache:
    # a figure rebuilds the mean run from the three, and nothing of it is compared with them.
    output_cost_share: Decimal = Decimal("0.51")
    cache_read_share: Decimal = Decimal("0.815")

    # Hidden tool prompt, automatic and the surcharge when forced; one small request either way.
    tool_overhead: int = 286
    forced_overhead: int = 120
    small_request_forced: int = 467
    small_request_automatic: int = 347

    # All experiments together in dollars, Sonnet's share of it, and the token factors that are quoted.
    spend: Decimal = Decimal("0.45")
    spend_share_sonnet: Decimal = Decimal("0.44")
    tokens_agent_against_chat: int = 4
    tokens_multi_agent_against_chat: int = 15


@dataclass(frozen=True)
class ArticleB:
    """Agentic loops, large context, and the discipline of optimization: a hypothetical refactoring agent."""

    # "Why context explodes": the stable prefix, the growth, an example of eight calls.
    first_context: int = 8_000
    growth: int = 2_200
    calls: int = 8
    read_file_result: int = 2_000
    run_tests_result: int = 1_500

    # Sonnet 4.6, and what its cache multiplies the input price by.
    input_price: Decimal = Decimal("3")
    window: int = 1_000_000
    write_5m_multiplier: Decimal = Decimal("1.25")
    write_1h_multiplier: Decimal = Decimal("2.0")
    read_multiplier: Decimal = Decimal("0.10")

    # Limits of the listings; the budget counts messages only.
    token_budget: int = 30_000
    result_cap: int = 2_000
    kept_messages: int = 6
    identical_calls: int = 3
    failures_per_tool: int = 3
    max_steps: int = 40


@dataclass(frozen=True)
class ArticleC:
    """How an AI agent works: a language model in a loop with tools, on 21 articles of a website."""

    # Sections 2 and 3: what every request begins with, and what was searched.
    system_prompt: int = 157
    question: int = 18
    texts: int = 21
    tools: int = 3
    retrieved_chunks: int = 3
    position_of_answer: int = 10

    # Section 3, the example: the two probabilities of rain.
    rain: float = 0.7
    forecast: float = 0.5

    # Section 3, the run that searches: what its three tool calls added.
    search_additions: tuple[int, ...] = (34, 205, 146)

    # Section 3, the run that reads everything: its calls, its first two additions, where it ended, and the
    # printed total (the other eight additions are not stated, so that it cannot be summed up here).
    read_all_calls: int = 11
    read_all_first_additions: tuple[int, ...] = (1_933, 3_148)
    read_all_last_context: int = 24_927
    read_all_total: int = 141_820

    # Section 6: the step with and without a check; the two qualities of step, the two lengths of task.
    p_success: float = 0.9
    p_success_better: float = 0.99
    p_detect: float = 0.9
    retries: int = 2
    steps: int = 20
    steps_longer: int = 100
    simulated_tasks: int = 20_000
    doubling_months: int = 7


@dataclass(frozen=True)
class Inputs:
    """What all three articles give."""

    a: ArticleA = ArticleA()
    b: ArticleB = ArticleB()
    c: ArticleC = ArticleC()
