"""Automatic prefixes in steps of 128 tokens: worked examples, lifetimes, and the models that sell what they
store.
"""

from datetime import date
from decimal import Decimal

import pytest

from simlib.billing.cache.openai import OpenAICache
from simlib.billing.catalogue import load_catalogue
from simlib.billing.usage import Usage
from simlib.errors import ApiError, BadArgument, OutOfRange
from simlib.prompt.prompt import layout
from simlib.prompt.request import Request

DAY = date(2026, 10, 24)
CATALOGUE = load_catalogue()


def request(*sizes, model="gpt-4o", markers=None, **fields):
    """A request of blocks, named by their sizes unless a name is given with one."""
    rows = [(f"b{size}", size) if isinstance(size, int) else size for size in sizes]
    prompt = layout([("messages", name, tokens, "text") for name, tokens in rows], markers or {})
    return Request(model, prompt, **fields)


def cache(**options):
    return OpenAICache(CATALOGUE, DAY, **options)


def second(first, other, seconds=60, output=0, **options):
    own = cache(**options)
    own.serve(first, 0)
    return own.serve(other, seconds, output=output)


def test_a_repeat_reads_whole_steps_and_costs_what_it_should():
    receipt = second(request(2_006), request(2_006), output=300)
    assert receipt.usage == Usage(86, cache_read=1_920, output=300)
    assert CATALOGUE.price("gpt-4o", DAY).dollars(receipt.usage) == Decimal("0.005615")
    assert receipt.miss is None


@pytest.mark.parametrize(
    ("first", "other", "read", "reason"),
    [
        (request(1_023), request(1_023), 0, "below_minimum"),
        (request(1_024), request(1_024), 1_024, None),
        (request(1_100, ("x", 3_900)), request(1_100, ("y", 3_900)), 1_024, "messages_changed"),
        (request(1_000, ("x", 4_000)), request(1_000, ("y", 4_000)), 0, "messages_changed"),
        (request(2_000), request(2_000, 500), 1_920, None),
        (request(2_000, workspace="A"), request(2_000, workspace="B"), 0, "cold"),
        (request(2_000), request(2_000, model="gpt-4.1"), 0, "model_changed"),
    ],
)
def test_what_two_prompts_share_is_read_in_steps(first, other, read, reason):
    receipt = second(first, other)
    assert receipt.usage == Usage(other.prompt.tokens - read, cache_read=read)
    assert (receipt.miss and receipt.miss.reason) == reason


def test_it_lives_while_it_is_used_and_dies_when_idle():
    own = cache()
    read = [own.serve(request(2_000), time).usage.cache_read for time in (0, 300, 600, 901, 1_000)]
    assert read == [0, 1_920, 1_920, 0, 1_920]
    receipt = second(request(2_000), request(2_000), seconds=301)
    assert (receipt.miss.reason, receipt.miss.tokens) == ("expired", 1_920)
    assert second(request(2_000), request(2_000), seconds=86_400, idle=86_400).usage.cache_read == 1_920
    assert second(request(2_000), request(2_000), seconds=1, idle=0).usage.cache_read == 0


def test_a_long_conversation_keeps_the_beginning_alive_for_others():
    own = cache()
    sizes = [2_000]
    for turn in range(10):
        own.serve(request(*sizes), 200 * turn)
        sizes.append(100 + turn)
    assert own.serve(request(2_000, ("new", 300)), 2_000).usage.cache_read == 1_920


def test_an_answer_that_has_not_begun_cannot_be_read_and_the_first_one_counts():
    own = cache()
    receipts = [own.serve(request(2_000), time, first_token=2) for time in (0, 1, 2)]
    assert [receipt.usage.cache_read for receipt in receipts] == [0, 0, 1_920]
    assert receipts[1].miss.reason == "unavailable"


def test_storing_is_free_where_it_is_not_sold_and_is_sold_later():
    free = cache().serve(request(2_006), 0).usage
    assert free == Usage(2_006)
    sold = cache()
    usages = [
        sold.serve(request(*sizes, model="gpt-5.6-sol"), time).usage
        for time, sizes in enumerate(((2_006,), (2_006, 300)))
    ]
    assert usages == [Usage(86, 1_920), Usage(2_306 - 2_304, 2_304 - 1_920, 0, 1_920)]
    price = CATALOGUE.price("gpt-5.6-sol", DAY)
    assert price.dollars(usages[1]) == (2 * 4 + 384 * 5 + 1_920 * Decimal("0.4")) / 10**6


def test_where_storing_is_sold_it_lives_half_an_hour_and_a_marker_says_how_far():
    asked = request(2_006, 3_000, model="gpt-5.6-sol", markers={0: "5m"})
    own = cache()
    usages = [own.serve(asked, time).usage for time in (0, 1_800, 3_601)]
    assert usages == [Usage(3_086, 1_920), Usage(3_086, cache_read=1_920), Usage(3_086, 1_920)]


def test_a_marker_that_moves_back_stores_nothing_and_loses_nothing():
    own = cache()
    own.serve(request(2_048, 3_072, model="gpt-5.6-sol"), 0)
    back = request(2_048, 3_072, ("new", 80), model="gpt-5.6-sol", markers={0: "5m"})
    assert own.serve(back, 1).usage == Usage(80, cache_read=5_120)


def test_a_fork_keeps_what_both_share_alive():
    own = cache()
    own.serve(request(2_048, ("a", 1_024)), 0)
    for time in (250, 500):
        own.serve(request(2_048, ("b", time)), time)
    assert own.serve(request(2_048, ("a", 1_024)), 700).usage.cache_read == 3_072


def test_markers_mean_nothing_where_nothing_is_marked():
    five = request(*range(1, 7), markers=dict.fromkeys(range(5), "5m"))
    assert cache().serve(five, 0).usage.prompt == 21


def test_a_request_that_is_not_known_is_not_found():
    receipt = second(request(2_000), request(("other", 2_000), previous="msg_9"))
    assert receipt.miss.reason == "previous_message_not_found"


def test_what_a_miss_lost_is_what_a_repeat_would_have_saved():
    receipt = second(request(2_006, model="gpt-5.6-sol"), request(2_006, model="gpt-5.6-sol"), seconds=1_801)
    price = CATALOGUE.price("gpt-5.6-sol", DAY)
    assert receipt.dollars_lost(price) == 1_920 * (5 - Decimal("0.4")) / 10**6
    free = second(request(2_006), request(2_006), seconds=301)
    assert free.dollars_lost(CATALOGUE.price("gpt-4o", DAY)) == 1_920 * Decimal("1.25") / 10**6


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: cache().serve(request(9, model="claude-haiku-5-5"), 0), BadArgument, "OpenAI's rules"),
        (lambda: second(request(9), request(9), seconds=-1), OutOfRange, "time is -1"),
        (lambda: cache(idle=-1), OutOfRange, "idle is -1"),
        (lambda: cache().serve(request(200_000), 0), ApiError, "200000 tokens > 128000 maximum"),
    ],
)
def test_bad_input_is_named(call, error, words):
    with pytest.raises(error, match=words):
        call()
