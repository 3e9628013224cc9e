"""Best play of one turn as arrays: which decision comes next, for whole arrays of skylines.

Between two rolls there is no chance, so best play is a chain of decisions that ends in a *stop*:
the turn is over, or some dice are rolled again while others are kept.  `TurnPolicy` follows these
chains for all hands and skylines at once, from fewest active dice to most, reading what is best
off the values that the solver has found.

Among equal best decisions the one of `best_play.first_choice` is chosen.

The same play is best in both editions, though the printed one allows a single kind of action in
a step.  After a use no die is ever abandoned: to keep it and to abandon it after the next roll is
no worse.  And where a die is abandoned though another could be built, building first is no worse.

A stop is a number.  With ``c`` the active dice of each kind that are left, ``m`` skylines in that
layer and ``r`` the place on the axes of rolls (`hands`), flattened, the skyline in row ``i`` has
the stop ``base[c] + r * m + i``.  Where no die is rolled, the turn is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..chance import multiset_weights
from .dice import KINDS, Die, KindCounts, count_kinds
from .solver.hands import added, hand_index, hands, n_hands, roll_blocks
from .solver.moves import Links, fewer
from .solver.skylines import Build, KindFaces
from .solver.turn import TurnValues, Values, roll_values

__all__ = [
    "Decisions",
    "Results",
    "Stops",
    "TurnPolicy",
    "abandoned_on",
    "finished_on",
    "points_of",
    "roll_results",
]

Integers = NDArray[np.int64]

UNDECIDED: Final = -1


# --- rolls ------------------------------------------------------------------------------------


class Results(NamedTuple):
    """What a roll can show, as hands.

    Parameters
    ----------
    hands : ndarray of int
        Flat number of the hand of all active dice after the roll, shape ``(n_results,)``.
    weights : tuple of int
        Equally likely rolls that give it, shape ``(n_results,)``.
    total : int
        Sum of the weights.
    """

    hands: NDArray[np.intp]
    weights: tuple[int, ...]
    total: int

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Chance of each hand, shape ``(n_results,)``."""
        return np.array([weight / self.total for weight in self.weights])


@cache
def _kind_results(kind: KindFaces, n_dice: int, place: int) -> list[tuple[int, int]]:
    """List hands and weights of one kind of die from a place on its axis of rolls."""
    blocks = roll_blocks(kind.n_faces, n_dice)
    n_unrolled = next(q for q, block in enumerate(blocks) if place < block.stop)
    kept = hands(kind.n_faces, n_dice - n_unrolled)[place - blocks[n_unrolled].start]
    return [
        (hand_index(tuple(a + b for a, b in zip(kept, shown, strict=True))), weight)
        for shown, weight in multiset_weights(kind.weights, n_unrolled)
    ]


@cache
def roll_results(faces: tuple[KindFaces, ...], counts: KindCounts, place: int) -> Results:
    """Return what can come of a flat place on the axes of rolls."""
    shape = _rolls_shape(faces, counts)
    places = [int(axis) for axis in np.unravel_index(place, shape)]
    by_kind = [
        _kind_results(kind, n, at) for kind, n, at in zip(faces, counts, places, strict=True)
    ]
    parts = list(product(*by_kind))
    numbers = [[hand for hand, _ in part] for part in parts]
    flat = np.ravel_multi_index(np.transpose(numbers), _hands_shape(faces, counts))
    weights = tuple(prod(weight for _, weight in part) for part in parts)
    return Results(flat, weights, sum(weights))


@cache
def _hands_shape(faces: tuple[KindFaces, ...], counts: KindCounts) -> tuple[int, ...]:
    return tuple(n_hands(kind.n_faces, n) for kind, n in zip(faces, counts, strict=True))


@cache
def _rolls_shape(faces: tuple[KindFaces, ...], counts: KindCounts) -> tuple[int, ...]:
    return tuple(
        roll_blocks(kind.n_faces, n)[-1].stop for kind, n in zip(faces, counts, strict=True)
    )


@cache
def _kept_places(faces: tuple[KindFaces, ...], counts: KindCounts) -> NDArray[np.intp]:
    """Return the flat places on the axes of rolls where no die is rolled, for each hand."""
    kept = np.indices(_hands_shape(faces, counts)).reshape(len(faces), -1)
    return np.asarray(np.ravel_multi_index(tuple(kept), _rolls_shape(faces, counts)))


