"""Exercises with exact answers: drawn from a seed, graded, exported and graded again.

An exercise is a *template* and some numbers.  All variants of a template take the same steps and
have the same denominator before it is reduced, so two pupils with different seeds get different
numbers and the same difficulty.  Answers come from the kernel, never from a list.  Which variants
a seed gives depends on the seed alone and not on the machine or on the version of any library.

An `Attempt` is what somebody has answered.  `format_attempt` writes it with all verdicts;
`regrade` reads such a text, throws the verdicts away, judges the answers again and writes it
anew: an export that nobody has touched comes back bit for bit.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any, Final, NamedTuple

from skyline_kernel.errors import RecordError, SettingError
from skyline_kernel.rolls import draw_faces, verify_seed
from skyline_kernel.skyline import (
    Column,
    Die,
    Kind,
    build_odds,
    parse_position,
    points,
    shipped_dice_set,
)
from skyline_kernel.skyline.columns import GROWTH, Skyline, sorted_skyline
from skyline_kernel.skyline.dice import KINDS, KindCounts
from skyline_kernel.skyline.odds import at_least, buildable_chance, count_chances, expected_count

from .language import Language
from .words import column_name, die_name, face_name, kind_count, kind_name

__all__ = [
    "MOST_TRIES",
    "SHEETS",
    "TEMPLATES",
    "Attempt",
    "Exercise",
    "Regraded",
    "Template",
    "Verdict",
    "attempt_csv",
    "exercises_of",
    "format_attempt",
    "grade",
    "new_attempt",
    "parse_attempt",
    "regrade",
    "tried",
    "verify_sheet",
]

FORMAT: Final = "skyline-exercises-1"
MOST_TRIES: Final = 50
"""Most answers to one exercise that are kept."""

MOST_LETTERS: Final = 40
"""Longest answer, and longest name, in characters."""

Numbers = Mapping[str, Any]
"""What tells the variants of a template apart, in plain types."""

_STANDARD: Final = shipped_dice_set("standard")
_HALF_CENT: Final = Fraction(1, 200)


# --- templates --------------------------------------------------------------------------------


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


def _die(numbers: Numbers) -> Die:
    return Die(numbers["die"])


def _chance(die: Die) -> Fraction:
    return _STANDARD.probability(die)


def _rolled(numbers: Numbers) -> tuple[Fraction, ...]:
    """Return the distribution of how many of ``n`` dice show what ``die`` shows."""
    die, n = _die(numbers), numbers["n"]
    counts = [n if kind is die.kind else 0 for kind in KINDS]
    all_counts: KindCounts = (counts[0], counts[1], counts[2])
    return count_chances(_STANDARD, all_counts, lambda one: one.face is die.face)


def _each_die(n: int | None = None) -> tuple[Numbers, ...]:
    """List the faces that a die can show and need not, with how many dice are rolled."""
    dice = [die for die in Die if die.style is not None and 0 < _chance(die) < 1]
    return tuple({"die": str(die)} if n is None else {"die": str(die), "n": n} for die in dice)


def _dice_words(numbers: Numbers, lang: Language) -> str:
    return kind_count(_die(numbers).kind, numbers["n"], lang)


def _face_words(numbers: Numbers, lang: Language) -> str:
    return face_name(_die(numbers), lang)


def _ask_face(numbers: Numbers, lang: Language) -> str:
    die = kind_name(_die(numbers).kind, lang)
    return lang.say(
        "You roll one {die}. What is the chance that it shows: {face}?",
        die=die,
        face=_face_words(numbers, lang),
    )


def _explain_face(numbers: Numbers, lang: Language) -> str:
    die = _die(numbers)
    return lang.say(
        "{n} of {all} sides show it.", n=_STANDARD.weight(die), all=_STANDARD.n_sides(die.kind)
    )


def _pairs() -> tuple[Numbers, ...]:
    dice = [_die(numbers) for numbers in _each_die()]
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
    first, second = map(_chance, _both(numbers))
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
    miss, n = 1 - _chance(_die(numbers)), numbers["n"]
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
    hit, n = _chance(_die(numbers)), numbers["n"]
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
    hit, n = _chance(_die(numbers)), numbers["n"]
    return lang.say("Means add up: {n} × {hit} = {result}.", n=n, hit=hit, result=n * hit)


# Columns and points


def _skyline(numbers: Numbers) -> Skyline:
    return tuple(Column(code) for code in numbers["columns"])


def _columns_words(skyline: Skyline, lang: Language) -> str:
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
        columns=_columns_words(_skyline(numbers), lang),
    )


def _explain_points(numbers: Numbers, lang: Language) -> str:
    parts = [f"{one.floors}²" if one.is_finished else str(one.points) for one in _skyline(numbers)]
    return lang.say(
        "Finished buildings count their height squared, a lone low-rise ground floor 1, other "
        "unfinished ones nothing: {sum} = {result}.",
        sum=" + ".join(parts),
        result=points(_skyline(numbers)),
    )


def _fits() -> tuple[Numbers, ...]:
    """List dice and columns of the same style: what counts is the height alone."""
    return tuple(
        {"die": str(die), "columns": [str(column)]}
        for die, column in product(Die, Column)
        if die.kind is not Kind.GROUND and die.style is column.style and not column.is_finished
    )


def _does_fit(numbers: Numbers) -> str:
    return "yes" if (_skyline(numbers)[0], _die(numbers)) in GROWTH else "no"


def _yes_no(lang: Language) -> list[tuple[str, str]]:
    return [("yes", lang.say("yes")), ("no", lang.say("no"))]


def _ask_fits(numbers: Numbers, lang: Language) -> str:
    return lang.say(
        "Can you build this die on this column? {die} – {column}",
        die=die_name(_die(numbers), lang),
        column=_columns_words(_skyline(numbers), lang),
    )


def _explain_fits(numbers: Numbers, lang: Language) -> str:
    taller = GROWTH.get((_skyline(numbers)[0], _die(numbers)))
    if taller is not None:
        return lang.say("Yes, it becomes: {column}.", column=column_name(taller, lang))
    return lang.say(
        "No: a low-rise has at most 2 floors and no penthouse, a mid-rise 2 to 4, a high-rise 3 "
        "to 6, and the last floor of these is a penthouse."
    )


# Rolls with a skyline

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
        columns=_columns_words(_skyline(numbers), lang),
    )


def _ask_stuck(numbers: Numbers, lang: Language) -> str:
    return lang.say(
        "Your only column: {columns}. You roll one upper floor die and one penthouse die. What is "
        "the chance that neither can be built?",
        columns=_columns_words(_skyline(numbers), lang),
    )


def _both_miss(numbers: Numbers) -> list[Fraction]:
    kinds = (Kind.UPPER, Kind.PENTHOUSE)
    return [1 - buildable_chance(_skyline(numbers), kind, _STANDARD) for kind in kinds]


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
        columns=_columns_words(_skyline(numbers), lang),
    )


def _explain_better(numbers: Numbers, lang: Language) -> str:
    upper, penthouse = _fit_chances(numbers)
    return lang.say(
        "The upper floor die fits with {a}, the penthouse die with {b}.", a=upper, b=penthouse
    )


# Expected values


def _turn_mean(numbers: Numbers) -> Fraction:
    from skyline_kernel.skyline.advice import value

    exact = value(parse_position(_rerolled(numbers, "P?")), "turn").exact
    assert exact is not None
    return exact


def _ask_expected(numbers: Numbers, lang: Language) -> str:
    return lang.say(
        "The last turn. Your only column: {columns}. You roll a single penthouse die. How many "
        "points does your skyline show at the end on average?",
        columns=_columns_words(_skyline(numbers), lang),
    )


def _explain_expected(numbers: Numbers, lang: Language) -> str:
    (column,) = _skyline(numbers)
    hit = buildable_chance((column,), Kind.PENTHOUSE, _STANDARD)
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

    (column,) = _skyline(numbers)
    shown = best_turn_distribution(parse_position(_rerolled(numbers, "Gl,P?")))
    return Fraction(shown.chance_at_least((column.floors + 1) ** 2))


def _ask_insured(numbers: Numbers, lang: Language) -> str:
    return lang.say(
        "Your only column: {columns}. You keep a ground floor die that shows low-rise and roll the "
        "penthouse die. If it does not fit, you build the ground floor and roll the penthouse die "
        "once more. What is the chance to finish the column?",
        columns=_columns_words(_skyline(numbers), lang),
    )


def _explain_insured(numbers: Numbers, lang: Language) -> str:
    miss = 1 - buildable_chance(_skyline(numbers), Kind.PENTHOUSE, _STANDARD)
    return lang.say(
        "The kept die buys a second roll. Both miss with {miss} × {miss} = {all}, so the chance is "
        "1 − {all} = {result}; without the kept die it is {once}.",
        miss=miss,
        all=miss**2,
        result=1 - miss**2,
        once=1 - miss,
    )


TEMPLATES: Final[Mapping[str, Template]] = {
    template.key: template
    for template in (
        Template("face", _each_die, lambda n: _chance(_die(n)), _ask_face, _explain_face),
        Template(
            "both",
            _pairs,
            lambda n: _chance(_both(n)[0]) * _chance(_both(n)[1]),
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
        Template(
            "points",
            _point_skylines,
            lambda n: Fraction(points(_skyline(n))),
            _ask_points,
            _explain_points,
        ),
        Template("fits", _fits, _does_fit, _ask_fits, _explain_fits, _yes_no),
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
        Template(
            "insured", lambda: _one_column(_FINISHABLE), _insured, _ask_insured, _explain_insured
        ),
    )
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


# --- sheets -----------------------------------------------------------------------------------


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


# --- grading ----------------------------------------------------------------------------------


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


# --- attempts ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attempt:
    """What somebody has answered to a sheet.

    Parameters
    ----------
    sheet : str
    seed : int
    pupil : str
        A name, or nothing.
    tries : tuple of tuple of str
        All answers to each exercise, the last one last, shape ``(n_exercises,)``.
    revealed : tuple of bool
        Whether the way to the answer was asked for before it was found.
    """

    sheet: str
    seed: int
    pupil: str
    tries: tuple[tuple[str, ...], ...]
    revealed: tuple[bool, ...]

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """The exercises of the sheet."""
        return exercises_of(self.sheet, self.seed)

    def verdicts(self, place: int) -> tuple[Verdict, ...]:
        """Return what is said of each answer to one exercise."""
        exercise = self.exercises[place]
        return tuple(grade(exercise, given) for given in self.tries[place])

    def is_solved(self, place: int) -> bool:
        """Return whether an exercise was solved without help."""
        is_found = any(verdict.is_solved for verdict in self.verdicts(place))
        return is_found and not self.revealed[place]

    @property
    def n_solved(self) -> int:
        """Number of exercises that were solved without help."""
        return sum(self.is_solved(place) for place in range(len(self.tries)))


def new_attempt(sheet: str, seed: int, pupil: str = "") -> Attempt:
    """Return an attempt without any answers.

    Raises
    ------
    SettingError
        If there is no such sheet, the seed is none, or the name is too long.
    """
    n = len(exercises_of(sheet, seed))
    return Attempt(sheet, seed, _verified_words(pupil), ((),) * n, (False,) * n)


def _verified_words(words: object) -> str:
    if not isinstance(words, str) or len(words) > MOST_LETTERS or not words.isprintable():
        raise SettingError(
            "{value!r}: expected at most {most} printable characters",
            value=words,
            most=MOST_LETTERS,
        )
    return words


def tried(attempt: Attempt, place: int, given: str) -> Attempt:
    """Return the attempt with one more answer.

    Raises
    ------
    SettingError
        If there is no such exercise, it was answered `MOST_TRIES` times, or the answer is too
        long.
    """
    words = _verified_words(given).strip()
    if not 0 <= place < len(attempt.tries):
        raise SettingError("{value!r}: there is no such exercise", value=place)
    before = attempt.tries[place]
    if len(before) >= MOST_TRIES:
        raise SettingError("At most {n} answers to one exercise.", n=MOST_TRIES)
    tries = (*attempt.tries[:place], (*before, words), *attempt.tries[place + 1 :])
    return replace(attempt, tries=tries)


def _exercise_record(attempt: Attempt, place: int) -> dict[str, Any]:
    exercise = attempt.exercises[place]
    verdicts = attempt.verdicts(place)
    return {
        "key": exercise.key,
        "numbers": dict(exercise.numbers),
        "answer": str(exercise.answer),
        "tries": [
            {"given": given, "verdict": str(verdict)}
            for given, verdict in zip(attempt.tries[place], verdicts, strict=True)
        ],
        "revealed": attempt.revealed[place],
        "solved": attempt.is_solved(place),
    }


def format_attempt(attempt: Attempt) -> str:
    """Write an attempt with all verdicts as JSON; the inverse of `parse_attempt`."""
    content = {
        "format": FORMAT,
        "sheet": attempt.sheet,
        "seed": attempt.seed,
        "pupil": attempt.pupil,
        "exercises": [_exercise_record(attempt, place) for place in range(len(attempt.tries))],
        "solved": attempt.n_solved,
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def attempt_csv(attempt: Attempt) -> str:
    """Write an attempt as comma-separated values, one line for each exercise."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(
        [
            "pupil",
            "sheet",
            "seed",
            "exercise",
            "key",
            "answer",
            "last",
            "tries",
            "revealed",
            "solved",
        ]
    )
    for place, tries in enumerate(attempt.tries):
        exercise = attempt.exercises[place]
        last = tries[-1] if tries else ""
        start = [_harmless(attempt.pupil), attempt.sheet, attempt.seed, place + 1, exercise.key]
        ends = [len(tries), attempt.revealed[place], attempt.is_solved(place)]
        writer.writerow([*start, str(exercise.answer), _harmless(last), *ends])
    return table.getvalue()


