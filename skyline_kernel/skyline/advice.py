"""What each decision is worth, and which is best.

`advise` ranks the legal actions of a position, `value` says what the position is worth with best
play from here.  Both ask the solver, which computes and does not search: values of ``turn`` are
exact fractions, those of ``score`` and ``margin`` are within 1e-9 of the true value.  The chance
to win is the exception: it is simulated, with the number of games and the seed of `winning`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final, NamedTuple

from ..errors import SettingError
from .actions import ROLL, Action
from .choices import legal_actions
from .columns import points
from .dice import count_kinds, most_of_each
from .odds import BuildOdds, build_odds
from .solver.gift import Active, margin_problem, verify_gift
from .solver.moves import TurnTooLargeError, verify_few_layers
from .solver.patience import PATIENT, Patience
from .solver.positions import (
    Spot,
    TurnProblem,
    Worth,
    score_problem,
    spot_of,
    spot_values,
    turn_problem,
    turns_after,
    verify_cost,
    verify_known,
)
from .solver.store import value_table
from .state import Phase, State
from .transitions import successor

__all__ = [
    "TOLERANCE",
    "Advice",
    "Objective",
    "RankedAction",
    "advise",
    "is_quick",
    "may_be_quick",
    "value",
]


class Objective(StrEnum):
    """What a player wants; the value is its name in the text interface."""

    SCORE = "score"
    """The expected final score, all later turns taken from the yard."""
    TURN = "turn"
    """The expected displayed points at the end of this turn."""
    MARGIN = "margin"
    """The score less what the district is worth to the next seat."""
    WIN = "win"
    """The chance to win."""


TOLERANCE: Final = 1e-10
"""Values of floats that are closer than this count as equal, in points.

