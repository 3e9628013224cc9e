"""Uses of a die as arithmetic on packed skylines, and all skylines that a turn can reach.

A die is *built*, or it is *discarded*: abandoned, or given for a demolition.  Each way to use it
is one row of a table: which field of the key must not be zero, what is added to the key, which
bit is set, what is gained.  A die that can start a column need not be discarded (theorem 5 of the
package), which halves the skylines of a large turn and more.  The skylines met with so many dice
left form a *layer*; `reach` finds the layers of a turn from the top down and links each skyline to
what becomes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, product
from math import prod
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...errors import KitError
from ..dice import KindCounts
from .skylines import ENDED, Build, Keys, Packing, field_of

__all__ = [
    "NOTHING",
    "Layer",
    "Links",
    "MoveTable",
    "Normal",
    "Rows",
    "Targets",
    "TurnTooLargeError",
    "Use",
    "build_use",
    "descend",
    "fewer",
    "layers_below",
    "places_among",
    "reach",
    "verify_few_layers",
]

NO_DICE: Final[KindCounts] = (0, 0, 0)
NOTHING: Final = -1
"""Stands for the skyline after a use that is not possible."""

Normal = Callable[[Keys, KindCounts], Keys]
"""Maps skylines with so many active dice of each kind left to equivalent ones (see `domain`)."""

NormalOfAny = Callable[[Keys, int], Keys]
"""The same with so many active dice left, whatever their kinds."""


_Dice = TypeVar("_Dice")


class TurnTooLargeError(KitError):
    """A turn whose values would not fit into the memory of a usual computer."""

    def __init__(self, n_dice: int) -> None:
        super().__init__(
            "{n_dice} dice in one turn: too many to be solved with these columns", n_dice=n_dice
        )


MOST_SKYLINES: Final = 10_000_000
"""Of all layers of a turn together, some 2 GB."""

MOST_LAYERS: Final = 100_000
"""Of one turn.  They are listed before anything of them is looked at; a turn that memory holds has
some hundreds."""

Spend = Callable[[KindCounts, int], None]
"""Is told of the skylines of each layer, those with most dice first; raises to end the search."""


def _few(_counts: KindCounts, _n_skylines: int) -> None:
    """Let it be."""


class Use(NamedTuple):
    """One way to use a die.

    Parameters
    ----------
    needs : field or None
        Field of the key that must not be zero.
    adds : int
        What is added to the key.
    sets : int
        Bits of the key that are set.
    gain : int
        Displayed points that are gained, negative for a loss.
    """

    needs: Hashable | None
    adds: int
    sets: int
    gain: int


def build_use(build: Build, packing: Packing, *, can_end: bool) -> Use:
    """Return `build` as a use of a die.

    Parameters
    ----------
    build : Build
    packing : Packing
        A finished building is counted where it has a field for it.
    can_end : bool
        Whether a six-storey building takes the later turns away.
    """
    ones = packing.ones
    before = 0 if build.source is None else ones[build.source]
    after = ones.get(field_of(build.result), 0)
    sets = ones[ENDED] if can_end and build.ends_game else 0
    return Use(build.source, after - before, sets, build.gain)


class MoveTable:
    """The uses of a die of one kind that can be best: discards first, then the builds of each face.

    Parameters
    ----------
    packing : Packing
    discards : sequence of Use
        Possible whatever the die shows.
    builds : sequence of sequence of Use
        For each face, shape ``(n_faces, ...)``.
    discards_any : bool
        Whether a die may be discarded that could start a column instead.

    Attributes
    ----------
    is_discarded : tuple of bool
        For each face whether the die may be discarded.
    """

    def __init__(
        self,
        packing: Packing,
        discards: Sequence[Use],
        builds: Sequence[Sequence[Use]],
        *,
        discards_any: bool = False,
    ) -> None:
        self.is_discarded = tuple(
            discards_any or all(use.needs is not None for use in face) for face in builds
        )
        parts = [list(discards) if any(self.is_discarded) else [], *map(list, builds)]
        rows = [use for part in parts for use in part]
        ends = np.cumsum([0, *map(len, parts)]).tolist()
        self.parts = [slice(a, b) for a, b in pairwise(ends)]
        free = [use.needs is None for use in rows]
        self._free = np.array(free, dtype=bool)[:, None]
        self._shift = _column([0 if u.needs is None else packing.shifts[u.needs] for u in rows])
        self._mask = _column([0 if u.needs is None else packing.masks[u.needs] for u in rows])
        self._adds = _column([use.adds for use in rows], packing.dtype)
        self._sets = _column([use.sets for use in rows], packing.dtype)
        self.gains = _column([use.gain for use in rows])

    def after(self, keys: Keys) -> Keys:
        """Return the skylines after each use, `NOTHING` where it is not possible.

        Returns
        -------
        ndarray, shape (n_uses, n_skylines)
        """
        is_possible = ((keys >> self._shift) & self._mask > 0) | self._free
        after: Keys = np.where(is_possible, (keys + self._adds) | self._sets, NOTHING)
        return after


def _column(numbers: Sequence[int], dtype: np.dtype[Any] | None = None) -> NDArray[Any]:
    return np.array(numbers, dtype=dtype or np.int64)[:, None]


Rows = slice | NDArray[np.intp]
"""Some skylines of a layer: a part of the axis, or their numbers."""


class Targets(NamedTuple):
    """What skylines become by some uses of a die.

    Parameters
    ----------
    places : ndarray of int
        Places in the layer below, shape ``(n_uses, n_skylines)``.  The place just behind the
        last one stands for "not possible".
    gains : ndarray of int
        Points, shape ``(n_uses, 1)``.
    """

    places: NDArray[np.intp]
    gains: NDArray[Any]

    def part(self, rows: Rows) -> Targets:
        """Return the targets of some of the skylines."""
        return Targets(self.places[:, rows], self.gains)


class Links(NamedTuple):
    """What the skylines of a layer become with one die of a kind less.

    Parameters
    ----------
    discards : Targets
        Whatever the die shows; none where no face is discarded.
    builds : tuple of Targets
        For each face of the die.
    is_discarded : tuple of bool
        For each face whether the die may be discarded.
    """

    discards: Targets
    builds: tuple[Targets, ...]
    is_discarded: tuple[bool, ...]

    def part(self, rows: Rows) -> Links:
        """Return the links of some of the skylines."""
        builds = tuple(build.part(rows) for build in self.builds)
        return Links(self.discards.part(rows), builds, self.is_discarded)


@dataclass(frozen=True, slots=True)
class Layer:
    """The skylines that can be met with so many active dice left.

    Parameters
    ----------
    keys : ndarray
        Sorted, shape ``(n_skylines,)``.
    links : tuple of (Links or None)
        For each kind of die; None where no die of the kind is left.
    """

    keys: Keys
    links: tuple[Links | None, ...]

    def part(self, rows: Rows) -> Layer:
        """Return the layer with some of its skylines."""
        n_skylines = len(self.keys)
        if isinstance(rows, slice) and rows.indices(n_skylines) == (0, n_skylines, 1):
            return self
        return Layer(
            self.keys[rows], tuple(None if link is None else link.part(rows) for link in self.links)
        )


@cache
def fewer(counts: KindCounts, kind: int) -> KindCounts:
    """Return `counts` with one die of the kind less."""
    ground, upper, penthouse = (n - (k == kind) for k, n in enumerate(counts))
    return ground, upper, penthouse


def layers_below(tops: Sequence[KindCounts]) -> list[KindCounts]:
    """List all numbers of dice that can be left of one of `tops`, fewest dice first."""
    below: set[KindCounts] = set()
    for n_ground, n_upper, n_penthouse in tops:
        below.update(product(range(n_ground + 1), range(n_upper + 1), range(n_penthouse + 1)))
    return sorted(below, key=lambda counts: (sum(counts), counts))


def verify_few_layers(tops: Iterable[KindCounts]) -> None:
    """Make sure that what can be left of some dice can be listed.

    Raises
    ------
    TurnTooLargeError
        If one of `tops` leaves more than `MOST_LAYERS` different numbers of dice.
    """
    for counts in tops:
        if prod(n + 1 for n in counts) > MOST_LAYERS:
            raise TurnTooLargeError(sum(counts))


Places = Callable[[Keys], NDArray[np.intp]]
"""Finds skylines in a layer: numbers from 0 to the number of its skylines, the last for none."""


def places_among(keys: Keys, normal: Callable[[Keys], Keys]) -> Places:
    """Return how to find skylines among sorted normal forms.

    Most are normal forms themselves, so only those that are not found are replaced.
    """

    def places(after: Keys) -> NDArray[np.intp]:
        found = np.searchsorted(keys, after)
        is_missed = keys[np.minimum(found, len(keys) - 1)] != after
        is_missed &= after != NOTHING
        found[is_missed] = np.searchsorted(keys, normal(after[is_missed]))
        found[after == NOTHING] = len(keys)
        return found

    return places


def _different(keys: Keys) -> Keys:
    """Return the different keys, sorted; NumPy's own way builds a table of hashes first."""
    keys = np.sort(keys)
    is_first = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=is_first[1:])
    return keys[is_first]


