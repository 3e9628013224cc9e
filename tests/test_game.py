"""A game with its seats, its seed, its log and its undo."""

import copy
import pickle

import pytest
from game_tools import played
from hypothesis import given
from hypothesis import strategies as st
from sound_states import STEADY
from tables import ALL_RULES

from skyline_kernel.rolls import MAX_SEED
from skyline_kernel.skyline import (
    Game,
    IllegalActionError,
    Roll,
    Seat,
    SettingError,
    format_position,
    legal_actions,
    new_game,
    parse_action,
    parse_rules,
    start_game,
    successor,
)


def game_for_one(seed: int = 0, *actions: str) -> Game:
    """Play some actions of a game for one person."""
    game = start_game([Seat("Ida")], seed=seed)
    for action in actions:
        game = game.play(parse_action(action))
    return game


def outcome(game: Game) -> object:
    """Return what the last roll showed."""
    action = game.log[-1].action
    assert isinstance(action, Roll)
    return action.outcome


# --- rolls of a game --------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ALL_RULES)
def test_two_games_from_one_seed_are_equal(rules: str) -> None:
    first = played(parse_rules(rules), ["builder", "random"], seed=5, n_moves=80)
    assert played(parse_rules(rules), ["builder", "random"], seed=5, n_moves=80) == first
    assert played(parse_rules(rules), ["builder", "random"], seed=6, n_moves=80) != first


@pytest.mark.parametrize("rules", ALL_RULES)
def test_known_fault_a_seeded_game_keeps_its_rules_and_options(rules: str) -> None:
    in_force = parse_rules(rules)
    game = start_game([Seat("A"), Seat("B")], in_force, seed=3)
    assert game.rules == in_force
    assert game.state == new_game(2, in_force)
    for action in ("take GGG", "roll"):
        game = game.play(parse_action(action))
    assert format_position(game.state).endswith(f" {rules}")
    assert start_game(game.seats, game.rules, seed=game.seed).rules == in_force


@STEADY
@given(st.integers(0, MAX_SEED), st.sampled_from(["GGG", "GGU", "GUP", "GPP"]))
def test_known_fault_undo_before_a_roll_never_changes_what_it_shows(seed: int, kinds: str) -> None:
    # One kind of die shows the same faces whatever is taken instead, as far as it goes.
    plain = game_for_one(seed, "take GGG", "roll")
    undone = game_for_one(seed, f"take {kinds}").undo().play(parse_action("take GGG"))
    assert outcome(undone.play(parse_action("roll"))) == outcome(plain)


@STEADY
@given(st.integers(0, MAX_SEED))
def test_known_fault_undo_between_rolls_never_changes_the_next_one(seed: int) -> None:
    game = game_for_one(seed, "take GUU", "roll")
    die, *others = game.state.dice
    used = game.play(parse_action(f"abandon {others[0]}"))
    again = used.play(parse_action(f"reroll {die}")).play(parse_action("roll"))
    detour = used.undo().play(parse_action(f"demolish {die}@h1")).undo()
    detour = detour.play(parse_action(f"abandon {others[0]}"))
    detour = detour.play(parse_action(f"reroll {die},{others[1]}")).undo()
    detour = detour.play(parse_action(f"reroll {die}")).play(parse_action("roll"))
    assert detour == again


def test_known_fault_games_of_other_seeds_roll_otherwise() -> None:
    shown = {outcome(game_for_one(seed, "take GUU", "roll")) for seed in range(40)}
    assert len(shown) > 8


def test_the_rolls_of_a_game_are_numbered_from_zero() -> None:
    from skyline_kernel.skyline import numbered_roll

    game = played(parse_rules("online"), ["builder", "greedy"], seed=8)
    number = 0
    for state, entry in zip(game.states, game.log, strict=False):
        if isinstance(entry.action, Roll):
            assert entry.action == numbered_roll(state, 8, number)
            number += 1
    assert game.n_rolls == number


def test_a_roll_that_the_seed_does_not_give_is_refused() -> None:
    game = game_for_one(0, "take GGG")
    due = game.play(parse_action("roll"))
    assert game.play(due.log[-1].action) == due
    others = [roll for roll in legal_actions(game.state) if roll != due.log[-1].action]
    for roll in others:
        with pytest.raises(IllegalActionError, match="another roll"):
            game.play(roll)


# --- playing ----------------------------------------------------------------------------------


def test_a_game_holds_every_position_and_a_record_of_every_action() -> None:
    game = played(parse_rules("printed"), ["random", "builder"], seed=1)
    assert len(game.states) == len(game.log) + 1 == game.n_moves + 1
    for before, entry, after in zip(game.states, game.log, game.states[1:], strict=False):
        assert successor(before, entry.action) == after
        assert (entry.round, entry.seat) == (before.round, before.seat)
        assert entry.ends_turn == (after.phase in ("take", "over"))
    assert [entry.ends_game for entry in game.log].count(True) == 1
    assert game.log[-1].ends_game


def test_playing_leaves_the_game_before_as_it_was() -> None:
    game = game_for_one(0, "take GGU")
    before = copy.deepcopy(game)
    game.play(parse_action("roll"))
    with pytest.raises(IllegalActionError):
        game.play(parse_action("end"))
    assert game == before


