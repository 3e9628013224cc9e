"""Cost of the coach: reviews, puzzles, prices of rules; and the ledger of many random games.

``python benchmarks/coach.py`` prints processor times of this machine, and as ratios within one
run what solving together saves.  ``python benchmarks/coach.py --games 10000`` keeps the ledgers
of so many games of all kinds as well, and prints the largest gap between sum and final score.
"""

from __future__ import annotations

import argparse
import platform
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Final

import numpy as np

from skyline_kernel.skyline import (
    Edition,
    Game,
    Rules,
    Seat,
    Style,
    new_game,
    shipped_dice_set,
    start_game,
)
from skyline_kernel.skyline.advice import advise
from skyline_kernel.skyline.coach.generator import THEMES, fresh_puzzle
from skyline_kernel.skyline.coach.ledger import Cause, ledgers
from skyline_kernel.skyline.coach.pricing import price
from skyline_kernel.skyline.coach.puzzles import Difficulty
from skyline_kernel.skyline.coach.review import review
from skyline_kernel.skyline.coach.rules import (
    Card,
    FewColumns,
    Finish,
    Line,
    Raise,
    Start,
    TakeDice,
)

PLAYERS: Final = ("builder", "greedy", "random")
N_SEEDS: Final = 5
AT_ONCE: Final = 500
MOST_VALUES: Final = 2000
"""Values a turn in the ledgers of many games: larger turns are one term each."""


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


def any_game(number: int) -> Game:
    """Play game `number` of a sequence in which everything is drawn."""
    rng = np.random.default_rng([21, number])
    rules = Rules(
        Edition(str(rng.choice(list(Edition)))),
        nine=bool(rng.integers(2)),
        box=bool(rng.integers(2)),
        dice_set=shipped_dice_set(str(rng.choice(["standard", "uniform", "blank-upper"]))),
    )
    n_players = int(rng.integers(1, 5))
    return played([str(rng.choice(PLAYERS)) for _ in range(n_players)], rules, number)


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
    """Price a card of ten words over a whole game."""
    card = Card(
        (
            Line(TakeDice(3, 0, 0), (FewColumns(4),)),
            Line(TakeDice(0, 2, 1)),
            Line(Finish(Style.HIGH, 4)),
            Line(Finish(Style.MID, 3)),
            Line(Raise(Style.HIGH)),
            Line(Raise(Style.MID)),
            Line(Start(Style.HIGH)),
            Line(Start(Style.MID)),
            Line(Finish(Style.LOW, 2)),
        )
    )
    price(card)
    taken = median(seconds(lambda: price(card)) for _ in range(N_SEEDS))
    print(f"price of a card of {card.complexity} words: {taken:.2f} s")


def check_ledgers(n_games: int) -> None:
    """Keep the ledgers of many games."""
    worst, causes, n_seats = 0.0, dict.fromkeys(Cause, 0), 0
    for begin in range(0, n_games, AT_ONCE):
        games = [any_game(number) for number in range(begin, min(begin + AT_ONCE, n_games))]
        for account in ledgers(games, MOST_VALUES):
            for seat in account.seats:
                n_seats += 1
                worst = max(worst, abs(seat.total_of_all - seat.result))
                for term in seat.terms:
                    causes[term.cause] += 1
        print(f"{begin + len(games)} games, {n_seats} seats, largest gap {worst:.1e}", flush=True)
    print(", ".join(f"{cause.value} {n}" for cause, n in causes.items()))


def main() -> None:
    """Print all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=0, help="ledgers of so many games")
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, numpy {np.__version__}")
    advise(new_game())
    time_reviews()
    time_puzzles()
    time_prices()
    if options.games:
        check_ledgers(options.games)


if __name__ == "__main__":
    main()
