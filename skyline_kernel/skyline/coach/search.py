"""Search for the simplest rules: which card of so many words costs least.

The search keeps the cheapest cards of each complexity.  From each of them it goes on to its
neighbours: with one line of a library more, at any place, or with one line less.  It ends when
every kept card has been tried.  It begins with the empty card and with any others that one has,
such as a long one that is to be made shorter.  The result is a curve: the more there is to
remember, the smaller the price.  A better card of the same length may exist; each price is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...chance import compositions
from ..dice import Kind, Style
from ..legality import DICE_FROM_YARD
from ..state import State
from .pricing import Price, price
from .rules import (
    Card,
    Condition,
    Do,
    FewColumns,
    Finish,
    GiveAway,
    LastTurns,
    Line,
    Raise,
    RollAgain,
    Start,
    TakeDice,
)

__all__ = ["PricedCard", "library", "search_cards"]

Progress = Callable[[int], object]
"""Is told how many cards more are priced."""


@dataclass(frozen=True)
class PricedCard:
    """A card with its price.

    Parameters
    ----------
    card : Card
    price : Price
    """

    card: Card
    price: Price


def library() -> tuple[Line, ...]:
    """List the lines that cards are made of by default."""
    lines = [Line(do, conditions) for do in _builds() for conditions in _BUILD_CONDITIONS]
    lines += [Line(do, conditions) for do in _takes() for conditions in _TAKE_CONDITIONS]
    lines += [Line(RollAgain(), conditions) for conditions in _ROLL_CONDITIONS]
    lines += [Line(GiveAway(kind)) for kind in (Kind.PENTHOUSE, Kind.UPPER, Kind.GROUND)]
    return tuple(lines)


def _builds() -> list[Do]:
    builds: list[Do] = [Start(style) for style in Style]
    builds += [Raise(Style.MID), Raise(Style.HIGH), Finish(Style.LOW, 2)]
    builds += [Finish(Style.MID, height) for height in (2, 3, 4)]
    builds += [Finish(Style.HIGH, height) for height in (3, 4, 5, 6)]
    builds += [Finish(Style.HIGH, height, 5) for height in (4, 5)]
    return builds


def _takes() -> list[Do]:
    # Several penthouses go with no ground floor: they need columns that are ready.
    counts = compositions(DICE_FROM_YARD, 3)
    return [TakeDice(*some) for some in counts if some[2] <= 1 or some[0] == 0]


_BUILD_CONDITIONS: tuple[tuple[Condition, ...], ...] = ((), (LastTurns(0),), (LastTurns(2),))
_TAKE_CONDITIONS: tuple[tuple[Condition, ...], ...] = (
    (),
    *((condition,) for condition in map(LastTurns, (0, 1, 2, 4, 6))),
    *((condition,) for condition in map(FewColumns, (3, 5, 8))),
)
_ROLL_CONDITIONS: tuple[tuple[Condition, ...], ...] = ((), (LastTurns(0),))


def search_cards(
    state: State | None = None,
    *,
    most: int = 8,
    beam: int = 1,
    starts: Sequence[Card] = (),
    lines: Sequence[Line] | None = None,
    progress: Progress | None = None,
) -> tuple[PricedCard, ...]:
    """Find cheap cards of up to `most` words.

    Parameters
    ----------
    state : State, optional
        Start of the practice game, as for `price`; a late round makes a quick search.
    most : int
        Greatest complexity of cards that are grown; those of `starts` may be longer.
    beam : int
        Cards of each complexity that are kept.
    starts : sequence of Card
        Begin with these too.
    lines : sequence of Line, optional
        What cards are grown by, `library` if left out; none at all: cards only get shorter.
    progress : callable, optional
        Is told whenever cards are priced.

    Returns
    -------
    tuple of PricedCard
        Each more complex and cheaper than the one before it, from the empty card on.

    Notes
    -----
    To grow a card means to price some hundred others, a tenth of a second each for a whole game.
    """
    known: dict[Card, Price] = {}

    def priced(card: Card) -> PricedCard:
        if card not in known:
            known[card] = price(card, state)
            if progress is not None:
                progress(1)
        return PricedCard(card, known[card])

    some = tuple(lines) if lines is not None else library()
    best: dict[int, list[PricedCard]] = {}
    for card in (Card(()), *starts):
        _keep(best, priced(card), beam)
    tried: set[Card] = set()
    while (kept := _next(best, tried)) is not None:
        tried.add(kept)
        for other in _neighbours(kept, some, most):
            _keep(best, priced(other), beam)
    return _curve(one for n in sorted(best) for one in best[n][:1])


def _next(best: dict[int, list[PricedCard]], tried: set[Card]) -> Card | None:
    """Return the shortest kept card that was not yet tried."""
    waiting = (one.card for n in sorted(best) for one in best[n] if one.card not in tried)
    return next(waiting, None)


def _keep(best: dict[int, list[PricedCard]], one: PricedCard, beam: int) -> None:
    kept = best.setdefault(one.card.complexity, [])
    if all(one.card != other.card for other in kept):
        kept.append(one)
        kept.sort(key=lambda priced: priced.price.cost)
        del kept[beam:]


def _neighbours(card: Card, lines: Sequence[Line], most: int) -> Iterator[Card]:
    """Yield the card with each line at each place among its like, and without each of its own."""
    for place in range(len(card.lines)):
        yield Card(card.lines[:place] + card.lines[place + 1 :])
    for line in lines:
        if card.complexity + line.complexity <= most:
            same = [n for n, other in enumerate(card.lines) if _is_take(other) == _is_take(line)]
            for place in [*same, same[-1] + 1 if same else _end_of(card, line)]:
                yield Card((*card.lines[:place], line, *card.lines[place:]))


def _is_take(line: Line) -> bool:
    return isinstance(line.do, TakeDice)


def _end_of(card: Card, line: Line) -> int:
    """Return where the first line of its sort stands: takes before all others."""
    return 0 if _is_take(line) else len(card.lines)


def _curve(cards: Iterable[PricedCard]) -> tuple[PricedCard, ...]:
    found: list[PricedCard] = []
    for one in cards:
        if not found or one.price.cost < found[-1].price.cost:
            found.append(one)
    return tuple(found)
