"""A position under work, and what can be changed of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from skyline_kernel.errors import KitError, SettingError
from skyline_kernel.skyline import (
    Column,
    DiceSet,
    Die,
    Edition,
    Kind,
    Phase,
    State,
    Step,
    format_position,
    new_game,
    parse_position,
    shipped_dice_set,
)
from skyline_kernel.skyline.columns import sorted_skyline
from skyline_kernel.skyline.dice import FACES, KINDS, sorted_dice
from skyline_kernel.skyline.dice_sets import SHIPPED, parse_dice_set, verified_own
from skyline_kernel.skyline.state import MAX_PLAYERS, N_ROUNDS, STARTING_SKYLINES

from .advice_view import OBJECTIVES
from .lab_base import flag_in, number_in, word_in

__all__ = ["MOST_ACTIVE", "MOST_SIDES", "OWN", "Edited", "Remembered", "dice_set_toml", "edited"]

MOST_ACTIVE: Final = 8
"""Most active dice that can be set."""

MOST_SIDES: Final = 12
"""Most sides of a die that show one face."""

OWN: Final = "my-dice"
"""Name of dice whose sides were changed."""

_MOST_COLUMNS: Final = 12
_TABLES: Final = ("ground-floor", "upper-floor", "penthouse")
_KEYS: Final = ("low-rise", "mid-rise", "high-rise", "blank")


class Remembered(NamedTuple):
    """A position that others are compared with.

    Parameters
    ----------
    position : str
    objective : str
    value : float
        With best play, in points.
    """

    position: str
    objective: str
    value: float


@dataclass(frozen=True, slots=True)
class Edited:
    """A position under work.

    Parameters
    ----------
    state : State
        Sound or not; `problem` says what is wrong with it.
    objective : str
    is_solving : bool
        Whether the dice are being solved.
    remembered : Remembered or None
        A position to compare with.
    awaited : State or None
        A position with many dice that somebody is willing to wait for.
    """

    state: State
    objective: str = OBJECTIVES[0]
    is_solving: bool = False
    remembered: Remembered | None = None
    awaited: State | None = None

    @property
    def problem(self) -> KitError | None:
        """What is wrong with the position, None if it is sound."""
        try:
            parse_position(format_position(self.state), self.own_dice_sets)
        except KitError as error:
            return error
        return None

    @property
    def own_dice_sets(self) -> tuple[DiceSet, ...]:
        """The dice set in use, if it is not one that comes with the kit."""
        dice_set = self.state.rules.dice_set
        return () if dice_set.name in SHIPPED else (dice_set,)


# --- editing ----------------------------------------------------------------------------------


def edited(state: State, command: Mapping[str, Any]) -> State:
    """Return the position after a command of the page.

    Raises
    ------
    SettingError
        If there is no such command, or what it sets is out of its bounds.
    """
    match command.get("do"):
        case "set":
            return _set(state, str(command.get("name")), command)
        case "add column":
            return _add_column(state, word_in(command, list(Column)))
        case "drop column":
            column = Column(word_in(command, state.skyline))
            return _with_skyline(state, _less(state.skyline, column))
        case "add die":
            return _with_dice(state, (*state.dice, Die(word_in(command, list(Die)))))
        case "drop die":
            return _with_dice(state, _less(state.dice, Die(word_in(command, state.dice))))
        case "start":
            return new_game(state.n_players, state.rules)
        case "open dice":
            return _with_dice_set(state, parse_dice_set(str(command.get("text"))))
    raise SettingError("{name!r}: there is no such command", name=command.get("do"))


def _with_dice_set(state: State, dice_set: DiceSet) -> State:
    """Use other dice; active ones that show what these do not have are taken away."""
    state = replace(state, rules=replace(state.rules, dice_set=dice_set))
    kept = tuple(die for die in state.dice if not die.is_rolled or dice_set.weight(die))
    return _with_dice(state, kept) if len(kept) < len(state.dice) else state


def _less(things: tuple[Any, ...], one: Any) -> tuple[Any, ...]:
    left = list(things)
    left.remove(one)
    return tuple(left)


def _add_column(state: State, code: str) -> State:
    if len(state.skyline) >= _MOST_COLUMNS:
        raise SettingError("At most {n} columns can be set here.", n=_MOST_COLUMNS)
    return _with_skyline(state, sorted_skyline((*state.skyline, Column(code))))


def _with_skyline(state: State, skyline: tuple[Column, ...]) -> State:
    seat = state.seat
    return replace(state, skylines=(*state.skylines[: seat - 1], skyline, *state.skylines[seat:]))


def _with_dice(state: State, dice: tuple[Die, ...]) -> State:
    """Change the active dice, and the phase where it must follow them."""
    if len(dice) > MOST_ACTIVE:
        raise SettingError("At most {n} active dice can be set here.", n=MOST_ACTIVE)
    phase = state.phase
    if not dice:
        phase = Phase.TAKE
    elif any(not die.is_rolled for die in dice):
        phase = Phase.ROLL
    elif phase not in (Phase.USE, Phase.MORE):
        phase = Phase.USE
    return _in_phase(replace(state, dice=sorted_dice(dice)), phase)


def _in_phase(state: State, phase: Phase) -> State:
    has_step = phase is Phase.MORE and state.rules.is_printed
    step = (state.step or Step.BUILD) if has_step else None
    dice = () if phase in (Phase.TAKE, Phase.OVER) else state.dice
    return replace(state, phase=phase, step=step, dice=dice)


def _set(state: State, name: str, command: Mapping[str, Any]) -> State:
    if name.startswith("sides."):
        return _with_sides(state, name, number_in(command, 0, MOST_SIDES))
    if name.startswith("district."):
        return _with_district(state, name, number_in(command, 0, MOST_ACTIVE))
    if name not in _SETTERS:
        raise SettingError("{name!r}: there is no such setting", name=name)
    return _SETTERS[name](state, command)


def _set_round(state: State, command: Mapping[str, Any]) -> State:
    return replace(state, round=number_in(command, 1, N_ROUNDS))


def _set_seat(state: State, command: Mapping[str, Any]) -> State:
    return replace(state, seat=number_in(command, 1, state.n_players))


def _set_players(state: State, command: Mapping[str, Any]) -> State:
    n = number_in(command, 1, MAX_PLAYERS)
    skylines = (*state.skylines, *STARTING_SKYLINES[state.n_players :])[:n]
    return replace(state, skylines=skylines, seat=min(state.seat, n))


def _set_phase(state: State, command: Mapping[str, Any]) -> State:
    return _in_phase(state, Phase(word_in(command, list(Phase))))


def _set_step(state: State, command: Mapping[str, Any]) -> State:
    return replace(state, step=Step(word_in(command, list(Step))))


def _set_last(state: State, command: Mapping[str, Any]) -> State:
    return replace(state, is_last_round=flag_in(command))


def _set_edition(state: State, command: Mapping[str, Any]) -> State:
    edition = Edition(word_in(command, list(Edition)))
    return _in_phase(replace(state, rules=replace(state.rules, edition=edition)), state.phase)


def _set_nine(state: State, command: Mapping[str, Any]) -> State:
    is_on = flag_in(command)
    is_last = state.is_last_round and not is_on
    return replace(state, rules=replace(state.rules, nine=is_on), is_last_round=is_last)


def _set_box(state: State, command: Mapping[str, Any]) -> State:
    return replace(state, rules=replace(state.rules, box=flag_in(command)))


def _set_dice_set(state: State, command: Mapping[str, Any]) -> State:
    name = word_in(command, (*SHIPPED, OWN))
    old = state.rules.dice_set
    dice_set = shipped_dice_set(name) if name in SHIPPED else DiceSet(OWN, old.weights)
    return replace(state, rules=replace(state.rules, dice_set=dice_set))


_SETTERS: Final[Mapping[str, Callable[[State, Mapping[str, Any]], State]]] = {
    "box": _set_box,
    "dice_set": _set_dice_set,
    "edition": _set_edition,
    "last": _set_last,
    "nine": _set_nine,
    "phase": _set_phase,
    "players": _set_players,
    "round": _set_round,
    "seat": _set_seat,
    "step": _set_step,
}


def _with_district(state: State, name: str, n_dice: int) -> State:
    place = list(KINDS).index(Kind(name.removeprefix("district.")))
    ground, upper, penthouse = (n_dice if i == place else n for i, n in enumerate(state.district))
    return replace(state, district=(ground, upper, penthouse))


def _with_sides(state: State, name: str, n_sides: int) -> State:
    _, kind, face = name.split(".")
    weights = [list(some) for some in state.rules.dice_set.weights]
    weights[list(KINDS).index(Kind(kind))][[str(one) for one in FACES].index(face)] = n_sides
    ground, upper, penthouse = ((low, mid, high, blank) for low, mid, high, blank in weights)
    own = verified_own(DiceSet(OWN, (ground, upper, penthouse)))
    return replace(state, rules=replace(state.rules, dice_set=own))


def dice_set_toml(dice_set: DiceSet) -> str:
    """Return the file of a dice set, as ``read_dice_set`` reads it."""
    parts = [f'name = "{dice_set.name}"\n']
    for table, weights, source in zip(_TABLES, dice_set.weights, dice_set.sources, strict=True):
        sides = "".join(f"{key} = {n}\n" for key, n in zip(_KEYS, weights, strict=True))
        parts.append(f"\n[{table}]\n{sides}source = {_toml_text(source)}\n")
    return "".join(parts)


def _toml_text(words: str) -> str:
    """Write somebody's own words as JSON does, but for two things that TOML refuses.

    It knows no pair of escapes for one character, and takes the character DEL only escaped.
    """
    return json.dumps(words, ensure_ascii=False).replace("\x7f", "\\u007f")
