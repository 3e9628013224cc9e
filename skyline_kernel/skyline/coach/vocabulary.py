"""The words that cards are made of: every deed and condition that a search or a reader may choose.

Each list is finite.  A line joins one deed with some conditions.

"""

from __future__ import annotations

from functools import cache
from typing import Final

from ...chance import compositions
from ..dice import Kind, Style
from ..legality import DICE_FROM_YARD
from ..state import N_ROUNDS
from .conditions import (
    Condition,
    FewColumns,
    FewReady,
    Has,
    Lacks,
    LastTurns,
    ManyColumns,
    ManyReady,
    TurnsLeft,
)
from .deeds import (
    BuildAny,
    Do,
    Finish,
    GiveAway,
    Raise,
    RollAgain,
    RollUnfit,
    Start,
    TakeDice,
    TakeForReady,
)
from .rules import Line

__all__ = ["builds", "conditions", "is_take", "library", "others", "takes"]

_MOST_LINES: Final = 9
"""Lines that a rule for rolling again looks at, at most."""


@cache
def takes() -> tuple[Do, ...]:
    """List the ways to take dice."""
    # Several penthouses go with no ground floor but for the last turns; both are in.
    plain = [TakeDice(*counts) for counts in compositions(DICE_FROM_YARD, 3)]
    counted = [TakeForReady(height, n) for height in (2, 3, 4) for n in (0, 3, 4, 5, 6)]
    return (*plain, *counted)


@cache
def builds() -> tuple[Do, ...]:
    """List the ways to build."""
    starts: list[Do] = [Start(style) for style in Style]
    raises = [Raise(None), Raise(Style.MID), Raise(Style.MID, 2), Raise(Style.HIGH)]
    raises += [Raise(Style.HIGH, most) for most in (2, 3, 4)]
    finishes = [Finish(Style.LOW, 2)]
    finishes += [Finish(Style.MID, height) for height in (2, 3, 4)]
    finishes += [Finish(Style.HIGH, height) for height in (3, 4, 5, 6)]
    finishes += [Finish(Style.HIGH, height, 5) for height in (3, 4, 5)]
    finishes += [Finish(None, height) for height in (2, 3, 4)]
    finishes += [Finish(None, height, 5) for height in (3, 4)]
    return (*starts, *raises, *finishes)


@cache
def others() -> tuple[Do, ...]:
    """List what else there is to do: rolling again, and what must be used."""
    unfit = (RollUnfit(n) for n in range(1, _MOST_LINES + 1))
    return (BuildAny(), RollAgain(), *unfit, *(GiveAway(kind) for kind in Kind))


@cache
def conditions() -> tuple[Condition, ...]:
    """List the conditions."""
    found: list[Condition] = [LastTurns(n) for n in range(N_ROUNDS - 1)]
    found += [TurnsLeft(n) for n in range(1, N_ROUNDS)]
    found += [FewColumns(n) for n in range(1, 9)]
    found += [ManyColumns(n) for n in range(2, 9)]
    found += [Has(Style.LOW, 1), *(Has(Style.MID, n) for n in (1, 2, 3))]
    found += [Has(Style.HIGH, n) for n in range(1, 6)]
    found += [Lacks(style, n) for style in Style for n in (1, 2, 3)]
    found += [ManyReady(n, height) for n in (1, 2, 3) for height in (3, 4)]
    found += [FewReady(n, height) for n in (1, 2, 3) for height in (3, 4)]
    return tuple(found)


@cache
def library() -> tuple[Line, ...]:
    """List short lines to choose from: each deed always, in the last turn, and not in the last."""
    clock: tuple[tuple[Condition, ...], ...] = ((), (LastTurns(0),), (LastTurns(2),))
    takes_when = (
        *clock,
        *((LastTurns(n),) for n in (1, 4, 6)),
        *((TurnsLeft(n),) for n in (5, 8)),
        *((FewColumns(n),) for n in (3, 5)),
    )
    lines = [Line(do, when) for do in takes() for when in takes_when]
    lines += [Line(do, when) for do in builds() for when in clock]
    lines += [Line(Start(style), (Lacks(style),)) for style in (Style.MID, Style.HIGH)]
    lines += [Line(do) for do in others()]
    return tuple(lines)


def is_take(line: Line) -> bool:
    """Return whether a line is about what dice to take."""
    return isinstance(line.do, TakeDice | TakeForReady)