@cache
def _reroll_places(faces: tuple[KindFaces, ...], counts: KindCounts) -> NDArray[np.intp]:
    """List the flat places of all rerolls of each hand, in the order of preference.

    Returns
    -------
    ndarray of int, shape (n_hands, n_rerolls)
        Filled up with the first place behind the axes of rolls.
    """
    shape = _rolls_shape(faces, counts)
    by_kind = [
        [_parts_of(hand) for hand in hands(kind.n_faces, n)]
        for kind, n in zip(faces, counts, strict=True)
    ]
    rows = [_rerolls_of(parts, shape) for parts in product(*by_kind)]
    longest = max(map(len, rows))
    return np.array([row + [prod(shape)] * (longest - len(row)) for row in rows], dtype=np.intp)


@cache
def _parts_of(hand: tuple[int, ...]) -> list[tuple[int, int]]:
    """List how many dice of a hand are rolled again, and the place on the axis of rolls.

    In the canonical order of rerolls: with more dice of the first face first.
    """
    blocks = roll_blocks(len(hand), sum(hand))
    return [
        (sum(part), blocks[sum(part)].start + hand_index(_less(hand, part)))
        for part in product(*(range(n, -1, -1) for n in hand))
    ]


def _less(hand: tuple[int, ...], part: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n - q for n, q in zip(hand, part, strict=True))


def _rerolls_of(by_kind: Sequence[list[tuple[int, int]]], shape: tuple[int, ...]) -> list[int]:
    _, n_upper, n_penthouse = shape
    rerolls = [
        (a + b + c, (i * n_upper + j) * n_penthouse + k)
        for (a, i), (b, j), (c, k) in product(*by_kind)
        if a + b + c
    ]
    rerolls.sort(key=lambda reroll: reroll[0])  # stable: equal numbers keep the canonical order
    return [place for _, place in rerolls]


# --- stops ------------------------------------------------------------------------------------


class Stops:
    """The numbers of the stops of a turn.

    Parameters
    ----------
    faces : tuple of KindFaces
    sizes : dict of KindCounts to int
        Number of skylines in each layer.
    """

    def __init__(self, faces: tuple[KindFaces, ...], sizes: dict[KindCounts, int]) -> None:
        self.faces = faces
        self.counts = list(sizes)
        self.sizes = np.array(list(sizes.values()), dtype=np.int64)
        lengths = [prod(_rolls_shape(faces, counts)) * n for counts, n in sizes.items()]
        self._bases = np.cumsum([0, *lengths])[:-1]
        self._number = {counts: number for number, counts in enumerate(sizes)}
        self.n_dice = np.array([sum(counts) for counts in sizes], dtype=np.int64)

    def number(self, counts: KindCounts, place: Any, row: Any) -> Any:
        """Return the stops of places on the axes of rolls and rows of a layer."""
        layer = self._number[counts]
        return self._bases[layer] + place * self.sizes[layer] + row

    def parts(self, stops: Integers) -> tuple[Integers, Integers, Integers]:
        """Return layer number, place on the axes of rolls and row of each stop."""
        layers = np.searchsorted(self._bases, stops, side="right") - 1
        rest = stops - self._bases[layers]
        sizes = self.sizes[layers]
        return layers, rest // sizes, rest % sizes

    def place(self, dice: Sequence[Die]) -> int:
        """Return the place on the axes of rolls of dice of which some are to be rolled."""
        places = []
        for kind, faces in zip(KINDS, self.faces, strict=True):
            of_kind = [die for die in dice if die.kind is kind]
            index = dict(faces.index)
            shown = [0] * faces.n_faces
            for die in of_kind:
                if die.is_rolled:
                    shown[index[die]] += 1
            block = roll_blocks(faces.n_faces, len(of_kind))[len(of_kind) - sum(shown)]
            places.append(block.start + hand_index(tuple(shown)))
        counts = count_kinds(die.kind for die in dice)
        return int(np.ravel_multi_index(places, _rolls_shape(self.faces, counts)))

    def all_unrolled(self, counts: KindCounts) -> int:
        """Return the place on the axes of rolls where all dice are rolled."""
        return prod(_rolls_shape(self.faces, counts)) - 1

    def are_over(self, layers: Integers, places: Integers) -> NDArray[np.bool_]:
        """Return at which stops the turn is over."""
        over = np.zeros(len(layers), dtype=bool)
        for layer in np.unique(layers):
            here = layers == layer
            over[here] = np.isin(places[here], _kept_places(self.faces, self.counts[layer]))
        return over


