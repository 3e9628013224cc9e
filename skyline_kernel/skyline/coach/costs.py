r"""What a way to play loses, decision by decision: the price of a card split into its lines.

Let :math:`V(x)` be what position ``x`` is worth with best play, and let a way to play choose in
``x`` what leads to ``x'`` and gains ``g`` points.  Then

    loss of the decision = V(x) - g - V(x') >= 0,

and the sum over all positions of the chance to meet them under *this* way to play times the loss
is exactly the price.  So each line of a card has a cost of its own: what is lost where this line
decides.  The values within a turn are those of the solver, for all columns that the way to play
meets at the start of the turn, at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..actions import Action
from ..advice import TOLERANCE
from ..best_play import best_choice
from ..dice import KINDS, Die, Kind, KindCounts, count_kinds
from ..solver.hands import hand_index, roll_blocks
from ..solver.moves import descend, layers_below
from ..solver.practice import TAKES
from ..solver.skylines import ENDED, STANDARD_PACKING
from ..solver.store import value_table
from ..solver.tables import ValueTable
from ..solver.turn import TurnValues, mean_over_roll, more_values, roll_values
from ..state import Phase, State, Step
from .chain import Chain, Keys, Masses, Place, Rows, View
from .pricing import alone, state_of
from .rules import Card

__all__ = ["LineCost", "Slip", "TurnWorths", "cost_by_line"]

Floats = NDArray[np.float64]


class TurnWorths:
    """What positions of one turn from the yard are worth: points still to be gained.

    Parameters
    ----------
    table : ValueTable
    keys : ndarray of int64
        Columns that the turn begins with, shape ``(n_skylines,)``.
    turns_left : int
        Turns that follow this one.
    """

    def __init__(self, table: ValueTable, keys: Keys, turns_left: int) -> None:
        self.faces = [dict(kind.index) for kind in table.game.faces]
        self.can_end = table.game.can_end(turns_left)
        n_dice = sum(TAKES[0])
        layers = descend(np.unique(keys), n_dice, table.game.move_tables(turns_left), _as_they_are)
        self.turn = TurnValues(
            {counts: layers[sum(counts)] for counts in layers_below(TAKES)},
            table.continuation(turns_left),
            table.game.numbers,
        )
        self._arrays: dict[tuple[str, KindCounts], Any] = {}

    def at(self, place: Place, keys: Keys) -> Floats:
        """Return what positions with the same dice are worth, shape ``(n_positions,)``."""
        if not self.can_end:
            # Where nothing is to come an end makes no difference, and the solver does not note it.
            keys = keys & ~STANDARD_PACKING.ones[ENDED]
        if place.phase is Phase.TAKE:
            means = [self._mean(take)[self._rows(take, keys)] for take in TAKES]
            best: Floats = np.maximum.reduce(means)
            return best
        counts = count_kinds(die.kind for die in place.dice)
        if place.phase is Phase.OVER:
            ends: Floats = self.turn.end(keys)
            return ends
        rows = self._rows(counts, keys)
        found: Floats = self._of(place, counts)[rows]
        return found

    def _rows(self, counts: KindCounts, keys: Keys) -> NDArray[np.intp]:
        return np.searchsorted(self.turn.layers[counts].keys, keys)

    def _of(self, place: Place, counts: KindCounts) -> Floats:
        match place.phase:
            case Phase.ROLL if not any(die.is_rolled for die in place.dice):
                found: Floats = self._mean(counts)
            case Phase.ROLL:
                found = self._rolls(counts)[tuple(self._roll(kind, place) for kind in range(3))]
            case Phase.USE:
                found = self._use(counts)[self._hand(place)]
            case _ if place.step in (None, Step.BUILD):
                found = self.turn.more(counts)[self._hand(place)]
            case _:
                found = self._again(counts)[self._hand(place)]
        return found

    def _kept(self, name: str, counts: KindCounts, make: Callable[[], Any]) -> Any:
        if (name, counts) not in self._arrays:
            self._arrays[name, counts] = make()
        return self._arrays[name, counts]

    def _use(self, counts: KindCounts) -> Any:
        return self._kept("use", counts, lambda: self.turn.use(counts))

    def _mean(self, counts: KindCounts) -> Any:
        numbers = self.turn.numbers
        return self._kept(
            "mean", counts, lambda: mean_over_roll(self._use(counts), counts, numbers)
        )

    def _rolls(self, counts: KindCounts) -> Any:
        numbers = self.turn.numbers
        return self._kept("rolls", counts, lambda: roll_values(self._use(counts), counts, numbers))

    def _again(self, counts: KindCounts) -> Any:
        def make() -> Any:
            end = self.turn.end(self.turn.layers[counts].keys)
            return more_values(self._use(counts), end, counts, self.turn.numbers, may_use=False)

        return self._kept("again", counts, make)

    def _hand(self, place: Place) -> tuple[int, ...]:
        return tuple(self._shown(kind, place.dice)[1] for kind in range(len(KINDS)))

    def _roll(self, kind: int, place: Place) -> int:
        n_unrolled, hand = self._shown(kind, place.dice)
        n_dice = _n_of(KINDS[kind], place.dice)
        return (
            int(roll_blocks(len(self.turn.numbers.weights[kind]), n_dice)[n_unrolled].start) + hand
        )

    def _shown(self, kind: int, dice: Iterable[Die]) -> tuple[int, int]:
        """Return how many dice of a kind are unrolled, and the number of the hand of the rest."""
        shown = [0] * len(self.turn.numbers.weights[kind])
        n_unrolled = 0
        for die in dice:
            if die.kind is KINDS[kind]:
                if die.is_rolled:
                    shown[self.faces[kind][die]] += 1
                else:
                    n_unrolled += 1
        return n_unrolled, hand_index(tuple(shown))


def _n_of(kind: Kind, dice: Iterable[Die]) -> int:
    return sum(die.kind is kind for die in dice)


def _as_they_are(keys: Keys, _n_dice: int) -> Keys:
    # Columns that cannot matter any more are kept: the positions are looked up as they stand.
    return keys


class Slip(NamedTuple):
    """A position in which a line loses much.

    Parameters
    ----------
    state : State
        Only the unfinished columns stand there.
    action : Action
        What the line chooses.
    better : Action
        A best action.
    chance : float
        To meet the position in a game, playing by the card.
    loss : float
        Points.
    """

    state: State
    action: Action
    better: Action
    chance: float
    loss: float


class LineCost(NamedTuple):
    """What a line of a card does and costs.

    Parameters
    ----------
    line : int
        Its place, ``len(lines)`` for what is written under every card.
    n_decisions : float
        How often it decides in a game, on average.
    cost : float
        What is lost there in a game, in points.
    slip : Slip or None
        Where most of it is lost, None if nothing is.
    """

    line: int
    n_decisions: float
    cost: float
    slip: Slip | None


def cost_by_line(card: Card, state: State | None = None) -> tuple[LineCost, ...]:
    """Split the price of a card into its lines.

    Parameters
    ----------
    card : Card
    state : State, optional
        Start of the practice game, as for `price`.

    Returns
    -------
    tuple of LineCost
        Of each line and of the fallback, shape ``(n_lines + 1,)``; the costs sum to the price.

    Notes
    -----
    Half a second to a second for a whole game.
    """
    start = alone(state)
    account = _Account(card, start)
    account.run()
    return tuple(account.line_cost(place) for place in range(len(card.lines) + 1))


class _Account(Chain):
    """Plays by a card and writes down what each line loses."""

    def __init__(self, card: Card, start: State) -> None:
        super().__init__(card, start)
        self._card = card
        self._table = value_table(start.rules.dice_set, nine=start.rules.nine)
        self._n_decisions = np.zeros(len(card.lines) + 1)
        self._costs = np.zeros(len(card.lines) + 1)
        self._worst: dict[int, tuple[float, float, float, View, int, Action]] = {}

    def turn(self, keys: Keys, masses: Masses) -> tuple[Keys, Masses]:
        """Play one turn with its values at hand."""
        self._worths = TurnWorths(self._table, keys, self.turns_left)
        return super().turn(keys, masses)

    def decide(self, place: Place, keys: Keys, masses: Masses) -> None:
        """Decide in some positions, and write down what that loses."""
        view = View(keys, place, self.turns_left, self.rules)
        worths = self._worths.at(place, keys)
        for line, action, rows in self._card.decide_by_line(view):
            then, after, gain = self.follow(place, action, keys[rows])
            losses = worths[rows] - gain - self._worths.at(then, after)
            self._note(line, action, view, rows, masses[rows], losses)
        super().decide(place, keys, masses)

    def _note(
        self, line: int, action: Action, view: View, rows: Rows, masses: Masses, losses: Floats
    ) -> None:
        self._n_decisions[line] += masses.sum()
        self._costs[line] += masses @ losses
        worst = int((masses * losses).argmax())
        chance, loss = float(masses[worst]), float(losses[worst])
        if loss > TOLERANCE and chance * loss > self._worst.get(line, (0.0,))[0]:
            found = chance * loss, chance, loss, view, int(rows[worst]), action
            self._worst[line] = found

    def line_cost(self, line: int) -> LineCost:
        """Return what was written down about a line."""
        slip = None
        if line in self._worst:
            _, chance, loss, view, row, action = self._worst[line]
            state = state_of(view, int(view.keys[row]))
            better = best_choice(state)
            slip = Slip(state, action, better, chance, loss)
        return LineCost(line, float(self._n_decisions[line]), float(self._costs[line]), slip)
