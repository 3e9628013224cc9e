"""Simulated games of 1 to 4 players, reproducible and on as many workers as there are.

Game ``i`` of a study has a generator of its own, ``SeedSequence(seed, spawn_key=(i,))``: what it
rolls depends on the seed and ``i`` alone, not on which worker plays it or what was played before.
Games are handed out in blocks of a fixed size to any executor of `concurrent.futures`, so that the
same study runs in this process, on a pool of processes, or on a cluster::

    simulate(["builder", "greedy"], 1000, seed=1)

    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        simulate(["builder", "greedy"], 1000, seed=1, executor=pool)

    from dask.distributed import Client          # the extra "dask"
    with Client(n_workers=2, threads_per_worker=1) as client:
        simulate(["builder", "greedy"], 1000, seed=1, executor=client.get_executor())

All three give the same result.  ``Client("tcp://scheduler:8786")`` in the place of a local cluster
spreads the study over many machines; the kit must be installed on each of them.

Players travel to the workers by pickling, so they are named or are functions of a module.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.random import Generator, SeedSequence, default_rng
from numpy.typing import NDArray

from ..errors import SettingError
from ..rolls import verify_seed
from ..statistics import LEVEL, Estimate, estimated_mean, estimated_share
from .players import Player, play_out, player_named
from .scoring import ranking
from .state import Rules, State, new_game

__all__ = ["BLOCK", "SimulationResult", "game_generator", "play_games", "simulate"]

BLOCK: Final = 25
"""Games that are handed out together."""

Bot = Player | str
"""A player, or the name of one that comes with the kit."""

Progress = Callable[[int], object]
"""Is told how many games more are done; ``tqdm(total=n_games).update`` draws a bar of it."""

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SimulationResult:
    """What came of a number of games.

    Parameters
    ----------
    bots : tuple of str
        Who sat at the seats, shape ``(n_players,)``.
    seed : int
    scores : ndarray of int64
        Final scores, shape ``(n_games, n_players)``.
    places : ndarray of int64
        1 for the winners; seats that are equal in points and buildings share a place, shape
        ``(n_games, n_players)``.
    level : float
        Confidence level of the intervals.
    """

    bots: tuple[str, ...]
    seed: int
    scores: Integers
    places: Integers
    level: float = LEVEL

    @property
    def n_games(self) -> int:
        """Number of games."""
        return len(self.scores)

    @property
    def wins(self) -> NDArray[np.float64]:
        """What each seat won of each game, shape ``(n_games, n_players)``.

        A victory counts 1; one that ``k`` seats share counts ``1 / k`` for each of them, so
        that every game is won once.
        """
        is_first = self.places == 1
        shares: NDArray[np.float64] = is_first / is_first.sum(axis=1, keepdims=True)
        return shares

    def score(self, seat: int) -> Estimate:
        """Estimate the mean score of a seat (Student's interval)."""
        return estimated_mean(self.scores[:, seat - 1], self.level)

    def win_share(self, seat: int) -> Estimate:
        """Estimate the share of victories of a seat (Wilson's interval)."""
        return estimated_share(float(self.wins[:, seat - 1].sum()), self.n_games, self.level)

    def n_shared(self, seat: int) -> int:
        """Count the victories that a seat shared with others."""
        is_first = self.places == 1
        return int((is_first[:, seat - 1] & (is_first.sum(axis=1) > 1)).sum())

    def as_dict(self) -> dict[str, Any]:
        """Return the result in plain types, as the text interface prints it."""
        return {
            "players": len(self.bots),
            "games": self.n_games,
            "seed": self.seed,
            "seats": [self._seat_as_dict(seat) for seat in range(1, len(self.bots) + 1)],
        }

    def _seat_as_dict(self, seat: int) -> dict[str, Any]:
        return {
            "seat": seat,
            "bot": self.bots[seat - 1],
            "score": self.score(seat).as_dict(),
            "wins": {**self.win_share(seat).as_dict(), "shared": self.n_shared(seat)},
        }


def game_generator(seed: int, game: int) -> Generator:
    """Return the generator of one game of a study.

    Parameters
    ----------
    seed : int
        Of the study.
    game : int
        Number of the game, from 0.
    """
    return default_rng(SeedSequence(seed, spawn_key=(game,)))


def play_games(
    start: State, bots: Sequence[Bot], seed: int, first: int, n_games: int
) -> tuple[Integers, Integers]:
    """Play some games of a study, one after the other.

    Parameters
    ----------
    start : State
        Position that all games begin with.
    bots : sequence of Player or str
        One for each seat.
    seed : int
    first, n_games : int
        Number of the first game, and how many are played.

    Returns
    -------
    ndarray of int64, ndarray of int64
        Scores and places, shape ``(n_games, n_players)`` each.
    """
    players = tuple(map(_player, bots))
    results = np.empty((2, n_games, start.n_players), dtype=np.int64)
    for number in range(n_games):
        end = play_out(start, players, game_generator(seed, first + number))
        for standing in ranking(end):
            results[:, number, standing.seat - 1] = standing.points, standing.place
    return results[0], results[1]


def simulate(
    bots: Sequence[Bot],
    n_games: int,
    *,
    seed: int,
    rules: Rules | None = None,
    start: State | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    level: float = LEVEL,
) -> SimulationResult:
    """Play many games.

    Parameters
    ----------
    bots : sequence of Player or str
        One for each seat, 1 to 4.
    n_games : int
        At least 1.
    seed : int
        The same seed gives the same games, whoever plays them.
    rules : Rules, optional
        The online edition with standard dice if left out.
    start : State, optional
        Position to begin with; a new game if left out.
    executor : concurrent.futures.Executor, optional
        Plays blocks of games; this process if left out.
    progress : callable, optional
        Is told how many games more are done, in the order of the games.
    level : float
        Confidence level of the intervals.

    Raises
    ------
    SettingError
        If a player does not exist, their number or that of the games will not do, or the seed
        is none.

    Examples
    --------
    >>> result = simulate(["builder", "random"], 20, seed=1)
    >>> result.scores.shape, float(result.wins.sum())
    ((20, 2), 20.0)
    """
    first = start or new_game(len(bots), rules)
    _verify(first, bots, n_games, seed)
    results = _in_blocks(first, bots, n_games, seed, executor, progress or _tell_nobody)
    scores, places = (np.concatenate(parts) for parts in zip(*results, strict=True))
    return SimulationResult(tuple(map(_name, bots)), seed, scores, places, level)


def _tell_nobody(_n_done: int) -> None:
    pass


def _in_blocks(
    start: State,
    bots: Sequence[Bot],
    n_games: int,
    seed: int,
    executor: Executor | None,
    progress: Progress,
) -> list[tuple[Integers, Integers]]:
    blocks = [(begin, min(BLOCK, n_games - begin)) for begin in range(0, n_games, BLOCK)]
    work = tuple(bots)
    futures: list[Future[tuple[Integers, Integers]]] = []
    if executor is not None:
        futures = [executor.submit(play_games, start, work, seed, *block) for block in blocks]
    results = []
    try:
        for number, block in enumerate(blocks):
            if executor is None:
                results.append(play_games(start, work, seed, *block))
            else:
                results.append(futures[number].result())
            progress(block[1])
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    return results


# --- checking ---------------------------------------------------------------------------------


def _player(bot: Bot) -> Player:
    return player_named(bot) if isinstance(bot, str) else bot


def _name(bot: Bot) -> str:
    return bot if isinstance(bot, str) else str(getattr(bot, "__name__", type(bot).__name__))


def _verify(start: State, bots: Sequence[Bot], n_games: int, seed: int) -> None:
    if len(bots) != start.n_players:
        raise SettingError(
            "{n_bots} players for {n_seats} seats: expected one for each seat",
            n_bots=len(bots),
            n_seats=start.n_players,
        )
    for bot in bots:
        _player(bot)
    if isinstance(n_games, bool) or not isinstance(n_games, int) or n_games < 1:
        raise SettingError("{n_games} games: expected a whole number from 1", n_games=n_games)
    verify_seed(seed)
