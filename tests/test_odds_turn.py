"""The points that a turn shows at its end, against recursions that do nothing cleverly."""

from collections import defaultdict
from fractions import Fraction

import pytest
from brute_force import action_values
from hypothesis import given
from hypothesis import strategies as st
from sound_states import STEADY, states
from tables import at

from skyline_kernel.skyline import (
    END,
    IllegalActionError,
    Phase,
    SettingError,
    State,
    chance_outcomes,
    points,
    successor,
)
from skyline_kernel.skyline.advice import value
from skyline_kernel.skyline.turn_odds import (
    Policy,
    best_policy,
    best_turn_distribution,
    policy_of,
    turn_distribution,
    turn_ends,
)

SMALL = [
    "- G1U1P1 - take 9.1 online",
    "h2,m1,l1 G1U1P1 - take 4.1 printed",
    "h5,m2 G1U1P1 Gl,Uh,Ph use 9.1 online",
    "h3,m2 G2U1P1 Gm,Um,Pl more 8.1 online+uniform",
    "h3,m2 G2U1P1 Gm,Um,Pl more:build 8.1 printed+uniform",
    "h3,m2 G2U1P1 Gm,Um,P- more:abandon 8.1 printed",
    "m2,l1 G1U1P1 Gm,U?,P? roll 2.1 online+nine+blank-upper",
    "h1,m1/m3,L2 G1U2P1 U?,U?,P? roll 2.2 online",
]


def naive_shown(state: State, policy: Policy, seat: int) -> dict[int, Fraction]:
    """Follow every path to the end of the turn, one by one."""
    if state.phase in (Phase.TAKE, Phase.OVER) or state.seat != seat:
        return {points(state.skylines[seat - 1]): Fraction(1)}
    chances: dict[int, Fraction] = defaultdict(Fraction)
    after = (
        [(successor(state, policy(state)), Fraction(1))]
        if not state.is_chance
        else [(successor(state, roll), chance) for roll, chance in chance_outcomes(state)]
    )
    for follower, probability in after:
        for shown, chance in naive_shown(follower, policy, seat).items():
            chances[shown] += probability * chance
    return dict(chances)


def begun(state: State, policy: Policy) -> State:
    return successor(state, policy(state)) if state.phase is Phase.TAKE else state


@pytest.mark.parametrize("position", SMALL)
@pytest.mark.parametrize("name", ["greedy", "builder"])
def test_given_play_path_by_path(position: str, name: str) -> None:
    state, policy = at(position), policy_of(name)
    shown = turn_distribution(state, policy)
    assert dict(zip(shown.values, shown.probabilities, strict=True)) == naive_shown(
        begun(state, policy), policy, state.seat
    )
    assert shown.total == 1
    assert shown.is_exact


@pytest.mark.parametrize("position", SMALL)
def test_best_play_has_the_mean_of_the_brute_force(position: str) -> None:
    state = at(position)
    shown = best_turn_distribution(state)
    assert shown.total == 1
    assert shown.mean == value(state, "turn").exact
    if not state.is_chance:
        assert shown.mean == max(action_values(position, "turn").values())


@pytest.mark.parametrize("position", SMALL)
def test_best_play_decision_by_decision(position: str) -> None:
    state = at(position)
    assert turn_distribution(state, best_policy("turn")) == best_turn_distribution(state)


@pytest.mark.parametrize("position", SMALL)
def test_no_play_is_better_than_the_best(position: str) -> None:
    state = at(position)
    best = best_turn_distribution(state).mean
    for policy in (policy_of("greedy"), policy_of("builder"), best_policy("score")):
        assert turn_distribution(state, policy).mean <= best


@pytest.mark.parametrize(
    "position",
    [
        "h2,m1,l1 G1U1P1 G?,G?,U?,U?,P?,P? roll 9.1",
        pytest.param("h2,m1,l1 G3U3P2 - take 9.1", marks=pytest.mark.slow),
    ],
)
def test_bug_values_of_six_dice_and_more_were_rounded(position: str) -> None:
    state = at(position)
    assert best_turn_distribution(state).mean == value(state, "turn").exact


@pytest.mark.slow
@STEADY
@given(state=states(max_dice=3), name=st.sampled_from(["greedy", "builder"]))
def test_chances_of_any_turn_sum_to_one(state: State, name: str) -> None:
    ends = turn_ends(state, policy_of(name))
    assert sum(ends.values()) == 1
    assert all(after.phase in (Phase.TAKE, Phase.OVER) for after in ends)


def test_a_game_that_is_over_shows_what_it_shows() -> None:
    state = at("H3,l1 G1U1P1 - over 9.1")
    assert best_turn_distribution(state).values == (10,)
    assert turn_distribution(state, policy_of("builder")).values == (10,)


def test_a_player_that_uses_chance_has_no_policy() -> None:
    with pytest.raises(SettingError, match="player uses chance"):
        turn_distribution(at(SMALL[0]), policy_of("random"))
    with pytest.raises(SettingError, match="expected one of"):
        policy_of("nobody")


def test_a_policy_that_breaks_the_rules_is_refused() -> None:
    with pytest.raises(IllegalActionError):
        turn_distribution(at(SMALL[0]), lambda _state: END)
