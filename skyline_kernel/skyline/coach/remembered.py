"""Cards worth remembering, found by search over the practice game with the standard dice.

Each is the cheapest that `find_cards` found for so many words, in the online edition.

===========  ==========================
complexity   points behind best play
===========  ==========================
1            77.4
2            72.7
3            42.9
4            40.7
6            35.4
7            33.4
8            23.5
9            21.6
10           20.2
11           16.3
12           12.5
13           10.9
14           10.8
15           10.0
18           9.5
===========  ==========================

The tests price them again.
"""

from __future__ import annotations

from typing import Final

from .card_notation import parse_card
from .rules import Card

__all__ = ["CARDS", "COSTS"]

_FOUND: Final = (
    (
        77.425858,
        """
        Start l
        """,
    ),
    (
        72.730014,
        """
        Start m
        Finish any 2 6
        """,
    ),
    (
        42.855236,
        """
        Raise any 5
        Start m
        Finish any 2 6
        """,
    ),
    (
        40.711427,
        """
        Start m
        RollUnfit 2
        Raise any 5
        Finish any 2 6
        """,
    ),
    (
        35.398889,
        """
        Start l
        Raise h 5
        Raise m 5
        Finish l 2 6
        Finish any 2 6
        Start m
        """,
    ),
    (
        33.416168,
        """
        Start l
        Raise h 5
        RollUnfit 4
        Finish l 2 6
        Start m
        Raise m 5
        Finish any 2 6
        """,
    ),
    (
        23.464018,
        """
        LastTurns 1: TakeDice 0 0 3
        LastTurns 5: TakeDice 0 3 0
        TakeDice 2 1 0
        Finish any 2 6
        Start m
        Raise any 5
        """,
    ),
    (
        21.572515,
        """
        LastTurns 1: TakeDice 0 0 3
        FewColumns 4: TakeDice 3 0 0
        LastTurns 5: TakeDice 0 3 0
        Raise any 5
        Start m
        Finish any 2 6
        """,
    ),
    (
        20.150747,
        """
        LastTurns 1: TakeDice 0 0 3
        FewColumns 4: TakeDice 3 0 0
        LastTurns 5: TakeDice 0 3 0
        Raise any 5
        RollUnfit 2
        Start m
        Finish any 2 6
        """,
    ),
    (
        16.258464,
        """
        LastTurns 1: TakeDice 0 0 3
        LastTurns 5: TakeDice 0 3 0
        TakeDice 3 0 0
        Raise h 5
        Raise m 5
        Finish l 2 6
        Finish any 2 6
        Start m
        Start l
        """,
    ),
    (
        12.534396,
        """
        LastTurns 1: TakeDice 0 0 3
        LastTurns 5: TakeDice 0 3 0
        TakeDice 3 0 0
        Start l
        Raise m 5
        RollUnfit 3
        Finish any 2 6
        Start m
        Raise h 5
        Finish l 2 6
        """,
    ),
    (
        10.873170,
        """
        LastTurns 1: TakeDice 0 0 3
        LastTurns 5: TakeDice 0 3 0
        TakeDice 3 0 0
        Raise h 4
        RollUnfit 3
        Raise m 5
        Finish h 3 6
        Finish m 2 6
        Start m
        Start l
        Finish l 2 6
        """,
    ),
    (
        10.768612,
        """
        LastTurns 1: TakeDice 0 0 3
        LastTurns 5: TakeDice 0 3 0
        TakeDice 3 0 0
        Raise h 4
        ManyColumns 4: RollUnfit 3
        Raise m 5
        Finish h 3 6
        Finish m 2 6
        Start m
        Start l
        Finish l 2 6
        """,
    ),
    (
        9.989152,
        """
        LastTurns 1: TakeDice 0 0 3
        LastTurns 5: TakeDice 0 3 0
        FewColumns 7: TakeDice 3 0 0
        TakeDice 2 1 0
        Raise h 4
        RollUnfit 3
        Raise m 5
        Finish h 3 6
        Finish m 2 6
        Start m
        Start l
        Finish l 2 6
        """,
    ),
    (
        9.520269,
        """
        TurnsLeft 8: TakeDice 3 0 0
        TurnsLeft 3: TakeDice 1 2 0
        LastTurns 0: TakeDice 0 0 3
        TakeForReady 4 0
        RollUnfit 6
        LastTurns 0: Finish any 2 6
        Finish h 5 5
        Finish m 4 6
        Raise h 4
        Raise m 5
        Start m
        Finish l 2 6
        Start l
        """,
    ),
)

CARDS: Final[tuple[Card, ...]] = tuple(parse_card(text) for _, text in _FOUND)
"""From the simplest to the best, for the online edition with the standard dice."""

COSTS: Final[tuple[float, ...]] = tuple(cost for cost, _ in _FOUND)
"""Points behind best play of each card, rounded to six decimals."""
