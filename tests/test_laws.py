"""Laws that hold in every position: legality, transitions, chances, odds, scores."""

import copy
from fractions import Fraction
from itertools import chain, combinations_with_replacement, islice, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sound_states import STEADY, own_dice_sets, states
from tables import ALL_RULES, at

from skyline_kernel.chance import compositions, multiset_weights
from skyline_kernel.skyline import (
    END,
    ROLL,
    TAKE_DISTRICT,
    Abandon,
    Action,
    Build,
    Column,
    Demolish,
    DiceSet,
    Die,
    IllegalActionError,
    Kind,
    Parts,
    Phase,
    Reroll,
    Roll,
    State,
    Take,
    apply,
    build_odds,
    can,
    chance_outcomes,
    format_action,
    legal_actions,
    legal_builds,
    new_game,
    odds_of,
    parse_rules,
    points,
    random_roll,
    ranking,
    shipped_dice_set,
    successor,
    verify,
)
from skyline_kernel.skyline.columns import GROWTH, STARTS
from skyline_kernel.skyline.dice import count_kinds, kinds_of
from skyline_kernel.skyline.dice_sets import n_outcomes, roll_outcomes
from skyline_kernel.skyline.state import defects

ROLLED = tuple(die for die in Die if die.is_rolled)


def conceivable(n_dice: int) -> list[Action]:
    """List all actions that could be thought of with so many dice, allowed or not."""
    hands = list(
        chain.from_iterable(combinations_with_replacement(ROLLED, n) for n in range(n_dice + 1))
    )
    actions: list[Action] = [END, ROLL, TAKE_DISTRICT]
    for n_kinds in range(5):
        actions += map(Take, combinations_with_replacement(Kind, n_kinds))
    actions += map(Roll, hands)
    actions += map(Abandon, Die)
    actions += [Build(die, column) for die in Die for column in (None, *Column)]
    actions += map(Reroll, hands)
    actions += [Demolish(hand, column) for hand in hands for column in Column]
    return actions


CONCEIVABLE = conceivable(2)


def random_action(state: State, rng: np.random.Generator) -> Action:
    """Choose any action, a building one where there is one more often than not."""
    if state.is_chance:
        return random_roll(state, rng)
    builds = legal_builds(state)
    if builds and rng.random() < 0.5:
        return builds[0]
    actions = legal_actions(state)
    return actions[int(rng.integers(len(actions)))]


# --- legality ---------------------------------------------------------------------------------


@STEADY
@given(states(max_dice=2))
def test_legal_actions_are_exactly_the_conceivable_ones_that_are_allowed(state: State) -> None:
    allowed = {action for action in CONCEIVABLE if can(state, action)}
    listed = list(legal_actions(state))
    assert set(listed) == allowed
    assert len(listed) == len(allowed)


@STEADY
@given(states())
def test_every_legal_action_applies_and_leads_to_a_sound_state(state: State) -> None:
    before = copy.deepcopy(state)
    for action in islice(legal_actions(state), 60):
        verify(state, action)
        following, entry = apply(state, action)
        assert not defects(following)
        assert following == successor(state, action)
        assert (entry.round, entry.seat, entry.action) == (state.round, state.seat, action)
        assert entry.ends_game == following.is_over
    assert state == before


@STEADY
@given(states(max_dice=2), st.sampled_from(CONCEIVABLE))
def test_an_illegal_action_is_refused_in_one_line_and_changes_nothing(
    state: State, action: Action
) -> None:
    before = copy.deepcopy(state)
    if can(state, action):
        return
    for refuse in (verify, successor, apply):
        with pytest.raises(IllegalActionError) as caught:
            refuse(state, action)
        assert str(caught.value).isprintable()
    assert state == before


@STEADY
@given(states())
def test_legal_builds_are_the_builds_among_the_legal_actions(state: State) -> None:
    assert legal_builds(state) == [a for a in legal_actions(state) if isinstance(a, Build)]


@STEADY
@given(states())
def test_a_position_before_its_end_always_has_an_action(state: State) -> None:
    assert bool(len(legal_actions(state))) is not state.is_over


@STEADY
@given(states(), st.data())
def test_actions_are_read_by_number_from_both_ends_and_by_slice(
    state: State, data: st.DataObject
) -> None:
    actions = legal_actions(state)
    listed = list(actions)
    assert len(actions) == len(listed)
    if listed:
        place = data.draw(st.integers(-len(listed), len(listed) - 1))
        assert actions[place] == listed[place]
    assert list(actions[1:-1:2]) == listed[1:-1:2]
    with pytest.raises(IndexError):
        actions[len(listed)]


@pytest.mark.parametrize("rules", ALL_RULES)
def test_known_fault_legal_actions_answer_in_chance_and_final_phases(rules: str) -> None:
    rolling = at(f"h1 G1U1P1 G?,P? roll 9.1 {rules}")
    assert set(legal_actions(rolling)) == {roll for roll, _ in chance_outcomes(rolling)}
    assert list(legal_actions(at(f"h1 G1U1P1 - over 9.1 {rules}"))) == []


