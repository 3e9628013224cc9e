"""The widgets of the laboratory without a page: contract, commands, words, files."""

from __future__ import annotations

import csv
import doctest
import gc
import importlib
import io
import json
import logging
import subprocess
import sys
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Any

import ipywidgets
import pytest
import skyline_widgets
import traitlets
from skyline_widgets import (
    DistributionView,
    ExerciseSheet,
    OddsExplorer,
    OddsQuestion,
    PolicyComparison,
    PositionEditor,
    RuleCardDesk,
    WorksheetPrinter,
)
from skyline_widgets.charts import chart_rows
from skyline_widgets.lab_base import LabWidget, language_here
from skyline_widgets.lab_sweep import sweep_chart, sweep_faces
from skyline_widgets.language import language_named
from skyline_widgets.odds_explorer import simulated_counts
from skyline_widgets.position_editor import dice_set_toml
from test_language import english_in

from skyline_kernel.distribution import Distribution
from skyline_kernel.errors import KitError, SettingError
from skyline_kernel.skyline import (
    Column,
    DiceSet,
    Face,
    Kind,
    format_position,
    new_game,
    parse_position,
    shipped_dice_set,
)
from skyline_kernel.skyline.advice import advise, value
from skyline_kernel.skyline.dice_sets import parse_dice_set, roll_outcomes
from skyline_kernel.statistics import chi_square_p

EN, DE = language_named("en"), language_named("de")
CONTRACT = {"answer", "file", "language", "narrow", "request", "theme", "view"}
LAST = parse_position("m2 G1U1P1 Gl,P- use 9.1")
FAIR = Distribution.of({0: Fraction(1, 2), 9: Fraction(1, 3), 16: Fraction(1, 6)})
MODULES = (
    "charts",
    "distribution_view",
    "exercise",
    "exercise_grading",
    "exercise_sheets",
    "lab_base",
    "lab_sweep",
    "odds_explorer",
    "policy_comparison",
    "position_edits",
    "position_editor",
    "rule_card_desk",
    "worksheets",
)

clicks = count(1)


def widgets(language: str = "en") -> dict[str, LabWidget[Any]]:
    rolled = OddsExplorer(OddsQuestion(is_open=True), language=language)
    rolled.act("roll", value=100)
    compared = PolicyComparison(LAST, ["greedy", "builder"], language=language)
    compared.simulate(2, seed=1)
    answered = ExerciseSheet("lesson-90", store=None, language=language)
    for number, given in enumerate(("1", "?", "yes", "1/6", "0.11"), start=1):
        answered.answer_to(number, given)
    answered.act("reveal", name="0")
    priced = RuleCardDesk(language=language)
    priced.act("costs")
    return {
        "hidden": OddsExplorer(OddsQuestion(), language=language),
        "rolled": rolled,
        "distribution": DistributionView({"a": FAIR, "b": FAIR}, language=language),
        "turn": PositionEditor(LAST, objective="turn", language=language),
        "roll": PositionEditor(parse_position("h3 G1U1P1 U?,P? roll 5.1"), language=language),
        "printed": PositionEditor(
            parse_position("h3 G1U1P1 Gl more:build 5.1 printed"), language=language
        ),
        "players": compared,
        "exercises": answered,
        "printing": WorksheetPrinter(language=language),
        "cards": priced,
    }


def press(widget: LabWidget[Any], do: str, **details: Any) -> str:
    """Let a message of the page arrive, as ipywidgets does; return the sentence it brings."""
    number = next(clicks)
    request = {"do": do, **details, "from": "page", "number": number}
    widget.set_state({"request": json.loads(json.dumps(request))})
    assert widget.answer == {"from": "page", "number": number}
    return str(widget.view["notice"])


# --- contract ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_the_docstrings(name: str) -> None:
    module = importlib.import_module(f"skyline_widgets.{name}")
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(("name", "widget"), widgets().items())
def test_synced_traits_are_the_contract(name: str, widget: LabWidget[Any]) -> None:
    own = set(widget.keys) - set(ipywidgets.DOMWidget().keys)
    assert {key for key in own if not key.startswith("_")} == CONTRACT
    json.dumps(widget.view)
    for trait in ("view", "answer", "file"):
        with pytest.raises(traitlets.TraitError, match="read-only"):
            setattr(widget, trait, {})
    with pytest.raises(traitlets.TraitError):
        widget.language = "fr"


