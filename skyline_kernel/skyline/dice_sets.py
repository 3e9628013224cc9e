"""Named sets of dice: faces are data, with the source of each number beside it.

A dice set is a small TOML file, one table for each kind of die::

    name = "my-dice"

    [ground-floor]
    low-rise = 3
    mid-rise = 2
    high-rise = 1
    blank = 0
    source = "counted on the dice of our school"

    [upper-floor]
    ...
    [penthouse]
    ...

Each number says how many of the sides show the face.  A penthouse that shows low-rise counts as
blank: nothing can be built with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import comb, prod
from pathlib import Path
from typing import Any, Final

from ..chance import multiset_weights
from ..errors import DiceSetError
from ..files import read_beginning, unreadable
from .dice import FACES, KINDS, Die, Kind, KindCounts

__all__ = [
    "SHIPPED",
    "STANDARD",
    "DiceSet",
    "FaceWeights",
    "Outcome",
    "n_outcomes",
    "parse_dice_set",
    "read_dice_set",
    "roll_outcomes",
    "shipped_dice_set",
    "verified_own",
]

FaceWeights = tuple[int, int, int, int]
"""Number of sides of a die that show low-rise, mid-rise, high-rise and blank."""

Outcome = tuple[Die, ...]
"""What the dice of one roll show, in canonical order."""

STANDARD: Final = "standard"
SHIPPED: Final = ("standard", "uniform", "blank-upper")
"""Names of the dice sets that come with the kit."""

MAX_SIDES: Final = 1000
MAX_FILE: Final = 100_000
"""Longest file of a dice set that is read, in characters."""

RESERVED_NAMES: Final = frozenset({"online", "printed", "nine", "box"})
"""Other words of the rules; no dice set can bear these names, nor that of a shipped one."""

_TABLES: Final = {
    "ground-floor": Kind.GROUND,
    "upper-floor": Kind.UPPER,
    "penthouse": Kind.PENTHOUSE,
}
_FACE_KEYS: Final = ("low-rise", "mid-rise", "high-rise", "blank")
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_MAX_NAME: Final = 40
_MARK: Final = "\ufeff"
"""What some editors put before a text as a sign of its encoding."""


@dataclass(frozen=True, slots=True)
class DiceSet:
    """The sides of the three kinds of dice.

    Parameters
    ----------
    name : str
        Word of the rules that names the set.
    weights : tuple of FaceWeights
        For ground floor, upper floor and penthouse die: how many sides show low-rise,
        mid-rise, high-rise and blank, shape ``(3, 4)``.
    sources : tuple of str
        Where the numbers of each kind come from, shape ``(3,)``; two sets with the same sides
        are equal wherever their numbers come from.
    """

    name: str
    weights: tuple[FaceWeights, FaceWeights, FaceWeights]
    sources: tuple[str, str, str] = field(default=("", "", ""), compare=False)

    def n_sides(self, kind: Kind) -> int:
        """Return the number of sides of a die of `kind`."""
        return sum(self.weights[KINDS.index(kind)])

    def weight(self, die: Die) -> int:
        """Return how many sides of the die show what `die` shows, 0 if none or not rolled."""
        if die.face is None:
            return 0
        return self.weights[KINDS.index(die.kind)][FACES.index(die.face)]

    def probability(self, die: Die) -> Fraction:
        """Return the chance that a die of this kind shows this face, in [0, 1]."""
        return Fraction(self.weight(die), self.n_sides(die.kind))


@cache
def shipped_dice_set(name: str) -> DiceSet:
    """Return one of the dice sets that come with the kit.

    Parameters
    ----------
    name : str
        One of `SHIPPED`.

    Raises
    ------
    DiceSetError
        If no such set is shipped.
    """
    if name not in SHIPPED:
        raise DiceSetError(
            "dice set {name}: expected one of {known}", name=name, known=", ".join(SHIPPED)
        )
    path = Path(__file__).parent / "data" / "dice_sets" / f"{name}.toml"
    return _dice_set_of(_parsed_toml(path.read_text(encoding="utf-8")))


def read_dice_set(path: Path) -> DiceSet:
    """Read a dice set of one's own from a file.

    Parameters
    ----------
    path : Path
        A TOML file as described at the top of this module.

    Raises
    ------
    DiceSetError
        If the file cannot be read or describes no dice set; the message says where.
    """
    try:
        text = read_beginning(path, MAX_FILE + 1)
    except (OSError, UnicodeDecodeError) as error:
        raise DiceSetError(
            "dice set {file}: {reason}", file=path.name, reason=unreadable(error)
        ) from error
    return parse_dice_set(text)


def parse_dice_set(text: str) -> DiceSet:
    """Make a dice set of one's own of the text of its file.

    Raises
    ------
    DiceSetError
        If the text is no TOML, a table, key or number is missing, unknown or out of range, or
        the name belongs to a shipped set.
    """
    return verified_own(_dice_set_of(_parsed_toml(text)))


def verified_own(dice_set: DiceSet) -> DiceSet:
    """Return `dice_set` if it can be used beside the shipped ones.

    Raises
    ------
    DiceSetError
        If its name will not do, a number of sides is no whole number from 0 to 1000, or a die
        has no sides.
    """
    name = dice_set.name
    is_word = isinstance(name, str) and len(name) <= _MAX_NAME and _NAME.fullmatch(name)
    if not is_word or name in RESERVED_NAMES or name in SHIPPED:
        raise DiceSetError(
            "dice set: name {name!r}: expected lower-case words with hyphens between them, "
            "other than {reserved}",
            name=name,
            reserved=", ".join(sorted({*RESERVED_NAMES, *SHIPPED})),
        )
    for table, weights in zip(_TABLES, dice_set.weights, strict=True):
        _verify_weights(table, weights)
    return dice_set


def _parsed_toml(text: str) -> dict[str, Any]:
    import tomllib  # few programs read a dice set, and all import this module

    if len(text) > MAX_FILE:
        raise DiceSetError("dice set: expected at most {most} characters", most=MAX_FILE)
    try:
        return tomllib.loads(text.removeprefix(_MARK))
    except tomllib.TOMLDecodeError as error:
        raise DiceSetError("dice set: {reason}", reason=error) from error
    except (RecursionError, ValueError) as error:
        # Nested without end, or a number of thousands of digits.
        raise DiceSetError("dice set: expected tables of faces as TOML") from error


def _dice_set_of(data: dict[str, Any]) -> DiceSet:
    _verify_keys("the file", data, {"name", *_TABLES})
    for name in _TABLES:
        _verify_table(name, data[name])
    ground, upper, penthouse = (_weights_of(name, data[name]) for name in _TABLES)
    sources = tuple(str(data[name].get("source", "")) for name in _TABLES)
    return DiceSet(data["name"], (ground, upper, penthouse), (sources[0], sources[1], sources[2]))


def _verify_table(name: str, table: object) -> None:
    if not isinstance(table, dict):
        raise DiceSetError("dice set: {name}: expected a table of faces", name=name)
    _verify_keys(f"[{name}]", {"source": "", **table}, {*_FACE_KEYS, "source"})


def _verify_keys(place: str, table: Mapping[str, object], expected: set[str]) -> None:
    for key in sorted({*table, *expected}):
        if key not in expected:
            raise DiceSetError(
                "dice set: {key} in {place}: expected only {expected}",
                key=key,
                place=place,
                expected=", ".join(sorted(expected)),
            )
        if key not in table:
            raise DiceSetError("dice set: {key} is missing in {place}", key=key, place=place)


def _weights_of(name: str, table: Mapping[str, Any]) -> FaceWeights:
    low, mid, high, blank = (table[key] for key in _FACE_KEYS)
    weights = (low, mid, high, blank)
    _verify_weights(name, weights)
    return weights


def _verify_weights(name: str, weights: FaceWeights) -> None:
    for key, value in zip(_FACE_KEYS, weights, strict=True):
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_SIDES:
            raise DiceSetError(
                "dice set: {key} in [{name}]: expected a whole number from 0 to {most}, "
                "got {value!r}",
                key=key,
                name=name,
                most=MAX_SIDES,
                value=value,
            )
    if not sum(weights):
        raise DiceSetError("dice set: [{name}]: expected a die with at least one side", name=name)


@lru_cache(maxsize=512)
def roll_outcomes(dice_set: DiceSet, counts: KindCounts) -> tuple[tuple[Outcome, Fraction], ...]:
    """List what a roll can show, each distinct multiset once, with its exact probability.

    Parameters
    ----------
    dice_set : DiceSet
    counts : KindCounts
        How many dice of each kind are rolled.

    Returns
    -------
    tuple of (Outcome, Fraction)
        In canonical order; the probabilities sum to exactly 1.
    """
    by_kind = [
        _kind_outcomes(kind, dice_set.weights[index], counts[index])
        for index, kind in enumerate(KINDS)
    ]
    total = prod(dice_set.n_sides(kind) ** n for kind, n in zip(KINDS, counts, strict=True))
    return tuple(
        (sum((dice for dice, _ in parts), ()), Fraction(prod(w for _, w in parts), total))
        for parts in product(*by_kind)
    )


def n_outcomes(dice_set: DiceSet, counts: KindCounts) -> int:
    """Return how many outcomes `roll_outcomes` lists, without listing them.

    Parameters
    ----------
    dice_set : DiceSet
    counts : KindCounts
        How many dice of each kind are rolled.
    """
    return prod(
        comb(n_dice + sum(map(bool, sides)) - 1, n_dice)
        for sides, n_dice in zip(dice_set.weights, counts, strict=True)
    )


def _kind_outcomes(kind: Kind, weights: FaceWeights, n_dice: int) -> list[tuple[Outcome, int]]:
    sides = [Die(kind + face) for face in FACES]
    return [
        (tuple(die for die, n in zip(sides, shown, strict=True) for _ in range(n)), weight)
        for shown, weight in multiset_weights(weights, n_dice)
    ]
