"""Estimates from samples, with confidence intervals.

Shares, such as wins, get the interval of Wilson (1927, "Probable inference, the law of
succession, and statistical inference", JASA 22): it stays within [0, 1] and holds its level even
for shares near 0 or 1.  Means get the interval of Student's t, which is nearly the normal one for
the hundreds of games that a study has, and honest for a handful.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from statistics import NormalDist
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from .errors import SettingError

__all__ = ["LEVEL", "Estimate", "chi_square_p", "estimated_mean", "estimated_share"]

LEVEL: Final = 0.95
"""Usual confidence level."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate with its confidence interval.

    Parameters
    ----------
    value : float
        The estimate.
    error : float
        Its standard error, infinite where one observation tells nothing of the spread.
    low, high : float
        Ends of the confidence interval.
    n : int
        Number of observations.
    level : float
        Confidence level in (0, 1).
    """

    value: float
    error: float
    low: float
    high: float
    n: int
    level: float = LEVEL

    def as_dict(self) -> dict[str, Any]:
        """Return the estimate in plain types; None stands for an infinite number."""
        numbers = {"value": self.value, "error": self.error, "low": self.low, "high": self.high}
        return {
            **{name: number if abs(number) < inf else None for name, number in numbers.items()},
            "level": self.level,
        }


def _verify(n: int, level: float) -> None:
    if n < 1:
        raise SettingError("{n} observations: expected at least 1", n=n)
    if not 0 < level < 1:
        raise SettingError(
            "confidence level {level}: expected a number between 0 and 1", level=level
        )


def estimated_share(successes: float, n: int, level: float = LEVEL) -> Estimate:
    """Estimate a probability from a number of successes, with Wilson's interval.

    Parameters
    ----------
    successes : float
        In [0, n].  It need not be whole: a victory that two players share may count one half
        for each.  Such a share varies no more than a yes or no with the same mean, so the
        interval is then rather too wide than too narrow.
    n : int
        Number of trials, at least 1.
    level : float

    Raises
    ------
    SettingError
        If there are no trials, more successes than trials, or `level` is not in (0, 1).

    Examples
    --------
    >>> ten = estimated_share(5, 10)
    >>> ten.value, round(ten.low, 4), round(ten.high, 4)
    (0.5, 0.2366, 0.7634)
    """
    _verify(n, level)
    if not 0 <= successes <= n:
        raise SettingError("{k} successes: expected 0 to {n}", k=successes, n=n)
    share = successes / n
    z = NormalDist().inv_cdf((1 + level) / 2)
    spread = share * (1 - share) / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(spread + z * z / (4 * n * n))
    # At the ends the formula gives 0 and 1 but for rounding.
    low = 0.0 if successes == 0 else max(centre - half, 0.0)
    high = 1.0 if successes == n else min(centre + half, 1.0)
    return Estimate(share, sqrt(spread), low, high, n, level)


def estimated_mean(sample: ArrayLike, level: float = LEVEL) -> Estimate:
    """Estimate a mean, with Student's interval.

    Parameters
    ----------
    sample : array_like
        Independent observations, shape ``(n,)``.
    level : float

    Raises
    ------
    SettingError
        If there are no observations or `level` is not in (0, 1).

    Examples
    --------
    >>> some = estimated_mean([1, 2, 3, 4, 5])
    >>> some.value, round(some.low, 4), round(some.high, 4)
    (3.0, 1.0368, 4.9632)
    """
    numbers = np.asarray(sample, dtype=np.float64)
    n = len(numbers)
    _verify(n, level)
    mean = float(numbers.mean())
    if n == 1:
        return Estimate(mean, inf, -inf, inf, n, level)
    error = float(numbers.std(ddof=1)) / sqrt(n)
    half = _t_quantile((1 + level) / 2, n - 1) * error
    return Estimate(mean, error, mean - half, mean + half, n, level)


def _t_quantile(probability: float, freedom: int) -> float:
    # The special functions alone: importing all of scipy.stats takes a second.
    from scipy.special import stdtrit

    return float(stdtrit(freedom, probability))


def chi_square_p(observed: Sequence[int], expected: Sequence[float], least: float = 5.0) -> float:
    """Return the p-value of Pearson's chi-square test that counts follow expected numbers.

    Neighbouring cells are put together until each expects at least `least` observations.

    Parameters
    ----------
    observed : sequence of int
        Counts, shape ``(n_cells,)``.
    expected : sequence of float
        Expected counts with the same sum, shape ``(n_cells,)``.
    least : float

    Returns
    -------
    float
        Probability in [0, 1] of counts at least as far from the expected ones; 1 if all cells
        were put together.

    Raises
    ------
    SettingError
        If the sums differ.

    Examples
    --------
    >>> round(chi_square_p([44, 56], [50, 50]), 4)
    0.2301
    """
    if abs(sum(observed) - sum(expected)) > 1e-6 * max(sum(expected), 1.0):
        raise SettingError(
            "{observed} observations: expected {expected}",
            observed=sum(observed),
            expected=sum(expected),
        )
    cells = _pooled(observed, expected, least)
    if len(cells) < 2:
        return 1.0
    from scipy.special import chdtrc

    distance = sum((seen - wanted) ** 2 / wanted for seen, wanted in cells)
    return float(chdtrc(len(cells) - 1, distance))


def _pooled(
    observed: Sequence[int], expected: Sequence[float], least: float
) -> list[tuple[float, float]]:
    cells: list[tuple[float, float]] = []
    seen = wanted = 0.0
    for count, number in zip(observed, expected, strict=True):
        seen, wanted = seen + count, wanted + number
        if wanted >= least:
            cells.append((seen, wanted))
            seen = wanted = 0.0
    if not cells:
        return [(seen, wanted)]
    last_seen, last_wanted = cells.pop()
    return [*cells, (last_seen + seen, last_wanted + wanted)]
