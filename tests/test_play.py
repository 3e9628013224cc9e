"""What a person does at the table: allowed or refused, selected, played, taken back."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import numpy as np
import pytest
from playing import (
    PERSON,
    ROBOT,
    TWO_TOWERS,
    USE,
    assert_sound,
    columns,
    dice,
    do,
    pick,
    play_at,
    refused,
    select,
    tables,
    whole_game,
)
from skyline_widgets.play import Target, perform, resume, step, verify_move

from skyline_kernel.errors import IllegalActionError, SettingError
from skyline_kernel.skyline import (
    Abandon,
    Build,
    Column,
    Demolish,
    Die,
    Reroll,
    Roll,
    Rules,
    Seat,
    parse_action,
    parse_rules,
    start_game,
)

DETAILS: dict[str, dict[str, Any]] = {
    "pick": {"kind": "G"},
    "unpick": {"kind": "G"},
    "select": {"die": 0, "on": True},
    "choose": {"column": 0},
}
COMMANDS = [
    "pick",
    "unpick",
    "take-district",
    "roll",
    "select",
    "build",
    "abandon",
    "demolish",
    "choose",
    "cancel",
    "undo",
    "end",
]

NO_TOWER = "There is no tower to choose now."
NO_UNDO = "There is nothing to take back: a roll is final."
NO_CHOICE = "Select at least one die first."
NO_BUILD = "Not all of the selected dice can be built."

SENTENCES = {
    "+": "",
    "p": "No such die has been picked.",
    "f": "Take dice first.",
    "t": "Dice are taken at the start of a turn.",
    "r": "Roll the dice first.",
    "d": "This die cannot be selected now.",
    "w": NO_TOWER,
    "n": NO_UNDO,
    "u": "Use at least one die first.",
    "c": NO_CHOICE,
    "b": NO_BUILD,
    "s": "You have no building to demolish.",
    "k": "One step holds one kind of action.",
    "m": "After a demolition, roll again or end the turn.",
    "o": "It is not your turn.",
    "e": "This turn is over: end it or take back.",
    "g": "The game is over.",
}
#: What each command answers on each table, in the order of `COMMANDS`: + if it is allowed,
#: else the letter of the sentence.
ANSWERS = {
    "take": "+p+fdfffw+nf",
    "picked": "+++fdfffw++f",
    "roll": "tpt+drrrw+nr",
    "use": "tptu+cccw+nu",
    "use, selected": "tptu++++w+nu",
    "use, unbuildable": "tptu+b++w+nu",
    "use, build where": "tptu+++++++u",
    "use, demolish which": "tptu+++++++u",
    "use, no skyline": "tptu+++sw+nu",
    "more": "tptc+cccw+++",
    "more, selected": "tpt+++++w+++",
    "printed, build": "tpt+++kkw+n+",
    "printed, abandon": "tpt++k+kw+n+",
    "printed, demolish": "tpt++mmmw+n+",
    "ended": "eeeeeeeeee++",
    "computer": "oooooooooooo",
    "over": "gggggggggggg",
}


@pytest.mark.parametrize("name", ANSWERS)
def test_every_command_in_every_phase(name: str) -> None:
    play = tables()[name]
    for word, letter in zip(COMMANDS, ANSWERS[name], strict=True):
        sentence = SENTENCES[letter]
        command = word.replace("-", " ")
        details = DETAILS.get(word, {})
        if sentence:
            assert refused(play, command, **details) == sentence, word
        else:
            before = copy.deepcopy(play)
            do(play, command, **details)
            assert play == before, f"{word} changed the table that it was given"


# --- malformed commands -----------------------------------------------------------------------

STRANGE: list[Any] = [
    None,
    True,
    False,
    -1,
    10**400,
    0.5,
    float("nan"),
    float("inf"),
    "",
    "0",
    "x" * 10_000,
    [],
    [0],
    {},
    {"a": 1},
    b"0",
]


@pytest.mark.parametrize("name", ["take", "use, selected", "use, build where", "ended"])
@pytest.mark.parametrize("value", STRANGE, ids=lambda value: repr(value)[:20])
def test_malformed_command_is_refused(name: str, value: Any) -> None:
    play = tables()[name]
    refused(play, value)
    refused(play, "pick", kind=value)
    refused(play, "unpick", kind=value)
    refused(play, "select", die=value, on=True)
    refused(play, "choose", column=value)


@pytest.mark.parametrize("value", STRANGE, ids=lambda value: repr(value)[:20])
def test_move_number_of_the_wrong_type_is_stale(value: Any) -> None:
    """True is 1 and False is 0 in Python; a command that says so was not sent by the page."""
    for play in (play_at(USE), do(select(play_at(USE), 1), "build")):
        assert refused(play, "undo", move=value).startswith("This was done already")


def test_command_without_a_name_or_a_move() -> None:
    play = play_at(USE)
    for command in ({}, {"move": 0}, {"do": "dance", "move": 0}):
        with pytest.raises(SettingError, match="there is no such command"):
            perform(play, command)
    with pytest.raises(IllegalActionError, match="done already"):
        perform(play, {"do": "undo"})


def test_command_for_a_move_that_is_gone() -> None:
    play = play_at("h1/m1 G1U1P1 - take 1.1 online")
    command = {"do": "take district", "move": 0}
    after = perform(play, command)
    with pytest.raises(IllegalActionError, match="the table has changed since"):
        perform(after, command)
    verify_move(after, {"move": 1})


# --- selecting --------------------------------------------------------------------------------


def test_several_dice_are_not_selected_after_a_roll() -> None:
    play = do(pick(play_at("h1/m1 G1U1P1 - take 1.1 online"), "GUP"), "roll")
    assert len(play.tray) == 3
    assert play.selected == frozenset()


def test_single_die_is_selected_after_a_roll() -> None:
    play = do(play_at("h1/m1 G1U1P1 U? roll 1.1 online"), "roll")
    assert play.selected == {play.tray[0].number}


def test_single_die_that_is_left_is_selected() -> None:
    play = do(select(play_at("h1/m1 G1U1P1 Gl,P- use 1.1 online"), 0), "abandon")
    assert play.selected == {1}
    assert refused(do(play, "select", die=1, on=False), "abandon") == NO_CHOICE


def test_single_die_of_a_computer_is_not_selected() -> None:
    play = play_at("h1/m1 G1U1P1 U? roll 1.2 online", seats=[PERSON, ROBOT])
    assert step(play, np.random.default_rng(1)).selected == frozenset()


def test_selecting_twice_selects_once() -> None:
    play = play_at(USE)
    once = do(play, "select", die=1, on=True)
    assert do(once, "select", die=1, on=True) == once
    assert do(once, "select", die=1, on=False) == play
    assert do(play, "select", die=1, on=False) == play


def test_selecting_lets_go_of_the_tower() -> None:
    waiting = do(select(play_at(TWO_TOWERS), 1), "build")
    assert waiting.target is not None
    assert do(waiting, "select", die=0, on=True).target is None


# --- two equal dice are two dice --------------------------------------------------------------

EQUAL = "h2,h1/m1 G1U1P1 Gl,Gl,Uh use 1.1 online"


@pytest.mark.parametrize("number", [0, 1])
def test_second_of_equal_dice_is_built(number: int) -> None:
    play = do(select(play_at(EQUAL), number), "build")
    assert [thing.number for thing in play.tray] == [1 - number, 2]


@pytest.mark.parametrize("number", [0, 1])
def test_second_of_equal_dice_is_abandoned(number: int) -> None:
    play = do(select(play_at(EQUAL), number), "abandon")
    assert [thing.number for thing in play.tray] == [1 - number, 2]


@pytest.mark.parametrize("number", [0, 1])
def test_second_of_equal_dice_is_demolished_with(number: int) -> None:
    play = do(do(select(play_at(EQUAL), number), "demolish"), "choose", column=0)
    assert [thing.number for thing in play.tray] == [1 - number, 2]


@pytest.mark.parametrize("number", [0, 1])
def test_second_of_equal_dice_is_built_on_a_chosen_tower(number: int) -> None:
    play = play_at("h2,h1/m1 G1U1P1 Uh,Uh,P- use 1.1 online")
    play = do(do(select(play, number), "build"), "choose", column=1)
    assert [thing.number for thing in play.tray] == [1 - number, 2]
    assert columns(play) == ["h2", "h2"]


@pytest.mark.parametrize("number", [0, 1])
def test_second_of_equal_dice_is_rolled_again(number: int) -> None:
    play = do(select(play_at(EQUAL), 2), "abandon")
    other = next(thing for thing in play.tray if thing.number == 1 - number)
    seen = set()
    for seed in range(20):
        again = do(select(play_at(EQUAL, seed=seed), 2), "abandon")
        again = do(select(again, number), "roll")
        assert other in again.tray
        seen |= {thing.die for thing in again.tray if thing.number == number}
    assert len(seen) > 1, "the die that was chosen is the one that is rolled"


def test_dice_that_are_kept_keep_number_and_place() -> None:
    play = play_at("h1/m1 G1U1P1 Gl,Gm,Uh,Uh,P- use 1.1 online", seed=5)
    play = do(select(play, 4), "abandon")
    kept = [thing for thing in play.tray if thing.number in (0, 2)]
    after = do(select(play, 1, 3), "roll")
    assert [thing.number for thing in after.tray] == [0, 1, 2, 3]
    assert [thing for thing in after.tray if thing.number in (0, 2)] == kept


# --- building ---------------------------------------------------------------------------------


def test_unique_target_is_built_on_at_once() -> None:
    play = do(select(play_at(USE), 1), "build")
    assert columns(play) == ["h2"]
    assert play.target is None


def test_equivalent_targets_are_built_on_at_once() -> None:
    play = do(select(play_at("m1,m1/m1 G1U1P1 Um,P- use 1.1 online"), 0), "build")
    assert columns(play) == ["m2", "m1"]
    assert play.target is None


@pytest.mark.parametrize(("index", "skyline"), [(0, ["h3", "h1"]), (1, ["h2", "h2"])])
def test_chosen_tower_is_built_on(index: int, skyline: list[str]) -> None:
    waiting = do(select(play_at(TWO_TOWERS), 1), "build")
    assert waiting.target == Target("build", 1, ())
    assert waiting.game.n_moves == 0
    assert columns(do(waiting, "choose", column=index)) == skyline


def test_tower_that_does_not_fit_is_refused() -> None:
    waiting = do(select(play_at("h2,h1,m1/m1 G1U1P1 Uh,P- use 1.1 online"), 0), "build")
    assert "does not fit" in refused(waiting, "choose", column=2)
    assert refused(waiting, "choose", column=3) == NO_TOWER


def test_build_asks_only_for_the_die_in_question() -> None:
    play = play_at("h2,h1/m1 G1U1P1 Gl,Uh,Ph use 1.1 online")
    waiting = do(select(play, 0, 1, 2), "build")
    assert columns(waiting) == ["h2", "h1", "l1"]
    assert waiting.target == Target("build", 1, (2,))
    assert waiting.selected == {1, 2}
    again = do(waiting, "choose", column=0)
    assert again.target is None, "the penthouse fits on one tower only"
    assert columns(again) == ["h1", "l1", "H4"]


def test_build_asks_again_for_the_next_die() -> None:
    play = play_at("h4,h3,h2/m1 G1U1P1 Uh,Uh,P- use 1.1 online")
    first = do(select(play, 0, 1), "build")
    second = do(first, "choose", column=2)
    assert second.target == Target("build", 1, ())
    assert columns(do(second, "choose", column=1)) == ["h4", "h4", "h3"]


def test_tower_that_leaves_no_tower_for_the_next_die() -> None:
    """Two penthouses and two towers, of which the upper floor must make one tall enough."""
    play = select(play_at("h2,h1/m1 G1U1P1 Uh,Ph,Ph use 1.1 online"), 0, 1, 2)
    after = do(do(play, "build"), "choose", column=0)
    assert columns(after) == ["h1", "H4"]
    assert after.target is None, "a die must not wait for a tower that there is not"
    assert after.selected == {2}
    assert refused(after, "build") == NO_BUILD


def test_build_only_if_all_can_be_built() -> None:
    play = play_at("h1/m1 G1U1P1 Gl,Um,Uh,P- use 1.1 online")
    assert refused(select(play, 0, 1, 2), "build") == NO_BUILD
    assert refused(select(play, 1), "build") == NO_BUILD
    assert columns(do(select(play, 0, 2), "build")) == ["h2", "l1"]


def test_build_on_the_ground_floor_that_is_built_with_it() -> None:
    play = select(play_at("-/m1 G1U1P1 Gl,Ul,P- use 1.1 online"), 0, 1)
    assert columns(do(play, "build")) == ["L2"]


# --- demolishing ------------------------------------------------------------------------------


def test_demolish_asks_for_a_tower_for_each_die() -> None:
    play = play_at("h2,m1,M2/m1 G1U1P1 Gl,Uh,P- use 1.1 online")
    first = do(select(play, 1, 2), "demolish")
    assert first.target == Target("demolish", 1, (2,))
    second = do(first, "choose", column=2)
    assert (columns(second), dice(second)) == (["h2", "m1"], ["Gl", "P-"])
    assert second.target == Target("demolish", 2, ())
    last = do(second, "choose", column=0)
    assert (columns(last), dice(last), last.target) == (["m1"], ["Gl"], None)
    assert last.marks == (0, 1)


def test_demolish_stops_with_the_last_building() -> None:
    play = select(play_at(USE), 0, 1, 2)
    after = do(do(play, "demolish"), "choose", column=0)
    assert (columns(after), after.target) == ([], None)
    assert dice(after) == ["Uh", "P-"]


def test_printed_demolish_asks_once_for_all_dice() -> None:
    play = play_at("h2,m1/m1 G1U1P1 Gl,Uh,P- use 1.1 printed")
    waiting = do(select(play, 0, 2), "demolish")
    after = do(waiting, "choose", column=1)
    assert (columns(after), dice(after), after.target) == (["h2"], ["Uh"], None)
    assert after.game.log[-1].action == parse_action("demolish Gl,P-@m1")
    assert after.marks == (0,)


def test_cancel_leaves_the_selection() -> None:
    for waiting in (tables()["use, build where"], tables()["use, demolish which"]):
        after = do(waiting, "cancel")
        assert (after.target, after.selected) == (None, waiting.selected)


# --- taking back ------------------------------------------------------------------------------


def test_each_build_has_its_own_undo() -> None:
    play = play_at("h1/m1 G1U1P1 Gl,Uh,Ph,P- use 1.1 online")
    built = do(select(play, 0, 1, 2), "build")
    seen = []
    while built.marks:
        seen.append(columns(built))
        built = do(built, "undo")
    assert seen == [["l1", "H3"], ["h2", "l1"], ["h1", "l1"]]
    assert built.game == play.game
    assert Counter(dice(built)) == Counter(dice(play))


def test_each_demolition_has_its_own_undo() -> None:
    play = play_at("h2,m1/m1 G1U1P1 Gl,Uh,P- use 1.1 online")
    after = do(do(do(select(play, 0, 1), "demolish"), "choose", column=0), "choose", column=0)
    assert columns(after) == []
    assert columns(do(after, "undo")) == ["m1"]
    assert columns(do(do(after, "undo"), "undo")) == ["h2", "m1"]


def test_abandoned_dice_come_back_together() -> None:
    play = play_at("h1/m1 G1U1P1 Gl,Uh,Um,P- use 1.1 online")
    after = do(select(play, 0, 1, 3), "abandon")
    assert after.game.n_moves == 3
    back = do(after, "undo")
    assert back.game == play.game
    assert Counter(dice(back)) == Counter(dice(play))
    assert refused(back, "undo") == NO_UNDO


def test_take_can_be_taken_back_before_the_roll() -> None:
    play = play_at("h1/m1 G1U1P1 - take 1.1 online")
    for taken in (pick(play, "GGP"), do(play, "take district")):
        assert do(taken, "undo") == play
        assert refused(do(taken, "roll"), "undo") == NO_UNDO


def test_undo_puts_picked_dice_back_first() -> None:
    play = tables()["picked"]
    assert do(play, "undo") == play_at("h1/m1 G1U1P1 - take 1.1 online")


def test_undo_lets_go_of_the_tower_first() -> None:
    play = do(select(play_at("h2,h1/m1 G1U1P1 Gl,Gl,Uh,P- use 1.1 online"), 0), "build")
    waiting = do(select(play, 2), "build")
    back = do(waiting, "undo")
    assert (back.target, back.game) == (None, play.game)


def test_roll_confirms_all_before_it() -> None:
    play = do(select(play_at(USE), 1), "build")
    assert refused(do(select(play, 0), "roll"), "undo") == NO_UNDO


def test_undo_and_the_same_again_meets_the_same_roll() -> None:
    play = do(select(play_at(USE, seed=77), 1), "build")
    rolled = do(select(play, 0, 2), "roll")
    other = do(select(do(play, "undo"), 1), "build")
    other = do(select(other, *(thing.number for thing in other.tray)), "roll")
    assert other.game == rolled.game


def test_undo_never_reaches_another_turn() -> None:
    play = do(select(play_at(USE), 1), "build")
    ended = do(play, "end")
    assert ended.acting_seat == 2
    assert refused(ended, "undo") == NO_UNDO
    assert refused(resume(ended.game), "undo") == NO_UNDO


# --- the end of a turn ------------------------------------------------------------------------


def test_turn_waits_after_the_last_die() -> None:
    play = tables()["ended"]
    assert (play.acting_seat, play.game.state.seat) == (1, 2)
    assert play.is_persons_turn
    back = do(play, "undo")
    assert (back.acting_seat, columns(back), dice(back)) == (1, ["h1"], ["Gl"])
    on = do(play, "end")
    assert (on.acting_seat, on.ended, on.marks) == (2, None, ())


def test_last_turn_waits_too() -> None:
    play = do(play_at("h1/m1 G1U1P1 Gl use 9.2 online"), "build")
    assert play.game.state.is_over
    assert not play.is_over
    assert not do(play, "undo").game.state.is_over
    assert do(play, "end").is_over


def test_computer_does_not_wait_for_the_end() -> None:
    play = play_at("h1/m1 G1U1P1 Gl use 1.2 online", seats=[PERSON, ROBOT])
    after = step(play, np.random.default_rng(1))
    assert (after.ended, after.acting_seat) == (None, 1)


def test_only_a_computer_is_stepped() -> None:
    for name in ("take", "ended", "over"):
        with pytest.raises(IllegalActionError, match="No computer player is to move"):
            step(tables()[name], np.random.default_rng(1))


def test_box_that_is_short_of_penthouses() -> None:
    play = play_at("h1/m1 G1U1P6 - take 1.1 online+box")
    one = pick(play, "P")
    assert refused(one, "pick", kind="P") == "The construction yard has no more of these dice."
    assert do(do(one, "unpick", kind="P"), "pick", kind="P") == one


# --- laying a game on the table in the middle -------------------------------------------------


@pytest.mark.parametrize("rules", ["online", "printed"])
def test_any_game_can_be_laid_on_the_table_in_the_middle(rules: str) -> None:
    for play in whole_game(parse_rules(rules), seed=3):
        again = resume(play.game)
        assert again.game == play.game
        assert Counter(dice(again)) == Counter(play.game.state.dice)
        assert_sound(again)
        undone = again
        while undone.marks:
            undone = do(undone, "undo")
        assert (
            not undone.game.log
            or undone.game.log[-1].ends_turn
            or isinstance(undone.game.log[-1].action, Roll)
        )


def test_game_by_commands_is_the_game_of_the_log() -> None:
    play = whole_game(Rules(), seed=8)[-1]
    replayed = start_game([Seat("Ada"), Seat("Bob")], seed=8)
    for entry in play.game.log:
        replayed = replayed.play(entry.action)
    assert replayed == play.game
    kinds = {type(entry.action) for entry in play.game.log}
    assert {Build, Abandon, Demolish, Reroll, Roll} <= kinds
    assert Die.GROUND_LOW in {
        entry.action.die for entry in play.game.log if isinstance(entry.action, Build)
    }
    assert Column.HIGH_1 in play.game.states[0].skylines[0]
