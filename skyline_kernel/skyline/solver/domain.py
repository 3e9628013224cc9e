"""Which skylines are worth the same, and all skylines up to that.

With ``n`` dice still to come, counted over this turn and all later ones, at most ``n`` columns
will ever be touched, so most columns of a crowded skyline cannot matter.  Of these dice at most
``p`` are penthouses and at most ``u`` are upper floors: the later turns may take any dice, but those
of this turn are known.  A high-rise or mid-rise gains points only when a penthouse finishes it, a
low-rise ground floor only by an upper floor.  Order the high-rises by falling height.  The ``i``-th
of them matters only if ``p >= i``, and a high-rise of one floor only if ``n >= i + 1`` as well and
``u`` is not below its place among those of one floor, since no single die finishes it.  The same
holds among the mid-rises (where one die finishes any), and of low-rise ground floors at most ``u``
matter.  `normal_form` drops the rest.  This changes no value:

*Proof* by induction on ``n``.  Let ``c`` be a dropped high-rise and ``d`` the last kept one, so
``d`` is at least as tall.  A penthouse on ``c`` gains no more than one on ``d``, and afterwards,
with one penthouse less, both leave the same normal form.  An upper floor on ``c`` leaves a column
that is still no taller than ``d`` (or ``c`` and ``d`` are equal and it does not matter which one
gets it), and which the normal form with one die less, but no penthouse less, drops again: it does
no more than abandoning the die.  If nothing is kept there is no penthouse to come, or only columns
of one floor stand and no upper floor is to come, and no high-rise will be finished.  A demolition of ``c`` costs a die and helps nobody.  So some best play never touches ``c``.
Without ``c`` everything else stays legal, as nothing in the rules asks for a column to stand.
For a high-rise of one floor at place ``i = n`` the same argument holds: a penthouse does not fit,
and an upper floor leaves two floors at place ``n`` with ``n - 1`` dice to come.  Of ``u + 1`` columns
of one floor one is never touched, whichever it is.

Where a six-storey building ends the game, a column of five floors is not simply better than one
of four: finishing it may cost the later turns.  There the columns of five floors are counted
apart.  Once one of them is finished only the dice of that turn are left, so at most as many of
them matter as one turn can hold penthouses, and the argument above holds among the lower ones, none of
which is turned into six storeys by a single die.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..columns import GROWTH, Column
from ..dice import Die, Style
from .skylines import COLUMNS, STANDARD_PACKING, Keys

__all__ = ["Crowd", "all_skylines", "normal_form"]

FIVE_FLOORS: Final = COLUMNS[0]
HIGH_RISES: Final = tuple(column for column in COLUMNS if column.style is Style.HIGH)
MID_RISES: Final = tuple(column for column in COLUMNS if column.style is Style.MID)
LOW_RISES: Final = tuple(column for column in COLUMNS if column.style is Style.LOW)


def _waits(column: Column) -> int:
    """Return how many dice a column needs before one more can finish it."""
    finishes = any((column, die) in GROWTH and GROWTH[column, die].is_finished for die in Die)
    return 0 if finishes else 1


class Crowd(NamedTuple):
    """How many columns can matter.

    Parameters
    ----------
    n_dice : int
        Dice still to come, in this turn and all later ones.
    n_fives : int or None
        Where a six-storey building takes later turns away: how many columns of five floors one
        turn can finish.  None where it does not, or where there are no later turns.
    n_upper, n_penthouse : int or None
        How many of the dice may be upper floors and penthouses; None for any number.
    """

    n_dice: int
    n_fives: int | None = None
    n_upper: int | None = None
    n_penthouse: int | None = None

    def most(self) -> NDArray[np.int64]:
        """Return the place that a column may have at most, shape ``(n_columns, 1)``."""
        uppers = self.n_dice if self.n_upper is None else self.n_upper
        penthouses = self.n_dice if self.n_penthouse is None else self.n_penthouse
        kinds = np.where(_IS_LOW, uppers, penthouses)
        most: NDArray[np.int64] = np.minimum(self.n_dice - _WAITS, kinds)
        return most


_SHIFTS: Final = np.array([STANDARD_PACKING.shifts[column] for column in COLUMNS])[:, None]
_MASKS: Final = np.array([STANDARD_PACKING.masks[column] for column in COLUMNS])[:, None]
_FIVES: Final = COLUMNS.index(FIVE_FLOORS)
_BY_STYLE: Final = tuple(
    slice(COLUMNS.index(columns[0]), COLUMNS.index(columns[-1]) + 1)
    for columns in (HIGH_RISES, MID_RISES, LOW_RISES)
)
"""Where the columns of one style stand, tallest first."""
_WAITS: Final = np.array([_waits(column) for column in COLUMNS])[:, None]
_IS_LOW: Final = np.array([column.style is Style.LOW for column in COLUMNS])[:, None]


def normal_form(keys: Keys, crowd: Crowd) -> Keys:
    """Drop the columns that cannot matter.

    Parameters
    ----------
    keys : ndarray of int64
        Skylines in `STANDARD_PACKING`, shape ``(n_skylines,)``.
    crowd : Crowd

    Returns
    -------
    ndarray of int64, shape (n_skylines,)
        The mark of an ended game is left as it is.
    """
    normal = np.empty_like(keys)
    for at in range(0, len(keys), _AT_ONCE):
        normal[at : at + _AT_ONCE] = _normal_form(keys[at : at + _AT_ONCE], crowd)
    return normal


_AT_ONCE: Final = 8192
"""Skylines that stay in a processor's cache."""


