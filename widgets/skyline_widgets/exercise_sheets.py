"""Sheets of exercises, drawn from a seed.

Which variants a seed gives depends on the seed alone and not on the machine or on the version of
any library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Final

from skyline_kernel.errors import SettingError
from skyline_kernel.rolls import draw_faces, verify_seed

from .exercise_columns import COLUMN_TEMPLATES
from .exercise_dice import DICE_TEMPLATES
from .exercise_rolls import ROLL_TEMPLATES
from .exercise_template import Numbers, Template
from .language import Language

__all__ = ["SHEETS", "TEMPLATES", "Exercise", "exercises_of", "verify_sheet"]

TEMPLATES: Final[Mapping[str, Template]] = {
    template.key: template for template in (*DICE_TEMPLATES, *COLUMN_TEMPLATES, *ROLL_TEMPLATES)
}
"""All kinds of exercises by their keys."""

SHEETS: Final[Mapping[str, tuple[str, ...]]] = {
    "rules": ("points", "points", "fits", "fits", "fits", "fits"),
    "chance": ("face", "both", "at-least-one", "exactly-one", "mean"),
    "reroll": ("build", "stuck", "better", "better", "expected", "insured"),
    "lesson-45": ("points", "fits", "face", "both", "at-least-one", "build"),
    "lesson-90": (
        "points",
        "fits",
        "fits",
        "face",
        "both",
        "at-least-one",
        "exactly-one",
        "build",
        "better",
        "expected",
        "insured",
    ),
}
"""Templates of each sheet, in their order."""


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    Parameters
    ----------
    key : str
        Of its template.
    numbers : mapping
    """

    key: str
    numbers: Numbers

    @property
    def _template(self) -> Template:
        return TEMPLATES[self.key]

    @property
    def answer(self) -> Fraction | str:
        """The exact answer."""
        return self._template.answer(self.numbers)

    def question(self, lang: Language) -> str:
        """Return the question in one language."""
        return self._template.ask(self.numbers, lang)

    def explanation(self, lang: Language) -> str:
        """Return the way to the answer in one language."""
        return self._template.explain(self.numbers, lang)

    def options(self, lang: Language) -> list[tuple[str, str]]:
        """Return what can be chosen, nothing where the answer is a number."""
        return [] if self._template.options is None else self._template.options(lang)


def verify_sheet(sheet: object) -> str:
    """Return `sheet` if there is a sheet of this name.

    Raises
    ------
    SettingError
        If there is none.
    """
    if not isinstance(sheet, str) or sheet not in SHEETS:
        known = ", ".join(SHEETS)
        raise SettingError("{value!r}: expected one of {known}", value=sheet, known=known)
    return sheet


def exercises_of(sheet: str, seed: int) -> tuple[Exercise, ...]:
    """Draw the exercises of a sheet.

    Parameters
    ----------
    sheet : str
        One of `SHEETS`.
    seed : int
        One for each pupil; the same seed gives the same numbers everywhere.

    Raises
    ------
    SettingError
        If there is no such sheet or the seed is none.

    Examples
    --------
    >>> [(one.key, str(one.answer)) for one in exercises_of("chance", 1)][:2]
    [('face', '1/6'), ('both', '1/9')]
    """
    return _exercises_of(verify_sheet(sheet), verify_seed(seed))


@cache
def _variants(key: str) -> tuple[Numbers, ...]:
    return TEMPLATES[key].variants()


def _exercises_of(sheet: str, seed: int) -> tuple[Exercise, ...]:
    stream = list(SHEETS).index(sheet)
    drawn: list[Exercise] = []
    for place, key in enumerate(SHEETS[sheet]):
        taken = [one.numbers for one in drawn if one.key == key]
        free = [numbers for numbers in _variants(key) if numbers not in taken]
        (which,) = draw_faces(seed, place, stream, [1] * len(free), 1)
        drawn.append(Exercise(key, free[which]))
    return tuple(drawn)
