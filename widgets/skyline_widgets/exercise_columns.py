"""Exercises about columns without a roll: what they count, and what fits them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Final

from skyline_kernel.skyline import Column, Die, Kind, points
from skyline_kernel.skyline.columns import GROWTH, Skyline, sorted_skyline

from .exercise_template import Numbers, Template, die_of
from .language import Language
from .words import column_name, die_name

__all__ = ["COLUMN_TEMPLATES", "columns_words", "skyline_of"]


def skyline_of(numbers: Numbers) -> Skyline:
    """Return the columns of a variant."""
    return tuple(Column(code) for code in numbers["columns"])


def columns_words(skyline: Skyline, lang: Language) -> str:
    """Return the columns of a skyline in words, in its order."""
    return "; ".join(column_name(column, lang) for column in skyline)


def _point_skylines() -> tuple[Numbers, ...]:
    """List skylines of two different finished buildings, one unfinished, and a low-rise."""
    finished = [column for column in Column if column.is_finished and column.floors > 2]
    unfinished = [column for column in Column if not column.is_finished and column.floors > 1]
    return tuple(
        {"columns": [str(one) for one in sorted_skyline((*pair, rest, Column.LOW_1))]}
        for pair, rest in product(combinations(finished, 2), unfinished)
    )


def _ask_points(numbers: Numbers, lang: Language) -> str:
    return lang.say(
        "Your skyline at the end of the game: {columns}. How many points is it?",
        columns=columns_words(skyline_of(numbers), lang),
    )


def _explain_points(numbers: Numbers, lang: Language) -> str:
    parts = [
        f"{one.floors}²" if one.is_finished else str(one.points) for one in skyline_of(numbers)
    ]
    return lang.say(
        "Finished buildings count their height squared, a lone low-rise ground floor 1, other "
        "unfinished ones nothing: {sum} = {result}.",
        sum=" + ".join(parts),
        result=points(skyline_of(numbers)),
    )


def _fits() -> tuple[Numbers, ...]:
    """List dice and columns of the same style: what counts is the height alone."""
    return tuple(
        {"die": str(die), "columns": [str(column)]}
        for die, column in product(Die, Column)
        if die.kind is not Kind.GROUND and die.style is column.style and not column.is_finished
    )


def _does_fit(numbers: Numbers) -> str:
    return "yes" if (skyline_of(numbers)[0], die_of(numbers)) in GROWTH else "no"


def _yes_no(lang: Language) -> list[tuple[str, str]]:
    return [("yes", lang.say("yes")), ("no", lang.say("no"))]


def _ask_fits(numbers: Numbers, lang: Language) -> str:
    return lang.say(
        "Can you build this die on this column? {die} – {column}",
        die=die_name(die_of(numbers), lang),
        column=columns_words(skyline_of(numbers), lang),
    )


def _explain_fits(numbers: Numbers, lang: Language) -> str:
    taller = GROWTH.get((skyline_of(numbers)[0], die_of(numbers)))
    if taller is not None:
        return lang.say("Yes, it becomes: {column}.", column=column_name(taller, lang))
    return lang.say(
        "No: a low-rise has at most 2 floors and no penthouse, a mid-rise 2 to 4, a high-rise 3 "
        "to 6, and the last floor of these is a penthouse."
    )


COLUMN_TEMPLATES: Final = (
    Template(
        "points",
        _point_skylines,
        lambda n: Fraction(points(skyline_of(n))),
        _ask_points,
        _explain_points,
    ),
    Template("fits", _fits, _does_fit, _ask_fits, _explain_fits, _yes_no),
)
"""The kinds of exercises about columns."""
