"""Objective ``margin``: the score less the gift that the district is to the next seat.

The *gift* of a district is what the next seat's score gains by it at the start of its coming
turn, against a district of one die of each kind.  That one is worth nothing beside the yard, which
offers the same three dice, so with ``V`` the value of taking from the yard and ``W(D)`` that of
taking the district ``D``

    gift(D) = max(0, W(D) - V).

It depends on the dice abandoned in this turn, and on whether the turn finishes a six-storey
building that takes the next seat's later turns away.  So both are packed beside the columns, and
the uses of a die differ: an abandoned die is a present, a die given for a demolition is not.  What
a demolition costs depends on the buildings that stand, so these are packed too.

Two things shorten the work.  A die that can start a column is not discarded: the column costs
nothing, and the gift is no greater without the die.  And demolishing a finished building with a die
instead of abandoning the die costs the points of the building and nothing else, and the gift is
smaller by what this one die adds to it; so where no die of the kind adds as much to any district
that can come up, the building stays.

With one player the next seat is the same player: the gift is then what the district adds to one's
own coming turn, with the skyline that this turn leaves.  As it depends on that skyline, neither of
the two holds there, and everything is tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..columns import Column
from ..dice import KINDS, KindCounts
from ..state import N_ROUNDS, State
from .moves import Layer, MoveTable, Use, build_use, reach
from .patience import PATIENT, Budget, Patience
from .positions import Spot, TurnProblem, score_problem, turns_after, verify_known
from .practice import PracticeGame
from .skylines import COLUMNS, ENDED, STANDARD_PACKING, Build, Keys, Packing, field_of
from .tables import ValueTable
from .turn import TurnValues, Values, mean_over_roll

__all__ = ["coming_turns", "gifts", "margin_problem", "verify_gift"]


class Active(NamedTuple):
    """Dice that may be active in a turn.

    Parameters
    ----------
    most : KindCounts
        Of each kind at most so many.
    n_dice : int
        In all at most so many.
    abandoned : KindCounts
        Dice of each kind that were abandoned where the turn is looked at, at most.
    """

    most: KindCounts
    n_dice: int
    abandoned: KindCounts


def coming_turns(state: State, *, is_ended: bool) -> int | None:
    """Return how many turns the next seat has after its coming one, None if it has no turn left.

    Parameters
    ----------
    state : State
        The turn under way.
    is_ended : bool
        Whether it finishes a six-storey building that ends the game.
    """
    is_last = is_ended or state.is_last_round
    if state.seat < state.n_players:
        return 0 if is_last else N_ROUNDS - state.round
    if is_last or state.round == N_ROUNDS:
        return None
    return N_ROUNDS - state.round - 1


def gifts(
    table: ValueTable,
    takers: Mapping[KindCounts, Keys],
    turns_behind: int,
    most_bytes: int = PATIENT.most_bytes,
) -> dict[KindCounts, Values]:
    """Return what districts are worth to skylines beyond what the yard is worth.

    Parameters
    ----------
    table : ValueTable
    takers : mapping of KindCounts to ndarray
        For each district the skylines that may take it, in `STANDARD_PACKING`.
    turns_behind : int
        Turns from the yard that follow the turn.
    most_bytes : int
        That all values of the turn may take.

    Returns
    -------
    dict of KindCounts to ndarray
        Points, at least 0, in the order of the skylines.

    Raises
    ------
    TurnTooLargeError
        If they take more.
    """
    game = table.game
    layers = _layers_of(table, takers, turns_behind, most_bytes)
    turn = TurnValues(layers, table.continuation(turns_behind), game.numbers)
    worth = {}
    for district, keys in takers.items():
        rows = np.searchsorted(layers[district].keys, keys)
        taken = mean_over_roll(turn.use(district), district, game.numbers)[rows]
        worth[district] = np.maximum(taken - table.gains(keys, turns_behind + 1), 0.0)
    return worth


def _layers_of(
    table: ValueTable, takers: Mapping[KindCounts, Keys], turns_behind: int, most_bytes: int
) -> dict[KindCounts, Layer]:
    """Return all skylines that the turns of takers can meet; see `gifts`.

    Raises
    ------
    TurnTooLargeError
        If their values take more than `most_bytes`.
    """
    budget = Budget(table.game.numbers, most_bytes)
    return reach(takers, table.game.move_tables(turns_behind), spend=budget.spend)


@lru_cache(maxsize=64)
def _known_gifts(table: ValueTable, key: int, turns_behind: int) -> dict[KindCounts, float]:
    """Return a place to keep the gifts to one skyline: the next decision asks for them again."""
    del table, key, turns_behind
    return {}


def _gifts_to(
    table: ValueTable, taker: _Taker, district: KindCounts, more: _Abandoned, most_bytes: int
) -> Values:
    """Return the gift of `district` with some dice added to it, to one skyline.

    Returns
    -------
    ndarray of float64, shape (more.most[0] + 1, more.most[1] + 1, more.most[2] + 1)
    """
    key, turns_behind = taker
    known = _known_gifts(table, key, turns_behind)
    values = np.zeros([n + 1 for n in more.most])
    districts = _districts(district, more)
    missing = [left for left in districts.values() if left not in known]
    if missing:
        worth = gifts(table, dict.fromkeys(missing, np.array([key])), turns_behind, most_bytes)
        known.update((left, float(gift[0])) for left, gift in worth.items())
    for place, left in districts.items():
        values[place] = known[left]
    return values


def _districts(district: KindCounts, more: _Abandoned) -> dict[tuple[int, ...], KindCounts]:
    """Return what `district` may become, by the dice of each kind that are added; never empty."""
    added = product(*(range(n + 1) for n in more.most))
    places = [place for place in added if sum(place) <= more.n_dice]
    return {place: _sum(district, place) for place in places if any(_sum(district, place))}


def verify_gift(state: State, table: ValueTable, active: Active, patience: Patience) -> None:
    """Make sure that the gift to another seat costs no more; nothing is solved to find out.

    Takes what `margin_problem` takes.

    Raises
    ------
    TurnTooLargeError
        If it costs more.
    """
    turns_behind = coming_turns(state, is_ended=False)
    if state.n_players == 1 or turns_behind is None:
        return
    some = _abandoned_at_most(table.game, active, discards_any=False)
    skyline = state.skylines[state.seat % state.n_players]
    verify_known(table, skyline, sum(state.district) + some.n_dice, turns_behind, patience)
    key = STANDARD_PACKING.key(skyline)
    known = _known_gifts(table, key, turns_behind)
    missing = {*_districts(state.district, some).values()} - known.keys()
    if missing:
        takers = dict.fromkeys(missing, np.array([key]))
        _layers_of(table, takers, turns_behind, patience.most_bytes)


class _Taker(NamedTuple):
    """Who may take a district: a skyline in `STANDARD_PACKING`, and the turns that follow."""

    key: int
    turns_behind: int


class _Abandoned(NamedTuple):
    """Dice that a turn may leave in the district.

    Parameters
    ----------
    most : KindCounts
        Of each kind at most so many.
    n_dice : int
        In all at most so many.
    """

    most: KindCounts
    n_dice: int


def _abandoned_at_most(game: PracticeGame, active: Active, *, discards_any: bool) -> _Abandoned:
    """Return which dice may be abandoned: of some kinds none but those that already were."""
    ground, upper, penthouse = (
        most if discards_any or any(_is_discarded(face) for face in kind.builds) else abandoned
        for kind, most, abandoned in zip(game.faces, active.most, active.abandoned, strict=True)
    )
    return _Abandoned((ground, upper, penthouse), active.n_dice)


def _is_discarded(builds: Sequence[Build]) -> bool:
    return all(build.source is not None for build in builds)


def _sum(district: KindCounts, more: Sequence[int]) -> KindCounts:
    ground, upper, penthouse = (n + m for n, m in zip(district, more, strict=True))
    return ground, upper, penthouse


# --- the turn with its gift -------------------------------------------------------------------


def margin_problem(
    state: State, table: ValueTable, active: Active, patience: Patience = PATIENT
) -> TurnProblem:
    """Return the problem of objective ``margin``.

    Parameters
    ----------
    state : State
        Within the turn; the district is what it is before dice are abandoned.
    table : ValueTable
    active : Active
        Dice of the turn.
    patience : Patience
        What the gifts may cost.

    Raises
    ------
    TurnTooLargeError
        If they cost more.
    """
    is_solo = state.n_players == 1
    some = _abandoned_at_most(table.game, active, discards_any=is_solo)
    gift = (_solo_gift if is_solo else _next_gift)(state, table, some, patience)
    if gift is None:
        return score_problem(state, table, active.n_dice)
    packing = _packing(state, active, some, max(gift.by_die))
    left = turns_after(state)

    def after(keys: Keys) -> Values:
        ends = _ends(keys, packing)
        return table.gains(ends.columns, left) - gift.of(ends)

    return TurnProblem(
        table.game.faces,
        packing,
        _move_tables(table.game, packing, gift, can_end=table.game.can_end(left)),
        after,
        table.game.numbers,
        lambda spot: _fields(spot, active.n_dice),
        verify_ends=lambda keys: gift.verify(_ends(keys, packing)),
    )


class _Ends(NamedTuple):
    """How a turn may end; all arrays of shape ``(n_skylines,)``.

    Parameters
    ----------
    columns : ndarray of int64
        Skylines in `STANDARD_PACKING`.
    abandoned : list of ndarray of int64
        Dice of each kind.
    is_ended : ndarray of bool
        Whether the game ends.
    """

    columns: Keys
    abandoned: list[NDArray[np.int64]]
    is_ended: NDArray[np.bool_]


def _ends(keys: Keys, packing: Packing) -> _Ends:
    """Unpack how a turn may end."""
    return _Ends(
        _standard(keys, packing),
        [packing.counts(keys, _abandoned(kind)).astype(np.int64) for kind in range(len(KINDS))],
        packing.counts(keys, ENDED).astype(bool),
    )


def _known_already(_ends: _Ends) -> None:
    """Let it be: the gifts to another seat are known before the turn is looked at."""


class _Gift(NamedTuple):
    """The gift of the district that a turn leaves.

    Parameters
    ----------
    of : callable
        Maps ends of the turn to gifts in points, shape ``(n_skylines,)``.
    by_die : tuple of float
        For each kind: no die of it that is abandoned adds more to the gift, in points.
    is_of_turn : bool
        Whether the gift depends on the skyline that the turn leaves.
    verify : callable
        Raises `TurnTooLargeError` if the gifts at these ends cost too much; computes none.
    """

    of: Callable[[_Ends], Values]
    by_die: tuple[float, ...]
    is_of_turn: bool = False
    verify: Callable[[_Ends], object] = _known_already


def _next_gift(
    state: State, table: ValueTable, some: _Abandoned, patience: Patience
) -> _Gift | None:
    """Return the gift to another seat, None if it is nothing."""
    skyline = state.skylines[state.seat % state.n_players]
    key = STANDARD_PACKING.key(skyline)

    def to_next(turns_behind: int | None) -> Values:
        if turns_behind is None:
            return np.zeros([n + 1 for n in some.most])
        verify_known(table, skyline, sum(state.district) + some.n_dice, turns_behind, patience)
        taker = _Taker(key, turns_behind)
        return _gifts_to(table, taker, state.district, some, patience.most_bytes)

    endings = (False, True) if table.game.can_end(turns_after(state)) else (False,)
    by_ending = np.stack([to_next(coming_turns(state, is_ended=ending)) for ending in endings])
    if not by_ending.any():
        return None
    return _Gift(
        # In the last round a six-storey building ends nothing that would not end anyway.
        lambda ends: by_ending[
            np.minimum(ends.is_ended, len(endings) - 1).astype(int), *ends.abandoned
        ],
        tuple(_most_by_die(by_ending, kind, some.n_dice) for kind in range(len(KINDS))),
    )


def _most_by_die(gifts: Values, kind: int, n_dice: int) -> float:
    """Return how much one die of a kind adds to a gift at most.

    Parameters
    ----------
    gifts : ndarray
        Shape ``(n_endings, n_ground + 1, n_upper + 1, n_penthouse + 1)``.
    """
    added = np.diff(gifts, axis=kind + 1)
    n_left = np.indices(added.shape[1:]).sum(axis=0)
    return float(added[:, n_left < n_dice].max(initial=0.0))


def _solo_gift(
    state: State, table: ValueTable, some: _Abandoned, patience: Patience
) -> _Gift | None:
    """Return the gift to one's own coming turn, None if there is none."""
    turns_behind = coming_turns(state, is_ended=False)
    if turns_behind is None:
        return None
    n_dice = sum(state.district) + 2 * some.n_dice
    verify_known(table, state.skyline, n_dice, turns_behind, patience)

    def takers(ends: _Ends) -> dict[KindCounts, Keys]:
        rows_of = _rows_of(state.district, ends)
        return {district: ends.columns[rows] for district, rows in rows_of.items()}

    def of(ends: _Ends) -> Values:
        values = np.zeros(len(ends.columns))
        rows_of = _rows_of(state.district, ends)
        worth = gifts(table, takers(ends), turns_behind, patience.most_bytes)
        for district, gift in worth.items():
            values[rows_of[district]] = gift
        return values

    def verify(ends: _Ends) -> None:
        _layers_of(table, takers(ends), turns_behind, patience.most_bytes)

    return _Gift(of, (inf,) * len(KINDS), is_of_turn=True, verify=verify)


