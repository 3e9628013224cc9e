"""The numbers that a turn is solved in: floats, or exact integers on a common scale.

Floats are fast and serve where later turns are tables of floats anyway.  Where no later turn
counts, every value is a rational number whose denominator is known beforehand: let ``w`` be the
least common multiple of the numbers of sides.  A roll of ``n`` dice multiplies denominators by
``w ** n``, after it at most ``n - 1`` dice are rolled, and so on, so with ``n`` dice active
``w ** (n (n + 1) / 2)`` will do for all values.  The solver then carries integer numerators.  As
long as they stay below ``2 ** 53``, as they do up to five standard dice, a float holds each of
them exactly and the same fast code is exact; with more dice Python's integers take their place.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Final

import numpy as np

from ..state import SIX_STOREYS
from .skylines import KindFaces

__all__ = ["ExactNumbers", "Numbers"]

_FLOAT_BITS: Final = 53
_MOST_GAIN: Final = SIX_STOREYS.points
"""No single die gains more."""


class Numbers:
    """How values are represented: plain floats.

    Parameters
    ----------
    faces : sequence of KindFaces
        Of the three kinds of dice.

    Attributes
    ----------
    weights : list
        For each kind of die the weights of its faces, shape ``(3, n_faces)``.
    divisor : int or None
        What a mean with these weights is divided by; None if the weights sum to 1.
    dtype : numpy.dtype
        Of arrays of values.
    """

    def __init__(self, faces: Sequence[KindFaces]) -> None:
        self.weights: list[list[Any]] = [
            [weight / kind.n_sides for weight in kind.weights] for kind in faces
        ]
        self.divisor: int | None = None
        self.dtype: np.dtype[Any] = np.dtype(np.float64)

    @property
    def is_float(self) -> bool:
        """Whether values are floats, be they exact or not."""
        return self.dtype == np.float64

    def scale(self, n_dice: int) -> int:
        """Return the denominator of the values with `n_dice` dice active."""
        del n_dice
        return 1

    def fraction(self, value: float, n_dice: int) -> Fraction | None:
        """Return a value with `n_dice` dice active as a fraction, None if it is not exact."""
        del value, n_dice
        return None


class ExactNumbers(Numbers):
    """Integer numerators; only where nothing is worth anything after the turn but its points.

    Parameters
    ----------
    faces : sequence of KindFaces
        Of the three kinds of dice.
    n_dice : int
        Most dice that are active at once.
    """

    def __init__(self, faces: Sequence[KindFaces], n_dice: int) -> None:
        super().__init__(faces)
        self.common = self.divisor = lcm(*(kind.n_sides for kind in faces))
        self.weights = [
            [weight * (self.common // kind.n_sides) for weight in kind.weights] for kind in faces
        ]
        largest = self.scale(n_dice) * self.common * _MOST_GAIN * n_dice
        self.dtype = np.dtype(np.float64 if largest < 2**_FLOAT_BITS else object)

    def scale(self, n_dice: int) -> int:
        """Return the denominator of the values with `n_dice` dice active."""
        scale: int = self.common ** (n_dice * (n_dice + 1) // 2)
        return scale

    def fraction(self, value: float, n_dice: int) -> Fraction:
        """Return a value with `n_dice` dice active as a fraction."""
        return Fraction(int(value), self.scale(n_dice))
