"""The three kinds of dice and what a single die can show."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from operator import attrgetter

__all__ = [
    "FACES",
    "KINDS",
    "ONE_OF_EACH",
    "Die",
    "Face",
    "Kind",
    "KindCounts",
    "Style",
    "count_kinds",
    "kinds_of",
    "most_of_each",
    "sorted_dice",
    "unrolled",
]

KindCounts = tuple[int, int, int]
"""Number of ground floor, upper floor and penthouse dice."""

ONE_OF_EACH: KindCounts = (1, 1, 1)


class Kind(StrEnum):
    """Kind of die; the value is its letter."""

    GROUND = "G"
    UPPER = "U"
    PENTHOUSE = "P"

    # Plain string hashes: dice and columns are looked up in tables all the time.
    __hash__ = str.__hash__


KINDS: tuple[Kind, ...] = tuple(Kind)
"""The kinds in their canonical order."""


class Face(StrEnum):
    """What a side of a die shows; the value is its letter."""

    LOW = "l"
    MID = "m"
    HIGH = "h"
    BLANK = "-"

    __hash__ = str.__hash__


FACES: tuple[Face, ...] = tuple(Face)
"""The faces in their canonical order."""


class Style(StrEnum):
    """Style of a building; the value is its letter."""

    LOW = "l"
    MID = "m"
    HIGH = "h"

    __hash__ = str.__hash__


class Die(StrEnum):
    """A die with what it shows; the value is its notation, ``?`` for not yet rolled.

    Attributes
    ----------
    kind : Kind
    face : Face or None
        None for a die that is taken and not yet rolled.
    style : Style or None
        Style of the building that the face shows, None for blank or not yet rolled.
    rank : int
        Place in the canonical order.
    """

    GROUND_LOW = "Gl"
    GROUND_MID = "Gm"
    GROUND_HIGH = "Gh"
    GROUND_BLANK = "G-"
    GROUND_UNROLLED = "G?"
    UPPER_LOW = "Ul"
    UPPER_MID = "Um"
    UPPER_HIGH = "Uh"
    UPPER_BLANK = "U-"
    UPPER_UNROLLED = "U?"
    PENTHOUSE_LOW = "Pl"
    PENTHOUSE_MID = "Pm"
    PENTHOUSE_HIGH = "Ph"
    PENTHOUSE_BLANK = "P-"
    PENTHOUSE_UNROLLED = "P?"

    kind: Kind
    face: Face | None
    style: Style | None
    rank: int

    def __new__(cls, notation: str) -> Die:
        """Make the member with the parts that its notation names."""
        die = str.__new__(cls, notation)
        die._value_ = notation
        die.kind = Kind(notation[0])
        die.face = None if notation[1] == "?" else Face(notation[1])
        die.style = Style(notation[1]) if notation[1] in list(Style) else None
        die.rank = len(cls.__members__)
        return die

    __hash__ = str.__hash__

    @property
    def is_rolled(self) -> bool:
        """Whether the die shows a face."""
        return self.face is not None


_UNROLLED = {kind: Die(f"{kind}?") for kind in KINDS}


def unrolled(kind: Kind) -> Die:
    """Return a die of `kind` that is not yet rolled."""
    return _UNROLLED[kind]


def sorted_dice(dice: Iterable[Die]) -> tuple[Die, ...]:
    """Return `dice` in canonical order."""
    return tuple(sorted(dice, key=attrgetter("rank")))


def count_kinds(kinds: Iterable[Kind]) -> KindCounts:
    """Count the dice of each kind."""
    listed = tuple(kinds)
    return (
        listed.count(Kind.GROUND),
        listed.count(Kind.UPPER),
        listed.count(Kind.PENTHOUSE),
    )


def most_of_each(some: Iterable[KindCounts]) -> KindCounts:
    """Return the greatest number of each kind, over at least one count."""
    ground, upper, penthouse = map(max, zip(*some, strict=True))
    return ground, upper, penthouse


def kinds_of(counts: KindCounts) -> tuple[Kind, ...]:
    """Return so many kinds of each, in canonical order; the inverse of `count_kinds`."""
    n_ground, n_upper, n_penthouse = counts
    return (Kind.GROUND,) * n_ground + (Kind.UPPER,) * n_upper + (Kind.PENTHOUSE,) * n_penthouse
