"""Best play as actions: which of the best ones is chosen.

Equal best decisions are common: it does not matter which of two equal columns gets a die, nor
whether a useless die is built or given away.  The value does not depend on the choice, but what
is left for others and the distribution of the score may, so the choice is settled once, here:
build before anything else, then end, then roll again, as few dice as possible, then abandon, then
demolish; and within each of these the first in the order in which the actions are legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .actions import Abandon, Action, Build, Demolish, End, Reroll, Take, TakeDistrict
from .advice import Objective, advise
from .solver.patience import PATIENT, Patience
from .state import State

__all__ = ["best_choice", "first_choice"]

_ORDER: Final[dict[type[Action], int]] = {
    Take: 0,
    TakeDistrict: 1,
    Build: 2,
    End: 3,
    Reroll: 4,
    Abandon: 5,
    Demolish: 6,
}


def first_choice(actions: Sequence[Action]) -> Action:
    """Return the action that is chosen among equally good ones.

    Parameters
    ----------
    actions : sequence of Action
        At least one, in the order in which they are legal.

    Examples
    --------
    >>> from skyline_kernel.skyline import parse_action
    >>> words = ["abandon Gl", "reroll Gl,Um", "reroll Um", "reroll Gl", "build Gl"]
    >>> actions = [parse_action(text) for text in words]
    >>> first_choice(actions) == actions[-1], first_choice(actions[:4]) == actions[2]
    (True, True)
    """
    return min(actions, key=_preference)


def _preference(action: Action) -> tuple[int, int]:
    return _ORDER[type(action)], len(action.dice) if isinstance(action, Reroll) else 0


def best_choice(
    state: State, objective: Objective | str = Objective.SCORE, *, patience: Patience = PATIENT
) -> Action:
    """Return the best action for an objective, the first choice among equal ones.

    Parameters
    ----------
    state : State
        In a decision phase.
    objective : Objective or str
    patience : Patience
        What the answer may cost.

    Raises
    ------
    TurnTooLargeError
        If it costs more.

    Examples
    --------
    >>> from skyline_kernel.skyline import parse_position
    >>> best_choice(parse_position("m3 G1U1P1 Pm use 9.1"))
    Build(die=<Die.PENTHOUSE_MID: 'Pm'>, column=<Column.MID_3: 'm3'>)
    """
    ranked = advise(state, objective, patience=patience).actions
    return first_choice([one.action for one in ranked if one.is_best])
