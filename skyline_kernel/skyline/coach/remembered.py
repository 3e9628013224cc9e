"""Cards worth remembering, found by search over the practice game with the standard dice.

Each is the cheapest that was found for so many words, by `search_cards` from the empty card and
from cards that a random search had improved by changing, adding, dropping and swapping lines.
They show what matters in which order: mid-rises alone; high-rises with them; ground floor dice
first, then upper floors, penthouses in the last two turns; low-rises for dice that would be lost;
and rolling again before a low-rise is finished.

===========  ==========================
complexity   points behind best play
===========  ==========================
3            50.6
5            42.9
10           24.2
12           16.3
13           13.5
===========  ==========================

The tests price them again.
"""

from __future__ import annotations

from typing import Final

from ..dice import Style
from .rules import Card, Finish, LastTurns, Line, Raise, RollAgain, Start, TakeDice

__all__ = ["CARDS"]

_TAKES: Final = (
    Line(TakeDice(0, 0, 3), (LastTurns(1),)),
    Line(TakeDice(0, 3, 0), (LastTurns(5),)),
    Line(TakeDice(3, 0, 0)),
)
_RAISE_HIGH: Final = Line(Raise(Style.HIGH))
_RAISE_MID: Final = Line(Raise(Style.MID))
_FINISH_HIGH: Final = Line(Finish(Style.HIGH, 3))
_FINISH_MID: Final = Line(Finish(Style.MID, 2))
_FINISH_LOW: Final = Line(Finish(Style.LOW, 2))
_START_MID: Final = Line(Start(Style.MID))
_START_LOW: Final = Line(Start(Style.LOW))
_BUILDS: Final = (_RAISE_HIGH, _RAISE_MID, _FINISH_HIGH, _FINISH_MID, _START_MID)

CARDS: Final[tuple[Card, ...]] = (
    Card((_RAISE_MID, _FINISH_MID, _START_MID)),
    Card(_BUILDS),
    Card((*_TAKES, _RAISE_MID, _FINISH_MID, _FINISH_HIGH, _RAISE_HIGH, _START_MID)),
    Card((*_TAKES, *_BUILDS, _START_LOW, _FINISH_LOW)),
    Card(
        (
            *_TAKES,
            _RAISE_MID,
            _FINISH_MID,
            _FINISH_HIGH,
            _RAISE_HIGH,
            _START_LOW,
            _START_MID,
            Line(RollAgain()),
            _FINISH_LOW,
        )
    ),
)
"""From the simplest to the best, for the online edition with the standard dice."""
