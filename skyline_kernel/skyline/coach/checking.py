"""The judge of reasons: recomputes every number of every clause, by another route.

Nothing of the coach's own reckoning is used.  What an action leads to comes from `successor`, the
rolls are listed one by one, dice that fit are those that `legal_builds` names, and what positions
are worth is asked of a function that is passed in: the advice of the kit, or a brute force.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from math import isclose, prod
from typing import Any, Final

from ..actions import Action, Roll, column_after
from ..choices import chance_outcomes, legal_builds
from ..dice import FACES, Die, sorted_dice
from ..notation import format_action
from ..state import N_ROUNDS, Phase, State
from ..transitions import successor
from .reasons import Clause, ClauseKind, Reason

__all__ = ["ActionValues", "untruths"]

ActionValues = Callable[[State], Mapping[str, float]]
"""What each action of a position is worth, in points, by its notation."""

CLOSE: Final = 1e-8
"""Two routes in floats agree so far."""

_LISTED: Final = 50_000
"""So many equally likely rolls are listed one by one."""


def untruths(reason: Reason, action_values: ActionValues) -> list[str]:
    """List the clauses of a reason that are not true; none should be.

    Parameters
    ----------
    reason : Reason
    action_values : callable
        The values of all actions of a position in a decision phase.

    Returns
    -------
    list of str
        The sentences that are wrong, with their kind.
    """
    judge = _Judge(reason, action_values)
    return [
        f"{clause.kind}: {clause.sentence}"
        for clause in reason.clauses
        if not judge.is_true(clause)
    ]


class _Judge:
    def __init__(self, reason: Reason, action_values: ActionValues) -> None:
        self.reason = reason
        self.state = reason.state
        self.action_values = action_values
        self.values = action_values(reason.state)

    def is_true(self, clause: Clause) -> bool:
        """Recompute one clause."""
        check = _CHECKS[clause.kind]
        return check(self, clause.action, clause.sentence.fields, clause.sentence.template)

    # --- what things are worth ----------------------------------------------------------------

    def value_of(self, action: Action) -> float:
        """Value of an action in this position."""
        return self.values[format_action(action)]

    def best(self, state: State) -> float:
        """Value of another decision within this turn."""
        return max(self.action_values(state).values())

    def rolls(self, action: Action) -> Iterator[tuple[int, State]]:
        """Yield the positions after the roll that an action leads to, with their weights."""
        after = successor(self.state, action)
        unrolled = [die.kind for die in after.dice if not die.is_rolled]
        dice_set = after.rules.dice_set
        n_rolls = prod(dice_set.n_sides(kind) for kind in unrolled)
        if n_rolls > _LISTED:
            for roll, probability in chance_outcomes(after):
                yield int(probability * n_rolls), successor(after, roll)
            return
        sides = [
            [
                die
                for face in FACES
                for die in [Die(kind + face)] * dice_set.weight(Die(kind + face))
            ]
            for kind in unrolled
        ]
        met = Counter(sorted_dice(shown) for shown in product(*sides))
        for shown, ways in met.items():
            yield ways, successor(after, Roll(shown))

    # --- one check for each kind --------------------------------------------------------------

    def verdict(self, action: Action, fields: Mapping[str, Any], template: str) -> bool:
        """Loss, or the number of equally good choices."""
        gap = self.value_of(self.reason.better) - self.value_of(action)
        if "loss" in fields:
            is_same = fields["better"] == self.reason.better
            return is_same and fields["loss"] > 0 and isclose(gap, fields["loss"], abs_tol=CLOSE)
        top = max(self.values.values())
        n_best = sum(value >= top - CLOSE for value in self.values.values())
        if "n" in fields:
            return self.value_of(action) >= top - CLOSE and n_best == fields["n"]
        if "better" in fields:
            return abs(gap) <= CLOSE
        return self.value_of(action) >= top - CLOSE and n_best == 1 and "No choice" in template

    def roll(self, action: Action, fields: Mapping[str, Any], template: str) -> bool:
        """Chance and mean of one class of outcomes."""
        total = ways = 0
        mean = 0.0
        for weight, shown in self.rolls(action):
            total += weight
            if _words_of(shown) in template:
                ways += weight
                mean += weight * self.best(shown)
        is_counted = (fields["k"], fields["n"]) == (ways, total) and ways > 0
        return is_counted and isclose(mean / ways, fields["mean"], abs_tol=CLOSE)

    def stuck(self, action: Action, fields: Mapping[str, Any], _template: str) -> bool:
        """Chance that no die fits: each die by itself."""
        after = successor(self.state, action)
        n_rolls = k = 1
        for die in after.dice:
            faces = [die] if die.is_rolled else [Die(die.kind + face) for face in FACES]
            weigh = after.rules.dice_set.weight
            weights = {face: 1 if die.is_rolled else weigh(face) for face in faces}
            n_rolls *= sum(weights.values())
            k *= sum(n for face, n in weights.items() if n and not _fits(after, face))
        return (fields["k"], fields["n"]) == (k, n_rolls)

    def ahead(self, action: Action, fields: Mapping[str, Any], _template: str) -> bool:
        """How often a roll comes out better."""
        return self._gamble(action, fields, 1)

    def behind(self, action: Action, fields: Mapping[str, Any], _template: str) -> bool:
        """How often a roll comes out worse."""
        return self._gamble(action, fields, -1)

    def _gamble(self, action: Action, fields: Mapping[str, Any], sign: int) -> bool:
        sure = self.value_of(fields["other"])
        total = ways = 0
        mean = 0.0
        for weight, shown in self.rolls(action):
            gap = sign * (self.best(shown) - sure)
            total += weight
            if gap > CLOSE / 10:
                ways, mean = ways + weight, mean + weight * gap
        is_counted = (fields["k"], fields["n"]) == (ways, total) and ways > 0
        return is_counted and isclose(mean / ways, fields["points"], abs_tol=CLOSE)

    def keeps(self, action: Action, fields: Mapping[str, Any], _template: str) -> bool:
        """Dice that show the same after one action and are gone or rolled after the other."""
        mine = successor(self.state, action).dice
        others = successor(self.state, fields["other"]).dice
        named = Counter(fields["dice"])
        return all(
            die.is_rolled and n == mine.count(die) - others.count(die) for die, n in named.items()
        )

    def fits(self, action: Action, fields: Mapping[str, Any], _template: str) -> bool:
        """Tell whether a die can be built, now or after any roll."""
        after = successor(self.state, action)
        if after.is_chance:
            afters = [successor(after, roll) for roll, _ in chance_outcomes(after)]
        else:
            afters = [after]
        return all(
            any(build.die is fields["die"] for build in legal_builds(shown)) for shown in afters
        )

    def stands(self, action: Action, fields: Mapping[str, Any], _template: str) -> bool:
        """Columns that one action leaves and the other does not."""
        seat = self.state.seat - 1
        mine = successor(self.state, action).skylines[seat]
        others = successor(self.state, fields["other"]).skylines[seat]
        named = Counter(fields["columns"])
        return all(n == mine.count(column) - others.count(column) for column, n in named.items())

    def next(self, action: Action, fields: Mapping[str, Any], _template: str) -> bool:
        """Look for a better way to go on."""
        values = self.action_values(successor(self.state, action))
        return values[format_action(fields["next"])] >= max(values.values()) - CLOSE

    def over(self, action: Action, fields: Mapping[str, Any], _template: str) -> bool:
        """Points on the table and points to come."""
        after = successor(self.state, action)
        skyline = after.skylines[self.state.seat - 1]
        on_table = sum(
            column.floors**2 for column in skyline if column.is_finished or column.value == "l1"
        )
        is_last = after.is_last_round or after.is_over
        turns = 0 if is_last else N_ROUNDS - self.state.round
        is_over = after.phase in (Phase.TAKE, Phase.OVER)
        is_counted = is_over and (fields["points"], fields["turns"]) == (on_table, turns)
        future = self.value_of(action) - on_table
        return is_counted and isclose(future, fields["future"], abs_tol=CLOSE)

    def ends_game(self, action: Action, fields: Mapping[str, Any], _template: str) -> bool:
        """Own turns that are given up."""
        after = successor(self.state, action)
        is_ended = after.is_last_round and not self.state.is_last_round
        return bool(is_ended) and fields["turns"] == N_ROUNDS - self.state.round


def _fits(state: State, die: Die) -> bool:
    alone = replace(state, dice=(die,), phase=Phase.USE, step=None)
    return bool(legal_builds(alone))


def _words_of(shown: State) -> str:
    """Return the words that a true sentence about this outcome must hold."""
    builds = legal_builds(shown)
    results = [column_after(build) for build in builds]
    if any(result is not None and result.is_finished for result in results):
        return "a building can be finished"
    return "a die fits but finishes nothing" if builds else "no die fits"


_CHECKS: Final[dict[ClauseKind, Callable[[_Judge, Action, Mapping[str, Any], str], bool]]] = {
    ClauseKind.VERDICT: _Judge.verdict,
    ClauseKind.ROLL: _Judge.roll,
    ClauseKind.STUCK: _Judge.stuck,
    ClauseKind.AHEAD: _Judge.ahead,
    ClauseKind.BEHIND: _Judge.behind,
    ClauseKind.KEEPS: _Judge.keeps,
    ClauseKind.FITS: _Judge.fits,
    ClauseKind.STANDS: _Judge.stands,
    ClauseKind.NEXT: _Judge.next,
    ClauseKind.OVER: _Judge.over,
    ClauseKind.ENDS_GAME: _Judge.ends_game,
}