The bound of their error is 4e-11 (see `skyline_kernel.skyline.solver`), so values that are truly
equal are never told apart.  Exact values are compared exactly.
"""


@dataclass(frozen=True, slots=True)
class RankedAction:
    """One action with what it is worth.

    Parameters
    ----------
    action : Action
    value : float
        With best play afterwards, in points.
    exact : Fraction or None
        The same exactly, where the objective has it.
    loss : float
        The best value less this one, at least 0; exactly 0 for all that are best.
    odds : BuildOdds or None
        Of the roll that the action leads to.
    """

    action: Action
    value: float
    exact: Fraction | None
    loss: float
    odds: BuildOdds | None

    @property
    def is_best(self) -> bool:
        """Whether no action is better."""
        return self.loss == 0


@dataclass(frozen=True, slots=True)
class Advice:
    """The legal actions of a position, best first.

    Parameters
    ----------
    state : State
    objective : Objective
    value : float
        Of the position with best play from here, in points.
    exact : Fraction or None
        The same exactly, where the objective has it.
    actions : tuple of RankedAction
        Equal ones in the order in which they are legal; in phase ``ROLL`` only the roll, when
        the game is over none.
    """

    state: State
    objective: Objective
    value: float
    exact: Fraction | None
    actions: tuple[RankedAction, ...]

    @property
    def best(self) -> Action | None:
        """The first of the best actions, None when the game is over."""
        return self.actions[0].action if self.actions else None

    def of(self, action: Action) -> RankedAction:
        """Return what is said about `action`.

        Raises
        ------
        KeyError
            If the action is not legal in this position.
        """
        for ranked in self.actions:
            if ranked.action == action:
                return ranked
        raise KeyError(action)


def advise(
    state: State,
    objective: Objective | str = Objective.SCORE,
    *,
    patience: Patience = PATIENT,
) -> Advice:
    """Rank the legal actions of `state`.

    Parameters
    ----------
    state : State
        Sound, in any phase.
    objective : Objective or str
    patience : Patience
        What the answer may cost; the simulation for ``win`` does not look at it.

    Raises
    ------
    SettingError
        If there is no such objective.
    TurnTooLargeError
        If the answer costs more.
    """
    if objective == Objective.WIN:
        return _advise_win(state)
    wanted = computed_objective(objective)
    if state.is_over:
        worth = _final_worth(state)
        return Advice(state, wanted, worth.value, worth.exact, ())
    actions = actions_to_rank(state, patience)
    afters = [state] if state.is_chance else [successor(state, action) for action in actions]
    worths = _worths(state, afters, wanted, patience)
    odds = [build_odds(after) if after.is_chance else None for after in afters]
    ranked = _ranked(list(zip(actions, worths, odds, strict=True)))
    return Advice(state, wanted, ranked[0].value, ranked[0].exact, ranked)


def value(state: State, objective: Objective | str = Objective.SCORE) -> Worth:
    """Return what `state` is worth to the player to move, with best play from here.

    Parameters
    ----------
    state : State
        Sound, in any phase.
    objective : Objective or str

    Returns
    -------
    Worth
        ``value`` in points, and ``exact`` where the objective has it.

    Raises
    ------
    SettingError
        If there is no such objective.
    """
    if objective == Objective.WIN:
        return Worth(_advise_win(state).value, None)
    wanted = computed_objective(objective)
    if state.is_over:
        return _final_worth(state)
    if state.phase is not Phase.TAKE:
        return _worths(state, [state], wanted)[0]
    afters = [successor(state, action) for action in legal_actions(state)]
    return max(_worths(state, afters, wanted), key=_comparable)


def is_quick(state: State, objective: Objective | str, patience: Patience) -> bool:
    """Return whether `advise` answers with so little patience; this turn is not solved to find out.

    What a district gives to another seat is, where it takes as little: it decides which skylines
    of this turn matter, and is kept for the answer.

    Parameters
    ----------
    state : State
        Sound, in any phase.
    objective : Objective or str
    patience : Patience

    Raises
    ------
    SettingError
        If the objective is none that is computed.
    """
    wanted = computed_objective(objective)

    def verify(question: _Question) -> None:
        verify_cost(question.problem(wanted, patience), question.spots, patience.most_bytes)

    return _is_affordable(state, wanted, patience, verify)


def may_be_quick(state: State, objective: Objective | str, patience: Patience) -> bool:
    """Return whether `is_quick` may say yes; nothing at all is solved to find out.

    For ``margin`` `is_quick` itself may take some of the time that it is asked about.

    Parameters
    ----------
    state : State
        Sound, in any phase.
    objective : Objective or str
    patience : Patience

    Raises
    ------
    SettingError
        If the objective is none that is computed.
    """
    if computed_objective(objective) is not Objective.MARGIN:
        return is_quick(state, objective, patience)
    table = value_table(state.rules.dice_set, nine=state.rules.nine)

    def verify(question: _Question) -> None:
        # The turn itself has at least as many skylines as for its score alone.
        score = question.problem(Objective.SCORE, patience)
        verify_cost(score, question.spots, patience.most_bytes)
        verify_gift(question.turn, table, question.active, patience)

    return _is_affordable(state, Objective.MARGIN, patience, verify)


def _is_affordable(
    state: State, objective: Objective, patience: Patience, verify: Callable[[_Question], None]
) -> bool:
    if state.is_over:
        return True
    try:
        actions = actions_to_rank(state, patience)
        afters = [state] if state.is_chance else [successor(state, one) for one in actions]
        for question in _questions(state, afters, objective):
            verify(question)
    except TurnTooLargeError:
        return False
    return True


def actions_to_rank(state: State, patience: Patience = PATIENT) -> list[Action]:
    """Return the legal actions of `state`, in phase ``ROLL`` only the roll.

    Raises
    ------
    TurnTooLargeError
        If there are more than one has the patience to rank: every part of the dice is an action.
    """
    if state.is_chance:
        return [ROLL]
    actions = legal_actions(state)
    if len(actions) > patience.most_actions:
        raise TurnTooLargeError(len(state.dice))
    return list(actions)


def _advise_win(state: State) -> Advice:
    # Simulation asks for advice itself, so it can be imported only afterwards.
    from .winning import advise_win

    return advise_win(state)


def computed_objective(objective: Objective | str) -> Objective:
    """Return the objective of this name.

    Raises
    ------
    SettingError
        If there is none, or it is not computed but simulated.
    """
    computed = [wanted.value for wanted in Objective if wanted is not Objective.WIN]
    if objective not in computed:
        raise SettingError(
            "objective {name!r}: expected {known}", name=str(objective), known=", ".join(Objective)
        )
    return Objective(objective)


def _final_worth(state: State) -> Worth:
    score = points(state.skyline)
    return Worth(float(score), Fraction(score))


# --- asking the solver ------------------------------------------------------------------------


class _Question(NamedTuple):
    """What is asked about one turn.

    Parameters
    ----------
    turn : State
        The state in which the turn is seen.
    places : list of int
        Which of the states asked about belong to it.
    spots : list of Spot
        Where these stand in the turn.
    active : Active
        Dice of the turn.
    """

    turn: State
    places: list[int]
    spots: list[Spot]
    active: Active

    def problem(self, objective: Objective, patience: Patience) -> TurnProblem:
        """Return the problem that the solver is given.

        Raises
        ------
        TurnTooLargeError
            If it costs too much, as far as that is known without solving it.
        """
        verify_few_layers([self.active.most])
        rules, n_dice = self.turn.rules, self.active.n_dice
        if objective is Objective.TURN:
            return turn_problem(rules.dice_set, n_dice)
        left = turns_after(self.turn)
        if objective is Objective.SCORE and not left:
            # The last turn: the score is what the table shows at its end.
            last = turn_problem(rules.dice_set, n_dice)
            if last.is_fast:
                return last
        table = value_table(rules.dice_set, nine=rules.nine)
        verify_known(table, self.turn.skyline, n_dice, left, patience)
        if objective is Objective.MARGIN:
            return margin_problem(self.turn, table, self.active, patience)
        return score_problem(self.turn, table, n_dice)


def _worths(
    state: State, afters: Sequence[State], objective: Objective, patience: Patience = PATIENT
) -> list[Worth]:
    """Return what states within the turn of `state`, or just after it, are worth."""
    worths: dict[int, Worth] = {}
    for question in _questions(state, afters, objective):
        problem = question.problem(objective, patience)
        part = spot_values(problem, question.spots, patience.most_bytes)
        worths.update(zip(question.places, part, strict=True))
    return [worths[place] for place in range(len(afters))]


def _questions(state: State, afters: Sequence[State], objective: Objective) -> Iterator[_Question]:
    """Sort states by what can be solved together."""
    for turn, places in _turns(state, afters, objective):
        states = [afters[place] for place in places]
        spots = [spot_of(after, turn) for after in states]
        counts = [count_kinds(die.kind for die in one.dice) for one in (turn, *states)]
        abandoned = most_of_each(spot.abandoned for spot in spots)
        active = Active(most_of_each(counts), max(map(sum, counts)), abandoned)
        yield _Question(turn, places, spots, active)


def _turns(
    state: State, afters: Sequence[State], objective: Objective
) -> list[tuple[State, list[int]]]:
    if state.phase is not Phase.TAKE:
        return [(state, list(range(len(afters))))]
    # What is taken decides which district the turn begins with, and how many dice it has.
    together: dict[object, list[int]] = {}
    for place, after in enumerate(afters):
        sort: object = None
        if objective is Objective.TURN:
            sort = len(after.dice)
        elif objective is Objective.MARGIN and after.is_chance:
            sort = after.district
        together.setdefault(sort, []).append(place)
    return [
        (afters[places[0]] if afters[places[0]].is_chance else state, places)
        for places in together.values()
    ]


# --- ranking ----------------------------------------------------------------------------------

_Rated = tuple[Action, Worth, BuildOdds | None]


def _ranked(rated: Sequence[_Rated]) -> tuple[RankedAction, ...]:
    ranked = [one for equals in _equals(rated) for one in equals]
    best = _comparable(ranked[0][1])
    return tuple(
        RankedAction(action, worth.value, worth.exact, float(best - _comparable(worth)), odds)
        for action, worth, odds in ranked
    )


def _comparable(worth: Worth) -> Fraction | float:
    return worth.value if worth.exact is None else worth.exact


def _equals(rated: Sequence[_Rated]) -> list[list[_Rated]]:
    """Group actions of equal value, best first; equal ones keep their order and get one value."""
    order = sorted(range(len(rated)), key=lambda i: _comparable(rated[i][1]), reverse=True)
    groups: list[list[int]] = []
    for place in order:
        if groups and _are_equal(rated[groups[-1][0]][1], rated[place][1]):
            groups[-1].append(place)
        else:
            groups.append([place])
    return [
        [(rated[place][0], rated[group[0]][1], rated[place][2]) for place in sorted(group)]
        for group in groups
    ]


def _are_equal(better: Worth, worse: Worth) -> bool:
    if better.exact is not None and worse.exact is not None:
        return better.exact == worse.exact
    return better.value - worse.value <= TOLERANCE
