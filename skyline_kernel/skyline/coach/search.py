"""Search for the simplest rules: which card of so many words costs least.

The search keeps the cheapest cards of each complexity.  Again and again it takes one of them and
changes it a little, at random: a line more or less, another line, another condition, another
order, or the dice to take from one card and the building from another.  What comes out is priced
exactly, and kept if it is among the cheapest of its own complexity.  So a long card that has got
better is shortened later, and a short one grows.

Pricing stops as soon as a card has lost more than the kept ones: after each turn what is lost for
sure is known (`price_below`).

The result is a curve: the more there is to remember, the smaller the price.  A seed settles
everything.  A better card of the same length may exist; each price is exact.

`find_cards` is the command that found the shipped cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Final

from numpy.random import Generator, default_rng

from ..state import State
from .conditions import Condition
from .deeds import Do, RollAgain, RollUnfit
from .pricing import Price, price_below
from .rules import Card, Line
from .vocabulary import builds, conditions, is_take, others, takes

__all__ = ["PricedCard", "curve_of", "search_cards", "shorter_cards"]

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


def search_cards(
    state: State | None = None,
    *,
    seed: int,
    n_prices: int,
    most: int = 18,
    width: int = 6,
    starts: Sequence[Card] = (),
    progress: Progress | None = None,
) -> tuple[PricedCard, ...]:
    """Find cheap cards of up to `most` words.

    Parameters
    ----------
    state : State, optional
        Start of the practice game, as for `price`; a late round makes a quick search.
    seed : int
    n_prices : int
        Cards that are priced, those of `starts` included.
    most : int
        Greatest complexity.
    width : int
        Cards of each complexity that are kept.
    starts : sequence of Card
        Begin with these too; longer ones are made shorter first.
    progress : callable, optional
        Is told whenever a card is priced.

    Returns
    -------
    tuple of PricedCard
        Each more complex and cheaper than the one before it, from the empty card on.

    Notes
    -----
    A price takes some hundredths of a second for a whole game.
    """
    kept = _Kept(state, n_prices, most, width, progress)
    for card in (Card(()), *starts):
        for one in shorter_cards(card, most):
            kept.consider(one)
    rng = default_rng(seed)
    while kept.n_left > 0:
        kept.consider(_changed(rng, kept))
    return curve_of(kept.best())


def shorter_cards(card: Card, most: int) -> list[Card]:
    """Return a card, or what is left of it if lines are left out from its end, one by one."""
    cards = [Card(card.lines[:n]) for n in range(len(card.lines), -1, -1)]
    short = [one for one in cards if one.complexity <= most]
    return short[:1] if card.complexity <= most else short


def curve_of(cards: Iterable[PricedCard]) -> tuple[PricedCard, ...]:
    """Return the cards that no simpler one undercuts, the simplest first.

    Parameters
    ----------
    cards : iterable of PricedCard
    """
    found: list[PricedCard] = []
    for one in sorted(cards, key=lambda one: (one.card.complexity, one.price.cost)):
        if not found or one.price.cost < found[-1].price.cost:
            found.append(one)
    return tuple(found)


class _Kept:
    """The cheapest cards of each complexity."""

    def __init__(
        self, state: State | None, n_prices: int, most: int, width: int, progress: Progress | None
    ) -> None:
        self.n_left = n_prices
        self.most = most
        self._state = state
        self._width = width
        self._progress = progress
        self._cards: dict[int, list[PricedCard]] = {}
        self._known: set[Card] = set()

    def consider(self, card: Card) -> None:
        """Price a card that is new and short enough, and keep it if it is cheap."""
        if card in self._known or card.complexity > self.most:
            return
        self._known.add(card)
        here = self._cards.setdefault(card.complexity, [])
        limit = here[-1].price.cost if len(here) == self._width else inf
        told = price_below(card, limit, self._state)
        self.n_left -= 1
        if self._progress is not None:
            self._progress(1)
        if told is not None:
            here.append(PricedCard(card, told))
            here.sort(key=lambda one: one.price.cost)
            del here[self._width :]

    def draw(self, rng: Generator) -> Card:
        """Return one of the kept cards, any complexity alike, cheap ones more often."""
        sizes = [n for n, cards in self._cards.items() if cards]
        cards = self._cards[int(rng.choice(sizes))]
        return cards[int(len(cards) * rng.uniform() ** 2)].card

    def best(self) -> list[PricedCard]:
        """Return the cheapest card of each complexity."""
        return [cards[0] for cards in self._cards.values() if cards]


# --- changing a card --------------------------------------------------------------------------

_MOST_CONDITIONS: Final = 2
_ONCE_MORE: Final = 0.4
"""Chance that a changed card is changed once more."""


def _changed(rng: Generator, kept: _Kept) -> Card:
    """Change a kept card a little."""
    card = kept.draw(rng)
    while True:
        if rng.uniform() < _MIXED:
            card = _mixed(card, kept.draw(rng))
        else:
            change = _CHANGES[int(rng.choice(len(_CHANGES), p=_WEIGHTS))]
            card = _in_order(change(rng, list(card.lines)))
        if rng.uniform() >= _ONCE_MORE:
            return card


_MIXED: Final = 0.08


def _mixed(card: Card, other: Card) -> Card:
    """Take dice as one card says, and build as another does."""
    return Card(
        (
            *(line for line in card.lines if is_take(line)),
            *(line for line in other.lines if not is_take(line)),
        )
    )


def _in_order(lines: Iterable[Line]) -> Card:
    """Put what dice to take first, leave out what stands there twice, and look no further."""
    ordered = sorted(dict.fromkeys(lines), key=lambda line: not is_take(line))
    n_lines = len(ordered)
    return Card(tuple(_not_beyond(line, n_lines - n) for n, line in enumerate(ordered, start=1)))


def _not_beyond(line: Line, n_below: int) -> Line:
    if isinstance(line.do, RollUnfit) and line.do.n_lines > n_below:
        return replace(line, do=RollUnfit(n_below) if n_below else RollAgain())
    return line


def _any_of(rng: Generator, some: Sequence[Any]) -> Any:
    return some[int(rng.integers(len(some)))]


def _any_line(rng: Generator) -> Line:
    sorts = (takes(), builds(), others())
    deed: Do = _any_of(rng, sorts[int(rng.choice(3, p=(0.4, 0.45, 0.15)))])
    n_conditions = int(rng.choice(3, p=(0.4, 0.45, 0.15)))
    return Line(deed, tuple(_any_of(rng, conditions()) for _ in range(n_conditions)))


def _with_one_more(rng: Generator, lines: list[Line]) -> list[Line]:
    place = int(rng.integers(len(lines) + 1))
    before = lines[:place]
    # What rolls again looks at the lines that follow: the new one counts among them.
    return [*map(_looking_further, before, range(place, 0, -1)), _any_line(rng), *lines[place:]]


def _looking_further(line: Line, distance: int, more: int = 1) -> Line:
    if isinstance(line.do, RollUnfit) and line.do.n_lines >= distance:
        return replace(line, do=RollUnfit(max(line.do.n_lines + more, 1)))
    return line


def _with_one_less(rng: Generator, lines: list[Line]) -> list[Line]:
    if not lines:
        return lines
    place = int(rng.integers(len(lines)))
    before = lines[:place]
    nearer = (
        _looking_further(line, n, -1) for line, n in zip(before, range(place, 0, -1), strict=True)
    )
    return [*nearer, *lines[place + 1 :]]


def _with_another(rng: Generator, lines: list[Line]) -> list[Line]:
    return _at_one_place(rng, lines, lambda _: _any_line(rng))


def _at_one_place(rng: Generator, lines: list[Line], change: Callable[[Line], Line]) -> list[Line]:
    if not lines:
        return lines
    place = int(rng.integers(len(lines)))
    return [*lines[:place], change(lines[place]), *lines[place + 1 :]]


def _with_another_deed(rng: Generator, lines: list[Line]) -> list[Line]:
    def change(line: Line) -> Line:
        alike = [do for do in (*takes(), *builds(), *others()) if type(do) is type(line.do)]
        if is_take(line) and rng.uniform() < 0.5:
            alike = list(takes())
        return replace(line, do=_any_of(rng, alike))

    return _at_one_place(rng, lines, change)


def _with_another_condition(rng: Generator, lines: list[Line]) -> list[Line]:
    def change(line: Line) -> Line:
        some = list(line.conditions)
        if some and rng.uniform() < 0.75:
            place = int(rng.integers(len(some)))
            alike = [one for one in conditions() if type(one) is type(some[place])]
            some[place] = _any_of(rng, alike if rng.uniform() < 0.6 else conditions())
        elif len(some) < _MOST_CONDITIONS:
            some.append(_any_of(rng, conditions()))
        return replace(line, conditions=_different(some))

    return _at_one_place(rng, lines, change)


def _different(some: Iterable[Condition]) -> tuple[Condition, ...]:
    return tuple(dict.fromkeys(some))


def _with_one_condition_less(rng: Generator, lines: list[Line]) -> list[Line]:
    def change(line: Line) -> Line:
        some = list(line.conditions)
        if some:
            del some[int(rng.integers(len(some)))]
        return replace(line, conditions=tuple(some))

    return _at_one_place(rng, lines, change)


def _in_another_order(rng: Generator, lines: list[Line]) -> list[Line]:
    if not lines:
        return lines
    moved = list(lines)
    line = moved.pop(int(rng.integers(len(moved))))
    moved.insert(int(rng.integers(len(moved) + 1)), line)
    return moved


_CHANGES: Final = (
    _with_one_more,
    _with_one_less,
    _with_another,
    _with_another_deed,
    _with_another_condition,
    _with_one_condition_less,
    _in_another_order,
)
_WEIGHTS: Final = (0.2, 0.1, 0.1, 0.18, 0.2, 0.07, 0.15)
