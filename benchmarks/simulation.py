"""How many turns of best practice play are simulated in a second, on one core.

    python benchmarks/simulation.py [--rounds 5] [--games 50000]

Prepares best play from the first turn on for both endings, plays games, and prints the turns in a
second beside those of the players that follow a simple rule, one game after the other, in the
same run.  The exact distribution is found too; its mean is checked against the solver's value.
"""

from __future__ import annotations

import argparse
import statistics
import time

from numpy.random import default_rng

from skyline_kernel.skyline import new_game, parse_rules
from skyline_kernel.skyline.advice import value
from skyline_kernel.skyline.distributions import distribution_of_play
from skyline_kernel.skyline.practice_play import practice_play
from skyline_kernel.skyline.practice_simulation import PracticeSimulator
from skyline_kernel.skyline.simulation import simulate

RULE_GAMES = 40


def rule_turns() -> float:
    """Return the turns in a second of the player that follows a rule of thumb."""
    begin = time.process_time()
    simulate(["builder"], RULE_GAMES, seed=1, rules=parse_rules("online+nine"))
    return RULE_GAMES * 9 / (time.process_time() - begin)


def best_turns(simulator: PracticeSimulator, n_games: int, seed: int) -> float:
    """Return the turns in a second of best play."""
    rng = default_rng(seed)
    begin = time.process_time()
    played = simulator.play_games(n_games, rng)
    return played.n_turns / (time.process_time() - begin)


def main() -> None:
    """Run the benchmark and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=50_000)
    options = parser.parse_args()
    for rules in ("online+nine", "online"):
        state = new_game(1, parse_rules(rules))
        value(state)  # loads the tables
        begin = time.process_time()
        play = practice_play(state)
        simulator = PracticeSimulator(play)
        prepared = time.process_time() - begin
        begin = time.process_time()
        exact = distribution_of_play(play)
        pushed = time.process_time() - begin
        assert abs(float(exact.mean) - value(state).value) < 1e-9
        pairs = [
            (best_turns(simulator, options.games, seed), rule_turns())
            for seed in range(options.rounds)
        ]
        best, rule = (statistics.median(rates) for rates in zip(*pairs, strict=True))
        ratio = statistics.median(fast / slow for fast, slow in pairs)
        print(
            f"{rules}: prepared in {prepared:.1f} s ({play.n_nodes} rolls), "
            f"exact distribution in {pushed:.1f} s; {best:,.0f} turns of best play in a second, "
            f"{ratio:.0f} times the {rule:,.0f} of a rule of thumb played one by one "
            "(processor time, one core)"
        )


if __name__ == "__main__":
    main()
