"""Computer players: they see a position and choose an action, as anyone could.

A player is a function of a position and a generator.  `PLAYERS` names those that come with the
kit; each chooses by the public functions of this package alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from ..errors import SettingError
from ..rolls import MAX_SEED
from .actions import TAKE_DISTRICT, Abandon, Action, Build, Reroll, Take, column_after
from .choices import legal_actions, legal_builds
from .columns import GROWTH, STARTS, Column
from .dice import FACES, KINDS, Die, Kind, KindCounts, Style, count_kinds
from .rolling import random_roll
from .state import N_ROUNDS, Phase, State
from .transitions import successor

if TYPE_CHECKING:
    from numpy.random import Generator

__all__ = [
    "BEST_PLAYERS",
    "PLAYERS",
    "Player",
    "best_margin_player",
    "best_player",
    "best_turn_player",
    "best_win_player",
    "builder_player",
    "greedy_player",
    "play_out",
    "player_named",
    "random_player",
]

Player = Callable[[State, "Generator"], Action]
"""Chooses a legal action in a decision phase: (position, generator) -> action."""


def random_player(state: State, rng: Generator) -> Action:
    """Choose any legal action, each with the same chance."""
    actions = legal_actions(state)
    return actions[int(rng.integers(len(actions)))]


# --- greedy: most displayed points now --------------------------------------------------------


def greedy_player(state: State, _rng: Generator) -> Action:
    """Choose what shows the most points at once, without a thought of later turns.

    It takes the dice that are expected to add the most points if each were alone.  It builds
    what adds the most points; where nothing does, it rolls again if it can, else builds on its
    tallest column, else abandons the die that is least likely to add points.
    """
    if state.phase is Phase.TAKE:
        return _greedy_take(state)
    gains = {build: _gain(build) for build in legal_builds(state)}
    best = max(gains, key=lambda build: gains[build], default=None)
    if best is not None and gains[best] > 0:
        return best
    if state.phase is Phase.MORE:
        return Reroll(state.dice)
    if best is not None:
        return max(gains, key=_floors_below)
    return Abandon(min(state.dice, key=lambda die: _expected_gain(state, die.kind)))


def _gain(build: Build) -> int:
    """Return the points that `build` adds to those on the table."""
    before = 0 if build.column is None else build.column.points
    after = column_after(build)
    return 0 if after is None else after.points - before


def _floors_below(build: Build) -> int:
    return 0 if build.column is None else build.column.floors


def _expected_gain(state: State, kind: Kind) -> Fraction:
    """Return the points that one die of `kind`, rolled alone, is expected to add."""
    dice_set = state.rules.dice_set
    sides = (Die(kind + face) for face in FACES)
    return sum((dice_set.probability(die) * _most_points(state, die) for die in sides), Fraction(0))


def _most_points(state: State, die: Die) -> int:
    builds = [
        Build(die, column) for column in dict.fromkeys(state.skyline) if (column, die) in GROWTH
    ]
    builds += [Build(die)] if die in STARTS else []
    return max(map(_gain, builds), default=0)


def _greedy_take(state: State) -> Action:
    gains = [_expected_gain(state, kind) for kind in KINDS]

    def total(action: Action) -> Fraction:
        counts = _dice_taken(state, action)
        return sum((n * gain for n, gain in zip(counts, gains, strict=True)), Fraction(0))

    return max(legal_actions(state), key=total)


def _dice_taken(state: State, action: Action) -> KindCounts:
    match action:
        case Take(kinds):
            return count_kinds(kinds)
        case _ if action == TAKE_DISTRICT:
            return state.district
    return (0, 0, 0)


# --- builder: a sensible hand-written rule ----------------------------------------------------

_LATE: Final = N_ROUNDS - 2
"""From this round on, buildings are finished as soon as they can be."""

_TALL: Final[Mapping[Style, int]] = MappingProxyType({Style.MID: 3, Style.HIGH: 4})
"""Floors below which a column waits for more before it gets its penthouse."""

_MANY_DICE: Final = 5
_ENOUGH_COLUMNS: Final = 3


def builder_player(state: State, _rng: Generator) -> Action:
    """Choose by a rule of thumb that a person could follow at the table.

    Take the abandoned district when it holds five dice or more.  Else take a penthouse if a
    column is ready for one, a ground floor if fewer than three columns stand unfinished, and
    upper floors for the rest.  Build whatever fits, on the tallest column first, but put a
    penthouse only on a tall column until the game is late.  Abandon a die when nothing fits, a
    penthouse first, and roll the others again to the last.
    """
    if state.phase is Phase.TAKE:
        return _builder_take(state)
    wanted = [build for build in legal_builds(state) if _is_wanted(state, build)]
    if wanted:
        return max(wanted, key=_floors_below)
    if state.phase is Phase.MORE:
        return Reroll(state.dice)
    return Abandon(state.dice[-1])


def _is_wanted(state: State, build: Build) -> bool:
    is_penthouse = build.die.kind is Kind.PENTHOUSE
    return not is_penthouse or build.column is None or _is_ready(state, build.column)


def _is_ready(state: State, column: Column) -> bool:
    """Return whether `column` should get its penthouse."""
    if column.is_finished or column.style is Style.LOW:
        return False
    is_late = state.round >= _LATE or state.is_last_round
    return is_late or column.floors >= _TALL[column.style]


def _builder_take(state: State) -> Action:
    actions = legal_actions(state)
    if sum(state.district) >= _MANY_DICE and TAKE_DISTRICT in actions:
        return TAKE_DISTRICT
    unfinished = [column for column in state.skyline if not column.is_finished]
    n_penthouse = int(any(_is_ready(state, column) for column in unfinished))
    n_ground = int(len(unfinished) < _ENOUGH_COLUMNS)
    wish = (n_ground, 3 - n_ground - n_penthouse, n_penthouse)

    def shortfall(action: Action) -> int:
        counts = _dice_taken(state, action)
        return sum(max(0, n - got) for n, got in zip(wish, counts, strict=True))

    return min(actions, key=shortfall)


# --- best: what the solver says ----------------------------------------------------------------
#
# `builder_player` decides for them where a turn has so many dice that to solve it would take
# longer than anybody waits.


def best_player(state: State, rng: Generator) -> Action:
    """Choose what is best for the expected final score; a few milliseconds for each choice."""
    return _best_choice(state, rng, "score")


def best_turn_player(state: State, rng: Generator) -> Action:
    """Choose what is best for the points on the table at the end of this turn."""
    return _best_choice(state, rng, "turn")


def best_margin_player(state: State, rng: Generator) -> Action:
    """Choose what is best for the score less what the district is worth to the next seat."""
    return _best_choice(state, rng, "margin")


def best_win_player(state: State, rng: Generator) -> Action:
    """Choose what wins most simulated games; many seconds for each choice."""
    if _most_dice(state) > _MOST_SIMULATED:
        return builder_player(state, rng)
    from .best_play import first_choice
    from .winning import advise_win

    ranked = advise_win(state, seed=int(rng.integers(MAX_SEED)), n_games=_WIN_GAMES).actions
    return first_choice([one.action for one in ranked if one.is_best])


_WIN_GAMES: Final = 100
_MOST_SIMULATED: Final = 8
"""Dice, active or to be taken, with which games are simulated."""


def _most_dice(state: State) -> int:
    return sum(state.district) if state.phase is Phase.TAKE else len(state.dice)


def _best_choice(state: State, rng: Generator, objective: str) -> Action:
    # Imported when it is first needed: the rules alone stay quick to import.
    from .best_play import best_choice
    from .solver.moves import TurnTooLargeError
    from .solver.patience import A_SECOND

    try:
        return best_choice(state, objective, patience=A_SECOND)
    except TurnTooLargeError:
        return builder_player(state, rng)


# --- playing ----------------------------------------------------------------------------------

PLAYERS: Final[Mapping[str, Player]] = MappingProxyType(
    {"random": random_player, "greedy": greedy_player, "builder": builder_player}
)
"""The computer players that follow a simple rule, by name; they decide in no time."""

BEST_PLAYERS: Final[Mapping[str, Player]] = MappingProxyType(
    {
        "best": best_player,
        "best-turn": best_turn_player,
        "best-margin": best_margin_player,
        "best-win": best_win_player,
    }
)
"""The computer players that play best for an objective, by name.

They decide in milliseconds, with large districts in up to a second; ``best-win`` simulates games
and takes many seconds for each choice.
"""


def player_named(name: str) -> Player:
    """Return the computer player called `name`.

    Raises
    ------
    SettingError
        If there is none of this name.
    """
    known = {**PLAYERS, **BEST_PLAYERS}
    if name not in known:
        raise SettingError(
            "player {name!r}: expected one of {known}", name=name, known=", ".join(known)
        )
    return known[name]


def play_out(state: State, players: tuple[Player, ...], rng: Generator) -> State:
    """Play on to the end of the game.

    Parameters
    ----------
    state : State
    players : tuple of Player
        One for each seat, shape ``(n_players,)``.
    rng : numpy.random.Generator
        For rolls and for players that use chance.

    Returns
    -------
    State
        The final position.
    """
    while not state.is_over:
        if state.is_chance:
            action: Action = random_roll(state, rng)
        else:
            action = players[state.seat - 1](state, rng)
        state = successor(state, action)
    return state
