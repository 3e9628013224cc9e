"""What exact values cost: the whole solve, a table from its file, advice on positions.

    python benchmarks/solver.py [--seed 1] [--positions 60] [--no-solve]

Advice is measured warm: each position is asked about once before, so that tables are loaded.
Positions come from games of random and of sensible players.  Everything is measured in one run;
beside each figure stands its ratio to another of the same run.  Times of advice are processor
time of one core, the solve is wall-clock time of two processes.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from numpy.random import Generator, default_rng

from skyline_kernel.skyline import (
    State,
    new_game,
    parse_position,
    parse_rules,
    player_named,
    random_roll,
    shipped_dice_set,
    successor,
)
from skyline_kernel.skyline.advice import advise
from skyline_kernel.skyline.solver.practice import practice_game
from skyline_kernel.skyline.solver.rebuild import rebuild
from skyline_kernel.skyline.solver.store import SHIPPED_FOLDER, read_table
from skyline_kernel.skyline.solver.tables import TRIMMED

REPEATS = 5


def met_positions(rng: Generator, n_games: int) -> list[State]:
    """Return the decisions of some games of two to four players."""
    met = []
    for game in range(n_games):
        rules = parse_rules(("online", "online+nine", "printed", "printed+nine")[game % 4])
        players = [player_named(("random", "builder")[game % 2])] * 4
        state = new_game(2 + game % 3, rules)
        while not state.is_over:
            if state.is_chance:
                state = successor(state, random_roll(state, rng))
                continue
            met.append(state)
            state = successor(state, players[state.seat - 1](state, rng))
    return met


def milliseconds(work: Callable[[], object]) -> float:
    """Return the least processor time of a few calls, after one that warms up."""
    work()
    times = []
    for _ in range(REPEATS):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return 1000 * min(times)


def show(name: str, times: Sequence[float], limit: float | None = None) -> float:
    """Print what was measured and return the median."""
    median, worst = statistics.median(times), max(times)
    ninth = statistics.quantiles(times, n=10)[-1] if len(times) > 1 else worst
    within = f", worst {worst / limit:.2f} of {limit:.0f} ms" if limit else ""
    print(
        f"{name}: {len(times)} positions, median {median:.2f} ms, "
        f"nine of ten below {ninth:.2f} ms, worst {worst:.2f} ms{within}"
    )
    return median


def sample(rng: Generator, states: Iterable[State], n_wanted: int) -> list[State]:
    """Return some of the states."""
    pool = list(states)
    order = rng.permutation(len(pool))[:n_wanted]
    return [pool[place] for place in order]


EIGHT = [
    "h3,m1,L2/m2,h5,l1 G3U3P2 - take 5.1 online",
    "h1/m1 G3U3P2 - take 1.1 online+nine",
    "h2,h4,m1,m3,l1/m2 G2U4P2 - take 7.1 online",
    "h3,h1,m1,m2,l1/m2 G1U1P1 G?,G?,G?,U?,U?,U?,P?,P? roll 5.1 online",
    "h3,h1,m1,m2,l1/m2 G1U1P1 Gl,Gm,Gh,Ul,Um,Uh,P-,Pm use 5.1 online",
    "h3,h1,m1,m2,l1/m2 G1U1P1 Gl,Gm,Gh,Ul,Um,Uh,P- more 5.1 online",
    "h3,h1,m1,m2,l1/m2 G1U1P1 Gl,Gm,Gh,Ul,Um,Uh,P- more:build 9.1 printed",
    "h5,h4,m3,l1/m2 G1U1P1 G?,U?,U?,U?,U?,P?,P?,P? roll 9.1 online",
]
"""Turns with a district of eight dice."""


def measure_advice(rng: Generator, n_positions: int) -> None:
    """Measure advice on positions of games, and on turns with eight dice."""
    met = [s for s in met_positions(rng, 24) if sum(s.district) <= 8]
    in_hand = sample(rng, (s for s in met if s.dice and len(s.dice) <= 3), n_positions)
    takes = sample(rng, (s for s in met if not s.dice and sum(s.district) <= 5), n_positions)
    eight = [parse_position(text) for text in EIGHT]
    score = show("score, up to three active dice", _advised(in_hand, "score"), 5)
    show("score, to take from the yard or a district of at most five", _advised(takes, "score"))
    large = show("score, eight dice", _advised(eight, "score"), 150)
    print(f"  eight dice cost {large / score:.0f} times as much as three")
    for objective in ("turn", "margin"):
        other = show(f"{objective}, up to three active dice", _advised(in_hand, objective))
        print(f"  {other / score:.1f} times the score")
        show(f"{objective}, eight dice", _advised(eight[:4], objective))


def _advised(states: Sequence[State], objective: str) -> list[float]:
    return [milliseconds(lambda state=state: advise(state, objective)) for state in states]  # type: ignore[misc]


def measure_tables(*, solve: bool) -> None:
    """Measure the shipped tables: reading them, and solving both endings again."""
    game = practice_game(shipped_dice_set("standard"), nine=True)
    reading = milliseconds(lambda: read_table(game, TRIMMED, SHIPPED_FOLDER))
    size = sum(path.stat().st_size for path in SHIPPED_FOLDER.iterdir())
    print(f"a table is opened and checked in {reading:.1f} ms; both files hold {size:,} bytes")
    if not solve:
        return
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        files = rebuild(Path(folder))
        seconds = time.perf_counter() - begin
        same = all(f.read_bytes() == (SHIPPED_FOLDER / f.name).read_bytes() for f in files)
    print(
        f"both endings solved in {seconds:.1f} s by two processes, {seconds / 20:.2f} of 20 s and "
        f"{1000 * seconds / (2 * reading):,.0f} times reading them; bit for bit the same: {same}"
    )


def main() -> int:
    """Run the benchmark and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--no-solve", action="store_true")
    options = parser.parse_args()
    measure_advice(default_rng(options.seed), options.positions)
    measure_tables(solve=not options.no_solve)
    return 0


if __name__ == "__main__":
    sys.exit(main())
