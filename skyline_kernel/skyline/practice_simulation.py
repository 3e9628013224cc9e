"""Simulated practice games under best play, very many at a time.

All games move together through the graph of rolls (`practice_play`): one random number a game and
roll decides what the dice show.  Every roll is made and every decision followed, nothing is taken
from the exact distribution, so the one can be held against the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .practice_play import PracticePlay

if TYPE_CHECKING:
    from numpy.random import Generator

__all__ = ["PracticeSimulator", "SimulatedScores"]

AT_ONCE: Final = 1 << 16
"""Games whose state stays in a processor's cache."""


class SimulatedScores(NamedTuple):
    """Final scores of simulated practice games.

    Parameters
    ----------
    scores : ndarray of int64
        Points, shape ``(n_games,)``.
    n_turns : int
        Turns that were played in all games together.
    """

    scores: NDArray[np.int64]
    n_turns: int


class PracticeSimulator:
    """Plays practice games under best play.

    Parameters
    ----------
    play : PracticePlay
        Best play from the position that all games begin with.

    Notes
    -----
    Each edge has a place on one line: node ``i`` owns the stretch from ``i`` to ``i + 1``, cut in
    proportion to the probabilities of its edges.  A random number in [0, 1) added to ``i`` falls
    on the edge that happens.  With less than ``2 ** 20`` nodes a probability is off by less than
    ``2 ** -32``.
    """

    def __init__(self, play: PracticePlay) -> None:
        self.play = play
        sums = np.concatenate([[0.0], np.cumsum(play.probabilities)])
        sources = play.sources
        self._ends = sums[1:] - sums[play.first_edges[:-1]][sources] + sources
        # The last edge of a node takes what rounding leaves over.
        self._ends[play.first_edges[1:] - 1] = np.arange(1, play.n_nodes + 1)

    def play_games(self, n_games: int, rng: Generator) -> SimulatedScores:
        """Play so many games.

        Parameters
        ----------
        n_games : int
        rng : numpy.random.Generator
        """
        scores = np.empty(n_games, dtype=np.int64)
        n_turns = 0
        for begin in range(0, n_games, AT_ONCE):
            part = scores[begin : begin + AT_ONCE]
            n_turns += self._play(part, rng)
        return SimulatedScores(scores, n_turns)

    def _play(self, scores: NDArray[np.int64], rng: Generator) -> int:
        """Fill in scores; return the number of turns."""
        play = self.play
        scores[:] = play.points
        if play.start < 0:
            return 0
        games = np.arange(len(scores))
        nodes = np.full(len(scores), play.start, dtype=np.int64)
        n_turns = 0
        while len(games):
            edges = np.searchsorted(self._ends, nodes + rng.uniform(size=len(nodes)), side="right")
            scores[games] += play.gains[edges]
            n_turns += int(np.count_nonzero(play.turn_ends[edges]))
            nodes = play.targets[edges].astype(np.int64)
            goes_on = nodes >= 0
            games, nodes = games[goes_on], nodes[goes_on]
        return n_turns
