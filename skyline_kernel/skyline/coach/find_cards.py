"""Find the cards that are shipped, again or better ones.

``python -m skyline_kernel.skyline.coach.find_cards`` searches with the seed and as many prices as
the shipped cards were found with, and prints the curve; ``--write`` puts it in their place.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import indent
from typing import Final

from tqdm import tqdm

from .card_notation import format_card, parse_card
from .remembered import CARDS
from .search import PricedCard, search_cards

__all__ = ["FIRST_CARDS", "as_python", "main"]

FIRST_CARDS: Final = (
    """
    TakeForReady 4 5
    RollUnfit 3
    Finish any 4 5
    Raise any 4
    Start m
    BuildAny
    """,
    """
    LastTurns 1: TakeDice 0 0 3
    LastTurns 5: TakeDice 0 3 0
    TakeDice 3 0 0
    RollUnfit 3
    Finish any 4 5
    Raise any 4
    Start m
    BuildAny
    """,
    """
    LastTurns 0: TakeForReady 2 0
    TakeForReady 4 5
    RollUnfit 5
    Finish h 4 5
    Finish m 4 6
    Raise h 4
    Raise m 5
    Start m
    BuildAny
    """,
    """
    TurnsLeft 8: TakeDice 3 0 0
    TurnsLeft 5: TakeDice 1 2 0
    LastTurns 0: TakeDice 0 0 3
    TakeForReady 4 0
    RollUnfit 5
    Finish h 5 5
    Finish m 4 6
    Raise h 4
    Raise m 5
    Start m
    BuildAny
    """,
)
"""Where the search for the shipped cards begins: what best play is seen to do, put in few words."""

SEED: Final = 1
N_PRICES: Final = 9000

_HEAD: Final = '''"""Cards worth remembering, found by search over the practice game with the standard dice.

Each is the cheapest that `find_cards` found for so many words, in the online edition.

{table}

The tests price them again.
"""

from __future__ import annotations

from typing import Final

from .card_notation import parse_card
from .rules import Card

__all__ = ["CARDS", "COSTS"]

_FOUND: Final = (
'''

_TAIL: Final = ''')

CARDS: Final[tuple[Card, ...]] = tuple(parse_card(text) for _, text in _FOUND)
"""From the simplest to the best, for the online edition with the standard dice."""

COSTS: Final[tuple[float, ...]] = tuple(cost for cost, _ in _FOUND)
"""Points behind best play of each card, rounded to six decimals."""
'''


def main(arguments: Sequence[str] | None = None) -> int:
    """Search with a progress bar, print the curve, and write it if that is wanted."""
    parser = argparse.ArgumentParser(
        prog="python -m skyline_kernel.skyline.coach.find_cards",
        description="Search for the simplest rules of the practice game, online edition.",
    )
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--prices", type=int, default=N_PRICES, help="cards to price")
    parser.add_argument("--most", type=int, default=18, help="greatest complexity")
    parser.add_argument("--on", action="store_true", help="begin with the shipped cards")
    parser.add_argument("--write", action="store_true", help="ship what is found")
    options = parser.parse_args(arguments)
    starts = CARDS if options.on else tuple(map(parse_card, FIRST_CARDS))
    with tqdm(total=options.prices, unit=" cards", smoothing=0.01) as bar:
        curve = search_cards(
            seed=options.seed,
            n_prices=options.prices,
            most=options.most,
            starts=starts,
            progress=bar.update,
        )
    for one in curve:
        print(f"# {one.card.complexity} words, {one.price.cost:.3f} points behind best play")
        print(format_card(one.card) + "\n")
    if options.write:
        target = Path(__file__).with_name("remembered.py")
        target.write_text(as_python(curve), encoding="utf-8")
    return 0


def as_python(curve: Sequence[PricedCard]) -> str:
    """Return the module of shipped cards; the empty card is left out."""
    cards = [one for one in curve if one.card.lines]
    rule = "=" * 11 + "  " + "=" * 26
    rows = [f"{one.card.complexity:<11}  {one.price.cost:.1f}" for one in cards]
    table = "\n".join([rule, "complexity   points behind best play", rule, *rows, rule])
    body = "".join(map(_entry, cards))
    return _HEAD.replace("{table}", table) + body + _TAIL


def _entry(one: PricedCard) -> str:
    text = indent(format_card(one.card), " " * 8)
    return f'    (\n        {one.price.cost:.6f},\n        """\n{text}\n        """,\n    ),\n'


if __name__ == "__main__":
    sys.exit(main())
