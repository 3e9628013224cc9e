"""What can happen next: the legal actions, and the outcomes of a roll with their chances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import combinations_with_replacement
from typing import Final

from ..lazy import LazyChain, LazyMap
from .actions import END, TAKE_DISTRICT, Abandon, Action, Build, Demolish, Reroll, Roll, Take
from .columns import GROWTH, STARTS, Column
from .dice import KINDS, Die, count_kinds
from .dice_sets import Outcome, roll_outcomes
from .legality import DICE_FROM_YARD, is_part, verify_phase
from .parts import Parts
from .state import Phase, State, Step, yard

__all__ = ["chance_outcomes", "legal_actions", "legal_builds"]


def legal_actions(state: State) -> Sequence[Action]:
    """List the actions allowed in `state`, equal ones once.

    In phase ``ROLL`` these are the rolls with each possible outcome; when the game is over there
    are none.

    Returns
    -------
    sequence of Action
        Every part of the active dice can be rerolled, so there may be very many; the sequence
        knows its length at once and makes an action when it is read.
    """
    return _LEGAL[state.phase](state)


def legal_builds(state: State) -> list[Build]:
    """List the ways to build that are allowed in `state`, equal ones once."""
    if state.phase not in (Phase.USE, Phase.MORE) or state.step not in (None, Step.BUILD):
        return []
    columns = dict.fromkeys(state.skyline)
    builds = []
    for die in dict.fromkeys(state.dice):
        if die in STARTS:
            builds.append(_building(die, None))
        builds += [_building(die, column) for column in columns if (column, die) in GROWTH]
    return builds


def chance_outcomes(state: State) -> tuple[tuple[Roll, Fraction], ...]:
    """List what the roll can show, each distinct outcome once, with its exact probability.

    Returns
    -------
    tuple of (Roll, Fraction)
        In canonical order; the probabilities sum to exactly 1.

    Raises
    ------
    IllegalActionError
        If no dice are rolled next.
    """
    verify_phase(state, Phase.ROLL, "roll")
    rolled = count_kinds(die.kind for die in state.dice if not die.is_rolled)
    return tuple(
        (Roll(outcome), probability)
        for outcome, probability in roll_outcomes(state.rules.dice_set, rolled)
    )


_TAKES: Final = tuple(
    (Take(kinds), count_kinds(kinds))
    for kinds in combinations_with_replacement(KINDS, DICE_FROM_YARD)
)


def _legal_takes(state: State) -> Sequence[Action]:
    # There is always one: no penthouse stands in a column, so where the district of a limited box
    # is empty all seven of them lie in the yard.
    left = yard(state)
    takes: list[Action] = [take for take, counts in _TAKES if left is None or is_part(counts, left)]
    return [*takes, TAKE_DISTRICT] if any(state.district) else takes


def _legal_rolls(state: State) -> Sequence[Action]:
    return [roll for roll, _ in chance_outcomes(state)]


def _legal_uses(state: State) -> Sequence[Action]:
    actions: list[Action] = [*legal_builds(state)]
    if state.step is None or state.step is Step.ABANDON:
        actions += map(_abandoning, dict.fromkeys(state.dice))
    if state.step is not None:
        return actions
    return LazyChain(actions, *_demolitions(state))


def _demolitions(state: State) -> list[Sequence[Action]]:
    given: Sequence[Outcome] = [(die,) for die in dict.fromkeys(state.dice)]
    if state.rules.is_printed:
        given = Parts(state.dice)
    return [
        LazyMap(partial(Demolish, column=column), given) for column in dict.fromkeys(state.skyline)
    ]


def _legal_more(state: State) -> Sequence[Action]:
    return LazyChain(_legal_uses(state), LazyMap(Reroll, Parts(state.dice)), [END])


def _legal_over(_state: State) -> Sequence[Action]:
    return ()


_LEGAL: Final[dict[Phase, Callable[[State], Sequence[Action]]]] = {
    Phase.TAKE: _legal_takes,
    Phase.ROLL: _legal_rolls,
    Phase.USE: _legal_uses,
    Phase.MORE: _legal_more,
    Phase.OVER: _legal_over,
}


@cache
def _building(die: Die, column: Column | None) -> Build:
    return Build(die, column)


@cache
def _abandoning(die: Die) -> Abandon:
    return Abandon(die)
