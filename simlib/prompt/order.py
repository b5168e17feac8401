"""Which block may follow which: the API's rules for roles and for tool calls with their results.

Checked as a prompt grows, from what stands at its end, so that no check walks the whole history.
"""

from types import MappingProxyType

from simlib.errors import ApiError, BadArgument
from simlib.prompt.blocks import SECTIONS, Block
from simlib.prompt.prefix import Prefix

_ROLES = MappingProxyType(
    {
        "tool_use": "assistant",
        "server_tool_use": "assistant",
        "thinking": "assistant",
        "redacted_thinking": "assistant",
        "tool_result": "user",
    }
)


def check_follows(before: Prefix | None, block: Block) -> None:
    """Check that a block may stand after a prompt.

    before : the prompt so far, None for an empty one. block : what is to follow.
    Returns nothing.
    Raises BadArgument for a section that belongs before the last one; ApiError, as the API words it, for a
    role or a tool call in the wrong place.

    >>> check_follows(None, Block("messages", "text", "question", 18, role="user"))
    """
    if before is not None and SECTIONS.index(block.section) < SECTIONS.index(before.block.section):
        raise BadArgument("block", block.section, f"{before.block.section} or a section that comes after it")
    if not block.role:
        return  # of a bare layout, which has sizes and no messages
    is_first = before is None or before.block.section != "messages"
    if is_first and block.role != "user":
        raise ApiError.invalid('messages: first message must use the "user" role')
    _check_kind_of_role(before, block)
    open_ids = () if before is None else before.open_ids
    if block.kind == "tool_result":
        if block.id not in open_ids:
            raise ApiError.invalid(
                f"{_place(before, block)}: "
                f"unexpected `tool_use_id` found in `tool_result` blocks: {block.id}. "
                "Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
            )
    elif before is not None and open_ids and not (block.role == before.block.role == "assistant"):
        check_answered(before)
    if block.kind == "tool_use" and block.id in open_ids:
        raise ApiError.invalid(f"{_place(before, block)}: `tool_use` ids must be unique")


def check_answered(prefix: Prefix) -> None:
    """Check that every tool call has its result.

    prefix : a prompt.
    Returns nothing.
    Raises ApiError, which names the message and the calls without a result.

    >>> question = Block("messages", "text", "question", 18, role="user")
    >>> check_answered(Prefix(question, None, 1, 18, 1, b"", 0, 0, (), frozenset(), False, None, None, None))
    """
    if not prefix.open_ids:
        return
    message = prefix.message - (prefix.block.role != "assistant")
    raise ApiError.invalid(
        f"messages.{message}: `tool_use` ids were found without `tool_result` blocks immediately after: "
        f"{', '.join(prefix.open_ids)}. "
        "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
    )


def _check_kind_of_role(before: Prefix | None, block: Block) -> None:
    belongs = _ROLES.get(block.kind)
    if belongs and block.role != belongs:
        place = _place(before, block)
        raise ApiError.invalid(f"{place}: `{block.kind}` blocks can only be in `{belongs}` messages")


def _place(before: Prefix | None, block: Block) -> str:
    """Where the block would stand."""
    if before is None or before.block.section != "messages":
        return "messages.0.content.0"
    if before.block.role == block.role:
        return f"messages.{before.message}.content.{before.index + 1}"
    return f"messages.{before.message + 1}.content.0"
