"""The dice and building game Skyline: rules, notation, odds, players, records.

The usual way through it::

    state = new_game(2)
    for action in legal_actions(state): ...
    state, entry = apply(state, action)
    chance_outcomes(state)          # where dice are rolled next
    parse_position("h3,m1 G1U1P1 Gl,Um use 5.1 online")
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from ..errors import (
    DiceSetError,
    IllegalActionError,
    KitError,
    NotationError,
    RecordError,
    SettingError,
)
from ..rolls import new_seed
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
from .choices import chance_outcomes, legal_actions, legal_builds
from .columns import Column, Skyline, n_buildings, points
from .dice import Die, Face, Kind, Style
from .dice_sets import DiceSet, read_dice_set, shipped_dice_set
from .legality import can, verify
from .notation import (
    format_action,
    format_position,
    format_rules,
    parse_action,
    parse_position,
    parse_rules,
)
from .parts import Parts
from .rolling import numbered_roll, random_roll
from .state import Edition, Phase, Rules, State, Step, new_game, yard
from .transitions import LogEntry, Transition, apply, successor

if TYPE_CHECKING:
    from .game import HUMAN, Game, Seat, start_game
    from .odds import BuildOdds, build_odds, odds_of
    from .plans import builds_with, can_build_all
    from .players import BEST_PLAYERS, PLAYERS, Player, play_out, player_named
    from .record import format_record, parse_record, read_record, write_record
    from .scoring import Standing, ranking

__all__ = [
    "BEST_PLAYERS",
    "END",
    "HUMAN",
    "PLAYERS",
    "ROLL",
    "TAKE_DISTRICT",
    "Abandon",
    "Action",
    "Build",
    "BuildOdds",
    "Column",
    "Demolish",
    "DiceSet",
    "DiceSetError",
    "Die",
    "Edition",
    "End",
    "Face",
    "Game",
    "IllegalActionError",
    "Kind",
    "KitError",
    "LogEntry",
    "NotationError",
    "Parts",
    "Phase",
    "Player",
    "RecordError",
    "Reroll",
    "Roll",
    "Rules",
    "Seat",
    "SettingError",
    "Skyline",
    "Standing",
    "State",
    "Step",
    "Style",
    "Take",
    "TakeDistrict",
    "Transition",
    "apply",
    "build_odds",
    "builds_with",
    "can",
    "can_build_all",
    "chance_outcomes",
    "format_action",
    "format_position",
    "format_record",
    "format_rules",
    "legal_actions",
    "legal_builds",
    "n_buildings",
    "new_game",
    "new_seed",
    "numbered_roll",
    "odds_of",
    "parse_action",
    "parse_position",
    "parse_record",
    "parse_rules",
    "play_out",
    "player_named",
    "points",
    "random_roll",
    "ranking",
    "read_dice_set",
    "read_record",
    "shipped_dice_set",
    "start_game",
    "successor",
    "verify",
    "write_record",
    "yard",
]

# Who only asks for the rules need not wait for games, players and records.
_LATER: Final = {
    "game": ("HUMAN", "Game", "Seat", "start_game"),
    "odds": ("BuildOdds", "build_odds", "odds_of"),
    "plans": ("builds_with", "can_build_all"),
    "players": ("BEST_PLAYERS", "PLAYERS", "Player", "play_out", "player_named"),
    "record": ("format_record", "parse_record", "read_record", "write_record"),
    "scoring": ("Standing", "ranking"),
}
_MODULE_OF: Final = {name: module for module, names in _LATER.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)
    globals()[name] = value
    return value
