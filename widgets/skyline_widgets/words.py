"""The words of the table: dice, columns and actions as people say them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, cast

from skyline_kernel.skyline import (
    Abandon,
    Action,
    Build,
    Column,
    Demolish,
    Die,
    End,
    Kind,
    LogEntry,
    Reroll,
    Roll,
    Style,
    Take,
    TakeDistrict,
)
from skyline_kernel.skyline.dice import FACES

from .language import Language

if TYPE_CHECKING:
    from skyline_kernel.skyline import DiceSet
    from skyline_kernel.skyline.coach.sentences import Sentence

__all__ = [
    "action_words",
    "choice_verb",
    "choice_words",
    "column_name",
    "dice_names",
    "die_name",
    "entry_words",
    "face_name",
    "kind_count",
    "kind_name",
    "kind_short",
    "part_words",
    "say_sentence",
    "sides_rows",
    "style_name",
]


def kind_name(kind: Kind, lang: Language) -> str:
    """Name a kind of die."""
    match kind:
        case Kind.GROUND:
            return lang.say("ground floor die")
        case Kind.UPPER:
            return lang.say("upper floor die")
        case Kind.PENTHOUSE:
            return lang.say("penthouse die")


def kind_count(kind: Kind, n: int, lang: Language) -> str:
    """Say how many dice of a kind."""
    match kind:
        case Kind.GROUND:
            return lang.count("{n} ground floor die", "{n} ground floor dice", n)
        case Kind.UPPER:
            return lang.count("{n} upper floor die", "{n} upper floor dice", n)
        case Kind.PENTHOUSE:
            return lang.count("{n} penthouse die", "{n} penthouse dice", n)


def style_name(style: Style, lang: Language) -> str:
    """Name a style of building."""
    match style:
        case Style.LOW:
            return lang.say("low-rise")
        case Style.MID:
            return lang.say("mid-rise")
        case Style.HIGH:
            return lang.say("high-rise")


def face_name(die: Die, lang: Language) -> str:
    """Name what a die shows."""
    if die.style is not None:
        return style_name(die.style, lang)
    return lang.say("blank") if die.is_rolled else lang.say("not rolled yet")


def kind_short(kind: Kind, lang: Language) -> str:
    """Name the part of a building that a kind of die is."""
    match kind:
        case Kind.GROUND:
            return lang.say("ground floor")
        case Kind.UPPER:
            return lang.say("upper floor")
        case Kind.PENTHOUSE:
            return lang.say("penthouse")


def die_name(die: Die, lang: Language) -> str:
    """Name a die with what it shows, as a screen reader speaks it."""
    return f"{kind_short(die.kind, lang)} {face_name(die, lang)}"


def dice_names(dice: Iterable[Die], lang: Language) -> str:
    """Name some dice, equal ones with their number."""
    return ", ".join(
        f"{n} × {die_name(die, lang)}" if n > 1 else die_name(die, lang)
        for die, n in Counter(dice).items()
    )


def column_name(column: Column, lang: Language) -> str:
    """Name a column or building with its height."""
    style = style_name(column.style, lang)
    floors = lang.count("{n} floor", "{n} floors", column.floors)
    if column.is_finished:
        return lang.say("finished {style}, {floors}", style=style, floors=floors)
    return lang.say("unfinished {style}, {floors}", style=style, floors=floors)


def action_words(action: Action, lang: Language) -> str:
    """Say an action as a clause without its subject."""
    match action:
        case Take(kinds):
            dice = ", ".join(kind_count(kind, n, lang) for kind, n in Counter(kinds).items())
            return lang.say("takes {dice}", dice=dice)
        case TakeDistrict():
            return lang.say("takes the whole abandoned district")
        case Roll(outcome):
            return lang.say("rolls: {dice}", dice=dice_names(outcome or (), lang))
        case Build(die, None):
            return lang.say("starts a building: {die}", die=die_name(die, lang))
        case Build(die, column) if column is not None:
            return lang.say(
                "builds {die} on: {column}",
                die=die_name(die, lang),
                column=column_name(column, lang),
            )
        case Abandon(die):
            return lang.say("abandons: {die}", die=die_name(die, lang))
        case Demolish(dice, column):
            return lang.say(
                "gives {dice} and demolishes: {column}",
                dice=dice_names(dice, lang),
                column=column_name(column, lang),
            )
        case Reroll(dice):
            return lang.say("rerolls: {dice}", dice=dice_names(dice, lang))
        case End():
            return lang.say("ends the turn")
    raise AssertionError(action)


def choice_words(action: Action, lang: Language) -> str:
    """Name an action as something that can be chosen."""
    match action:
        case Take(kinds):
            dice = ", ".join(kind_count(kind, n, lang) for kind, n in Counter(kinds).items())
            return lang.say("Take {dice}", dice=dice)
        case TakeDistrict():
            return lang.say("Take the whole district")
        case Roll():
            return lang.say("Roll")
        case Build(die, None):
            return lang.say("Start a building: {die}", die=die_name(die, lang))
        case Build(die, column) if column is not None:
            return lang.say(
                "Build {die} on: {column}",
                die=die_name(die, lang),
                column=column_name(column, lang),
            )
        case Abandon(die):
            return lang.say("Abandon: {die}", die=die_name(die, lang))
        case Demolish(dice, column):
            return lang.say(
                "Give {dice}, demolish: {column}",
                dice=dice_names(dice, lang),
                column=column_name(column, lang),
            )
        case Reroll(dice):
            return lang.say("Roll again: {dice}", dice=dice_names(dice, lang))
        case End():
            return lang.say("End turn")
    raise AssertionError(action)


def choice_verb(action: Action, lang: Language) -> str:
    """Name the kind of an action in a word or two, to stand before pictures of its dice."""
    match action:
        case Take():
            return lang.say("Take")
        case TakeDistrict():
            return lang.say("Take the whole district")
        case Build():
            return lang.say("Build")
        case Abandon():
            return lang.say("Abandon")
        case Demolish():
            return lang.say("Demolish")
        case Reroll():
            return lang.say("Roll again")
        case End():
            return lang.say("End turn")
        case Roll():
            return lang.say("Roll")


def sides_rows(dice_set: DiceSet, lang: Language) -> tuple[list[str], list[list[str]]]:
    """Tell how many sides of each die show what.

    Returns
    -------
    tuple of list of str and list of list of str
        The head and a row for each kind of die, shape ``(3, 5)``: its name, then the numbers of
        its sides with low-rise, mid-rise, high-rise and nothing.
    """
    head = ["", *(face_name(Die(Kind.GROUND + face), lang) for face in FACES)]
    rows = [
        [kind_name(kind, lang), *(str(dice_set.weight(Die(kind + face))) for face in FACES)]
        for kind in Kind
    ]
    return head, rows


def say_sentence(sentence: Sentence, lang: Language) -> str:
    """Say a sentence of the coach: its template and everything that it is about."""
    text = part_words(sentence, lang)
    return text[:1].upper() + text[1:]


def part_words(sentence: Sentence, lang: Language) -> str:
    """Say a sentence that stands within another one, as it begins there."""
    words = {name: _said(value, lang) for name, value in sentence.fields.items()}
    return lang.say(sentence.template, **words)


def _said(value: object, lang: Language) -> object:
    for kinds, say in _SAYINGS:
        if isinstance(value, kinds):
            return say(value, lang)
    return part_words(cast("Sentence", value), lang) if hasattr(value, "template") else value


def _said_chance(value: Fraction, lang: Language) -> str:
    return f"{value} ({lang.percent(value)})" if 0 <= value <= 1 else str(value)


def _said_several(values: tuple[object, ...], lang: Language) -> str:
    dice = [value for value in values if isinstance(value, Die)]
    if len(dice) == len(values):
        return dice_names(dice, lang)
    return ", ".join(str(_said(value, lang)) for value in values)


def _quoted(action: Action, lang: Language) -> str:
    """Name an action within a sentence; a roll by what it shows."""
    if isinstance(action, Roll) and action.outcome:
        return dice_names(action.outcome, lang)
    return lang.say("\u201c{action}\u201d", action=choice_words(action, lang))


def entry_words(entry: LogEntry, name: str, lang: Language) -> str:
    """Say an entry of the log as a sentence."""
    words = f"{name} {action_words(entry.action, lang)}"
    if entry.finished is None:
        return words
    gained = lang.count("{n} point", "{n} points", entry.finished.points)
    finished = column_name(entry.finished, lang)
    return lang.say(
        "{words} – {finished}: {points}!", words=words, finished=finished, points=gained
    )


_ACTIONS: Final = (Take, TakeDistrict, Roll, Build, Abandon, Demolish, Reroll, End)
_SAYINGS: Final[tuple[tuple[Any, Callable[[Any, Language], object]], ...]] = (
    (_ACTIONS, _quoted),
    (Die, die_name),
    (Column, column_name),
    (Kind, kind_name),
    (Style, style_name),
    (Fraction, _said_chance),
    (float, lambda number, lang: lang.number(number)),
    (tuple, _said_several),
)
"""How the fields of a sentence are said, by what they are."""
