"""From positions of the game to the turn recursion: what a position in this turn is worth.

A `TurnProblem` fixes what is asked: what the turn's end is worth, which discards differ, which
numbers are used.  A `Spot` is where play stands within the turn.  `spot_values` finds all
skylines that can be met from some spots, solves the layers below them once, and reads the values
off.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ..columns import Skyline, points
from ..dice import KINDS, Die, KindCounts, count_kinds
from ..dice_sets import DiceSet
from ..state import N_ROUNDS, Phase, State, Step, dice_in_skyline
from .hands import hand_index, roll_blocks
from .moves import Layer, MoveTable, Normal, TurnTooLargeError, reach
from .numbers import ExactNumbers, Numbers
from .patience import PATIENT, Budget, Patience
from .practice import PracticeGame, practice_game
from .skylines import ENDED, STANDARD_PACKING, Keys, KindFaces, Packing
from .tables import ValueTable
from .turn import (
    Continuation,
    TurnValues,
    Values,
    all_keys,
    mean_over_roll,
    more_values,
    roll_values,
)

__all__ = [
    "Spot",
    "Stage",
    "TurnProblem",
    "Worth",
    "score_problem",
    "spot_of",
    "spot_values",
    "turn_problem",
    "turns_after",
    "verify_cost",
    "verify_known",
]


class Stage(Enum):
    """Where a turn stands."""

    ROLL = auto()
    """Some dice are about to be rolled."""
    USE = auto()
    """A die must be used."""
    MORE = auto()
    """A die was used: use another, roll again or end."""
    AGAIN = auto()
    """The step is over: roll again or end.  After a discard in the printed edition more could be
    discarded, but keeping the dice is never worse (see the package)."""
    OVER = auto()
    """The turn is over."""


class Spot(NamedTuple):
    """A place within a turn, seen by the player to move.

    Parameters
    ----------
    stage : Stage
    skyline : Skyline
        Of the player whose turn it is.
    is_ended : bool
        Whether a six-storey building was finished in this turn that ends the game.
    dice : tuple of Die
        Active dice.
    abandoned : KindCounts
        Dice abandoned in this turn so far.
    """

    stage: Stage
    skyline: Skyline
    is_ended: bool
    dice: tuple[Die, ...]
    abandoned: KindCounts

    @property
    def counts(self) -> KindCounts:
        """Active dice of each kind."""
        return count_kinds(die.kind for die in self.dice)


_STAGES = {Phase.ROLL: Stage.ROLL, Phase.USE: Stage.USE, Phase.MORE: Stage.MORE}


def spot_of(state: State, turn: State) -> Spot:
    """Return where the turn of `turn` stands in `state`.

    Parameters
    ----------
    state : State
        Within the turn, or the first state after it.
    turn : State
        The state in which the turn is seen: its seat, and the district as it was then.
    """
    ground, upper, penthouse = (
        now - then for now, then in zip(state.district, turn.district, strict=True)
    )
    stage = _STAGES.get(state.phase, Stage.OVER)
    if state.step in (Step.ABANDON, Step.DEMOLISH):
        stage = Stage.AGAIN
    return Spot(
        stage,
        state.skylines[turn.seat - 1],
        state.is_last_round and not turn.is_last_round,
        state.dice,
        (ground, upper, penthouse),
    )


def turns_after(state: State) -> int:
    """Return how many turns the player to move has left after this one."""
    return 0 if state.is_last_round else N_ROUNDS - state.round


class Worth(NamedTuple):
    """What a spot is worth.

    Parameters
    ----------
    value : float
        Points, those on the table included.
    exact : Fraction or None
        The same exactly, where the objective has it.
    """

    value: float
    exact: Fraction | None


@dataclass(frozen=True)
class TurnProblem:
    """What is asked about a turn.

    Parameters
    ----------
    faces : tuple of KindFaces
    packing : Packing
        Of the skylines.
    tables : list of MoveTable
        Uses of each kind of die.
    after : Continuation
        What skylines are worth when the turn is over.
    numbers : Numbers
    fields : callable
        The fields of a spot that are packed.
    normal : callable or None
        Replaces skylines with so many active dice of each kind by equivalent ones.
    verify_ends : callable or None
        Raises `TurnTooLargeError` if it costs too much to know what the turn's ends are worth; is
        given all skylines of the turn.
    """

    faces: tuple[KindFaces, KindFaces, KindFaces]
    packing: Packing
    tables: list[MoveTable]
    after: Continuation
    numbers: Numbers
    fields: Callable[[Spot], Sequence[Any]]
    normal: Normal | None = None
    verify_ends: Callable[[Keys], object] | None = None

    @property
    def is_fast(self) -> bool:
        """Whether floats hold all values as well as the objective wants them."""
        return self.numbers.is_float

    def key(self, spot: Spot) -> int:
        """Return the packed skyline of `spot`."""
        key = self.packing.key(self.fields(spot))
        if self.normal is None:
            return key
        return int(self.normal(np.array([key]), spot.counts)[0])


def _columns_of(spot: Spot) -> list[Any]:
    return [*spot.skyline, *([ENDED] if spot.is_ended else [])]


def score_problem(state: State, table: ValueTable, n_dice: int) -> TurnProblem:
    """Return the problem of objective ``score``: later turns take their dice from the yard.

    Parameters
    ----------
    state : State
        Within the turn.
    table : ValueTable
    n_dice : int
        Most dice that are active at once.
    """
    game, left = table.game, turns_after(state)
    return TurnProblem(
        game.faces,
        STANDARD_PACKING,
        game.move_tables(left),
        table.continuation(left),
        game.numbers,
        _columns_of,
        _normal_if_crowded(game, state.skyline, left, n_dice),
    )


def _normal_if_crowded(
    game: PracticeGame, skyline: Skyline, left: int, n_dice: int
) -> Normal | None:
    """Return the normal forms of skylines; None where they would not drop a column."""
    if game.crowd(left, 0).n_dice > len(skyline) + n_dice:
        return None
    return lambda keys, counts: game.normal(keys, left, counts)


def turn_problem(dice_set: DiceSet, n_dice: int) -> TurnProblem:
    """Return the problem of objective ``turn``: the displayed points when this turn ends.

    Parameters
    ----------
    dice_set : DiceSet
    n_dice : int
        Most dice that are active at once.
    """
    game = practice_game(dice_set, nine=True)
    numbers = ExactNumbers(game.faces, n_dice)
    return TurnProblem(
        game.faces,
        STANDARD_PACKING,
        game.move_tables(0),
        lambda keys: np.zeros(len(keys), dtype=numbers.dtype),
        numbers,
        lambda spot: spot.skyline,
        lambda keys, counts: game.normal(keys, 0, counts),
    )


def verify_known(
    table: ValueTable, skyline: Skyline, n_dice: int, turns: int, patience: Patience
) -> None:
    """Make sure that a turn leaves nothing that the table lacks, or that one has the patience.

    Parameters
    ----------
    table : ValueTable
    skyline : Skyline
        At the start of the turn.
    n_dice : int
        Dice of the turn.
    turns : int
        Turns from the yard that follow it.
    patience : Patience

    Raises
    ------
    TurnTooLargeError
        If skylines would have to be solved anew that a page cannot wait for.
    """
    if not turns or n_dice <= patience.most_beyond:
        return
    if sum(dice_in_skyline(skyline)) + n_dice > table.bounds[turns]:
        raise TurnTooLargeError(n_dice)


# --- values of spots --------------------------------------------------------------------------


def spot_values(
    problem: TurnProblem, spots: Sequence[Spot], most_bytes: int = PATIENT.most_bytes
) -> list[Worth]:
    """Return what `spots` are worth with best play.

    Parameters
    ----------
    problem : TurnProblem
    spots : sequence of Spot
        Of one turn.
    most_bytes : int
        That all values of the turn may take.

    Returns
    -------
    list of Worth
        In the order of `spots`.  A turn of so many dice that exact numbers would take too much
        is solved in floats, which are right to 1e-9.

    Raises
    ------
    TurnTooLargeError
        If it is too large even for floats.
    """
    if not spots:
        return []
    keys = [problem.key(spot) for spot in spots]
    sized, layers = _sized_layers(problem, spots, keys, most_bytes)
    reader = _Reader(sized, layers)
    return [reader.worth(spot, key) for spot, key in zip(spots, keys, strict=True)]


def _sized_layers(
    problem: TurnProblem, spots: Sequence[Spot], keys: Sequence[int], most_bytes: int
) -> tuple[TurnProblem, dict[KindCounts, Layer]]:
    """Return the skylines that can be met from some spots, and the problem in numbers that fit.

    Raises
    ------
    TurnTooLargeError
        If not even floats fit.
    """
    starts: dict[KindCounts, list[int]] = {}
    for spot, key in zip(spots, keys, strict=True):
        starts.setdefault(spot.counts, []).append(key)
    arrays = {
        counts: np.array(some, dtype=problem.packing.dtype) for counts, some in starts.items()
    }

    def layers(numbers: Numbers) -> dict[KindCounts, Layer]:
        budget = Budget(numbers, most_bytes)
        return reach(arrays, problem.tables, problem.normal, budget.spend)

    try:
        return problem, layers(problem.numbers)
    except TurnTooLargeError:
        if problem.is_fast:
            raise
    floats = Numbers(problem.faces)
    return replace(problem, numbers=floats), layers(floats)


def verify_cost(problem: TurnProblem, spots: Sequence[Spot], most_bytes: int) -> None:
    """Make sure that `spot_values` answers within so many bytes; nothing is solved to find out.

    Raises
    ------
    TurnTooLargeError
        If it does not.
    """
    keys = [problem.key(spot) for spot in spots]
    _, layers = _sized_layers(problem, spots, keys, most_bytes)
    if problem.verify_ends is not None:
        problem.verify_ends(all_keys(layers))


class _Reader:
    """Reads the values of spots off a solved turn."""

    def __init__(self, problem: TurnProblem, layers: dict[KindCounts, Layer]) -> None:
        self.numbers = problem.numbers
        self.faces = [dict(kind.index) for kind in problem.faces]
        self.turn = TurnValues(layers, problem.after, problem.numbers)
        self._use: dict[tuple[KindCounts, int], Values] = {}
        self._rolls: dict[tuple[KindCounts, int], Values] = {}

    def worth(self, spot: Spot, key: int) -> Worth:
        """Return what `spot`, packed as `key`, is worth."""
        gain, n_dice = self._gain(spot, key)
        on_table = points(spot.skyline)
        exact = self.numbers.fraction(gain, n_dice)
        if exact is None:
            return Worth(on_table + float(gain), None)
        return Worth(float(on_table + exact), on_table + exact)

    def _gain(self, spot: Spot, key: int) -> tuple[Any, int]:
        counts, n_dice = spot.counts, len(spot.dice)
        match spot.stage:
            case Stage.OVER:
                return self.turn.end(np.array([key]))[0], 0
            case Stage.USE:
                return self.use(counts, key)[self._hand(spot)][0], n_dice - 1
            case Stage.ROLL if not any(die.is_rolled for die in spot.dice):
                return mean_over_roll(self.use(counts, key), counts, self.numbers)[0], n_dice
            case Stage.ROLL:
                return self.rolls(counts, key)[self._roll(spot)][0], n_dice
            case Stage.MORE:
                return self.turn.more(counts)[self._hand(spot)][self._row(counts, key)], n_dice
            case Stage.AGAIN:
                end = self.turn.end(np.array([key]))
                use = self.use(counts, key)
                again = more_values(use, end, counts, self.numbers, may_use=False)
                return again[self._hand(spot)][0], n_dice

    def _row(self, counts: KindCounts, key: int) -> int:
        return int(np.searchsorted(self.turn.layers[counts].keys, key))

    def use(self, counts: KindCounts, key: int) -> Values:
        """Return the values of having to use a die, one skyline, all hands."""
        if (counts, key) not in self._use:
            row = self._row(counts, key)
            self._use[counts, key] = self.turn.use(counts, slice(row, row + 1))
        return self._use[counts, key]

    def rolls(self, counts: KindCounts, key: int) -> Values:
        """Return the values before a roll, one skyline, all kept dice."""
        if (counts, key) not in self._rolls:
            self._rolls[counts, key] = roll_values(self.use(counts, key), counts, self.numbers)
        return self._rolls[counts, key]

    def _hand(self, spot: Spot) -> tuple[int, ...]:
        return tuple(self._kind_hands(spot))

    def _kind_hands(self, spot: Spot) -> list[int]:
        hands = []
        for kind, index in zip(KINDS, self.faces, strict=True):
            shown = [0] * len(self.numbers.weights[KINDS.index(kind)])
            for die in spot.dice:
                if die.kind is kind and die.is_rolled:
                    shown[index[die]] += 1
            hands.append(hand_index(tuple(shown)))
        return hands

    def _roll(self, spot: Spot) -> tuple[int, ...]:
        counts = spot.counts
        unrolled = count_kinds(die.kind for die in spot.dice if not die.is_rolled)
        return tuple(
            roll_blocks(len(self.numbers.weights[kind]), counts[kind])[unrolled[kind]].start + hand
            for kind, hand in enumerate(self._kind_hands(spot))
        )