@pytest.mark.parametrize("action", ["roll", "end", "build Gl", "reroll Gl"])
def test_an_action_out_of_turn_is_refused(action: str) -> None:
    with pytest.raises(IllegalActionError, match="expected take"):
        game_for_one().play(parse_action(action))


def test_known_fault_the_same_action_twice_is_refused_the_second_time() -> None:
    game = game_for_one(0, "take GGU")
    with pytest.raises(IllegalActionError):
        game.play(parse_action("take GGU"))
    rolled = game.play(parse_action("roll"))
    with pytest.raises(IllegalActionError):
        rolled.play(parse_action("roll"))


def test_known_fault_the_second_of_two_equal_dice_is_used_once() -> None:
    from tables import after

    position = "m1,m1 G1U1P1 Um,Um,P- use 1.1"
    assert after(position, "build Um@m1") == "m2,m1 G1U1P1 Um,P- more 1.1"
    assert after(position, "build Um@m1", "build Um@m1") == "m2,m2 G1U1P1 P- more 1.1"
    assert after(position, "abandon Um", "reroll Um", "roll=Ul") == "m1,m1 G1U2P1 Ul,P- use 1.1"


def test_a_game_survives_the_way_between_processes() -> None:
    game = game_for_one(0, "take GGU", "roll")
    assert pickle.loads(pickle.dumps(game)) == game
    with pytest.raises(IllegalActionError) as caught:
        game.play(parse_action("end"))
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again)) == (IllegalActionError, str(caught.value))


# --- undo -------------------------------------------------------------------------------------


def test_undo_takes_back_one_decision_at_a_time_down_to_the_last_roll() -> None:
    rolled = game_for_one(0, "take GGU", "roll")
    first = rolled.play(parse_action("abandon Gl"))
    second = first.play(parse_action("end"))
    assert second.can_undo
    assert second.undo() == first
    assert second.undo().undo() == rolled
    assert not rolled.can_undo
    with pytest.raises(IllegalActionError, match="a roll cannot be taken back"):
        rolled.undo()


def test_undo_of_nothing_is_refused() -> None:
    game = game_for_one()
    assert not game.can_undo
    with pytest.raises(IllegalActionError, match="nothing has been played"):
        game.undo()


def test_undo_of_what_was_taken_is_possible_before_the_roll() -> None:
    assert game_for_one(0, "take GGU").undo() == game_for_one()


def test_undo_of_the_last_action_reopens_a_game_that_is_over() -> None:
    game = played(parse_rules("online"), ["builder"], seed=2)
    assert game.state.is_over
    assert not game.undo().state.is_over


# --- seats ------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_seats", [0, 5])
def test_one_to_four_sit_at_the_table(n_seats: int) -> None:
    with pytest.raises(SettingError, match="expected 1 to 4"):
        start_game([Seat("A")] * n_seats, seed=0)


@pytest.mark.parametrize(
    "name",
    ["", " ", "A ", " A", "A\nB", "A\tB", "\0", "x" * 41, "\u202eA", "\ud800", "\u200d", None, 7],
)
def test_names_that_will_not_do_are_refused(name: str) -> None:
    with pytest.raises(SettingError, match="expected 1 to 40 visible characters") as caught:
        start_game([Seat("A"), Seat(name)], seed=0)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "name", ["A", "x" * 40, "Jörg Ø", "東京", "🏙", "👨\u200d👩\u200d👧", "O'Neil <b>"]
)
def test_other_names_will_do(name: str) -> None:
    assert start_game([Seat(name)], seed=0).seat.name == name


@pytest.mark.parametrize("player", ["", "Human", "chess", None, "builder "])
def test_players_that_do_not_exist_are_refused(player: str) -> None:
    with pytest.raises(SettingError, match="expected one of human, random, greedy, builder"):
        start_game([Seat("A", player)], seed=0)


@pytest.mark.parametrize("seed", [-1, 2**53, 0.5, "0", None, False])
def test_seeds_that_will_not_do_are_refused(seed: int) -> None:
    with pytest.raises(SettingError, match="expected a whole number"):
        start_game([Seat("A")], seed=seed)


def test_known_fault_seed_zero_is_a_seed() -> None:
    assert start_game([Seat("A")], seed=0).seed == 0


def test_a_person_is_not_decided_for_but_the_dice_are_rolled() -> None:
    import numpy as np

    rng = np.random.default_rng(0)
    with pytest.raises(SettingError, match="human"):
        game_for_one().computer_action(rng)
    rolling = game_for_one(0, "take GGU")
    assert rolling.play(rolling.computer_action(rng)) == game_for_one(0, "take GGU", "roll")


def test_the_seat_to_move_is_told() -> None:
    game = start_game([Seat("A"), Seat("B", "random")], seed=0)
    assert (game.seat.name, game.seat.is_human) == ("A", True)
    for action in ("take GGG", "roll"):
        game = game.play(parse_action(action))
    game = game.play(parse_action(f"abandon {game.state.dice[0]}")).play(parse_action("end"))
    assert (game.seat.name, game.seat.is_human) == ("B", False)