def _rows_of(district: KindCounts, ends: _Ends) -> dict[KindCounts, list[int]]:
    """Sort the ends of a turn that leave a coming one by the district that they leave."""
    rows_of: dict[KindCounts, list[int]] = {}
    for row, more in enumerate(zip(*map(list, ends.abandoned), strict=True)):
        left = _sum(district, more)
        if not ends.is_ended[row] and any(left):
            rows_of.setdefault(left, []).append(row)
    return rows_of


def _abandoned(kind: int) -> Hashable:
    return ("abandoned", kind)


def _packing(state: State, active: Active, some: _Abandoned, most_by_die: float) -> Packing:
    """Return a packing that holds all that this turn can lead to.

    A finished building is worth demolishing only if it is worth less than a die adds to the gift;
    more of them than there are dice do not matter.
    """
    n_ground, n_upper, n_penthouse = active.most
    finished = sorted({c.points for c in Column if c.is_finished and c.points < most_by_die})
    widths: list[tuple[Hashable, int]] = [(_abandoned(k), n) for k, n in enumerate(some.most)]
    widths += [
        (("finished", value), min(_n_worth(state, value), active.n_dice) + n_upper + n_penthouse)
        for value in finished
    ]
    widths.append((ENDED, 1))
    widths += [
        (column, state.skyline.count(column) + (n_ground if column.floors == 1 else n_upper))
        for column in COLUMNS
    ]
    return Packing([(field, max(most.bit_length(), 1)) for field, most in widths])


