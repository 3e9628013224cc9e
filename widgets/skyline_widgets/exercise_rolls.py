"""Exercises about a roll with a skyline: what can be built, and what it brings on average."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from typing import Final

from skyline_kernel.skyline import Column, Kind, build_odds, parse_position
from skyline_kernel.skyline.odds import buildable_chance

from .exercise_columns import columns_words, skyline_of
from .exercise_template import STANDARD, Numbers, Template
from .language import Language
from .words import kind_name

__all__ = ["ROLL_TEMPLATES"]

_GROWING: Final = ("m1", "m2", "h2", "h3", "h4")
"""Columns that an upper floor and a penthouse both fit."""

_FINISHABLE: Final = ("m1", "m2", "m3", "h2", "h3", "h4", "h5")
"""Columns that a penthouse finishes."""


def _one_column(columns: Iterable[str]) -> tuple[Numbers, ...]:
    return tuple({"columns": [column]} for column in columns)


def _rerolled(numbers: Numbers, dice: str) -> str:
    return f"{','.join(numbers['columns'])} G1U1P1 {dice} roll 9.1 online"


def _build_chance(numbers: Numbers) -> Fraction:
    return build_odds(parse_position(_rerolled(numbers, "U?,P?"))).build


def _ask_build(numbers: Numbers, lang: Language) -> str:
    return lang.say(
        "Your only column: {columns}. You roll one upper floor die and one penthouse die. What is "
        "the chance that at least one of them can be built?",
        columns=columns_words(skyline_of(numbers), lang),
    )


def _ask_stuck(numbers: Numbers, lang: Language) -> str:
    return lang.say(
        "Your only column: {columns}. You roll one upper floor die and one penthouse die. What is "
        "the chance that neither can be built?",
        columns=columns_words(skyline_of(numbers), lang),
    )


def _both_miss(numbers: Numbers) -> list[Fraction]:
    kinds = (Kind.UPPER, Kind.PENTHOUSE)
    return [1 - buildable_chance(skyline_of(numbers), kind, STANDARD) for kind in kinds]


def _explain_build(numbers: Numbers, lang: Language) -> str:
    upper, penthouse = _both_miss(numbers)
    return lang.say(
        "The upper floor does not fit with {a}, the penthouse with {b}, neither with {c}; so at "
        "least one fits with 1 − {c} = {result}.",
        a=upper,
        b=penthouse,
        c=upper * penthouse,
        result=1 - upper * penthouse,
    )


def _explain_stuck(numbers: Numbers, lang: Language) -> str:
    upper, penthouse = _both_miss(numbers)
    return lang.say(
        "The dice do not know of each other, so multiply: {a} × {b} = {result}.",
        a=upper,
        b=penthouse,
        result=upper * penthouse,
    )


def _two_columns() -> tuple[Numbers, ...]:
    """List pairs of unfinished columns where one of the two dice is the better one."""
    unfinished = [column for column in Column if not column.is_finished]
    pairs = ({"columns": [str(a), str(b)]} for a, b in combinations(unfinished, 2))
    return tuple(numbers for numbers in pairs if len(set(_fit_chances(numbers))) == 2)


def _fit_chances(numbers: Numbers) -> list[Fraction]:
    return [1 - miss for miss in _both_miss(numbers)]


def _better_die(numbers: Numbers) -> str:
    upper, penthouse = _fit_chances(numbers)
    return "upper" if upper > penthouse else "penthouse"


def _two_dice(lang: Language) -> list[tuple[str, str]]:
    return [("upper", kind_name(Kind.UPPER, lang)), ("penthouse", kind_name(Kind.PENTHOUSE, lang))]


def _ask_better(numbers: Numbers, lang: Language) -> str:
    return lang.say(
        "Your columns: {columns}. You roll one die and want to build it. Which one is more likely "
        "to fit?",
        columns=columns_words(skyline_of(numbers), lang),
    )


def _explain_better(numbers: Numbers, lang: Language) -> str:
    upper, penthouse = _fit_chances(numbers)
    return lang.say(
        "The upper floor die fits with {a}, the penthouse die with {b}.", a=upper, b=penthouse
    )


def _turn_mean(numbers: Numbers) -> Fraction:
    from skyline_kernel.skyline.advice import value

    exact = value(parse_position(_rerolled(numbers, "P?")), "turn").exact
    assert exact is not None
    return exact


def _ask_expected(numbers: Numbers, lang: Language) -> str:
    return lang.say(
        "The last turn. Your only column: {columns}. You roll a single penthouse die. How many "
        "points does your skyline show at the end on average?",
        columns=columns_words(skyline_of(numbers), lang),
    )


def _explain_expected(numbers: Numbers, lang: Language) -> str:
    (column,) = skyline_of(numbers)
    hit = buildable_chance((column,), Kind.PENTHOUSE, STANDARD)
    return lang.say(
        "It fits with {hit} and then counts {height}² points, else 0: {hit} × {points} = {result}.",
        hit=hit,
        height=column.floors + 1,
        points=(column.floors + 1) ** 2,
        result=hit * (column.floors + 1) ** 2,
    )


def _insured(numbers: Numbers) -> Fraction:
    """Return the chance to finish the column, by what the turn can show at its end."""
    from skyline_kernel.skyline.turn_odds import best_turn_distribution

    (column,) = skyline_of(numbers)
    shown = best_turn_distribution(parse_position(_rerolled(numbers, "Gl,P?")))
    return Fraction(shown.chance_at_least((column.floors + 1) ** 2))


def _ask_insured(numbers: Numbers, lang: Language) -> str:
    return lang.say(
        "Your only column: {columns}. You keep a ground floor die that shows low-rise and roll the "
        "penthouse die. If it does not fit, you build the ground floor and roll the penthouse die "
        "once more. What is the chance to finish the column?",
        columns=columns_words(skyline_of(numbers), lang),
    )


def _explain_insured(numbers: Numbers, lang: Language) -> str:
    miss = 1 - buildable_chance(skyline_of(numbers), Kind.PENTHOUSE, STANDARD)
    return lang.say(
        "The kept die buys a second roll. Both miss with {miss} × {miss} = {all}, so the chance is "
        "1 − {all} = {result}; without the kept die it is {once}.",
        miss=miss,
        all=miss**2,
        result=1 - miss**2,
        once=1 - miss,
    )


ROLL_TEMPLATES: Final = (
    Template("build", lambda: _one_column(_GROWING), _build_chance, _ask_build, _explain_build),
    Template(
        "stuck",
        lambda: _one_column(_GROWING),
        lambda n: 1 - _build_chance(n),
        _ask_stuck,
        _explain_stuck,
    ),
    Template("better", _two_columns, _better_die, _ask_better, _explain_better, _two_dice),
    Template(
        "expected",
        lambda: _one_column(_FINISHABLE),
        _turn_mean,
        _ask_expected,
        _explain_expected,
    ),
    Template("insured", lambda: _one_column(_FINISHABLE), _insured, _ask_insured, _explain_insured),
)
"""The kinds of exercises about rolls."""
