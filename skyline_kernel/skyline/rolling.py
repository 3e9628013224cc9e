"""Rolling the dice: by a generator that is passed in, or by a game's seed and a number."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from ..rolls import draw_faces
from .actions import Roll
from .dice import FACES, KINDS, Die, Kind, sorted_dice
from .dice_sets import DiceSet
from .state import State

if TYPE_CHECKING:
    from numpy.random import Generator

__all__ = ["numbered_roll", "random_roll"]


def random_roll(state: State, rng: Generator) -> Roll:
    """Roll the dice of `state` that show ``?``.

    Parameters
    ----------
    state : State
        In phase ``ROLL``.
    rng : numpy.random.Generator
        Drawn from once for each kind of die that is rolled.
    """

    def faces(kind: Kind, n_dice: int) -> list[int]:
        bounds = _bounds(state.rules.dice_set, kind)
        sides = rng.integers(bounds[-1], size=n_dice).tolist()
        return [bisect_right(bounds, side) for side in sides]

    return _rolled(state, faces)


def numbered_roll(state: State, seed: int, roll_number: int) -> Roll:
    """Roll the dice of `state` as roll `roll_number` of the game with `seed` shows them.

    A die shows the same whatever else is rolled with it and whatever went before: the roll
    depends on the seed and its number alone.

    Parameters
    ----------
    state : State
        In phase ``ROLL``.
    seed : int
        Seed of the game.
    roll_number : int
        How many rolls the game has seen before.

    Raises
    ------
    SettingError
        If there is no roll of this number.
    """

    def faces(kind: Kind, n_dice: int) -> list[int]:
        stream = KINDS.index(kind)
        weights = state.rules.dice_set.weights[stream]
        return draw_faces(seed, roll_number, stream, weights, n_dice)

    return _rolled(state, faces)


def _rolled(state: State, faces: Callable[[Kind, int], list[int]]) -> Roll:
    kinds = [die.kind for die in state.dice if die.face is None]
    shown = [
        Die(kind + FACES[face])
        for kind in dict.fromkeys(kinds)
        for face in faces(kind, kinds.count(kind))
    ]
    return Roll(sorted_dice(shown))


@lru_cache(maxsize=64)
def _bounds(dice_set: DiceSet, kind: Kind) -> list[int]:
    return list(accumulate(dice_set.weights[KINDS.index(kind)]))