def _n_worth(state: State, value: int) -> int:
    return sum(column.is_finished and column.points == value for column in state.skyline)


def _fields(spot: Spot, n_dice: int) -> list[Hashable]:
    fields: list[Hashable] = [field_of(column) for column in spot.skyline]
    finished = Counter(field for field in fields if isinstance(field, tuple))
    kept = [field for field in fields if field not in finished]
    for field, count in finished.items():
        kept += [field] * min(count, n_dice)
    for kind, count in enumerate(spot.abandoned):
        kept += [_abandoned(kind)] * count
    return [*kept, ENDED] if spot.is_ended else kept


def _standard(keys: Keys, packing: Packing) -> Keys:
    """Repack the columns and the mark of an ended game."""
    standard = np.zeros(len(keys), dtype=np.int64)
    for field, one in STANDARD_PACKING.ones.items():
        standard += packing.counts(keys, field).astype(np.int64) * one
    return standard


def _move_tables(
    game: PracticeGame, packing: Packing, gift: _Gift, *, can_end: bool
) -> list[MoveTable]:
    def discards(kind: int) -> list[Use]:
        demolish = [
            Use(field, -one, 0, -_points_of(field))
            for field, one in packing.ones.items()
            if _is_building(field) and _points_of(field) < gift.by_die[kind]
        ]
        return [Use(None, packing.ones[_abandoned(kind)], 0, 0), *demolish]

    return [
        MoveTable(
            packing,
            discards(kind),
            [[build_use(b, packing, can_end=can_end) for b in face] for face in faces.builds],
            discards_any=gift.is_of_turn,
        )
        for kind, faces in enumerate(game.faces)
    ]


def _is_building(field: Hashable) -> bool:
    return isinstance(field, Column) or (isinstance(field, tuple) and field[0] == "finished")


def _points_of(field: Hashable) -> int:
    if isinstance(field, Column):
        return field.points
    assert isinstance(field, tuple)
    return int(field[1])
