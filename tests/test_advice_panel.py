"""The advice panel and the tutor: always about the position on the table, and true."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from playing import USE, game_at
from skyline_widgets import SkylineTable
from skyline_widgets.advice_view import advice_view, outlook_view
from skyline_widgets.language import language_named
from skyline_widgets.play import resume
from skyline_widgets.tutor import Cost, is_worth_asking

from skyline_kernel.errors import IllegalActionError, NotationError, SettingError
from skyline_kernel.skyline import (
    chance_outcomes,
    format_action,
    legal_actions,
    odds_of,
    parse_action,
    parse_position,
    successor,
)
from skyline_kernel.skyline.advice import advise

EN = language_named("en")
MORE = "h3,m2/- G1U1P1 Gl,Uh,P- more 4.1 online"
TAKE = "h3,m2/- G1U1P1 - take 4.1 online"


def table_at(position: str, **settings: Any) -> SkylineTable:
    return SkylineTable(game_at(position), **settings)


def advice_of(table: SkylineTable) -> dict[str, Any]:
    advice = table.view["game"]["advice"]
    assert advice is not None
    return dict(advice)


# --- the panel --------------------------------------------------------------------------------


@pytest.mark.parametrize("objective", ["score", "turn", "margin"])
@pytest.mark.parametrize("position", [TAKE, USE, MORE])
def test_full_advice_ranks_every_legal_action_as_the_kernel_does(
    position: str, objective: str
) -> None:
    table = table_at(position, advice="full", objective=objective)
    state = parse_position(position)
    ranked = advise(state, objective).actions
    rows = advice_of(table)["rows"]
    assert [row["action"] for row in rows] == [format_action(one.action) for one in ranked]
    assert len(rows) == len(legal_actions(state))
    assert [row["value"] for row in rows] == [EN.number(one.value) for one in ranked]
    assert [row["best"] for row in rows] == [one.loss == 0 for one in ranked]
    for row in rows:
        odds = odds_of(state, parse_action(row["action"]))
        assert row["fraction"] == ("" if odds is None else str(odds.build))


def test_hint_names_the_best_actions_and_no_number() -> None:
    rows = advice_of(table_at(MORE, advice="hint"))["rows"]
    best = [
        format_action(one.action) for one in advise(parse_position(MORE)).actions if one.is_best
    ]
    assert [row["action"] for row in rows] == best
    assert not any("value" in row for row in rows)


def test_no_advice_when_it_is_off_or_a_computer_is_to_move() -> None:
    assert table_at(MORE).view["game"]["advice"] is None
    table = SkylineTable(advice="full")
    seats = [{"name": "A", "player": "builder"}, {"name": "B", "player": "human"}]
    table.act("start", seats=seats)
    assert table.view["game"]["advice"] is None


def test_known_fault_advice_is_never_stale() -> None:
    table = table_at(MORE, advice="full")
    first = advice_of(table)
    table.act("select", die=0, on=True)
    assert advice_of(table) == first
    table.act("abandon")
    after = advice_of(table)
    state = parse_position(table.position)
    assert after["rows"][0]["action"] == format_action(advise(state).actions[0].action)
    assert after != first
    table.act("undo")
    assert advice_of(table) == first
    table.objective = "turn"
    assert advice_of(table)["value"] != first["value"]
    table.objective = "score"
    table.language = "de"
    assert advice_of(table)["rows"][0]["value"] == first["rows"][0]["value"].replace(".", ",")


def test_known_fault_a_loss_of_zero_is_shown() -> None:
    rows = advice_of(table_at(MORE, advice="full"))["rows"]
    assert rows[0]["share"] == 0
    assert rows[0]["loss"] == "–"


def test_dice_without_a_table_say_so_and_can_be_solved(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from skyline_kernel.skyline.solver import store

    monkeypatch.setattr(store, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(store, "_tables", {})
    play = resume(game_at("h3/- G1U1P1 Uh more 4.1 online+blank-upper"))
    view = advice_view(play, "full", "score", EN)
    assert view is not None
    assert view["unsolved"]
    turn = advice_view(play, "full", "turn", EN)
    assert turn is not None
    assert turn["rows"]


# --- what may come of it ----------------------------------------------------------------------


def test_outlook_lists_outcomes_with_exact_chances_and_the_best_answer() -> None:
    play = resume(game_at(MORE))
    view = outlook_view(play, "reroll Uh,P-", "score", EN)
    after = successor(parse_position(MORE), parse_action("reroll Uh,P-"))
    expected = {",".join(roll.outcome or ()): chance for roll, chance in chance_outcomes(after)}
    shown = {",".join(row["dice"]): Fraction(row["fraction"]) for row in view["rows"]}
    assert shown == expected
    assert sum(shown.values()) == 1
    assert [row["share"] for row in view["rows"]] == sorted(
        (float(chance) for chance in expected.values()), reverse=True
    )
    for row in view["rows"]:
        roll = parse_action("roll=" + ",".join(row["dice"]))
        best = advise(successor(after, roll))
        assert row["best"]["action"] == format_action(best.actions[0].action)
        assert row["value"] == EN.number(best.value)


def test_outlook_of_many_outcomes_sums_up_the_rest() -> None:
    view = outlook_view(resume(game_at("- G3U3P2 - take 4.1 online")), "take district", "turn", EN)
    shown = sum(Fraction(row["fraction"]) for row in view["rows"])
    assert shown < 1
    assert view["rest"].endswith(EN.percent(1 - shown))


@pytest.mark.parametrize(("text", "error"), [("jump", NotationError), ("end", IllegalActionError)])
def test_outlook_of_what_cannot_be_done_is_one_sentence(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        outlook_view(resume(game_at(USE)), text, "score", EN)


# --- the tutor --------------------------------------------------------------------------------


def test_tutor_holds_a_costly_choice_until_it_is_confirmed() -> None:
    table = table_at(MORE, tutor="always")
    before = table.position
    table.act("end")
    warning = table.view["game"]["warning"]
    loss = advise(parse_position(MORE)).of(parse_action("end")).loss
    assert EN.number(loss) in warning["text"]
    assert table.position == before
    table.act("confirm")
    assert table.view["game"]["warning"] is None
    assert table.position != before


def test_tutor_lets_the_person_think_again() -> None:
    table = table_at(MORE, tutor="always")
    before = table.game
    table.act("end")
    table.act("decline")
    assert table.view["game"]["warning"] is None
    assert table.game == before
    with pytest.raises(SettingError):
        table.act("confirm")


def test_tutor_never_blames_a_choice_as_good_as_the_best() -> None:
    state = parse_position(USE)
    best = advise(state).best
    assert best is not None
    table = table_at(USE, tutor="always")
    die = format_action(best).split()[1].split("@")[0]
    number = next(t["number"] for t in table.view["game"]["tray"] if t["die"] == die)
    table.act("select", die=number, on=True)
    table.act(format_action(best).split()[0])
    assert table.view["game"]["warning"] is None
    assert table.game is not None
    assert table.game.n_moves == 1


def test_tutor_that_asks_before_blunders_lets_small_losses_pass() -> None:
    assert not is_worth_asking(Cost(0.4, None), "blunders")
    assert is_worth_asking(Cost(1.5, None), "blunders")
    assert is_worth_asking(Cost(1e-6, None), "always")
    assert not is_worth_asking(Cost(0.0, None), "always")
    assert not is_worth_asking(Cost(9.0, None), "off")


def test_what_the_panel_sends_is_plain_data() -> None:
    table = table_at(MORE, advice="full", tutor="always")
    table.act("look", action="reroll Uh")
    table.act("end")
    json.dumps([table.view, table.outlook])
