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
from functools import cached_property
from typing import Final

import numpy as np

from ..actions import Action, Build
from ..dice import KINDS, Die
from .chain import Chosen, Place, Rows, View
from .conditions import (
    Condition,
    FewColumns,
    FewReady,
    Has,
    Lacks,
    LastTurns,
    ManyColumns,
    ManyReady,
    Mask,
    TurnsLeft,
)
from .deeds import (
    BuildAny,
    Do,
    Finish,
    GiveAway,
    Needs,
    Option,
    Raise,
    RollAgain,
    RollUnfit,
    Start,
    TakeDice,
    TakeForReady,
)
from .sentences import Sentence, reason

__all__ = [
    "FALLBACK",
    "BuildAny",
    "Card",
    "Condition",
    "Do",
    "FewColumns",
    "FewReady",
    "Finish",
    "GiveAway",
    "Has",
    "Lacks",
    "LastTurns",
    "Line",
    "ManyColumns",
    "ManyReady",
    "Raise",
    "RollAgain",
    "RollUnfit",
    "Start",
    "TakeDice",
    "TakeForReady",
    "TurnsLeft",
]


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
        """One for what to do, two where it has to be counted, and one for each condition."""
        return self.do.size + len(self.conditions)

    @property
    def words(self) -> Sentence:
        """The line in words."""
        if not self.conditions:
            return self.do.words
        first, *rest = (condition.words for condition in self.conditions)
        for one in rest:
            first = reason("{one} and {other}", one=first, other=one)
        return reason("if {condition}: {do}", condition=first, do=self.do.words)

    def holds(self, view: View) -> Mask | None:
        """Return where all conditions are met; None for everywhere."""
        met: Mask | None = None
        for condition in self.conditions:
            here = view.holding(condition)
            met = here if met is None else met & here
        return met

    def usable(self, view: View, die: Die) -> Mask | None:
        """Return where the line would build with a die of the view; None for nowhere."""
        found: Mask | None = None
        for action, column in self.do.needs(view.place) or ():
            if isinstance(action, Build) and action.die is die:
                here = view.everywhere if column is None else view.has(column)
                found = here if found is None else found | here
        held = None if found is None else self.holds(view)
        return found if held is None or found is None else found & held


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
        for _, action, rows in self.decide_by_line(view):
            yield action, rows

    def decide_by_line(self, view: View) -> Iterator[tuple[int, Action, Rows]]:
        """Choose, and tell by which line: its place, or ``len(lines)`` where none helped.

        Parameters
        ----------
        view : View
        """
        rows: Rows = np.arange(len(view.keys))
        for number, line, needs in self._plan(view.place):
            held = line.holds(view)
            waiting = rows if held is None else rows[held[rows]]
            n_before = len(waiting)
            below = self.lines[number + 1 :]
            options = _standing(needs, view) if needs else line.do.options(view, below)
            for action, possible in options:
                chosen, waiting = _parted(waiting, possible)
                if len(chosen):
                    yield number, action, chosen
                if not len(waiting):
                    break
            if len(waiting) < n_before:
                rows = waiting if held is None else np.concatenate([rows[~held[rows]], waiting])
            if not len(rows):
                return

    def _plan(self, place: Place) -> list[tuple[int, Line, Needs]]:
        """List the lines that can do something with these dice, and what they do if it is plain."""
        if place not in self._plans:
            self._plans[place] = [
                (min(number, len(self.lines)), line, needs)
                for number, line in enumerate((*self.lines, *_BY_DEFAULT))
                if (needs := line.do.needs(place)) != ()
            ]
        return self._plans[place]

    @cached_property
    def _plans(self) -> dict[Place, list[tuple[int, Line, Needs]]]:
        return {}


def _standing(needs: Needs, view: View) -> Iterator[Option]:
    for action, column in needs or ():
        yield action, None if column is None else view.has(column)


def _parted(rows: Rows, possible: Mask | None) -> tuple[Rows, Rows]:
    """Part some positions into those where something is possible, and the others."""
    if possible is None:
        return rows, rows[:0]
    here = possible[rows]
    return rows[here], rows[~here]


_BY_DEFAULT: Final = (
    Line(TakeDice(1, 1, 1)),
    Line(RollAgain()),
    *(Line(GiveAway(kind)) for kind in reversed(KINDS)),
)
