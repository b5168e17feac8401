"""A student at the desk: guesses, tries, hints, answers, and cells run in the wrong order."""

import re
from decimal import Decimal

import pytest

from simlib.errors import BadArgument, OutOfRange, UnknownName
from simlib.lab.desk import open_lesson
from simlib.lab.forms import Form
from simlib.lab.lessons.all import LESSONS
from simlib.lab.widgets import PanelWidget
from simlib.theory.growth import total_input

PANELS = {panel.id for panel in LESSONS["02"].panels}


@pytest.fixture
def lab(tmp_path):
    return open_lesson("02", tmp_path)


def press(form, button):
    form.buttons[button].click()
    return (form.help if button in ("Hint", "Reveal") else form.reply).value


def test_a_wrong_answer_gets_its_reason_and_a_right_one_its_praise(lab):
    form = lab.check("totals")
    for box, text in zip(form.boxes, ["427,200", "1,417,600", "5,088,000"], strict=True):
        box.value = text
    assert "before the first call" in press(form, "Check")
    for box, text in zip(form.boxes, ["392,000", "1,347,200", "4947200"], strict=True):
        box.value = text
    assert "All parts are correct" in press(form, "Check")
    assert "totals: solved after 2 tries" in str(lab.progress())


def test_three_hints_come_one_by_one(lab):
    form = lab.check("totals")
    for taken in (1, 2, 3, 3):
        shown = press(form, "Hint")
        assert len(re.findall(r"Hint \d of 3", shown)) == taken


def test_reveal_needs_two_tries(lab):
    assert "First try twice" in str(lab.reveal("totals"))
    lab.check("totals", 1, 2, 3)
    assert "First try one more time" in str(lab.reveal("totals"))
    assert "392,000" not in str(lab.reveal("totals"))
    lab.check("totals", 2, 2, 3)
    assert "392,000" in str(lab.reveal("totals"))


def test_reveal_needs_a_prediction(lab):
    assert str(lab.reveal("eight")).startswith("First make your guess")
    lab.predict("eight", "64,000")
    said = str(lab.reveal("eight"))
    assert "You guessed 64,000" in said
    assert "every call read the same" in said
    assert "125,600" in said


def test_a_guess_is_drawn_on_the_picture_that_is_already_there(lab):
    panel = lab.panel("staircase")
    assert "your guess" not in panel.picture.value
    form = lab.predict("eight")
    form.boxes[0].value = "64,000"
    assert "Kept: 64,000" in press(form, "Keep my guess")
    assert "your guess: 64,000" in panel.picture.value
    assert "64,000" in lab.predict("eight").boxes[0].value


def test_guesses_and_answers_survive_a_restart(lab, tmp_path):
    lab.predict("eight", 64_000)
    lab.check("totals", "1", "2", "3")
    again = open_lesson("02", tmp_path)
    assert "your guess: 64,000" in again.panel("staircase").picture.value
    assert [box.value for box in again.check("totals").boxes] == ["1", "2", "3"]
    assert "predicted 64,000" in str(again.progress())


def test_a_number_that_is_none_is_no_guess(lab):
    assert "your guess is 'lots'" in str(lab.predict("eight", "lots"))
    assert lab.memory.prediction("eight") is None


def test_dots_in_place_of_an_answer_are_no_answer(lab):
    assert isinstance(lab.check("totals", ...), Form)
    assert lab.memory.tries("totals") == []


def test_running_a_panel_cell_again_gives_the_same_panel_afresh(lab):
    """Others shipped a chain of figures (ipywidgets issue 136)."""
    first = lab.panel("staircase")
    first.set(calls=20)
    second = lab.panel("staircase")
    assert second is first
    assert second.values["calls"] == 8


def test_the_same_panel_with_other_values_stands_beside_it(lab):
    assert lab.panel("staircase", calls=4) is not lab.panel("staircase")
    assert lab.panel("staircase", calls=4).values["calls"] == 4


def test_pictures_have_alternative_text_and_words(lab):
    picture = lab.picture("staircase", calls=16)
    html = picture._repr_html_()
    (alternative,) = re.findall(r'<img alt="([^"]+)"', html)
    assert "392,000" in alternative
    assert alternative == str(picture)
    assert html.count(alternative) == 2


def test_dollars_in_words_are_no_formula(lab):
    html = lab.picture("dollars")._repr_html_()
    outside_attributes = re.sub(r'="[^"]*"', "", html)
    assert "<span>$</span>6.11" in outside_attributes
    assert not re.search(r"(?<!<span>)\$", outside_attributes)


