"""What follows from an action: pure functions from state to state.

Each transition begins with `verify`; the state that is passed in is never changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from .actions import (
    END,
    Abandon,
    Action,
    Build,
    Demolish,
    End,
    Reroll,
    Roll,
    Take,
    TakeDistrict,
    column_after,
)
from .columns import Column, Skyline, points, sorted_skyline
from .dice import KINDS, ONE_OF_EACH, Die, Kind, KindCounts, sorted_dice, unrolled
from .legality import verify
from .state import N_ROUNDS, SIX_STOREYS, Phase, State, Step, yard

__all__ = ["LogEntry", "Transition", "apply", "successor"]


@dataclass(frozen=True, slots=True)
class LogEntry:
    """The record of one action; the entries of a game are its log.

    Parameters
    ----------
    round, seat : int
        When and by whom.
    action : Action
    points : int
        Points that the seat shows on the table afterwards.
    finished : Column or None
        The building that was finished.
    ends_turn, ends_game : bool
        Whether the turn, or the game, was over with it.
    """

    round: int
    seat: int
    action: Action
    points: int
    finished: Column | None
    ends_turn: bool
    ends_game: bool


class Transition(NamedTuple):
    """The state after an action, and the record of it."""

    state: State
    entry: LogEntry


def apply(state: State, action: Action) -> Transition:
    """Return the state after `action` and the record of it.

    Parameters
    ----------
    state : State
        Left as it is.
    action : Action
        A `Roll` with its outcome in phase ``ROLL``.

    Raises
    ------
    IllegalActionError
        As `verify`.
    """
    after = successor(state, action)
    ends_turn = after.phase in (Phase.TAKE, Phase.OVER)
    finished = column_after(action) if isinstance(action, Build) else None
    entry = LogEntry(
        round=state.round,
        seat=state.seat,
        action=action,
        points=points(after.skylines[state.seat - 1]),
        finished=finished if finished is not None and finished.is_finished else None,
        ends_turn=ends_turn,
        ends_game=after.is_over,
    )
    return Transition(after, entry)


def successor(state: State, action: Action) -> State:
    """Return the state after `action`.

    Raises
    ------
    IllegalActionError
        As `verify`.
    """
    verify(state, action)
    return _FOLLOW[type(action)](state, action)


def _take(state: State, action: Take) -> State:
    return _about_to_roll(state, action.kinds, state.district)


def _take_district(state: State, _action: TakeDistrict) -> State:
    kinds = [kind for kind, n in zip(KINDS, state.district, strict=True) for _ in range(n)]
    taken = _about_to_roll(state, kinds, (0, 0, 0))
    left = yard(taken)
    ground, upper, penthouse = ONE_OF_EACH if left is None else (min(1, n) for n in left)
    return _about_to_roll(state, kinds, (ground, upper, penthouse))


def _about_to_roll(state: State, kinds: Iterable[Kind], district: KindCounts) -> State:
    dice = sorted_dice(map(unrolled, kinds))
    return _changed(state, Phase.ROLL, dice, district=district)


def _roll(state: State, action: Roll) -> State:
    kept = [die for die in state.dice if die.is_rolled]
    return _changed(state, Phase.USE, sorted_dice((*kept, *(action.outcome or ()))))


def _build(state: State, action: Build) -> State:
    skyline = list(state.skyline)
    if action.column is not None:
        skyline.remove(action.column)
    column = column_after(action)
    assert column is not None
    skyline.append(column)
    is_last = state.is_last_round or (column is SIX_STOREYS and not state.rules.nine)
    return _after_use(
        state, (action.die,), Step.BUILD, skyline=sorted_skyline(skyline), is_last_round=is_last
    )


def _abandon(state: State, action: Abandon) -> State:
    ground, upper, penthouse = (
        n + (kind is action.die.kind) for kind, n in zip(KINDS, state.district, strict=True)
    )
    return _after_use(state, (action.die,), Step.ABANDON, district=(ground, upper, penthouse))


def _demolish(state: State, action: Demolish) -> State:
    skyline = list(state.skyline)
    skyline.remove(action.column)
    return _after_use(state, action.dice, Step.DEMOLISH, skyline=tuple(skyline))


def _reroll(state: State, action: Reroll) -> State:
    kept = _without(state.dice, action.dice)
    again = [unrolled(die.kind) for die in action.dice]
    return _changed(state, Phase.ROLL, sorted_dice((*kept, *again)))


def _end(state: State, _action: End) -> State:
    if state.seat < state.n_players:
        return _next_turn(state, state.round, state.seat + 1)
    if state.is_last_round or state.round == N_ROUNDS:
        return _changed(state, Phase.OVER, ())
    return _next_turn(state, state.round + 1, 1)


def _next_turn(state: State, round_number: int, seat: int) -> State:
    return State(
        state.skylines,
        state.district,
        (),
        Phase.TAKE,
        None,
        round_number,
        seat,
        state.is_last_round,
        state.rules,
    )


def _after_use(state: State, used: tuple[Die, ...], step: Step, **changes: Any) -> State:
    left = _without(state.dice, used)
    kept_step = step if state.rules.is_printed else None
    after = _changed(state, Phase.MORE, left, step=kept_step, **changes)
    return after if left else _end(after, END)


def _without(dice: tuple[Die, ...], used: Iterable[Die]) -> tuple[Die, ...]:
    left = list(dice)
    for die in used:
        left.remove(die)
    return tuple(left)


def _changed(
    state: State,
    phase: Phase,
    dice: tuple[Die, ...],
    *,
    step: Step | None = None,
    skyline: Skyline | None = None,
    district: KindCounts | None = None,
    is_last_round: bool | None = None,
) -> State:
    skylines = state.skylines
    if skyline is not None:
        skylines = (*skylines[: state.seat - 1], skyline, *skylines[state.seat :])
    return State(
        skylines,
        state.district if district is None else district,
        dice,
        phase,
        step,
        state.round,
        state.seat,
        state.is_last_round if is_last_round is None else is_last_round,
        state.rules,
    )


_FOLLOW: Final[dict[type, Callable[[State, Any], State]]] = {
    Take: _take,
    TakeDistrict: _take_district,
    Roll: _roll,
    Build: _build,
    Abandon: _abandon,
    Demolish: _demolish,
    Reroll: _reroll,
    End: _end,
}