def test_a_district_of_thirty_dice_is_listed_only_as_far_as_it_is_read() -> None:
    dice = ",".join(f"{kind}{face}" for kind, face in product("GU", "lmh") for _ in range(5))
    state = at(f"h1,m1,l1 G1U1P1 {dice} more:demolish 2.1 printed")
    actions = legal_actions(state)
    assert len(actions) == 6**6 - 1 + 1
    assert actions[-1] == END
    assert len(actions[0].dice) == 30  # type: ignore[union-attr]
    demolitions = legal_actions(at(f"h1,m1,l1 G1U1P1 {dice} use 2.1 printed"))
    assert len(demolitions) > 3 * (6**6 - 1)
    every = 997
    assert all(can(state, action) for action in actions[::every])


def test_a_district_of_ninety_dice_has_its_actions_counted_at_once() -> None:
    dice = ",".join(f"{kind}{face}" for kind, face in product("GUP", "lmh") for _ in range(10))
    actions = legal_actions(at(f"h1 G1U1P1 {dice} more 2.1 online+uniform"))
    assert len(actions) > 11**9
    assert can(at(f"h1 G1U1P1 {dice} more 2.1 online+uniform"), actions[11**8])


@STEADY
@given(st.lists(st.sampled_from(ROLLED), max_size=7))
def test_parts_are_each_different_part_once_the_whole_first(dice: list[Die]) -> None:
    chosen = [
        tuple(sorted((die for i, die in enumerate(dice) if mask >> i & 1), key=list(Die).index))
        for mask in range(1, 2 ** len(dice))
    ]
    parts = list(Parts(dice))
    assert sorted(parts) == sorted(set(chosen))
    assert len(parts) == len(Parts(dice))
    if dice:
        assert len(parts[0]) == len(dice)


# --- chances ----------------------------------------------------------------------------------


def bf_chances(dice_set: DiceSet, kinds: tuple[Kind, ...]) -> dict[tuple[Die, ...], Fraction]:
    """Roll the dice in every way, one side of one die after the other."""
    sides = [
        [die for die in ROLLED if die.kind is kind for _ in range(dice_set.weight(die))]
        for kind in kinds
    ]
    chances: dict[tuple[Die, ...], Fraction] = {}
    total = 1
    for die in sides:
        total *= len(die)
    for shown in product(*sides):
        key = tuple(sorted(shown, key=list(Die).index))
        chances[key] = chances.get(key, Fraction(0)) + Fraction(1, total)
    return chances


@pytest.mark.parametrize("name", ["standard", "uniform", "blank-upper"])
@pytest.mark.parametrize("counts", [c for c in product(range(4), repeat=3) if 1 <= sum(c) <= 4])
def test_outcomes_equal_the_enumeration_of_all_sides(
    name: str, counts: tuple[int, int, int]
) -> None:
    dice_set = shipped_dice_set(name)
    outcomes = roll_outcomes(dice_set, counts)
    assert dict(outcomes) == bf_chances(dice_set, kinds_of(counts))
    assert len(dict(outcomes)) == len(outcomes) == n_outcomes(dice_set, counts)


@STEADY
@given(states(phase=Phase.ROLL, max_dice=9))
def test_chances_sum_to_exactly_one_and_each_outcome_comes_once(state: State) -> None:
    outcomes = chance_outcomes(state)
    assert sum(chance for _, chance in outcomes) == 1
    assert all(type(chance) is Fraction and 0 < chance <= 1 for _, chance in outcomes)
    assert len({roll for roll, _ in outcomes}) == len(outcomes)
    rolled = [die.kind for die in state.dice if not die.is_rolled]
    assert len(outcomes) == n_outcomes(state.rules.dice_set, count_kinds(rolled))
    texts = [roll.outcome for roll, _ in outcomes]
    assert all(list(t) == sorted(t, key=list(Die).index) for t in texts if t is not None)


@STEADY
@given(own_dice_sets, st.tuples(*[st.integers(0, 2)] * 3).filter(lambda c: 0 < sum(c) < 4))
def test_outcomes_of_any_dice_set_equal_the_enumeration(
    dice_set: DiceSet, counts: tuple[int, int, int]
) -> None:
    assert dict(roll_outcomes(dice_set, counts)) == bf_chances(dice_set, kinds_of(counts))


def test_outcomes_come_in_canonical_order() -> None:
    state = at("- G1U1P1 G?,U? roll 1.1")
    texts = [format_action(roll) for roll, _ in chance_outcomes(state)]
    assert texts == [f"roll=G{g},U{u}" for g in "lmh" for u in "lmh"]


@pytest.mark.parametrize("phase", ["h1 G1U1P1 - take 1.1", "h1 G1U1P1 Gl use 1.1"])
def test_chances_are_refused_where_nothing_is_rolled(phase: str) -> None:
    with pytest.raises(IllegalActionError, match="roll: not in phase"):
        chance_outcomes(at(phase))


