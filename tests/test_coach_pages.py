"""The review and the practice page say what the coach says."""

from __future__ import annotations

import json
import string
from typing import Any

import numpy as np
import pytest
from playing import game_at
from skyline_widgets import SkylineTable
from skyline_widgets.language import language_named
from skyline_widgets.words import say_sentence

from skyline_kernel.errors import IllegalActionError, RecordError, SettingError
from skyline_kernel.skyline import PLAYERS, ROLL, Game, Seat, parse_action, start_game
from skyline_kernel.skyline.coach.puzzles import judge, mistake_puzzles
from skyline_kernel.skyline.coach.review import review

EN, DE = language_named("en"), language_named("de")


@pytest.fixture(scope="module")
def game() -> Game:
    """A game of a person, who plays by the builder's rule, against the greedy player."""
    played = start_game([Seat("Ada"), Seat("Robo", "greedy")], seed=4)
    rng = np.random.default_rng(4)
    while not played.state.is_over:
        player = PLAYERS["builder" if played.seat.is_human else "greedy"]
        played = played.play(ROLL if played.state.is_chance else player(played.state, rng))
    return played


@pytest.fixture
def table(game: Game) -> SkylineTable:
    table = SkylineTable(game)
    table.act("turn to", page="review")
    return table


def reviewed(table: SkylineTable) -> dict[str, Any]:
    return dict(table.view["review"])


def puzzle(table: SkylineTable) -> dict[str, Any]:
    return dict(table.view["practice"]["puzzle"])


# --- review -----------------------------------------------------------------------------------


def test_review_lists_every_mistake_of_the_coach(table: SkylineTable, game: Game) -> None:
    found = review(game)
    shown = reviewed(table)["mistakes"]
    assert [one["entry"] for one in shown] == [one.entry for one in found.mistakes()]
    assert all(one["action"] != one["best"] for one in shown)


def test_ledger_on_the_page_adds_up(table: SkylineTable) -> None:
    for seat in reviewed(table)["seats"]:
        *terms, (_, result) = seat["ledger"]
        amounts = [float(amount.replace("\u2212", "-")) for _, amount in terms]
        assert sum(amounts) == pytest.approx(float(result), abs=0.005 * len(seat["ledger"]))


def test_reasons_open_and_close_again(table: SkylineTable, game: Game) -> None:
    entry = reviewed(table)["mistakes"][0]["entry"]
    table.act("why", entry=entry)
    opened = reviewed(table)["mistakes"][0]
    assert opened["is_open"]
    assert opened["why"]
    table.act("why", entry=entry)
    assert not reviewed(table)["mistakes"][0]["is_open"]
    with pytest.raises(SettingError):
        table.act("why", entry=game.n_moves + 7)


def test_bands_can_be_set_and_take_effect_at_once(table: SkylineTable) -> None:
    before = len(reviewed(table)["mistakes"])
    table.act("bands", inaccuracy=2, mistake=4, blunder=6)
    after = reviewed(table)
    assert len(after["mistakes"]) < before
    with pytest.raises(SettingError):
        table.act("bands", inaccuracy=5, mistake=4, blunder=6)
    with pytest.raises(SettingError):
        table.act("bands", inaccuracy="a", mistake=4, blunder=6)
    assert reviewed(table) == after


def test_chart_and_its_table_show_the_same(table: SkylineTable, game: Game) -> None:
    chart = reviewed(table)["chart"]
    assert all(len(line) == game.n_moves + 1 for line in chart["lines"])
    last = [EN.number(line[-1]) for line in chart["lines"]]
    assert chart["rows"][-1][1:] == last
    assert len(chart["rows"]) == game.state.round


def test_position_of_a_decision_can_be_shown_and_left(table: SkylineTable) -> None:
    entry = reviewed(table)["mistakes"][0]["entry"]
    table.act("replay", to=entry)
    assert table.view["game"]["replay"]["move"] == entry
    table.act("replay", to=None)
    assert table.view["review"] is not None
    table.act("turn to", page=None)
    assert table.view["game"] is not None


def test_review_needs_a_game_and_pages_have_names() -> None:
    with pytest.raises(SettingError):
        SkylineTable().act("turn to", page="review")
    with pytest.raises(SettingError):
        SkylineTable().act("turn to", page="elsewhere")


# --- practice ---------------------------------------------------------------------------------


