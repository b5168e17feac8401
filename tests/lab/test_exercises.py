"""The exercises: their answers against an independent key, their mistakes against their answers."""

import itertools
import json
import math
import re
from pathlib import Path

import pytest

from simlib.errors import BadArgument
from simlib.lab.acts import MODEL, TOOLS
from simlib.lab.lessons.all import LESSONS
from simlib.lab.lessons.ledger import wrong_ledger
from simlib.lab.lessons.reliability import STEP, TWENTY
from simlib.lab.lessons.square import EIGHT, FAR, TOTALS
from simlib.lab.marking import judge
from simlib.lab.stories import calls_if_search_returns, who_does_what

KEY = json.loads(
    (Path(__file__).parent.parent / "data" / "classroom_answers.json").read_text(encoding="utf-8")
)
EXERCISES = [
    pytest.param(exercise, id=f"{number} {exercise.id}")
    for number, lesson in LESSONS.items()
    for exercise in lesson.exercises
]


def answers(lesson, name):
    return LESSONS[lesson].exercise(name).answers


def half_a_digit(printed):
    """How far a number may be from one that is printed with so many digits."""
    return 0.5000001 * 10.0 ** -len(str(printed).partition(".")[2])


KEYED = [
    ("00", "costliest", [len(KEY["trace_ctx"])]),
    ("00", "bill", [KEY["trace_total"]]),
    ("00", "three", [sum(KEY["trace_ctx"][:3])]),
    ("01", "hidden", [KEY["tools_overhead_5calls"], 18.2]),
    ("01", "detour", [KEY["detour_carried"], 17.3]),
    ("01", "forced", [KEY["forced_tool_extra"]]),
    ("02", "eight", [KEY["B_Z8"]]),
    ("02", "totals", [KEY["B_Z16"], KEY["B_Z32"], KEY["B_Z64"]]),
    ("02", "crossing", [KEY["B_quad>lin_from_K"], KEY["A_quad>lin_from_K"], KEY["C_quad>lin_from_K"]]),
    ("02", "placed", KEY["early_vs_late_5000tok"]),
    ("03", "share", [0.51]),
    ("03", "written", [KEY["A_out_tokens_per_run"], min(KEY["A_out_tokens_per_step"])]),
    ("03", "read_in", [KEY["A_in_tokens_per_run"], min(KEY["A_mean_ctx"])]),
    ("03", "uncached", [KEY["A_nocache_pred_$"]]),
    ("03", "sonnet", [59, KEY["A_sonnet_spend_$"]]),
    ("04", "timestamp", [0.471]),
    ("04", "uses", [KEY["breakeven_uses_5m"], KEY["breakeven_uses_1h"]]),
    ("04", "places", [KEY[f"B8_{way}"] for way in ("prefix_only", "rolling_5m", "rolling_1h")]),
    ("04", "late", [KEY["B8_rolling_5m_miss@6"], 6]),
    ("04", "factor", [KEY["A18_input_only_factor"], KEY["A18_implied_output_tok"]]),
    ("04", "short", [KEY["C_search_cached_min512"], KEY["C_ratio_both_cached"]]),
    ("08", "twenty", [KEY[".9^20"]]),
    ("08", "step", [KEY["q(.9,.9,2)"], KEY["E[attempts]"]]),
    ("08", "retrying", [*KEY["q^20 r=0..5"][1::2], KEY["q r=0..5"][5]]),
    ("08", "detecting", [KEY["q^20 by d (r=2)"][d] for d in ("0.25", "0.5", "0.75", "1")]),
    ("08", "needed", [KEY["d_needed_50steps_50%"]]),
]


@pytest.mark.parametrize(("lesson", "name", "key"), KEYED)
def test_answers_equal_the_key(lesson, name, key):
    found = answers(lesson, name)
    assert len(found) == len(key)
    for ours, printed in zip(found, key, strict=True):
        assert abs(ours - printed) <= half_a_digit(printed), (ours, printed)


def test_no_exercise_is_without_a_key():
    elsewhere = {("02", "ratios"), ("02", "far"), ("08", "sure")}  # tests of their own, below
    elsewhere |= {("01", "who"), ("01", "next"), ("01", "stop"), ("03", "audit")}
    compared = {(lesson, name) for lesson, name, _ in KEYED} | elsewhere
    assert compared == {(number, e.id) for number, lesson in LESSONS.items() for e in lesson.exercises}


