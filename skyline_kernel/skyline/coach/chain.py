r"""A way to play as a Markov chain: where it stands, with what chance, and what it gains.

In the practice game every turn takes its dice from the yard.  Somebody who always does the same in
the same position makes it a Markov chain: let :math:`m_t(s)` be the chance to begin turn ``t``
with the columns ``s``.  Within the turn the chance moves from positions with three active dice to
those with two, one and none: a use of a die leaves one die less, a roll shows each of its outcomes
with its probability.  Each build gains points.

So one pass forward meets the positions that this way to play meets and no others.  Equal positions
are met once, whatever way leads to them; all positions with the same dice are decided as one
array.  Finished buildings stand on the table but change nothing that is still to come, so they are
left out of what is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..actions import (
    Abandon,
    Action,
    Build,
    Demolish,
    End,
    Reroll,
    Take,
    TakeDistrict,
    column_after,
)
from ..columns import Column
from ..dice import ONE_OF_EACH, Die, count_kinds, kinds_of, sorted_dice, unrolled
from ..dice_sets import DiceSet, roll_outcomes
from ..solver.skylines import ENDED, STANDARD_PACKING
from ..state import N_ROUNDS, SIX_STOREYS, Phase, Rules, State, Step

__all__ = ["Chain", "Chosen", "Decider", "Keys", "Masses", "Place", "Rows", "View"]

Keys = NDArray[np.int64]
Masses = NDArray[np.float64]
Rows = NDArray[np.intp]


class Place(NamedTuple):
    """Where a turn stands, the columns left aside.

    Parameters
    ----------
    phase : Phase
    step : Step or None
        Printed edition in phase ``MORE``.
    dice : tuple of Die
        Active dice.
    """

    phase: Phase
    step: Step | None
    dice: tuple[Die, ...]


OVER: Final = Place(Phase.OVER, None, ())
BEGIN: Final = Place(Phase.TAKE, None, ())


class View:
    """Positions with the same dice, as a way to play sees them.

    Parameters
    ----------
    keys : ndarray of int64
        Unfinished columns, packed, shape ``(n_positions,)``.
    place : Place
        In phase ``TAKE``, ``USE`` or ``MORE``.
    turns_left : int
        Turns that follow this one, if no six-storey building ends the game.
    rules : Rules
    """

    def __init__(self, keys: Keys, place: Place, turns_left: int, rules: Rules) -> None:
        self.keys = keys
        self.place = place
        self.turns_left = turns_left
        self.rules = rules
        self._found: dict[object, Any] = {}
        self._standing: dict[Column, NDArray[np.bool_]] = {}

    @property
    def dice(self) -> tuple[Die, ...]:
        """Active dice, none in phase ``TAKE``."""
        return self.place.dice

    @property
    def phase(self) -> Phase:
        """``TAKE``, ``USE`` or ``MORE``."""
        return self.place.phase

    @property
    def step(self) -> Step | None:
        """Printed edition in phase ``MORE``."""
        return self.place.step

    def count(self, column: Column) -> Keys:
        """Return how many such columns stand, shape ``(n_positions,)``."""
        return self._count(column)

    def has(self, column: Column) -> NDArray[np.bool_]:
        """Return where such a column stands, shape ``(n_positions,)``."""
        if column not in self._standing:
            self._standing[column] = self._count(column) > 0
        return self._standing[column]

    def holding(self, condition: Holds) -> NDArray[np.bool_]:
        """Return where a condition holds, shape ``(n_positions,)``; asked once."""
        found: NDArray[np.bool_] = self._kept(condition, lambda: condition.holds(self))
        return found

    @property
    def everywhere(self) -> NDArray[np.bool_]:
        """True for each position, shape ``(n_positions,)``."""
        return np.ones(len(self.keys), dtype=bool)

    def total(self, columns: tuple[Column, ...]) -> Keys:
        """Return how many of some columns stand, shape ``(n_positions,)``."""
        total: Keys = self._kept(columns, lambda: self._total(columns))
        return total

    def _total(self, columns: tuple[Column, ...]) -> Keys:
        total = np.zeros(len(self.keys), dtype=np.int64)
        for column in columns:
            total += self._count(column)
        return total

    @property
    def is_ended(self) -> NDArray[np.bool_]:
        """Whether six storeys were finished in this turn, shape ``(n_positions,)``."""
        ended: NDArray[np.bool_] = self._count(ENDED) > 0
        return ended

    def _count(self, field: Any) -> Keys:
        counts: Keys = self._kept(field, lambda: STANDARD_PACKING.counts(self.keys, field))
        return counts

    def _kept(self, name: object, find: Callable[[], Any]) -> Any:
        # The lines of a card ask for the same again and again.
        if name not in self._found:
            self._found[name] = find()
        return self._found[name]


class Holds(Protocol):
    """A condition."""

    def holds(self, view: View) -> NDArray[np.bool_]:
        """Return where it holds."""


Chosen = tuple[Action, Rows]
"""An action, and the numbers of the positions in which it is chosen."""


class Decider(Protocol):
    """A way to play for whole arrays of positions."""

    def decide(self, view: View) -> Iterable[Chosen]:
        """Choose one action for every position of the view."""


class Chain:
    """Moves chance forward through the turns.

    Parameters
    ----------
    decider : Decider
    start : State
        In phase ``TAKE`` with one seat.

    Attributes
    ----------
    gained : float
        Points that are expected to be gained so far.
    turns_left : int
        Turns that follow the one that is being played.
    """

    def __init__(self, decider: Decider, start: State) -> None:
        self.decider = decider
        self.rules = start.rules
        self.n_turns = 1 if start.is_last_round else N_ROUNDS - start.round + 1
        self.turns_left = self.n_turns
        self.key = STANDARD_PACKING.key(start.skyline)
        self.gained = 0.0
        self._waiting: dict[Place, list[tuple[Keys, Masses]]] = {}

    def run(self) -> float:
        """Play to the end and return the points that are expected to be gained."""
        for _ in self.turns():
            pass
        return self.gained

    def turns(self) -> Iterator[tuple[Keys, Masses]]:
        """Play turn by turn.

        Yields
        ------
        ndarray of int64, ndarray of float64
            The columns that the turn ended with where the game goes on, and their chances.
        """
        keys, masses = np.array([self.key], dtype=np.int64), np.ones(1)
        for turns_left in range(self.n_turns - 1, -1, -1):
            self.turns_left = turns_left
            keys, masses = self.turn(keys, masses)
            live = STANDARD_PACKING.counts(keys, ENDED) == 0
            keys, masses = keys[live], masses[live]
            yield keys, masses

    def turn(self, keys: Keys, masses: Masses) -> tuple[Keys, Masses]:
        """Play one turn: the columns that it begins with, and those that it ends with."""
        self._waiting = {BEGIN: [(keys, masses)]}
        while len(self._waiting) > 1 or OVER not in self._waiting:
            place = max(self._waiting, key=_order)
            keys, masses = _merged(self._waiting.pop(place))
            if place.phase is Phase.ROLL:
                for then, probability in _shown(place, self.rules.dice_set):
                    self._arrive(then, keys, masses * probability)
            else:
                self.decide(place, keys, masses)
        return _merged(self._waiting.pop(OVER))

    def decide(self, place: Place, keys: Keys, masses: Masses) -> None:
        """Decide in some positions and go on from there."""
        view = View(keys, place, self.turns_left, self.rules)
        for action, rows in self.decider.decide(view):
            if len(rows):
                then, after, gain = self.follow(place, action, keys[rows])
                chance = masses[rows]
                if gain:
                    self.gained += gain * float(chance.sum())
                self._arrive(then, after, chance)

    def follow(self, place: Place, action: Action, keys: Keys) -> tuple[Place, Keys, int]:
        """Return where an action leads, the columns there, and the points gained."""
        then = _then(place, action, is_printed=self.rules.is_printed)
        match action:
            case Build(_, column):
                after = column_after(action)
                assert after is not None, "verified"
                return then, self._built(keys, column, after), _points(after) - _points(column)
            case Demolish(_, column):
                return then, keys - STANDARD_PACKING.ones[column], -column.points
        return then, keys, 0

    def _built(self, keys: Keys, column: Column | None, after: Column) -> Keys:
        ones = STANDARD_PACKING.ones
        keys = keys + (ones.get(after, 0) - (0 if column is None else ones[column]))
        return keys | ones[ENDED] if after is SIX_STOREYS and not self.rules.nine else keys

    def _arrive(self, place: Place, keys: Keys, masses: Masses) -> None:
        self._waiting.setdefault(place, []).append((keys, masses))


def _points(column: Column | None) -> int:
    return 0 if column is None else column.points


@cache
def _then(place: Place, action: Action, *, is_printed: bool) -> Place:
    """Return where an action leads, the columns left aside."""
    used: tuple[Die, ...]
    match action:
        case Take(kinds):
            return _about_to_roll(map(unrolled, kinds))
        case TakeDistrict():
            return _about_to_roll(map(unrolled, kinds_of(ONE_OF_EACH)))
        case Reroll(dice):
            again = [unrolled(die.kind) for die in dice]
            return _about_to_roll((*_without(place.dice, dice), *again))
        case Build(die):
            used, step = (die,), Step.BUILD
        case Abandon(die):
            used, step = (die,), Step.ABANDON
        case Demolish(dice):
            used, step = dice, Step.DEMOLISH
        case End():
            return OVER
    left = _without(place.dice, used)
    return Place(Phase.MORE, step if is_printed else None, left) if left else OVER


def _about_to_roll(dice: Iterable[Die]) -> Place:
    return Place(Phase.ROLL, None, sorted_dice(dice))


def _without(dice: Sequence[Die], gone: Iterable[Die]) -> tuple[Die, ...]:
    left = list(dice)
    for die in gone:
        left.remove(die)
    return tuple(left)


@lru_cache(maxsize=4096)
def _shown(place: Place, dice_set: DiceSet) -> tuple[tuple[Place, float], ...]:
    """List what a roll can show."""
    kept = [die for die in place.dice if die.is_rolled]
    counts = count_kinds(die.kind for die in place.dice if not die.is_rolled)
    return tuple(
        (Place(Phase.USE, None, sorted_dice((*kept, *outcome))), float(probability))
        for outcome, probability in roll_outcomes(dice_set, counts)
    )


_PHASES: Final = (Phase.OVER, Phase.USE, Phase.ROLL, Phase.MORE, Phase.TAKE)
_STEPS: Final = (Step.ABANDON, Step.DEMOLISH, Step.BUILD, None)


@cache
def _order(place: Place) -> tuple[int, int, int]:
    """Sort places so that chance only moves to lower ones."""
    n_dice = 99 if place.phase is Phase.TAKE else len(place.dice)
    return n_dice, _PHASES.index(place.phase), _STEPS.index(place.step)


def _merged(parts: Sequence[tuple[Keys, Masses]]) -> tuple[Keys, Masses]:
    """Put equal columns together."""
    if len(parts) == 1:
        return parts[0]
    keys, where = np.unique(np.concatenate([keys for keys, _ in parts]), return_inverse=True)
    masses = np.bincount(where, np.concatenate([m for _, m in parts]), len(keys))
    return keys, masses.astype(np.float64, copy=False)
