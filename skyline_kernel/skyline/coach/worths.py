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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from enum import Enum, auto
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..columns import Skyline, points
from ..dice import KINDS, Die, Kind, KindCounts, count_kinds
from ..solver.hands import hand_index, n_hands, roll_blocks
from ..solver.moves import Layer, reach
from ..solver.positions import Spot, Stage, score_problem
from ..solver.skylines import ENDED, STANDARD_PACKING
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

_AT_ONCE: Final = 500_000
"""Values of a block that are computed at once."""


class _Form(Enum):
    """What an array of a skyline holds."""

    USE = auto()
    MEAN = auto()
    ROLLS = auto()
    AGAIN = auto()


_Need = tuple[_Form, KindCounts]
_What = tuple[Skyline, bool, KindCounts]
"""All of a spot that its packed skyline depends on: columns, an ended game, active dice."""


@lru_cache(maxsize=1 << 16)
def _counted(dice: tuple[Die, ...]) -> KindCounts:
    """Count the dice of each kind; the same few hands are asked about all the time."""
    return count_kinds(die.kind for die in dice)


def _form_for(spot: Spot) -> _Form | None:
    """Return which array tells the value of a spot; None for the end and the choice to go on."""
    match spot.stage:
        case Stage.USE:
            return _Form.USE
        case Stage.AGAIN:
            return _Form.AGAIN
        case Stage.ROLL:
            return _Form.ROLLS if any(die.is_rolled for die in spot.dice) else _Form.MEAN
    return None


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


@lru_cache(maxsize=1 << 18)
def _packed(skyline: Skyline) -> int:
    return STANDARD_PACKING.key(skyline)


def _packed_columns(skyline: Skyline, is_ended: bool) -> int:
    return _packed(skyline) + (STANDARD_PACKING.ones[ENDED] if is_ended else 0)


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
        self._keys = self._packed(wanted)
        layers = self._layers(wanted)
        self._turn = TurnValues(layers, self._problem.after, self._numbers)
        self._asked = self._sorted_by_need(wanted)
        self._blocks: dict[_Need, dict[int, Any]] = {}
        self._hands: dict[tuple[Die, ...], _Index] = {}

    def _packed(self, spots: Iterable[Spot]) -> dict[_What, int]:
        """Return the packed skylines of all spots, put into normal form together."""
        raw: dict[KindCounts, dict[_What, int]] = {}
        for spot in spots:
            counts = _counted(spot.dice)
            what = (spot.skyline, spot.is_ended, counts)
            some = raw.setdefault(counts, {})
            if what not in some:
                some[what] = _packed_columns(*what[:2])
        normal = self._problem.normal
        if normal is None:
            return {what: key for some in raw.values() for what, key in some.items()}
        found: dict[_What, int] = {}
        for counts, some in raw.items():
            keys = normal(np.array(list(some.values()), dtype=np.int64), counts)
            found.update(zip(some, keys.tolist(), strict=True))
        return found

    def _sorted_by_need(self, spots: Iterable[Spot]) -> dict[_Need, list[int]]:
        asked: dict[_Need, set[int]] = {}
        for spot in spots:
            if (form := _form_for(spot)) is not None:
                asked.setdefault((form, _counted(spot.dice)), set()).add(self._key(spot))
        return {need: sorted(keys) for need, keys in asked.items()}

    def _layers(self, spots: Iterable[Spot]) -> dict[KindCounts, Layer]:
        starts: dict[KindCounts, set[int]] = {}
        for spot in spots:
            starts.setdefault(_counted(spot.dice), set()).add(self._key(spot))
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
        what = (spot.skyline, spot.is_ended, _counted(spot.dice))
        if what not in self._keys:
            self._keys[what] = self._problem.key(spot)
        return self._keys[what]

    # --- values -------------------------------------------------------------------------------

    def value(self, spot: Spot) -> float:
        """Return the expected final score at `spot` with best play, in points."""
        return points(spot.skyline) + float(self._gain(spot, self._key(spot)))

    def _gain(self, spot: Spot, key: int) -> Any:
        form = _form_for(spot)
        if form is None:
            if spot.stage is Stage.OVER:
                return self._turn.end(np.array([key]))[0]
            return self._turn.more(_counted(spot.dice))[self._hand(spot)][
                self._row(_counted(spot.dice), key)
            ]
        values = self._values((form, _counted(spot.dice)), key)
        if form is _Form.MEAN:
            return values
        return values[self._roll(spot) if form is _Form.ROLLS else self._hand(spot)]

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
        counts, key = _counted(spot.dice), self._key(spot)
        axes = [self._roll_axis(kind, spot.dice) for kind in range(len(KINDS))]
        grid = self._values((_Form.ROLLS, counts), key)[np.ix_(*axes)]
        # Part number i is the mixed-radix number n_parts - i; number 0 would be no die at all.
        values: Floats = points(spot.skyline) + grid.ravel()[:0:-1]
        return values

    def end_value(self, spot: Spot) -> float:
        """Return the expected final score if the turn ends at `spot`."""
        return self.value(spot._replace(stage=Stage.OVER, dice=()))

    # --- arrays of one skyline ----------------------------------------------------------------

    def _row(self, counts: KindCounts, key: int) -> int:
        return int(np.searchsorted(self._turn.layers[counts].keys, key))

    def _values(self, need: _Need, key: int) -> Any:
        """Return the array of one skyline; those that were to be asked about come together."""
        block = self._blocks.setdefault(need, {})
        if key not in block:
            asked = self._asked.get(need, [])
            together = asked if key in asked else [key]
            for some in self._cut(need, together):
                values = self._solved(need, some)
                block.update(zip(some, np.moveaxis(values, -1, 0), strict=True))
        return block[key]

    def _cut(self, need: _Need, keys: Sequence[int]) -> Iterator[Sequence[int]]:
        n_faces = [len(weights) for weights in self._numbers.weights]
        n_values = prod(n_hands(faces, n) for faces, n in zip(n_faces, need[1], strict=True))
        step = max(_AT_ONCE // n_values, 1)
        for at in range(0, len(keys), step):
            yield keys[at : at + step]

    def _solved(self, need: _Need, keys: Sequence[int]) -> Any:
        form, counts = need
        rows = np.searchsorted(self._turn.layers[counts].keys, keys)
        use = self._turn.use(counts, rows)
        match form:
            case _Form.USE:
                return use
            case _Form.MEAN:
                return mean_over_roll(use, counts, self._numbers)
            case _Form.ROLLS:
                return roll_values(use, counts, self._numbers)
            case _Form.AGAIN:
                end = self._turn.end(np.array(keys, dtype=np.int64))
                return more_values(use, end, counts, self._numbers, may_use=False)

    # --- places on the axes -------------------------------------------------------------------

    def _hand(self, spot: Spot) -> _Index:
        if spot.dice not in self._hands:
            hand = tuple(self._kept(kind, spot.dice)[1] for kind in range(len(KINDS)))
            self._hands[spot.dice] = hand
        return self._hands[spot.dice]

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
