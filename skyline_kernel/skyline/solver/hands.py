"""Hands of equal dice: multisets of faces, some dice perhaps still to be rolled.

A *hand* of ``n`` dice of one kind is a multiset of faces; there are ``C(n + f - 1, n)`` of them
with ``f`` faces.  They are numbered, so that an array can have an axis of hands.  Two maps
between the numbers are all that the solver needs: what a hand becomes with one die more
(`added`), and where the hands with ``q`` unrolled dice stand on a longer *axis of rolls*
(`roll_blocks`): block ``q`` of that axis holds the hands of the ``n - q`` dice that are kept.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, pairwise
from math import comb

import numpy as np
from numpy.typing import NDArray

__all__ = ["added", "hand_index", "hands", "n_hands", "roll_blocks"]

Hand = tuple[int, ...]
"""How many dice show each face, shape ``(n_faces,)``."""


def n_hands(n_faces: int, n_dice: int) -> int:
    """Return the number of hands of `n_dice` dice with `n_faces` faces."""
    return comb(n_dice + n_faces - 1, n_dice)


@cache
def hands(n_faces: int, n_dice: int) -> tuple[Hand, ...]:
    """List the hands in the order of their numbers."""
    return tuple(
        tuple(shown.count(face) for face in range(n_faces))
        for shown in combinations_with_replacement(range(n_faces), n_dice)
    )


@cache
def _numbers(n_faces: int, n_dice: int) -> dict[Hand, int]:
    return {hand: number for number, hand in enumerate(hands(n_faces, n_dice))}


def hand_index(hand: Hand) -> int:
    """Return the number of `hand` among the hands of as many dice."""
    return _numbers(len(hand), sum(hand))[hand]


@cache
def added(n_faces: int, n_dice: int) -> NDArray[np.intp]:
    """Return the numbers of the hands that arise when one die joins a hand of ``n_dice - 1``.

    Returns
    -------
    ndarray of int, shape (n_faces, n_hands(n_faces, n_dice - 1))
        Entry ``[f, i]``: the number of hand ``i`` with one more die that shows face ``f``.
    """
    numbers = _numbers(n_faces, n_dice)

    def with_one_more(hand: Hand, face: int) -> int:
        return numbers[(*hand[:face], hand[face] + 1, *hand[face + 1 :])]

    smaller = hands(n_faces, n_dice - 1)
    rows = [[with_one_more(hand, face) for hand in smaller] for face in range(n_faces)]
    return np.array(rows, dtype=np.intp)


@cache
def roll_blocks(n_faces: int, n_dice: int) -> tuple[slice, ...]:
    """Return where the hands with 0, 1, ... `n_dice` unrolled dice stand on the axis of rolls."""
    ends = np.cumsum([0, *(n_hands(n_faces, n_dice - q) for q in range(n_dice + 1))]).tolist()
    return tuple(slice(begin, end) for begin, end in pairwise(ends))
