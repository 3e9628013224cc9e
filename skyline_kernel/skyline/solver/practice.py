"""The practice game: later turns take three dice of the yard, one turn after the other.

`PracticeGame` holds what does not change from turn to turn: the faces of the dice and whether a
six-storey building ends the game.  It knows the uses of dice in a turn with so many turns to
come, and which skylines are worth the same with so many turns left.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from ...chance import compositions
from ..columns import GROWTH, STARTS
from ..dice import KINDS, KindCounts
from ..dice_sets import DiceSet
from ..legality import DICE_FROM_YARD
from ..state import N_ROUNDS
from .domain import Crowd, normal_form
from .moves import MoveTable, Use, build_use
from .numbers import Numbers
from .skylines import ENDED, STANDARD_PACKING, Keys, KindFaces, kind_faces

__all__ = ["ABANDON", "TAKES", "PracticeGame", "practice_game"]

TAKES: Final[tuple[KindCounts, ...]] = tuple(
    (ground, upper, penthouse)
    for ground, upper, penthouse in compositions(DICE_FROM_YARD, len(KINDS))
)
"""The ten ways to take three dice of the yard."""

ABANDON: Final = Use(needs=None, adds=0, sets=0, gain=0)
"""A die that is given away.  Where no later district counts no discard is better."""


@dataclass(frozen=True)
class PracticeGame:
    """Rules and dice of the turns to come.

    Parameters
    ----------
    faces : tuple of KindFaces
        Of ground floor, upper floor and penthouse die.
    nine : bool
        Always nine rounds: a six-storey building takes no turn away.
    """

    faces: tuple[KindFaces, KindFaces, KindFaces]
    nine: bool

    def can_end(self, turns_after: int) -> bool:
        """Return whether a six-storey building takes turns away that are still to come."""
        return turns_after > 0 and not self.nine

    def move_tables(self, turns_after: int) -> list[MoveTable]:
        """Return the uses of each kind of die in a turn with `turns_after` turns behind it."""
        return _move_tables(self.faces, self.can_end(turns_after))

    def crowd(self, turns_after: int, active: int | KindCounts) -> Crowd:
        """Return how many columns can matter within a turn.

        Parameters
        ----------
        turns_after : int
            Turns from the yard that follow this one.
        active : int or KindCounts
            Dice of this turn that are still to be used: how many, or how many of each kind.
        """
        later = DICE_FROM_YARD * turns_after
        if isinstance(active, int):
            fives = max(active, DICE_FROM_YARD) if self.can_end(turns_after) else None
            return Crowd(later + active, fives)
        _, uppers, penthouses = active
        fives = max(penthouses, DICE_FROM_YARD) if self.can_end(turns_after) else None
        return Crowd(later + sum(active), fives, later + uppers, later + penthouses)

    def normal(self, keys: Keys, turns_after: int, active: int | KindCounts) -> Keys:
        """Return the normal forms of skylines within a turn; those marked as ended have no other.

        Parameters
        ----------
        keys : ndarray of int64
            In `STANDARD_PACKING`, shape ``(n_skylines,)``.
        turns_after : int
            Turns from the yard that follow this one.
        active : int or KindCounts
            Dice of this turn that are still to be used: how many, or how many of each kind.
        """
        crowd = self.crowd(turns_after, active)
        if not self.can_end(turns_after):
            return normal_form(keys, crowd)
        is_ended = STANDARD_PACKING.counts(keys, ENDED) > 0
        normal = np.empty_like(keys)
        normal[is_ended] = normal_form(keys[is_ended], self.crowd(0, active))
        normal[~is_ended] = normal_form(keys[~is_ended], crowd)
        return normal

    @property
    def numbers(self) -> Numbers:
        """Floats with the probabilities of these dice."""
        return Numbers(self.faces)

    def description(self) -> dict[str, Any]:
        """Return all that values depend on, in plain types."""
        return {
            "growth": {f"{column}+{die}": str(taller) for (column, die), taller in GROWTH.items()},
            "starts": {str(die): str(column) for die, column in STARTS.items()},
            "points": {str(column): column.points for column in GROWTH.values()},
            "rounds": N_ROUNDS,
            "dice_from_yard": DICE_FROM_YARD,
            "nine": self.nine,
            "dice": [
                [
                    [weight, [f"{build.source or ''}>{build.result}" for build in builds]]
                    for weight, builds in zip(kind.weights, kind.builds, strict=True)
                ]
                for kind in self.faces
            ],
        }


def practice_game(dice_set: DiceSet, *, nine: bool) -> PracticeGame:
    """Return the practice game with the dice of `dice_set`."""
    return PracticeGame(kind_faces(dice_set), nine)


@lru_cache(maxsize=64)
def _move_tables(faces: tuple[KindFaces, ...], can_end: bool) -> list[MoveTable]:
    packing = STANDARD_PACKING
    return [
        MoveTable(
            packing,
            [ABANDON],
            [
                [build_use(build, packing, can_end=can_end) for build in face]
                for face in kind.builds
            ],
        )
        for kind in faces
    ]
