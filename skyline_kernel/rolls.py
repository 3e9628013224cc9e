"""Rolls that depend on a seed and their number alone.

Each game has a seed.  Its ``n``-th roll is drawn from a stream of its own, named by
``(seed, n, kind)``: nothing that happened before the roll, no undo and no reload can change it.
The bits come from NumPy's Philox generator, whose raw output is the same on every platform and
in every version of NumPy; faces are drawn from them by rejection, so they are exactly fair.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from .errors import SettingError

__all__ = ["MAX_SEED", "draw_faces", "new_seed", "verify_seed"]

MAX_SEED = 2**53 - 1
"""Largest seed of a game; every JSON reader keeps it exactly."""

_RAW_RANGE = 2**64
_BLOCK = 8


def new_seed() -> int:
    """Return a fresh seed that nobody can guess.

    Returns
    -------
    int
        Between 0 and `MAX_SEED`, from the operating system's source of randomness.
    """
    import secrets

    return secrets.randbits(53)


def verify_seed(seed: object) -> int:
    """Return `seed` as an int if it can seed a game.

    Raises
    ------
    SettingError
        If it is no integer between 0 and `MAX_SEED`.
    """
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
        raise SettingError(
            "seed {seed}: expected a whole number from 0 to {largest}",
            seed=seed,
            largest=MAX_SEED,
        )
    return seed


def draw_faces(
    seed: int, roll_number: int, stream: int, face_weights: Sequence[int], n_dice: int
) -> list[int]:
    """Draw the faces of equal dice in one numbered roll.

    Parameters
    ----------
    seed : int
        Seed of the game.
    roll_number : int
        Number of the roll within the game, the first is 0, at most `MAX_SEED`.
    stream : int
        Number of the kind of die; each kind has a stream of its own, so that a die's face does
        not depend on which other dice are rolled with it.
    face_weights : sequence of int
        How many sides show each face, shape ``(n_faces,)``.
    n_dice : int
        Number of dice.

    Returns
    -------
    list of int
        Index of the face that each die shows, shape ``(n_dice,)``.  Fewer dice show the
        beginning of the same list.

    Raises
    ------
    SettingError
        If there is no roll of this number.
    """
    if not 0 <= roll_number <= MAX_SEED:
        raise SettingError(
            "roll number {number}: expected a whole number from 0 to {largest}",
            number=roll_number,
            largest=MAX_SEED,
        )
    bounds = list(accumulate(face_weights))
    sides = _fair_integers(_raw_bits(seed, roll_number, stream), bounds[-1])
    return [bisect_right(bounds, next(sides)) for _ in range(n_dice)]


def _raw_bits(seed: int, roll_number: int, stream: int) -> Iterator[int]:
    from numpy.random import Philox, SeedSequence

    # Fixed width: the words of one entropy must never be read as those of another.
    low, high = seed % 2**32, seed >> 32
    source = Philox(SeedSequence([low, high, roll_number, stream]))
    while True:
        yield from source.random_raw(_BLOCK).tolist()


def _fair_integers(raw_bits: Iterator[int], n_sides: int) -> Iterator[int]:
    limit = _RAW_RANGE - _RAW_RANGE % n_sides
    return (raw % n_sides for raw in raw_bits if raw < limit)
