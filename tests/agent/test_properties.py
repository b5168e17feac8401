"""What holds for every run, whatever the script does."""

from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from simlib.agent.guards import Guards
from simlib.agent.loop import run_agent
from simlib.agent.tool import tool
from simlib.agent.transcript import read_transcript
from simlib.billing.catalogue import load_catalogue
from simlib.models.client import FakeClient
from simlib.models.scripted import Script, ScriptEnded, call, say, think

CATALOGUE = load_catalogue()


@tool("Search.", text={"type": "string"})
def search(text):
    if "!" in text:
        raise ValueError(text)
    return f"found {text}" * (1 + len(text)) if text else ""


names = st.sampled_from(["search", "search", "search", "serch"])
arguments = st.one_of(
    st.fixed_dictionaries({"text": st.text("ab!", max_size=4)}),
    st.dictionaries(
        st.sampled_from(["text", "x"]), st.one_of(st.text("ab", max_size=3), st.integers()), max_size=2
    ),
)
asking = st.lists(st.tuples(names, arguments), min_size=1, max_size=3).map(
    lambda calls: [block for name, given in calls for block in call(name, **given)]
)
step = st.tuples(st.booleans(), st.booleans(), asking).map(
    lambda parts: think("hm") * parts[0] + say("look") * parts[1] + parts[2]
)
scripts = st.tuples(st.lists(step, max_size=8), st.booleans()).map(
    lambda parts: [*parts[0], say("the answer")] if parts[1] else parts[0]
)


def messages_of(events):
    for event in events:
        if event["event"] in ("reply", "results"):
            yield event["event"], event["content"]


@settings(max_examples=150)
@given(
    script=scripts,
    max_steps=st.integers(0, 10),
    max_cost=st.one_of(st.none(), st.decimals(0, "0.001", places=5)),
    cache=st.sampled_from([None, "5m", "1h"]),
    guards=st.sampled_from([Guards(), Guards(None, None, None)]),
)
def test_every_run(script, max_steps, max_cost, cache, guards, tmp_path_factory):
    path = tmp_path_factory.mktemp("run") / "run.jsonl"
    client = FakeClient(Script(script), catalogue=CATALOGUE)
    try:
        result = run_agent(
            "q",
            [search],
            "Rules.",
            client=client,
            max_steps=max_steps,
            max_cost=max_cost,
            cache=cache,
            guards=guards,
            transcript=path,
        )
    except ScriptEnded:
        return

    # Every call is answered exactly once in the next message, in the order asked.
    said = list(messages_of(result.events))
    for (kind, content), following in zip(said, [*said[1:], None], strict=False):
        asked = [block["id"] for block in content if block["type"] == "tool_use"]
        if kind == "reply" and asked:
            assert following is not None
            assert following[0] == "results"
            assert [block["tool_use_id"] for block in following[1]] == asked

    # The ledger is the sum of its calls, and a limit is overrun by at most the call that crosses it.
    price = CATALOGUE.price("claude-haiku-5-5", client.day)
    assert result.dollars == sum((price.dollars(receipt.usage) for receipt in client.receipts), Decimal(0))
    assert len(result.steps) == len(client.receipts) <= max_steps
    if max_cost is not None and result.steps:
        assert result.dollars - result.steps[-1].dollars < max_cost

    # The transcript that is read back is the run.
    read = read_transcript(path)
    assert read.events == result.events

    # Each prompt extends the one before, and what it reads is what that one had stored.
    for before, after in zip(client.sent, client.sent[1:], strict=False):
        assert any(link == before.prompt.last for link in after.prompt.last.back())
    assert result.total_input == sum(request.prompt.tokens for request in client.sent)
