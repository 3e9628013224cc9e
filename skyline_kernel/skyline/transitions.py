"""The rules at work: what is legal, and what follows.

Legality stands in one place: `verify` raises the reason why an action is not allowed, `can`
asks it, and `apply` begins with it.  `legal_actions` lists what passes; that it lists exactly
that is held by the tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import combinations_with_replacement
from typing import Any, Final, NamedTuple

from ..errors import IllegalActionError
from ..lazy import LazyChain, LazyMap
from .actions import (
    END,
    TAKE_DISTRICT,
    Abandon,
    Action,
    Build,
    Demolish,
    End,
    Reroll,
    Roll,
    Take,
    TakeDistrict,
)
from .columns import GROWTH, STARTS, Column, Skyline, points, sorted_skyline
from .dice import KINDS, ONE_OF_EACH, Die, Kind, KindCounts, count_kinds, sorted_dice, unrolled
from .dice_sets import Outcome, roll_outcomes
from .parts import Parts
from .state import N_ROUNDS, SIX_STOREYS, Phase, State, Step, yard

__all__ = [
    "LogEntry",
    "Transition",
    "apply",
    "can",
    "chance_outcomes",
    "legal_actions",
    "legal_builds",
    "successor",
    "verify",
]

DICE_FROM_YARD: Final = 3


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


def verify(state: State, action: Action) -> None:
    """Raise the reason if `action` is not allowed in `state`.

    Raises
    ------
    IllegalActionError
        If the rules do not allow the action; the message names it and what is expected.
    """
    refusal = _refusal(state, action)
    if refusal is not None:
        raise refusal


def can(state: State, action: Action) -> bool:
    """Return whether `action` is allowed in `state`."""
    return _refusal(state, action) is None


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
    finished = _column_after(action) if isinstance(action, Build) else None
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
    follow: Callable[[State, Any], State] = _RULES[type(action)].follow
    return follow(state, action)


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
    _raise(_not_in(state, Phase.ROLL, "roll"))
    rolled = count_kinds(die.kind for die in state.dice if not die.is_rolled)
    return tuple(
        (Roll(outcome), probability)
        for outcome, probability in roll_outcomes(state.rules.dice_set, rolled)
    )


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


# --- when each kind of action is allowed ------------------------------------------------------

Refusal = IllegalActionError | None


def _raise(refusal: Refusal) -> None:
    if refusal is not None:
        raise refusal


def _refusal(state: State, action: Action) -> Refusal:
    why_not: Callable[[State, Any], Refusal] = _RULES[type(action)].why_not
    return why_not(state, action)


def _not_in(state: State, phase: Phase, word: str) -> Refusal:
    if state.phase is phase:
        return None
    if state.is_over:
        return IllegalActionError("{action}: the game is over", action=word)
    return IllegalActionError(
        "{action}: not in phase {phase}, expected {expected}",
        action=word,
        phase=state.phase,
        expected=_EXPECTED[state.phase],
    )


_EXPECTED: Final = {
    Phase.TAKE: "take",
    Phase.ROLL: "roll",
    Phase.USE: "build, abandon or demolish",
    Phase.MORE: "build, abandon, demolish, reroll or end",
}


def _why_not_take(state: State, action: Take) -> Refusal:
    wrong_time = _not_in(state, Phase.TAKE, "take")
    if wrong_time:
        return wrong_time
    kinds = "".join(action.kinds)
    if len(action.kinds) != DICE_FROM_YARD:
        return IllegalActionError(
            "take {kinds}: expected three dice of the construction yard", kinds=kinds
        )
    left = yard(state)
    if left is not None and not _is_part(count_kinds(action.kinds), left):
        return IllegalActionError(
            "take {kinds}: the construction yard holds only G{ground}U{upper}P{penthouse}",
            kinds=kinds,
            ground=left[0],
            upper=left[1],
            penthouse=left[2],
        )
    return None


def _why_not_take_district(state: State, _action: TakeDistrict) -> Refusal:
    wrong_time = _not_in(state, Phase.TAKE, "take district")
    if wrong_time or any(state.district):
        return wrong_time
    return IllegalActionError("take district: the abandoned district is empty")


def _why_not_roll(state: State, action: Roll) -> Refusal:
    wrong_time = _not_in(state, Phase.ROLL, "roll")
    if wrong_time:
        return wrong_time
    expected = [die.kind for die in state.dice if not die.is_rolled]
    if action.outcome is None:
        return IllegalActionError(
            "roll: what {kinds} show is left to chance, expected roll= and an outcome",
            kinds="".join(expected),
        )
    impossible = [die for die in action.outcome if not state.rules.dice_set.weight(die)]
    if impossible:
        return IllegalActionError("roll: {die} is no face of this dice set", die=impossible[0])
    if [die.kind for die in sorted_dice(action.outcome)] != expected:
        return IllegalActionError(
            "roll={outcome}: expected faces of {kinds}",
            outcome=",".join(action.outcome),
            kinds="".join(expected),
        )
    return None


def _why_not_use(state: State, dice: Iterable[Die], step: Step) -> Refusal:
    if state.phase is not Phase.USE and state.phase is not Phase.MORE:
        return _not_in(state, Phase.USE, step)
    if state.step is not None and state.step is not step:
        return IllegalActionError(
            "{action}: this step is for {step}, expected one kind of action a step",
            action=step,
            step=state.step,
        )
    return _why_not_active(state, dice, step)


def _why_not_active(state: State, dice: Iterable[Die], word: str) -> Refusal:
    active = state.dice
    wanted = tuple(dice)
    if len(wanted) == 1 and wanted[0] in active:
        return None
    missing = Counter(wanted) - Counter(active)
    if wanted and not missing:
        return None
    return IllegalActionError(
        "{action} {dice}: expected some of the active dice {active}",
        action=word,
        dice=",".join(missing.elements()) or "-",
        active=",".join(active),
    )


def _why_not_build(state: State, action: Build) -> Refusal:
    unusable = _why_not_use(state, (action.die,), Step.BUILD)
    if unusable:
        return unusable
    if action.column is None:
        if action.die in STARTS:
            return None
        return IllegalActionError(
            "build {die}: expected a ground floor that shows a style, or @ and a column",
            die=action.die,
        )
    return _why_not_own(state, action.column, "build") or _why_not_grow(action)


def _why_not_own(state: State, column: Column, word: str) -> Refusal:
    if column in state.skyline:
        return None
    return IllegalActionError(
        "{action} @{column}: expected one of your own columns {skyline}",
        action=word,
        column=column,
        skyline=",".join(state.skyline) or "-",
    )


def _why_not_grow(action: Build) -> Refusal:
    if _column_after(action) is not None:
        return None
    return IllegalActionError(
        "build {die}@{column}: the die does not fit on this column",
        die=action.die,
        column=action.column,
    )


def _why_not_abandon(state: State, action: Abandon) -> Refusal:
    return _why_not_use(state, (action.die,), Step.ABANDON)


def _why_not_demolish(state: State, action: Demolish) -> Refusal:
    unusable = _why_not_use(state, action.dice, Step.DEMOLISH)
    if unusable:
        return unusable
    if state.step is Step.DEMOLISH:
        return IllegalActionError("demolish: once a step, expected reroll or end")
    if len(action.dice) > 1 and not state.rules.is_printed:
        return IllegalActionError(
            "demolish {dice}: expected one die for a building", dice=",".join(action.dice)
        )
    return _why_not_own(state, action.column, "demolish")


def _why_not_reroll(state: State, action: Reroll) -> Refusal:
    return _not_in(state, Phase.MORE, "reroll") or _why_not_active(state, action.dice, "reroll")


def _why_not_end(state: State, _action: End) -> Refusal:
    if state.phase is Phase.TAKE and not _has_dice_to_take(state):
        return None
    if state.phase is Phase.USE:
        return IllegalActionError("end: at least one die is used after every roll")
    return _not_in(state, Phase.MORE, "end")


def _has_dice_to_take(state: State) -> bool:
    # The rules leave out what happens when a limited box runs out: the turn passes.
    left = yard(state)
    return left is None or any(state.district) or sum(left) >= DICE_FROM_YARD


def _is_part(part: KindCounts, whole: KindCounts) -> bool:
    return all(n <= limit for n, limit in zip(part, whole, strict=True))


# --- what follows from each kind of action ----------------------------------------------------


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
    column = _column_after(action)
    assert column is not None
    skyline.append(column)
    is_last = state.is_last_round or (column is SIX_STOREYS and not state.rules.nine)
    return _after_use(
        state, (action.die,), Step.BUILD, skyline=sorted_skyline(skyline), is_last_round=is_last
    )


def _column_after(action: Build) -> Column | None:
    if action.column is None:
        return STARTS.get(action.die)
    return GROWTH.get((action.column, action.die))


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


class _Rule(NamedTuple):
    why_not: Callable[[State, Any], Refusal]
    follow: Callable[[State, Any], State]


_RULES: Final[dict[type, _Rule]] = {
    Take: _Rule(_why_not_take, _take),
    TakeDistrict: _Rule(_why_not_take_district, _take_district),
    Roll: _Rule(_why_not_roll, _roll),
    Build: _Rule(_why_not_build, _build),
    Abandon: _Rule(_why_not_abandon, _abandon),
    Demolish: _Rule(_why_not_demolish, _demolish),
    Reroll: _Rule(_why_not_reroll, _reroll),
    End: _Rule(_why_not_end, _end),
}


# --- what is legal, listed --------------------------------------------------------------------

_TAKES: Final = tuple(
    (Take(kinds), count_kinds(kinds))
    for kinds in combinations_with_replacement(KINDS, DICE_FROM_YARD)
)


def _legal_takes(state: State) -> Sequence[Action]:
    left = yard(state)
    takes: list[Action] = [
        take for take, counts in _TAKES if left is None or _is_part(counts, left)
    ]
    if any(state.district):
        return [*takes, TAKE_DISTRICT]
    return takes or [END]


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
