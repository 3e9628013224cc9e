"""The address of the laboratory: what stands in it, read and written.

``?tab=position&position=m2,h3 G1U1P1 Gl,P- use 9.1 online&goal=turn`` and so on. What is read
comes from outside: every word is checked, and one that will not do is named in one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl, urlencode

from skyline_kernel.errors import SettingError
from skyline_kernel.skyline import DiceSet, State, parse_position
from skyline_kernel.skyline.dice_sets import FaceWeights, verified_own

__all__ = [
    "format_address",
    "format_dice",
    "parse_address",
    "parse_dice",
    "position_in",
    "verify_choice",
    "whole_number",
]

_MOST: Final = 2000
_DICE: Final = re.compile(r"([^:]*):" + "_".join([r"([0-9]{1,4}(?:\.[0-9]{1,4}){3})"] * 3))


def parse_address(query: str) -> dict[str, str]:
    """Return the words of an address; of a word that comes twice the first counts."""
    words: dict[str, str] = {}
    for name, value in parse_qsl(query[:_MOST], max_num_fields=None):
        words.setdefault(name, value)
    return words


def format_address(words: Mapping[str, str]) -> str:
    """Return the query of an address, the question mark included; empty for no words."""
    return f"?{urlencode(words, safe='/,:?')}" if words else ""


def format_dice(dice_set: DiceSet) -> str:
    """Write a dice set as one word, ``my-dice:3.2.1.0_3.2.1.0_0.2.1.3``."""
    weights = "_".join(".".join(map(str, sides)) for sides in dice_set.weights)
    return f"{dice_set.name}:{weights}"


def parse_dice(word: str) -> DiceSet:
    """Read what `format_dice` writes.

    Raises
    ------
    SettingError
        If the word has another form.
    DiceSetError
        If it describes no dice set.
    """
    match = _DICE.fullmatch(word)
    if match is None:
        raise SettingError(
            "{value!r}: expected dice such as {example}",
            value=word,
            example="my-dice:3.2.1.0_3.2.1.0_0.2.1.3",
        )
    return verified_own(DiceSet(match[1], (_sides(match[2]), _sides(match[3]), _sides(match[4]))))


def _sides(word: str) -> FaceWeights:
    low, mid, high, blank = map(int, word.split("."))
    return low, mid, high, blank


def position_in(words: Mapping[str, str], default: str, own: DiceSet | None) -> State:
    """Return the position of an address, the default if it names none.

    Raises
    ------
    KitError
        If it is no position.
    """
    return parse_position(words.get("position", default), () if own is None else (own,))


def whole_number(words: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    """Return a number of an address, the default if it is not there.

    Raises
    ------
    SettingError
        If it is none from `low` to `high`.
    """
    word = words.get(name)
    if word is None:
        return default
    if not re.fullmatch(r"[0-9]{1,6}", word) or not low <= int(word) <= high:
        raise SettingError(
            "{value!r}: expected a whole number from {low} to {high}",
            value=word,
            low=low,
            high=high,
        )
    return int(word)


def verify_choice(words: Mapping[str, str], name: str, known: tuple[str, ...]) -> str:
    """Return a word of an address that is one of those known; the first if it is not there.

    Raises
    ------
    SettingError
        If it is none of them.
    """
    word = words.get(name, known[0])
    if word not in known:
        raise SettingError("{value!r}: expected one of {known}", value=word, known=", ".join(known))
    return word
