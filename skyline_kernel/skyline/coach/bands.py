"""Bands of mistakes: how bad a loss is called, by thresholds that can be set."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

from ...errors import SettingError

__all__ = ["DEFAULT_BANDS", "Band", "Bands"]


class Band(StrEnum):
    """What a decision is called."""

    BEST = "best"
    """No action is better."""
    GOOD = "good"
    """Something was lost, less than an inaccuracy."""
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True)
class Bands:
    """Where the bands begin: a pure function from losses to bands.

    Parameters
    ----------
    inaccuracy, mistake, blunder : float
        Least loss of each band, in points: above 0, none less than the one before it.

    Raises
    ------
    SettingError
        If the thresholds are not in order.

    Examples
    --------
    >>> Bands(0.5, 1, 3).of(1.0)
    <Band.MISTAKE: 'mistake'>
    """

    inaccuracy: float = 0.25
    mistake: float = 1.0
    blunder: float = 3.0

    def __post_init__(self) -> None:
        """Refuse thresholds that are not in order."""
        numbers = (self.inaccuracy, self.mistake, self.blunder)
        in_order = 0 < self.inaccuracy <= self.mistake <= self.blunder
        if not in_order or not all(map(isfinite, numbers)):
            raise SettingError(
                "bands {inaccuracy}, {mistake}, {blunder}: expected rising numbers above 0",
                inaccuracy=self.inaccuracy,
                mistake=self.mistake,
                blunder=self.blunder,
            )

    def of(self, loss: float) -> Band:
        """Return the band of a loss in points; a loss of 0 is never blamed."""
        if loss <= 0:
            return Band.BEST
        if loss >= self.blunder:
            return Band.BLUNDER
        if loss >= self.mistake:
            return Band.MISTAKE
        return Band.INACCURACY if loss >= self.inaccuracy else Band.GOOD


DEFAULT_BANDS = Bands()
"""A quarter of a point, one point and three points."""