def _met(after: Sequence[Keys], normal: Callable[[Keys], Keys] | None) -> tuple[Keys, Places]:
    """Return the different normal forms of skylines, sorted, and how to find them there."""
    met = _different(np.concatenate(after))
    met = met[np.searchsorted(met, NOTHING, side="right") :]
    keys, inverse = met, None
    if normal is not None:
        keys, inverse = np.unique(normal(met), return_inverse=True)

    def places(after: Keys) -> NDArray[np.intp]:
        found = np.searchsorted(met, after)
        if inverse is not None:
            found = inverse[np.minimum(found, len(met) - 1)]
        found[after == NOTHING] = len(keys)
        return found

    return keys, places


def _with(normal: Callable[[Keys, _Dice], Keys], dice: _Dice) -> Callable[[Keys], Keys]:
    return lambda keys: normal(keys, dice)


def _link(table: MoveTable, after: Keys, places: Places) -> Links:
    found = places(after)
    discards, *builds = (Targets(found[rows], table.gains[rows]) for rows in table.parts)
    return Links(discards, tuple(builds), table.is_discarded)


def descend(
    keys: Keys,
    n_dice: int,
    tables: Sequence[MoveTable],
    normal: NormalOfAny,
    keys_below: Callable[[int], Keys] | None = None,
) -> list[Layer]:
    """Find every skyline that a turn with any `n_dice` dice can meet, whatever their kinds.

    Parameters
    ----------
    keys : ndarray
        Skylines that the turn is entered with, sorted.
    n_dice : int
    tables : sequence of MoveTable
        For each kind of die.
    normal : callable
        Replaces skylines by equivalent ones.
    keys_below : callable, optional
        Gives the sorted skylines with so many dice left, where they are known beforehand.

    Returns
    -------
    list of Layer
        The layers with 0 to `n_dice` dice left.
    """
    layers = []
    for left in range(n_dice - 1, -1, -1):
        after = [table.after(keys) for table in tables]
        normal_below = _with(normal, left)
        if keys_below is None:
            below, places = _met([some.ravel() for some in after], normal_below)
        else:
            below = keys_below(left)
            places = places_among(below, normal_below)
        links = [_link(table, some, places) for table, some in zip(tables, after, strict=True)]
        layers.append(Layer(keys, tuple(links)))
        keys = below
    layers.append(Layer(keys, (None,) * len(tables)))
    return layers[::-1]


