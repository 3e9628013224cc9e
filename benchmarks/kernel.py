"""Cost of the kernel: importing it, and playing whole games in plain Python.

All times are processor times, which other programs disturb less than the clock.

``python benchmarks/kernel.py`` prints ratios within one run beside the times of this machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np

from skyline_kernel.skyline import (
    PLAYERS,
    Player,
    Rules,
    legal_actions,
    new_game,
    parse_position,
    parse_rules,
    random_roll,
    successor,
)

N_IMPORTS = 15
N_GAMES = 60


def children_seconds() -> float:
    """Return the processor time of all programs that this one has started so far."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def import_seconds(*codes: str) -> list[float]:
    """Time some programs in fresh interpreters, one after the other and over again.

    Returns
    -------
    list of float
        Median seconds of each program, start of the interpreter included.
    """
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    # Compiled once, as for everybody who starts the kit a second time.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    times: list[list[float]] = [[] for _ in codes]
    with TemporaryDirectory() as folder:
        environment["PYTHONPYCACHEPREFIX"] = folder
        for _ in range(1 + N_IMPORTS):
            for code, taken in zip(codes, times, strict=True):
                start = children_seconds()
                subprocess.run([sys.executable, "-c", code], check=True, env=environment)
                taken.append(children_seconds() - start)
    return [median(taken[1:]) for taken in times]


def play_games(player: Player, rules: Rules, n_games: int) -> tuple[int, float]:
    """Play games for two and return the number of actions, rolls included, and the seconds."""
    rng = np.random.default_rng(1)
    n_actions = 0
    start = process_time()
    for _ in range(n_games):
        state = new_game(2, rules)
        while not state.is_over:
            action = random_roll(state, rng) if state.is_chance else player(state, rng)
            state = successor(state, action)
            n_actions += 1
    return n_actions, process_time() - start


def listing_seconds(n_dice: int) -> float:
    """Return the seconds to list the legal actions of a state and read the last of them."""
    dice = ",".join((["Gl", "Gm", "Gh", "Ul", "Um", "Uh", "Pm", "Ph", "P-"] * n_dice)[:n_dice])
    state = parse_position(f"h1,m1,l1 G1U1P1 {dice} more 1.1")
    start = process_time()
    for _ in range(1000):
        legal_actions(state)[-1]
    return (process_time() - start) / 1000


def unit_of_work() -> float:
    """Return the seconds of a fixed piece of plain Python, to compare machines by."""
    start = process_time()
    total = 0
    for number in range(2_000_000):
        total += number & 3
    return process_time() - start


def best(measure: Callable[[], tuple[int, float]]) -> float:
    """Return the best rate of three runs, in actions per second."""
    return max(n / seconds for n, seconds in (measure() for _ in range(3)))


def main() -> None:
    """Measure and print."""
    print(f"Python {sys.version.split()[0]}, numpy {np.__version__}")
    bare, numpy_only, both, kernel = import_seconds(
        "pass",
        "import numpy",
        "import numpy, skyline_kernel.skyline",
        "import skyline_kernel.skyline",
    )
    print(f"import numpy: {numpy_only * 1000:.0f} ms ({numpy_only / bare:.2f} x bare Python)")
    print(
        f"import numpy and kernel: {both * 1000:.0f} ms "
        f"({both / numpy_only:.2f} x numpy alone, {(both - numpy_only) * 1000:+.0f} ms)"
    )
    print(f"import kernel alone: {kernel * 1000:.0f} ms ({kernel / numpy_only:.2f} x numpy alone)")

    unit = min(unit_of_work() for _ in range(3))
    for word in ("online", "printed", "online+box"):
        for name in ("random", "greedy", "builder"):
            player, rules = PLAYERS[name], parse_rules(word)
            rate = best(lambda p=player, r=rules: play_games(p, r, N_GAMES))  # type: ignore[misc]
            print(
                f"{name} plays {word}: {rate:,.0f} actions a second "
                f"({rate * unit:,.0f} a unit of plain Python)"
            )

    few, many = listing_seconds(3), listing_seconds(30)
    print(f"legal actions of 30 dice against 3: {many / few:.1f} x ({many * 1e6:.0f} us)")


if __name__ == "__main__":
    main()
