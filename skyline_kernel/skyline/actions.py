"""What a player, or chance, can do.

Actions are small frozen values.  Equal dice are one action, and so are equal columns: an action
names what is used, not which of several equal ones.
"""

from __future__ import annotations

from dataclasses import dataclass

from .columns import GROWTH, STARTS, Column
from .dice import Die, Kind

__all__ = [
    "END",
    "ROLL",
    "TAKE_DISTRICT",
    "Abandon",
    "Action",
    "Build",
    "Demolish",
    "End",
    "Reroll",
    "Roll",
    "Take",
    "TakeDistrict",
    "column_after",
]


@dataclass(frozen=True, slots=True)
class Take:
    """Take three dice of the construction yard, kinds in canonical order."""

    kinds: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class TakeDistrict:
    """Take all dice of the abandoned district."""


@dataclass(frozen=True, slots=True)
class Roll:
    """The chance step: roll the dice that are not yet rolled.

    `outcome` is what they show, in canonical order; None where it is still to be drawn.
    """

    outcome: tuple[Die, ...] | None = None


@dataclass(frozen=True, slots=True)
class Build:
    """Start a building with a ground floor (`column` is None) or put a die on a column."""

    die: Die
    column: Column | None = None


@dataclass(frozen=True, slots=True)
class Abandon:
    """Put an active die into the abandoned district."""

    die: Die


@dataclass(frozen=True, slots=True)
class Demolish:
    """Return dice and one own building to the construction yard.

    The online edition gives one die for a building, the printed edition one or more.
    """

    dice: tuple[Die, ...]
    column: Column


@dataclass(frozen=True, slots=True)
class Reroll:
    """Choose the active dice that are rolled again, in canonical order; the others are kept."""

    dice: tuple[Die, ...]


@dataclass(frozen=True, slots=True)
class End:
    """End the turn; the dice that are left go to the construction yard."""


Action = Take | TakeDistrict | Roll | Build | Abandon | Demolish | Reroll | End

TAKE_DISTRICT = TakeDistrict()
ROLL = Roll()
END = End()


def column_after(build: Build) -> Column | None:
    """Return what `build` makes of the column, or the column that it starts; None if it cannot."""
    if build.column is None:
        return STARTS.get(build.die)
    return GROWTH.get((build.column, build.die))
