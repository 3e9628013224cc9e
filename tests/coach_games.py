"""Games of all kinds for the tests of the coach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from game_tools import played

from skyline_kernel.skyline import (
    Column,
    Edition,
    Game,
    Rules,
    Seat,
    apply,
    new_game,
    parse_action,
    parse_position,
    points,
    shipped_dice_set,
)
from skyline_kernel.skyline.coach.ledger import Cause, ledgers
from skyline_kernel.skyline.coach.turns import turns_of
from skyline_kernel.skyline.columns import Skyline

PLAYERS = ("builder", "greedy", "random")


def any_game(
    number: int, *, dice_sets: Sequence[str] = ("standard",), most_players: int = 4
) -> Game:
    """Play game `number` of a sequence in which everything is drawn: rules, seats, players."""
    rng = np.random.default_rng([20, number])
    rules = Rules(
        Edition(str(rng.choice(list(Edition)))),
        nine=bool(rng.integers(2)),
        box=bool(rng.integers(2)),
        dice_set=shipped_dice_set(str(rng.choice(dice_sets))),
    )
    n_players = int(rng.integers(1, most_players + 1))
    return played(rules, [str(rng.choice(PLAYERS)) for _ in range(n_players)], number)


SPLITTABLE = 20_000
"""Values a turn: nearly all turns of `some_game` need fewer."""

_COLUMNS = tuple(parse_position(f"{c} G1U1P1 - take 1.1").skyline[0] for c in (
    "h4", "h3", "h2", "h1", "m3", "m2", "m1", "l1", "H5", "M4", "L2",
))  # fmt: skip


def some_game(number: int) -> Game:
    """Play game `number` of a sequence that can be split into its terms quickly.

    A fifth are whole games with the standard dice, of players that build; the others are the
    last rounds of games of all players with all dice.  Who plays at random abandons so many dice
    that after some rounds hardly a turn could be solved.
    """
    rng = np.random.default_rng([22, number])
    is_whole = number % 5 == 0
    dice_sets = ("standard",) if is_whole else ("standard", "uniform", "blank-upper")
    rules = Rules(
        Edition(str(rng.choice(list(Edition)))),
        nine=bool(rng.integers(2)),
        box=bool(rng.integers(2)),
        dice_set=shipped_dice_set(str(rng.choice(dice_sets))),
    )
    shares = (0.6, 0.3, 0.06, 0.04) if is_whole else (0.25, 0.25, 0.25, 0.25)
    n_players = int(rng.choice((1, 2, 3, 4), p=shares))
    some = PLAYERS[: 2 if is_whole else 3]
    players = [str(rng.choice(some)) for _ in range(n_players)]
    if is_whole:
        return played(rules, players, number)
    skylines = tuple(_some_skyline(rng) for _ in players)
    first = int(rng.choice((7, 8, 9), p=(0.2, 0.4, 0.4)))
    start = replace(new_game(n_players, rules), skylines=skylines, round=first)
    seats = tuple(Seat(f"{player} {n}", player) for n, player in enumerate(players, 1))
    game = Game(number, seats, (), (start,))
    while not game.state.is_over:
        game = game.play(game.computer_action(rng))
    return game


class Sums(NamedTuple):
    """What many ledgers say together."""

    n_games: int
    n_turns: int
    n_unsplit: int
    gap: float
    """Largest distance between the sum of all terms and the final score."""


def sums_of(begin: int, end: int) -> Sums:
    """Keep the ledgers of some games of the sequence of `some_game`."""
    games = [some_game(number) for number in range(begin, end)]
    accounts = ledgers(games, SPLITTABLE)
    seats = [seat for account in accounts for seat in account.seats]
    for game, account in zip(games, accounts, strict=True):
        for seat in account.seats:
            assert seat.result == points(game.state.skylines[seat.seat - 1])
    return Sums(
        len(games),
        sum(len(turns_of(game)) for game in games),
        sum(term.cause is Cause.UNSPLIT for seat in seats for term in seat.terms),
        max(abs(seat.total_of_all - seat.result) for seat in seats),
    )


def _some_skyline(rng: np.random.Generator) -> Skyline:
    chosen = rng.integers(len(_COLUMNS), size=rng.integers(6))
    return tuple(sorted((_COLUMNS[n] for n in chosen), key=list(Column).index))


def game_from(position: str, *actions: str) -> Game:
    """Play some actions from a position, rolls as they are given."""
    state = parse_position(position)
    seats = tuple(Seat(f"seat {number}") for number in range(1, state.n_players + 1))
    game = Game(0, seats, (), (state,))
    for text in actions:
        after, entry = apply(game.state, parse_action(text))
        game = replace(game, log=(*game.log, entry), states=(*game.states, after))
    return game
