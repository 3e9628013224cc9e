"""Computer players: always legal, never stuck, and of the strength that their names promise."""

from itertools import pairwise

import numpy as np
import pytest
from game_tools import played
from hypothesis import given
from hypothesis import strategies as st
from sound_states import STEADY, states
from tables import ALL_RULES, at, legal

from skyline_kernel.skyline import (
    PLAYERS,
    DiceSet,
    Die,
    SettingError,
    State,
    can,
    format_action,
    legal_actions,
    new_game,
    parse_rules,
    play_out,
    player_named,
    points,
)

every_player = pytest.mark.parametrize("name", sorted(PLAYERS))
BLANKS = DiceSet("blanks", ((0, 0, 0, 1),) * 3)


@every_player
@STEADY
@given(state=states(), seed=st.integers(0, 99))
def test_every_choice_is_legal_in_every_position(name: str, state: State, seed: int) -> None:
    if state.is_over or state.is_chance:
        return
    before = hash(state)
    assert can(state, PLAYERS[name](state, np.random.default_rng(seed)))
    assert hash(state) == before


@every_player
@pytest.mark.parametrize("rules", ALL_RULES)
def test_every_game_comes_to_its_end(name: str, rules: str) -> None:
    first = new_game(2, parse_rules(rules))
    final = play_out(first, (PLAYERS[name],) * 2, np.random.default_rng(1))
    assert final.is_over
    assert final.rules == first.rules


@every_player
@pytest.mark.parametrize(
    "position",
    [
        "- G30U30P30 - take 5.1",
        "h5,m3,l1 G1U1P1 " + ",".join(sorted(["Gl", "Um", "Uh", "Ph", "P-"] * 12)) + " use 5.1",
        "- G1U1P1 " + ",".join(["P-"] * 90) + " more:abandon 5.1 printed",
        "- G0U0P7 - take 9.1 online+box",
        ",".join(["h5"] * 7 + ["l1"] * 18) + " G0U0P0 - take 2.1 printed+box",
    ],
)
def test_giant_districts_and_an_exhausted_box_are_played(name: str, position: str) -> None:
    state = at(position)
    action = PLAYERS[name](state, np.random.default_rng(0))
    assert can(state, action)
    assert play_out(state, (PLAYERS[name],), np.random.default_rng(0)).is_over


@every_player
@pytest.mark.parametrize("edition", ["online", "printed"])
def test_dice_without_any_style_are_played(name: str, edition: str) -> None:
    first = new_game(3, parse_rules(f"{edition}+blanks", [BLANKS]))
    final = play_out(first, (PLAYERS[name],) * 3, np.random.default_rng(0))
    assert final.is_over


@every_player
def test_a_player_of_one_seed_plays_one_game(name: str) -> None:
    finals = {
        play_out(new_game(2), (PLAYERS[name],) * 2, np.random.default_rng(7)) for _ in range(2)
    }
    assert len(finals) == 1


def test_random_chooses_each_action_as_often() -> None:
    from scipy.stats import chisquare

    state = at("m1 G1U1P1 Gl,Um more 1.1")
    rng = np.random.default_rng(3)
    chosen = [format_action(PLAYERS["random"](state, rng)) for _ in range(2700)]
    counts = [chosen.count(action) for action in legal(state)]
    assert sum(counts) == 2700
    assert chisquare(counts).pvalue > 0.001


@pytest.mark.parametrize(
    ("position", "action"),
    [
        ("h5,l1 G1U1P1 Ul,Ph use 1.1", "build Ph@h5"),
        ("m3,m1 G1U1P1 Pm use 1.1", "build Pm@m3"),
        ("m3,l1 G1U1P1 Um,Ul use 1.1", "build Ul@l1"),
        ("h1 G1U1P1 Gl,Gm use 1.1", "build Gl"),
        ("h1 G1U1P1 Gm,Ul more 1.1", "reroll Gm,Ul"),
    ],
)
def test_greedy_takes_the_most_points_now(position: str, action: str) -> None:
    assert format_action(PLAYERS["greedy"](at(position), np.random.default_rng(0))) == action


@pytest.mark.parametrize(
    ("position", "action"),
    [
        ("h2 G1U1P1 Uh,Ph use 1.1", "build Uh@h2"),
        ("h4 G1U1P1 Ph use 1.1", "build Ph@h4"),
        ("h2 G1U1P1 Ph use 1.1", "abandon Ph"),
        ("h2 G1U1P1 Ph use 8.1", "build Ph@h2"),
        ("- G2U2P1 - take 1.1", "take district"),
        ("- G1U1P1 - take 1.1", "take GUU"),
    ],
)
def test_builder_follows_its_rule_of_thumb(position: str, action: str) -> None:
    assert format_action(PLAYERS["builder"](at(position), np.random.default_rng(0))) == action


def test_players_do_not_see_what_they_cannot_know() -> None:
    # A player is given a position and a generator, and neither holds the seed of the game.
    first = played(parse_rules("online"), ["builder"], seed=1, n_moves=1)
    second = played(parse_rules("online"), ["builder"], seed=2, n_moves=1)
    assert first.log == second.log


def test_an_unknown_player_is_refused() -> None:
    with pytest.raises(SettingError, match="expected one of random, greedy, builder"):
        player_named("master")


def mean_score(name: str, rules: str, n_games: int) -> tuple[float, float]:
    """Return mean and standard error of the final score of a player alone."""
    rng = np.random.default_rng(2024)
    first = new_game(1, parse_rules(rules))
    scores = [points(play_out(first, (PLAYERS[name],), rng).skylines[0]) for _ in range(n_games)]
    return float(np.mean(scores)), float(np.std(scores) / n_games**0.5)


@pytest.mark.parametrize("rules", ["online", "printed+nine"])
def test_random_is_weaker_than_greedy_and_greedy_than_builder(rules: str) -> None:
    strength = [mean_score(name, rules, 60) for name in ("random", "greedy", "builder")]
    for (weak, weak_error), (strong, strong_error) in pairwise(strength):
        assert strong - weak > 3 * (weak_error**2 + strong_error**2) ** 0.5


@pytest.mark.parametrize(("weak", "strong"), [("random", "greedy"), ("greedy", "builder")])
def test_the_stronger_player_wins_most_games_from_either_seat(weak: str, strong: str) -> None:
    rng = np.random.default_rng(12)
    wins = 0
    for number in range(40):
        seats = (PLAYERS[weak], PLAYERS[strong])[:: 1 if number % 2 else -1]
        final = play_out(new_game(2), seats, rng)
        gap = points(final.skylines[0]) - points(final.skylines[1])
        wins += (gap < 0) if number % 2 else (gap > 0)
    # By chance alone 30 of 40 or more would be won once in a thousand times.
    assert wins >= 30


def test_every_face_of_every_die_is_met_by_the_players() -> None:
    game = played(parse_rules("online+blank-upper"), ["random"] * 4, seed=3)
    seen = {die for state in game.states for die in state.dice}
    assert seen == {die for die in Die if die.value not in ("G-", "Pl")}
    assert len(legal_actions(game.state)) == 0
