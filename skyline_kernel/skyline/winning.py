"""Objective ``win``: the chance to win, by simulation.

An action is worth the share of games that its player wins when, after it, all seats play best for
the objective ``score``.  A victory that ``k`` seats share counts ``1 / k``, so the chances of all
seats sum to 1.  Every number comes with Wilson's confidence interval and is fixed by the seed.

All actions of a position are tried in the same number of games with the same luck, which makes
the differences between them far surer than the numbers themselves.  The value of a position is
that of its best action; as the best of several estimates it is a little too high on average.

This takes seconds, and up to a minute early in a game for four: `table_games` says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ..errors import SettingError
from ..rolls import verify_seed
from ..statistics import LEVEL, Estimate, estimated_share
from .actions import Action
from .advice import Advice, Objective, RankedAction, actions_to_rank
from .odds import build_odds
from .state import State
from .table_games import best_play_outcomes
from .transitions import successor

__all__ = ["N_GAMES", "RankedWin", "WinAdvice", "advise_win", "win_chance"]

N_GAMES: Final = 400
"""Games for each action: a chance of one half is known to within 5 percent."""


@dataclass(frozen=True, slots=True)
class RankedWin(RankedAction):
    """One action with the chance to win after it.

    Parameters
    ----------
    interval : Estimate
        The chance with its confidence interval; `value` is the same number.
    """

    interval: Estimate


@dataclass(frozen=True, slots=True)
class WinAdvice(Advice):
    """The legal actions of a position by the chance to win after them, best first.

    Parameters
    ----------
    interval : Estimate
        The chance of the best action, or of the position if there is none.
    n_games : int
        Games for each action.
    seed : int
    """

    interval: Estimate
    n_games: int
    seed: int


def advise_win(state: State, *, seed: int = 0, n_games: int = N_GAMES) -> WinAdvice:
    """Rank the legal actions of `state` by the chance to win.

    Parameters
    ----------
    state : State
        Sound, in any phase.
    seed : int
        Decides the rolls of the simulated games.
    n_games : int
        Games for each action, at least 1.

    Raises
    ------
    SettingError
        If the seed or the number of games will not do.

    Examples
    --------
    A lone ground floor is worth the point that decides; without it the game is shared:

    >>> from skyline_kernel.skyline import format_action, parse_position
    >>> last = parse_position("m2,H3/M3 G1U1P1 Gl,Pm use 9.2 online")
    >>> ranked = advise_win(last, n_games=50).actions[:3]
    >>> [(format_action(one.action), one.value) for one in ranked]
    [('build Gl', 1.0), ('abandon Pm', 1.0), ('abandon Gl', 0.5)]
    """
    actions = actions_to_rank(state)
    if not actions:
        interval = win_chance(state, seed=seed, n_games=n_games)
        return WinAdvice(state, Objective.WIN, interval.value, None, (), interval, n_games, seed)
    afters = [state] if state.is_chance else [successor(state, action) for action in actions]
    intervals = _chances(state, afters, seed, n_games)
    ranked = _ranked(actions, afters, intervals)
    best = ranked[0].interval
    return WinAdvice(state, Objective.WIN, best.value, None, ranked, best, n_games, seed)


def win_chance(state: State, *, seed: int = 0, n_games: int = N_GAMES) -> Estimate:
    """Estimate the chance that the player to move wins, all seats best for the score from here.

    Parameters
    ----------
    state : State
        Sound, in any phase; when the game is over, the result for the last seat.
    seed : int
    n_games : int
        At least 1.

    Raises
    ------
    SettingError
        If the seed or the number of games will not do.
    """
    return _chances(state, [state], seed, n_games)[0]


def _chances(state: State, afters: Sequence[State], seed: int, n_games: int) -> list[Estimate]:
    if n_games < 1:
        raise SettingError("{n_games} games: expected a whole number from 1", n_games=n_games)
    outcomes = best_play_outcomes(state, afters, n_games, verify_seed(seed))
    won = outcomes.wins[:, :, state.seat - 1].sum(axis=1).tolist()
    return [estimated_share(min(number, n_games), n_games, LEVEL) for number in won]


def _ranked(
    actions: Sequence[Action], afters: Sequence[State], intervals: Sequence[Estimate]
) -> tuple[RankedWin, ...]:
    best = max(interval.value for interval in intervals)
    rows = [
        RankedWin(
            action,
            interval.value,
            None,
            best - interval.value,
            build_odds(after) if after.is_chance else None,
            interval,
        )
        for action, after, interval in zip(actions, afters, intervals, strict=True)
    ]
    return tuple(sorted(rows, key=lambda row: row.loss))
