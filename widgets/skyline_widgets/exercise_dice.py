"""Exercises about dice alone: what one of them shows, two of them, several of a kind."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Final

from skyline_kernel.skyline import Die
from skyline_kernel.skyline.dice import KINDS, KindCounts
from skyline_kernel.skyline.odds import at_least, count_chances, expected_count

from .exercise_template import STANDARD, Numbers, Template, chance_of, die_of
from .language import Language
from .words import die_name, face_name, kind_count, kind_name

__all__ = ["DICE_TEMPLATES"]


def _rolled(numbers: Numbers) -> tuple[Fraction, ...]:
    """Return the distribution of how many of ``n`` dice show what ``die`` shows."""
    die, n = die_of(numbers), numbers["n"]
    counts = [n if kind is die.kind else 0 for kind in KINDS]
    all_counts: KindCounts = (counts[0], counts[1], counts[2])
    return count_chances(STANDARD, all_counts, lambda one: one.face is die.face)


def _each_die(n: int | None = None) -> tuple[Numbers, ...]:
    """List the faces that a die can show and need not, with how many dice are rolled."""
    dice = [die for die in Die if die.style is not None and 0 < chance_of(die) < 1]
    return tuple({"die": str(die)} if n is None else {"die": str(die), "n": n} for die in dice)


def _dice_words(numbers: Numbers, lang: Language) -> str:
    return kind_count(die_of(numbers).kind, numbers["n"], lang)


def _face_words(numbers: Numbers, lang: Language) -> str:
    return face_name(die_of(numbers), lang)


def _ask_face(numbers: Numbers, lang: Language) -> str:
    die = kind_name(die_of(numbers).kind, lang)
    return lang.say(
        "You roll one {die}. What is the chance that it shows: {face}?",
        die=die,
        face=_face_words(numbers, lang),
    )


def _explain_face(numbers: Numbers, lang: Language) -> str:
    die = die_of(numbers)
    return lang.say(
        "Sides that show it: {n} of {all}.", n=STANDARD.weight(die), all=STANDARD.n_sides(die.kind)
    )


def _pairs() -> tuple[Numbers, ...]:
    dice = [die_of(numbers) for numbers in _each_die()]
    return tuple(
        {"dice": [str(a), str(b)]} for a, b in combinations(dice, 2) if a.kind is not b.kind
    )


def _both(numbers: Numbers) -> tuple[Die, Die]:
    first, second = numbers["dice"]
    return Die(first), Die(second)


def _ask_both(numbers: Numbers, lang: Language) -> str:
    first, second = _both(numbers)
    return lang.say(
        "You roll one {first} and one {second}. What is the chance to get both: {one} and {other}?",
        first=kind_name(first.kind, lang),
        second=kind_name(second.kind, lang),
        one=die_name(first, lang),
        other=die_name(second, lang),
    )


def _explain_both(numbers: Numbers, lang: Language) -> str:
    first, second = map(chance_of, _both(numbers))
    return lang.say(
        "The dice do not know of each other, so multiply: {a} × {b} = {result}.",
        a=first,
        b=second,
        result=first * second,
    )


def _ask_at_least(numbers: Numbers, lang: Language) -> str:
    return lang.say(
        "You roll {dice}. What is the chance that at least one shows: {face}?",
        dice=_dice_words(numbers, lang),
        face=_face_words(numbers, lang),
    )


def _explain_at_least(numbers: Numbers, lang: Language) -> str:
    miss, n = 1 - chance_of(die_of(numbers)), numbers["n"]
    return lang.say(
        "One die misses with {miss}, all {n} with {all}; the rest is 1 − {all} = {result}.",
        miss=miss,
        n=n,
        all=miss**n,
        result=1 - miss**n,
    )


def _ask_exactly(numbers: Numbers, lang: Language) -> str:
    return lang.say(
        "You roll {dice}. What is the chance that exactly one shows: {face}?",
        dice=_dice_words(numbers, lang),
        face=_face_words(numbers, lang),
    )


def _explain_exactly(numbers: Numbers, lang: Language) -> str:
    hit, n = chance_of(die_of(numbers)), numbers["n"]
    return lang.say(
        "Any of the {n} dice can be the one: {n} × {hit} × {rest} = {result}.",
        n=n,
        hit=hit,
        rest=(1 - hit) ** (n - 1),
        result=_rolled(numbers)[1],
    )


def _ask_mean(numbers: Numbers, lang: Language) -> str:
    return lang.say(
        "You roll {dice}. How many of them show on average: {face}?",
        dice=_dice_words(numbers, lang),
        face=_face_words(numbers, lang),
    )


def _explain_mean(numbers: Numbers, lang: Language) -> str:
    hit, n = chance_of(die_of(numbers)), numbers["n"]
    return lang.say("Means add up: {n} × {hit} = {result}.", n=n, hit=hit, result=n * hit)


DICE_TEMPLATES: Final = (
    Template("face", _each_die, lambda n: chance_of(die_of(n)), _ask_face, _explain_face),
    Template(
        "both",
        _pairs,
        lambda n: chance_of(_both(n)[0]) * chance_of(_both(n)[1]),
        _ask_both,
        _explain_both,
    ),
    Template(
        "at-least-one",
        lambda: _each_die(2),
        lambda n: at_least(_rolled(n), 1).exact,
        _ask_at_least,
        _explain_at_least,
    ),
    Template(
        "exactly-one",
        lambda: _each_die(3),
        lambda n: _rolled(n)[1],
        _ask_exactly,
        _explain_exactly,
    ),
    Template(
        "mean",
        lambda: _each_die(5),
        lambda n: expected_count(_rolled(n)),
        _ask_mean,
        _explain_mean,
    ),
)
"""The kinds of exercises about dice."""
