"""Distributions of whole numbers of points, exact or as floats.

A `Distribution` says with which chance each value comes up, and answers what one asks of it: the
mean, the spread, percentiles, the chance to reach a target.  With `Fraction` probabilities every
answer is exact; with floats the mean is as good as the probabilities are.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import fsum, sqrt
from typing import Any

from .errors import SettingError

__all__ = ["Distribution", "Probability"]

Probability = Fraction | float


@dataclass(frozen=True, slots=True)
class Distribution:
    """Which values come up, and with which probability.

    Parameters
    ----------
    values : tuple of int
        Points, rising, shape ``(n_values,)``.
    probabilities : tuple of Fraction or float
        Each in (0, 1], shape ``(n_values,)``; they sum to 1.

    Examples
    --------
    One die with sides 0, 0, 1, 3:

    >>> points = Distribution.of({0: Fraction(2, 4), 1: Fraction(1, 4), 3: Fraction(1, 4)})
    >>> points.mean, points.chance_at_least(1), points.percentile(50), points.percentile(90)
    (Fraction(1, 1), Fraction(1, 2), 0, 3)
    """

    values: tuple[int, ...]
    probabilities: tuple[Probability, ...]

    @classmethod
    def of(cls, chances: Mapping[int, Probability]) -> Distribution:
        """Make a distribution of a mapping from values to probabilities; zeros are left out."""
        items = sorted((value, p) for value, p in chances.items() if p)
        return cls(tuple(value for value, _ in items), tuple(p for _, p in items))

    @classmethod
    def certain(cls, value: int) -> Distribution:
        """Make the distribution of a value that is sure."""
        return cls((value,), (Fraction(1),))

    @property
    def is_exact(self) -> bool:
        """Whether the probabilities are fractions."""
        return all(isinstance(p, Fraction) for p in self.probabilities)

    @property
    def total(self) -> Probability:
        """Sum of the probabilities: exactly 1, or 1 up to the error of floats."""
        return _total(self.probabilities)

    @property
    def mean(self) -> Probability:
        """Expected value, in points."""
        return _total(v * p for v, p in zip(self.values, self.probabilities, strict=True))

    @property
    def variance(self) -> Probability:
        """Expected squared distance from the mean, in points squared."""
        mean = self.mean
        squares = [(v - mean) ** 2 for v in self.values]
        return _total(s * p for s, p in zip(squares, self.probabilities, strict=True))

    @property
    def standard_deviation(self) -> float:
        """Square root of the variance, in points."""
        return sqrt(self.variance)

    def probability(self, value: int) -> Probability:
        """Return the probability of one value, 0 if it never comes up."""
        place = bisect_left(self.values, value)
        is_there = place < len(self.values) and self.values[place] == value
        return self.probabilities[place] if is_there else Fraction(0)

    def chance_at_least(self, target: int) -> Probability:
        """Return the probability of `target` or more."""
        return _total(self.probabilities[bisect_left(self.values, target) :])

    def percentile(self, q: float) -> int:
        """Return the least value that is not exceeded with a probability of at least `q` percent.

        Parameters
        ----------
        q : float
            In [0, 100]; 50 gives the (lower) median, 0 the least value, 100 the greatest.

        Raises
        ------
        SettingError
            If `q` is outside [0, 100].
        """
        if not 0 <= q <= 100:
            raise SettingError("percentile {q}: expected a number from 0 to 100", q=q)
        sums = list(accumulate(self.probabilities))
        wanted = Fraction(q) / 100 if self.is_exact else q / 100 - _ROUNDING
        return self.values[min(bisect_left(sums, wanted), len(sums) - 1)]

    def shifted(self, points: int) -> Distribution:
        """Return the distribution of each value plus `points`."""
        return Distribution(tuple(v + points for v in self.values), self.probabilities)

    def as_dict(self) -> dict[str, list[Any]]:
        """Return values and probabilities (as floats) in plain types."""
        return {"values": list(self.values), "probabilities": list(map(float, self.probabilities))}


_ROUNDING = 1e-12
"""Float sums may fall short of a percentile by so much without missing it."""


def _total(numbers: Iterable[Probability]) -> Probability:
    listed = list(numbers)
    if all(isinstance(number, Fraction) for number in listed):
        return sum(listed, Fraction(0))
    return fsum(listed)
