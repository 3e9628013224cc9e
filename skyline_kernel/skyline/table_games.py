"""Games of 1 to 4 players under best play for the score, very many at a time.

All seats play best for the objective ``score``.  What that is depends on a player's own columns,
the district and the number of turns left, so games in which these agree are solved together: the
games move on in step, turn by turn, and in each turn those with the same district or choice of
dice share one solution (`turn_policy`).  A turn that takes the yard's dice is looked up; only one
that might take a larger district is solved for it.

Supply counts as unlimited, also under option ``box``.  Games without end are no concern: nine
rounds are the most.

Cost: some milliseconds for each different district in each turn, and some microseconds for each
game and roll.  A thousand games of four players take about half a minute.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.random import SeedSequence, default_rng
from numpy.typing import NDArray

from .advice import TOLERANCE
from .best_play import best_choice
from .columns import Column, Skyline, points
from .dice import KINDS, ONE_OF_EACH, KindCounts, count_kinds
from .practice_play import best_takes, root_stops, turn_policy
from .solver.practice import TAKES
from .solver.skylines import ENDED, STANDARD_PACKING, Keys
from .solver.store import value_table
from .solver.turn import mean_over_roll
from .state import N_ROUNDS, State
from .transitions import successor
from .turn_policy import (
    Integers,
    TurnPolicy,
    abandoned_on,
    finished_on,
    points_of,
    roll_results,
)

__all__ = ["Outcomes", "best_play_outcomes"]


class Outcomes(NamedTuple):
    """How games ended.

    Parameters
    ----------
    scores : ndarray of int64
        Shape ``(n_states, n_games, n_players)``.
    buildings : ndarray of int64
        Buildings that break a tie, same shape.
    """

    scores: Integers
    buildings: Integers

    @property
    def wins(self) -> NDArray[np.float64]:
        """What each seat won: 1, or ``1 / k`` of a victory shared by ``k`` seats."""
        ranks = self.scores * (1 + self.buildings.max()) + self.buildings
        is_first = ranks == ranks.max(axis=-1, keepdims=True)
        shares: NDArray[np.float64] = is_first / is_first.sum(axis=-1, keepdims=True)
        return shares


def best_play_outcomes(
    position: State, states: Sequence[State], n_games: int, seed: int
) -> Outcomes:
    """Play games to their end from some states, all seats best for the score.

    Parameters
    ----------
    position : State
    states : sequence of State
        The position itself, or what its actions lead to.
    n_games : int
        From each of them.
    seed : int
        Game ``i`` meets the same luck from each state, as far as the same dice are rolled, so
        that states can be compared with little noise.
    """
    return _Table(position, states, n_games, seed).play()


def _settled(state: State, turn: tuple[int, int]) -> State:
    """Play on to the next roll of the turn, or to its end."""
    while (state.round, state.seat) == turn and not (state.is_chance or state.is_over):
        state = successor(state, best_choice(state))
    return state


class _Luck:
    """Random numbers for the games of one turn, the same for every state they began from."""

    def __init__(self, seed: int, turn: tuple[int, int], n_games: int) -> None:
        self._rng = default_rng(SeedSequence(seed, spawn_key=turn))
        self._n_games = n_games
        self._rolls: list[NDArray[np.float64]] = []

    def of(self, roll: int, games: Integers) -> NDArray[np.float64]:
        """Return the numbers in [0, 1) of some games for the turn's next roll."""
        while len(self._rolls) <= roll:
            self._rolls.append(self._rng.uniform(size=self._n_games))
        return self._rolls[roll][games % self._n_games]


class _Turn(NamedTuple):
    """The turn of one seat in some games with as many turns left.

    Parameters
    ----------
    games : ndarray of int
    keys : ndarray of int64
        Their different skylines.
    rows : ndarray of int
        Which of them each game has.
    takes, gains : ndarray
        Best dice of the yard for each skyline, as places in `TAKES`, and their value.
    turns_after : int
    seat : int
    luck : _Luck
    """

    games: Integers
    keys: Keys
    rows: Integers
    takes: Integers
    gains: NDArray[np.float64]
    turns_after: int
    seat: int
    luck: _Luck


