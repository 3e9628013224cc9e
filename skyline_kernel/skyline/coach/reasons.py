"""Why one action is better than another, in words that are computed and can be checked.

A `Reason` is a list of clauses.  Each clause says one thing about the decision tree: what a roll
can show and what is expected then, what an action keeps, what stands afterwards, how the turn
goes on.  Its fields hold the exact numbers, probabilities as "so many of so many equally likely
rolls"; `skyline_kernel.skyline.coach.checking` recomputes each of them by another route.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum, prod
from typing import Any, Final, NamedTuple

from ..actions import Action
from ..advice import TOLERANCE
from ..choices import chance_outcomes
from ..columns import GROWTH, Column, Skyline, points
from ..dice import Die
from ..odds import build_odds, is_buildable
from ..solver.positions import turns_after
from ..state import Phase, State, Step
from ..transitions import successor
from .decisions import Choices, choices_in, verified_offer
from .sentences import Sentence, reason
from .turns import seen_in_turn
from .worths import SolvedTurns

__all__ = ["MOST_OUTCOMES", "Clause", "ClauseKind", "Reason", "RollClass", "explain"]

MOST_OUTCOMES: Final = 1500
"""Rolls with more distinct outcomes are told by the chance to be stuck alone."""


class ClauseKind(StrEnum):
    """What a clause is about."""

    VERDICT = "verdict"
    """How much is lost, or that nothing is."""
    ROLL = "roll"
    """A class of outcomes of a roll, its chance and what is expected then."""
    STUCK = "stuck"
    """The chance that no die fits after a roll."""
    AHEAD = "ahead"
    """How often a roll turns out better than not rolling."""
    BEHIND = "behind"
    """How often it turns out worse."""
    KEEPS = "keeps"
    """Dice that one action keeps and the other does not."""
    FITS = "fits"
    """A kept die that can be built at once."""
    STANDS = "stands"
    """Columns that stand after one action and not after the other."""
    NEXT = "next"
    """How the turn goes on best after an action."""
    OVER = "over"
    """What is on the table and what is to come when an action ends the turn."""
    ENDS_GAME = "ends game"
    """Own turns that six storeys give up."""


class RollClass(StrEnum):
    """What a roll allows."""

    FINISH = "finish"
    """A building can be finished at once."""
    FIT = "fit"
    """A die can be built, but none finishes a building."""
    STUCK = "stuck"
    """No die can be built."""


class Clause(NamedTuple):
    """One statement of a reason.

    Parameters
    ----------
    kind : ClauseKind
    action : Action
        What it is about.
    sentence : Sentence
        The words, with all numbers in their fields.
    """

    kind: ClauseKind
    action: Action
    sentence: Sentence


@dataclass(frozen=True)
class Reason:
    """Why an action is worse than another, or as good as any.

    Parameters
    ----------
    state : State
    action, better : Action
        Equal if the action is best.
    loss : float
        Value of `better` less that of `action`, in points; 0 if they are equally good.
    clauses : tuple of Clause
        The verdict first.
    """

    state: State
    action: Action
    better: Action
    loss: float
    clauses: tuple[Clause, ...]

    def __str__(self) -> str:
        """Return all sentences in English."""
        return " ".join(str(clause.sentence) for clause in self.clauses)

    def as_dict(self) -> dict[str, Any]:
        """Return the clauses in plain types."""
        return {
            "loss": self.loss,
            "clauses": [
                {"kind": clause.kind.value, **clause.sentence.as_dict()} for clause in self.clauses
            ],
            "text": str(self),
        }


def explain(state: State, action: Action, better: Action | None = None) -> Reason:
    """Say why `better` is better than `action`.

    Parameters
    ----------
    state : State
        In a decision phase.
    action : Action
        Legal in `state`.
    better : Action, optional
        A best action if left out; `action` itself if it is one.

    Raises
    ------
    TooLargeError
        If the position holds too many dice to be solved.
    ValueError
        If an action is not legal.
    """
    offered = verified_offer(state, state)
    solved = SolvedTurns([state], offered.spots)
    return explained(offered.choices(solved), solved, state, action, better)


def explained(
    offered: Choices, solved: SolvedTurns, turn: State, action: Action, better: Action | None
) -> Reason:
    """Say the same where the position is already solved.

    Parameters
    ----------
    offered : Choices
        Of the position.
    solved : SolvedTurns
        That knows what the choices lead to.
    turn : State
        The state in which the turn is seen.
    action : Action
    better : Action or None
    """
    chosen = offered.number_of(action)
    if better is None:
        first = int(offered.best_actions()[0])
        better = action if offered.loss(chosen) == 0 else offered.actions[first]
    gap = float(offered.values[offered.number_of(better)] - offered.values[chosen])
    teller = _Teller(offered, solved, turn, action, better)
    loss = gap if abs(gap) > TOLERANCE else 0.0
    return Reason(offered.state, action, better, loss, tuple(teller.clauses(loss)))


class _Side(NamedTuple):
    """One of the two actions with what it leads to."""

    action: Action
    after: State
    value: float


class _Outcome(NamedTuple):
    """One outcome of a roll."""

    ways: int
    kind: RollClass
    value: float


class _Teller:
    """Collects the clauses about two actions."""

    def __init__(
        self, offered: Choices, solved: SolvedTurns, turn: State, action: Action, better: Action
    ) -> None:
        self.offered = offered
        self.state = offered.state
        self.turn = turn
        self.solved = solved
        self.chosen = self._side(action)
        self.better = self._side(better)

    def _side(self, action: Action) -> _Side:
        value = float(self.offered.values[self.offered.number_of(action)])
        return _Side(action, successor(self.state, action), value)

    def clauses(self, loss: float) -> Iterator[Clause]:
        """Yield the clauses, the verdict first."""
        yield self._verdict(loss)
        if self.chosen.action == self.better.action:
            yield from self._about(self.chosen)
            return
        yield from self._about(self.better)
        yield from self._about(self.chosen)
        yield from self._compared()

    def _verdict(self, loss: float) -> Clause:
        action, better = self.chosen.action, self.better.action
        n_best = len(self.offered.best_actions())
        is_best = self.offered.loss(self.offered.number_of(action)) == 0
        if loss > 0:
            said = reason(
                "{action} loses {loss} points against {better}.",
                action=action,
                better=better,
                loss=loss,
            )
        elif is_best and n_best > 1:
            said = reason("{action} is one of {n} equally good choices.", action=action, n=n_best)
        elif is_best:
            said = reason("No choice is as good as {action}.", action=action)
        else:
            said = reason("{action} loses nothing against {better}.", action=action, better=better)
        return Clause(ClauseKind.VERDICT, action, said)

    # --- one action alone ---------------------------------------------------------------------

    def _about(self, side: _Side) -> Iterator[Clause]:
        if side.after.is_chance:
            yield from self._about_roll(side)
        elif self._ends_turn(side):
            yield self._about_end(side)
        else:
            yield self._about_next(side)
        yield from self._about_ending(side)

    def _ends_turn(self, side: _Side) -> bool:
        return side.after.phase in (Phase.TAKE, Phase.OVER)

    def _about_roll(self, side: _Side) -> Iterator[Clause]:
        n_rolls = _n_rolls(side.after)
        outcomes = self._outcomes(side.after)
        if outcomes is None:
            stuck = build_odds(side.after).stuck * n_rolls
            said = reason(
                "After {action} no die fits in {k} of {n} rolls.",
                action=side.action,
                k=int(stuck),
                n=n_rolls,
            )
            yield Clause(ClauseKind.STUCK, side.action, said)
            return
        for kind in RollClass:
            some = [outcome for outcome in outcomes if outcome.kind is kind]
            if some:
                ways = sum(outcome.ways for outcome in some)
                mean = fsum(outcome.ways * outcome.value for outcome in some) / ways
                said = _class_sentence(kind, side.action, ways, n_rolls, mean)
                yield Clause(ClauseKind.ROLL, side.action, said)

    def _outcomes(self, after: State) -> list[_Outcome] | None:
        """List what a roll can show; None if that is too much."""
        outcomes = chance_outcomes(after)
        if len(outcomes) > MOST_OUTCOMES:
            return None
        n_rolls, found = _n_rolls(after), []
        for roll, probability in outcomes:
            shown = successor(after, roll)
            value = self.solved.value(seen_in_turn(shown, self.turn))
            found.append(
                _Outcome(int(probability * n_rolls), _class_of(shown.skyline, shown.dice), value)
            )
        return found

    def _about_end(self, side: _Side) -> Clause:
        skyline = side.after.skylines[self.state.seat - 1]
        on_table = points(skyline)
        said = reason(
            "After {action} the turn is over with {points} points on the table;"
            " {future} more are expected from the {turns} own turns to come.",
            action=side.action,
            points=on_table,
            future=_clean(side.value - on_table),
            turns=self._turns_left(side),
        )
        return Clause(ClauseKind.OVER, side.action, said)

    def _turns_left(self, side: _Side) -> int:
        return 0 if side.after.is_last_round else turns_after(self.turn)

    def _about_next(self, side: _Side) -> Clause:
        follow = self._follow_up(side.after)
        said = reason("After {action} it is best to {next}.", action=side.action, next=follow)
        return Clause(ClauseKind.NEXT, side.action, said)

    def _follow_up(self, after: State) -> Action:
        offered = choices_in(after, self.turn)
        return offered.actions[int(offered.best_actions()[0])]

    def _about_ending(self, side: _Side) -> Iterator[Clause]:
        is_ended = side.after.is_last_round and not self.state.is_last_round
        n_turns = turns_after(self.state)
        if is_ended and n_turns:
            said = reason(
                "{action} finishes six storeys and gives up {turns} own turns.",
                action=side.action,
                turns=n_turns,
            )
            yield Clause(ClauseKind.ENDS_GAME, side.action, said)

    # --- the two beside each other ------------------------------------------------------------

    def _compared(self) -> Iterator[Clause]:
        for one, other in ((self.better, self.chosen), (self.chosen, self.better)):
            yield from self._kept(one, other)
            yield from self._standing(one, other)
            if one.after.is_chance and not other.after.is_chance:
                yield from self._gamble(one, other)

    def _kept(self, one: _Side, other: _Side) -> Iterator[Clause]:
        if self._ends_turn(one):
            return
        kept = _shown(one.after) - _shown(other.after)
        if not kept:
            return
        dice = tuple(sorted(kept.elements(), key=lambda die: die.rank))
        said = reason(
            "{action} keeps {dice}, {other} does not.",
            action=one.action,
            dice=dice,
            other=other.action,
        )
        yield Clause(ClauseKind.KEEPS, one.action, said)
        for die in dict.fromkeys(dice):
            may_build = one.after.is_chance or one.after.step in (None, Step.BUILD)
            if may_build and is_buildable(one.after.skyline, die):
                said = reason("The kept die {die} can still be built.", die=die)
                yield Clause(ClauseKind.FITS, one.action, said)

    def _standing(self, one: _Side, other: _Side) -> Iterator[Clause]:
        seat = self.state.seat - 1
        mine, theirs = Counter(one.after.skylines[seat]), Counter(other.after.skylines[seat])
        columns = tuple((mine - theirs).elements())
        if columns:
            said = reason(
                "After {action} there is {columns}, which {other} does not leave.",
                action=one.action,
                columns=columns,
                other=other.action,
            )
            yield Clause(ClauseKind.STANDS, one.action, said)

    def _gamble(self, one: _Side, other: _Side) -> Iterator[Clause]:
        outcomes = self._outcomes(one.after)
        if outcomes is None:
            return
        n_rolls = _n_rolls(one.after)
        gaps = [(outcome.ways, outcome.value - other.value) for outcome in outcomes]
        ahead = [(ways, gap) for ways, gap in gaps if gap > TOLERANCE]
        behind = [(ways, -gap) for ways, gap in gaps if gap < -TOLERANCE]
        if ahead:
            ways, mean = _mean(ahead)
            said = reason(
                "In {k} of {n} rolls {action} comes out ahead of {other},"
                " by {points} points on average.",
                k=ways,
                n=n_rolls,
                action=one.action,
                other=other.action,
                points=mean,
            )
            yield Clause(ClauseKind.AHEAD, one.action, said)
        if behind:
            ways, mean = _mean(behind)
            said = reason(
                "In {k} of {n} rolls {action} comes out behind {other},"
                " by {points} points on average.",
                k=ways,
                n=n_rolls,
                action=one.action,
                other=other.action,
                points=mean,
            )
            yield Clause(ClauseKind.BEHIND, one.action, said)


# --- pieces -----------------------------------------------------------------------------------


def _class_sentence(kind: RollClass, action: Action, k: int, n: int, mean: float) -> Sentence:
    match kind:
        case RollClass.FINISH:
            return reason(
                "After {action} a building can be finished in {k} of {n} rolls;"
                " {mean} points are expected then.",
                action=action,
                k=k,
                n=n,
                mean=mean,
            )
        case RollClass.FIT:
            return reason(
                "After {action} a die fits but finishes nothing in {k} of {n} rolls;"
                " {mean} points are expected then.",
                action=action,
                k=k,
                n=n,
                mean=mean,
            )
        case RollClass.STUCK:
            return reason(
                "After {action} no die fits in {k} of {n} rolls, so one must be given away;"
                " {mean} points are expected then.",
                action=action,
                k=k,
                n=n,
                mean=mean,
            )


def _class_of(skyline: Skyline, dice: Sequence[Die]) -> RollClass:
    columns = set(skyline)
    if any(_finishes(column, die) for die in set(dice) for column in columns):
        return RollClass.FINISH
    if any(is_buildable(skyline, die) for die in set(dice)):
        return RollClass.FIT
    return RollClass.STUCK


def _finishes(column: Column, die: Die) -> bool:
    taller = GROWTH.get((column, die))
    return taller is not None and taller.is_finished


def _n_rolls(after: State) -> int:
    """Count the equally likely rolls."""
    dice_set = after.rules.dice_set
    return prod(dice_set.n_sides(die.kind) for die in after.dice if not die.is_rolled)


def _shown(after: State) -> Counter[Die]:
    return Counter(die for die in after.dice if die.is_rolled)


def _mean(weighted: Sequence[tuple[int, float]]) -> tuple[int, float]:
    ways = sum(n for n, _ in weighted)
    return ways, fsum(n * gap for n, gap in weighted) / ways


def _clean(number: float) -> float:
    return number if abs(number) > TOLERANCE else 0.0
