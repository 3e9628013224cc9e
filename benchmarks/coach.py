"""Cost of the coach: reviews, puzzles, prices of rules, ledgers of many games.

``python benchmarks/coach.py`` prints processor times of this machine, and as ratios within one
run what solving together saves.  That the sums of the ledgers hold on 10,000 random games is a
slow test (`tests/test_coach_ledger.py`).
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Final

import numpy as np

from skyline_kernel.skyline import (
    Game,
    Rules,
    Seat,
    new_game,
    start_game,
)
from skyline_kernel.skyline.advice import advise
from skyline_kernel.skyline.coach.costs import cost_by_line
from skyline_kernel.skyline.coach.generator import THEMES, fresh_puzzle
from skyline_kernel.skyline.coach.ledger import ledger, ledgers
from skyline_kernel.skyline.coach.pricing import price
from skyline_kernel.skyline.coach.puzzles import Difficulty
from skyline_kernel.skyline.coach.remembered import CARDS
from skyline_kernel.skyline.coach.review import review

N_SEEDS: Final = 5
N_LEDGERS: Final = 60


def seconds(task: Callable[[], object]) -> float:
    """Return the processor time of a task."""
    begin = process_time()
    task()
    return process_time() - begin


def played(players: list[str], rules: Rules, seed: int) -> Game:
    """Let computer players play a game."""
    game = start_game([Seat(name, name) for name in players], rules, seed=seed)
    rng = np.random.default_rng(seed)
    while not game.state.is_over:
        game = game.play(game.computer_action(rng))
    return game


def advise_all(game: Game) -> None:
    """Ask for advice about every decision, one by one."""
    for state in game.states[:-1]:
        if not state.is_chance:
            advise(state)


def time_reviews() -> None:
    """Review games of four, and compare with asking about each decision."""
    for player in ("greedy", "builder"):
        games = [played([player] * 4, Rules(), seed) for seed in range(N_SEEDS)]
        together = [seconds(lambda game=game: review(game)) for game in games]  # type: ignore[misc]
        first = games[0]
        alone = seconds(lambda game=first: advise_all(game))  # type: ignore[misc]
        moves = [game.n_moves for game in games]
        print(
            f"review of a game of four {player}s: median {median(together):.2f} s,"
            f" most {max(together):.2f} s, {min(moves)} to {max(moves)} moves;"
            f" {alone / together[0]:.1f} times as fast as advice on each decision"
        )


def time_puzzles() -> None:
    """Make some puzzles of every theme and difficulty."""
    times = [
        seconds(lambda t=theme, d=level, s=seed: fresh_puzzle(t, d, seed=s))  # type: ignore[misc]
        for theme in THEMES
        for level in Difficulty
        for seed in range(N_SEEDS)
    ]
    print(f"puzzle: median {median(times) * 1000:.0f} ms, most {max(times) * 1000:.0f} ms")


def time_prices() -> None:
    """Price the shipped cards over a whole game, and one of them line by line."""
    times = [
        median(seconds(lambda c=card: price(c)) for _ in range(N_SEEDS))  # type: ignore[misc]
        for card in CARDS
    ]
    print(
        f"price of a card: median {median(times) * 1000:.0f} ms, most {max(times) * 1000:.0f} ms,"
        f" {len(CARDS)} cards of 1 to {CARDS[-1].complexity} words"
    )
    card = CARDS[len(CARDS) // 2]
    split = median(seconds(lambda: cost_by_line(card)) for _ in range(N_SEEDS))
    once = median(seconds(lambda: price(card)) for _ in range(N_SEEDS))
    print(f"a card line by line: {split:.2f} s, {split / once:.0f} times its price")


def time_ledgers() -> None:
    """Keep the ledgers of games of two, together and one by one."""
    games = [played(["greedy", "builder"], Rules(), seed) for seed in range(N_LEDGERS)]
    ledgers(games[:N_SEEDS])
    together = seconds(lambda: ledgers(games))
    alone = seconds(lambda: [ledger(game) for game in games])
    print(
        f"ledger of a game of two: {together / N_LEDGERS * 1000:.1f} ms among {N_LEDGERS} games,"
        f" {alone / together:.1f} times as fast as one by one"
    )


def main() -> None:
    """Print all of it."""
    print(f"Python {platform.python_version()}, numpy {np.__version__}")
    advise(new_game())
    time_reviews()
    time_puzzles()
    time_prices()
    time_ledgers()


if __name__ == "__main__":
    main()
