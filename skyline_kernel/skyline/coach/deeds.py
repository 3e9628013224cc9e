"""What the lines of a card say to do: take dice, build, roll again, give away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import Final, Protocol

import numpy as np

from ...chance import compositions
from ...errors import SettingError
from ..actions import Abandon, Action, Build, Reroll, Take
from ..columns import GROWTH, STARTS, Column
from ..dice import KINDS, Die, Kind, Style
from ..dice import kinds_of as kinds_of_counts
from ..legality import DICE_FROM_YARD
from ..solver.skylines import COLUMNS, builds_of
from ..state import Phase, Step
from .chain import Place, View
from .conditions import STYLE_WORDS, Mask, ready, unfinished
from .sentences import Sentence, reason

__all__ = [
    "BuildAny",
    "Do",
    "Finish",
    "Follower",
    "GiveAway",
    "Needs",
    "Option",
    "Raise",
    "RollAgain",
    "RollUnfit",
    "Start",
    "TakeDice",
    "TakeForReady",
]

Option = tuple[Action, Mask | None]
"""An action, and where it is possible; None for everywhere."""

Needs = tuple[tuple[Action, Column | None], ...] | None
"""Actions with the column that each needs, the preferred one first; None: it has to be counted."""


class Follower(Protocol):
    """A line that stands further down."""

    def usable(self, view: View, die: Die) -> Mask | None:
        """Return where the line would build with a die; None for nowhere."""


class Do(Protocol):
    """Something to do."""

    @property
    def size(self) -> int:
        """How much there is to remember: 1, and 1 for each thing to count."""

    def needs(self, place: Place) -> Needs:
        """List the actions that will do with the dice of a place; none if there are none."""

    def options(self, view: View, below: Sequence[Follower], /) -> Iterator[Option]:
        """Yield what is to be counted, the preferred action first, each with where it is possible.

        Parameters
        ----------
        view : View
        below : sequence of Follower
            The lines that follow.
        """

    @property
    def words(self) -> Sentence:
        """What to do in words."""


class _Plain:
    """What needs no counting."""

    @property
    def size(self) -> int:
        """How much there is to remember."""
        return 1

    def options(self, view: View, _below: Sequence[Follower]) -> Iterator[Option]:
        """Yield the actions that will do, the preferred one first, with where they are possible."""
        for action, column in self.needs(view.place) or ():
            yield action, None if column is None else view.has(column)

    def needs(self, place: Place) -> Needs:
        """List the actions that will do."""
        raise NotImplementedError


# --- taking dice ------------------------------------------------------------------------------


@dataclass(frozen=True)
class TakeDice(_Plain):
    """Take three dice of the yard.

    Parameters
    ----------
    n_ground, n_upper, n_penthouse : int
        Three in all.

    Raises
    ------
    SettingError
        If they are not three.
    """

    n_ground: int
    n_upper: int
    n_penthouse: int

    def __post_init__(self) -> None:
        """Verify the number."""
        n_dice = self.n_ground + self.n_upper + self.n_penthouse
        if n_dice != DICE_FROM_YARD:
            raise SettingError(
                "take {n} dice of the yard: expected {most}", n=n_dice, most=DICE_FROM_YARD
            )

    def needs(self, place: Place) -> Needs:
        """List the take."""
        counts = (self.n_ground, self.n_upper, self.n_penthouse)
        return ((Take(kinds_of_counts(counts)), None),) if place.phase is Phase.TAKE else ()

    @property
    def words(self) -> Sentence:
        """What to do in words."""
        counts = (self.n_ground, self.n_upper, self.n_penthouse)
        taken = [
            (n, many if n > 1 else one)
            for n, (one, many) in zip(counts, _DICE_WORDS, strict=True)
            if n
        ]
        if len(taken) == len(counts):
            return reason("take one die of each kind")
        (n, dice), *more = taken
        if not more:
            return reason("take {n} {dice}", n=n, dice=dice)
        ((m, others),) = more
        return reason("take {n} {dice} and {m} {others}", n=n, dice=dice, m=m, others=others)


_DICE_WORDS: Final = (
    (reason("ground floor die"), reason("ground floor dice")),
    (reason("upper floor die"), reason("upper floor dice")),
    (reason("penthouse die"), reason("penthouse dice")),
)


@dataclass(frozen=True)
class TakeForReady:
    """Take a penthouse die for each column that it makes high enough, and upper floors.

    Parameters
    ----------
    height : int
        Least height of the finished buildings, in floors.
    n_columns : int
        What the penthouses leave goes to ground floor dice first, as long as there are fewer
        unfinished columns than that.
    """

    height: int = 4
    n_columns: int = 0

    @property
    def size(self) -> int:
        """How much there is to remember: two things to count, or three."""
        return 3 if self.n_columns else 2

    def needs(self, place: Place) -> Needs:
        """Tell that there is something to count."""
        return None if place.phase is Phase.TAKE else ()

    def options(self, view: View, _below: Sequence[Follower]) -> Iterator[Option]:
        """Yield the takes, each where it is what is counted."""
        n_penthouse = np.minimum(view.total(ready(self.height)), DICE_FROM_YARD)
        lacking = np.clip(self.n_columns - view.total(COLUMNS), 0, None)
        n_ground = np.minimum(lacking, DICE_FROM_YARD - n_penthouse)
        for ground, upper, penthouse in compositions(DICE_FROM_YARD, len(Kind)):
            take = Take(kinds_of_counts((ground, upper, penthouse)))
            yield take, (n_ground == ground) & (n_penthouse == penthouse)

    @property
    def words(self) -> Sentence:
        """What to do in words."""
        if self.n_columns:
            return reason(
                "take a penthouse die for each building that it would finish at {height} floors"
                " or more, a ground floor die for each building short of {n}, and upper floor dice"
                " for the rest",
                height=self.height,
                n=self.n_columns,
            )
        return reason(
            "take a penthouse die for each building that it would finish at {height} floors"
            " or more, and upper floor dice for the rest",
            height=self.height,
        )


# --- building ---------------------------------------------------------------------------------


class _Building(_Plain):
    """What the ways to build have in common."""

    def builds(self, dice: tuple[Die, ...]) -> Iterator[Build]:
        """List the builds with some dice, the preferred one first."""
        raise NotImplementedError

    @lru_cache(maxsize=1 << 16)  # noqa: B019  (values, few of them)
    def needs(self, place: Place) -> Needs:
        """List the builds."""
        if place.phase is Phase.TAKE or place.step not in (None, Step.BUILD):
            return ()
        return tuple((build, build.column) for build in self.builds(_different(place)))


def _different(place: Place) -> tuple[Die, ...]:
    return tuple(dict.fromkeys(place.dice))


@dataclass(frozen=True)
class Finish(_Building):
    """Finish the tallest column of a style that gets at least so high.

    Parameters
    ----------
    style : Style or None
        None for mid-rises and high-rises alike.
    height : int
        Least height of the finished building, in floors.
    most : int
        Greatest height.
    """

    style: Style | None
    height: int
    most: int = 6

    def builds(self, dice: tuple[Die, ...]) -> Iterator[Build]:
        """List the builds, tallest first."""
        return (
            Build(die, column)
            for column in _columns(self.style)
            for die in dice
            if (taller := GROWTH.get((column, die)))
            and taller.is_finished
            and self.height <= taller.floors <= self.most
        )

    @property
    def words(self) -> Sentence:
        """What to do in words."""
        if self.style is Style.LOW:
            return reason("finish a low-rise")
        if self.most < _limit(self.style):
            return reason(
                "finish a {style} of {height} to {most} floors",
                style=_words_of(self.style),
                height=self.height,
                most=self.most,
            )
        return reason(
            "finish a {style} of at least {height} floors",
            style=_words_of(self.style),
            height=self.height,
        )


@cache
def _limit(style: Style | None) -> int:
    return max(column.floors for column in Column if style in (None, column.style))


@cache
def _columns(style: Style | None) -> tuple[Column, ...]:
    """List the unfinished columns of a style, or those of a mid-rise and a high-rise."""
    if style is not None:
        return unfinished(style)
    both = (*unfinished(Style.HIGH), *unfinished(Style.MID))
    return tuple(sorted(both, key=lambda column: -column.floors))


def _words_of(style: Style | None) -> Sentence:
    return _ANY_STYLE if style is None else STYLE_WORDS[style]


_ANY_STYLE: Final = reason("mid-rise or high-rise")


@dataclass(frozen=True)
class Raise(_Building):
    """Put an upper floor on the tallest column of a style, without finishing it.

    Parameters
    ----------
    style : Style or None
        None for mid-rises and high-rises alike.
    most : int
        Greatest height that it gets, in floors.
    """

    style: Style | None
    most: int = 5

    def builds(self, dice: tuple[Die, ...]) -> Iterator[Build]:
        """List the builds, tallest first."""
        return (
            Build(die, column)
            for column in _columns(self.style)
            for die in dice
            if (taller := GROWTH.get((column, die)))
            and not taller.is_finished
            and taller.floors <= self.most
        )

    @property
    def words(self) -> Sentence:
        """What to do in words."""
        if self.most < _limit(self.style) - 1:
            return reason(
                "put an upper floor on your tallest {style}, up to {most} floors",
                style=_words_of(self.style),
                most=self.most,
            )
        return reason(
            "put an upper floor on your tallest {style} that it fits",
            style=_words_of(self.style),
        )


@dataclass(frozen=True)
class Start(_Building):
    """Start a building of a style.

    Parameters
    ----------
    style : Style
    """

    style: Style

    def builds(self, dice: tuple[Die, ...]) -> Iterator[Build]:
        """List the build."""
        return (Build(die) for die in dice if die in STARTS and STARTS[die].style is self.style)

    @property
    def words(self) -> Sentence:
        """What to do in words."""
        return reason("start a {style}", style=STYLE_WORDS[self.style])


@dataclass(frozen=True)
class BuildAny(_Plain):
    """Build with a die that must be used, wherever it fits.

    A ground floor die first, then an upper floor, then a penthouse; each on the tallest column.
    """

    def needs(self, place: Place) -> Needs:
        """List the builds, where a die must be used."""
        if place.phase is not Phase.USE:
            return ()
        dice = sorted(_different(place), key=lambda die: (KINDS.index(die.kind), -_height(die)))
        return tuple(
            (Build(die, build.source), build.source)
            for die in dice
            for build in sorted(builds_of(die), key=lambda one: -one.result.floors)
        )

    @property
    def words(self) -> Sentence:
        """What to do in words."""
        return reason(
            "if a die must be used, build with it wherever it fits, ground floors first,"
            " penthouses last"
        )


def _height(die: Die) -> int:
    """Return how high a building of the style of a die may get, 0 for a blank."""
    return 0 if die.style is None else _limit(die.style)


# --- giving away and rolling again ------------------------------------------------------------


@dataclass(frozen=True)
class GiveAway(_Plain):
    """Abandon a die of a kind, the last one that shows no style if there is one.

    Parameters
    ----------
    kind : Kind
    """

    kind: Kind

    def needs(self, place: Place) -> Needs:
        """List the abandoning, where a die must be used."""
        if place.phase is not Phase.USE:
            return ()
        some = [die for die in place.dice if die.kind is self.kind]
        return ((Abandon(some[-1]), None),) if some else ()

    @property
    def words(self) -> Sentence:
        """What to do in words."""
        return _GIVE_AWAY_WORDS[self.kind]


_GIVE_AWAY_WORDS: Final = {
    Kind.GROUND: reason("if a die must be used, give away a ground floor die"),
    Kind.UPPER: reason("if a die must be used, give away an upper floor die"),
    Kind.PENTHOUSE: reason("if a die must be used, give away a penthouse die"),
}


@dataclass(frozen=True)
class RollAgain(_Plain):
    """Roll all the other dice again, once one was used."""

    def needs(self, place: Place) -> Needs:
        """List the reroll."""
        return ((Reroll(place.dice), None),) if place.phase is Phase.MORE else ()

    @property
    def words(self) -> Sentence:
        """What to do in words."""
        return reason("roll all other dice again, once one was used")


@dataclass(frozen=True)
class RollUnfit:
    """Roll the dice again that the next lines cannot use, once one was used; keep the others.

    What is kept is as good after the roll, and is a die that can be used whatever the others show.

    Parameters
    ----------
    n_lines : int
        So many lines further down count.
    """

    n_lines: int

    @property
    def size(self) -> int:
        """How much there is to remember."""
        return 1

    def needs(self, place: Place) -> Needs:
        """Tell that there is something to look at."""
        return None if place.phase is Phase.MORE else ()

    def options(self, view: View, below: Sequence[Follower]) -> Iterator[Option]:
        """Yield the rerolls, each where just these dice do not fit."""
        dice = _different(view.place)
        fits = [self._fits(view, die, below) for die in dice]
        for keeps in product((False, True), repeat=len(dice)):
            if not all(keeps):
                kept = {die for die, keep in zip(dice, keeps, strict=True) if keep}
                where = np.logical_and.reduce(
                    [fit if keep else ~fit for fit, keep in zip(fits, keeps, strict=True)]
                )
                yield Reroll(tuple(die for die in view.dice if die not in kept)), where

    def _fits(self, view: View, die: Die, below: Sequence[Follower]) -> Mask:
        fits = np.zeros(len(view.keys), dtype=bool)
        for line in below[: self.n_lines]:
            usable = line.usable(view, die)
            if usable is not None:
                fits |= usable
        return fits

    @property
    def words(self) -> Sentence:
        """What to do in words."""
        if self.n_lines == 1:
            return reason(
                "once a die was used, roll those again that the next line cannot use,"
                " and keep the others"
            )
        return reason(
            "once a die was used, roll those again that none of the next {n} lines can use,"
            " and keep the others",
            n=self.n_lines,
        )
