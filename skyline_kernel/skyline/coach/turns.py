"""The turns of a game, as its log tells them, and what each of their positions is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ..actions import TAKE_DISTRICT, Take
from ..choices import legal_actions
from ..dice import KindCounts
from ..game import Game
from ..legality import DICE_FROM_YARD
from ..solver.positions import Spot, spot_of, turns_after
from ..solver.practice import TAKES
from ..state import State
from ..transitions import successor
from .worths import MOST_VALUES, SolvedTurns, TooLargeError

__all__ = ["PlayedTurn", "seen_in_turn", "solve_turns", "turns_of"]

_NOTHING: Final[KindCounts] = (0, 0, 0)


@dataclass(frozen=True)
class PlayedTurn:
    """One turn of one seat.

    Parameters
    ----------
    game : Game
    seat : int
    begin : int
        Number of the state in which dice are taken; entry ``begin`` of the log follows it.
    end : int
        Number of the first state after the turn, or of the last state if the turn is under way.
    """

    game: Game
    seat: int
    begin: int
    end: int

    @property
    def start(self) -> State:
        """The state in which dice are taken."""
        return self.game.states[self.begin]

    @property
    def is_over(self) -> bool:
        """Whether the turn was played to its end."""
        return self.game.log[self.end - 1].ends_turn

    @cached_property
    def path(self) -> tuple[Spot, ...]:
        """Where play stood after each entry of the log, shape ``(end - begin,)``."""
        states = self.game.states[self.begin + 1 : self.end + 1]
        return tuple(seen_in_turn(state, self.start) for state in states)

    @cached_property
    def is_short(self) -> bool:
        """Whether the yard has run out of some dice."""
        return sum(isinstance(one, Take) for one in legal_actions(self.start)) < len(TAKES)

    @cached_property
    def takes(self) -> tuple[Spot, ...]:
        """What the ways to begin the turn lead to that the table of values does not tell.

        The table holds the best of three dice of a full yard.  So this is the district, or all
        that is legal where the yard is short.
        """
        start = self.start
        legal = (one for one in legal_actions(start) if self.is_short or one == TAKE_DISTRICT)
        return tuple(seen_in_turn(successor(start, action), start) for action in legal)

    @property
    def most_dice(self) -> int:
        """Most dice that the turn could begin with."""
        return max(DICE_FROM_YARD, sum(self.start.district))


def seen_in_turn(state: State, turn: State) -> Spot:
    """Return where the turn stands; dice abandoned in it do not matter for ``score``."""
    return spot_of(state, turn)._replace(abandoned=_NOTHING)


def turns_of(game: Game) -> tuple[PlayedTurn, ...]:
    """List the turns in which something was done, in order."""
    turns, begin = [], 0
    for number, entry in enumerate(game.log):
        if entry.ends_turn or number + 1 == len(game.log):
            turns.append(PlayedTurn(game, entry.seat, begin, number + 1))
            begin = number + 1
    return tuple(turns)


# --- solving many turns -----------------------------------------------------------------------

_MOST_TOGETHER: Final = 128
"""Most turns that are solved together; of turns with many dice fewer."""

_MOST_VALUES_TOGETHER: Final = 2_000_000
"""More values at once would take much memory."""


def solve_turns(
    turns: Sequence[PlayedTurn],
    spots: Sequence[Sequence[Spot]],
    most_values: int = MOST_VALUES,
) -> list[SolvedTurns | None]:
    """Solve turns of games with the same dice and the same option ``nine``.

    Parameters
    ----------
    turns : sequence of PlayedTurn
    spots : sequence of sequence of Spot
        What will be asked about in each of the turns.
    most_values : int
        A turn that needs more values is too large; turns that are solved together may share.

    Returns
    -------
    list of (SolvedTurns or None)
        Where each turn is solved, in their order; None for turns that are too large.
    """
    found: list[SolvedTurns | None] = [None] * len(turns)
    waiting = list(_groups(turns))
    while waiting:
        places = waiting.pop()
        wanted = [spot for place in places for spot in spots[place]]
        most = min(most_values * len(places), max(most_values, _MOST_VALUES_TOGETHER))
        try:
            solved = SolvedTurns([turns[place].start for place in places], wanted, most)
        except TooLargeError:
            # Perhaps only together: the halves may do.
            half = len(places) // 2
            waiting += [places[:half], places[half:]] if half else []
            continue
        for place in places:
            found[place] = solved
    return found


def _groups(turns: Sequence[PlayedTurn]) -> Iterator[list[int]]:
    alike: dict[tuple[int, int], list[int]] = {}
    for place, turn in enumerate(turns):
        size = max(turn.most_dice - 1, _FEW_DICE) // 2
        alike.setdefault((turns_after(turn.start), size), []).append(place)
    for (_, size), places in alike.items():
        n_together = max(_MOST_TOGETHER >> (size - _FEW_DICE // 2), 1)
        for at in range(0, len(places), n_together):
            yield places[at : at + n_together]


_FEW_DICE: Final = 4
"""Turns of no more dice are small."""
