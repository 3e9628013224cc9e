"""Sequences that are written down only as far as somebody reads them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, chain
from typing import Generic, TypeVar, overload

__all__ = ["LazyChain", "LazyMap"]

T = TypeVar("T")
S = TypeVar("S")


class LazyMap(Sequence[T], Generic[S, T]):
    """`function` of each item of `source`, called when the item is read.

    Parameters
    ----------
    function : callable
    source : sequence
    """

    def __init__(self, function: Callable[[S], T], source: Sequence[S]) -> None:
        self._function = function
        self._source = source

    def __len__(self) -> int:
        """Return the length of the source."""
        return len(self._source)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        """Return the function of one item, or of a slice."""
        if isinstance(index, slice):
            return [self._function(item) for item in self._source[index]]
        return self._function(self._source[index])

    def __iter__(self) -> Iterator[T]:
        """Iterate over the source once."""
        return map(self._function, self._source)


class LazyChain(Sequence[T]):
    """Some sequences one after the other.

    Parameters
    ----------
    *sequences : sequence
    """

    def __init__(self, *sequences: Sequence[T]) -> None:
        self._sequences = sequences
        self._ends = list(accumulate(map(len, sequences)))

    def __len__(self) -> int:
        """Return the sum of the lengths."""
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        """Return one item or a slice."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        which = bisect_right(self._ends, place)
        return self._sequences[which][place - (self._ends[which - 1] if which else 0)]

    def __iter__(self) -> Iterator[T]:
        """Iterate over all the sequences."""
        return chain.from_iterable(self._sequences)
