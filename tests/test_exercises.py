"""Exercises: answers by another way, grading, equal difficulty, keeping, export and regrading."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import stat
import sys
from fractions import Fraction
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skyline_widgets import ExerciseSheet, WorksheetPrinter
from skyline_widgets.exercise import answer_words
from skyline_widgets.exercise_store import ExerciseStore, exercise_folder
from skyline_widgets.exercises import (
    MOST_TRIES,
    SHEETS,
    TEMPLATES,
    Attempt,
    Exercise,
    Verdict,
    attempt_csv,
    exercises_of,
    format_attempt,
    grade,
    new_attempt,
    parse_attempt,
    regrade,
    tried,
)
from skyline_widgets.grader import main as grader
from skyline_widgets.language import language_named
from skyline_widgets.worksheets import answers_html, worksheets_html

from skyline_kernel.errors import RecordError, SettingError
from skyline_kernel.skyline import Column, Die, shipped_dice_set
from skyline_kernel.skyline.columns import grown

EN, DE = language_named("en"), language_named("de")
DICE = shipped_dice_set("standard")
ALL = [Exercise(key, numbers) for key, one in TEMPLATES.items() for numbers in one.variants()]


# --- answers by another way -------------------------------------------------------------------


def sides(kind: str) -> list[Die]:
    """Write out all sides of a die, one by one."""
    return [die for die in Die if die.kind == kind for _ in range(DICE.weight(die))]


def counted(exercise: Exercise) -> Fraction | str:
    """Answer an exercise by writing out all rolls."""
    numbers = exercise.numbers
    columns = [Column(code) for code in numbers.get("columns", ())]
    if "dice" in numbers:
        wanted = [Die(code) for code in numbers["dice"]]
        rolls = list(product(*(sides(die.kind) for die in wanted)))
        return Fraction(sum(list(roll) == wanted for roll in rolls), len(rolls))
    if exercise.key in ("face", "at-least-one", "exactly-one", "mean"):
        die, n = Die(numbers["die"]), numbers.get("n", 1)
        shown = [sum(one is die for one in roll) for roll in product(sides(die.kind), repeat=n)]
        score = {"exactly-one": lambda k: k == 1, "mean": lambda k: k}.get(
            exercise.key, lambda k: k >= 1
        )
        return Fraction(sum(map(score, shown)), len(shown))
    if exercise.key == "points":
        worth = [c.floors**2 if c.is_finished else (c == "l1") for c in columns]
        return Fraction(sum(worth))
    if exercise.key == "fits":
        return "yes" if grown(columns[0], Die(numbers["die"])) else "no"
    fits = {
        kind: Fraction(
            sum(any(grown(c, d) for c in columns) for d in sides(kind)), len(sides(kind))
        )
        for kind in "UP"
    }
    height = columns[0].floors + 1
    return {
        "build": fits["U"] + fits["P"] - fits["U"] * fits["P"],
        "stuck": (1 - fits["U"]) * (1 - fits["P"]),
        "better": "upper" if fits["U"] > fits["P"] else "penthouse",
        "expected": fits["P"] * height * height,
        "insured": fits["P"] + (1 - fits["P"]) * fits["P"],
    }[exercise.key]


@pytest.mark.parametrize("key", TEMPLATES)
def test_every_answer_is_right_by_writing_out_all_rolls(key: str) -> None:
    for exercise in ALL:
        if exercise.key == key:
            assert exercise.answer == counted(exercise), exercise


@pytest.mark.parametrize("key", TEMPLATES)
def test_every_explanation_ends_in_the_answer_and_its_sums_are_true(key: str) -> None:
    for exercise in (one for one in ALL if one.key == key):
        for lang in (EN, DE):
            words = exercise.explanation(lang)
            for left, right in re.findall(r"([0-9/² ×+−]+) = ([0-9/]+)", words):
                form = left.replace("²", "**2").replace("×", "*").replace("−", "-")
                form = re.sub(r"\b(\d+)\b(?!\*\*)", r"Fraction(\1)", form.split(":")[-1])
                assert eval(form, {"Fraction": Fraction}) == Fraction(right), words
            if isinstance(exercise.answer, Fraction) and key != "face":
                assert re.search(rf"(?<![0-9/]){exercise.answer}(?![0-9/])", words), words


@pytest.mark.parametrize("key", TEMPLATES)
def test_variants_differ_in_numbers_and_not_in_difficulty(key: str) -> None:
    variants = [one for one in ALL if one.key == key]
    questions = [one.question(EN) for one in variants]
    assert len(set(questions)) == len(variants) >= 5
    skeletons = {tuple(sorted((k, _size(v)) for k, v in one.numbers.items())) for one in variants}
    assert len(skeletons) == 1
    answers = [one.answer for one in variants]
    assert len(set(answers)) >= 2
    if not variants[0].options(EN):
        assert all(answer > 0 for answer in answers)
        # No answer has more than the steps of the template: a die has six sides.
        n_dice = variants[0].numbers.get("n", 2)
        assert all(6**n_dice % answer.denominator == 0 for answer in answers)


def _size(value: object) -> object:
    return (
        len(value) if isinstance(value, list) else type(value) if isinstance(value, str) else value
    )


# --- sheets -----------------------------------------------------------------------------------


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_seed_gives_the_same_sheet_and_other_seeds_others(sheet: str) -> None:
    many = [exercises_of(sheet, seed) for seed in range(1, 31)]
    assert many == [exercises_of(sheet, seed) for seed in range(1, 31)]
    assert {tuple(one.key for one in some) for some in many} == {SHEETS[sheet]}
    assert len({tuple(one.question(EN) for one in some) for some in many}) == 30
    for some in many:
        assert len({one.question(DE) for one in some}) == len(some)


def test_sheets_stay_as_they_were_printed() -> None:
    """Worksheets that hang in a classroom must not change with the next version."""
    drawn = [(one.key, dict(one.numbers)) for one in exercises_of("chance", 7)]
    assert drawn == [
        ("face", {"die": "Ul"}),
        ("both", {"dice": ["Gm", "Ph"]}),
        ("at-least-one", {"die": "Pm", "n": 2}),
        ("exactly-one", {"die": "Pm", "n": 3}),
        ("mean", {"die": "Uh", "n": 5}),
    ]


@pytest.mark.parametrize(
    ("sheet", "seed"), [("nonsense", 1), (None, 1), ("chance", -1), ("chance", True)]
)
def test_a_sheet_that_does_not_exist(sheet: str, seed: int) -> None:
    with pytest.raises(SettingError):
        exercises_of(sheet, seed)
    with pytest.raises(SettingError):
        ExerciseSheet(sheet, seed=seed, store=None)


# --- grading ----------------------------------------------------------------------------------

ONE = Exercise("at-least-one", {"die": "Uh", "n": 2})  # 11/36 = 0.30555...


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("11/36", "right"),
        (" 22 / 72 ", "right"),
        ("0.31", "rounded"),
        ("0,306", "rounded"),
        ("0.3056", "rounded"),
        ("0.305555556", "rounded"),
        ("31%", "rounded"),
        ("30,6 %", "rounded"),
        ("0.305", "wrong"),
        ("0.3", "wrong"),
        ("30 %", "wrong"),
        ("1/3", "wrong"),
        ("0", "wrong"),
        ("-11/36", "wrong"),
        ("\u221211/36", "wrong"),
        ("", "unreadable"),
        ("11/0", "unreadable"),
        ("11:36", "unreadable"),
        ("1e-1", "unreadable"),
        ("nan", "unreadable"),
        ("٣", "unreadable"),
        ("1/2/3", "unreadable"),
        ("9" * 40, "unreadable"),
    ],
)
def test_verdicts(text: str, verdict: str) -> None:
    assert grade(ONE, text) == verdict


def test_exact_decimals_are_right_and_choices_are_words() -> None:
    half = Exercise("face", {"die": "Gl"})
    assert [str(grade(half, text)) for text in ("0.5", "50 %", "1/2", "0,50")] == ["right"] * 4
    fits = Exercise("fits", {"die": "Uh", "columns": ["h5"]})
    assert [str(grade(fits, text)) for text in ("no", "yes", "nein")] == [
        "right",
        "wrong",
        "unreadable",
    ]


@given(st.fractions(0, 100, max_denominator=10**6))
@settings(max_examples=50)
def test_only_the_answer_itself_is_right(value: Fraction) -> None:
    assert grade(ONE, str(value)) == ("right" if value == Fraction(11, 36) else "wrong")


@given(st.text(max_size=60))
@settings(max_examples=50, deadline=None)
def test_any_text_gets_a_verdict(text: str) -> None:
    for exercise in (ONE, Exercise("fits", {"die": "Uh", "columns": ["h5"]})):
        assert grade(exercise, text) in list(Verdict)


# --- export and regrading -----------------------------------------------------------------------

ATTEMPTS = st.builds(
    lambda sheet, seed, pupil, answers: _answered(new_attempt(sheet, seed, pupil), answers),
    st.sampled_from(sorted(SHEETS)),
    st.integers(0, 999),
    st.text(st.characters(categories=["L", "Nd", "Sm"]), max_size=20),
    st.lists(
        st.tuples(st.integers(0, 4), st.sampled_from(["1/6", "yes", "?", "0,31", '"\\,'])),
        max_size=8,
    ),
)


def _answered(attempt: Attempt, answers: list[tuple[int, str]]) -> Attempt:
    for place, words in answers:
        attempt = tried(attempt, place, words)
    return attempt


@given(ATTEMPTS)
@settings(max_examples=25, deadline=None)
def test_an_export_comes_back_bit_for_bit(attempt: Attempt) -> None:
    text = format_attempt(attempt)
    assert parse_attempt(text) == attempt
    assert regrade(text) == (attempt, text, True)
    rows = list(csv.DictReader(io.StringIO(attempt_csv(attempt))))
    assert [row["solved"] for row in rows] == [
        str(attempt.is_solved(place)) for place in range(len(attempt.tries))
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"solved": false', '"solved": true'),
        ('"verdict": "wrong"', '"verdict": "right"'),
        ('"answer": "1/6"', '"answer": "1/7"'),
        ('"given": "1/7"', '"given": "1/6"'),
        ('"seed": 1', '"seed": 1 '),
        ('"solved": 0', '"solved": 5'),
    ],
)
def test_a_forged_export_is_noticed(old: str, new: str) -> None:
    text = format_attempt(tried(new_attempt("chance", 1, "Anna"), 0, "1/7"))
    assert old in text
    assert not regrade(text.replace(old, new)).is_same


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "null",
        '{"format": "x"}',
        '{"format": "skyline-exercises-1"}',
        '{"format": "skyline-exercises-1", "sheet": "chance", "seed": "1", "pupil": "", "exercises": []}',
        '{"format": "skyline-exercises-1", "sheet": "chance", "seed": 1, "pupil": "", "exercises": []}',
        '{"format": "skyline-exercises-1", "sheet": "chance", "seed": 1, "pupil": 3, "exercises": []}',
        "[" * 100_000,
    ],
)
def test_what_is_no_export_is_refused(text: str) -> None:
    with pytest.raises(RecordError):
        regrade(text)


def test_names_and_answers_have_limits() -> None:
    for pupil in ("x" * 41, "a\nb", 3):
        with pytest.raises(SettingError):
            new_attempt("chance", 1, pupil)  # type: ignore[arg-type]
    attempt = new_attempt("chance", 1)
    with pytest.raises(SettingError, match="no such exercise"):
        tried(attempt, 5, "1")
    for _ in range(MOST_TRIES):
        attempt = tried(attempt, 0, "1")
    with pytest.raises(SettingError, match="At most"):
        tried(attempt, 0, "1")


def test_a_spreadsheet_takes_no_name_for_a_formula() -> None:
    text = attempt_csv(new_attempt("chance", 1, "=1+1"))
    assert next(csv.DictReader(io.StringIO(text)))["pupil"] == "'=1+1"


def items_of(sheet: ExerciseSheet) -> list[dict[str, Any]]:
    """Return everything that stands on a sheet."""
    return [item for section in sheet.view["sections"] for item in section["items"]]


def test_grader_of_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, forged, broken = (tmp_path / name for name in ("good.json", "forged.json", "broken.json"))
    text = format_attempt(tried(new_attempt("chance", 1, "Anna"), 0, "1/6"))
    good.write_text(text, encoding="utf-8")
    forged.write_text(text.replace('"solved": 1', '"solved": 5'), encoding="utf-8")
    broken.write_text("{", encoding="utf-8")
    assert grader([str(good)]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert (rows[0]["pupil"], rows[0]["solved"], rows[0]["unchanged"]) == ("Anna", "1", "True")
    assert grader([str(good), str(forged)]) == 1
    assert capsys.readouterr().out.splitlines()[2].endswith("False")
    assert grader([str(broken), str(good), str(tmp_path / "none.json")]) == 2
    captured = capsys.readouterr()
    assert len(captured.err.splitlines()) == 2
    assert len(captured.out.splitlines()) == 2
    assert grader([]) == 2
    assert grader(["--help"]) == 0


def test_grader_looks_patterns_up_where_the_shell_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("anna", "ben"):
        text = format_attempt(new_attempt("chance", 1, name))
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    assert grader([str(tmp_path / "*.json")]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["pupil"] for row in rows] == ["anna", "ben"]
    assert grader([str(tmp_path / "*.none")]) == 2
    assert "*.none" in capsys.readouterr().err


def test_what_cannot_be_read_is_no_try() -> None:
    sheet = ExerciseSheet("chance", seed=1, store=None, language="de")
    said = []
    for answer in ("", "abc", "1/3", "1/2"):
        sheet.act("answer", name="0", value=answer)
        (question,) = [item for item in items_of(sheet) if item.get("name") == "0"]
        said.append(question["verdict"])
    assert said[0] == said[1]
    assert "11/36, 0,31, 31 %" in said[0]
    assert said[2:] == ["Noch nicht.", "Noch nicht, nach 2 Versuchen."]


def test_a_reason_that_begins_with_the_answer_stands_alone() -> None:
    sheet = ExerciseSheet("lesson-45", seed=7, store=None, language="de")
    sheet.act("answer", name="1", value=str(sheet.attempt.exercises[1].answer))
    (question,) = [item for item in items_of(sheet) if item.get("name") == "1"]
    assert question["solution"] == "Ja, es entsteht: Hochhaus, fertig, 4 Etagen."


def test_an_exact_per_cent_is_no_rounded_one() -> None:
    half, third = (Exercise("face", {"die": die}) for die in ("Gl", "Gm"))
    assert answer_words(half, DE) == "1/2 = 50,0\u202f%"
    assert answer_words(third, DE) == "1/3 \u2248 33,3\u202f%"


@pytest.mark.parametrize("sheet", SHEETS)
def test_sheets_about_chances_tell_what_the_dice_show(sheet: str) -> None:
    shown = [item for item in items_of(ExerciseSheet(sheet, store=None)) if item["type"] == "table"]
    is_about_chances = sheet != "rules"
    assert bool(shown) is is_about_chances
    assert ("Penthouse die: 2 × mid-rise" in worksheets_html(sheet, [1], EN)) is is_about_chances
    if shown:
        assert shown[0]["rows"][2][-3:] == ["2", "1", "3"]


def test_bug_the_list_of_a_class_took_names_for_formulas(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export = tmp_path / "x.json"
    for pupil in ("=1+1", "+1", "-1", "@SUM(A1)"):
        export.write_text(format_attempt(new_attempt("chance", 1, pupil)), encoding="utf-8")
        grader([str(export)])
        (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
        assert row["pupil"] == f"'{pupil}"


def test_a_file_that_is_named_like_a_formula(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = "=1+1.json"
    Path(name).write_text(format_attempt(new_attempt("chance", 1)), encoding="utf-8")
    grader([name])
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert row["file"] == f"'{name}"


@pytest.mark.parametrize("name", ["-1", "99", "\u0663", "9" * 5000, "", None, 3, ["0"]])
def test_bug_a_place_of_thousands_of_digits_was_no_sentence(name: object) -> None:
    sheet = ExerciseSheet("chance", seed=1, store=None, language="en")
    sheet.request = {"do": "answer", "name": name, "value": "1/6"}
    assert "there is no such exercise" in sheet.view["notice"]
    assert sheet.attempt == new_attempt("chance", 1)


# --- keeping ------------------------------------------------------------------------------------


def test_answers_are_there_after_a_reload(tmp_path: Path) -> None:
    store = ExerciseStore(tmp_path / "new" / "folder")
    sheet = ExerciseSheet("chance", seed=5, store=store, pupil="Ben")
    sheet.answer_to(1, "1/7")
    sheet.act("reveal", name="0")
    again = ExerciseSheet("chance", seed=5, store=store)
    assert again.attempt == sheet.attempt
    assert again.attempt.pupil == "Ben"
    assert not ExerciseSheet("chance", seed=6, store=store).attempt.tries[0]
    assert not ExerciseSheet("rules", seed=5, store=store).attempt.tries[0]


def test_another_sheet_keeps_the_name_and_the_first_one_its_answers(tmp_path: Path) -> None:
    sheet = ExerciseSheet("chance", store=ExerciseStore(tmp_path), pupil="Ben")
    sheet.answer_to(1, "1/7")
    sheet.act("set", name="seed", value=2)
    assert (sheet.attempt.seed, sheet.attempt.pupil, sheet.attempt.tries[0]) == (2, "Ben", ())
    sheet.act("set", name="seed", value=1)
    assert sheet.attempt.tries[0] == ("1/7",)


def test_help_after_the_answer_costs_nothing_and_before_it_does() -> None:
    sheet = ExerciseSheet("chance", store=None)
    answer = str(sheet.attempt.exercises[0].answer)
    sheet.answer_to(1, answer)
    sheet.act("reveal", name="0")
    assert sheet.attempt.is_solved(0)
    sheet.act("reveal", name="1")
    sheet.answer_to(2, str(sheet.attempt.exercises[1].answer))
    assert not sheet.attempt.is_solved(1)


def test_the_answer_is_not_on_the_page_before_it_is_found() -> None:
    sheet = ExerciseSheet("chance", store=None, language="en")
    assert all(not item["solution"] for item in sheet.view["sections"][1]["items"])
    assert all(not item["reveal"] for item in sheet.view["sections"][1]["items"])


@pytest.mark.parametrize("content", ["{", "{}", '{"format": 1}', "\udcff"])
def test_a_damaged_file_is_put_aside(tmp_path: Path, content: str) -> None:
    path = tmp_path / "chance-1.json"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    assert ExerciseStore(tmp_path).load("chance", 1) == new_attempt("chance", 1)
    assert path.with_suffix(".damaged").exists()


def test_a_file_of_another_sheet_is_not_taken_for_this_one(tmp_path: Path) -> None:
    (tmp_path / "chance-1.json").write_text(format_attempt(new_attempt("rules", 2)), "utf-8")
    assert ExerciseStore(tmp_path).load("chance", 1) == new_attempt("chance", 1)


def test_folder_of_the_answers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SKYLINE_DATA_DIR", str(tmp_path))
    assert exercise_folder() == tmp_path / "exercises"
    monkeypatch.delenv("SKYLINE_DATA_DIR")
    assert exercise_folder().name == "exercises"
    monkeypatch.setenv("SKYLINE_EXERCISES_DIR", str(tmp_path / "desk"))
    assert exercise_folder() == ExerciseStore().place == tmp_path / "desk"


def test_a_sheet_goes_on_where_the_last_one_stopped(tmp_path: Path) -> None:
    store = ExerciseStore(tmp_path)
    assert ExerciseSheet("chance", store=store).attempt.seed == 1
    sheet = ExerciseSheet("chance", store=store)
    sheet.act("set", name="pupil", value="Ben")
    sheet.act("set", name="seed", value=12)
    sheet.answer_to(1, "1/7")
    (tmp_path / "chance-other.json").write_text("{}", "utf-8")
    again = ExerciseSheet("chance", store=store).attempt
    assert (again.seed, again.pupil, again.tries[0]) == (12, "Ben", ("1/7",))
    assert ExerciseSheet("chance", seed=2, store=store).attempt.seed == 2


def test_two_pages_with_the_same_sheet_lose_nothing(tmp_path: Path) -> None:
    store = ExerciseStore(tmp_path)
    one, other = (ExerciseSheet("chance", store=store) for _ in range(2))
    one.answer_to(1, "1/7")
    other.act("set", name="pupil", value="Ben")
    other.answer_to(2, "1/8")
    one.answer_to(1, "1/9")
    assert one.attempt.tries[:2] == (("1/7", "1/9"), ("1/8",))
    assert store.load("chance", 1) == one.attempt
    assert one.attempt.pupil == "Ben"


def test_answers_of_the_page_are_not_lost_with_the_file(tmp_path: Path) -> None:
    sheet = ExerciseSheet("chance", store=ExerciseStore(tmp_path))
    sheet.answer_to(1, "1/7")
    (tmp_path / "chance-1.json").write_text("{", "utf-8")
    sheet.answer_to(2, "1/8")
    assert ExerciseStore(tmp_path).load("chance", 1).tries[:2] == (("1/7",), ("1/8",))


def test_the_number_of_a_sheet_is_typed_in() -> None:
    sheet = ExerciseSheet("chance", store=None)
    sheet.act("set", name="seed", value=" 27 ")
    assert sheet.attempt.seed == 27
    for wrong in ("", "x", "0", "1000", "-1", "1.5", "9" * 30):
        with pytest.raises(SettingError, match="whole number"):
            sheet.act("set", name="seed", value=wrong)
    assert sheet.attempt.seed == 27


def test_the_name_is_asked_for_once(tmp_path: Path) -> None:
    store = ExerciseStore(tmp_path)
    assert ExerciseSheet("rules", store=store).attempt.pupil == ""
    ExerciseSheet("rules", store=store).act("set", name="pupil", value="Ben")
    assert ExerciseSheet("chance", store=store).attempt.pupil == "Ben"
    assert ExerciseSheet("chance", store=store, pupil="Ada").attempt.pupil == "Ada"
    (tmp_path / "reroll-1.json").write_text("{", "utf-8")
    assert ExerciseSheet("chance", store=store).attempt.pupil in ("", "Ben")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    with pytest.raises(SettingError, match="could not be saved"):
        ExerciseStore(tmp_path / "x").save(new_attempt("chance", 1))


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("", "utf-8")
    sheet = ExerciseSheet("chance", store=ExerciseStore(tmp_path / "x"))
    with pytest.raises(SettingError, match="could not be saved"):
        sheet.answer_to(1, "1/6")
    assert sheet.attempt.tries[0] == ()


# --- worksheets ---------------------------------------------------------------------------------


class Text(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.feed(html)

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


@pytest.mark.parametrize("lang", [EN, DE], ids=["en", "de"])
@pytest.mark.parametrize("sheet", SHEETS)
def test_worksheets_hold_every_question_and_no_answer(sheet: str, lang: object) -> None:
    language = EN if lang is EN else DE
    pages, answers = worksheets_html(sheet, [1, 2], language), answers_html(sheet, [1, 2], language)
    text = " ".join(Text(pages).parts)
    assert pages.count("<section>") == answers.count("<section>") == 2
    for seed in (1, 2):
        for exercise in exercises_of(sheet, seed):
            assert exercise.question(language) in text
            assert exercise.explanation(language) not in text
            assert exercise.explanation(language) in " ".join(Text(answers).parts)
    assert "http" not in pages + answers


def test_pupils_have_a_page_each_and_answers_stand_close() -> None:
    close = "break-after: auto; break-inside: avoid"
    assert close not in worksheets_html("lesson-45", [1, 2], DE)
    assert close in answers_html("lesson-45", [1, 2], DE)


def test_printer_makes_a_page_for_each_pupil() -> None:
    printer = WorksheetPrinter(language="de")
    printer.act("set", name="n_pupils", value=3)
    printer.act("set", name="first", value=10)
    printer.act("set", name="sheet", value="rules")
    printer.act("file", name="worksheets.html")
    assert printer.file["text"].count("<section>") == 3
    assert re.findall(r"Blatt (\d+)<", printer.file["text"]) == ["10", "11", "12"]
    printer.act("file", name="answers.html")
    assert printer.file["number"] == 2
    assert json.dumps(printer.view)
