"""The tutor: asks before a costly choice is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from skyline_kernel.skyline import Action, Roll

from .play import Play
from .solving import advice_of

__all__ = ["TUTOR", "Cost", "cost_of", "is_worth_asking"]

TUTOR: Final = ("off", "blunders", "always")

BLUNDER: Final = 1.0
"""Loss from which a choice is a blunder, in points."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a step at the table costs against best play.

    Parameters
    ----------
    loss : float
        In points of the objective, at least 0; the sum over its decisions.
    best : Action or None
        What would have been best instead of the first decision that loses, None if none does.
    """

    loss: float
    best: Action | None


def cost_of(before: Play, after: Play, objective: str) -> Cost:
    """Return what the decisions between two plays of one game cost.

    Parameters
    ----------
    before, after : Play
        `after` follows from `before` by one command.
    objective : str
    """
    loss, best = 0.0, None
    for number in range(before.game.n_moves, after.game.n_moves):
        action = after.game.log[number].action
        if isinstance(action, Roll):
            continue
        advice = advice_of(after.game.states[number], objective)
        lost = advice.of(action).loss
        if lost and best is None:
            best = advice.best
        loss += lost
    return Cost(loss, best)


def is_worth_asking(cost: Cost, tutor: str) -> bool:
    """Return whether the tutor speaks up: at blunders only, or at every loss."""
    if tutor == "always":
        return cost.loss > 0
    return tutor == "blunders" and cost.loss >= BLUNDER
