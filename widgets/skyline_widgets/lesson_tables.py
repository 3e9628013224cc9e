"""The tables of the lessons: what a cell has computed, as a person reads it.

Each function takes what the kernel returned and writes it in a language: names instead of
notation, chances as fraction and per cent, decimals with the sign of the language.  ``lang`` may
be left out everywhere; then it is the language of the place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from skyline_kernel.skyline import (
    END,
    Action,
    Column,
    Die,
    Kind,
    State,
    format_action,
)
from skyline_kernel.skyline.odds import build_odds, face_chances, finish_odds

from .lab_base import language_here
from .language import Language, language_named
from .lesson_table import LessonTable
from .words import choice_words, column_name, face_name, kind_name, sides_rows

if TYPE_CHECKING:
    from skyline_kernel.distribution import Distribution
    from skyline_kernel.skyline import DiceSet
    from skyline_kernel.skyline.advice import Advice

    from .exercises import Regraded

__all__ = [
    "action_table",
    "build_table",
    "choice_table",
    "dice_table",
    "distribution_table",
    "face_table",
    "goal_table",
    "graded_table",
    "language_or_here",
    "mean_table",
    "points_words",
    "rolled_table",
    "round_table",
    "sheet_table",
    "two_dice_table",
    "value_table",
]

_WORTH_DIGITS: Final = 2


def language_or_here(lang: Language | None) -> Language:
    """Return the language, that of the place if it was left out."""
    return language_named(language_here()) if lang is None else lang


def _chance_head(lang: Language) -> tuple[str, str]:
    return lang.say("Fraction"), lang.say("Per cent")


def _chance_cells(chance: Fraction, lang: Language) -> tuple[str, str]:
    return str(chance), lang.percent(chance)


# --- chances ----------------------------------------------------------------------------------


def face_table(dice_set: DiceSet, kind: Kind, lang: Language | None = None) -> LessonTable:
    """Tell the chance of each side of a die.

    Parameters
    ----------
    dice_set : DiceSet
    kind : Kind
    lang : Language, optional
    """
    lang = language_or_here(lang)
    name = kind_name(kind, lang)
    rows = tuple(
        (face_name(Die(kind + face), lang), *_chance_cells(chance, lang))
        for face, chance in face_chances(dice_set, kind).items()
    )
    head = (lang.say("Side"), *_chance_head(lang))
    return LessonTable(name[:1].upper() + name[1:], head, rows)


def dice_table(dice_set: DiceSet, lang: Language | None = None) -> LessonTable:
    """Tell how many sides of each die show what.

    Parameters
    ----------
    dice_set : DiceSet
    lang : Language, optional
    """
    lang = language_or_here(lang)
    head, rows = sides_rows(dice_set, lang)
    return LessonTable(lang.say("So many sides show it"), tuple(head), tuple(map(tuple, rows)))


def two_dice_table(chance: Fraction, lang: Language | None = None) -> LessonTable:
    """Work out what two equal dice show: both of them, none of them, at least one.

    Parameters
    ----------
    chance : Fraction
        Probability in [0, 1] that one of them shows it.
    lang : Language, optional
    """
    lang = language_or_here(lang)
    miss = 1 - chance
    worked = (
        (lang.say("both"), f"{chance} · {chance}", chance * chance),
        (lang.say("none"), f"{miss} · {miss}", miss * miss),
        (lang.say("at least one"), f"1 \u2212 {miss * miss}", 1 - miss * miss),
    )
    rows = tuple((what, way, *_chance_cells(result, lang)) for what, way, result in worked)
    head = (lang.say("How many show it"), lang.say("How to get there"), *_chance_head(lang))
    return LessonTable(lang.say("Two dice"), head, rows)


def rolled_table(
    rolled: Sequence[int], chances: Sequence[Fraction], lang: Language | None = None
) -> LessonTable:
    """Put how often something was rolled beside its chance.

    Parameters
    ----------
    rolled : sequence of int
        How often so many dice showed it, shape ``(n_dice + 1,)``.
    chances : sequence of Fraction
        Probability in [0, 1] of the same, shape ``(n_dice + 1,)``.
    lang : Language, optional
    """
    lang = language_or_here(lang)
    total = sum(rolled)
    rows = tuple(
        (str(n_dice), *_share_cells(Fraction(n, total), chance, lang))
        for n_dice, (n, chance) in enumerate(zip(rolled, chances, strict=True))
    )
    head = (
        lang.say("So many show it"),
        lang.say("Rolled"),
        lang.say("Chance"),
        lang.say("Difference in percentage points"),
    )
    return LessonTable(lang.count("{n} roll", "{n} rolls", total), head, rows)


def _share_cells(share: Fraction, chance: Fraction, lang: Language) -> tuple[str, str, str]:
    difference = lang.signed(float(100 * (share - chance)))
    return _exact_percent(share, lang), _exact_percent(chance, lang), difference


def _exact_percent(chance: Fraction, lang: Language) -> str:
    space = "\u202f" if lang.code == "de" else ""
    return f"{lang.number(float(100 * chance))}{space}%"


def build_table(
    state: State, column: Column | None = None, lang: Language | None = None
) -> LessonTable:
    """Tell what can be built after the roll that is due.

    Parameters
    ----------
    state : State
        In phase ``ROLL``.
    column : Column, optional
        Of the player to move; with it the chance to finish it is told too.
    lang : Language, optional

    Raises
    ------
    ValueError
        If no roll is due, or the player to move has no such column.
    """
    lang = language_or_here(lang)
    odds = build_odds(state)
    told = [
        (lang.say("at least one die fits"), odds.build),
        (lang.say("no die fits"), odds.stuck),
    ]
    if column is not None:
        exact = finish_odds(state, column).exact
        told.append((lang.say("{column}: it is finished", column=column_name(column, lang)), exact))
    rows = tuple((what, *_chance_cells(chance, lang)) for what, chance in told)
    return LessonTable(lang.say("After the roll"), ("", *_chance_head(lang)), rows)


def distribution_table(distribution: Distribution, lang: Language | None = None) -> LessonTable:
    """Tell the chance of each number of points, and the mean.

    Parameters
    ----------
    distribution : Distribution
        Of points, exact.
    lang : Language, optional
    """
    lang = language_or_here(lang)
    pairs = zip(distribution.values, distribution.probabilities, strict=True)
    rows = tuple((str(points), *_chance_cells(Fraction(chance), lang)) for points, chance in pairs)
    caption = lang.say("On average {mean} points", mean=points_words(distribution.mean, lang))
    return LessonTable(caption, (lang.say("Points"), *_chance_head(lang)), rows)


def value_table(
    values: Mapping[str, float | Fraction], lang: Language | None = None
) -> LessonTable:
    """Tell how many points several things are worth.

    Parameters
    ----------
    values : mapping of str to Fraction or float
        Points on average, by the name of what brings them.
    lang : Language, optional
    """
    lang = language_or_here(lang)
    rows = tuple((name, points_words(value, lang)) for name, value in values.items())
    return LessonTable(lang.say("Points on average"), ("", lang.say("Points")), rows)


def mean_table(
    total: int, n_played: int, exact: float | Fraction, lang: Language | None = None
) -> LessonTable:
    """Put the mean of what was played beside the exact one.

    Parameters
    ----------
    total : int
        Points of all that was played, added up.
    n_played : int
        How often it was played, at least 1.
    exact : Fraction or float
        Mean that was computed, in points.
    lang : Language, optional
    """
    lang = language_or_here(lang)
    played = lang.count("played {n} time", "played {n} times", n_played)
    rows = (
        (played, lang.number(total / n_played)),
        (lang.say("computed"), points_words(exact, lang)),
    )
    return LessonTable(lang.say("Points on average"), ("", lang.say("Points")), rows)


# --- actions ----------------------------------------------------------------------------------


def action_table(actions: Iterable[Action], lang: Language | None = None) -> LessonTable:
    """Write actions in words and in notation.

    Parameters
    ----------
    actions : iterable of Action
    lang : Language, optional
    """
    lang = language_or_here(lang)
    rows = tuple((choice_words(action, lang), format_action(action)) for action in actions)
    head = (lang.say("Action"), lang.say("Notation"))
    return LessonTable(lang.say("What is allowed"), head, rows)


def points_words(value: float | Fraction, lang: Language) -> str:
    """Write points: whole ones as they are, others as a fraction with its decimal."""
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return str(value)
        return f"{value} \u2248 {lang.number(float(value))}"
    return lang.number(value)


def choice_table(
    advice: Advice, n_actions: int | None = None, lang: Language | None = None
) -> LessonTable:
    """Tell what each action is worth and what it loses against the best.

    Parameters
    ----------
    advice : Advice
    n_actions : int, optional
        How many of the best; all if left out.
    lang : Language, optional
    """
    lang = language_or_here(lang)
    rows = tuple(
        (
            choice_words(one.action, lang),
            points_words(one.value if one.exact is None else one.exact, lang),
            lang.loss(one.loss),
        )
        for one in advice.actions[:n_actions]
    )
    head = (lang.say("Action"), lang.say("Points on average"), lang.say("Loss"))
    return LessonTable(lang.say("Every action, best first"), head, rows)


def goal_table(advices: Iterable[Advice], lang: Language | None = None) -> LessonTable:
    """Tell for several goals what is best and what it costs to stop now.

    Parameters
    ----------
    advices : iterable of Advice
        Of one position in which the turn may end, one for each goal.
    lang : Language, optional
    """
    from .advice_view import objective_words

    lang = language_or_here(lang)
    names = dict(objective_words(lang))
    rows = tuple(
        (
            names[advice.objective.value],
            choice_words(advice.actions[0].action, lang),
            lang.number(advice.of(END).loss),
        )
        for advice in advices
    )
    head = (lang.say("Goal"), lang.say("Best action"), lang.say("Stopping costs (points)"))
    return LessonTable(lang.say("Roll on or stop?"), head, rows)


def round_table(
    worths: Mapping[Column, Sequence[float]], lang: Language | None = None
) -> LessonTable:
    """Tell what columns are worth, round by round.

    Parameters
    ----------
    worths : mapping of Column to sequence of float
        Points in each round from the first on, shape ``(n_rounds,)`` for each.
    lang : Language, optional
    """
    lang = language_or_here(lang)
    n_rounds = max(map(len, worths.values()))
    rows = tuple(
        (column_name(column, lang), *(lang.number(worth, _WORTH_DIGITS) for worth in row))
        for column, row in worths.items()
    )
    rounds = map(str, range(1, n_rounds + 1))
    return LessonTable(
        lang.say("Worth in points, round by round"), (lang.say("Column"), *rounds), rows
    )


# --- sheets -----------------------------------------------------------------------------------


def sheet_table(sheet: str, seeds: Iterable[int], lang: Language | None = None) -> LessonTable:
    """Put the answers to several sheets side by side.

    Parameters
    ----------
    sheet : str
        One of `exercises.SHEETS`.
    seeds : iterable of int
        Numbers of the sheets.
    lang : Language, optional

    Raises
    ------
    SettingError
        If there is no such sheet or a number is none.
    """
    from .exercise import answer_words, sheet_words
    from .exercises import exercises_of

    lang = language_or_here(lang)
    numbers = tuple(seeds)
    sheets = [[answer_words(one, lang) for one in exercises_of(sheet, n)] for n in numbers]
    rows = tuple((str(n), *answers) for n, answers in enumerate(zip(*sheets, strict=True), start=1))
    head = (lang.say("Question"), *(lang.say("Answers to sheet {n}", n=n) for n in numbers))
    return LessonTable(sheet_words(sheet, lang), head, rows)


def graded_table(files: Mapping[str, Regraded], lang: Language | None = None) -> LessonTable:
    """Tell what files that were handed in are worth.

    Parameters
    ----------
    files : mapping of str to Regraded
        What was found in each, by its name.
    lang : Language, optional
    """
    lang = language_or_here(lang)
    rows = tuple(
        (
            name,
            found.attempt.pupil,
            lang.say("{n} of {all}", n=found.attempt.n_solved, all=len(found.attempt.tries)),
            lang.say("yes") if found.is_same else lang.say("no"),
        )
        for name, found in files.items()
    )
    head = (lang.say("File"), lang.say("Name"), lang.say("Solved"), lang.say("Unchanged"))
    return LessonTable(lang.say("Graded again"), head, rows)