def test_every_mistake_of_the_person_is_offered(table: SkylineTable, game: Game) -> None:
    expected = mistake_puzzles(review(game), 1)
    table.act("practise mistakes")
    assert table.view["practice"]["n_waiting"] == len(expected) - 1
    for _ in expected[1:]:
        table.act("next puzzle")
    with pytest.raises(SettingError):
        table.act("next puzzle")


def test_answer_is_hidden_until_it_is_found(table: SkylineTable, game: Game) -> None:
    table.act("practise mistakes")
    first = mistake_puzzles(review(game), 1)[0]
    shown = puzzle(table)
    assert not any(option["best"] or option["tried"] for option in shown["options"])
    assert not shown["played"]
    assert not shown["why"]
    judged = {
        option["action"]: judge(first, parse_action(option["action"]))
        for option in shown["options"]
    }
    wrong = next(text for text, one in judged.items() if one.loss > 0)
    right = next(text for text, one in judged.items() if one.loss == 0)
    table.act("answer", action=wrong)
    tried = puzzle(table)
    assert EN.number(judged[wrong].loss) in tried["verdict"]
    assert not any(option["best"] for option in tried["options"])
    table.act("answer", action=right)
    solved = puzzle(table)
    assert solved["is_solved"]
    assert solved["why"]
    assert {o["action"] for o in solved["options"] if o["best"]} == {
        text for text, one in judged.items() if one.loss == 0
    }
    with pytest.raises(IllegalActionError):
        table.act("answer", action=right)


def test_answer_can_be_taken_back_and_shown() -> None:
    table = SkylineTable()
    table.act("turn to", page="practice")
    table.act("new puzzle", theme="which column", difficulty="easy")
    with pytest.raises(IllegalActionError):
        table.act("withdraw")
    table.act("answer", action=puzzle(table)["options"][0]["action"])
    table.act("withdraw")
    assert not puzzle(table)["verdict"]
    table.act("reveal")
    assert any(option["best"] for option in puzzle(table)["options"])


def test_progress_is_kept_and_comes_back() -> None:
    table = SkylineTable()
    table.act("turn to", page="practice")
    table.act("daily puzzle")
    table.act("reveal")
    kept = table.progress
    assert json.loads(kept)["practised"]
    again = SkylineTable()
    again.act("turn to", page="practice")
    again.act("progress", text=kept)
    assert again.view["practice"]["progress"] == table.view["practice"]["progress"]
    with pytest.raises(RecordError):
        SkylineTable().act("progress", text="{}")


def test_wrong_wishes_are_refused_and_change_nothing() -> None:
    table = SkylineTable()
    table.act("turn to", page="practice")
    before = table.view
    for wish in (
        {"do": "new puzzle", "theme": "x", "difficulty": "easy"},
        {"do": "answer", "action": "end"},
        {"do": "next puzzle"},
        {"do": "practise mistakes"},
    ):
        with pytest.raises(SettingError):
            table.act(wish.pop("do"), **wish)
        assert table.view == before


# --- both languages ---------------------------------------------------------------------------


def test_reasons_are_said_in_german_with_the_same_numbers(game: Game) -> None:
    from skyline_kernel.skyline.coach.reasons import explain

    for decision in review(game).mistakes(1)[:6]:
        for clause in explain(decision.state, decision.action, decision.best[0]).clauses:
            english, german = say_sentence(clause.sentence, EN), say_sentence(clause.sentence, DE)
            assert english != german
            assert "{" not in german
            digits = [n for n in _numbers(english) if n != "."]
            assert digits == _numbers(german.replace(",", "."))


def _numbers(text: str) -> list[str]:
    kept = "".join(c if c in string.digits + "." else " " for c in text)
    return sorted(n.strip(".") for n in kept.split() if n.strip("."))


def test_pages_are_plain_data_in_both_languages(game: Game) -> None:
    for language in ("de", "en"):
        table = SkylineTable(game, language=language)
        table.act("turn to", page="review")
        json.dumps(table.view)
        table.act("practise mistakes")
        json.dumps(table.view)


def test_dice_that_are_not_solved_have_no_review(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from skyline_kernel.skyline.solver import store

    monkeypatch.setattr(store, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(store, "_tables", {})
    table = SkylineTable(game_at("h3/- G1U1P1 Uh more 4.1 online+blank-upper"))
    with pytest.raises(SettingError):
        table.act("turn to", page="review")