def test_tables_facts_and_styles(lab):
    assert "125600" in str(lab.table("staircase"))
    assert "published 1,358, ours 1,358" in str(lab.facts("C.search.Z"))
    panel = lab.panel("staircase")
    small = panel.picture.value
    lab.style("projector")
    assert "font-size: 17.6px" in panel.picture.value
    assert "simlib-large" in panel._dom_classes
    assert "simlib-large" in lab.check("totals")._dom_classes
    assert 'class="simlib-large"' in lab.picture("staircase")._repr_html_()
    lab.style("screen")
    assert "simlib-large" not in panel._dom_classes
    assert "simlib-large" not in lab.check("totals")._dom_classes
    assert panel.picture.value == small


def test_cells_out_of_order_are_noticed(lab):
    assert "Not run since the kernel started: eight, staircase" in lab.check("totals").reply.value
    assert "Not run since the kernel started" in str(lab.check("ratios", 3, 3, 3))
    assert "Restart Kernel" in str(lab.state_ok())


def test_the_right_order_is_all_right(lab):
    for step in lab.lesson.order:
        if step in PANELS:
            assert isinstance(lab.panel(step), PanelWidget)
        elif lab.lesson.exercise(step).kind == "predict":
            assert lab.predict(step).reply.value == ""
        else:
            assert lab.check(step).reply.value == ""
    assert str(lab.state_ok()) == "All right: every guess, panel and exercise ran, in order."
    lab.check("totals")
    assert str(lab.state_ok()).startswith("All right"), "going back is no mistake"


def test_another_order_is_not(lab):
    for step in reversed(lab.lesson.order):
        if step not in PANELS:
            lab.check(step)
        else:
            lab.panel(step)
    assert "another order" in str(lab.state_ok())


@pytest.mark.parametrize(
    "call", ["panel", "picture", "table", "predict", "check", "hint", "reveal", "facts", "style"]
)
def test_names_that_do_not_exist_offer_the_nearest(lab, call):
    with pytest.raises(UnknownName, match="nearest"):
        getattr(lab, call)("staircse")


def test_answers_may_come_as_one_list_or_array(lab):
    totals = total_input([16, 32, 64], 8_000, 2_200)
    for given in (totals, list(totals), tuple(totals)):
        assert "All parts are correct" in str(lab.check("totals", given))
    assert "All parts are correct" in str(lab.check("totals", *map(Decimal, totals.tolist())))


def test_too_few_answers_are_named(lab):
    with pytest.raises(BadArgument, match="answers is 1; allowed: one for each part: 3"):
        lab.check("totals", 392_000)


@pytest.mark.parametrize(("lesson", "name", "typed"), [
    ("00", "costliest", "25"), ("00", "costliest", "3.7"), ("00", "costliest", "-3"), ("00", "bill", "-1"),
    ("08", "twenty", "300%"), ("08", "twenty", "-5"), ("08", "twenty", "1,098"),
])  # fmt: skip
def test_what_cannot_be_is_asked_for_again(tmp_path, lesson, name, typed):
    lab = open_lesson(lesson, tmp_path)
    assert "your guess is" in str(lab.predict(name, typed))
    assert lab.memory.prediction(name) is None


@pytest.mark.parametrize(("typed", "kept"), [("1", 0.01), ("0.5", 0.5), ("75", 0.75), ("75%", 0.75), (0, 0)])
def test_per_cent_of_a_guess(tmp_path, typed, kept):
    lab = open_lesson("08", tmp_path)
    lab.predict("twenty", typed)
    assert lab.memory.prediction("twenty") == kept


def test_what_is_no_number_is_no_try(lab):
    lab.check("totals", "a", "b", "c")
    lab.check("totals", "b", "b", "c")
    assert "First try twice" in str(lab.reveal("totals"))


def test_a_hint_leaves_the_diagnosis_standing(lab):
    form = lab.check("totals")
    for box in form.boxes:
        box.value = "5"
    press(form, "Check")
    press(form, "Hint")
    assert "too small" in form.reply.value
    assert "Hint 1 of 3" in form.help.value


def test_tries_after_the_first_right_one_do_not_count(lab):
    lab.check("totals", 1, 2, 3)
    lab.check("totals", 392_000, 1_347_200, 4_947_200)
    lab.check("totals", 4, 5, 6)
    assert "totals: solved after 2 tries" in str(lab.progress())


def test_only_predictions_are_predicted(lab):
    with pytest.raises(UnknownName, match="prediction"):
        lab.predict("totals", 5)
    with pytest.raises(UnknownName, match="prediction"):
        lab.predict("totals")


def test_a_panels_wrong_values_are_refused_before_it_is_shown(lab):
    with pytest.raises(UnknownName, match="nearest: calls"):
        lab.panel("staircase", cals=3)
    with pytest.raises(OutOfRange, match="calls"):
        lab.panel("staircase", calls=1_000)
    assert lab.widgets == {}


