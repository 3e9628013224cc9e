"""Games of all kinds for the tests of the coach."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from skyline_kernel.skyline import Edition, Game, Rules, Seat, shipped_dice_set, start_game

PLAYERS = ("builder", "greedy", "random")


def played(players: Sequence[str], rules: Rules | None = None, *, seed: int) -> Game:
    """Play a game of computer players to its end."""
    game = start_game([Seat(name, name) for name in players], rules, seed=seed)
    rng = np.random.default_rng(seed)
    while not game.state.is_over:
        game = game.play(game.computer_action(rng))
    return game


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
    return played([str(rng.choice(PLAYERS)) for _ in range(n_players)], rules, seed=number)
