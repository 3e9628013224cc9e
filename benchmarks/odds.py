"""How long the odds of rerolls take, beside icepool.

    python benchmarks/odds.py [--rounds 9]

For each position the chance to be able to build is found for every reroll, by our functions and
by icepool, a general library for dice.  Both get the same position after the choice, give the same
fractions (this is checked first) and take turns, so what disturbs the machine disturbs both.
Printed are the medians for one reroll and the median of the ratios.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from fractions import Fraction

import icepool

from skyline_kernel.skyline import Die, State, build_odds, parse_position
from skyline_kernel.skyline.dice import FACES, KINDS
from skyline_kernel.skyline.odds import after_choice, choices_before_roll, is_buildable

POSITIONS = (
    "h3,m1,l1 G1U1P1 Gm,Um,P- more 5.1 online",
    "h3,m1,l1 G1U1P1 Um,Uh,P- more 5.1 online",
    "h3,m1,l1 G1U1P1 Gm,Um,Uh,P-,P- more 5.1 online",
    "m2 G1U1P1 Ul,Ul,Uh,P-,P-,P- more 5.1 online",
)


def ours(dues: list[State]) -> list[Fraction]:
    """Find the chances with our functions."""
    return [build_odds(due).build for due in dues]


def theirs(dues: list[State]) -> list[Fraction]:
    """Find the chances with icepool: each die is good or not, and the best one counts."""
    return [icepool.highest(*_dice(due)).probability(True) for due in dues]


def _dice(due: State) -> list[icepool.Die[bool]]:
    return [_die(due, die) for die in due.dice]


def _die(due: State, die: Die) -> icepool.Die[bool]:
    if die.is_rolled:
        return icepool.Die([is_buildable(due.skyline, die)])
    weights = due.rules.dice_set.weights[KINDS.index(die.kind)]
    sides = {Die(die.kind + face): n for face, n in zip(FACES, weights, strict=True) if n}
    return icepool.Die(sides).map(lambda side: is_buildable(due.skyline, side))


def seconds(find: Callable[[list[State]], list[Fraction]], dues: list[State]) -> float:
    """Time one run over all rerolls of a position."""
    begin = time.perf_counter()
    find(dues)
    return time.perf_counter() - begin


def main() -> None:
    """Run the benchmark and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    for position in POSITIONS:
        state = parse_position(position)
        dues = [after_choice(state, choice) for choice in choices_before_roll(state)]
        assert ours(dues) == theirs(dues)
        pairs = [(seconds(ours, dues), seconds(theirs, dues)) for _ in range(rounds)]
        mine, judge = (
            statistics.median(times) / len(dues) * 1e6 for times in zip(*pairs, strict=True)
        )
        ratio = statistics.median(their / our for our, their in pairs)
        print(
            f"{position}: {len(dues)} rerolls, ours {mine:.1f} us each, "
            f"icepool {judge:.0f} us each, {ratio:.0f} times faster"
        )


if __name__ == "__main__":
    main()
