"""Tables to play at: positions laid out, and short words for what a person does."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import pytest
from skyline_widgets.play import Play, perform, resume

from skyline_kernel.errors import KitError
from skyline_kernel.skyline import Game, Kind, Seat, parse_position

PERSON = Seat("Ada")
ROBOT = Seat("Robo", "builder")


def game_at(position: str, *, seats: Iterable[Seat] = (), seed: int = 1) -> Game:
    """Return a game that stands at `position` and has no moves behind it.

    Parameters
    ----------
    position : str
        In the notation of the kernel.
    seats : iterable of Seat
        Persons, if left out.
    seed : int
        Decides the rolls to come.
    """
    state = parse_position(position)
    sitting = tuple(seats) or tuple(Seat(f"Person {i + 1}") for i in range(state.n_players))
    return Game(seed, sitting, (), (state,))


def play_at(position: str, *, seats: Iterable[Seat] = (), seed: int = 1) -> Play:
    """Lay a position on the table; parameters as for `game_at`."""
    return resume(game_at(position, seats=seats, seed=seed))


def do(play: Play, word: str, **details: Any) -> Play:
    """Do what a person at the table does."""
    return perform(play, {"do": word, "move": play.game.n_moves, **details})


def select(play: Play, *numbers: int) -> Play:
    """Select just these dice of the tray."""
    for thing in play.tray:
        play = do(play, "select", die=thing.number, on=thing.number in numbers)
    return play


def pick(play: Play, kinds: str) -> Play:
    """Pick dice of the construction yard, one after the other."""
    for kind in kinds:
        play = do(play, "pick", kind=Kind(kind))
    return play


def refused(play: Play, word: str, **details: Any) -> str:
    """Check that a command is refused and changes nothing; return the sentence."""
    before = copy.deepcopy(play)
    with pytest.raises(KitError) as caught:
        do(play, word, **details)
    assert play == before
    sentence = str(caught.value)
    assert sentence.strip() == sentence != ""
    assert "\n" not in sentence
    return sentence


def columns(play: Play, seat: int = 1) -> list[str]:
    """Return the skyline of a seat as text."""
    return [str(column) for column in play.game.state.skylines[seat - 1]]


def dice(play: Play) -> list[str]:
    """Return what the dice of the tray show, in the order in which they lie."""
    return [str(thing.die) for thing in play.tray]
