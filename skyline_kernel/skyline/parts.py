"""The different parts of a handful of dice, without writing them all down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import prod
from typing import overload

from .dice import Die, sorted_dice

__all__ = ["Parts"]


class Parts(Sequence[tuple[Die, ...]]):
    """Every different non-empty part of some dice, the whole first.

    With ``n`` equal dice a part holds 0 to ``n`` of them, so there are the product of all
    ``n + 1`` parts, less the empty one.  Part number ``i`` is read off the digits of ``i`` in
    that mixed radix: a large district costs nothing until its parts are listed.

    Parameters
    ----------
    dice : iterable of Die
        In any order; equal dice are alike.
    """

    def __init__(self, dice: Iterable[Die]) -> None:
        self._counts = tuple(Counter(sorted_dice(dice)).items())
        self._n_parts = prod(count + 1 for _, count in self._counts) - 1

    def __len__(self) -> int:
        """Return the number of different parts."""
        return self._n_parts

    @overload
    def __getitem__(self, index: int) -> tuple[Die, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> list[tuple[Die, ...]]: ...
    def __getitem__(self, index: int | slice) -> tuple[Die, ...] | list[tuple[Die, ...]]:
        """Return part number `index`, dice in canonical order."""
        if isinstance(index, slice):
            return [self._part(i) for i in range(*index.indices(self._n_parts))]
        return self._part(range(self._n_parts)[index])

    def _part(self, index: int) -> tuple[Die, ...]:
        rest = self._n_parts - index
        part: list[Die] = []
        for die, count in reversed(self._counts):
            rest, n_taken = divmod(rest, count + 1)
            part[:0] = [die] * n_taken
        return tuple(part)
