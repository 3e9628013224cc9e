"""The kernel and the naive table side by side: same actions, positions, chances, scores."""

import random

import naive
import pytest
from hypothesis import assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from sound_states import STEADY, states
from tables import ALL_RULES, legal, shown

from skyline_kernel.skyline import (
    State,
    chance_outcomes,
    format_action,
    new_game,
    parse_action,
    parse_rules,
    points,
    ranking,
    successor,
    yard,
)

MANY_DICE = 7
"""With more active dice the actions are counted, not listed: there are thousands."""


def assert_same(table: naive.Table, state: State) -> None:
    """Compare everything that can be seen of a position."""
    assert shown(state) == table.position()
    assert [points(skyline) for skyline in state.skylines] == table.points()
    rows = [(row.place, row.seat, row.points, row.buildings) for row in ranking(state)]
    assert rows == table.ranking()
    if len(state.dice) <= MANY_DICE:
        assert sorted(legal(state)) == table.legal()
    if state.is_chance and len(state.dice) <= MANY_DICE:
        chances = {format_action(roll): chance for roll, chance in chance_outcomes(state)}
        assert chances == table.chances()
    if state.rules.box:
        assert yard(state) == tuple(table.yard[kind] for kind in "GUP")


def chosen(table: naive.Table, rng: random.Random) -> str:
    """Choose an action, a building one more often than not, so that towers grow."""
    actions = table.legal()
    if len(table.district) > MANY_DICE:
        actions = [a for a in actions if a != "take district"]
    building = [action for action in actions if action.startswith("build")]
    return rng.choice(building if building and rng.random() < 0.6 else actions)


@pytest.mark.parametrize("n_players", [1, 2, 3, 4])
@pytest.mark.parametrize("rules", ALL_RULES)
def test_whole_games_agree_with_the_naive_table(rules: str, n_players: int) -> None:
    rng = random.Random(f"{rules} {n_players}")
    table = naive.Table(n_players, rules)
    # Later rounds differ from the first ones in their columns only: start most games there.
    table.round = rng.choice([1, 6, 7, 8]) if n_players == 1 else 8
    state = new_game(n_players, parse_rules(rules))
    state = State(
        state.skylines, state.district, (), state.phase, None, table.round, 1, False, state.rules
    )
    assert_same(table, state)
    while not state.is_over:
        action = chosen(table, rng)
        table.act(action)
        state = successor(state, parse_action(action))
        assert_same(table, state)


class TwoTables(RuleBasedStateMachine):
    """Plays on from any sound state on both tables."""

    @initialize(state=states())
    def set_up(self, state: State) -> None:
        weights = dict(zip("GUP", state.rules.dice_set.weights, strict=True))
        self.state = state
        self.table = naive.Table.read(shown(state), weights)

    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        assume(len(self.state.dice) <= MANY_DICE)
        actions = self.table.legal()
        if self.state.is_over:
            assert actions == []
            return
        action = data.draw(st.sampled_from(actions))
        self.table.act(action)
        self.state = successor(self.state, parse_action(action))

    @rule(data=st.data())
    def build(self, data: st.DataObject) -> None:
        actions = [a for a in self.table.legal() if a.startswith("build")]
        assume(actions)
        action = data.draw(st.sampled_from(actions))
        self.table.act(action)
        self.state = successor(self.state, parse_action(action))

    @invariant()
    def same(self) -> None:
        assert_same(self.table, self.state)


TestTwoTables = TwoTables.TestCase
TestTwoTables.settings = settings(STEADY, max_examples=100, stateful_step_count=20)
