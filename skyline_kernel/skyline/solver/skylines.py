"""Skylines as whole numbers, and what a die does to them.

Only unfinished columns matter for what is still to come, and equal columns are alike.  So a
skyline is nine counts: how many columns there are of each kind, ``h5`` to ``h1``, ``m3`` to
``m1`` and ``l1``.  The counts are packed side by side into one integer, the *key*, with one more
bit that says "a six-storey building ends the game after this turn".  A build is then the addition
of a constant, and whole arrays of skylines move at once.

What can be built, and what it gains, is read off the tables of the rules (`GROWTH`, `STARTS`);
nothing about heights or points is written down a second time here.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import gcd
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..columns import GROWTH, STARTS, Column
from ..dice import FACES, KINDS, Die, Kind
from ..dice_sets import DiceSet
from ..state import SIX_STOREYS

__all__ = [
    "COLUMNS",
    "ENDED",
    "STANDARD_PACKING",
    "Build",
    "Keys",
    "KindFaces",
    "Packing",
    "builds_of",
    "field_of",
    "kind_faces",
]

Keys = NDArray[Any]
"""Packed skylines, shape ``(n_skylines,)``: int64, or Python integers where 63 bits are short."""

COLUMNS: Final[tuple[Column, ...]] = tuple(column for column in Column if not column.is_finished)
"""The unfinished columns in canonical order; the order of the fields of a key."""

ENDED: Final = "ended"
"""Field of one bit: the game ends after this turn, whatever round it is."""

_INT64_BITS: Final = 63


def field_of(column: Column) -> Hashable:
    """Return the field that counts `column`: finished buildings of equal points are alike."""
    return ("finished", column.points) if column.is_finished else column


class Packing:
    """Counts side by side in one integer, the first field in the most significant bits.

    Parameters
    ----------
    widths : sequence of (field, int)
        Fields with their number of bits.

    Attributes
    ----------
    ones : dict
        What to add to a key to raise a field by one.
    dtype : numpy.dtype
        int64, or object (Python integers, slower) if 63 bits do not hold the fields.
    """

    def __init__(self, widths: Sequence[tuple[Hashable, int]]) -> None:
        total = sum(width for _, width in widths)
        self.dtype = np.dtype(np.int64 if total <= _INT64_BITS else object)
        self.shifts: dict[Hashable, int] = {}
        self.masks: dict[Hashable, int] = {}
        for field, width in widths:
            total -= width
            self.shifts[field] = total
            self.masks[field] = (1 << width) - 1
        self.ones = {field: 1 << shift for field, shift in self.shifts.items()}

    def counts(self, keys: Keys, field: Hashable) -> Keys:
        """Return one field of every key, shape ``(n_skylines,)``."""
        counts: Keys = (keys >> self.shifts[field]) & self.masks[field]
        return counts

    def key(self, fields: Iterable[Hashable]) -> int:
        """Return the key of a multiset of fields; fields that are not packed are left out.

        Raises
        ------
        OverflowError
            If a field occurs more often than its bits can count.
        """
        counts = dict.fromkeys(self.ones, 0)
        for field in fields:
            if field in counts:
                counts[field] += 1
        for field, count in counts.items():
            if count > self.masks[field]:
                raise OverflowError(f"{count} times {field}: the field has too few bits")
        return sum(count * self.ones[field] for field, count in counts.items())


COUNT_BITS: Final = 6
STANDARD_PACKING: Final = Packing([(ENDED, 1), *((column, COUNT_BITS) for column in COLUMNS)])
"""The packing of the tables: up to 63 columns of each kind."""


class Build(NamedTuple):
    """One way to build.

    Parameters
    ----------
    source : Column or None
        The column that the die goes on, None for a ground floor.
    result : Column
        What stands there afterwards, unfinished or finished.
    gain : int
        Displayed points that it adds.
    """

    source: Column | None
    result: Column

    @property
    def gain(self) -> int:
        """Displayed points that it adds."""
        return self.result.points - (0 if self.source is None else self.source.points)

    @property
    def ends_game(self) -> bool:
        """Whether it finishes the building that makes the round the last."""
        return self.result is SIX_STOREYS


@cache
def builds_of(die: Die) -> tuple[Build, ...]:
    """List the ways to build with `die` on unfinished columns, in canonical order."""
    on_ground = [Build(None, STARTS[die])] if die in STARTS else []
    on_top = [Build(column, GROWTH[column, die]) for column in COLUMNS if (column, die) in GROWTH]
    return (*on_ground, *on_top)


@dataclass(frozen=True, slots=True)
class KindFaces:
    """The faces of one kind of die, those with which nothing can be built taken as one.

    Parameters
    ----------
    kind : Kind
    weights : tuple of int
        Sides that show each of the faces, in lowest terms, shape ``(n_faces,)``.
    builds : tuple of tuple of Build
        What can be built with each of the faces, shape ``(n_faces,)``.
    index : tuple of (Die, int)
        Which face a die shows.
    """

    kind: Kind
    weights: tuple[int, ...]
    builds: tuple[tuple[Build, ...], ...]
    index: tuple[tuple[Die, int], ...]

    @property
    def n_faces(self) -> int:
        """Number of different faces."""
        return len(self.weights)

    @property
    def n_sides(self) -> int:
        """Sum of the weights."""
        return sum(self.weights)


@cache
def kind_faces(dice_set: DiceSet) -> tuple[KindFaces, KindFaces, KindFaces]:
    """Return the faces of the three kinds of dice of `dice_set`."""
    ground, upper, penthouse = (_faces_of(dice_set, kind) for kind in KINDS)
    return ground, upper, penthouse


def _faces_of(dice_set: DiceSet, kind: Kind) -> KindFaces:
    weights: dict[tuple[Build, ...], int] = {}
    for die in (Die(kind + face) for face in FACES):
        if dice_set.weight(die):
            weights[builds_of(die)] = weights.get(builds_of(die), 0) + dice_set.weight(die)
    common = gcd(*weights.values())
    places = {builds: place for place, builds in enumerate(weights)}
    index = tuple(
        (die, places[builds_of(die)])
        for die in (Die(kind + face) for face in FACES)
        if builds_of(die) in places
    )
    return KindFaces(kind, tuple(w // common for w in weights.values()), tuple(weights), index)