@dataclass(frozen=True, slots=True)
class Decisions:
    """Where best play leads from each hand and skyline of a layer.

    Parameters
    ----------
    stops : ndarray of int64
        Shape ``(n_ground_hands, n_upper_hands, n_penthouse_hands, n_skylines)``.
    trails : ndarray of int64
        What happens on the way, same shape: displayed points that are gained (`points_of`), dice
        of each kind that are abandoned (`abandoned_on`) and buildings that are finished
        (`finished_on`), side by side in one number.
    """

    stops: Integers
    trails: Integers

    def flat(self) -> Decisions:
        """Return the same with one axis of hands."""
        n_skylines = self.stops.shape[-1]
        return Decisions(self.stops.reshape(-1, n_skylines), self.trails.reshape(-1, n_skylines))


def points_of(trails: Integers) -> Integers:
    """Return the points of trails."""
    return trails & _POINTS


def abandoned_on(trails: Integers, kind: int) -> Integers:
    """Return how many dice of the kind are abandoned on trails."""
    counts: Integers = (trails >> (_POINT_BITS + kind * _COUNT_BITS)) & _COUNT
    return counts


def finished_on(trails: Integers) -> Integers:
    """Return how many buildings are finished on trails."""
    return trails >> _FINISHED_SHIFT


_POINT_BITS: Final = 16
_COUNT_BITS: Final = 10
"""Districts and skylines hold less than a thousand dice."""
_POINTS: Final = (1 << _POINT_BITS) - 1
_COUNT: Final = (1 << _COUNT_BITS) - 1
_FINISHED_SHIFT: Final = _POINT_BITS + len(KINDS) * _COUNT_BITS


def _abandon_trail(kind: int) -> int:
    return 1 << (_POINT_BITS + kind * _COUNT_BITS)


def _build_trail(build: Build) -> int:
    return build.gain + (build.result.is_finished << _FINISHED_SHIFT)


class _Chooser:
    """Notes the first offer that is as good as the best.

    Parameters
    ----------
    floors : ndarray
        Values that a choice must reach.
    """

    def __init__(self, floors: Values) -> None:
        self._floors = floors
        self.stops = np.full(floors.shape, UNDECIDED, dtype=np.int64)
        self.trails = np.zeros(floors.shape, dtype=np.int64)

    def offer(self, where: Any, values: Values, stops: Integers, trails: Integers | int) -> None:
        """Offer a way to go on where none was chosen yet."""
        chosen = self.stops[where]
        is_taken = (chosen == UNDECIDED) & (values >= self._floors[where])
        self.stops[where] = np.where(is_taken, stops, chosen)
        self.trails[where] = np.where(is_taken, trails, self.trails[where])

    @property
    def is_done(self) -> bool:
        """Whether a way to go on is chosen everywhere."""
        return bool((self.stops != UNDECIDED).all())

    def decisions(self) -> Decisions:
        """Return what was chosen."""
        assert self.is_done, "nothing reaches the best value"
        return Decisions(self.stops, self.trails)


