"""How much work a question may cost.

A teacher at the command line waits some minutes for a rare position, a page must not.  What a turn
costs is known once its skylines are found, before anything is solved: so many values of so many
bytes, some ten to twenty milliseconds a megabyte.  Skylines with more dice than the tables hold
are solved anew with all that can come of them; that may take minutes, whatever the turn itself
costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Final

from ..dice import KindCounts
from ..legality import DICE_FROM_YARD
from .hands import n_hands
from .moves import TurnTooLargeError
from .numbers import Numbers

__all__ = [
    "AT_ONCE",
    "A_SECOND",
    "PATIENT",
    "SOME_SECONDS",
    "Budget",
    "Patience",
    "bytes_of_values",
]


@dataclass(frozen=True, slots=True)
class Patience:
    """What an answer may cost.

    Parameters
    ----------
    most_bytes : int
        Of the values of one turn.
    most_beyond : int
        With how many dice in the turn skylines may be solved anew that the tables do not hold.
    """

    most_bytes: int
    most_beyond: int

    @property
    def most_actions(self) -> int:
        """How many actions may be ranked: with what follows, each takes about as many bytes."""
        return self.most_bytes // _BYTES_OF_ACTION


_BYTES_OF_ACTION: Final = 2000

PATIENT: Final = Patience(2_400_000_000, most_beyond=10_000)
"""All that the memory of a usual computer holds; minutes at worst."""

SOME_SECONDS: Final = Patience(400_000_000, most_beyond=0)
"""For somebody who was asked and said yes."""

A_SECOND: Final = Patience(40_000_000, most_beyond=DICE_FROM_YARD)
"""For a page that shows advice beside the table, where skylines grow as games make them grow."""

AT_ONCE: Final = Patience(12_000_000, most_beyond=0)
"""For a control that answers while it is moved."""


def bytes_of_values(numbers: Numbers, counts: KindCounts) -> int:
    """Return the bytes of all values of one skyline with such active dice.

    A Python integer takes some eighty with its place in an array.
    """
    n_faces = [len(weights) for weights in numbers.weights]
    each = 8 if numbers.is_float else 80
    return each * prod(map(n_hands, n_faces, counts))


class Budget:
    """Counts what a turn costs while its skylines are found.

    Parameters
    ----------
    numbers : Numbers
    most_bytes : int
    """

    def __init__(self, numbers: Numbers, most_bytes: int) -> None:
        self._numbers = numbers
        self._left = most_bytes
        self._n_dice = 0

    def spend(self, counts: KindCounts, n_skylines: int) -> None:
        """Note so many skylines more with such active dice.

        Raises
        ------
        TurnTooLargeError
            If there is not enough left.
        """
        self._n_dice = max(self._n_dice, sum(counts))
        self._left -= n_skylines * bytes_of_values(self._numbers, counts)
        if self._left < 0:
            raise TurnTooLargeError(self._n_dice)
