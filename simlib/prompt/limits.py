"""What a model accepts, and the checks of a whole request, in the API's words."""

from dataclasses import dataclass

from simlib.errors import ApiError
from simlib.prompt.order import check_answered
from simlib.prompt.request import NEWEST_VERSION, Request

MOST_MESSAGES = 100_000

# What a model may refuse: any sampling parameter; a tool choice that forces a call; each way to ask for
# thinking; an answer that is begun for it.
REFUSALS = frozenset(
    {"sampling", "forced_tools", "thinking_enabled", "thinking_disabled", "thinking_adaptive", "prefill"}
)
FORCED = ("any", "tool")
CHOICES = ("auto", "none", *FORCED)
THOUGHTS = ("adaptive", "enabled", "disabled", "between_tools")


@dataclass(frozen=True)
class Limits:
    """What one model accepts: `window` and `max_output` in tokens, levels of effort.

    `refuses` are those of REFUSALS that it does not accept.
    """

    window: int
    max_output: int
    efforts: tuple[str, ...] = ()
    refuses: frozenset[str] = frozenset()


def check_request(request: Request, limits: Limits, version: str = "", tokens: int | None = None) -> None:
    """Check a request against the API's rules and its model's, in constant time.

    request : the request. limits : what its model accepts. version : the day of the API's version; from
    2026-10-21 on no model accepts sampling parameters. tokens : that the model reads of the prompt, all if
    None.
    Returns nothing.
    Raises ApiError as the API would.

    >>> from simlib.prompt.prompt import layout
    >>> prompt = layout([("messages", "question", 200_001, "text")], {})
    >>> check_request(Request("claude-haiku-5-5", prompt), Limits(window=1_000_000, max_output=128_000))
    """
    _check_messages(request, limits)
    _check_settings(request, limits, version)
    if request.max_tokens == 0:
        _check_filling(request)
    read = request.prompt.tokens if tokens is None else tokens
    if read > limits.window:
        raise ApiError.invalid(f"prompt is too long: {read} tokens > {limits.window} maximum")


def _check_messages(request: Request, limits: Limits) -> None:
    last = request.prompt.last
    if last is None:
        raise ApiError.invalid("messages: at least one message is required")
    if last.message >= MOST_MESSAGES:
        raise ApiError.invalid(
            f"messages: at most {MOST_MESSAGES} messages are allowed, found {last.message + 1}"
        )
    check_answered(last)
    if last.block.role == "assistant" and "prefill" in limits.refuses:
        raise ApiError.invalid(
            "This model does not support assistant message prefill. "
            "The conversation must end with a user message."
        )


def _check_settings(request: Request, limits: Limits, version: str) -> None:
    settings, refuses = request.settings, limits.refuses
    if request.sampling and ("sampling" in refuses or version >= NEWEST_VERSION):
        raise ApiError.invalid(f"{next(iter(request.sampling))}: Extra inputs are not permitted")
    for name, value, types in (
        ("tool_choice", settings.tool_choice, CHOICES),
        ("thinking", settings.thinking, THOUGHTS),
    ):
        if value is not None and value.get("type") not in types:
            raise ApiError.invalid(f"{name}.type: Input should be one of {', '.join(types)}")
    if settings.tool_choice is not None:
        last = request.prompt.last
        if not (last and last.tools_end) and not settings.web_search and not request.deferred_tools:
            raise ApiError.invalid("tool_choice: may only be specified while providing tools")
        if settings.tool_choice.get("type") in FORCED and "forced_tools" in refuses:
            raise ApiError.invalid('tool_choice: type "tool" and "any" are not supported for this model.')
    if settings.thinking is not None and f"thinking_{settings.thinking.get('type')}" in refuses:
        raise ApiError.invalid(f"thinking.type: {settings.thinking['type']} is not supported for this model.")
    if settings.effort is not None and settings.effort not in limits.efforts:
        levels = ", ".join(limits.efforts) or "none, since the model knows no effort"
        raise ApiError.invalid(f"output_config.effort: {settings.effort} is not supported; allowed: {levels}")
    if request.max_tokens < 0:
        raise ApiError.invalid("max_tokens: Input should be greater than or equal to 0")
    if request.max_tokens > limits.max_output:
        raise ApiError.invalid(
            f"max_tokens: {request.max_tokens} > {limits.max_output}, "
            f"which is the maximum allowed number of output tokens for {request.model}"
        )


def _check_filling(request: Request) -> None:
    """A request for no answer, which only fills the cache, goes with few settings."""
    settings = request.settings
    clashes = {
        "stream: true": request.stream,
        "thinking.type: enabled": (settings.thinking or {}).get("type") == "enabled",
        "output_config.format": settings.output_format is not None,
        "a tool_choice that forces a call": (settings.tool_choice or {}).get("type") in FORCED,
        "a batch": request.batch,
    }
    for name, clash in clashes.items():
        if clash:
            raise ApiError.invalid(f"max_tokens: 0 cannot be combined with {name}")