class TurnPolicy:
    """Best play of a turn, each layer followed when it is first asked for.

    Parameters
    ----------
    faces : tuple of KindFaces
    turn : TurnValues
        The solved turn.
    tolerance : float
        Values this close count as equal, in points; 0 for exact values.
    """

    def __init__(self, faces: tuple[KindFaces, ...], turn: TurnValues, tolerance: float) -> None:
        self.faces = faces
        self.turn = turn
        self.tolerance = tolerance
        sizes = {counts: len(layer.keys) for counts, layer in turn.layers.items()}
        self.stops = Stops(faces, sizes)
        self._more: dict[KindCounts, Decisions] = {}
        self._use: dict[KindCounts, Decisions] = {}

    def use(self, counts: KindCounts) -> Decisions:
        """Return where having to use a die leads."""
        if counts not in self._use:
            self._use[counts] = self._after_roll(counts, self.turn.use(counts))
        return self._use[counts]

    def more(self, counts: KindCounts) -> Decisions:
        """Return where the choice to go on leads, with one skyline more for "not possible"."""
        if counts not in self._more:
            self._more[counts] = self._after_use(counts)
        return self._more[counts]

    def _after_roll(self, counts: KindCounts, best: Values) -> Decisions:
        chooser = _Chooser(best - self.tolerance)
        for offer in (*self._builds(counts), *self._discards(counts)):
            chooser.offer(*offer)
        return chooser.decisions()

    def _after_use(self, counts: KindCounts) -> Decisions:
        layer = self.turn.layers[counts]
        n_skylines = len(layer.keys)
        end = self.turn.end(layer.keys) * self.turn.numbers.scale(sum(counts))
        best = self.turn.more(counts)[..., :n_skylines]
        chooser = _Chooser(best - self.tolerance)
        rolls = None
        if any(counts):
            use = self.turn.use(counts)
            rolls = roll_values(use, counts, self.turn.numbers)
            scale = (self.turn.numbers.divisor or 1) ** sum(counts)
            for where, values, stops, trails in self._builds(counts):
                chooser.offer(where, values * scale, stops, trails)
        kept = _kept_places(self.faces, counts).reshape(*best.shape[:-1], 1)
        rows = np.arange(n_skylines)
        everywhere = (slice(None),) * best.ndim
        ends = np.broadcast_to(end, best.shape)
        chooser.offer(everywhere, ends, self.stops.number(counts, kept, rows), 0)
        if rolls is not None:
            self._offer_rerolls(chooser, counts, rolls)
        return _padded(chooser.decisions())

    def _offer_rerolls(self, chooser: _Chooser, counts: KindCounts, rolls: Values) -> None:
        n_skylines = rolls.shape[-1]
        flat = rolls.reshape(-1, n_skylines)
        never = np.full((1, n_skylines), -np.inf, dtype=flat.dtype)
        flat = np.concatenate([flat, never])
        shape = chooser.stops.shape
        rows = np.arange(n_skylines)
        everywhere = (slice(None),) * len(shape)
        for places in _reroll_places(self.faces, counts).T:
            if chooser.is_done:
                break
            stops = self.stops.number(counts, places[:, None], rows)
            chooser.offer(everywhere, flat[places].reshape(shape), stops.reshape(shape), 0)

    def _builds(self, counts: KindCounts) -> Iterator[tuple[Any, Values, Integers, Integers]]:
        """List the builds of a layer in canonical order: where, value, stop, trail."""
        for kind, links in self._links(counts):
            less = fewer(counts, kind)
            then, next_ = self.turn.more(less), self.more(less)
            scale = self.turn.numbers.scale(sum(less))
            faces = added(self.faces[kind].n_faces, counts[kind])
            ways = zip(faces, self.faces[kind].builds, links.builds, strict=True)
            for shown, builds, targets in ways:
                where = (slice(None),) * kind + (shown,)
                for build, places in zip(builds, targets.places, strict=True):
                    yield (
                        where,
                        np.take(then, places, axis=-1) + build.gain * scale,
                        np.take(next_.stops, places, axis=-1),
                        np.take(next_.trails, places, axis=-1) + _build_trail(build),
                    )

    def _discards(self, counts: KindCounts) -> Iterator[tuple[Any, Values, Integers, Integers]]:
        for kind, links in self._links(counts):
            if not any(links.is_discarded):
                continue
            less = fewer(counts, kind)
            places = links.discards.places[0]
            then = np.take(self.turn.more(less), places, axis=-1)
            stops = np.take(self.more(less).stops, places, axis=-1)
            trails = np.take(self.more(less).trails, places, axis=-1) + _abandon_trail(kind)
            faces = added(self.faces[kind].n_faces, counts[kind])
            for shown, is_discarded in zip(faces, links.is_discarded, strict=True):
                if is_discarded:
                    yield (slice(None),) * kind + (shown,), then, stops, trails

    def _links(self, counts: KindCounts) -> Iterator[tuple[int, Links]]:
        for kind, links in enumerate(self.turn.layers[counts].links):
            if links is not None and counts[kind]:
                yield kind, links


def _padded(decisions: Decisions) -> Decisions:
    width = [(0, 0)] * (decisions.stops.ndim - 1) + [(0, 1)]
    return Decisions(
        np.pad(decisions.stops, width, constant_values=UNDECIDED), np.pad(decisions.trails, width)
    )
