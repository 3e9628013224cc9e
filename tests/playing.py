"""Tables to play at: positions laid out, and short words for what a person does."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from skyline_widgets.play import Play, perform, resume

from skyline_kernel.errors import KitError
from skyline_kernel.skyline import Game, Kind, Rules, Seat, parse_position, start_game

PERSON = Seat("Ada")
ROBOT = Seat("Robo", "builder")
USE = "h1/m1 G1U1P1 Gl,Uh,P- use 1.1 online"
TWO_TOWERS = "h2,h1/m1 G1U1P1 Gl,Uh,P- use 1.1 online"


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


def tables() -> dict[str, Play]:
    """Return a table in every phase, and in every half-done command."""
    use, printed = play_at(USE), "h1/m1 G1U1P1 Gl,Uh,P- more:{} 1.1 printed"
    built = do(select(use, 1), "build")
    return {
        "take": play_at("h1/m1 G1U1P1 - take 1.1 online"),
        "picked": pick(play_at("h1/m1 G1U1P1 - take 1.1 online"), "GU"),
        "roll": play_at("h1/m1 G1U1P1 G?,U?,P? roll 1.1 online"),
        "use": use,
        "use, selected": select(use, 1),
        "use, unbuildable": select(use, 1, 2),
        "use, build where": do(select(play_at(TWO_TOWERS), 1), "build"),
        "use, demolish which": do(select(use, 1), "demolish"),
        "use, no skyline": select(play_at("-/m1 G1U1P1 Gl,Uh use 1.1 online"), 0),
        "more": built,
        "more, selected": select(built, 0),
        "printed, build": select(play_at(printed.format("build")), 0),
        "printed, abandon": select(play_at(printed.format("abandon")), 0),
        "printed, demolish": select(play_at(printed.format("demolish")), 0),
        "ended": do(play_at("h1/m1 G1U1P1 Gl use 1.1 online"), "build"),
        "computer": play_at("h1/m1 G1U1P1 - take 1.2 online", seats=[PERSON, ROBOT]),
        "over": play_at("h1/m1 G1U1P1 - over 9.2 online"),
    }


def whole_game(rules: Rules, seed: int) -> list[Play]:
    """Let persons play at random by commands and return every table of the game."""
    rng = np.random.default_rng(seed)
    play = resume(start_game([Seat("Ada"), Seat("Bob")], rules, seed=seed))
    seen = [play]
    while not play.is_over:
        play = random_command(play, rng)
        seen.append(play)
    return seen


def random_command(play: Play, rng: np.random.Generator) -> Play:
    """Do something at random that is allowed and leads on."""
    words = ["roll", "build", "abandon", "demolish", "end", "take district", "pick", "choose"]
    commands: list[tuple[str, dict[str, Any]]] = [(word, {}) for word in words[:6]]
    commands += [("pick", {"kind": kind}) for kind in Kind]
    commands += [("choose", {"column": i}) for i in range(len(play.game.state.skyline))]
    commands += [
        ("select", {"die": thing.number, "on": thing.number not in play.selected})
        for thing in play.tray
    ]
    for i in rng.permutation(len(commands)).tolist():
        word, details = commands[i]
        try:
            return do(play, word, **details)
        except KitError:
            continue
    raise AssertionError(f"nothing can be done: {play}")


def assert_sound(play: Play) -> None:
    """Check what holds of every table."""
    numbers = [thing.number for thing in play.tray]
    assert Counter(thing.die for thing in play.tray) == Counter(play.game.state.dice)
    assert len(set(numbers)) == len(numbers)
    assert play.selected <= set(numbers)
    assert len(play.picked) < 3
    assert list(play.marks) == sorted(set(play.marks))
    assert all(0 <= mark < play.game.n_moves for mark in play.marks)
    if play.target is not None:
        assert {play.target.number, *play.target.rest} <= play.selected
        assert play.game.state.skyline
