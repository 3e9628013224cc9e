"""Exact odds of a whole turn: what the table shows when it ends.

A turn is a tree of rolls and decisions.  With the decisions given by a *policy*, a function from
positions to actions, only the rolls are left to chance, and the chance of a position is the sum
over the ways to it.  `turn_ends` adds these up in an order in which every position comes after
all that lead to it: every use of a die leaves one active die less, and between two uses there is
at most one roll.  So

    more(n dice) -> roll(n dice) -> use(n dice) -> more(n - 1 dice)

and a turn is over at the latest when its last die is used.

Cost: each position that the policy meets is looked at once, some ten thousand a second.  A turn
of three dice meets about a hundred, one of eight dice many thousands.  `best_turn_distribution`
needs no such list, as the solver knows best play for all hands at once: milliseconds for three
dice, seconds for eight.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, NoReturn, cast

import numpy as np

from ..distribution import Distribution
from ..errors import SettingError
from .actions import Action
from .advice import Objective
from .best_play import best_choice
from .choices import chance_outcomes
from .columns import points
from .dice import count_kinds
from .players import Player, player_named
from .solver.moves import reach
from .solver.patience import PATIENT, Budget
from .solver.positions import turn_problem
from .solver.skylines import STANDARD_PACKING
from .solver.turn import TurnValues
from .state import Phase, State
from .transitions import successor
from .turn_policy import TurnPolicy, points_of, roll_results

__all__ = [
    "Policy",
    "best_policy",
    "best_turn_distribution",
    "policy_of",
    "turn_distribution",
    "turn_ends",
]

Policy = Callable[[State], Action]
"""Chooses a legal action in a decision phase, always the same in the same position."""


# --- any play ---------------------------------------------------------------------------------


def policy_of(player: Player | str) -> Policy:
    """Return a computer player that leaves nothing to chance as a policy.

    Parameters
    ----------
    player : Player or str
        A player, or the name of one that comes with the kit.

    Returns
    -------
    Policy
        Raises `SettingError` when the player asks for a random number.

    Raises
    ------
    SettingError
        If there is no player of this name.
    """
    play = player_named(player) if isinstance(player, str) else player
    return lambda state: play(state, _NO_CHANCE)


class _NoChance:
    """Stands for a generator of random numbers and gives none."""

    def __getattr__(self, name: str) -> NoReturn:
        raise SettingError(
            "player uses chance ({name}): expected one that always does the same", name=name
        )


_NO_CHANCE: Final = cast("Any", _NoChance())


def turn_ends(state: State, policy: Policy) -> dict[State, Fraction]:
    """Return the positions in which this turn can end, with their chances.

    Parameters
    ----------
    state : State
        In any phase.
    policy : Policy
        Decides for the player to move.

    Returns
    -------
    dict of State to Fraction
        First positions after the turn; the chances sum to exactly 1.

    Raises
    ------
    IllegalActionError
        If the policy chooses an action that the rules do not allow.

    Examples
    --------
    >>> from skyline_kernel.skyline import format_position, parse_position
    >>> state = parse_position("m1 G1U1P1 P? roll 9.1")
    >>> ends = turn_ends(state, policy_of("builder"))
    >>> {format_position(after): str(chance) for after, chance in ends.items()}
    {'M2 G1U1P1 - over 9.1 online': '1/3', 'm1 G1U1P2 - over 9.1 online': '2/3'}
    """
    if state.is_over:
        return {state: Fraction(1)}
    ends: dict[State, Fraction] = defaultdict(Fraction)
    waiting: dict[tuple[int, int], dict[State, Fraction]] = {_rank(state): {state: Fraction(1)}}
    while waiting:
        for position, chance in waiting.pop(min(waiting)).items():
            for after, probability in _next(position, policy):
                is_over = after.phase in (Phase.TAKE, Phase.OVER)
                then = ends if is_over else waiting.setdefault(_rank(after), defaultdict(Fraction))
                then[after] += chance * probability
    return dict(ends)


_PHASES: Final = {Phase.TAKE: 0, Phase.MORE: 1, Phase.ROLL: 2, Phase.USE: 3}


def _rank(state: State) -> tuple[int, int]:
    """Return the place of a position in a turn: the take first, then falling numbers of dice."""
    if state.phase is Phase.TAKE:
        return -(10**9), 0
    return -len(state.dice), _PHASES[state.phase]


def _next(state: State, policy: Policy) -> list[tuple[State, Fraction]]:
    if state.is_chance:
        return [(successor(state, roll), chance) for roll, chance in chance_outcomes(state)]
    return [(successor(state, policy(state)), Fraction(1))]


def turn_distribution(state: State, policy: Policy) -> Distribution:
    """Return the distribution of the points that the mover's table shows when this turn ends.

    Parameters
    ----------
    state : State
        In any phase.
    policy : Policy
        Decides for the player to move; `policy_of` makes one of a computer player.

    Returns
    -------
    Distribution
        In fractions that sum to exactly 1.

    Examples
    --------
    >>> from skyline_kernel.skyline import parse_position
    >>> shown = turn_distribution(parse_position("m1 G1U1P1 P? roll 9.1"), policy_of("greedy"))
    >>> shown
    Distribution(values=(0, 4), probabilities=(Fraction(2, 3), Fraction(1, 3)))
    """
    chances: dict[int, Fraction] = defaultdict(Fraction)
    for after, chance in turn_ends(state, policy).items():
        chances[points(after.skylines[state.seat - 1])] += chance
    return Distribution.of(chances)


# --- best play --------------------------------------------------------------------------------


def best_policy(objective: Objective | str = Objective.SCORE) -> Policy:
    """Return best play for an objective as a policy; a few milliseconds for each decision.

    Where actions are equally good, it plays `best_play.first_choice`.
    """
    return lambda state: best_choice(state, objective)


def best_turn_distribution(state: State) -> Distribution:
    """Return the distribution of this turn's displayed points under best play for ``turn``.

    Parameters
    ----------
    state : State
        In any phase.

    Returns
    -------
    Distribution
        In fractions that sum to exactly 1; their mean is the value of the position.

    Examples
    --------
    >>> from skyline_kernel.skyline import parse_position
    >>> shown = best_turn_distribution(parse_position("- G1U1P1 - take 9.1"))
    >>> str(shown.mean), shown.values
    ('245/64', (0, 1, 2, 4, 5))
    """
    return _best_turn_distribution(state)


@lru_cache(maxsize=256)
def _best_turn_distribution(state: State) -> Distribution:
    seat, choose = state.seat - 1, best_policy(Objective.TURN)
    is_over = state.is_over
    while not (state.is_chance or is_over):
        state = successor(state, choose(state))
        is_over = state.phase in (Phase.TAKE, Phase.OVER)
    on_table = points(state.skylines[seat])
    if is_over:
        return Distribution.certain(on_table)
    return _after_roll(state).shifted(on_table)


def _after_roll(state: State) -> Distribution:
    """Return the distribution of the gain from a roll on."""
    counts = count_kinds(die.kind for die in state.dice)
    problem = turn_problem(state.rules.dice_set, len(state.dice))
    key = np.array([STANDARD_PACKING.key(state.skyline)], dtype=np.int64)
    budget = Budget(problem.numbers, PATIENT.most_bytes)
    layers = reach({counts: key}, problem.tables, spend=budget.spend)
    values = TurnValues(layers, problem.after, problem.numbers)
    policy = TurnPolicy(problem.faces, values, 0)
    walk = _Walk(policy)
    return Distribution.of(
        walk.gains(policy.stops.number(counts, policy.stops.place(state.dice), 0))
    )


class _Walk:
    """Follows best play from roll to roll, in fractions."""

    def __init__(self, policy: TurnPolicy) -> None:
        self._policy = policy
        self._known: dict[int, dict[int, Fraction]] = {}

    def gains(self, stop: int) -> dict[int, Fraction]:
        """Return the chance of each gain from a stop on."""
        if stop not in self._known:
            self._known[stop] = self._gains(stop)
        return self._known[stop]

    def _gains(self, stop: int) -> dict[int, Fraction]:
        policy = self._policy
        layers, places, rows = policy.stops.parts(np.array([stop]))
        if policy.stops.are_over(layers, places)[0]:
            return {0: Fraction(1)}
        counts = policy.stops.counts[layers[0]]
        results = roll_results(policy.faces, counts, int(places[0]))
        then = policy.use(counts).flat()
        stops = then.stops[results.hands, rows[0]].tolist()
        gained = points_of(then.trails[results.hands, rows[0]]).tolist()
        chances: dict[int, Fraction] = defaultdict(Fraction)
        for next_stop, gain, weight in zip(stops, gained, results.weights, strict=True):
            for more, chance in self.gains(next_stop).items():
                chances[gain + more] += chance * Fraction(weight, results.total)
        return chances
