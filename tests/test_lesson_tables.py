"""The tables of the lessons: what a cell computed, in words of both languages."""

from __future__ import annotations

from fractions import Fraction

import pytest
from skyline_app import learn
from skyline_widgets.exercises import exercises_of, format_attempt, new_attempt, regrade, tried
from skyline_widgets.language import language_named
from skyline_widgets.lesson_table import TABLE_TYPE, LessonTable
from skyline_widgets.lesson_tables import (
    action_table,
    build_table,
    choice_table,
    distribution_table,
    face_table,
    goal_table,
    graded_table,
    mean_table,
    rolled_table,
    round_table,
    sheet_table,
    two_dice_table,
    value_table,
)

from skyline_kernel.distribution import Distribution
from skyline_kernel.skyline import (
    Column,
    Kind,
    legal_actions,
    parse_position,
    shipped_dice_set,
)
from skyline_kernel.skyline.advice import advise

DE, EN = language_named("de"), language_named("en")
NARROW = "\u202f"


# --- the table itself -------------------------------------------------------------------------


def test_a_row_has_as_many_cells_as_the_head() -> None:
    with pytest.raises(ValueError, match="expected 2 cells, got 1"):
        LessonTable("x", ("a", "b"), (("1",),))


def test_nothing_in_a_table_is_taken_for_markup() -> None:
    table = LessonTable("<b>", ("<i>", "n"), (("<script>", "&"),))
    html = table._repr_html_()
    assert "<b>" not in html
    assert "<i>" not in html
    assert "<script>" not in html
    assert "&amp;" in html


def test_columns_of_numbers_are_known_by_their_signs() -> None:
    rows = (("low-rise", f"16,7{NARROW}%", "7/2 \u2248 3,50"), ("1", "\u22120,42", "\u2013"))
    table = LessonTable("x", ("a", "b", "c"), rows)
    assert table.numeric == (False, True, True)
    assert "style='text-align: right'" in table._repr_html_()


def test_a_table_is_there_for_a_page_a_notebook_and_a_terminal() -> None:
    table = LessonTable("x", ("a", "b"), (("one", "1"),))
    forms = table._repr_mimebundle_()
    assert forms["text/plain"] == repr(table) == "x\na    b\none  1"
    assert forms["text/html"] == table._repr_html_()
    assert forms[TABLE_TYPE] == {
        "caption": "x",
        "head": ["a", "b"],
        "rows": [["one", "1"]],
        "numeric": [False, True],
    }
    assert learn.TABLE_TYPE == TABLE_TYPE


# --- chances ----------------------------------------------------------------------------------


def test_faces_have_names_and_chances() -> None:
    table = face_table(shipped_dice_set("standard"), Kind.PENTHOUSE, DE)
    assert table.caption == "Dachgeschossw\u00fcrfel"
    assert table.rows == (
        ("mittelhohes Haus", "1/3", f"33,3{NARROW}%"),
        ("Hochhaus", "1/6", f"16,7{NARROW}%"),
        ("leer", "1/2", f"50,0{NARROW}%"),
    )


def test_two_dice_are_worked_out() -> None:
    assert [row[1:] for row in two_dice_table(Fraction(1, 3), EN).rows] == [
        ("1/3 \u00b7 1/3", "1/9", "11.1%"),
        ("2/3 \u00b7 2/3", "4/9", "44.4%"),
        ("1 \u2212 4/9", "5/9", "55.6%"),
    ]


def test_what_was_rolled_stands_beside_its_chance() -> None:
    table = rolled_table([30, 70], [Fraction(1, 4), Fraction(3, 4)], DE)
    assert table.caption == "100 W\u00fcrfe"
    assert table.rows[0] == ("0", f"30,00{NARROW}%", f"25,00{NARROW}%", "+5,00")
    assert table.rows[1][3] == "\u22125,00"


def test_what_can_be_built_after_a_roll() -> None:
    state = parse_position("h3 G1U1P1 U?,P? roll 5.1")
    table = build_table(state, Column("h3"), EN)
    assert [row[1] for row in table.rows] == ["11/36", "25/36", "1/6"]
    assert len(build_table(state, lang=EN).rows) == 2


def test_a_distribution_tells_its_mean() -> None:
    shown = distribution_table(Distribution.of({0: Fraction(1, 2), 9: Fraction(1, 2)}), DE)
    assert shown.caption == "Im Mittel 9/2 \u2248 4,50 Punkte"
    assert [row[:2] for row in shown.rows] == [("0", "1/2"), ("9", "1/2")]


def test_what_was_played_stands_beside_what_was_computed() -> None:
    rows = mean_table(2957, 500, Fraction(6), DE).rows
    assert rows == (("500-mal gespielt", "5,91"), ("ausgerechnet", "6"))


def test_values_have_names() -> None:
    rows = value_table({"a": Fraction(7, 2), "b": 1.25}, DE).rows
    assert rows == (("a", "7/2 \u2248 3,50"), ("b", "1,25"))


# --- actions ----------------------------------------------------------------------------------


def test_actions_stand_in_words_and_in_notation() -> None:
    actions = legal_actions(parse_position("h1 G1U1P1 Uh use 5.1"))
    rows = action_table(actions, DE).rows
    assert ("Gib ab: Obergeschoss Hochhaus", "abandon Uh") in rows
    assert len(rows) == len(actions)


def test_choices_have_worth_and_loss() -> None:
    advice = advise(parse_position("m2 G1U1P1 Gl,P- more 9.1"), "turn")
    table = choice_table(advice, lang=EN)
    assert len(table.rows) == len(advice.actions)
    assert table.rows[0] == ("Roll again: penthouse blank", "6", "\u2013")
    assert table.rows[1][1:] == ("67/12 \u2248 5.58", "\u22120.42")
    assert choice_table(advice, 2, EN).rows == table.rows[:2]


def test_goals_tell_what_stopping_costs() -> None:
    state = parse_position("m2 G1U1P1 Gl,P- more 9.1")
    table = goal_table([advise(state, "turn")], DE)
    expected = ("Punkte dieses Zugs", "W\u00fcrfle erneut: Dachgeschoss leer", "6,00")
    assert table.rows == (expected,)


def test_rounds_stand_beside_each_other() -> None:
    table = round_table({Column("h1"): [3.814, 0.35]}, DE)
    assert table.head == ("Haus", "1", "2")
    assert table.rows == (("Hochhaus, unfertig, 1 Etage", "3,81", "0,35"),)


# --- sheets -----------------------------------------------------------------------------------


def test_answers_to_sheets_stand_side_by_side() -> None:
    table = sheet_table("lesson-45", (1, 2), DE)
    assert len(table.rows) == len(exercises_of("lesson-45", 1))
    assert {len(row) for row in table.rows} == {3}
    assert not any("yes" in row or "no" in row for row in table.rows)


def test_what_was_handed_in_is_graded_in_words() -> None:
    answer = str(exercises_of("lesson-45", 1)[0].answer)
    right = format_attempt(tried(new_attempt("lesson-45", 1, "Anna"), 0, answer))
    forged = right.replace('"solved": false', '"solved": true')
    table = graded_table({"a.json": regrade(right), "b.json": regrade(forged)}, DE)
    assert table.rows == (
        ("a.json", "Anna", "1 von 6", "ja"),
        ("b.json", "Anna", "1 von 6", "nein"),
    )
