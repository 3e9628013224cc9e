"""One turn solved backward, for whole arrays of skylines and hands at once.

The recursion stands in the docstring of the package.  Arrays of values have one axis of hands
for each kind of die and the skylines as their last axis, shape
``(n_ground_hands, n_upper_hands, n_penthouse_hands, n_skylines)``.  Each step of the recursion
works along one axis and leaves the others alone:

* a *use* takes a die out of a hand along the axis of its kind, and moves along the skylines;
* a *roll* turns an axis of hands into an axis of rolls, one die at a time: the mean over one
  more unrolled die is a mean over its faces of what is known with one unrolled die less;
* the *best reroll* goes back from the axis of rolls to the axis of hands, one die at a time.

Sums and maxima are taken elementwise in a fixed order, so results are the same to the last bit on
every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..dice import KINDS, KindCounts
from .hands import added, n_hands, roll_blocks
from .moves import Layer, Rows, Targets, fewer
from .numbers import Numbers
from .skylines import Keys

__all__ = [
    "Continuation",
    "TurnValues",
    "Values",
    "all_keys",
    "batches",
    "best_rerolls",
    "mean_over_roll",
    "more_values",
    "roll_values",
    "use_values",
]

Values = NDArray[Any]
Continuation = Callable[[Keys], Values]
"""What skylines are worth once the turn is over: points still to be gained, shape as the keys."""

N_KINDS: Final = len(KINDS)
IMPOSSIBLE: Final = -np.inf
BATCH: Final = 4096


def _along(axis: int, index: Any) -> tuple[Any, ...]:
    return (slice(None),) * axis + (index,)


# --- the three steps --------------------------------------------------------------------------


def use_values(
    counts: KindCounts, layer: Layer, below: Mapping[KindCounts, Values], numbers: Numbers
) -> Values:
    """Value of having to use one of the dice, with best play.

    Parameters
    ----------
    counts : KindCounts
        Active dice of each kind, at least one in all.
    layer : Layer
        The skylines and their links to the layers below.
    below : mapping of KindCounts to ndarray
        Values with one die less and the choice to go on (`more_values`), with one place more on
        the last axis that holds "not possible".
    numbers : Numbers

    Returns
    -------
    ndarray, shape (n_ground_hands, n_upper_hands, n_penthouse_hands, n_skylines)
        On the scale of one die less.
    """
    n_faces = [len(weights) for weights in numbers.weights]
    shape = [n_hands(n_faces[kind], counts[kind]) for kind in range(N_KINDS)]
    values = np.full((*shape, len(layer.keys)), IMPOSSIBLE, dtype=numbers.dtype)
    scale = numbers.scale(sum(counts) - 1)
    for kind, links in enumerate(layer.links):
        if links is None or not counts[kind]:
            continue
        then = below[fewer(counts, kind)]
        discarded = _best_use(then, links.discards, scale) if any(links.is_discarded) else None
        shown = added(n_faces[kind], counts[kind])
        faces = zip(shown, links.builds, links.is_discarded, strict=True)
        for hands, build, is_discarded in faces:
            where = _along(kind, hands)
            best = values[where]
            if is_discarded and discarded is not None:
                best = np.maximum(best, discarded)
            if len(build.places):
                best = np.maximum(best, _best_use(then, build, scale))
            values[where] = best
    return values


def _best_use(then: Values, use: Targets, scale: int) -> Values:
    if len(use.places) == 1:
        only: Values = then.take(use.places[0], axis=-1)
        if use.gains[0, 0]:
            only += use.gains[0, 0].item() * scale
        return only
    # In the type of the values: with many dice the scale is too large for machine integers.
    gains = use.gains.astype(then.dtype) * scale
    best: Values = (then.take(use.places, axis=-1) + gains).max(axis=-2)
    return best


def roll_values(use: Values, counts: KindCounts, numbers: Numbers) -> Values:
    """Value of having some dice unrolled and keeping the others: the mean of what shows.

    Parameters
    ----------
    use : ndarray
        Values after the roll (`use_values`).

    Returns
    -------
    ndarray
        The axes of hands become axes of rolls; on the scale of all the dice.
    """
    values = use
    if numbers.divisor is not None:
        values = use * numbers.divisor ** sum(counts)
    for kind in range(N_KINDS):
        if counts[kind]:
            values = _axis_of_rolls(values, kind, counts[kind], numbers)
    return values


def _axis_of_rolls(values: Values, kind: int, n_dice: int, numbers: Numbers) -> Values:
    blocks = roll_blocks(len(numbers.weights[kind]), n_dice)
    shape = list(values.shape)
    shape[kind] = blocks[-1].stop
    rolls = np.empty(shape, dtype=values.dtype)
    rolls[_along(kind, blocks[0])] = values
    for n_unrolled in range(1, n_dice + 1):
        known = rolls[_along(kind, blocks[n_unrolled - 1])]
        rolls[_along(kind, blocks[n_unrolled])] = _mean_over_die(
            known, kind, n_dice - n_unrolled + 1, numbers
        )
    return rolls


def _mean_over_die(known: Values, kind: int, n_dice: int, numbers: Numbers) -> Values:
    """Roll one of `n_dice` dice along the axis of their kind."""
    weights = numbers.weights[kind]
    faces = added(len(weights), n_dice)
    mean: Values = known.take(faces[0], axis=kind) * weights[0]
    for hands, weight in zip(faces[1:], weights[1:], strict=True):
        mean += known.take(hands, axis=kind) * weight
    if numbers.divisor is None:
        return mean
    # Exact: the numerators were multiplied by the divisor once for each die.
    exact: Values = mean // numbers.divisor if mean.dtype == object else mean / numbers.divisor
    return exact


def mean_over_roll(use: Values, counts: KindCounts, numbers: Numbers) -> Values:
    """Value of rolling all the dice.

    Returns
    -------
    ndarray, shape (n_skylines,)
        On the scale of all the dice.
    """
    values = use
    if numbers.divisor is not None:
        values = use * numbers.divisor ** sum(counts)
    for kind in range(N_KINDS):
        for n_dice in range(counts[kind], 0, -1):
            values = _mean_over_die(values, kind, n_dice, numbers)
    mean: Values = values[0, 0, 0]
    return mean


def best_rerolls(rolls: Values, counts: KindCounts, numbers: Numbers) -> Values:
    """Best of the values on the axes of rolls that each hand can choose.

    Parameters
    ----------
    rolls : ndarray
        As `roll_values` gives them; overwritten.  Where no die is unrolled stands the value of
        not rolling again.

    Returns
    -------
    ndarray, shape (n_ground_hands, n_upper_hands, n_penthouse_hands, n_skylines)
    """
    values = rolls
    for kind in reversed(range(N_KINDS)):
        n_faces, n_dice = len(numbers.weights[kind]), counts[kind]
        blocks = roll_blocks(n_faces, n_dice)
        for n_unrolled in range(n_dice - 1, -1, -1):
            kept = values[_along(kind, blocks[n_unrolled])]
            again = values[_along(kind, blocks[n_unrolled + 1])]
            for hands in added(n_faces, n_dice - n_unrolled):
                where = _along(kind, hands)
                kept[where] = np.maximum(kept[where], again)
        values = values[_along(kind, blocks[0])]
    return values


def more_values(
    use: Values, end: Values, counts: KindCounts, numbers: Numbers, *, may_use: bool = True
) -> Values:
    """Value after a die was used: use another, roll some again, or end.

    Parameters
    ----------
    use : ndarray
        Values of having to use one of the dice.
    end : ndarray
        Value of each skyline when the turn ends, shape ``(n_skylines,)``.
    may_use : bool
        False: the step is over, only a reroll or the end is left.

    Returns
    -------
    ndarray, shape (n_ground_hands, n_upper_hands, n_penthouse_hands, n_skylines)
        On the scale of all the dice.
    """
    rolls = roll_values(use, counts, numbers)
    kept = tuple(slice(n) for n in use.shape[:-1])
    stay = end * numbers.scale(sum(counts))
    rolls[kept] = np.maximum(rolls[kept], stay) if may_use else stay
    return best_rerolls(rolls, counts, numbers)


# --- the whole turn ---------------------------------------------------------------------------


def all_keys(layers: Mapping[KindCounts, Layer]) -> Keys:
    """Return the different skylines of all layers of a turn, sorted."""
    different = {id(layer): layer.keys for layer in layers.values()}
    keys: Keys = np.unique(np.concatenate(list(different.values())))
    return keys


class TurnValues:
    """All values within a turn, each layer solved when it is first asked for.

    Parameters
    ----------
    layers : dict of KindCounts to Layer
        With each layer all layers below it (`reach`).
    after : Continuation
    numbers : Numbers
    """

    def __init__(
        self, layers: Mapping[KindCounts, Layer], after: Continuation, numbers: Numbers
    ) -> None:
        self.layers = layers
        self.numbers = numbers
        self._keys = all_keys(layers)
        self._ends = after(self._keys).astype(numbers.dtype)
        self._more: dict[KindCounts, Values] = {}

    def end(self, keys: Keys) -> Values:
        """Return what skylines are worth when the turn ends, shape ``(n_skylines,)``."""
        ends: Values = self._ends[np.searchsorted(self._keys, keys)]
        return ends

    def use(self, counts: KindCounts, rows: Rows = slice(None)) -> Values:
        """Return the values of having to use a die, for some skylines of a layer."""
        below = {
            fewer(counts, kind): self.more(fewer(counts, kind))
            for kind in range(N_KINDS)
            if counts[kind]
        }
        return use_values(counts, self.layers[counts].part(rows), below, self.numbers)

    def more(self, counts: KindCounts) -> Values:
        """Return the values of the choice to go on after a die was used.

        Returns
        -------
        ndarray, shape (n_ground_hands, n_upper_hands, n_penthouse_hands, n_skylines + 1)
            The last skyline stands for "not possible".
        """
        if counts not in self._more:
            self._more[counts] = self._solved(counts)
        return self._more[counts]

    def _solved(self, counts: KindCounts) -> Values:
        keys = self.layers[counts].keys
        shape = [n_hands(len(self.numbers.weights[kind]), counts[kind]) for kind in range(N_KINDS)]
        values = np.full((*shape, len(keys) + 1), IMPOSSIBLE, dtype=self.numbers.dtype)
        for rows in batches(len(keys)):
            end = self.end(keys[rows])
            if any(counts):
                use = self.use(counts, rows)
                values[..., rows] = more_values(use, end, counts, self.numbers)
            else:
                values[..., rows] = end
        return values

    def best_take(self, takes: Sequence[KindCounts], rows: slice = slice(None)) -> Values:
        """Return the value of taking and rolling the best of `takes`, shape ``(n_skylines,)``.

        All of them hold as many dice, and their layers the same skylines.
        """
        means = [mean_over_roll(self.use(take, rows), take, self.numbers) for take in takes]
        best: Values = np.maximum.reduce(means)
        return best


def batches(n_skylines: int) -> list[slice]:
    """Cut an axis of skylines into parts that stay in a processor's cache."""
    return [slice(at, min(at + BATCH, n_skylines)) for at in range(0, n_skylines, BATCH)]
