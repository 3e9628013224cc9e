"""What the lines of a card look at: the turns that are left, and the unfinished buildings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ..columns import Column
from ..dice import Style
from ..solver.skylines import COLUMNS
from .chain import View
from .sentences import Sentence, reason

__all__ = [
    "STYLE_WORDS",
    "Condition",
    "FewColumns",
    "FewReady",
    "Has",
    "Lacks",
    "LastTurns",
    "ManyColumns",
    "ManyReady",
    "Mask",
    "TurnsLeft",
    "ready",
    "unfinished",
]

Mask = NDArray[np.bool_]


class Condition(Protocol):
    """Something that holds of a position or does not."""

    def holds(self, view: View) -> Mask:
        """Return where it holds, shape ``(n_positions,)``."""

    @property
    def words(self) -> Sentence:
        """The condition in words, to stand behind "if"."""


STYLE_WORDS: Final = {
    Style.LOW: reason("low-rise"),
    Style.MID: reason("mid-rise"),
    Style.HIGH: reason("high-rise"),
}


@cache
def unfinished(style: Style) -> tuple[Column, ...]:
    """List the unfinished columns of a style, tallest first."""
    return tuple(column for column in COLUMNS if column.style is style)


@cache
def ready(height: int) -> tuple[Column, ...]:
    """List the columns that a penthouse finishes with at least so many floors."""
    return tuple(
        column
        for column in COLUMNS
        if column.style is not Style.LOW
        and column.floors >= max(height - 1, 1)
        and not (column.style is Style.HIGH and column.floors == 1)
    )


# --- the clock --------------------------------------------------------------------------------


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
        return view.is_ended | (view.turns_left <= self.n)

    @property
    def words(self) -> Sentence:
        """The condition in words."""
        if not self.n:
            return reason("this is your last turn")
        return reason("at most {n} turns are left after this one", n=self.n)


@dataclass(frozen=True)
class TurnsLeft:
    """At least so many turns are left after this one.

    Parameters
    ----------
    n : int
        At least 1.
    """

    n: int

    def holds(self, view: View) -> Mask:
        """Return where it holds."""
        return ~view.is_ended & (view.turns_left >= self.n)

    @property
    def words(self) -> Sentence:
        """The condition in words."""
        if self.n == 1:
            return reason("this is not your last turn")
        return reason("at least {n} turns are left after this one", n=self.n)


# --- how many buildings -----------------------------------------------------------------------


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
        return view.total(COLUMNS) < self.n

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
        return view.total(COLUMNS) >= self.n

    @property
    def words(self) -> Sentence:
        """The condition in words."""
        return reason("you have at least {n} unfinished buildings", n=self.n)


@dataclass(frozen=True)
class ManyReady:
    """At least so many columns stand that a penthouse makes high enough.

    Parameters
    ----------
    n : int
    height : int
        Least height of the finished building, in floors.
    """

    n: int
    height: int = 4

    def holds(self, view: View) -> Mask:
        """Return where it holds."""
        return view.total(ready(self.height)) >= self.n

    @property
    def words(self) -> Sentence:
        """The condition in words."""
        if self.n == 1:
            return reason(
                "a penthouse would finish one of your buildings at {height} floors or more",
                height=self.height,
            )
        return reason(
            "penthouses would finish {n} of your buildings at {height} floors or more",
            n=self.n,
            height=self.height,
        )


@dataclass(frozen=True)
class FewReady:
    """Fewer than so many columns stand that a penthouse makes high enough.

    Parameters
    ----------
    n : int
    height : int
        Least height of the finished building, in floors.
    """

    n: int
    height: int = 4

    def holds(self, view: View) -> Mask:
        """Return where it holds."""
        return view.total(ready(self.height)) < self.n

    @property
    def words(self) -> Sentence:
        """The condition in words."""
        if self.n == 1:
            return reason(
                "a penthouse would finish none of your buildings at {height} floors or more",
                height=self.height,
            )
        return reason(
            "penthouses would finish fewer than {n} of your buildings at {height} floors or more",
            n=self.n,
            height=self.height,
        )


# --- which buildings --------------------------------------------------------------------------


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
        return view.total(_at_least(self.style, self.floors)) > 0

    @property
    def words(self) -> Sentence:
        """The condition in words."""
        if self.floors <= 1:
            return reason("you have an unfinished {style}", style=STYLE_WORDS[self.style])
        return reason(
            "you have an unfinished {style} of {floors} floors or more",
            style=STYLE_WORDS[self.style],
            floors=self.floors,
        )


@dataclass(frozen=True)
class Lacks:
    """Fewer than so many unfinished columns of a style stand.

    Parameters
    ----------
    style : Style
    n : int
        At least 1.
    """

    style: Style
    n: int = 1

    def holds(self, view: View) -> Mask:
        """Return where it holds."""
        return view.total(unfinished(self.style)) < self.n

    @property
    def words(self) -> Sentence:
        """The condition in words."""
        if self.n == 1:
            return reason("you have no unfinished {style}", style=STYLE_WORDS[self.style])
        return reason(
            "you have fewer than {n} unfinished {style} buildings",
            n=self.n,
            style=STYLE_WORDS[self.style],
        )


@cache
def _at_least(style: Style, floors: int) -> tuple[Column, ...]:
    return tuple(column for column in unfinished(style) if column.floors >= floors)
