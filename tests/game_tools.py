"""Whole games of computer players, for tests."""

from collections.abc import Sequence

import numpy as np

from skyline_kernel.skyline import Game, Rules, Seat, start_game


def played(rules: Rules, players: Sequence[str], seed: int, n_moves: int = 10**6) -> Game:
    """Play a game of computer players to its end, or so many moves of it."""
    seats = [Seat(f"{player} {i}", player) for i, player in enumerate(players, 1)]
    game = start_game(seats, rules, seed=seed)
    rng = np.random.default_rng(seed)
    while not game.state.is_over and game.n_moves < n_moves:
        game = game.play(game.computer_action(rng))
    return game