def reach(
    starts: Mapping[KindCounts, Keys],
    tables: Sequence[MoveTable],
    normal: Normal | None = None,
    spend: Spend = _few,
) -> dict[KindCounts, Layer]:
    """Find every skyline that a turn with certain dice can meet.

    Parameters
    ----------
    starts : mapping of KindCounts to ndarray
        Skylines that the turn is entered with, for each number of active dice then.
    tables : sequence of MoveTable
        For each kind of die.
    normal : callable, optional
        Replaces skylines by equivalent ones.
    spend : callable, optional
        Is told of each layer, to say when it is too much.

    Returns
    -------
    dict of KindCounts to Layer
        Fewest dice first.

    Raises
    ------
    TurnTooLargeError
        If there are more than ten million skylines, or more than `MOST_LAYERS` layers.
    """
    verify_few_layers(starts)
    order = layers_below(list(starts))
    met: dict[KindCounts, list[Keys]] = {counts: [] for counts in order}
    for counts, keys in starts.items():
        met[counts].append(keys)
    found: dict[KindCounts, tuple[Keys, Places]] = {}
    after: dict[tuple[KindCounts, int], Keys] = {}
    n_skylines = 0
    for counts in reversed(order):
        normal_here = None if normal is None else _with(normal, counts)
        found[counts] = _met(met.pop(counts), normal_here)
        n_skylines += len(found[counts][0])
        spend(counts, len(found[counts][0]))
        if n_skylines > MOST_SKYLINES:
            raise TurnTooLargeError(max(map(sum, starts)))
        for kind in _kinds_left(counts):
            after[counts, kind] = tables[kind].after(found[counts][0])
            met[fewer(counts, kind)].append(after[counts, kind].ravel())

    def links(counts: KindCounts, kind: int) -> Links | None:
        if not counts[kind]:
            return None
        return _link(tables[kind], after[counts, kind], found[fewer(counts, kind)][1])

    return {
        counts: Layer(found[counts][0], tuple(links(counts, kind) for kind in range(len(tables))))
        for counts in order
    }


def _kinds_left(counts: KindCounts) -> list[int]:
    return [kind for kind, n in enumerate(counts) if n]