def test_the_end_says_it_all(lab):
    said = str(lab.finish())
    assert "0 of 6 done." in said
    assert "Not run since the kernel started" in said
    assert "lab.export_report" in said


def test_a_prediction_that_is_only_solved_counts_once(lab):
    lab.check("eight", 125_600)
    assert "eight: solved after 1 try" in str(lab.progress())
    assert "1 of 6 done." in str(lab.progress())


def test_it_says_which_lesson_it_is(lab):
    assert repr(lab) == "Lesson 02: Why the bill grows like a square."
    assert "grows like a square" in lab._repr_html_()


def test_a_lesson_that_does_not_exist():
    with pytest.raises(UnknownName, match="lesson"):
        open_lesson("2")


def test_the_report_holds_what_was_done_and_no_more(lab, tmp_path):
    lab.predict("eight", 64_000)
    lab.check("totals", "1", "<b>2</b>", "3")
    lab.hint("totals")
    assert "report-02.html" in str(lab.export_report("Ada & Bob"))
    page = (tmp_path / "report-02.html").read_text(encoding="utf-8")
    assert "Ada &amp; Bob" in page
    assert "predicted 64,000" in page
    assert "1, &lt;b&gt;2&lt;/b&gt;, 3: not yet" in page
    assert "392,000" not in page
    assert "<b>2</b>" not in page


def test_start_again_forgets(lab):
    lab.predict("eight", 64_000)
    lab.start_again()
    assert lab.memory.prediction("eight") is None


def test_what_helps_is_said_and_counted(lab):
    assert "3 hints left." in str(lab.check("totals", 1, 2, 3))
    lab.hint("totals")
    lab.hint("totals")
    assert "1 hint left." in str(lab.check("totals", 2, 2, 3))
    lab.hint("totals")
    assert "Reveal shows the answer." in str(lab.check("totals", 3, 2, 3))


def test_without_two_tries_nothing_promises_the_answer(lab):
    for _ in range(3):
        lab.hint("totals")
    assert "Reveal" not in str(lab.check("totals", 1, 2, 3))


def test_solved_at_once_may_be_revealed(lab, tmp_path):
    lab.check("totals", 392_000, 1_347_200, 4_947_200)
    assert "1,347,200" in str(lab.reveal("totals"))
    assert lab.memory.is_revealed("totals")
    assert "Solved before: correct." in open_lesson("02", tmp_path).check("totals").reply.value


def test_a_right_guess_is_praised(lab):
    lab.predict("eight", "125,600")
    assert "You guessed 125,600. That is right." in str(lab.reveal("eight"))


def test_a_panel_shown_again_shows_the_latest_guess(lab):
    lab.panel("staircase")
    lab.memory.keep_prediction("eight", 32_000.0)
    assert "your guess: 32,000" in lab.panel("staircase").picture.value


def test_the_report_counts_hints_and_says_whether_the_answer_was_seen(lab, tmp_path):
    lab.check("totals", 1, 2, 3)
    lab.check("totals", 2, 2, 3)
    lab.hint("totals")
    lab.hint("totals")
    lab.reveal("totals")
    lab.export_report()
    page = (tmp_path / "report-02.html").read_text(encoding="utf-8")
    row = page.split("<th scope=row>totals")[1].split("</tr>")[0]
    assert re.findall(r"<td>([^<]*)</td>", row)[-2:] == ["2", "yes"]
    other = page.split("<th scope=row>ratios")[1].split("</tr>")[0]
    assert re.findall(r"<td>([^<]*)</td>", other)[-2:] == ["0", "no"]


@pytest.mark.parametrize("calls", [[1, 2], "many", 2.5, None, float("nan"), 10**400, True])
def test_a_slider_takes_one_number_of_its_own(lab, calls):
    for call in (lab.picture, lab.panel, lab.table):
        with pytest.raises(BadArgument, match="calls"):
            call("staircase", calls=calls)


def test_facts_without_a_name_are_all_of_them(lab):
    assert len(lab.facts().lines) == 96


def test_a_report_needs_no_name(lab, tmp_path):
    lab.export_report(None)
    assert "Handed in by: -" in (tmp_path / "report-02.html").read_text(encoding="utf-8")


def test_after_a_right_answer_the_boxes_show_it(lab):
    lab.check("totals", "392,000", "1,347,200", "4,947,200")
    lab.check("totals", 1, 2, 3)
    form = lab.check("totals")
    assert [box.value for box in form.boxes] == ["392,000", "1,347,200", "4,947,200"]


@pytest.mark.parametrize("answer", [[1], {}, 1j, Decimal("sNaN"), 10**400, "", True])
def test_any_answer_gets_a_reply(lab, answer):
    assert lab.check("eight", answer) is not None
    assert (
        lab.check(
            "eight",
            answer,
        )
        is not None
    )
    assert not lab.memory.is_solved("eight")