def test_ratios_are_quotients_of_the_keys_totals():
    totals = [KEY[f"B_Z{calls}"] for calls in (8, 16, 32, 64)]
    quotients = [after / before for before, after in itertools.pairwise(totals)]
    assert answers("02", "ratios") == pytest.approx(quotients)
    assert [round(ratio, 2) for ratio in quotients] == [3.12, 3.44, 3.67]


def test_how_far_it_reaches():
    dollar, window, tokens, dollars = answers("02", "far")
    assert dollar == KEY["B_maxsteps_$1"]
    assert window == KEY["B_steps_to_fill_1M"]
    read = sum(8_000 + 2_200 * step for step in range(KEY["B_steps_to_fill_1M"]))
    assert tokens == read
    assert round(tokens / 1e6, 1) == 226.9
    assert dollars == pytest.approx(read * 3 / 1e6)
    assert round(dollars) == 681


def test_the_recorded_run_answers_the_guesses_of_01():
    """Who runs a search, and what the model asks for after the second one: read off the run itself."""
    acts = who_does_what(99).acts
    who, asked = LESSONS["01"].exercise("who"), LESSONS["01"].exercise("next")
    (runs_it,) = {act.sender for act in acts if act.receiver == TOOLS}
    assert runs_it in who.named(who.answers[0])
    following = next(act.text for act in acts[9:] if act.sender == MODEL)
    assert following.startswith("please run read(text='information', start=")
    assert asked.named(asked.answers[0]) == "the text from one of the places on"


def test_both_ways_to_count_steps_are_right():
    """2,059 with 3.5 steps a run, 2,040 with the 530 of 150 runs; 133 or 134 tokens a step."""
    for lesson_answer in (["7,207", KEY["A_mean_ctx"][1]], ["7207", KEY["A_mean_ctx"][0]]):
        assert judge(LESSONS["03"].exercise("read_in"), lesson_answer).right
    for each in KEY["A_out_tokens_per_step"]:
        assert judge(LESSONS["03"].exercise("written"), [469, each]).right


def test_the_time_in_the_first_line_costs_a_quarter_more_than_no_cache():
    assert KEY["B8_timestamp_in_prompt"] * 3 / 1e6 == pytest.approx(answers("04", "timestamp")[0])
    assert KEY["B8_timestamp_in_prompt"] / KEY["B8_nocache"] == 1.25


def test_a_miss_at_call_6_is_the_first_that_costs_more_than_the_hour():
    dearer = [call for call in range(2, 9) if KEY[f"B8_rolling_5m_miss@{call}"] > KEY["B8_rolling_1h"]]
    assert answers("04", "late")[1] == dearer[0]


def test_one_line_of_the_ledger_is_wrong():
    """Added up by hand from the prices of the day, in millionths of a dollar."""
    due = [u.cache_write_5m * 0.125 + u.cache_read * 0.01 + u.output * 0.5 for _, u, _ in wrong_ledger()]
    too_much = [float(paid) * 1e6 - right for (_, _, paid), right in zip(wrong_ledger(), due, strict=True)]
    call, amount = answers("03", "audit")
    assert [round(each, 6) == 0 for each in too_much] == [True, True, True, False, True]
    assert (call, amount) == (4, pytest.approx(too_much[3]))


def test_no_result_of_the_search_brings_fewer_calls():
    (least,) = answers("01", "stop")
    texts = ("nothing found", "information:1035: …", "closed", "", "no", "information: 5", "x:y: z")
    calls = [calls_if_search_returns(text) for text in texts]
    assert min(calls) == least == 2
    assert max(calls) == 3


def test_how_sure_a_class_is():
    error, tasks, away = answers("08", "sure")
    exact = KEY["q^20"]
    assert round(error, 4) == 0.0029
    assert min(KEY["tasks_for_±1pt_95%"]) <= tasks <= max(KEY["tasks_for_±1pt_95%"])
    assert away == pytest.approx((0.7852 - exact) / math.sqrt(exact * (1 - exact) / 20_000), abs=0.02)
    assert round(away, 1) == -1.7
    verdict = judge(LESSONS["08"].exercise("sure"), ["0.0029", "6,374", "-1.7"])
    assert verdict.right, verdict


