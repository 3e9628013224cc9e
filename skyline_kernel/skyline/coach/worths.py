"""What many positions of one game are worth, solved together.

`skyline_kernel.skyline.advise` solves one position.  A whole game has hundreds, and those of one
turn, and of all turns with as many turns behind them, share nearly all of the work.  A
`SolvedTurns` solves them at once with the pieces of the solver and reads off what any of them is
worth, or all the rerolls of one of them as an array.

The objective is ``score`` throughout: the expected final score of the seat whose turn it is, all
its later turns taken from the yard.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..columns import Skyline, points
from ..dice import KINDS, Die, Kind, KindCounts
from ..solver.hands import hand_index, n_hands, roll_blocks
from ..solver.moves import Layer, reach
from ..solver.positions import Spot, Stage, score_problem
from ..solver.skylines import STANDARD_PACKING
from ..solver.store import value_table
from ..solver.turn import TurnValues, mean_over_roll, more_values, roll_values
from ..state import N_ROUNDS, Phase, Rules, State

__all__ = [
    "MOST_VALUES",
    "SolvedTurns",
    "TooLargeError",
    "own_turns_left",
    "yard_values",
]

MOST_VALUES: Final = 4_000_000
"""Most values that are computed for one turn; a turn with more is too large to be judged.

They take some seconds.  Fifteen to twenty dice of the district are within it; only players who
abandon almost all their dice ever meet more.
"""

Floats = NDArray[np.float64]
_Index = tuple[int, ...]


class TooLargeError(ValueError):
    """A turn with so many dice that its values are too many."""


def own_turns_left(state: State, seat: int) -> int:
    """Return how many turns of `seat` are still to take their dice.

    Parameters
    ----------
    state : State
    seat : int
        1 to ``n_players``.
    """
    if state.is_over:
        return 0
    rounds = 0 if state.is_last_round else N_ROUNDS - state.round
    is_about_to_take = seat == state.seat and state.phase is Phase.TAKE
    return rounds + int(seat > state.seat or is_about_to_take)


def yard_values(rules: Rules, skylines: Sequence[tuple[Skyline, int]]) -> list[float]:
    """Return the expected final scores of skylines that take all their dice from the yard.

    Parameters
    ----------
    rules : Rules
    skylines : sequence of (Skyline, int)
        Each with the number of own turns left, 0 to 9.

    Returns
    -------
    list of float
        Points, those on the table included.
    """
    table = value_table(rules.dice_set, nine=rules.nine)
    values = np.array([points(skyline) for skyline, _ in skylines], dtype=np.float64)
    places: dict[int, list[int]] = {}
    for place, (_, turns) in enumerate(skylines):
        places.setdefault(turns, []).append(place)
    for turns, some in places.items():
        if turns:
            keys = [_packed(skylines[place][0]) for place in some]
            values[some] += table.gains(np.array(keys, dtype=np.int64), turns)
    found: list[float] = values.tolist()
    return found


@cache
def _packed(skyline: Skyline) -> int:
    return STANDARD_PACKING.key(skyline)


class SolvedTurns:
    """Turns with the same number of turns behind them, solved together.

    Parameters
    ----------
    turns : sequence of State
        Where the turns begin, all with the same rules and `turns_after`.
    spots : iterable of Spot
        All that will be asked about; what play can lead to from there may be asked as well.
    most_values : int
        More are not computed.

    Raises
    ------
    TooLargeError
        If more than `most_values` values would be needed.
    """

    def __init__(
        self, turns: Sequence[State], spots: Iterable[Spot], most_values: int = MOST_VALUES
    ) -> None:
        self._most_values = most_values
        wanted = set(spots)
        # The problem looks at the skyline only to see whether any is crowded.
        most = max((spot.skyline for spot in wanted), key=len)
        n_dice = max(len(spot.dice) for spot in wanted)
        rules = turns[0].rules
        crowded = _with_skyline(turns[0], most)
        table = value_table(rules.dice_set, nine=rules.nine)
        self._problem = score_problem(crowded, table, n_dice)
        self._numbers = self._problem.numbers
        self._faces = [dict(kind.index) for kind in self._problem.faces]
        self._keys: dict[tuple[Skyline, bool, KindCounts], int] = {}
        layers = self._layers(wanted)
        self._turn = TurnValues(layers, self._problem.after, self._numbers)
        self._use: dict[tuple[KindCounts, int], Any] = {}
        self._rolls: dict[tuple[KindCounts, int], Any] = {}
        self._means: dict[tuple[KindCounts, int], float] = {}

    def _layers(self, spots: Iterable[Spot]) -> dict[KindCounts, Layer]:
        starts: dict[KindCounts, set[int]] = {}
        for spot in spots:
            starts.setdefault(spot.counts, set()).add(self._key(spot))
        self._verify_size({counts: len(keys) for counts, keys in starts.items()})
        arrays = {counts: np.array(sorted(keys)) for counts, keys in starts.items()}
        layers = reach(arrays, self._problem.tables, self._problem.normal)
        self._verify_size({counts: len(layer.keys) for counts, layer in layers.items()})
        return layers

    def _verify_size(self, n_skylines: dict[KindCounts, int]) -> None:
        n_faces = [len(weights) for weights in self._numbers.weights]
        n_values = sum(
            many * prod(n_hands(faces, n) for faces, n in zip(n_faces, counts, strict=True))
            for counts, many in n_skylines.items()
        )
        if n_values > self._most_values:
            raise TooLargeError(f"{n_values} values: expected at most {self._most_values}")

    def _key(self, spot: Spot) -> int:
        what = (spot.skyline, spot.is_ended, spot.counts)
        if what not in self._keys:
            self._keys[what] = self._problem.key(spot)
        return self._keys[what]

    # --- values -------------------------------------------------------------------------------

    def value(self, spot: Spot) -> float:
        """Return the expected final score at `spot` with best play, in points."""
        return points(spot.skyline) + float(self._gain(spot, self._key(spot)))

    def _gain(self, spot: Spot, key: int) -> Any:
        counts = spot.counts
        match spot.stage:
            case Stage.OVER:
                return self._turn.end(np.array([key]))[0]
            case Stage.USE:
                return self._use_of(counts, key)[self._hand(spot)][0]
            case Stage.MORE:
                return self._turn.more(counts)[self._hand(spot)][self._row(counts, key)]
            case Stage.AGAIN:
                return self._again(counts, key)[self._hand(spot)][0]
            case Stage.ROLL:
                if all(not die.is_rolled for die in spot.dice):
                    return self._mean(counts, key)
                return self._rolls_of(counts, key)[self._roll(spot)][0]

    def reroll_values(self, spot: Spot) -> Floats:
        """Return what every reroll of active dice is worth.

        Parameters
        ----------
        spot : Spot
            With at least one die, all of them rolled.

        Returns
        -------
        ndarray of float64, shape (n_parts,)
            Expected final scores, in the order of `skyline_kernel.skyline.Parts`.
        """
        counts, key = spot.counts, self._key(spot)
        axes = [self._roll_axis(kind, spot.dice) for kind in range(len(KINDS))]
        grid = self._rolls_of(counts, key)[np.ix_(*axes)][..., 0]
        # Part number i is the mixed-radix number n_parts - i; number 0 would be no die at all.
        values: Floats = points(spot.skyline) + grid.ravel()[:0:-1]
        return values

    def end_value(self, spot: Spot) -> float:
        """Return the expected final score if the turn ends at `spot`."""
        return self.value(spot._replace(stage=Stage.OVER, dice=()))

    # --- arrays of one skyline ----------------------------------------------------------------

    def _row(self, counts: KindCounts, key: int) -> int:
        return int(np.searchsorted(self._turn.layers[counts].keys, key))

    def _use_of(self, counts: KindCounts, key: int) -> Any:
        if (counts, key) not in self._use:
            row = self._row(counts, key)
            self._use[counts, key] = self._turn.use(counts, slice(row, row + 1))
        return self._use[counts, key]

    def _mean(self, counts: KindCounts, key: int) -> float:
        if (counts, key) not in self._means:
            use = self._use_of(counts, key)
            self._means[counts, key] = float(mean_over_roll(use, counts, self._numbers)[0])
        return self._means[counts, key]

    def _rolls_of(self, counts: KindCounts, key: int) -> Any:
        if (counts, key) not in self._rolls:
            use = self._use_of(counts, key)
            self._rolls[counts, key] = roll_values(use, counts, self._numbers)
        return self._rolls[counts, key]

    def _again(self, counts: KindCounts, key: int) -> Any:
        end = self._turn.end(np.array([key]))
        use = self._use_of(counts, key)
        return more_values(use, end, counts, self._numbers, may_use=False)

    # --- places on the axes -------------------------------------------------------------------

    def _hand(self, spot: Spot) -> _Index:
        return tuple(self._kept(kind, spot.dice)[1] for kind in range(len(KINDS)))

    def _roll(self, spot: Spot) -> _Index:
        return tuple(self._place(kind, spot.dice) for kind in range(len(KINDS)))

    def _kept(self, kind: int, dice: Iterable[Die]) -> tuple[int, int]:
        """Return the number of unrolled dice of a kind, and the number of the hand of the rest."""
        shown = [0] * len(self._numbers.weights[kind])
        n_unrolled = 0
        for die in dice:
            if die.kind is KINDS[kind]:
                if die.is_rolled:
                    shown[self._faces[kind][die]] += 1
                else:
                    n_unrolled += 1
        return n_unrolled, hand_index(tuple(shown))

    def _place(self, kind: int, dice: Iterable[Die]) -> int:
        n_unrolled, hand = self._kept(kind, dice)
        return self._start(kind, dice, n_unrolled) + hand

    def _start(self, kind: int, dice: Iterable[Die], n_unrolled: int) -> int:
        n_dice = sum(die.kind is KINDS[kind] for die in dice)
        return int(roll_blocks(len(self._numbers.weights[kind]), n_dice)[n_unrolled].start)

    def _roll_axis(self, kind: int, dice: Sequence[Die]) -> list[int]:
        """Return the places of all parts of the dice of a kind, the empty part first."""
        faces, n_faces = self._faces[kind], len(self._numbers.weights[kind])
        counts = _counts_of(dice, KINDS[kind])
        blocks = roll_blocks(n_faces, sum(counts.values()))
        places = []
        for part in product(*(range(count + 1) for count in counts.values())):
            shown = [0] * n_faces
            for (die, count), again in zip(counts.items(), part, strict=True):
                shown[faces[die]] += count - again
            places.append(blocks[sum(part)].start + hand_index(tuple(shown)))
        return places


def _counts_of(dice: Iterable[Die], kind: Kind) -> Counter[Die]:
    return Counter(die for die in dice if die.kind is kind)


def _with_skyline(state: State, skyline: Skyline) -> State:
    before, behind = state.skylines[: state.seat - 1], state.skylines[state.seat :]
    return replace(state, skylines=(*before, skyline, *behind))