def _harmless(words: str) -> str:
    """Return words that a spreadsheet does not take for a formula."""
    return f"'{words}" if words[:1] in ("=", "+", "-", "@") else words


def parse_attempt(text: str) -> Attempt:
    """Read what `format_attempt` has written; only the answers are believed.

    Raises
    ------
    RecordError
        If the text is no such record.
    """
    try:
        content = json.loads(text)
        if content["format"] != FORMAT:
            raise RecordError("exercises: format {value!r} is not known", value=content["format"])
        attempt = new_attempt(content["sheet"], content["seed"], content["pupil"])
        records = content["exercises"]
        if len(records) != len(attempt.tries):
            raise RecordError("exercises: expected {n} of them", n=len(attempt.tries))
        for place, record in enumerate(records):
            for one in record["tries"]:
                attempt = tried(attempt, place, one["given"])
        return replace(attempt, revealed=tuple(record["revealed"] is True for record in records))
    except SettingError as error:
        raise RecordError("exercises: {reason}", reason=error) from error
    except (KeyError, TypeError, AttributeError, RecursionError, ValueError) as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError("exercises: this is no export of a sheet") from error


class Regraded(NamedTuple):
    """What came of grading an export again.

    Parameters
    ----------
    attempt : Attempt
    text : str
        The export as it should be.
    is_same : bool
        Whether it is so, bit for bit.
    """

    attempt: Attempt
    text: str
    is_same: bool


def regrade(text: str) -> Regraded:
    """Grade an export again.

    Parameters
    ----------
    text : str
        As `format_attempt` writes it; its verdicts and answers are not believed.

    Raises
    ------
    RecordError
        If the text is no such record.
    """
    attempt = parse_attempt(text)
    again = format_attempt(attempt)
    return Regraded(attempt, again, again == text)
