"""The solved practice game: the value of every skyline at the start of every turn.

Level ``t`` of a table holds the gain to be expected with ``t`` turns from the yard to come, for
all skylines of at most ``bounds[t]`` dice, up to those that are worth the same (`domain`).  The
levels are solved from the last turn back, each in one sweep over all skylines: the skylines with
three, two, one and no active dice left are layers, linked once, and every value in a layer is
computed for all skylines at a time.

Skylines beyond the bounds are solved when they are asked for, by the same recursion on the
skylines that can be reached from them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..legality import DICE_FROM_YARD
from ..state import N_ROUNDS
from .domain import Crowd, all_skylines, normal_form
from .moves import Layer, descend, layers_below
from .numbers import Numbers
from .practice import TAKES, PracticeGame
from .skylines import ENDED, STANDARD_PACKING, Keys
from .turn import Continuation, TurnValues, Values, batches

__all__ = [
    "NARROW",
    "TRIMMED",
    "WIDE",
    "Bounds",
    "Progress",
    "ValueTable",
    "best_gains",
    "silent",
    "solve_table",
    "trimmed",
    "unsolved_table",
    "work",
]


def silent(_n_done: int) -> None:
    """Tell nobody."""


Bounds = tuple[int, ...]
"""Most dice in the unfinished columns with 0 to 9 turns left, shape ``(10,)``."""

Progress = Callable[[int], object]
"""Is told how many skylines more are done."""

NARROW: Final[Bounds] = tuple(1 + DICE_FROM_YARD * (N_ROUNDS - t) for t in range(N_ROUNDS + 1))
"""All that the practice game reaches from the skylines that seats begin with."""

_SPARE: Final = 6
WIDE: Final[Bounds] = tuple(bound + _SPARE for bound in NARROW)
"""Room for large districts: six dice more than the yard can give."""

_KEPT: Final = 16
TRIMMED: Final[Bounds] = tuple(
    min(wide, max(narrow, _KEPT)) for narrow, wide in zip(NARROW, WIDE, strict=True)
)
"""What of `WIDE` is worth keeping: more than 16 dice at once only where the yard gives them."""


class ValueTable:
    """Expected gains with so many turns from the yard to come.

    Parameters
    ----------
    game : PracticeGame
    bounds : Bounds
    levels : list of ndarray
        Level ``t`` at place ``t``: gains in points, in the order of `all_skylines`; level 0 is
        empty.  More levels may be appended while a table is being solved.
    """

    def __init__(self, game: PracticeGame, bounds: Bounds, levels: list[Values]) -> None:
        self.game = game
        self.bounds = bounds
        self.levels = levels
        self._skylines: dict[int, Keys] = {}
        self._beyond: dict[int, tuple[Keys, Values]] = {}

    def skylines(self, turns_left: int) -> Keys:
        """Return the skylines of a level, sorted, shape ``(n_skylines,)``."""
        if turns_left not in self._skylines:
            crowd = self.game.crowd(turns_left - 1, DICE_FROM_YARD)
            most_dice = self.bounds[turns_left]
            known = all_skylines(crowd, most_dice) if most_dice >= 0 else _NO_KEYS
            self._skylines[turns_left] = known
        return self._skylines[turns_left]

    def gains(self, keys: Keys, turns_left: int) -> Values:
        """Return the expected gain over the displayed points, for best play.

        Parameters
        ----------
        keys : ndarray of int64
            Skylines in `STANDARD_PACKING`, shape ``(n_skylines,)``.
        turns_left : int
            Turns from the yard that are still to begin; none are left to a skyline that is
            marked as ended.

        Returns
        -------
        ndarray of float64, shape (n_skylines,)
            Points.
        """
        if not turns_left:
            return np.zeros(len(keys))
        is_ended = STANDARD_PACKING.counts(keys, ENDED) > 0
        live = np.where(is_ended, 0, keys)
        gains, is_known = self._look_up(live, turns_left)
        if not is_known.all():
            gains[~is_known] = self._gains_crowded(live[~is_known], turns_left)
        gains[is_ended] = 0.0
        return gains

    def _look_up(self, keys: Keys, turns_left: int) -> tuple[Values, NDArray[np.bool_]]:
        """Return what the level holds of some skylines, and of which of them it does."""
        known = self.skylines(turns_left)
        if not len(known):
            return np.zeros(len(keys)), np.zeros(len(keys), dtype=bool)
        places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        return np.asarray(self.levels[turns_left])[places], known[places] == keys

    def _gains_crowded(self, keys: Keys, turns_left: int) -> Values:
        normal = normal_form(keys, self.game.crowd(turns_left - 1, DICE_FROM_YARD))
        gains, is_known = self._look_up(normal, turns_left)
        if not is_known.all():
            gains[~is_known] = self._gains_beyond(normal[~is_known], turns_left)
        return gains

    def _gains_beyond(self, keys: Keys, turns_left: int) -> Values:
        keys_known, gains_known = self._beyond.get(turns_left, _NONE_BEYOND)
        missing = np.setdiff1d(keys, keys_known)
        if len(missing):
            parts = [
                missing[at : at + _SOLVED_AT_ONCE] for at in range(0, len(missing), _SOLVED_AT_ONCE)
            ]
            solved = [self.solve_turn(part, turns_left) for part in parts]
            keys_known = np.concatenate([keys_known, missing])
            gains_known = np.concatenate([gains_known, *solved])
            order = np.argsort(keys_known)
            keys_known, gains_known = keys_known[order], gains_known[order]
            self._beyond[turns_left] = keys_known, gains_known
        gains: Values = gains_known[np.searchsorted(keys_known, keys)]
        return gains

    def solve_turn(self, keys: Keys, turns_left: int) -> Values:
        """Solve the next of `turns_left` turns for some skylines, not looking at its level.

        Returns
        -------
        ndarray of float64, shape (n_skylines,)
        """
        turns_after = turns_left - 1
        different, places = np.unique(keys, return_inverse=True)
        layers = descend(
            different,
            DICE_FROM_YARD,
            self.game.move_tables(turns_after),
            lambda keys, n_dice: self.game.normal(keys, turns_after, n_dice),
        )
        gains = best_gains(layers, self.continuation(turns_after), self.game.numbers)
        return gains[places]

    def continuation(self, turns_left: int) -> Callable[[Keys], Values]:
        """Return `gains` with so many turns left, as a function of skylines."""
        return lambda keys: self.gains(keys, turns_left)


_SOLVED_AT_ONCE: Final = 20_000
_NO_KEYS: Final = np.zeros(0, dtype=np.int64)
_NONE_BEYOND: Final = (_NO_KEYS, np.zeros(0))


def unsolved_table(game: PracticeGame) -> ValueTable:
    """Return a table without levels: it solves every skyline when it is asked for."""
    return ValueTable(game, (-1,) * (N_ROUNDS + 1), [np.zeros(0)] * (N_ROUNDS + 1))


# --- solving all of it ------------------------------------------------------------------------


def solve_table(game: PracticeGame, bounds: Bounds, progress: Progress | None = None) -> ValueTable:
    """Solve the practice game.

    Parameters
    ----------
    game : PracticeGame
    bounds : Bounds
        With a turn less at least three dice more.
    progress : callable, optional
        Is told how many skylines more are done, `work` in all.
    """
    table = ValueTable(game, bounds, [np.zeros(0)])
    for turns_left in range(1, N_ROUNDS + 1):
        table.levels.append(_solve_level(table, turns_left, progress or silent))
    return table


def trimmed(table: ValueTable, bounds: Bounds) -> ValueTable:
    """Return the part of `table` within narrower bounds."""
    part = ValueTable(table.game, bounds, [np.zeros(0)])
    for turns_left in range(1, N_ROUNDS + 1):
        places = np.searchsorted(table.skylines(turns_left), part.skylines(turns_left))
        part.levels.append(table.levels[turns_left][places])
    return part


def _solve_level(table: ValueTable, turns_left: int, progress: Progress) -> Values:
    layers = _level_layers(table, turns_left)
    return best_gains(layers, table.continuation(turns_left - 1), table.game.numbers, progress)


def best_gains(
    layers: list[Layer], after: Continuation, numbers: Numbers, progress: Progress = silent
) -> Values:
    """Return the gain of the best way to take three dice, for the skylines of the top layer.

    Parameters
    ----------
    layers : list of Layer
        With 0 to 3 dice left (`descend`).
    after : Continuation
    numbers : Numbers
    progress : callable

    Returns
    -------
    ndarray of float64, shape (n_skylines,)
    """
    turn = TurnValues(
        {counts: layers[sum(counts)] for counts in layers_below(TAKES)}, after, numbers
    )
    gains = np.empty(len(layers[-1].keys))
    for rows in batches(len(gains)):
        gains[rows] = turn.best_take(TAKES, rows)
        progress(rows.stop - rows.start)
    return gains


def work(game: PracticeGame, bounds: Bounds) -> int:
    """Count the skylines that `solve_table` solves."""
    table = ValueTable(game, bounds, [])
    return sum(len(table.skylines(turns_left)) for turns_left in range(1, N_ROUNDS + 1))


def _level_layers(table: ValueTable, turns_left: int) -> list[Layer]:
    """Return the skylines with 0 to 3 active dice in a turn, linked, for all skylines at once."""
    game, turns_after = table.game, turns_left - 1
    most_dice = table.bounds[turns_left] + DICE_FROM_YARD

    def below(n_dice: int) -> Keys:
        live = all_skylines(game.crowd(turns_after, n_dice), most_dice - n_dice)
        if not game.can_end(turns_after):
            return live
        ended = all_skylines(Crowd(n_dice), most_dice - n_dice)
        return np.concatenate([live, ended + STANDARD_PACKING.ones[ENDED]])

    return descend(
        table.skylines(turns_left),
        DICE_FROM_YARD,
        game.move_tables(turns_after),
        lambda keys, n_dice: game.normal(keys, turns_after, n_dice),
        below,
    )
