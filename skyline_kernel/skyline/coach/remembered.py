"""Cards worth remembering, found by search over the practice game with the standard dice.

Each is the cheapest that `find_cards` found for so many words, in the online edition.

===========  ==========================
complexity   points behind best play
===========  ==========================
1            45.9
2            40.4
3            33.9
4            33.0
5            27.6
6            21.1
7            18.9
8            15.2
9            13.8
10           11.8
11           10.2
12           9.4
13           8.6
14           8.5
15           8.4
16           7.3
17           7.0
18           7.0
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
        45.918205,
        """
        BuildAny
        """,
    ),
    (
        40.394620,
        """
        BuildAny
        Finish any 3 6
        """,
    ),
    (
        33.853383,
        """
        Raise any 4
        Finish any 3 6
        BuildAny
        """,
    ),
    (
        33.025547,
        """
        Raise any 4
        Finish any 3 5
        Start m
        BuildAny
        """,
    ),
    (
        27.560934,
        """
        TakeForReady 4 5
        BuildAny
        Finish any 4 6
        """,
    ),
    (
        21.060427,
        """
        TakeForReady 4 5
        Raise any 4
        Finish any 4 5
        BuildAny
        """,
    ),
    (
        18.945940,
        """
        TakeForReady 4 5
        Raise any 4
        Finish any 4 5
        Start m
        BuildAny
        """,
    ),
    (
        15.211679,
        """
        LastTurns 1: TakeDice 0 0 3
        ManyColumns 6: TakeDice 0 3 0
        TakeDice 2 1 0
        Raise any 4
        Finish any 2 6
        BuildAny
        """,
    ),
    (
        13.750856,
        """
        LastTurns 1: TakeDice 0 0 3
        ManyColumns 6: TakeDice 0 3 0
        TakeDice 3 0 0
        Raise any 4
        Finish any 4 5
        Start m
        BuildAny
        """,
    ),
    (
        11.756987,
        """
        LastTurns 0: TakeDice 0 0 3
        TurnsLeft 7: TakeDice 3 0 0
        TakeForReady 4 0
        Raise any 4
        Finish any 4 5
        Start m
        BuildAny
        """,
    ),
    (
        10.186210,
        """
        LastTurns 0: TakeDice 0 0 3
        TurnsLeft 7: TakeDice 3 0 0
        TakeForReady 4 0
        RollUnfit 4
        Raise any 4
        Start m
        Finish any 4 5
        BuildAny
        """,
    ),
    (
        9.368688,
        """
        TurnsLeft 7: TakeDice 3 0 0
        LastTurns 0: TakeDice 0 0 3
        TakeForReady 4 4
        Start m
        RollUnfit 3
        Raise any 4
        Finish any 3 6
        BuildAny
        """,
    ),
    (
        8.633767,
        """
        TurnsLeft 7: TakeDice 3 0 0
        LastTurns 0: TakeDice 0 0 3
        TurnsLeft 6: TakeDice 1 2 0
        TakeForReady 4 0
        Start m
        RollUnfit 3
        Raise any 4
        Finish any 2 6
        BuildAny
        """,
    ),
    (
        8.483456,
        """
        TurnsLeft 7: TakeDice 3 0 0
        TurnsLeft 6: TakeDice 1 2 0
        LastTurns 0: TakeDice 0 0 3
        TakeForReady 4 3
        Start m
        RollUnfit 3
        Raise any 4
        Finish any 3 6
        BuildAny
        """,
    ),
    (
        8.438226,
        """
        TurnsLeft 7: TakeDice 3 0 0
        TurnsLeft 6: TakeDice 1 2 0
        LastTurns 0: TakeDice 0 0 3
        TakeForReady 4 0
        Start m
        RollUnfit 4
        Raise any 4
        Finish any 4 5
        FewReady 3 3: Finish any 2 6
        BuildAny
        """,
    ),
    (
        7.250124,
        """
        TurnsLeft 8: TakeForReady 3 5
        TurnsLeft 4: TakeDice 1 2 0
        LastTurns 0: TakeDice 0 0 3
        Has m 1: TakeForReady 4 0
        Start m
        RollUnfit 3
        Raise any 4
        Finish any 3 6
        BuildAny
        """,
    ),
    (
        7.045856,
        """
        TurnsLeft 8: TakeForReady 3 5
        TurnsLeft 4: TakeDice 1 2 0
        LastTurns 0: TakeDice 0 0 3
        Has m 1: TakeForReady 4 0
        TakeDice 2 1 0
        Start m
        RollUnfit 3
        Raise any 4
        Finish any 3 6
        BuildAny
        """,
    ),
    (
        7.029296,
        """
        TurnsLeft 8: TakeForReady 3 5
        TurnsLeft 4: TakeDice 1 2 0
        LastTurns 0: TakeDice 0 0 3
        Has m 1: TakeForReady 4 3
        TakeDice 2 1 0
        Start m
        RollUnfit 2
        Raise any 4
        Finish any 3 6
        BuildAny
        """,
    ),
)

CARDS: Final[tuple[Card, ...]] = tuple(parse_card(text) for _, text in _FOUND)
"""From the simplest to the best, for the online edition with the standard dice."""

COSTS: Final[tuple[float, ...]] = tuple(cost for cost, _ in _FOUND)
"""Points behind best play of each card, rounded to six decimals."""
