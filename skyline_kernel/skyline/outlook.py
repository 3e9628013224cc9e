"""What may come of an action: the outcomes of its roll, with their chances and worths."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter

from .actions import Action, Roll
from .choices import chance_outcomes
from .state import State
from .transitions import successor

__all__ = ["Prospect", "outlook"]


@dataclass(frozen=True, slots=True)
class Prospect:
    """One outcome of a roll.

    Parameters
    ----------
    roll : Roll
        With its outcome.
    probability : Fraction
        In (0, 1].
    state : State
        The position after the roll.
    """

    roll: Roll
    probability: Fraction
    state: State


def outlook(state: State, action: Action) -> tuple[Prospect, ...]:
    """List what the roll can show that `action` leads to, likeliest first.

    Parameters
    ----------
    state : State
    action : Action
        Legal in `state`.

    Returns
    -------
    tuple of Prospect
        Empty where the action leads to no roll; else the probabilities sum to exactly 1.
        Equally likely outcomes stand in canonical order.

    Raises
    ------
    IllegalActionError
        If the action is not allowed.
    """
    after = successor(state, action)
    if not after.is_chance:
        return ()
    prospects = [
        Prospect(roll, probability, successor(after, roll))
        for roll, probability in chance_outcomes(after)
    ]
    return tuple(sorted(prospects, key=attrgetter("probability"), reverse=True))
