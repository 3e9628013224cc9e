"""Exact chance: distinct results of independent draws with their probabilities.

A roll of ``n`` equal dice has ``faces ** n`` equally likely results but far fewer distinct ones.
The distinct results are multisets, and the weight of a multiset is the multinomial coefficient
times the product of its face weights (any textbook of combinatorics).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import factorial, prod

__all__ = ["compositions", "multiset_weights"]


def compositions(total: int, n_parts: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to write `total` as an ordered sum of `n_parts` non-negative integers.

    Parameters
    ----------
    total : int
        Sum of the parts, at least 0.
    n_parts : int
        Number of parts, at least 1.

    Yields
    ------
    tuple of int
        Parts of shape ``(n_parts,)``, the first part falling.
    """
    if n_parts == 1:
        yield (total,)
        return
    for first in range(total, -1, -1):
        for rest in compositions(total - first, n_parts - 1):
            yield (first, *rest)


def multiset_weights(face_weights: Sequence[int], n_dice: int) -> list[tuple[tuple[int, ...], int]]:
    """List the distinct results of rolling `n_dice` equal dice with their integer weights.

    Parameters
    ----------
    face_weights : sequence of int
        How many sides of the die show each face, shape ``(n_faces,)``; zeros are allowed, but
        not all.
    n_dice : int
        Number of dice, at least 0.

    Returns
    -------
    list of (tuple of int, int)
        How often each face shows, shape ``(n_faces,)``, and the number of equally likely rolls
        that show it.  Impossible results are left out; the weights sum to
        ``sum(face_weights) ** n_dice``.
    """
    possible = [face for face, weight in enumerate(face_weights) if weight]
    results = []
    for counts in compositions(n_dice, len(possible)):
        ways = factorial(n_dice) // prod(factorial(count) for count in counts)
        shown = [0] * len(face_weights)
        for face, count in zip(possible, counts, strict=True):
            shown[face] = count
            ways *= face_weights[face] ** count
        results.append((tuple(shown), ways))
    return results