class _Table:
    """Many games side by side.

    All arrays have one row for each game, those of the first state first.
    """

    def __init__(self, position: State, states: Sequence[State], n_games: int, seed: int) -> None:
        rules = position.rules
        self._turn = position.round, position.seat
        self._shape = (len(states), n_games)
        self._seed = seed
        self._table = value_table(rules.dice_set, nine=rules.nine)
        self._n_players = position.n_players
        ends = [_settled(state, self._turn) for state in states]

        def rows(numbers: Iterable[Any]) -> NDArray[Any]:
            return np.repeat(np.array(list(numbers)), n_games, axis=0)

        self._keys = rows([list(map(STANDARD_PACKING.key, s.skylines)) for s in ends])
        self._scores = rows([list(map(points, s.skylines)) for s in ends])
        self._finished = rows([list(map(_n_finished, s.skylines)) for s in ends])
        self._districts = rows(s.district for s in ends)
        self._is_last = rows(s.is_last_round for s in ends)
        self._is_over = rows(s.is_over for s in ends)
        self._rolls = {number: end for number, end in enumerate(ends) if end.is_chance}

    def play(self) -> Outcomes:
        """Play all games to their end."""
        self._finish_turn()
        round_number, seat = self._turn
        while True:
            seat += 1
            if seat > self._n_players:
                self._is_over |= self._is_last | (round_number == N_ROUNDS)
                round_number, seat = round_number + 1, 1
            games = np.flatnonzero(~self._is_over)
            if not len(games):
                break
            self._play_turn(games, round_number, seat)
        lone = STANDARD_PACKING.counts(self._keys, Column.LOW_1)
        shape = (*self._shape, self._n_players)
        return Outcomes(self._scores.reshape(shape), (self._finished + lone).reshape(shape))

    # --- one turn -----------------------------------------------------------------------------

    def _finish_turn(self) -> None:
        """Play the turn on that the states stand in, where a roll is due."""
        round_number, seat = self._turn
        luck = _Luck(self._seed, self._turn, self._shape[1])
        for number, state in self._rolls.items():
            begin = number * self._shape[1]
            games = np.arange(begin, begin + self._shape[1])
            counts = count_kinds(die.kind for die in state.dice)
            key = np.array([STANDARD_PACKING.key(state.skyline)], dtype=np.int64)
            left = 0 if state.is_last_round else N_ROUNDS - round_number
            policy = turn_policy(self._table, {counts: key}, left)
            stop = policy.stops.number(counts, policy.stops.place(state.dice), 0)
            self._roll_on(policy, games, np.full(len(games), stop), seat, luck)

    def _play_turn(self, games: Integers, round_number: int, seat: int) -> None:
        luck = _Luck(self._seed, (round_number, seat), self._shape[1])
        left = np.where(self._is_last[games], 0, N_ROUNDS - round_number)
        for turns_after in np.unique(left).tolist():
            here = games[left == turns_after]
            keys, rows = np.unique(self._keys[here, seat - 1], return_inverse=True)
            takes, gains = best_takes(self._table, keys, turns_after)
            turn = _Turn(here, keys, rows, takes, gains, turns_after, seat, luck)
            self._take_yard(turn, self._take_districts(turn))

    def _take_yard(self, turn: _Turn, places: Integers) -> None:
        """Play the turns of the games at some places that take the yard's dice."""
        if not len(places):
            return
        used, rows = np.unique(turn.rows[places], return_inverse=True)
        keys, takes = turn.keys[used], turn.takes[used]
        starts = {TAKES[number]: keys[takes == number] for number in np.unique(takes)}
        policy = turn_policy(self._table, starts, turn.turns_after)
        roots = root_stops(policy, keys, takes, TAKES)
        self._roll_on(policy, turn.games[places], roots[rows], turn.seat, turn.luck)

    def _take_districts(self, turn: _Turn) -> Integers:
        """Play the turns that take the district; return where the yard's dice are taken."""
        districts = self._districts[turn.games]
        # No more than three dice are never better than the yard, which has them all.
        might = districts.sum(axis=1) > sum(ONE_OF_EACH)
        rest = [np.flatnonzero(~might)]
        for district in np.unique(districts[might], axis=0):
            places = np.flatnonzero(might & (districts == district).all(axis=1))
            ground, upper, penthouse = district.tolist()
            rest.append(self._take_district(turn, places, (ground, upper, penthouse)))
        return np.concatenate(rest)

    def _take_district(self, turn: _Turn, places: Integers, district: KindCounts) -> Integers:
        used, rows = np.unique(turn.rows[places], return_inverse=True)
        policy = turn_policy(self._table, {district: turn.keys[used]}, turn.turns_after)
        values = policy.turn
        gains = mean_over_roll(values.use(district), district, values.numbers)
        is_better = (gains > turn.gains[used] + TOLERANCE)[rows]
        takers = turn.games[places[is_better]]
        self._districts[takers] = ONE_OF_EACH
        everything = policy.stops.all_unrolled(district)
        stops = policy.stops.number(district, everything, rows[is_better])
        self._roll_on(policy, takers, stops, turn.seat, turn.luck)
        return places[~is_better]

    # --- rolls --------------------------------------------------------------------------------

    def _roll_on(
        self, policy: TurnPolicy, games: Integers, stops: Integers, seat: int, luck: _Luck
    ) -> None:
        """Roll and decide until the turn of all `games` is over, and note what came of it."""
        number = 0
        while len(games):
            layers, places, rows = policy.stops.parts(stops)
            is_over = policy.stops.are_over(layers, places)
            self._note_keys(policy, games[is_over], layers[is_over], rows[is_over], seat)
            games, stops = games[~is_over], stops[~is_over]
            if len(games):
                stops, trails = _rolled(policy, stops, luck.of(number, games))
                self._note_trails(games, trails, seat)
            number += 1

    def _note_trails(self, games: Integers, trails: Integers, seat: int) -> None:
        self._scores[games, seat - 1] += points_of(trails)
        self._finished[games, seat - 1] += finished_on(trails)
        for kind in range(len(KINDS)):
            self._districts[games, kind] += abandoned_on(trails, kind)

    def _note_keys(
        self, policy: TurnPolicy, games: Integers, layers: Integers, rows: Integers, seat: int
    ) -> None:
        for layer in np.unique(layers):
            here = layers == layer
            keys = policy.turn.layers[policy.stops.counts[layer]].keys[rows[here]]
            is_ended = STANDARD_PACKING.counts(keys, ENDED) > 0
            self._is_last[games[here]] |= is_ended
            self._keys[games[here], seat - 1] = keys - is_ended * STANDARD_PACKING.ones[ENDED]


def _rolled(
    policy: TurnPolicy, stops: Integers, luck: NDArray[np.float64]
) -> tuple[Integers, Integers]:
    """Roll once at some stops: the next stops, and the trails to them."""
    layers, places, rows = policy.stops.parts(stops)
    then = np.empty_like(stops)
    trails = np.empty_like(stops)
    pairs, which = np.unique(np.stack([layers, places]), axis=1, return_inverse=True)
    for number, (layer, place) in enumerate(pairs.T.tolist()):
        here = which.ravel() == number
        counts = policy.stops.counts[layer]
        results = roll_results(policy.faces, counts, place)
        sums = np.cumsum(results.probabilities)[:-1]
        hands = results.hands[np.searchsorted(sums, luck[here], side="right")]
        decisions = policy.use(counts).flat()
        then[here] = decisions.stops[hands, rows[here]]
        trails[here] = decisions.trails[hands, rows[here]]
    return then, trails


def _n_finished(skyline: Skyline) -> int:
    return sum(column.is_finished for column in skyline)
