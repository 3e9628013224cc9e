"""Positions, actions and rules as text, both ways.

A position is six words: skylines, abandoned district, active dice, phase, clock, rules::

    h3,m1,L2/- G1U1P1 Gl,Um,P- use 5.1 online+nine

Each ``parse_x`` is the inverse of ``format_x``.  Output is in canonical order, input may be in
any order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final, NoReturn

from ..errors import NotationError
from .actions import (
    END,
    ROLL,
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
from .columns import Column, Skyline, sorted_skyline
from .dice import KINDS, Die, Kind, KindCounts, sorted_dice
from .dice_sets import SHIPPED, STANDARD, DiceSet, shipped_dice_set
from .state import MAX_PLAYERS, N_ROUNDS, Defect, Edition, Phase, Rules, State, Step, defects

__all__ = [
    "format_action",
    "format_dice",
    "format_district",
    "format_position",
    "format_rules",
    "format_skyline",
    "parse_action",
    "parse_dice",
    "parse_position",
    "parse_rules",
]

_NONE: Final = "-"
_N_WORDS: Final = 6
_MAX_DICE: Final = 999
_DISTRICT: Final = re.compile(r"(?:[GUP][0-9]{1,3}){3}")
_CLOCK: Final = re.compile(r"([1-9])\.([1-4])(!?)")


def _refuse(word: str, expected: str) -> NoReturn:
    # A word of a stranger's text may be endless; the message stays one line.
    shown = word if len(word) <= 60 else word[:57] + "..."
    raise NotationError("{word!r}: expected {expected}", word=shown, expected=expected)


# --- rules ------------------------------------------------------------------------------------


def format_rules(rules: Rules) -> str:
    """Return the rules word, such as ``printed+nine+box``."""
    options = [word for word, is_on in (("nine", rules.nine), ("box", rules.box)) if is_on]
    name = rules.dice_set.name
    return "+".join([rules.edition, *options, *([] if name == STANDARD else [name])])


def parse_rules(word: str, dice_sets: Iterable[DiceSet] = ()) -> Rules:
    """Read a rules word.

    Parameters
    ----------
    word : str
        ``online`` or ``printed``, then any of ``+nine``, ``+box`` and the name of a dice set.
    dice_sets : iterable of DiceSet
        Dice sets of one's own that the word may name, beside the shipped ones.

    Raises
    ------
    NotationError
        If a part of the word is unknown or given twice.
    """
    edition, *options = word.split("+")
    if edition not in list(Edition):
        _refuse(word, "rules that begin with online or printed")
    own = {dice_set.name: dice_set for dice_set in dice_sets}
    names = [option for option in options if option not in ("nine", "box")]
    known = [*SHIPPED, *own]
    for option in options:
        if options.count(option) > 1:
            _refuse(word, f"{option} only once")
    for name in names:
        if name not in known:
            _refuse(name, f"nine, box or one of the dice sets {', '.join(known)}")
    if len(names) > 1:
        _refuse(word, "one dice set")
    name = names[0] if names else STANDARD
    dice_set = own[name] if name in own else shipped_dice_set(name)
    return Rules(Edition(edition), "nine" in options, "box" in options, dice_set)


# --- parts of a position ----------------------------------------------------------------------


def format_skyline(skyline: Skyline) -> str:
    """Return columns with commas between them, ``-`` for none."""
    return ",".join(skyline) or _NONE


def _parse_skyline(word: str) -> Skyline:
    if word == _NONE:
        return ()
    return sorted_skyline(_parse_column(column) for column in word.split(","))


def _parse_column(word: str) -> Column:
    try:
        return Column(word)
    except ValueError:
        _refuse(word, "a column: h1-h5, m1-m3, l1 or finished H3-H6, M2-M4, L2")


def _parse_skylines(word: str) -> tuple[Skyline, ...]:
    skylines = word.split("/")
    if len(skylines) > MAX_PLAYERS:
        _refuse(word, f"skylines of 1 to {MAX_PLAYERS} players")
    return tuple(_parse_skyline(skyline) for skyline in skylines)


def format_district(district: KindCounts) -> str:
    """Return the dice in the abandoned district, such as ``G2U1P1``."""
    return "".join(f"{kind}{n}" for kind, n in zip(KINDS, district, strict=True))


def _parse_district(word: str) -> KindCounts:
    counts = dict(re.findall(r"([GUP])([0-9]+)", word))
    if _DISTRICT.fullmatch(word) is None or len(counts) != len(KINDS):
        _refuse(word, "an abandoned district such as G1U1P1")
    ground, upper, penthouse = (int(counts[kind]) for kind in KINDS)
    return ground, upper, penthouse


def format_dice(dice: Iterable[Die]) -> str:
    """Return dice with commas between them, ``-`` for none."""
    return ",".join(dice) or _NONE


def parse_dice(word: str) -> tuple[Die, ...]:
    """Read dice with commas between them.

    Raises
    ------
    NotationError
        If a word is no die, or there are more than 999.
    """
    if word == _NONE:
        return ()
    words = word.split(",")
    if len(words) > _MAX_DICE:
        _refuse(word, f"at most {_MAX_DICE} dice")
    return sorted_dice(_parse_die(die) for die in words)


def _parse_die(word: str) -> Die:
    try:
        return Die(word)
    except ValueError:
        _refuse(word, "a die: G, U or P with l, m, h, - or ?")


def _format_phase(state: State) -> str:
    return state.phase if state.step is None else f"{state.phase}:{state.step}"


def _parse_phase(word: str) -> tuple[Phase, Step | None]:
    name, colon, step = word.partition(":")
    if name not in list(Phase):
        _refuse(word, "a phase: take, roll, use, more or over")
    if not colon:
        return Phase(name), None
    if name != Phase.MORE or step not in list(Step):
        _refuse(word, "more:build, more:abandon or more:demolish")
    return Phase(name), Step(step)


def _format_clock(state: State) -> str:
    return f"{state.round}.{state.seat}{'!' if state.is_last_round else ''}"


def _parse_clock(word: str) -> tuple[int, int, bool]:
    match = _CLOCK.fullmatch(word)
    if match is None:
        _refuse(word, "a clock: round 1-9, a point, the seat, and ! in a last round")
    return int(match[1]), int(match[2]), bool(match[3])


# --- position ---------------------------------------------------------------------------------


def format_position(state: State) -> str:
    """Return the six words of a position, in canonical order."""
    return " ".join(
        [
            "/".join(map(format_skyline, state.skylines)),
            format_district(state.district),
            format_dice(state.dice),
            _format_phase(state),
            _format_clock(state),
            format_rules(state.rules),
        ]
    )


def parse_position(text: str, dice_sets: Iterable[DiceSet] = ()) -> State:
    """Read a position.

    Parameters
    ----------
    text : str
        Five or six words; without rules the online edition is meant.
    dice_sets : iterable of DiceSet
        Dice sets of one's own that the rules may name.

    Raises
    ------
    NotationError
        If a word cannot be read or the words contradict each other; the message names the
        offending word and what was expected.
    """
    words = text.split()
    if len(words) not in (_N_WORDS - 1, _N_WORDS):
        _refuse(text, f"a position of six words, got {len(words)}")
    skylines, district, dice, phase, clock, rules = (*words, Edition.ONLINE)[:_N_WORDS]
    phase_value, step = _parse_phase(phase)
    round_number, seat, is_last_round = _parse_clock(clock)
    state = State(
        skylines=_parse_skylines(skylines),
        district=_parse_district(district),
        dice=parse_dice(dice),
        phase=phase_value,
        step=step,
        round=round_number,
        seat=seat,
        is_last_round=is_last_round,
        rules=parse_rules(rules, dice_sets),
    )
    _verify_sound(state)
    return state


def _verify_sound(state: State) -> None:
    found = defects(state)
    for defect, (word, expected) in _DEFECTS.items():
        if defect in found:
            _refuse(_WORDS[word](state), expected)


_WORDS: Final[dict[str, Callable[[State], str]]] = {
    "skylines": lambda state: "/".join(map(format_skyline, state.skylines)),
    "district": lambda state: format_district(state.district),
    "dice": lambda state: format_dice(state.dice),
    "phase": _format_phase,
    "clock": _format_clock,
    "rules": lambda state: format_rules(state.rules),
}

_DEFECTS: Final = {
    Defect.PLAYERS: ("skylines", f"skylines of 1 to {MAX_PLAYERS} players"),
    Defect.CLOCK: ("clock", f"a round up to {N_ROUNDS} and the seat of a player"),
    Defect.LAST_ROUND: ("clock", "no ! where all nine rounds are played"),
    Defect.STEP: (
        "phase",
        "more with the kind of action (more:build) in the printed edition and only there",
    ),
    Defect.NO_DICE: ("dice", "active dice in this phase"),
    Defect.DICE: ("dice", "no active dice in this phase, -"),
    Defect.ROLLED: ("dice", "a die with ? in phase roll"),
    Defect.UNROLLED: ("dice", "dice with ? only in phase roll"),
    Defect.FACES: ("dice", "faces that the dice set has"),
    Defect.DISTRICT: ("district", "at least one die in the abandoned district"),
    Defect.BOX: ("rules", "no more dice in play than the box holds (25 G, 28 U, 7 P)"),
    Defect.OVER: ("clock", "the last seat of the last round when the game is over"),
}


# --- actions ----------------------------------------------------------------------------------


def format_action(action: Action) -> str:
    """Return the text of an action, in canonical order."""
    match action:
        case Take(kinds):
            return f"take {''.join(sorted(kinds, key=KINDS.index))}"
        case TakeDistrict():
            return "take district"
        case Roll(None):
            return "roll"
        case Roll(outcome):
            return f"roll={','.join(sorted_dice(outcome or ()))}"
        case Build(die, None):
            return f"build {die}"
        case Build(die, column):
            return f"build {die}@{column}"
        case Abandon(die):
            return f"abandon {die}"
        case Demolish(dice, column):
            return f"demolish {','.join(sorted_dice(dice))}@{column}"
        case Reroll(dice):
            return f"reroll {','.join(sorted_dice(dice))}"
        case End():
            return "end"


def parse_action(text: str) -> Action:
    """Read an action.

    Raises
    ------
    NotationError
        If the text is no action; the message names the offending word and what was expected.
    """
    words = text.split()
    match words:
        case ["roll"]:
            return ROLL
        case ["end"]:
            return END
        case ["take", "district"]:
            return TAKE_DISTRICT
        case ["take", kinds]:
            return Take(_parse_kinds(kinds))
        case [word] if word.startswith("roll="):
            return Roll(_parse_faces(word.removeprefix("roll=")))
        case ["build", target]:
            return _parse_build(target)
        case ["abandon", die]:
            return Abandon(_parse_one_face(die))
        case ["demolish", target]:
            return _parse_demolish(target)
        case ["reroll", dice]:
            return Reroll(_parse_faces(dice))
    _refuse(text, "take, roll, build, abandon, demolish, reroll or end and what it is done with")


def _parse_kinds(word: str) -> tuple[Kind, ...]:
    if len(word) > _MAX_DICE or any(letter not in list(Kind) for letter in word):
        _refuse(word, "kinds of dice such as GGU, or district")
    return tuple(sorted(map(Kind, word), key=KINDS.index))


def _parse_faces(word: str) -> tuple[Die, ...]:
    dice = parse_dice(word)
    if not dice or not all(die.is_rolled for die in dice):
        _refuse(word, "dice with their faces such as Gl,Um")
    return dice


def _parse_one_face(word: str) -> Die:
    dice = _parse_faces(word)
    if len(dice) != 1:
        _refuse(word, "one die with its face such as Gl")
    return dice[0]


def _parse_build(target: str) -> Build:
    die, at, column = target.partition("@")
    return Build(_parse_one_face(die), _parse_column(column) if at else None)


def _parse_demolish(target: str) -> Demolish:
    dice, at, column = target.partition("@")
    if not at:
        _refuse(target, "dice, @ and the building that goes, such as Gl@M4")
    return Demolish(_parse_faces(dice), _parse_column(column))
