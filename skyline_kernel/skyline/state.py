"""Positions of the game: rules in force, phases, and what a position may hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntFlag, StrEnum, auto
from functools import partial
from typing import Final

from ..errors import SettingError
from .columns import Column, Skyline
from .dice import KINDS, ONE_OF_EACH, Die, KindCounts, count_kinds
from .dice_sets import STANDARD, DiceSet, shipped_dice_set

__all__ = [
    "BOX_DICE",
    "MAX_PLAYERS",
    "N_ROUNDS",
    "SIX_STOREYS",
    "Defect",
    "Edition",
    "Phase",
    "Rules",
    "State",
    "Step",
    "defects",
    "new_game",
    "yard",
]

N_ROUNDS: Final = 9
MAX_PLAYERS: Final = 4
SIX_STOREYS: Final = Column.FINISHED_HIGH_6
"""The building that makes its round the last, unless all nine rounds are played."""

BOX_DICE: Final[KindCounts] = (25, 28, 7)
"""Dice in the box: ground floor, upper floor, penthouse (rules page of the online edition)."""

STARTING_SKYLINES: Final[tuple[Skyline, ...]] = (
    (Column.HIGH_1,),
    (Column.MID_1,),
    (Column.LOW_1,),
    (),
)
"""What seats 1 to 4 begin with (rules, "set-up")."""


class Edition(StrEnum):
    """The two editions of the game."""

    ONLINE = "online"
    PRINTED = "printed"


class Phase(StrEnum):
    """What happens next in a turn.

    ``TAKE`` dice, ``ROLL`` them, ``USE`` at least one, use ``MORE`` or reroll or end; ``OVER``.
    """

    TAKE = "take"
    ROLL = "roll"
    USE = "use"
    MORE = "more"
    OVER = "over"


class Step(StrEnum):
    """Kind of action of one step; the printed edition allows one kind a step."""

    BUILD = "build"
    ABANDON = "abandon"
    DEMOLISH = "demolish"


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules in force.

    Parameters
    ----------
    edition : Edition
        ``ONLINE``: any actions between two rolls, one die each.  ``PRINTED``: one kind of
        action a step.
    nine : bool
        Always nine rounds: a six-storey building does not end the game.
    box : bool
        The dice are limited to those in the box.
    dice_set : DiceSet
        The faces of the dice.
    """

    edition: Edition = Edition.ONLINE
    nine: bool = False
    box: bool = False
    dice_set: DiceSet = field(default_factory=partial(shipped_dice_set, STANDARD))

    @property
    def is_printed(self) -> bool:
        """Whether one step holds one kind of action."""
        return self.edition is Edition.PRINTED


@dataclass(frozen=True, slots=True)
class State:
    """A position: all that the rest of the game depends on.

    Parameters
    ----------
    skylines : tuple of Skyline
        One for each seat, shape ``(n_players,)``; seat 1 is the start player.
    district : KindCounts
        Dice in the abandoned district.
    dice : tuple of Die
        The active dice in canonical order.
    phase : Phase
    step : Step or None
        Kind of action of this step: printed edition in phase ``MORE`` only.
    round : int
        1 to 9.
    seat : int
        Seat to move, 1 to ``n_players``.
    is_last_round : bool
        Whether a six-storey building was finished in this round and makes it the last.
    rules : Rules

    Notes
    -----
    The constructor checks nothing; `defects` tells what is wrong with a state.
    """

    skylines: tuple[Skyline, ...]
    district: KindCounts
    dice: tuple[Die, ...]
    phase: Phase
    step: Step | None
    round: int
    seat: int
    is_last_round: bool
    rules: Rules

    @property
    def n_players(self) -> int:
        """Number of players, 1 to 4."""
        return len(self.skylines)

    @property
    def skyline(self) -> Skyline:
        """The skyline of the seat to move."""
        return self.skylines[self.seat - 1]

    @property
    def is_chance(self) -> bool:
        """Whether dice are rolled next."""
        return self.phase is Phase.ROLL

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.phase is Phase.OVER


