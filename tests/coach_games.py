"""Games of all kinds for the tests of the coach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from game_tools import played

from skyline_kernel.skyline import (
    Edition,
    Game,
    Rules,
    Seat,
    apply,
    parse_action,
    parse_position,
    shipped_dice_set,
)

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


def game_from(position: str, *actions: str) -> Game:
    """Play some actions from a position, rolls as they are given."""
    state = parse_position(position)
    seats = tuple(Seat(f"seat {number}") for number in range(1, state.n_players + 1))
    game = Game(0, seats, (), (state,))
    for text in actions:
        after, entry = apply(game.state, parse_action(text))
        game = replace(game, log=(*game.log, entry), states=(*game.states, after))
    return game
