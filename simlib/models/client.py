"""A client without a network: it refuses what the API refuses, and answers with what a fake model wants to
say.

Tokens are counted, the cache follows its provider's rules, and time passes on a clock of its own.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from itertools import count
from typing import Any

from simlib.agent.conversation import HIDDEN, Conversation
from simlib.billing.cache.anthropic import AnthropicCache
from simlib.billing.cache.policy import CachePolicy, Receipt
from simlib.billing.catalogue import Catalogue, load_catalogue
from simlib.errors import ApiError
from simlib.models.reply import Fields, message
from simlib.models.turn import Blocks, FakeModel, Turn, cut
from simlib.prompt.blocks import Block
from simlib.prompt.from_api import request_from_api
from simlib.prompt.limits import check_request
from simlib.prompt.prompt import Prompt
from simlib.prompt.request import Request
from simlib.theory.latency import Latency
from simlib.tokens.counter import Counter, block_text

DAY = date(2026, 10, 24)  # of the prices, if nobody says another one
RETRIES = 2  # as the SDK does
RETRIED = frozenset({408, 409, 429})


class FakeClient:
    """Stands where the SDK's client stands: `messages.create` and `messages.count_tokens`.

    `model` is who speaks. `catalogue` and `day` give limits, minimums and prices; `cache` is the policy,
    Anthropic's by default. `counter` counts a block's tokens. `latency` is the pace of the clock, and `pace`
    whether calls really take their time, for a class to watch. `sent` are the requests that were accepted,
    `receipts` what each of them used.
    """

    def __init__(
        self,
        model: FakeModel,
        *,
        catalogue: Catalogue | None = None,
        day: date = DAY,
        cache: CachePolicy | None = None,
        counter: Callable[[Mapping[str, Any]], int] | None = None,
        latency: Latency | None = None,
        pace: bool = False,
    ) -> None:
        self.catalogue, self.day = catalogue or load_catalogue(), day
        self.count = counter or Counter()
        self.sent: list[Request] = []
        self.receipts: list[Receipt] = []
        self._model = model
        self._cache = cache or AnthropicCache(self.catalogue, day)
        self._latency = latency or Latency()
        self._pace = pace
        self._seconds = 0.0
        self._ids = count(1)
        self._latest: tuple[dict[str, Any], Request | None] = {}, None

    @property
    def messages(self) -> "FakeClient":
        """Where the SDK has its two calls."""
        return self

    def now(self) -> float:
        """Seconds on the client's clock."""
        return self._seconds

    def wait(self, seconds: float) -> None:
        """Let time pass, as when somebody has to approve."""
        if self._pace:
            time.sleep(seconds)
        self._seconds += seconds

    def hidden_tokens(self, model: str) -> int:
        """Tokens that the provider adds to a prompt with tools, 0 where that is not known.

        What a forced choice of a tool adds on top is left out.
        """
        overhead = self.catalogue.terms(model, self.day).tool_overhead
        return overhead.automatic if overhead else 0

    def create(self, **data: Any) -> Fields:
        """A reply with the SDK's attribute names; ApiError for what the API refuses, after as many retries as
        the SDK makes of what may pass.
        """
        request, results, is_checked = self._read(data)
        if not is_checked:
            self._check(request)
        turn = self._asked(data, results)
        content = self._with_ids(turn.content, request.prompt.length)
        if turn.usage is not None:
            receipt = Receipt(f"msg_recorded_{next(self._ids)}", turn.usage, None, None)
            return self._answered(request, turn, receipt, content, turn.stop_reason)
        output, stop_reason = sum(map(self.count, content)), turn.stop_reason
        if output > request.max_tokens:
            content = cut(content, self.count, request.max_tokens)
            output, stop_reason = request.max_tokens, "max_tokens"
        begins = self._latency.base  # at the earliest: what is stored can be read when the next call comes
        receipt = self._cache.serve(request, self._seconds, output=output, first_token=begins)
        return self._answered(request, turn, receipt, content, stop_reason)

    def count_tokens(self, **data: Any) -> Fields:
        """How many input tokens a request has; nothing is sent, and nothing is paid."""
        request, _, _ = self._read({"max_tokens": 1, **data})
        return Fields({"input_tokens": request.prompt.tokens})

    def _read(self, data: Mapping[str, Any]) -> tuple[Request, list[str], bool]:
        """The request, the texts of the results that its last message brings, and whether it was checked."""
        talk = data.get("messages")
        knows = isinstance(talk, Conversation) and talk.stands_before(
            data.get("tools", []), data.get("system", [])
        )
        if isinstance(talk, Conversation) and knows:
            return self._read_rest(data, talk), _results(talk), True
        request = request_from_api(data, self.count)
        hidden = self.hidden_tokens(request.model) if data.get("tools") else 0
        return request.reading(_with_hidden(request.prompt, hidden)), _results(data["messages"]), False

    def _read_rest(self, data: Mapping[str, Any], talk: Conversation) -> Request:
        """The request of a conversation whose prompt is known. A loop sends the same settings again and
        again, which are checked once; what else can be wrong the cache refuses.
        """
        rest = {name: value for name, value in data.items() if name != "messages"}
        before, request = self._latest
        if request is not None and rest == before:
            return request.reading(talk.prompt)
        request = request_from_api(data, self.count, prompt=talk.prompt)
        self._check(request)
        self._latest = rest, request
        return request

    def _check(self, request: Request) -> None:
        check_request(request, self.catalogue.model(request.model).limits, request.version)

    def _asked(self, data: Mapping[str, Any], results: list[str]) -> Turn:
        """The model's next turn; what may pass is asked for again, and the time of waiting passes."""
        for attempt in range(RETRIES + 1):
            try:
                return self._model.next_turn(data, results)
            except ApiError as error:
                may_pass = error.status in RETRIED or error.status >= 500
                if attempt == RETRIES or not may_pass:
                    raise
                self.wait(0.5 * 2**attempt)
        raise AssertionError("unreachable")

    def _answered(
        self, request: Request, turn: Turn, receipt: Receipt, content: Blocks, stop_reason: str | None
    ) -> Fields:
        """The message, after its time has passed; a recording knows how long that was."""
        usage = receipt.usage
        fresh = usage.prompt - usage.cache_read
        worked_out = self._latency.call(fresh, usage.cache_read, usage.output)
        self.wait(worked_out if turn.seconds is None else turn.seconds)
        self.sent.append(request)
        self.receipts.append(receipt)
        if stop_reason is None:
            asks = any(block["type"] == "tool_use" for block in content)
            stop_reason = "tool_use" if asks else "end_turn"
        return message(receipt.id, request.model, content, stop_reason, usage, receipt.miss, turn.notes)

    def _with_ids(self, content: Blocks, length: int) -> Blocks:
        """The blocks, each call with an id that no other one of the conversation has, whoever answered it."""
        return [
            {"id": f"toolu_{length}_{next(self._ids)}", **block} if block["type"] == "tool_use" else block
            for block in content
        ]


def _with_hidden(prompt: Prompt, tokens: int) -> Prompt:
    """The prompt with what the provider adds behind the tools."""
    if not tokens or prompt.last is None or prompt.last.tools_end is None:
        return prompt
    tools = prompt.last.tools_end.length
    blocks = prompt.blocks()
    blocks.insert(tools, Block("tools", "tool", HIDDEN, tokens))
    longer = Prompt().extended(*blocks)
    for marker in prompt.markers:
        at = marker.prefix.length - 1
        longer = longer.marked(marker.lifetime, at if at < tools - 1 else at + 1)
    return longer


def _results(messages: Sequence[Mapping[str, Any]]) -> list[str]:
    """The texts of the results in the last message."""
    content = messages[-1].get("content") if messages else None
    blocks = content if isinstance(content, list) else []
    return [block_text(block) for block in blocks if block.get("type") == "tool_result"]