def new_game(n_players: int = 1, rules: Rules | None = None) -> State:
    """Set the game up (rules, "set-up").

    Parameters
    ----------
    n_players : int
        1 (practice) to 4.
    rules : Rules, optional
        The online edition with standard dice if left out.

    Raises
    ------
    SettingError
        If the number of players is not between 1 and 4.
    """
    if isinstance(n_players, bool) or n_players not in range(1, MAX_PLAYERS + 1):
        raise SettingError(
            "{n_players} players: expected 1 to {most}", n_players=n_players, most=MAX_PLAYERS
        )
    return State(
        skylines=STARTING_SKYLINES[:n_players],
        district=ONE_OF_EACH,
        dice=(),
        phase=Phase.TAKE,
        step=None,
        round=1,
        seat=1,
        is_last_round=False,
        rules=rules or Rules(),
    )


def dice_in_skyline(skyline: Skyline) -> KindCounts:
    """Count the dice that stand in unfinished columns; finished buildings are tiles."""
    unfinished = [column.floors for column in skyline if not column.is_finished]
    return len(unfinished), sum(unfinished) - len(unfinished), 0


def yard(state: State) -> KindCounts | None:
    """Count the dice in the construction yard.

    Returns
    -------
    KindCounts or None
        With option `box`, what is left of the box; the numbers are negative where the position
        holds more dice than the box.  None if dice never run out.
    """
    if not state.rules.box:
        return None
    placed = [
        state.district,
        count_kinds(die.kind for die in state.dice),
        *map(dice_in_skyline, state.skylines),
    ]
    ground, upper, penthouse = (
        BOX_DICE[i] - sum(counts[i] for counts in placed) for i in range(len(KINDS))
    )
    return ground, upper, penthouse


class Defect(IntFlag):
    """What can be wrong with a state; a sound one has none."""

    PLAYERS = auto()
    """There are not 1 to 4 skylines."""
    CLOCK = auto()
    """Round or seat does not exist."""
    LAST_ROUND = auto()
    """The round cannot be marked as the last one."""
    STEP = auto()
    """The kind of action of the step is missing, or given where there is none."""
    NO_DICE = auto()
    """The phase needs active dice."""
    DICE = auto()
    """There are active dice in a phase without any."""
    ROLLED = auto()
    """Phase ``roll`` needs a die that is not yet rolled."""
    UNROLLED = auto()
    """A die is not rolled in a phase other than ``roll``."""
    FACES = auto()
    """A die shows a face that it does not have."""
    DISTRICT = auto()
    """The abandoned district is empty, or holds a negative number of dice."""
    BOX = auto()
    """More dice are in play than the box holds."""
    OVER = auto()
    """The game cannot be over at this time."""


def defects(state: State) -> Defect:
    """Return all that is wrong with `state`, no flag if it is sound."""
    if not 1 <= state.n_players <= MAX_PLAYERS:
        return Defect.PLAYERS
    return _clock_defects(state) | _dice_defects(state) | _supply_defects(state)


def _clock_defects(state: State) -> Defect:
    found = Defect(0)
    if not (1 <= state.round <= N_ROUNDS and 1 <= state.seat <= state.n_players):
        found |= Defect.CLOCK
    if state.is_last_round and state.rules.nine:
        found |= Defect.LAST_ROUND
    is_last = state.is_last_round or state.round == N_ROUNDS
    if state.is_over and not (is_last and state.seat == state.n_players):
        found |= Defect.OVER
    return found


def _dice_defects(state: State) -> Defect:
    found = Defect(0)
    phase, dice = state.phase, state.dice
    has_step = phase is Phase.MORE and state.rules.is_printed
    if (state.step is not None) != has_step:
        found |= Defect.STEP
    if phase in (Phase.TAKE, Phase.OVER):
        return found | Defect.DICE if dice else found
    if not dice:
        return found | Defect.NO_DICE
    n_unrolled = sum(not die.is_rolled for die in dice)
    if phase is Phase.ROLL and not n_unrolled:
        found |= Defect.ROLLED
    if phase is not Phase.ROLL and n_unrolled:
        found |= Defect.UNROLLED
    if any(die.is_rolled and not state.rules.dice_set.weight(die) for die in dice):
        found |= Defect.FACES
    return found


def _supply_defects(state: State) -> Defect:
    found = Defect(0)
    left = yard(state)
    if min(state.district) < 0 or not (sum(state.district) or left):
        found |= Defect.DISTRICT
    if left is not None and min(left) < 0:
        found |= Defect.BOX
    return found