@pytest.mark.parametrize(
    ("exercise", "typed", "said"),
    [
        (EIGHT, KEY["W_B8_k(k+1)/2"], "before the first call"),
        (EIGHT, KEY["W_B8_k2/2"], "the first call has none"),
        (EIGHT, KEY["W_B8_linear"], "read the same"),
        (EIGHT, KEY["W_B8_final_only"], "final transcript"),
        (EIGHT, KEY["W_B8_final_25600"], "final transcript"),
        (TWENTY, 0.9, "one step"),
        (TWENTY, f"{KEY['W_linear_fail']:.0%}", "below zero"),
    ],
)
def test_known_mistakes_are_recognised(exercise, typed, said):
    verdict = judge(exercise, [typed])
    assert not verdict.right
    assert said in str(verdict)


@pytest.mark.parametrize(
    ("typed", "said"),
    [(KEY["W_q_one_retry_always_works"], "always worked"), (0.981, "one retry"), (KEY["W_pvq"], "noticed")],
)
def test_known_mistakes_about_one_step(typed, said):
    assert said in judge(STEP, [typed, 1.0981]).lines[0]


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_answer_is_right_and_every_mistake_wrong(exercise):
    assert judge(exercise, exercise.answers).right
    for mistake in exercise.mistakes:
        wrongs = exercise.wrong_answers(mistake)
        assert len(wrongs) == len(exercise.parts), mistake.diagnosis
        given = [
            right if math.isnan(wrong) else wrong
            for wrong, right in zip(wrongs, exercise.answers, strict=True)
        ]
        assert not judge(exercise, given).right, mistake.diagnosis


@pytest.mark.parametrize("exercise", EXERCISES)
def test_exercises_are_whole(exercise):
    assert len(exercise.hints) == 3
    assert all(hint.strip() for hint in exercise.hints)
    assert exercise.mistakes, "no known mistake"
    assert exercise.solution
    assert len(set(exercise.parts)) == len(exercise.parts)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_prompt_gives_no_answer_away(exercise):
    for right in exercise.answers:
        if abs(right) >= 100 or right != int(right):
            for shown in (f"{right:,.0f}", f"{right:.3f}", f"{right:.4g}"):
                assert shown not in exercise.prompt or len(shown) < 3


def test_a_part_is_judged_on_its_own_and_nothing_is_half_passed():
    verdict = judge(TOTALS, ["392,000", "128,000", ""])
    assert verdict.lines[0] == "16 calls: Correct."
    assert "Not yet" in verdict.lines[1]
    assert verdict.lines[2] == "64 calls: No answer yet."
    assert not verdict.right
    assert not any("All" in line for line in verdict.lines)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("12560000", "per cent"),
        ("125.6", "thousands"),
        ("126,900", "Near, but"),
        ("1", "too small"),
        ("9e9", "too large"),
        ("-125600", "sign"),
        ("lots", "allowed: a number such as"),
    ],
)
def test_other_wrong_answers_get_a_reason_too(typed, said):
    assert said in str(judge(EIGHT, [typed]))


@pytest.mark.parametrize(
    ("typed", "right"),
    [("12", True), ("12 %", True), ("0.12", True), ("12.2%", True), ("1", False), ("150%", False)],
)
def test_per_cent_are_understood_either_way(typed, right):
    assert judge(TWENTY, [typed]).right is right


def test_the_number_of_answers_has_to_fit():
    with pytest.raises(BadArgument, match="answers is 1; allowed: one for each part: 3"):
        judge(TOTALS, [392_000])


def test_whole_numbers_are_asked_for_where_only_they_can_be_right():
    assert "A whole number is wanted" in judge(FAR, [14.2, 451, 226.9e6, 681]).lines[0]


def test_both_counts_around_the_window_are_told_apart():
    assert judge(FAR, [14, 451, "226.9 million", "$681"]).right
    assert "One more fits" in str(judge(FAR, [14, 450, 226.9e6, 681]))
    assert "too long" in str(judge(FAR, [14, 452, 226.9e6, 681]))
    assert "millions" in str(judge(FAR, [14, 451, 226.9, 681]))


