"""Sentences that a page can say in another language: a template, and what it is about.

The fields of a sentence are values of the game: dice, columns, actions, exact fractions, points,
or other sentences.  `str` gives the English sentence with the words of the text interface; a page
looks up its own template by the English one and words the fields itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from ..actions import (
    Abandon,
    Build,
    Demolish,
    End,
    Reroll,
    Roll,
    Take,
    TakeDistrict,
)
from ..notation import format_action, format_dice

__all__ = ["Sentence", "plain", "reason"]

_ACTIONS = (Take, TakeDistrict, Roll, Build, Abandon, Demolish, Reroll, End)


@dataclass(frozen=True)
class Sentence:
    """One sentence, or a part of one.

    Parameters
    ----------
    template : str
        English, with ``str.format`` fields; also the key of its translations.
    fields : mapping of str to object
        Values of the game.
    """

    template: str
    fields: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Keep the fields from being changed."""
        object.__setattr__(self, "fields", MappingProxyType(dict(self.fields)))

    def __str__(self) -> str:
        """Return the sentence in English."""
        return self.template.format(**{name: plain(value) for name, value in self.fields.items()})

    def __hash__(self) -> int:
        """Hash what equal sentences share."""
        return hash((self.template, tuple(self.fields)))

    def __reduce__(self) -> tuple[object, ...]:
        """Travel between processes; a read-only view of a dict does not."""
        return Sentence, (self.template, dict(self.fields))

    def as_dict(self) -> dict[str, Any]:
        """Return template, fields and the English text in plain types."""
        return {
            "template": self.template,
            "fields": {name: plain(value) for name, value in self.fields.items()},
            "text": str(self),
        }


def reason(template: str, /, **fields: object) -> Sentence:
    """Make a sentence; the catalogues of translations are collected by this name."""
    return Sentence(template, fields)


def plain(value: object) -> str | int:
    """Return a field as the text interface writes it.

    Parameters
    ----------
    value : object
        An action, die, column, several dice, a fraction, points as a float, a number or text.
    """
    match value:
        case bool() | int():
            return value
        case float():
            return f"{value:.2f}"
        case Fraction():
            return str(value)
        case Sentence():
            return str(value)
        case Enum():
            return str(value.value)
        case tuple():
            return format_dice(value)
        case _ if isinstance(value, _ACTIONS):
            return format_action(value)
    return str(value)
