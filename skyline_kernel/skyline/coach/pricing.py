r"""The price of a way to play: how much worse than best play it is over the practice game, exactly.

In the practice game every turn takes its dice from the yard.  Somebody who always does the same in
the same position makes it a Markov chain: let :math:`m_t(s)` be the chance to begin turn ``t``
with the columns ``s``.  Within the turn the chance moves from positions with three active dice to
those with two, one and none: a use of a die leaves one die less, a roll shows each of its outcomes
with its probability.  Each build gains points, and

    expected final score = points at the start + sum over all uses of chance * points gained.

So one pass forward, over the positions that this way to play meets and no others, gives the price:
:math:`V(s_0)` of best play less that sum.  Equal positions are met once, whatever way leads to
them; all positions with the same dice are decided as one array.  Finished buildings stand on the
table but change nothing that is still to come, so they are left out of what is looked at.

Floats are summed, each chance is a product of at most some dozens of exact ones: the error is far
below 1e-9.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ...errors import SettingError
from ..actions import Action
from ..advice import value
from ..columns import Skyline, points
from ..dice import ONE_OF_EACH
from ..legality import verify
from ..solver.skylines import COLUMNS, ENDED, STANDARD_PACKING
from ..solver.store import value_table
from ..state import N_ROUNDS, Phase, State, new_game
from .chain import Chain, Chosen, Decider, View

__all__ = [
    "Chosen",
    "Decider",
    "Price",
    "View",
    "Way",
    "alone",
    "price",
    "price_below",
    "price_function",
    "state_of",
]

Way = Callable[[State], Action]
"""A way to play, one position at a time: always the same action in the same position."""


class Price(NamedTuple):
    """What a way to play is worth.

    Parameters
    ----------
    expected : float
        Expected final score, in points.
    best : float
        That of best play.
    """

    expected: float
    best: float

    @property
    def cost(self) -> float:
        """How much worse than best play it is over the game, in points."""
        return self.best - self.expected


def price(decider: Decider, state: State | None = None) -> Price:
    """Price a way to play.

    Parameters
    ----------
    decider : Decider
    state : State, optional
        In phase ``TAKE``; the practice game of the online edition if left out.  Later rounds make
        shorter games.

    Raises
    ------
    SettingError
        If the state is in another phase.
    IllegalActionError
        If an action is chosen that the rules do not allow.
    """
    start = alone(state)
    return Price(points(start.skyline) + Chain(decider, start).run(), _best(start))


def price_below(decider: Decider, limit: float, state: State | None = None) -> Price | None:
    """Price a way to play, or give up as soon as it is sure to cost no less than a limit.

    Parameters
    ----------
    decider : Decider
    limit : float
        Points behind best play.
    state : State, optional
        As for `price`.

    Returns
    -------
    Price or None
        Exactly as `price` has it, None if the cost is `limit` or more.

    Notes
    -----
    What is lost after some turns is the best value at the start, less the points gained and the
    best values of the columns that stand then.  It only grows from turn to turn.
    """
    start = alone(state)
    best, displayed = _best(start), points(start.skyline)
    table = value_table(start.rules.dice_set, nine=start.rules.nine)
    chain = Chain(decider, start)
    for keys, masses in chain.turns():
        to_come = float(masses @ table.gains(keys, chain.turns_left))
        if best - displayed - chain.gained - to_come >= limit:
            return None
    return Price(displayed + chain.gained, best)


def alone(state: State | None = None) -> State:
    """Return the practice game that begins as a game does for the player to move.

    Parameters
    ----------
    state : State, optional
        In phase ``TAKE``; the practice game of the online edition if left out.

    Raises
    ------
    SettingError
        If the state is in another phase.
    """
    start = new_game(1) if state is None else state
    if start.phase is not Phase.TAKE:
        raise SettingError("phase {phase}: expected phase take", phase=start.phase)
    return replace(
        start,
        skylines=(start.skyline,),
        seat=1,
        district=ONE_OF_EACH,
        rules=replace(start.rules, box=False),
    )


@lru_cache(maxsize=16)
def _best(state: State) -> float:
    return value(state).value


def price_function(way: Way, state: State | None = None) -> Price:
    """Price a function from positions to actions.

    Parameters
    ----------
    way : callable
        Is asked about positions of the practice game: one seat, one die of each kind in the
        district, only the unfinished columns.  It must choose the same whenever it is asked.
    state : State, optional
        As for `price`.

    Raises
    ------
    IllegalActionError
        If it chooses an action that the rules do not allow.

    Notes
    -----
    Every position that can come up is asked about once: some ten thousand for the last three
    turns, which takes a second, and a million for a whole game.

    Examples
    --------
    >>> from skyline_kernel.skyline import legal_actions, parse_position
    >>> def first_of_all(state):
    ...     return legal_actions(state)[0]
    >>> last_turn = parse_position("m2 G1U1P1 - take 9.1")
    >>> round(price_function(first_of_all, last_turn).expected, 6)
    1.5
    """
    return price(_ByFunction(way), state)


# --- functions one position at a time ---------------------------------------------------------


class _ByFunction:
    """Asks a function about every position."""

    def __init__(self, way: Way) -> None:
        self._way = way
        self._skylines: dict[int, Skyline] = {}

    def decide(self, view: View) -> list[Chosen]:
        """Ask about each position and put equal answers together."""
        found: dict[Action, list[int]] = {}
        for row, key in enumerate(view.keys.tolist()):
            state = self._state(view, key)
            action = self._way(state)
            verify(state, action)
            found.setdefault(action, []).append(row)
        return [(action, np.array(rows)) for action, rows in found.items()]

    def _state(self, view: View, key: int) -> State:
        if key not in self._skylines:
            self._skylines[key] = _columns_in(key)
        return state_of(view, key, self._skylines[key])


def state_of(view: View, key: int, skyline: Skyline | None = None) -> State:
    """Return one position of a view as the rules have it, with its unfinished columns only.

    Parameters
    ----------
    view : View
    key : int
        One of its keys.
    skyline : Skyline, optional
        What the key says, if that is known.
    """
    return State(
        skylines=(_columns_in(key) if skyline is None else skyline,),
        district=ONE_OF_EACH,
        dice=view.dice,
        phase=view.phase,
        step=view.step,
        round=N_ROUNDS - view.turns_left,
        seat=1,
        is_last_round=bool(key & STANDARD_PACKING.ones[ENDED]),
        rules=view.rules,
    )


def _columns_in(key: int) -> Skyline:
    shifts: Mapping[Any, int] = STANDARD_PACKING.shifts
    masks: Mapping[Any, int] = STANDARD_PACKING.masks
    return tuple(
        column for column in COLUMNS for _ in range((key >> shifts[column]) & masks[column])
    )
