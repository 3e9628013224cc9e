"""What the rules allow, and why not.

Legality stands in this one place: `verify` raises the reason why an action is not allowed, `can`
asks it, and every transition begins with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final

from ..errors import IllegalActionError
from .actions import (
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
from .columns import STARTS, Column
from .dice import Die, KindCounts, count_kinds, sorted_dice
from .state import Phase, State, Step, yard

__all__ = ["DICE_FROM_YARD", "can", "is_part", "verify", "verify_phase"]

DICE_FROM_YARD: Final = 3

Refusal = IllegalActionError | None


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


def verify_phase(state: State, phase: Phase, word: str) -> None:
    """Raise if something called `word` is tried outside `phase`.

    Raises
    ------
    IllegalActionError
        If the game is in another phase, or over.
    """
    refusal = _not_in(state, phase, word)
    if refusal is not None:
        raise refusal


def _refusal(state: State, action: Action) -> Refusal:
    return _WHY_NOT[type(action)](state, action)


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
    if left is not None and not is_part(count_kinds(action.kinds), left):
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
    if column_after(action) is not None:
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
    if state.phase is Phase.USE:
        return IllegalActionError("end: at least one die is used after every roll")
    return _not_in(state, Phase.MORE, "end")


def is_part(part: KindCounts, whole: KindCounts) -> bool:
    """Return whether `whole` holds at least the dice of `part`."""
    return all(n <= limit for n, limit in zip(part, whole, strict=True))


_WHY_NOT: Final[dict[type, Callable[[State, Any], Refusal]]] = {
    Take: _why_not_take,
    TakeDistrict: _why_not_take_district,
    Roll: _why_not_roll,
    Build: _why_not_build,
    Abandon: _why_not_abandon,
    Demolish: _why_not_demolish,
    Reroll: _why_not_reroll,
    End: _why_not_end,
}
