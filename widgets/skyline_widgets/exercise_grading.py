"""What is said of an answer: fractions, decimal numbers and per cent are read."""

from __future__ import annotations

import re
from enum import StrEnum
from fractions import Fraction
from typing import Final, NamedTuple

from .exercise_sheets import Exercise
from .language import Language

__all__ = ["Verdict", "grade"]

_HALF_CENT: Final = Fraction(1, 200)


class Verdict(StrEnum):
    """What is said of an answer."""

    RIGHT = "right"
    ROUNDED = "rounded"
    WRONG = "wrong"
    UNREADABLE = "unreadable"

    @property
    def is_solved(self) -> bool:
        """Whether the exercise is solved by such an answer."""
        return self in (Verdict.RIGHT, Verdict.ROUNDED)


class _Given(NamedTuple):
    value: Fraction
    half_unit: Fraction


_FRACTION: Final = re.compile(r"(-?[0-9]{1,12})\s*/\s*([0-9]{1,12})")
_DECIMAL: Final = re.compile(r"(-?[0-9]{1,12})(?:[.,]([0-9]{0,12}))?\s*(%?)")


def _read(given: str) -> _Given | None:
    """Read a fraction, a decimal number or per cent; None if it is neither."""
    text = given.strip().replace("\u2212", "-")
    if (found := _FRACTION.fullmatch(text)) is not None:
        if not int(found[2]):
            return None
        return _Given(Fraction(int(found[1]), int(found[2])), Fraction(0))
    if (found := _DECIMAL.fullmatch(text)) is None:
        return None
    digits = found[2] or ""
    scale = 10 ** len(digits) * (100 if found[3] else 1)
    is_whole = not digits and not found[3]
    return _Given(
        Fraction(int(found[1] + digits), scale), Fraction(0) if is_whole else Fraction(1, 2 * scale)
    )


def grade(exercise: Exercise, given: str) -> Verdict:
    """Judge an answer.

    Parameters
    ----------
    exercise : Exercise
    given : str
        A fraction such as ``25/36``, reduced or not, a decimal number with point or comma, or
        per cent.  A decimal number is right if it is the exact answer, and rounded if it is the
        answer rounded to its last digit, at least to two decimals or to whole per cent.

    Returns
    -------
    Verdict

    Examples
    --------
    >>> one = Exercise("at-least-one", {"die": "Uh", "n": 2})
    >>> [str(grade(one, text)) for text in ("11/36", "22/72", "0,31", "31 %", "0.3", "1/3", "?")]
    ['right', 'right', 'rounded', 'rounded', 'wrong', 'wrong', 'unreadable']
    """
    answer = exercise.answer
    if isinstance(answer, str):
        options = {code for code, _ in exercise.options(_NO_WORDS)}
        if given not in options:
            return Verdict.UNREADABLE
        return Verdict.RIGHT if given == answer else Verdict.WRONG
    read = _read(given)
    if read is None:
        return Verdict.UNREADABLE
    if read.value == answer:
        return Verdict.RIGHT
    is_near = abs(read.value - answer) <= read.half_unit <= _HALF_CENT
    return Verdict.ROUNDED if is_near else Verdict.WRONG


_NO_WORDS: Final = Language("en")