@pytest.mark.parametrize(("total", "n_parts"), [(0, 1), (0, 3), (4, 1), (5, 3), (3, 4)])
def test_compositions_are_all_ordered_sums(total: int, n_parts: int) -> None:
    bf = [parts for parts in product(range(total + 1), repeat=n_parts) if sum(parts) == total]
    assert sorted(compositions(total, n_parts)) == bf


@pytest.mark.parametrize("weights", [(1,), (3, 2, 1, 0), (0, 2, 1, 3), (0, 0, 7)])
@pytest.mark.parametrize("n_dice", [0, 1, 2, 5])
def test_weights_of_multisets_sum_to_all_rolls(weights: tuple[int, ...], n_dice: int) -> None:
    results = multiset_weights(weights, n_dice)
    assert sum(weight for _, weight in results) == sum(weights) ** n_dice
    assert all(weight > 0 for _, weight in results)


# --- odds -------------------------------------------------------------------------------------


def bf_build(state: State) -> Fraction:
    """Sum the chances of all outcomes after which something can be built."""
    return sum(
        (p for roll, p in chance_outcomes(state) if legal_builds(successor(state, roll))),
        Fraction(0),
    )


@STEADY
@given(states(phase=Phase.ROLL, max_dice=5))
def test_build_odds_equal_the_enumeration_of_all_outcomes(state: State) -> None:
    odds = build_odds(state)
    assert odds.build == bf_build(state)
    assert odds.stuck == 1 - odds.build
    assert type(odds.build) is Fraction


@STEADY
@given(states(max_dice=4))
def test_odds_of_every_action_equal_the_enumeration(state: State) -> None:
    for action in legal_actions(state):
        odds = odds_of(state, action)
        if isinstance(action, Roll) or not (following := successor(state, action)).is_chance:
            assert odds is None
        else:
            assert odds is not None
            assert odds.build == bf_build(following)


@pytest.mark.parametrize(
    ("position", "action", "build"),
    [
        ("- G1U1P1 Ul,Um more 1.1", "reroll Ul", Fraction(0)),
        ("- G1U1P1 - take 1.1", "take UUU", Fraction(0)),
        ("h1 G1U1P1 - take 1.1", "take PPP", Fraction(0)),
        ("- G1U1P1 - take 1.1", "take GPP", Fraction(1)),
        ("m1 G1U1P1 - take 1.1", "take UUU", Fraction(19, 27)),
        ("m1 G1U1P1 Um,P- more 1.1", "reroll P-", Fraction(1)),
        ("m1 G1U1P1 Ul,P- more 1.1", "reroll P-", Fraction(1, 3)),
    ],
)
def test_known_fault_odds_of_zero_and_one_are_odds(
    position: str, action: str, build: Fraction
) -> None:
    from skyline_kernel.skyline import parse_action

    odds = odds_of(at(position), parse_action(action))
    assert odds is not None
    assert (odds.build, odds.stuck) == (build, 1 - build)


def test_odds_of_an_illegal_action_are_refused() -> None:
    with pytest.raises(IllegalActionError):
        odds_of(at("h1 G1U1P1 Ul more 1.1"), Reroll((Die.GROUND_LOW,)))
    with pytest.raises(ValueError, match="expected phase roll"):
        build_odds(at("h1 G1U1P1 Ul more 1.1"))


# --- tables, scores ---------------------------------------------------------------------------


def test_tables_of_building_equal_their_slow_functions() -> None:
    from skyline_kernel.skyline.columns import grown, started

    assert {die: c for die in Die if (c := started(die))} == dict(STARTS)
    pairs = {(c, d): t for c in Column for d in Die if (t := grown(c, d))}
    assert pairs == dict(GROWTH)
    upper_floors = ["l1", "m1", "m2", "h1", "h2", "h3", "h4"]
    penthouses = ["m1", "m2", "m3", "h2", "h3", "h4", "h5"]
    assert sorted(column for column, _ in GROWTH) == sorted(upper_floors + penthouses)


@STEADY
@given(states())
def test_scores_and_places_are_bounded(state: State) -> None:
    table = ranking(state)
    assert sorted(row.seat for row in table) == list(range(1, state.n_players + 1))
    assert [row.place for row in table] == sorted(row.place for row in table)
    assert table[0].place == 1
    for row in table:
        skyline = state.skylines[row.seat - 1]
        assert row.points == points(skyline)
        assert 0 <= row.points <= 36 * len(skyline)
        assert 0 <= row.buildings <= len(skyline)


@pytest.mark.parametrize("rules", ALL_RULES)
def test_every_game_ends_within_nine_rounds(rules: str) -> None:
    rng = np.random.default_rng(len(rules))
    state = new_game(2, parse_rules(rules))
    for _ in range(2000):
        if state.is_over:
            break
        state = successor(state, random_action(state, rng))
    assert state.is_over
    assert state.round <= 9
