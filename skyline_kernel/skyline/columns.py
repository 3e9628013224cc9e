"""Columns of dice, finished buildings, and how a die makes a column grow.

A column is named as in the notation: ``h3`` is an unfinished high-rise of three floors, ``H6`` a
finished one of six.  Heights (rules, "building heights"): a low-rise has one or two floors and
is finished by its upper floor; a mid-rise has two to four, a high-rise three to six, and both
are finished by a penthouse.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from operator import attrgetter
from types import MappingProxyType
from typing import Final

from .dice import Die, Kind, Style

__all__ = [
    "GROWTH",
    "STARTS",
    "Column",
    "Skyline",
    "grown",
    "n_buildings",
    "points",
    "sorted_skyline",
    "started",
]


HEIGHT_LIMITS: Final[Mapping[Style, tuple[int, int]]] = MappingProxyType(
    {Style.LOW: (1, 2), Style.MID: (2, 4), Style.HIGH: (3, 6)}
)
"""Least and greatest height of a finished building, in floors."""


def _points(style: Style, floors: int, is_finished: bool) -> int:
    if is_finished or (style is Style.LOW and floors == 1):
        return floors**2
    return 0


class Column(StrEnum):
    """One building of a skyline, unfinished or finished; the value is its notation.

    Attributes
    ----------
    style : Style
    floors : int
        Number of floors, 1 to 6.
    is_finished : bool
        A finished building is never extended.
    points : int
        Points that it shows on the table: height squared when finished, 1 for a low-rise
        ground floor, else 0 (rules, "scoring").
    rank : int
        Place in the canonical order: unfinished before finished, then high-rise, mid-rise,
        low-rise, then falling height.
    """

    HIGH_5 = "h5"
    HIGH_4 = "h4"
    HIGH_3 = "h3"
    HIGH_2 = "h2"
    HIGH_1 = "h1"
    MID_3 = "m3"
    MID_2 = "m2"
    MID_1 = "m1"
    LOW_1 = "l1"
    FINISHED_HIGH_6 = "H6"
    FINISHED_HIGH_5 = "H5"
    FINISHED_HIGH_4 = "H4"
    FINISHED_HIGH_3 = "H3"
    FINISHED_MID_4 = "M4"
    FINISHED_MID_3 = "M3"
    FINISHED_MID_2 = "M2"
    FINISHED_LOW_2 = "L2"

    style: Style
    floors: int
    is_finished: bool
    points: int
    rank: int

    def __new__(cls, notation: str) -> Column:
        """Make the member with the parts that its notation names."""
        column = str.__new__(cls, notation)
        column._value_ = notation
        column.style = Style(notation[0].lower())
        column.floors = int(notation[1])
        column.is_finished = notation[0].isupper()
        column.points = _points(column.style, column.floors, column.is_finished)
        column.rank = len(cls.__members__)
        return column

    __hash__ = str.__hash__


Skyline = tuple[Column, ...]
"""The columns of one player, in canonical order."""


def started(die: Die) -> Column | None:
    """Return the column that `die` starts, None if it can start none.

    A ground floor die that shows a style starts a building at any time (rules, "build").
    """
    if die.kind is not Kind.GROUND or die.style is None:
        return None
    return Column(f"{die.style}1")


def grown(column: Column, die: Die) -> Column | None:
    """Return `column` with `die` on top, None if the die does not fit.

    The die shows the style of the column and goes on top only.  An upper floor finishes a
    low-rise and otherwise leaves room for a penthouse; a penthouse finishes a mid-rise or a
    high-rise of at least the least height (rules, "building heights").
    """
    if column.is_finished or die.style is not column.style or die.kind is Kind.GROUND:
        return None
    low_rise = column.style is Style.LOW
    if low_rise and die.kind is Kind.PENTHOUSE:
        return None
    finishes = low_rise or die.kind is Kind.PENTHOUSE
    least, greatest = HEIGHT_LIMITS[column.style]
    floors = column.floors + 1
    if finishes:
        return Column(f"{column.style.upper()}{floors}") if floors >= least else None
    return Column(f"{column.style}{floors}") if floors < greatest else None


STARTS: Final[Mapping[Die, Column]] = MappingProxyType(
    {die: column for die in Die if (column := started(die)) is not None}
)
"""The column that a die starts; a table of `started`."""

GROWTH: Final[Mapping[tuple[Column, Die], Column]] = MappingProxyType(
    {
        (column, die): taller
        for column in Column
        for die in Die
        if (taller := grown(column, die)) is not None
    }
)
"""What a column becomes with a die on top; a table of `grown`."""


def sorted_skyline(columns: Iterable[Column]) -> Skyline:
    """Return `columns` in canonical order."""
    return tuple(sorted(columns, key=attrgetter("rank")))


def points(skyline: Skyline) -> int:
    """Return the points that `skyline` shows on the table.

    The same number is its final score: at the end a lone low-rise ground floor becomes a
    building of height 1 and other unfinished columns score nothing (rules, "scoring").
    """
    return sum(column.points for column in skyline)


def n_buildings(skyline: Skyline) -> int:
    """Count the buildings that break a tie: finished ones and lone low-rise ground floors."""
    return sum(column.points > 0 for column in skyline)
