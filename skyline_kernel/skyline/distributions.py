"""The exact distribution of the final score.

Of the *practice game*, that is: the player to move plays on alone, and every later own turn takes
its dice from the construction yard, as the objective ``score`` has it.

`best_score_distribution` does so under best play.  It pushes the chance of each number of points
through the graph of rolls, wave by wave; for a whole game of nine turns this takes about 5
seconds and 400 MB, besides 3 seconds to prepare the graph (`practice_play`).

`score_distribution` does so under any play, by following every position that can come up, one
after the other.  That is exact in fractions and slow: thousands of positions a second.  Two or
three turns are quick; a whole game with `sees_finished` off takes minutes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from ..distribution import Distribution
from .columns import points
from .dice import ONE_OF_EACH
from .practice_play import PracticePlay, practice_play
from .state import State
from .turn_odds import Policy, turn_ends

__all__ = [
    "best_score_distribution",
    "distribution_of_play",
    "practice_start",
    "score_distribution",
]

Masses = NDArray[np.float64]
"""Chance of each node and number of points, shape ``(n_nodes, n_points)``."""


# --- best play --------------------------------------------------------------------------------


def best_score_distribution(state: State) -> Distribution:
    """Return the distribution of the final score under best play for the score.

    Parameters
    ----------
    state : State
        Any; this turn is played as it stands, later ones take their dice from the yard.

    Returns
    -------
    Distribution
        In floats; they sum to 1 and their mean is the value of the position up to 1e-9.  Where
        actions are equally good, that of `best_play.first_choice` is played.

    Examples
    --------
    >>> from skyline_kernel.skyline import parse_position
    >>> last_turn = parse_position("m2 G1U1P1 Gl,P? roll 9.1 online")
    >>> best_score_distribution(last_turn).values
    (1, 10)
    """
    return _best_score_distribution(state)


@lru_cache(maxsize=64)
def _best_score_distribution(state: State) -> Distribution:
    return distribution_of_play(practice_play(state))


def distribution_of_play(play: PracticePlay) -> Distribution:
    """Return the distribution of the final score over a graph of rolls."""
    if play.start < 0:
        return Distribution.certain(play.points)
    pushed = _Push(play)
    return Distribution.of(dict(enumerate(pushed.final.tolist()))).shifted(play.points)


class _Push:
    """Pushes chances from the first roll to the end of the game.

    Attributes
    ----------
    final : ndarray of float64
        Chance of each number of points gained, shape ``(n_points,)``.
    """

    def __init__(self, play: PracticePlay) -> None:
        self._play = play
        self._n_points = 1 + _most_points(play)
        self.final = np.zeros(self._n_points)
        self._masses: dict[int, Masses] = {}
        first = int(np.searchsorted(play.waves, play.start, side="right")) - 1
        self._mass_of(first)[play.start - play.waves[first], 0] = 1.0
        for wave in range(len(play.waves) - 1):
            self._push(wave)

    def _mass_of(self, wave: int) -> Masses:
        if wave not in self._masses:
            size = self._play.waves[wave + 1] - self._play.waves[wave]
            self._masses[wave] = np.zeros((size, self._n_points))
        return self._masses[wave]

    def _push(self, wave: int) -> None:
        play = self._play
        mass = self._masses.pop(wave, None)
        if mass is None:
            return
        begin, end = play.waves[wave], play.waves[wave + 1]
        edges = np.arange(play.first_edges[begin], play.first_edges[end])
        sources = np.repeat(np.arange(end - begin), np.diff(play.first_edges[begin : end + 1]))
        targets = play.targets[edges]
        waves = np.searchsorted(play.waves, targets, side="right") - 1
        kinds, which = np.unique(np.stack([waves, play.gains[edges]]), axis=1, return_inverse=True)
        for number, (target_wave, gain) in enumerate(kinds.T.tolist()):
            here = which.ravel() == number
            chances = play.probabilities[edges[here]]
            moved = mass[:, : self._n_points - gain]
            if target_wave < 0:
                self.final[gain:] += np.bincount(sources[here], chances, len(mass)) @ moved
                continue
            then = self._mass_of(target_wave)
            rows = targets[here] - play.waves[target_wave]
            matrix = csr_array((chances, (rows, sources[here])), shape=(len(then), len(mass)))
            then[:, gain:] += matrix @ moved


def _most_points(play: PracticePlay) -> int:
    """Return the most points that can be gained from the first roll on."""
    most = np.zeros(play.n_nodes + 1, dtype=np.int64)  # the last place is for the end
    for begin, end in zip(play.waves[-2::-1], play.waves[:0:-1], strict=True):
        edges = slice(play.first_edges[begin], play.first_edges[end])
        gained = play.gains[edges] + most[play.targets[edges]]
        most[begin:end] = np.maximum.reduceat(gained, play.first_edges[begin:end] - edges.start)
    return int(most[play.start])


# --- any play ---------------------------------------------------------------------------------


def practice_start(state: State) -> State:
    """Return the practice game of the player to move: the same position without the others."""
    return replace(state, skylines=(state.skyline,), seat=1)


def score_distribution(
    state: State, policy: Policy, *, sees_finished: bool = True, keeps_district: bool = False
) -> Distribution:
    """Return the distribution of the final score of the practice game under any given play.

    Parameters
    ----------
    state : State
        Any; the policy is asked about `practice_start` and what comes of it.
    policy : Policy
        Decides; `turn_odds.policy_of` makes one of a computer player.
    sees_finished : bool
        Whether the policy may look at finished buildings.  None of the computer players that
        come with the kit does; without it far fewer positions differ.
    keeps_district : bool
        False: every later turn finds one die of each kind in the district, as good as none, so
        its dice come from the yard.  True: the district stays as the turn before leaves it, as
        in a real game for one.

    Returns
    -------
    Distribution
        In fractions that sum to exactly 1.

    Raises
    ------
    IllegalActionError
        If the policy chooses an action that the rules do not allow.

    Examples
    --------
    >>> from skyline_kernel.skyline import parse_position
    >>> from skyline_kernel.skyline.turn_odds import policy_of
    >>> two_turns = parse_position("- G1U1P1 - take 8.1")
    >>> score = score_distribution(two_turns, policy_of("builder"))
    >>> score.total, round(float(score.mean), 6)
    (Fraction(1, 1), 6.808624)
    """
    game = _AnyPlay(policy, sees_finished=sees_finished, keeps_district=keeps_district)
    return Distribution.of(game.final_scores(practice_start(state)))


Scores = dict[int, Fraction]
"""Chance of each number of points that are already on the table."""


class _AnyPlay:
    """Follows every position of a practice game, turn by turn."""

    def __init__(self, policy: Policy, *, sees_finished: bool, keeps_district: bool) -> None:
        self._policy = policy
        self._sees_finished = sees_finished
        self._keeps_district = keeps_district

    def final_scores(self, state: State) -> Scores:
        """Return the chance of each final score."""
        waiting: dict[State, Scores] = defaultdict(lambda: defaultdict(Fraction))
        final: Scores = defaultdict(Fraction)
        first, on_table = self._without_finished(state)
        waiting[first][on_table] = Fraction(1)
        while waiting:
            turn, waiting = waiting, defaultdict(lambda: defaultdict(Fraction))
            for position, scores in turn.items():
                for after, gain, chance in self._ends(position):
                    then = final if after.is_over else waiting[after]
                    for score, probability in scores.items():
                        then[score + gain] += probability * chance
        return final

    def _ends(self, position: State) -> Iterator[tuple[State, int, Fraction]]:
        """List how a turn can end: position, points set aside or final, chance."""
        for after, chance in turn_ends(position, self._policy).items():
            if after.is_over:
                yield after, points(after.skyline), chance
            else:
                district = after.district if self._keeps_district else ONE_OF_EACH
                yield *self._without_finished(replace(after, district=district)), chance

    def _without_finished(self, state: State) -> tuple[State, int]:
        """Set finished buildings aside, if nobody looks at them, and count their points."""
        if self._sees_finished:
            return state, 0
        unfinished = tuple(column for column in state.skyline if not column.is_finished)
        finished = tuple(column for column in state.skyline if column.is_finished)
        return replace(state, skylines=(unfinished,)), points(finished)
