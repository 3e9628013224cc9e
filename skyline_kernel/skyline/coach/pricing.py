r"""The price of a way to play: how much worse than best play it is over the practice game, exactly.

In the practice game every turn takes its dice from the yard.  Somebody who always does the same in
the same position makes it a Markov chain: let :math:`m_t(s)` be the chance to begin turn ``t``
with the columns ``s``.  Within the turn the chance moves from positions with three active dice to
those with two, one and none: a use of a die leaves one die less, a roll shows each of its outcomes
with its probability.  Each build gains points, and

    expected final score = points at the start + sum over all uses of chance * points gained.

So one pass forward, over the positions that this way to play meets and no others, gives the price:
:math:`V(s_0)` of best play less that sum.  Equal positions are met once, whatever way leads to
them; all positions with the same dice are decided as one array.  Finished buildings stand on the
table but change nothing that is still to come, so they are left out of what is looked at.

Floats are summed, each chance is a product of at most some dozens of exact ones: the error is far
below 1e-9.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ...errors import SettingError
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
from ..advice import value
from ..columns import Column, Skyline, points
from ..dice import ONE_OF_EACH, Die, count_kinds, kinds_of, sorted_dice, unrolled
from ..dice_sets import roll_outcomes
from ..legality import verify
from ..solver.skylines import COLUMNS, ENDED, STANDARD_PACKING
from ..state import N_ROUNDS, SIX_STOREYS, Phase, Rules, State, Step, new_game

__all__ = ["Chosen", "Decider", "Price", "View", "Way", "price", "price_function"]

Keys = NDArray[np.int64]
Masses = NDArray[np.float64]
Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class View:
    """Positions with the same dice, as a way to play sees them.

    Parameters
    ----------
    keys : ndarray of int64
        Unfinished columns, packed, shape ``(n_positions,)``.
    dice : tuple of Die
        Active dice, none in phase ``TAKE``.
    phase : Phase
        ``TAKE``, ``USE`` or ``MORE``.
    step : Step or None
        Printed edition in phase ``MORE``.
    turns_left : int
        Turns that follow this one, if no six-storey building ends the game.
    rules : Rules
    """

    keys: Keys
    dice: tuple[Die, ...]
    phase: Phase
    step: Step | None
    turns_left: int
    rules: Rules

    def count(self, column: Column) -> NDArray[np.int64]:
        """Return how many such columns stand, shape ``(n_positions,)``."""
        counts: NDArray[np.int64] = STANDARD_PACKING.counts(self.keys, column)
        return counts

    @property
    def is_ended(self) -> NDArray[np.bool_]:
        """Whether six storeys were finished in this turn, shape ``(n_positions,)``."""
        ended: NDArray[np.bool_] = STANDARD_PACKING.counts(self.keys, ENDED) > 0
        return ended


Chosen = tuple[Action, Rows]
"""An action, and the numbers of the positions in which it is chosen."""


class Decider(Protocol):
    """A way to play for whole arrays of positions."""

    def decide(self, view: View) -> Iterable[Chosen]:
        """Choose one action for every position of the view."""


Way = Callable[[State], Action]
"""A way to play, one position at a time: always the same action in the same position."""


class Price(NamedTuple):
    """What a way to play is worth.

    Parameters
    ----------
    expected : float
        Expected final score, in points.
    best : float
        That of best play.
    """

    expected: float
    best: float

    @property
    def cost(self) -> float:
        """How much worse than best play it is over the game, in points."""
        return self.best - self.expected


def price(decider: Decider, state: State | None = None) -> Price:
    """Price a way to play.

    Parameters
    ----------
    decider : Decider
    state : State, optional
        In phase ``TAKE``; the practice game of the online edition if left out.  Later rounds make
        shorter games.

    Raises
    ------
    SettingError
        If the state is in another phase.
    IllegalActionError
        If an action is chosen that the rules do not allow.
    """
    start = new_game(1) if state is None else state
    if start.phase is not Phase.TAKE:
        raise SettingError("phase {phase}: expected phase take", phase=start.phase)
    alone = replace(
        start,
        skylines=(start.skyline,),
        seat=1,
        district=ONE_OF_EACH,
        rules=_unlimited(start.rules),
    )
    return Price(points(alone.skyline) + _Chain(decider, alone).gain(), _best(alone))


@lru_cache(maxsize=16)
def _best(state: State) -> float:
    return value(state).value


def price_function(way: Way, state: State | None = None) -> Price:
    """Price a function from positions to actions.

    Parameters
    ----------
    way : callable
        Is asked about positions of the practice game: one seat, one die of each kind in the
        district, only the unfinished columns.  It must choose the same whenever it is asked.
    state : State, optional
        As for `price`.

    Raises
    ------
    IllegalActionError
        If it chooses an action that the rules do not allow.

    Notes
    -----
    Every position that can come up is asked about once: some ten thousand for the last three
    turns, which takes a second, and a million for a whole game.

    Examples
    --------
    >>> from skyline_kernel.skyline import legal_actions, parse_position
    >>> def first_of_all(state):
    ...     return legal_actions(state)[0]
    >>> last_turn = parse_position("m2 G1U1P1 - take 9.1")
    >>> round(price_function(first_of_all, last_turn).expected, 6)
    1.5
    """
    return price(_ByFunction(way), state)


def _unlimited(rules: Rules) -> Rules:
    return replace(rules, box=False)


# --- the chain --------------------------------------------------------------------------------


class _Place(NamedTuple):
    """Where a turn stands, the columns left aside."""

    phase: Phase
    step: Step | None
    dice: tuple[Die, ...]


_OVER: Final = _Place(Phase.OVER, None, ())


class _Chain:
    """Moves chance forward through the turns."""

    def __init__(self, decider: Decider, start: State) -> None:
        self.decider = decider
        self.rules = start.rules
        self.n_turns = 1 if start.is_last_round else N_ROUNDS - start.round + 1
        self.key = STANDARD_PACKING.key(start.skyline)
        self._gained = 0.0
        self._waiting: dict[_Place, list[tuple[Keys, Masses]]] = {}

    def gain(self) -> float:
        """Return the points that are expected to be gained."""
        keys, masses = np.array([self.key], dtype=np.int64), np.ones(1)
        for turns_left in range(self.n_turns - 1, -1, -1):
            keys, masses = self._turn(keys, masses, turns_left)
            live = STANDARD_PACKING.counts(keys, ENDED) == 0
            keys, masses = keys[live], masses[live]
        return self._gained

    def _turn(self, keys: Keys, masses: Masses, turns_left: int) -> tuple[Keys, Masses]:
        self._waiting = {_Place(Phase.TAKE, None, ()): [(keys, masses)]}
        while len(self._waiting) > 1 or _OVER not in self._waiting:
            place = max(self._waiting, key=_order)
            keys, masses = _merged(self._waiting.pop(place))
            if place.phase is Phase.ROLL:
                self._roll(place, keys, masses)
            else:
                self._decide(place, keys, masses, turns_left)
        return _merged(self._waiting.pop(_OVER))

    def _arrive(self, place: _Place, keys: Keys, masses: Masses) -> None:
        self._waiting.setdefault(place, []).append((keys, masses))

    def _roll(self, place: _Place, keys: Keys, masses: Masses) -> None:
        kept = [die for die in place.dice if die.is_rolled]
        counts = count_kinds(die.kind for die in place.dice if not die.is_rolled)
        for outcome, probability in roll_outcomes(self.rules.dice_set, counts):
            dice = sorted_dice((*kept, *outcome))
            self._arrive(_Place(Phase.USE, None, dice), keys, masses * float(probability))

    def _decide(self, place: _Place, keys: Keys, masses: Masses, turns_left: int) -> None:
        view = View(keys, place.dice, place.phase, place.step, turns_left, self.rules)
        for action, rows in self.decider.decide(view):
            if len(rows):
                self._follow(place, action, keys[rows], masses[rows])

    def _follow(self, place: _Place, action: Action, keys: Keys, masses: Masses) -> None:
        match action:
            case Take(kinds):
                self._arrive(_about_to_roll(map(unrolled, kinds)), keys, masses)
            case TakeDistrict():
                self._arrive(_about_to_roll(map(unrolled, kinds_of(ONE_OF_EACH))), keys, masses)
            case Reroll(dice):
                again = [unrolled(die.kind) for die in dice]
                kept = _without(place.dice, dice)
                self._arrive(_about_to_roll((*kept, *again)), keys, masses)
            case End():
                self._arrive(_OVER, keys, masses)
            case Build(die):
                self._use(place, (die,), Step.BUILD, self._built(action, keys, masses), masses)
            case Abandon(die):
                self._use(place, (die,), Step.ABANDON, keys, masses)
            case Demolish(dice, column):
                self._gained -= column.points * float(masses.sum())
                keys = keys - STANDARD_PACKING.ones[column]
                self._use(place, dice, Step.DEMOLISH, keys, masses)

    def _built(self, build: Build, keys: Keys, masses: Masses) -> Keys:
        after = column_after(build)
        assert after is not None, "verified"
        before = 0 if build.column is None else build.column.points
        self._gained += (after.points - before) * float(masses.sum())
        ones = STANDARD_PACKING.ones
        keys = keys + ones.get(after, 0) - (0 if build.column is None else ones[build.column])
        return keys | ones[ENDED] if after is SIX_STOREYS and not self.rules.nine else keys

    def _use(
        self, place: _Place, used: Sequence[Die], step: Step, keys: Keys, masses: Masses
    ) -> None:
        left = _without(place.dice, used)
        kept_step = step if self.rules.is_printed else None
        self._arrive(_Place(Phase.MORE, kept_step, left) if left else _OVER, keys, masses)


def _about_to_roll(dice: Iterable[Die]) -> _Place:
    return _Place(Phase.ROLL, None, sorted_dice(dice))


def _without(dice: Sequence[Die], gone: Iterable[Die]) -> tuple[Die, ...]:
    left = list(dice)
    for die in gone:
        left.remove(die)
    return tuple(left)


_PHASES: Final = (Phase.OVER, Phase.USE, Phase.ROLL, Phase.MORE, Phase.TAKE)
_STEPS: Final = (Step.ABANDON, Step.DEMOLISH, Step.BUILD, None)


def _order(place: _Place) -> tuple[int, int, int]:
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


# --- functions one position at a time ---------------------------------------------------------


class _ByFunction:
    """Asks a function about every position."""

    def __init__(self, way: Way) -> None:
        self._way = way
        self._skylines: dict[int, Skyline] = {}

    def decide(self, view: View) -> list[Chosen]:
        """Ask about each position and put equal answers together."""
        found: dict[Action, list[int]] = {}
        for row, key in enumerate(view.keys.tolist()):
            state = self._state(view, key)
            action = self._way(state)
            verify(state, action)
            found.setdefault(action, []).append(row)
        return [(action, np.array(rows)) for action, rows in found.items()]

    def _state(self, view: View, key: int) -> State:
        if key not in self._skylines:
            self._skylines[key] = _columns_in(key)
        return State(
            skylines=(self._skylines[key],),
            district=ONE_OF_EACH,
            dice=view.dice,
            phase=view.phase,
            step=view.step,
            round=N_ROUNDS - view.turns_left,
            seat=1,
            is_last_round=bool(key & STANDARD_PACKING.ones[ENDED]),
            rules=view.rules,
        )


def _columns_in(key: int) -> Skyline:
    shifts: Mapping[Any, int] = STANDARD_PACKING.shifts
    masks: Mapping[Any, int] = STANDARD_PACKING.masks
    return tuple(
        column for column in COLUMNS for _ in range((key >> shifts[column]) & masks[column])
    )
