"""A game from its first roll to its end: seats, seed, log, undo.

A `Game` is a frozen value like a `State`; playing returns a new one.  It holds every position
from the first on, so a move can be looked at again and one that no roll has confirmed can be
taken back.  The ``n``-th roll comes from the seed and ``n``: taking back and playing on, or
loading the game again, meets the same rolls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ..errors import IllegalActionError, SettingError
from ..rolls import verify_seed
from .actions import Action, Roll
from .dice import sorted_dice
from .players import BEST_PLAYERS, PLAYERS, player_named
from .rolling import numbered_roll
from .state import MAX_PLAYERS, Rules, State, new_game
from .transitions import LogEntry, apply

if TYPE_CHECKING:
    from numpy.random import Generator

__all__ = ["HUMAN", "MAX_NAME", "Game", "Seat", "start_game"]

HUMAN: Final = "human"
MAX_NAME: Final = 40
"""Longest name of a seat, in characters."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits at the table.

    Parameters
    ----------
    name : str
        1 to 40 characters, none of them a control character.
    player : str
        ``human`` or the name of a computer player.
    """

    name: str
    player: str = HUMAN

    @property
    def is_human(self) -> bool:
        """Whether a person decides for this seat."""
        return self.player == HUMAN


@dataclass(frozen=True, slots=True)
class Game:
    """A game with all that happened in it.

    Parameters
    ----------
    seed : int
        Decides every roll, 0 to ``2**53 - 1``.
    seats : tuple of Seat
        Shape ``(n_players,)``.
    log : tuple of LogEntry
        One entry for each action.
    states : tuple of State
        The first position and the one after each action, shape ``(len(log) + 1,)``.
    """

    seed: int
    seats: tuple[Seat, ...]
    log: tuple[LogEntry, ...]
    states: tuple[State, ...]

    @property
    def state(self) -> State:
        """The position now."""
        return self.states[-1]

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self.state.rules

    @property
    def n_moves(self) -> int:
        """Number of actions so far, rolls included."""
        return len(self.log)

    @property
    def n_rolls(self) -> int:
        """Number of rolls so far; the number of the next roll."""
        return sum(isinstance(entry.action, Roll) for entry in self.log)

    @property
    def seat(self) -> Seat:
        """Who is to move."""
        return self.seats[self.state.seat - 1]

    def play(self, action: Action) -> Game:
        """Return the game after `action`; a `Roll` without outcome is drawn.

        Raises
        ------
        IllegalActionError
            If the rules do not allow the action, or a roll shows what the seed does not give;
            this game is left as it is.
        """
        if isinstance(action, Roll) and self.state.is_chance:
            action = self._due_roll(action)
        after, entry = apply(self.state, action)
        return replace(self, log=(*self.log, entry), states=(*self.states, after))

    def _due_roll(self, wanted: Roll) -> Roll:
        due = numbered_roll(self.state, self.seed, self.n_rolls)
        if wanted.outcome is None or sorted_dice(wanted.outcome) == due.outcome:
            return due
        raise IllegalActionError(
            "roll={outcome}: the seed of this game gives another roll",
            outcome=",".join(wanted.outcome),
        )

    @property
    def can_undo(self) -> bool:
        """Whether the last action can be taken back: a roll cannot, nor what it confirmed."""
        return bool(self.log) and not isinstance(self.log[-1].action, Roll)

    def undo(self) -> Game:
        """Return the game before its last action.

        Raises
        ------
        IllegalActionError
            If there is none, or it is a roll.
        """
        if not self.log:
            raise IllegalActionError("undo: nothing has been played yet")
        if not self.can_undo:
            raise IllegalActionError("undo: a roll cannot be taken back")
        return replace(self, log=self.log[:-1], states=self.states[:-1])

    def computer_action(self, rng: Generator) -> Action:
        """Return what the computer player to move chooses; a roll where one is due.

        Raises
        ------
        SettingError
            If a person is to move.
        """
        if self.state.is_chance:
            return numbered_roll(self.state, self.seed, self.n_rolls)
        return player_named(self.seat.player)(self.state, rng)


def start_game(seats: Sequence[Seat], rules: Rules | None = None, *, seed: int) -> Game:
    """Set a game up.

    Parameters
    ----------
    seats : sequence of Seat
        1 to 4; the first is the start player.
    rules : Rules, optional
        The online edition with standard dice if left out.
    seed : int
        Decides every roll.

    Raises
    ------
    SettingError
        If the number of seats, a name, a player or the seed will not do.
    """
    if not 1 <= len(seats) <= MAX_PLAYERS:
        raise SettingError(
            "{n_players} players: expected 1 to {most}", n_players=len(seats), most=MAX_PLAYERS
        )
    for seat in seats:
        _verify_seat(seat)
    first = new_game(len(seats), rules)
    return Game(verify_seed(seed), tuple(seats), (), (first,))


def _verify_seat(seat: Seat) -> None:
    is_name = isinstance(seat.name, str) and seat.name.strip() == seat.name
    if not is_name or not 1 <= len(seat.name) <= MAX_NAME or not _is_visible(seat.name):
        raise SettingError(
            "name {name!r}: expected 1 to {most} visible characters, without spaces around them",
            name=seat.name,
            most=MAX_NAME,
        )
    known = (HUMAN, *PLAYERS, *BEST_PLAYERS)
    if seat.player not in known:
        raise SettingError(
            "player {name!r}: expected one of {known}",
            name=seat.player,
            known=", ".join(known),
        )


_JOINERS: Final = str.maketrans("", "", "\u200c\u200d")
"""They are part of how some names and signs are written, and show nothing themselves."""


def _is_visible(name: str) -> bool:
    rest = name.translate(_JOINERS)
    return bool(rest) and rest.isprintable()