@pytest.mark.parametrize(("name", "widget"), widgets().items())
@pytest.mark.parametrize(
    "command",
    [
        {"do": "nonsense"},
        {"do": None},
        {"do": "set", "name": "nonsense", "value": 1},
        {"do": "set"},
        {"do": "file", "name": "../secrets"},
        {"do": "answer", "name": "99", "value": "1"},
        {"do": "set", "name": "target", "value": 10**9},
        {"do": "set", "name": "target", "value": True},
        {"do": "add die", "value": "X?"},
        {"do": "drop column", "value": "H6"},
        {"do": "roll", "value": 10**9},
    ],
)
def test_a_wrong_command_changes_nothing_and_says_why(
    name: str, widget: LabWidget[Any], command: dict[str, Any]
) -> None:
    before = widget._state
    assert press(widget, **command)
    assert widget._state == before
    with pytest.raises(KitError):
        widget.act(**command)


def test_a_widget_without_a_page_says_what_it_is() -> None:
    assert repr(WorksheetPrinter(language="en")) == "<WorksheetPrinter: Worksheets to print>"
    assert repr(WorksheetPrinter(language="de")) == "<WorksheetPrinter: Arbeitsblätter zum Drucken>"


def test_an_error_inside_is_one_plain_sentence_and_the_next_click_works(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    view = DistributionView(FAIR, language="en")
    before = view._state

    def broken(*_: Any) -> Any:
        raise RuntimeError("inside")

    with monkeypatch.context() as patched:
        patched.setattr(DistributionView, "_next", broken)
        with caplog.at_level(logging.ERROR):
            said = press(view, "set", name="target", value=9)
    assert said == "Something went wrong. Nothing has changed; please go on."
    assert "inside" in caplog.text
    assert view._state == before
    assert press(view, "set", name="target", value=9) == ""
    assert view.target == 9


def test_what_cannot_be_kept_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = ExerciseSheet("chance", store=None, language="en")

    def full(_: Any) -> None:
        raise SettingError("The answer could not be saved: {reason}", reason="disk full")

    monkeypatch.setattr(sheet, "_kept", full)
    before = sheet.view["sections"]
    assert "disk full" in press(sheet, "answer", name="0", value="1/6")
    assert sheet.view["sections"] == before
    assert sheet.attempt.tries[0] == ()


def test_three_hundred_changes_leave_as_many_objects() -> None:
    view = DistributionView(FAIR)

    def turn() -> int:
        for target in range(100):
            press(view, "set", name="target", value=target % 17)
        gc.collect()
        return len(gc.get_objects())

    turn()
    first = turn()
    assert turn() - first < 50


def test_importing_the_table_alone_loads_no_laboratory() -> None:
    code = "import skyline_widgets, sys; print(*[m for m in sys.modules if 'lab_' in m or 'numpy' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
    assert set(skyline_widgets.__all__) == {
        *skyline_widgets._LATER,
        "SkylineTable",
    }
    for name in skyline_widgets.__all__:
        assert getattr(skyline_widgets, name).__name__ == name
    with pytest.raises(AttributeError):
        _ = skyline_widgets.nothing


# --- words ------------------------------------------------------------------------------------

#: Words that both languages share, and texts that are no words.
ALIKE = {"Skyline", "Chance", "Name", "Distribution", "", "≥", "+", "a", "b"}


@pytest.mark.parametrize("name", widgets())
def test_no_english_on_the_german_panels(name: str) -> None:
    english, german = widgets("en")[name].view, widgets("de")[name].view
    assert english["title"] != german["title"]
    for one, other in zip(english["sections"], german["sections"], strict=True):
        assert one["heading"] != other["heading"] or one["heading"] in ALIKE
        labels = [
            (item["label"], there["label"])
            for item, there in zip(one["items"], other["items"], strict=True)
            if "label" in item
        ]
        assert {a for a, b in labels if a == b} <= {*ALIKE, "greedy", "builder"}
        texts = [
            (item["text"], there["text"])
            for item, there in zip(one["items"], other["items"], strict=True)
            if item["type"] in ("text", "note", "question")
        ]
        assert not {a for a, b in texts if a == b}
    assert english_in({"x": english["title"]}, {"x": german["title"]}) == set()


def test_language_of_the_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SKYLINE_LANGUAGE", raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    (tmp_path / "de").mkdir()
    monkeypatch.chdir(tmp_path)
    assert language_here() == "en"
    monkeypatch.setenv("LANG", "de_AT.UTF-8")
    assert language_here() == "de"
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    monkeypatch.chdir(tmp_path / "de")
    assert language_here() == "de"
    assert WorksheetPrinter().language == "de"
    monkeypatch.setenv("SKYLINE_LANGUAGE", "en")
    assert language_here() == "en"


def test_changing_the_language_keeps_everything_else() -> None:
    explorer = OddsExplorer(OddsQuestion(is_open=True, seed=1), language="en")
    explorer.act("roll", value=100)
    before = explorer.question
    explorer.language = "de"
    assert explorer.question == before
    assert explorer.view["title"] == "Wie stehen die Chancen?"


# --- odds -------------------------------------------------------------------------------------


@pytest.mark.parametrize("counts", [(1, 0, 0), (2, 1, 0), (0, 3, 2), (1, 1, 1)])
@pytest.mark.parametrize("face", list(Face))
def test_chances_of_the_explorer_are_those_of_all_outcomes(
    counts: tuple[int, int, int], face: Face
) -> None:
    question = OddsQuestion(counts=counts, face=face, least=1)
    outcomes = roll_outcomes(question.dice_set, counts)
    for n, chance in enumerate(question.chances):
        assert chance == sum(p for dice, p in outcomes if sum(d.face is face for d in dice) == n)
    assert question.answer == 1 - question.chances[0]


def test_a_million_rolls_follow_the_exact_chances() -> None:
    from numpy.random import default_rng

    question = OddsQuestion(counts=(2, 1, 1), face=Face.MID)
    found = simulated_counts(question.dice_set, (2, 1, 1), Face.MID, 1_000_000, default_rng(3))
    assert sum(found) == 1_000_000
    assert chi_square_p(found, [1e6 * float(p) for p in question.chances]) > 1e-4


def test_rolls_depend_on_the_seed_and_are_never_rewound() -> None:
    first, second = (OddsExplorer(OddsQuestion(is_open=True, seed=7)) for _ in range(2))
    for explorer in (first, second):
        explorer.act("roll", value=100)
        explorer.act("roll", value=100)
    assert first.question.rolled == second.question.rolled
    assert first.question.n_rolls == 200
    fresh = OddsExplorer(), OddsExplorer()
    assert fresh[0].question.seed != fresh[1].question.seed


def test_another_question_hides_the_answer_and_zero_is_an_answer() -> None:
    explorer = OddsExplorer(OddsQuestion(is_open=True), language="en")
    explorer.act("set", name="face", value="-")
    assert not explorer.question.is_open
    explorer.act("set", name="penthouse", value=0)
    explorer.act("reveal")
    assert explorer.question.answer == 0
    assert "Exactly 0 = 0.0%" in explorer.view["sections"][1]["items"][0]["text"]
    explorer.act("set", name="ground", value=0)
    with pytest.raises(SettingError, match="At least one die"):
        explorer.act("set", name="upper", value=0)


# --- positions --------------------------------------------------------------------------------


def test_the_editor_says_what_the_adviser_says() -> None:
    editor = PositionEditor(LAST, objective="turn", language="en")
    advice = advise(LAST, "turn")
    table = next(item for item in editor.view["sections"][1]["items"] if item["type"] == "table")
    assert [row[1] for row in table["rows"]] == [f"{one.value:.2f}" for one in advice.actions]
    assert table["marked"] == [i for i, one in enumerate(advice.actions) if one.is_best]
    rows = list(csv.DictReader(io.StringIO(editor._file(editor._state, "actions.csv", EN).text)))
    assert [Fraction(row["exact"]) for row in rows] == [one.exact for one in advice.actions]


def test_two_positions_are_compared() -> None:
    editor = PositionEditor(LAST, objective="turn", language="en")
    editor.act("remember")
    editor.act("add column", value="h3")
    texts = [item["text"] for item in editor.view["sections"][1]["items"] if item["type"] == "text"]
    gained = value(editor.state, "turn").value - value(LAST, "turn").value
    assert texts == [
        f"+{gained:.4f} points against the remembered position: {format_position(LAST)}"
    ]
    editor.act("set", name="phase", value="roll")
    with pytest.raises(KitError):
        editor.act("remember")
    assert editor._state.remembered is not None


def test_every_part_of_a_position_can_be_set() -> None:
    editor = PositionEditor(new_game(), language="en")
    for do, details in [
        ("set", {"name": "players", "value": 2}),
        ("set", {"name": "seat", "value": 2}),
        ("add column", {"value": "h3"}),
        ("drop column", {"value": "m1"}),
        ("set", {"name": "district.U", "value": 2}),
        ("set", {"name": "round", "value": 7}),
        ("set", {"name": "edition", "value": "printed"}),
        ("set", {"name": "box", "value": True}),
        ("set", {"name": "dice_set", "value": "uniform"}),
        ("add die", {"value": "Gl"}),
        ("add die", {"value": "P?"}),
        ("drop die", {"value": "P?"}),
        ("set", {"name": "phase", "value": "more"}),
        ("set", {"name": "step", "value": "abandon"}),
        ("set", {"name": "last", "value": True}),
    ]:
        editor.act(do, **details)
    assert editor.position == "h1/h3 G1U2P1 Gl more:abandon 7.2! printed+box+uniform"
    assert format_position(editor.state) == editor.position
    editor.act("set", name="nine", value=True)
    assert editor.position.endswith("7.2 printed+nine+box+uniform")
    editor.act("start")
    assert editor.state == new_game(2, editor.state.rules)


def test_a_position_that_is_not_sound_is_named_and_not_valued() -> None:
    editor = PositionEditor(LAST, language="en")
    editor.act("set", name="phase", value="roll")
    (_, answer, _) = editor.view["sections"]
    assert answer["items"][1]["tone"] == "bad"
    with pytest.raises(KitError):
        _ = editor.state
    editor.act("set", name="phase", value="use")
    assert editor.state.phase == "use"


def test_positions_that_no_game_brings_do_not_keep_anybody_waiting() -> None:
    crowded = parse_position("h5,h5,h5,h5 G1U1P1 Gl,Um use 1.1")
    editor = PositionEditor(crowded, language="en")
    assert "take too long here" in editor.view["sections"][1]["items"][1]["text"]
    many = parse_position("h3,m1 G4U4P4 - take 6.1")
    editor = PositionEditor(many, language="en")
    assert "some seconds" in editor.view["sections"][1]["items"][1]["text"]
    editor.act("wait")
    assert f"{value(many).value:.4f}" in editor.view["sections"][1]["items"][1]["text"]
    editor.act("set", name="district.P", value=5)
    assert "some seconds" in editor.view["sections"][1]["items"][1]["text"]


def test_bug_to_offer_to_value_a_gift_took_as_long_as_to_value_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def solves_nothing(*_: object) -> None:
        raise AssertionError("solved before somebody has asked")

    many = parse_position("h2,l1/h3,m3,l1 G4U7P1 Gm,Um use 8.2 online")
    with monkeypatch.context() as patched:
        patched.setattr("skyline_kernel.skyline.solver.gift.TurnValues", solves_nothing)
        editor = PositionEditor(many, objective="margin", language="en")
        assert "some seconds" in editor.view["sections"][1]["items"][1]["text"]
    editor.act("wait")
    worth = language_named("en").number(value(many, "margin").value, 4)
    assert worth in editor.view["sections"][1]["items"][1]["text"]


def test_who_has_asked_for_a_value_is_not_offered_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    many = parse_position("h2,l1/h3,m3,l1 G4U7P1 Gm,Um use 8.2 online")
    editor = PositionEditor(many, objective="margin", language="en")
    monkeypatch.setattr("skyline_kernel.skyline.advice.is_quick", lambda *_: False)
    editor.act("wait")
    assert "too long" in editor.view["sections"][1]["items"][1]["text"]


@pytest.mark.parametrize("source", ["counted 🎲🏙️", 'so "he" says: \\d', "a\tb\nc\x7fd\u2028", ""])
def test_bug_a_source_with_a_picture_made_a_file_that_nobody_could_read(source: str) -> None:
    dice_set = DiceSet("mine", shipped_dice_set("uniform").weights, (source, "", source))
    assert parse_dice_set(dice_set_toml(dice_set)).sources == dice_set.sources


def test_own_dice_are_made_saved_and_read_again() -> None:
    editor = PositionEditor(LAST, objective="turn", language="en")
    editor.act("set", name="sides.P.m", value=5)
    dice_set = editor.state.rules.dice_set
    assert dice_set.weights[2] == (0, 5, 1, 3)
    assert parse_dice_set(dice_set_toml(dice_set)) == dice_set
    assert editor.position.endswith("online+my-dice")
    editor.act("set", name="position", value=editor.position.replace("m2", "m3"))
    assert editor.state.skyline == (Column("m3"),)
    with pytest.raises(KitError):
        editor.act("set", name="sides.P.m", value=-1)
    editor.act("set", name="objective", value="score")
    assert editor._state.is_solving is False


def test_dice_that_are_not_solved_can_be_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page asks again by itself until another process has solved the dice."""

    class Process:
        done = False

        def poll(self) -> int | None:
            return 0 if self.done else None

    process, module = Process(), sys.modules["skyline_widgets.position_editor"]
    monkeypatch.setattr("skyline_widgets.position_answer.is_solved", lambda *_: False)
    monkeypatch.setattr(module, "_has_table", lambda *_: False)
    monkeypatch.setattr(module, "start_solving", lambda _: process)
    editor = PositionEditor(LAST, language="en")
    assert "not been solved" in editor.view["sections"][1]["items"][1]["text"]
    assert editor.view["poll"] is False
    editor.act("solve")
    assert editor.view["poll"] is True
    process.done = True
    editor.act("poll")
    assert editor.view["poll"] is False


# --- distributions and players ------------------------------------------------------------------


def test_distribution_in_words_table_and_files() -> None:
    view = DistributionView(FAIR, target=9, language="en")
    summary = view.view["sections"][0]["items"][1]["rows"][0]
    assert summary[1] == f"{float(FAIR.mean):.2f}"
    assert summary[-1] == "50.0%"
    rows = list(csv.reader(io.StringIO(view._file(view._state, "distribution.csv", EN).text)))
    assert sum(float(row[1]) for row in rows[1:]) == pytest.approx(1)
    assert [row[0] for row in rows[1:]] == [str(n) for n in range(17)]
    for bad in ({}, dict.fromkeys("abcde", FAIR)):
        with pytest.raises(SettingError, match="expected 1 to 4"):
            DistributionView(bad)


def test_wide_distributions_are_put_together_and_still_sum_to_one() -> None:
    wide = Distribution.of(dict.fromkeys(range(400), Fraction(1, 400)))
    view = DistributionView(wide)
    rows = list(csv.reader(io.StringIO(view._file(view._state, "distribution.csv", EN).text)))
    assert len(rows) < 170
    assert sum(float(row[1]) for row in rows[1:]) == pytest.approx(1)


def test_players_can_be_hidden_but_never_all_of_them() -> None:
    comparison = PolicyComparison(LAST, ["greedy", "builder"], language="en")
    for name in ("greedy", "builder"):
        comparison.act("set", name=name, value=False)
    assert comparison._state.shown.names == ("greedy",)
    comparison.act("set", name="builder", value=True)
    assert comparison._state.shown.names == ("builder",)
    games = comparison.simulate(5, seed=1)
    assert games == comparison.simulate(5, seed=1)
    assert games["builder"].low <= games["builder"].value <= games["builder"].high


def test_a_rule_of_ones_own_can_be_compared() -> None:
    def first_legal(state: Any) -> Any:
        from skyline_kernel.skyline import legal_actions

        return legal_actions(state)[0]

    comparison = PolicyComparison(LAST, {"mine": first_legal}, language="en")
    assert comparison.turns["mine"].total == 1
    assert comparison.simulate(2, seed=1) == {}


# --- sweeps -------------------------------------------------------------------------------------


def test_a_sweep_passes_through_the_value_of_the_dice_as_they_are() -> None:
    state = parse_position("m2,h3 G1U1P1 - take 9.1")
    points = sweep_faces(state, Kind.UPPER, Face.HIGH, instead_of=Face.LOW)
    assert [point.n_sides for point in points] == [0, 1, 2, 3, 4]
    assert points[1].exact == value(state, "turn").exact
    assert all(point.dice_set.n_sides(Kind.UPPER) == 6 for point in points)
    (one,) = sweep_faces(state, Kind.UPPER, Face.HIGH, instead_of=Face.LOW, sides=[2])
    assert one == points[2]
    with pytest.raises(SettingError, match="two different faces"):
        sweep_faces(state, Kind.UPPER, Face.LOW, instead_of=Face.LOW)
    with pytest.raises(SettingError, match="expected 0 to 4"):
        sweep_faces(state, Kind.UPPER, Face.HIGH, instead_of=Face.LOW, sides=[5])
    assert len(chart_rows(sweep_chart(points, Kind.UPPER, DE), DE)) == 5


def test_dice_of_the_standard_set_are_untouched() -> None:
    assert dice_set_toml(shipped_dice_set("standard")).startswith('name = "standard"')
