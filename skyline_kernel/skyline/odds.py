"""Exact odds of a roll: the chance to be able to build after it.

Each rolled die can be built, or cannot, independently of the others, and what a column takes
does not depend on the other dice.  So after a roll nothing can be built with probability

    product over the rolled dice of (sides that cannot be built / all sides),

and 0 where a kept die can be built already.  The tests list all outcomes instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod

from .actions import Action, Reroll, Take, TakeDistrict
from .columns import GROWTH, STARTS, Skyline
from .dice import FACES, Die, Kind
from .dice_sets import DiceSet
from .state import Phase, State
from .transitions import successor

__all__ = ["BuildOdds", "build_odds", "buildable_chance", "is_buildable", "odds_of"]


@dataclass(frozen=True, slots=True)
class BuildOdds:
    """The chance to be able to build after a roll.

    Parameters
    ----------
    build : Fraction
        Probability in [0, 1] that at least one active die, rolled or kept, can be built.
    """

    build: Fraction

    @property
    def stuck(self) -> Fraction:
        """Probability in [0, 1] that no active die can be built."""
        return 1 - self.build


def is_buildable(skyline: Skyline, die: Die) -> bool:
    """Return whether `die` starts a building or fits on a column of `skyline`."""
    return die in STARTS or any((column, die) in GROWTH for column in skyline)


def buildable_chance(skyline: Skyline, kind: Kind, dice_set: DiceSet) -> Fraction:
    """Return the chance that one rolled die of `kind` can be built on `skyline`, in [0, 1]."""
    sides = (Die(kind + face) for face in FACES)
    return sum(
        (dice_set.probability(die) for die in sides if is_buildable(skyline, die)),
        Fraction(0),
    )


def build_odds(state: State) -> BuildOdds:
    """Return the odds of the roll that is due in `state`.

    Parameters
    ----------
    state : State
        In phase ``ROLL``.

    Raises
    ------
    ValueError
        If no roll is due.
    """
    if state.phase is not Phase.ROLL:
        raise ValueError(f"phase {state.phase}: expected phase roll")
    if any(die.is_rolled and is_buildable(state.skyline, die) for die in state.dice):
        return BuildOdds(Fraction(1))
    stuck = prod(
        1 - buildable_chance(state.skyline, die.kind, state.rules.dice_set)
        for die in state.dice
        if not die.is_rolled
    )
    return BuildOdds(1 - Fraction(stuck))


def odds_of(state: State, action: Action) -> BuildOdds | None:
    """Return the odds of the roll that `action` leads to, None if it leads to none.

    Raises
    ------
    IllegalActionError
        If the action is not allowed in `state`.
    """
    if not isinstance(action, Take | TakeDistrict | Reroll):
        return None
    return build_odds(successor(state, action))
