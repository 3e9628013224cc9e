"""Cards as text, and back: one line of text for each line of the card.

    LastTurns 0, Has high 3: Finish high 3 5
    TakeDice 3 0 0

Before the colon stand the conditions, behind it what is to be done; each is the name of its class
and the values of its fields, styles and kinds by their letters in the notation of positions,
``any`` for mid-rises and high-rises alike.  `format_card` and `parse_card` are inverse.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from ...errors import NotationError
from ..dice import Kind, Style
from . import conditions, deeds
from .rules import Card, Line

__all__ = ["format_card", "format_line", "parse_card", "parse_line"]

_CONDITIONS: Final = {
    kind.__name__: kind
    for kind in (
        conditions.FewColumns,
        conditions.FewReady,
        conditions.Has,
        conditions.Lacks,
        conditions.LastTurns,
        conditions.ManyColumns,
        conditions.ManyReady,
        conditions.TurnsLeft,
    )
}
_DEEDS: Final = {
    kind.__name__: kind
    for kind in (
        deeds.BuildAny,
        deeds.Finish,
        deeds.GiveAway,
        deeds.Raise,
        deeds.RollAgain,
        deeds.RollUnfit,
        deeds.Start,
        deeds.TakeDice,
        deeds.TakeForReady,
    )
}
_ANY: Final = "any"
_MOST: Final = 99


def format_card(card: Card) -> str:
    """Return a card as text.

    Raises
    ------
    NotationError
        If it holds a condition or a deed of somebody's own.
    """
    return "\n".join(map(format_line, card.lines))


def format_line(line: Line) -> str:
    """Return one line as text.

    Examples
    --------
    >>> from skyline_kernel.skyline.coach.rules import LastTurns, Line, TakeDice
    >>> format_line(Line(TakeDice(0, 1, 2), (LastTurns(0),)))
    'LastTurns 0: TakeDice 0 1 2'
    """
    when = ", ".join(_format_word(one, _CONDITIONS) for one in line.conditions)
    what = _format_word(line.do, _DEEDS)
    return f"{when}: {what}" if when else what


def _format_word(word: Any, known: dict[str, Any]) -> str:
    name = type(word).__name__
    if known.get(name) is not type(word):
        raise NotationError("word {name!r}: expected {known}", name=name, known=", ".join(known))
    values = (getattr(word, field.name) for field in fields(word))
    return " ".join([name, *(_ANY if value is None else str(value) for value in values)])


def parse_card(text: str) -> Card:
    """Return the card that a text tells; blank lines are left out.

    Raises
    ------
    NotationError
        If a word is unknown, or its values are not those of a card.
    SettingError
        If not three dice are to be taken.
    """
    return Card(tuple(parse_line(row) for row in text.splitlines() if row.strip()))


def parse_line(text: str) -> Line:
    """Return one line of a card.

    Raises
    ------
    NotationError, SettingError
        As for `parse_card`.
    """
    when, _, what = text.rpartition(":")
    conditions = tuple(_parse_word(one, _CONDITIONS) for one in when.split(",") if one.strip())
    return Line(_parse_word(what, _DEEDS), conditions)


def _parse_word(text: str, known: dict[str, Any]) -> Any:
    name, *values = text.split() or [""]
    if name not in known:
        raise NotationError("word {name!r}: expected {known}", name=name, known=", ".join(known))
    kind = known[name]
    if len(values) != len(fields(kind)):
        raise NotationError(
            "word {text!r}: expected {n} values", text=text.strip(), n=len(fields(kind))
        )
    return kind(*map(_parse_value, values, [str(field.type) for field in fields(kind)]))


def _parse_value(text: str, kind: str) -> object:
    if kind.startswith("Style"):
        allowed: dict[str, object] = {style.value: style for style in Style}
        allowed |= {_ANY: None} if "None" in kind else {}
    elif kind == "Kind":
        allowed = {one.value: one for one in Kind}
    else:
        allowed = {str(n): n for n in range(_MOST)}
    if text not in allowed:
        known = ", ".join(allowed) if len(allowed) < _MOST else f"0, 1, … {_MOST - 1}"
        raise NotationError("value {text!r}: expected {known}", text=text, known=known)
    return allowed[text]
