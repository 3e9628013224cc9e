"""A small language of rules that a person can keep in mind at the table.

A `Card` is an ordered list of lines.  Each line is a few conditions and one thing to do.  Whenever
something is to be decided, the first line holds whose conditions are met and whose action is
possible.  Where no line does, the card falls back on what is written under every card: take one
die of each kind; roll again what is left; and if a die must be used, give away the last one, in
the order ground floor, upper floor, penthouse.

Conditions and actions know their own words, as templates that can be translated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ..actions import Abandon, Action, Build, Reroll, Take, column_after
from ..columns import GROWTH, STARTS, Column
from ..dice import KINDS, Die, Kind, Style
from ..dice import kinds_of as kinds_of_counts
from ..solver.skylines import COLUMNS
from ..state import Phase, Step
from .pricing import Chosen, Rows, View
from .sentences import Sentence, reason

__all__ = [
    "FALLBACK",
    "Card",
    "Condition",
    "Do",
    "FewColumns",
    "Finish",
    "GiveAway",
    "Has",
    "LastTurns",
    "Line",
    "ManyColumns",
    "Raise",
    "RollAgain",
    "Start",
    "TakeDice",
]

Mask = NDArray[np.bool_]


class Condition(Protocol):
    """Something that holds of a position or does not."""

    def holds(self, view: View) -> Mask:
        """Return where it holds, shape ``(n_positions,)``."""

    @property
    def words(self) -> Sentence:
        """The condition in words, to stand behind "if"."""


class Do(Protocol):
    """Something to do."""

    def candidates(self, view: View) -> Iterator[Action]:
        """Yield the actions that will do, the preferred one first; some may not be possible."""

    @property
    def words(self) -> Sentence:
        """What to do in words."""


# --- conditions -------------------------------------------------------------------------------


@dataclass(frozen=True)
class LastTurns:
    """At most so many turns are left after this one.

    Parameters
    ----------
    n : int
    """

    n: int

    def holds(self, view: View) -> Mask:
        """Return where it holds."""
        return np.full(len(view.keys), view.turns_left <= self.n) | view.is_ended

    @property
    def words(self) -> Sentence:
        """The condition in words."""
        if not self.n:
            return reason("this is your last turn")
        return reason("at most {n} turns are left after this one", n=self.n)


@dataclass(frozen=True)
class FewColumns:
    """Fewer than so many unfinished columns stand.

    Parameters
    ----------
    n : int
    """

    n: int

    def holds(self, view: View) -> Mask:
        """Return where it holds."""
        return _n_columns(view) < self.n

    @property
    def words(self) -> Sentence:
        """The condition in words."""
        return reason("you have fewer than {n} unfinished buildings", n=self.n)


@dataclass(frozen=True)
class ManyColumns:
    """At least so many unfinished columns stand.

    Parameters
    ----------
    n : int
    """

    n: int

    def holds(self, view: View) -> Mask:
        """Return where it holds."""
        return _n_columns(view) >= self.n

    @property
    def words(self) -> Sentence:
        """The condition in words."""
        return reason("you have at least {n} unfinished buildings", n=self.n)


@dataclass(frozen=True)
class Has:
    """An unfinished column of a style with at least so many floors stands.

    Parameters
    ----------
    style : Style
    floors : int
    """

    style: Style
    floors: int

    def holds(self, view: View) -> Mask:
        """Return where it holds."""
        found = np.zeros(len(view.keys), dtype=bool)
        for column in _unfinished(self.style):
            if column.floors >= self.floors:
                found |= view.count(column) > 0
        return found

    @property
    def words(self) -> Sentence:
        """The condition in words."""
        return reason(
            "you have an unfinished {style} of {floors} floors or more",
            style=_STYLE_WORDS[self.style],
            floors=self.floors,
        )


def _n_columns(view: View) -> NDArray[np.int64]:
    total = np.zeros(len(view.keys), dtype=np.int64)
    for column in COLUMNS:
        total += view.count(column)
    return total


_STYLE_WORDS: Final = {
    Style.LOW: reason("low-rise"),
    Style.MID: reason("mid-rise"),
    Style.HIGH: reason("high-rise"),
}


@cache
def _unfinished(style: Style) -> tuple[Column, ...]:
    """List the unfinished columns of a style, tallest first."""
    return tuple(column for column in COLUMNS if column.style is style)


# --- actions ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class TakeDice:
    """Take three dice of the yard.

    Parameters
    ----------
    n_ground, n_upper, n_penthouse : int
        Three in all.
    """

    n_ground: int
    n_upper: int
    n_penthouse: int

    def candidates(self, view: View) -> Iterator[Action]:
        """Yield the take."""
        if view.phase is Phase.TAKE:
            yield Take(kinds_of_counts((self.n_ground, self.n_upper, self.n_penthouse)))

    @property
    def words(self) -> Sentence:
        """What to do in words."""
        return reason(
            "take {ground} ground floor, {upper} upper floor and {penthouse} penthouse dice",
            ground=self.n_ground,
            upper=self.n_upper,
            penthouse=self.n_penthouse,
        )


@dataclass(frozen=True)
class Finish:
    """Finish the tallest column of a style that gets at least so high.

    Parameters
    ----------
    style : Style
    height : int
        Least height of the finished building, in floors.
    most : int
        Greatest height.
    """

    style: Style
    height: int
    most: int = 6

    def candidates(self, view: View) -> Iterator[Action]:
        """Yield the builds, tallest first."""
        for column in _unfinished(self.style):
            for die in _different(view):
                taller = GROWTH.get((column, die))
                if taller and taller.is_finished and self.height <= taller.floors <= self.most:
                    yield Build(die, column)

    @property
    def words(self) -> Sentence:
        """What to do in words."""
        if self.style is Style.LOW:
            return reason("finish a low-rise")
        if self.most < _limit(self.style):
            return reason(
                "finish a {style} of {height} to {most} floors",
                style=_STYLE_WORDS[self.style],
                height=self.height,
                most=self.most,
            )
        return reason(
            "finish a {style} of at least {height} floors",
            style=_STYLE_WORDS[self.style],
            height=self.height,
        )


@cache
def _limit(style: Style) -> int:
    return max(column.floors for column in Column if column.style is style)


@dataclass(frozen=True)
class Raise:
    """Put an upper floor on the tallest column of a style, without finishing it.

    Parameters
    ----------
    style : Style
    """

    style: Style

    def candidates(self, view: View) -> Iterator[Action]:
        """Yield the builds, tallest first."""
        for column in _unfinished(self.style):
            for die in _different(view):
                taller = GROWTH.get((column, die))
                if taller and not taller.is_finished:
                    yield Build(die, column)

    @property
    def words(self) -> Sentence:
        """What to do in words."""
        return reason(
            "put an upper floor on your tallest {style} that it fits",
            style=_STYLE_WORDS[self.style],
        )


@dataclass(frozen=True)
class Start:
    """Start a building of a style.

    Parameters
    ----------
    style : Style
    """

    style: Style

    def candidates(self, view: View) -> Iterator[Action]:
        """Yield the build."""
        for die in _different(view):
            if die in STARTS and STARTS[die].style is self.style:
                yield Build(die)

    @property
    def words(self) -> Sentence:
        """What to do in words."""
        return reason("start a {style}", style=_STYLE_WORDS[self.style])


@dataclass(frozen=True)
class GiveAway:
    """Abandon a die of a kind, the last one that shows no style if there is one.

    Parameters
    ----------
    kind : Kind
    """

    kind: Kind

    def candidates(self, view: View) -> Iterator[Action]:
        """Yield the abandoning, where a die must be used."""
        if view.phase is Phase.USE:
            for die in reversed(_different(view)):
                if die.kind is self.kind:
                    yield Abandon(die)

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
class RollAgain:
    """Roll all the other dice again, once one was used."""

    def candidates(self, view: View) -> Iterator[Action]:
        """Yield the reroll."""
        if view.phase is Phase.MORE:
            yield Reroll(view.dice)

    @property
    def words(self) -> Sentence:
        """What to do in words."""
        return reason("roll all other dice again, once one was used")


def _different(view: View) -> tuple[Die, ...]:
    return tuple(dict.fromkeys(view.dice))


# --- cards ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """One line of a card.

    Parameters
    ----------
    do : Do
    conditions : tuple of Condition
        All must hold; none for "always".
    """

    do: Do
    conditions: tuple[Condition, ...] = ()

    @property
    def complexity(self) -> int:
        """One for what to do, and one for each condition."""
        return 1 + len(self.conditions)

    @property
    def words(self) -> Sentence:
        """The line in words."""
        if not self.conditions:
            return self.do.words
        if len(self.conditions) == 1:
            return reason(
                "if {condition}: {do}", condition=self.conditions[0].words, do=self.do.words
            )
        first, *rest = (condition.words for condition in self.conditions)
        for one in rest:
            first = reason("{one} and {other}", one=first, other=one)
        return reason("if {condition}: {do}", condition=first, do=self.do.words)


FALLBACK: Final = (
    reason("Go down the list and do the first thing that you can."),
    reason("Nothing fits? Take one die of each kind; roll again what is left."),
    reason("If a die must be used and none fits, give away the last one."),
)
"""What is written under every card."""


@dataclass(frozen=True)
class Card:
    """Rules to remember, as a way to play.

    Parameters
    ----------
    lines : tuple of Line
        In order.
    """

    lines: tuple[Line, ...]

    @property
    def complexity(self) -> int:
        """How much there is to remember: actions and conditions."""
        return sum(line.complexity for line in self.lines)

    def decide(self, view: View) -> Iterator[Chosen]:
        """Choose by the first line that holds and can be done."""
        is_open = np.ones(len(view.keys), dtype=bool)
        for line in (*self.lines, *_BY_DEFAULT):
            wanted = is_open.copy()
            for condition in line.conditions:
                wanted &= condition.holds(view)
            for action in line.do.candidates(view) if wanted.any() else ():
                possible = wanted & _is_possible(action, view)
                rows: Rows = np.flatnonzero(possible)
                if len(rows):
                    yield action, rows
                    wanted &= ~possible
                    is_open &= ~possible
            if not is_open.any():
                return


def _is_possible(action: Action, view: View) -> Mask | bool:
    match action:
        case Build(_, column):
            if view.step not in (None, Step.BUILD):
                return False
            return column_after(action) is not None and (column is None or view.count(column) > 0)
        case Abandon():
            return view.step in (None, Step.ABANDON)
    return True


_BY_DEFAULT: Final = (
    Line(TakeDice(1, 1, 1)),
    Line(RollAgain()),
    *(Line(GiveAway(kind)) for kind in reversed(KINDS)),
)
