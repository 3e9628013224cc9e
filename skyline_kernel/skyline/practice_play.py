"""Best play of the practice game as a graph of rolls.

In the practice game every later turn takes its dice from the construction yard, and best play for
the score is known (`solver`).  Between two rolls it leaves nothing to chance, so a game is a walk
from roll to roll.  `PracticePlay` holds that graph: a *node* is a roll in a certain turn with
certain columns standing, an *edge* is one thing that it can show, with its probability, the points
that best play then gains before the next roll, and the node of that roll.  Every edge leads to a
node with fewer active dice or in a later turn, so the nodes can be put in an order in which all
edges lead forward.  Those of one turn with equally many active dice form a *wave*.

The graph is found from the first turn on: only skylines that best play meets are in it.  A whole
game with the standard dice has about 230,000 nodes and 1.3 million edges with nine turns for sure,
290,000 and 1.7 million without.  Preparing it takes about 3 seconds and 200 MB, the graph itself
holds 30 MB.  A position late in the game takes milliseconds, a large district up to seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .advice import TOLERANCE
from .best_play import best_choice
from .columns import points
from .dice import KindCounts, count_kinds
from .solver.moves import descend, layers_below, reach
from .solver.patience import PATIENT, Budget
from .solver.positions import turns_after as turns_after_state
from .solver.practice import TAKES
from .solver.skylines import ENDED, STANDARD_PACKING, Keys
from .solver.store import value_table
from .solver.tables import ValueTable
from .solver.turn import TurnValues, Values, batches, mean_over_roll
from .state import N_ROUNDS, Phase, State
from .transitions import successor
from .turn_policy import Integers, TurnPolicy, points_of, roll_results

__all__ = [
    "GAME_OVER",
    "PracticePlay",
    "best_takes",
    "follow_turn",
    "practice_play",
    "turn_policy",
]

GAME_OVER: Final = -1
"""Target of an edge after which no dice are rolled any more."""


class TurnEdges(NamedTuple):
    """What can happen in one turn, roll by roll.

    Parameters
    ----------
    roots : ndarray of int64
        Node with which each skyline begins its turn, numbered within the turn, shape
        ``(n_skylines,)``.
    wave_sizes : list of int
        Nodes with equally many active dice, most dice first.
    sources : ndarray of int64
        Node of each edge, rising, shape ``(n_edges,)``.
    targets : ndarray of int64
        Node, or where the turn is over: place of the skyline in `keys_after`, less
        their number; so these are negative.
    probabilities : ndarray of float64
        In (0, 1].
    trails : ndarray of int64
        Points that are gained, and dice that are abandoned (`turn_policy`).
    keys_after : ndarray of int64
        Skylines when the turn is over, sorted.
    """

    roots: Integers
    wave_sizes: list[int]
    sources: Integers
    targets: Integers
    probabilities: NDArray[np.float64]
    trails: Integers
    keys_after: Keys


# --- one turn ---------------------------------------------------------------------------------


def best_takes(table: ValueTable, keys: Keys, turns_after: int) -> tuple[Integers, Values]:
    """Return which of `TAKES` is best for some skylines, the first of equal ones.

    Parameters
    ----------
    table : ValueTable
    keys : ndarray of int64
        Different skylines, sorted, shape ``(n_skylines,)``.
    turns_after : int
        Turns from the yard that follow this one.

    Returns
    -------
    ndarray of int64, ndarray of float64
        Places in `TAKES` and gains to be expected, shape ``(n_skylines,)``.
    """
    n_dice = sum(TAKES[0])
    layers = descend(keys, n_dice, table.game.move_tables(turns_after), _as_they_are)
    turn = TurnValues(
        {counts: layers[sum(counts)] for counts in layers_below(TAKES)},
        table.continuation(turns_after),
        table.game.numbers,
    )
    choice = np.empty(len(keys), dtype=np.int64)
    gains = np.empty(len(keys))
    for rows in batches(len(keys)):
        means = [mean_over_roll(turn.use(take, rows), take, turn.numbers) for take in TAKES]
        gains[rows] = np.maximum.reduce(means)
        choice[rows] = np.argmax(np.array(means) >= gains[rows] - TOLERANCE, axis=0)
    return choice, gains


def _as_they_are(keys: Keys, _n_dice: int) -> Keys:
    # Columns that cannot matter any more are kept here: among equal decisions the first is
    # chosen as on the table, where they still stand.
    return keys


def turn_policy(table: ValueTable, starts: dict[KindCounts, Keys], turns_after: int) -> TurnPolicy:
    """Return best play of a turn that some skylines begin with certain dice.

    Parameters
    ----------
    table : ValueTable
    starts : dict of KindCounts to ndarray
        Dice that are taken, and the skylines that take them.
    turns_after : int
        Turns from the yard that follow this one.

    Raises
    ------
    TurnTooLargeError
        If the turn has too many dice.
    """
    game = table.game
    budget = Budget(game.numbers, PATIENT.most_bytes)
    layers = reach(starts, game.move_tables(turns_after), spend=budget.spend)
    values = TurnValues(layers, table.continuation(turns_after), game.numbers)
    return TurnPolicy(game.faces, values, TOLERANCE)


def follow_turn(policy: TurnPolicy, roots: Integers) -> TurnEdges:
    """List all rolls that best play meets from some stops on.

    Parameters
    ----------
    policy : TurnPolicy
    roots : ndarray of int64
        Stops at which dice are rolled, shape ``(n_skylines,)``.
    """
    waiting: dict[int, list[Integers]] = {}
    _sort_in(policy, waiting, roots)
    nodes: list[Integers] = []
    edges: list[tuple[Integers, Integers, NDArray[np.float64], Integers]] = []
    while waiting:
        stops = np.unique(np.concatenate(waiting.pop(max(waiting))))
        nodes.append(stops)
        for part in _rolled(policy, stops):
            edges.append(part)
            _sort_in(policy, waiting, np.unique(part[1]))
    return _numbered(policy, roots, nodes, edges)


def _sort_in(policy: TurnPolicy, waiting: dict[int, list[Integers]], stops: Integers) -> None:
    """Put stops at which dice are rolled with those of as many active dice."""
    layers, places, _ = policy.stops.parts(stops)
    goes_on = ~policy.stops.are_over(layers, places)
    n_dice = policy.stops.n_dice[layers]
    for n in np.unique(n_dice[goes_on]).tolist():
        waiting.setdefault(n, []).append(stops[goes_on & (n_dice == n)])


def _rolled(
    policy: TurnPolicy, stops: Integers
) -> Iterator[tuple[Integers, Integers, NDArray[np.float64], Integers]]:
    """Roll at some stops: sources, targets, probabilities and trails."""
    layers, places, rows = policy.stops.parts(stops)
    pairs, which = np.unique(np.stack([layers, places]), axis=1, return_inverse=True)
    for number, (layer, place) in enumerate(pairs.T.tolist()):
        counts = policy.stops.counts[layer]
        here = which.ravel() == number
        results = roll_results(policy.faces, counts, place)
        then = policy.use(counts).flat()
        cells = np.ix_(results.hands, rows[here])
        n_rows = int(here.sum())
        yield (
            np.tile(stops[here], len(results.hands)),
            then.stops[cells].ravel(),
            np.repeat(results.probabilities, n_rows),
            then.trails[cells].ravel(),
        )


def _numbered(
    policy: TurnPolicy,
    roots: Integers,
    nodes: list[Integers],
    edges: list[tuple[Integers, Integers, NDArray[np.float64], Integers]],
) -> TurnEdges:
    all_stops = np.concatenate(nodes)
    order = np.argsort(all_stops)
    in_order = all_stops[order]

    def number(stops: Integers) -> Integers:
        found: Integers = order[np.searchsorted(in_order, stops)]
        return found

    stops, targets, probabilities, trails = map(np.concatenate, zip(*edges, strict=True))
    sources = number(stops)
    by_source = np.argsort(sources, kind="stable")
    targets = targets[by_source]
    layers, places, rows = policy.stops.parts(targets)
    is_over = policy.stops.are_over(layers, places)
    keys = _keys_at(policy, layers[is_over], rows[is_over])
    keys_after, after = np.unique(keys, return_inverse=True)
    numbered = np.empty(len(targets), dtype=np.int64)
    numbered[is_over] = after - len(keys_after)
    numbered[~is_over] = number(targets[~is_over])
    return TurnEdges(
        number(roots),
        [len(stops) for stops in nodes],
        sources[by_source],
        numbered,
        probabilities[by_source],
        trails[by_source],
        keys_after,
    )


def _keys_at(policy: TurnPolicy, layers: Integers, rows: Integers) -> Keys:
    keys = np.empty(len(layers), dtype=np.int64)
    for layer in np.unique(layers):
        here = layers == layer
        keys[here] = policy.turn.layers[policy.stops.counts[layer]].keys[rows[here]]
    return keys


def root_stops(
    policy: TurnPolicy, keys: Keys, takes: Integers, among: tuple[KindCounts, ...]
) -> Integers:
    """Return the stops at which skylines roll all the dice that they take."""
    roots = np.empty(len(keys), dtype=np.int64)
    for number in np.unique(takes):
        counts = among[number]
        here = takes == number
        rows = np.searchsorted(policy.turn.layers[counts].keys, keys[here])
        roots[here] = policy.stops.number(counts, policy.stops.all_unrolled(counts), rows)
    return roots


def _take_and_follow(table: ValueTable, keys: Keys, turns_after: int) -> TurnEdges:
    """Play a turn from the yard with all of `keys`, sorted and different."""
    takes, _ = best_takes(table, keys, turns_after)
    starts = {TAKES[number]: keys[takes == number] for number in np.unique(takes)}
    policy = turn_policy(table, starts, turns_after)
    return follow_turn(policy, root_stops(policy, keys, takes, TAKES))


# --- the whole game ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class PracticePlay:
    """The graph of rolls of best play.

    Parameters
    ----------
    points : int
        On the table before the first roll.
    start : int
        First node, or `GAME_OVER` if no dice are rolled any more.
    first_edges : ndarray of int64
        Edges of node ``i`` are those from ``first_edges[i]`` to before ``first_edges[i + 1]``,
        shape ``(n_nodes + 1,)``.
    targets : ndarray of int32
        Next node, or `GAME_OVER`, shape ``(n_edges,)``.
    probabilities : ndarray of float64
        In (0, 1], shape ``(n_edges,)``; those of a node sum to 1.
    gains : ndarray of int32
        Points, shape ``(n_edges,)``.
    turn_ends : ndarray of bool
        Whether the turn is over with the edge, shape ``(n_edges,)``.
    waves : ndarray of int64
        Where the waves begin, and the number of nodes, shape ``(n_waves + 1,)``.
    """

    points: int
    start: int
    first_edges: Integers
    targets: NDArray[np.int32]
    probabilities: NDArray[np.float64]
    gains: NDArray[np.int32]
    turn_ends: NDArray[np.bool_]
    waves: Integers

    @property
    def n_nodes(self) -> int:
        """Number of different rolls."""
        return len(self.first_edges) - 1

    @property
    def sources(self) -> Integers:
        """Node of each edge, shape ``(n_edges,)``."""
        return np.repeat(np.arange(self.n_nodes), np.diff(self.first_edges))


Progress = Callable[[int], object]
"""Is told how many turns more are prepared."""


def practice_play(state: State, progress: Progress | None = None) -> PracticePlay:
    """Prepare best play for the score from a position to the end of the practice game.

    This turn is played as it stands, district included; every later own turn takes its dice
    from the yard, as the objective ``score`` has it.

    Parameters
    ----------
    state : State
        Any; what the other players do is left out.
    progress : callable, optional
        Is told whenever a turn is prepared.
    """
    table = value_table(state.rules.dice_set, nine=state.rules.nine)
    start = _settled(state)
    turns: list[TurnEdges] = []
    keys = np.array([start.key], dtype=np.int64)
    n_turns = start.turns_left
    if start.roll is not None:
        turns.append(_follow_roll(table, start.roll, start.key))
        n_turns += 1
        keys = _live(turns[-1].keys_after, start.turns_left)
    for turns_after in range(start.turns_left - 1, -1, -1):
        if len(keys):
            turns.append(_take_and_follow(table, keys, turns_after))
            keys = _live(turns[-1].keys_after, turns_after)
        if progress is not None:
            progress(1)
    return _joined(turns, n_turns, start.points)


class _Start(NamedTuple):
    """Where the decisions of a position lead.

    Parameters
    ----------
    key : int
        Skyline in `STANDARD_PACKING`.
    points : int
        On the table.
    turns_left : int
        Turns from the yard that are still to begin.
    roll : State or None
        The roll that comes next in this turn.
    """

    key: int
    points: int
    turns_left: int
    roll: State | None


def _settled(state: State) -> _Start:
    """Play on to the next roll, or to the end of the turn."""
    seat, round_number = state.seat - 1, state.round
    is_over = state.is_over
    while not (state.is_chance or is_over):
        state = successor(state, best_choice(state))
        is_over = state.phase in (Phase.TAKE, Phase.OVER)
    is_last = state.is_last_round or state.is_over
    skyline = state.skylines[seat]
    return _Start(
        STANDARD_PACKING.key(skyline),
        points(skyline),
        0 if is_last else N_ROUNDS - round_number,
        None if is_over else state,
    )


def _follow_roll(table: ValueTable, roll: State, key: int) -> TurnEdges:
    counts = count_kinds(die.kind for die in roll.dice)
    policy = turn_policy(table, {counts: np.array([key], dtype=np.int64)}, turns_after_state(roll))
    stop = policy.stops.number(counts, policy.stops.place(roll.dice), 0)
    return follow_turn(policy, np.array([stop], dtype=np.int64))


def _live(keys: Keys, turns_after: int) -> Keys:
    """Return the skylines for which the game goes on."""
    if not turns_after:
        return keys[:0]
    live: Keys = keys[STANDARD_PACKING.counts(keys, ENDED) == 0]
    return live


def _joined(turns: list[TurnEdges], n_turns: int, on_table: int) -> PracticePlay:
    if not turns:
        none = np.zeros(0, dtype=np.int64)
        zero = np.zeros(1, dtype=np.int64)
        nothing = np.zeros(0, dtype=np.int32)
        return PracticePlay(
            on_table, GAME_OVER, zero, nothing, none.astype(float), nothing, none > 0, zero
        )
    offsets = np.cumsum([0, *(sum(turn.wave_sizes) for turn in turns)])
    targets = [
        _next_nodes(turns, number, offsets, _live(turn.keys_after, n_turns - 1 - number))
        for number, turn in enumerate(turns)
    ]
    sources = [turn.sources + offset for turn, offset in zip(turns, offsets, strict=False)]
    counts = np.bincount(np.concatenate(sources), minlength=offsets[-1])
    sizes = [size for turn in turns for size in turn.wave_sizes]
    return PracticePlay(
        points=on_table,
        start=int(turns[0].roots[0]),
        first_edges=np.concatenate([[0], np.cumsum(counts)]),
        targets=np.concatenate(targets).astype(np.int32),
        probabilities=np.concatenate([turn.probabilities for turn in turns]),
        gains=np.concatenate([points_of(turn.trails) for turn in turns]).astype(np.int32),
        turn_ends=np.concatenate([turn.targets < 0 for turn in turns]),
        waves=np.cumsum([0, *sizes]),
    )


def _next_nodes(turns: list[TurnEdges], number: int, offsets: Integers, live: Keys) -> Integers:
    """Return the targets of the edges of a turn among the nodes of all turns."""
    turn = turns[number]
    after = np.full(len(turn.keys_after), GAME_OVER, dtype=np.int64)
    if len(live):
        places = np.searchsorted(turn.keys_after, live)
        after[places] = turns[number + 1].roots + offsets[number + 1]
    is_over = turn.targets < 0
    joined: Integers = turn.targets + offsets[number]
    joined[is_over] = after[turn.targets[is_over]]
    return joined
