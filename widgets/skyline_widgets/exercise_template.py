"""What a kind of exercise is, and what several kinds have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from skyline_kernel.skyline import Die, shipped_dice_set

from .language import Language

__all__ = ["STANDARD", "Numbers", "Template", "chance_of", "die_of"]

Numbers = Mapping[str, Any]
"""What tells the variants of a template apart, in plain types."""

STANDARD: Final = shipped_dice_set("standard")
"""The dice that are rolled in all exercises."""


@dataclass(frozen=True)
class Template:
    """A kind of exercise.

    Parameters
    ----------
    key : str
    variants : callable
        Lists the numbers of all variants.
    answer : callable
        The exact answer of a variant: a fraction, or one of the options.
    ask, explain : callable
        The question and the way to its answer, in one language.
    options : callable or None
        Pairs of a value and its word where the answer is chosen; None where it is a number.
    """

    key: str
    variants: Callable[[], tuple[Numbers, ...]]
    answer: Callable[[Numbers], Fraction | str]
    ask: Callable[[Numbers, Language], str]
    explain: Callable[[Numbers, Language], str]
    options: Callable[[Language], list[tuple[str, str]]] | None = None


def die_of(numbers: Numbers) -> Die:
    """Return the die of a variant, with the face that is asked for."""
    return Die(numbers["die"])


def chance_of(die: Die) -> Fraction:
    """Return the chance that a die shows its face, in [0, 1]."""
    return STANDARD.probability(die)