@pytest.mark.parametrize(
    ("lesson", "name", "part", "typed", "said"),
    [
        ("00", "costliest", 0, 1, "the first"),
        ("00", "costliest", 0, 9, "no peak"),
        ("00", "bill", 0, 20_628, "no growth"),
        ("00", "bill", 0, 5_327, "last call alone"),
        ("00", "three", 0, 1_445, "call 3 reads alone"),
        ("00", "three", 0, 3_438, "three times the first"),
        ("02", "totals", 0, 427_200, "before the first call"),
        ("02", "totals", 1, 1_382_400, "K²/2"),
        ("02", "totals", 2, 512_000, "read the same"),
        ("02", "totals", 0, 41_000, "final transcript"),
        ("02", "totals", 0, 43_200, "final transcript"),
        ("02", "ratios", 1, 4, "fourfold"),
        ("02", "ratios", 2, 2, "grows with the square"),
        ("02", "crossing", 0, 8, "One call too early"),
        ("02", "crossing", 1, 14, "One call too early"),
        ("02", "crossing", 0, 5, "one request"),
        ("02", "crossing", 1, 8, "one request"),
        ("02", "placed", 0, 85_000, "too many"),
        ("02", "placed", 1, 5_000, "too few"),
        ("02", "placed", 0, 75_000, "too few"),
        ("02", "placed", 1, 90_000, "calls before it do not"),
        ("02", "placed", 0, 5_000, "not once"),
        ("02", "far", 0, 15, "a few cents more"),
        ("02", "far", 0, 41, "leaves out the growth"),
        ("02", "far", 0, 21, "in proportion"),
        ("02", "far", 1, 454, "first context"),
        ("02", "far", 2, 1_000_000, "last request alone"),
        ("02", "far", 3, 3, "last request alone"),
        ("08", "step", 0, 0.99, "always worked"),
        ("08", "step", 0, 0.981, "one retry"),
        ("08", "step", 1, 1.09, "one retry"),
        ("08", "step", 0, 0.81, "noticed"),
        ("08", "step", 1, 3, "most attempts"),
        ("08", "step", 0, 0.999, "sees every failure"),
        ("08", "step", 0, 0.98901, "without end"),
        ("08", "step", 1, 1.1, "every failed attempt"),
        ("08", "retrying", 0, 0.981, "one step"),
        ("08", "retrying", 1, 0.998, "sees everything"),
        ("08", "retrying", 3, 1, "remain"),
        ("08", "detecting", 1, 0.323, "one retry"),
        ("08", "detecting", 2, 0.578, "without end"),
        ("08", "detecting", 3, 0.999, "one step"),
        ("08", "needed", 0, 0.986, "q that the steps need"),
        ("08", "needed", 0, 0.958, "one retry"),
        ("08", "sure", 0, 0.0071, "worst case"),
        ("08", "sure", 1, 9_604, "worst case"),
        ("08", "sure", 1, 1_658, "1.96"),
        ("08", "sure", 2, 1.7, "minus"),
    ],
)
def test_every_mistake_is_recognised_by_its_number(lesson, name, part, typed, said):
    """The numbers are worked out by hand, not by the code under test."""
    assert said in LESSONS[lesson].exercise(name).diagnosis(part, typed)


def test_the_first_lines_of_the_sums_are_those_of_the_runs():
    def first_numbers(lesson, name):
        hint = LESSONS[lesson].exercise(name).hints[2]
        return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", hint)]

    assert first_numbers("00", "bill") == KEY["trace_ctx"][:3]
    assert first_numbers("00", "three") == KEY["trace_ctx"][:2]
    assert first_numbers("02", "eight") == [8_000, 10_200, 12_400]
    assert first_numbers("02", "placed") == [5_000, 18, 2]
    assert "333,333" in LESSONS["02"].exercise("far").hints[1]


def test_solutions_say_each_number_in_its_place():
    solutions = {e.id: e.solution for lesson in LESSONS.values() for e in lesson.exercises}
    assert "64,000 + 61,600 = 125,600 tokens, or $0.3768" in solutions["eight"]
    assert solutions["far"].startswith(
        "14 calls for a dollar; 451 calls fit the window, 226,853,000 tokens for $681"
    )
    assert solutions["sure"].startswith("0.0029; 6,371 tasks; -1.7 standard errors")
    assert solutions["twenty"].startswith("About 12.2%: 0.9 to the power of 20")
    assert solutions["step"].startswith("q = 0.98829, with 1.0981 attempts")


def test_near_is_three_per_cent_and_no_more():
    assert "Near" in str(judge(EIGHT, [125_600 * 1.029]))
    assert "too large" in str(judge(EIGHT, [125_600 * 1.031]))
