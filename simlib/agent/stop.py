"""Why a run ended."""

from enum import StrEnum

from simlib.errors import ApiError


class StopReason(StrEnum):
    """Every end of a run: the model's own (the first three), a limit, or what went wrong."""

    END_TURN = "end_turn"
    MAX_TOKENS = "max_tokens"
    REFUSAL = "refusal"
    MAX_STEPS = "max_steps"
    MAX_COST = "max_cost"
    WINDOW_EXCEEDED = "window_exceeded"
    STUCK = "stuck"
    INTERRUPTED = "interrupted"
    API_ERROR = "api_error"


_FROM_API = {
    "end_turn": StopReason.END_TURN,
    "stop_sequence": StopReason.END_TURN,
    "max_tokens": StopReason.MAX_TOKENS,
    "refusal": StopReason.REFUSAL,
    "model_context_window_exceeded": StopReason.WINDOW_EXCEEDED,
}


def stop_of_reply(reason: str | None) -> StopReason:
    """The end of a run whose last reply asked for no tool.

    reason : the API's stop reason.
    Returns a StopReason; END_TURN for one that is not known.
    Raises nothing.

    >>> stop_of_reply("model_context_window_exceeded").value
    'window_exceeded'
    """
    return _FROM_API.get(reason or "", StopReason.END_TURN)


def api_error_of(error: Exception) -> ApiError | None:
    """An error of the API, ours or the SDK's, as ours.

    error : what a client raised.
    Returns an ApiError, None for any other error.
    Raises nothing.

    >>> api_error_of(ValueError("no")) is None
    True
    """
    if isinstance(error, ApiError):
        return error
    if not any(base.__name__ == "APIError" for base in type(error).__mro__):  # the SDK's, of any version
        return None
    status = getattr(error, "status_code", None)  # none where the API was not reached
    return ApiError(status if isinstance(status, int) else 0, type(error).__name__, str(error))