def _normal_form(keys: Keys, crowd: Crowd) -> Keys:
    counts = (keys >> _SHIFTS) & _MASKS
    most = crowd.most()
    n_taller = np.zeros_like(counts)
    for style in _BY_STYLE:
        np.cumsum(counts[style][:-1], axis=0, out=n_taller[style][1:])
    if crowd.n_fives is not None:
        most[_FIVES] = crowd.n_fives
        n_taller[_BY_STYLE[0]][1:] -= counts[_FIVES]
    n_kept = np.maximum(most - n_taller, 0)
    if crowd.n_upper is not None:
        n_kept = np.where(_WAITS, np.minimum(n_kept, crowd.n_upper), n_kept)
    dropped = np.maximum(counts - n_kept, 0)
    normal: Keys = keys - (dropped << _SHIFTS).sum(axis=0)
    return normal


def all_skylines(crowd: Crowd, most_dice: int) -> Keys:
    """List the normal forms of all skylines of at most `most_dice` dice.

    Parameters
    ----------
    crowd : Crowd
    most_dice : int
        Bound on the dice in unfinished columns.

    Returns
    -------
    ndarray of int64, shape (n_skylines,)
        Keys of `STANDARD_PACKING`, sorted.
    """
    high, high_dice = _columns_of(HIGH_RISES, crowd, most_dice)
    mid, mid_dice = _columns_of(MID_RISES, crowd._replace(n_fives=None), most_dice)
    dice = high_dice[:, None] + mid_dice[None, :]
    fits = dice <= most_dice
    bases = (high[:, None] + mid[None, :])[fits]
    n_low = np.minimum(most_dice - dice[fits], crowd.n_dice) + 1
    first = np.cumsum(n_low) - n_low
    return np.repeat(bases - first, n_low) + np.arange(n_low.sum())


def _columns_of(
    columns: tuple[Column, ...], crowd: Crowd, most_dice: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """List the normal forms with columns of one style: sorted keys, and their dice."""
    found = [(0, 0, 0)]  # key, dice, columns that count
    for column in columns:
        apart = crowd.n_fives if column is FIVE_FLOORS else None
        taller, found = found, []
        for key, dice, n_before in taller:
            most = max(crowd.n_dice - n_before - _waits(column), 0) if apart is None else apart
            for count in range(min(most, (most_dice - dice) // column.floors) + 1):
                more = (key + count * STANDARD_PACKING.ones[column], dice + count * column.floors)
                found.append((*more, n_before + (count if apart is None else 0)))
    found.sort()
    keys, dice_counts, _ = zip(*found, strict=True)
    return np.array(keys, dtype=np.int64), np.array(dice_counts, dtype=np.int64)
