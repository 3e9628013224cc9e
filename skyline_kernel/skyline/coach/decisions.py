"""Every choice of a decision with its value, however many there are.

A player with many dice has thousands of ways to roll some of them again.  Their values are read
off as one array; only the actions that are asked for are ever made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action
from ..advice import TOLERANCE
from ..choices import legal_actions
from ..parts import Parts
from ..solver.positions import Spot
from ..state import Phase, State
from ..transitions import successor
from .turns import seen_in_turn
from .worths import SolvedTurns, TooLargeError

__all__ = [
    "MOST_DEMOLITIONS",
    "Choices",
    "Offer",
    "choices_in",
    "n_rerolls",
    "offer",
    "verified_offer",
]

MOST_DEMOLITIONS = 4000
"""Most actions other than rerolls that are looked at; with the printed edition any part of the
dice may be given for any building, and a hundred thousand such actions help nobody."""


@dataclass(frozen=True)
class Choices:
    """The legal actions of a position and what each is worth.

    Parameters
    ----------
    state : State
        In phase ``TAKE``, ``USE`` or ``MORE``.
    actions : sequence of Action
        As `legal_actions` lists them, each made when it is read.
    values : ndarray of float64
        Expected final score of each, in points, shape ``(n_actions,)``.
    """

    state: State
    actions: Sequence[Action]
    values: NDArray[np.float64]

    @property
    def best_value(self) -> float:
        """Value of the best action, in points."""
        return float(self.values.max())

    @property
    def is_forced(self) -> bool:
        """Whether there is only one action."""
        return len(self.values) == 1

    @property
    def can_lose(self) -> bool:
        """Whether any action is worse than another."""
        return float(np.ptp(self.values)) > TOLERANCE

    def loss(self, action: int) -> float:
        """Return what action number `action` loses, in points; exactly 0 if it is best."""
        loss = self.best_value - float(self.values[action])
        return loss if loss > TOLERANCE else 0.0

    def rank(self, action: int) -> int:
        """Return the place of action number `action`: 1 for every best one."""
        return 1 + int(np.count_nonzero(self.values > self.values[action] + TOLERANCE))

    def best_actions(self) -> NDArray[np.intp]:
        """Return the numbers of all best actions, in the order in which they are legal."""
        return np.flatnonzero(self.values >= self.best_value - TOLERANCE)

    def number_of(self, action: Action) -> int:
        """Return the number of an action.

        Raises
        ------
        ValueError
            If it is not legal.
        """
        return self.actions.index(action)

    def second_loss(self) -> float:
        """Return the loss of the best action that is not best; 0 if all are."""
        worse = self.values[self.values < self.best_value - TOLERANCE]
        return self.best_value - float(worse.max()) if len(worse) else 0.0


def n_rerolls(state: State) -> int:
    """Count the ways to roll active dice again."""
    return len(Parts(state.dice)) if state.phase is Phase.MORE else 0


def _uses(state: State, actions: Sequence[Action]) -> list[Action]:
    """List the actions that are neither a reroll nor the end of a turn under way."""
    last = len(actions) - n_rerolls(state) - int(state.phase is Phase.MORE)
    return [actions[number] for number in range(last)]


@dataclass(frozen=True)
class Offer:
    """The legal actions of a position before their values are known.

    Parameters
    ----------
    state : State
        In phase ``TAKE``, ``USE`` or ``MORE``.
    actions : sequence of Action
        As `legal_actions` lists them.
    afters : tuple of Spot
        What each action leads to, but for rerolls and the end of a turn under way.
    spot : Spot
        Where the position itself stands in the turn.
    """

    state: State
    actions: Sequence[Action]
    afters: tuple[Spot, ...]
    spot: Spot

    @property
    def spots(self) -> list[Spot]:
        """What must be solved to know the values."""
        return [*self.afters, self.spot] if self.state.dice else [*self.afters]

    def choices(self, solved: SolvedTurns) -> Choices:
        """Return the actions with their values, read off the solved turn."""
        values: list[Any] = [[solved.value(spot) for spot in self.afters]]
        if self.state.phase is Phase.MORE:
            values += [solved.reroll_values(self.spot), [solved.end_value(self.spot)]]
        return Choices(self.state, self.actions, np.concatenate(values))


def offer(state: State, turn: State) -> Offer | None:
    """Return what may be done in a position, None if that is far too much.

    Parameters
    ----------
    state : State
        In a decision phase of the turn.
    turn : State
        Where the turn begins.
    """
    actions = legal_actions(state)
    if len(actions) - n_rerolls(state) > MOST_DEMOLITIONS:
        return None
    afters = [successor(state, action) for action in _uses(state, actions)]
    spots = tuple(seen_in_turn(after, turn) for after in afters)
    return Offer(state, actions, spots, seen_in_turn(state, turn))


def verified_offer(state: State, turn: State) -> Offer:
    """Return the same as `offer`.

    Raises
    ------
    TooLargeError
        If there is far too much that may be done.
    """
    offered = offer(state, turn)
    if offered is None:
        raise TooLargeError(f"{len(state.dice)} dice: too many ways to give them away")
    return offered


def choices_in(state: State, turn: State | None = None) -> Choices:
    """Return the legal actions of one position with their values.

    Parameters
    ----------
    state : State
        In a decision phase.
    turn : State, optional
        Where the turn begins, or `state` itself.

    Raises
    ------
    TooLargeError
        If the position holds too many dice to be solved.
    """
    turn = turn or state
    offered = verified_offer(state, turn)
    return offered.choices(SolvedTurns([turn], offered.spots))
