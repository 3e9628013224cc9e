r"""The ledger: each seat's result explained to the last digit.

Write :math:`W(s, t)` for the expected final score of a skyline ``s`` with ``t`` own turns to come
that all take their dice from the yard, with best play, and :math:`V(x)` for the objective
``score`` in a position ``x`` of one's own turn: the same expectation, this turn as it stands.  In
other words what `skyline_kernel.skyline.advice.value` says.  From one entry of the log to the
next a seat's *expected final score* moves, and each move has one cause:

=============  ==================================================================================
term           amount, as it counts towards the score
=============  ==================================================================================
``start``      :math:`W(s_0, 9)`, with ``s_0`` the skyline that the seat is set up with
``district``   :math:`\max(0, V(x) - W(s, t))` at the start ``x`` of an own turn: what the chance
               to take the abandoned district adds to the best that the yard offers
``shortage``   :math:`\min(0, V(x) - W(s, t))`: what dice that the yard has run out of take away;
               0 without the option ``box``
``luck``       :math:`V(x') - V(x)` of a roll that leads from ``x`` to ``x'``
``loss``       :math:`V(x') - V(x) \le 0` of a decision: the value of what was chosen less that
               of the best choice, exactly 0 for every choice that is best
``cut``        :math:`W(s, t') - W(s, t) \le 0` when another seat finishes six storeys, so that
               only ``t'`` instead of ``t`` own turns are left
``unsplit``    all that a turn changed whose district holds too many dice to be solved; the terms
               ``district``, ``luck`` and ``loss`` of that turn are in it
=============  ==================================================================================

At the end of the game :math:`W(s, 0)` is the final score, so

    start + district + shortage + luck + loss + cut + unsplit = final score.

The terms are differences of neighbouring values, so nothing is left over.  While a game is under
way the same sum is the expected final score now.

Every term can be observed: it is a difference of two numbers that ``skyline value`` prints for
positions of the game.  Two things follow from how ``score`` is defined.

* A six-storey building that the seat itself finishes is a decision like any other.  Its own later
  turns are gone in the value of that action, so what the end costs is weighed there, and is part
  of the ``loss`` if ending was a mistake.  `SeatLedger.own_end` tells beside the sum what these
  turns would have been worth.
* With the option ``box`` the values count the supply of *later* turns as unlimited.  A take that
  the yard cannot serve now shows up as ``shortage`` when the turn comes, not before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum
from typing import Any, NamedTuple

from ..actions import Roll
from ..advice import TOLERANCE
from ..columns import Skyline, points
from ..game import Game
from ..solver.positions import Spot
from ..state import N_ROUNDS
from .turns import PlayedTurn, solve_turns, turns_of
from .worths import MOST_VALUES, SolvedTurns, own_turns_left, yard_values

__all__ = ["Cause", "Ledger", "OwnEnd", "SeatLedger", "Term", "ledger", "ledgers"]


class Cause(StrEnum):
    """Why the expected final score of a seat moves."""

    DISTRICT = "district"
    SHORTAGE = "shortage"
    LUCK = "luck"
    LOSS = "loss"
    CUT = "cut"
    UNSPLIT = "unsplit"


class Term(NamedTuple):
    """One move of a seat's expected final score.

    Parameters
    ----------
    state : int
        Number of the state that it leads to, 0 for the first of the game; the entry of the log
        before it is number ``state - 1``.
    seat : int
    cause : Cause
    amount : float
        In points; a loss is negative.
    """

    state: int
    seat: int
    cause: Cause
    amount: float


class OwnEnd(NamedTuple):
    """What a seat's own six-storey building took away from it; told beside the sum.

    Parameters
    ----------
    n_turns : int
        Own turns that were not played.
    worth : float
        What they would have added to the expected final score, in points.
    """

    n_turns: int
    worth: float


@dataclass(frozen=True)
class SeatLedger:
    """The ledger of one seat.

    Parameters
    ----------
    seat : int
    start : float
        Expected final score at the start, in points.
    terms : tuple of Term
        In the order of the game; those of amount 0 are left out.
    result : float
        Final score, or the expected one if the game is under way, in points.
    own_end : OwnEnd or None
        If the seat itself ended the game before round nine.
    """

    seat: int
    start: float
    terms: tuple[Term, ...]
    result: float
    own_end: OwnEnd | None

    def total(self, cause: Cause) -> float:
        """Return the sum of all terms of one cause, in points; 0 if there are none."""
        return fsum(term.amount for term in self.terms if term.cause is cause)

    @property
    def total_of_all(self) -> float:
        """Start and all terms: equals `result` but for the rounding of floats."""
        return fsum([self.start, *(term.amount for term in self.terms)])

    def as_dict(self) -> dict[str, Any]:
        """Return the sums in plain types."""
        end = self.own_end
        return {
            "seat": self.seat,
            "start": self.start,
            **{cause.value: self.total(cause) for cause in Cause},
            "result": self.result,
            "own_end": None if end is None else end._asdict(),
        }


@dataclass(frozen=True)
class Ledger:
    """The ledgers of all seats of a game, with what every seat could expect all along.

    Parameters
    ----------
    is_over : bool
        Whether the results are final scores.
    seats : tuple of SeatLedger
        Shape ``(n_players,)``.
    expected : tuple of tuple of float
        Expected final score of each seat in each state of the game, in points, shape
        ``(n_players, n_states)``.
    """

    is_over: bool
    seats: tuple[SeatLedger, ...]
    expected: tuple[tuple[float, ...], ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the sums and the expectations in plain types."""
        return {
            "over": self.is_over,
            "seats": [seat.as_dict() for seat in self.seats],
            "expected": [list(values) for values in self.expected],
        }


def ledger(game: Game) -> Ledger:
    """Explain the result of a game, finished or under way.

    Parameters
    ----------
    game : Game

    Notes
    -----
    About 5 ms a turn; up to half a second for a turn with a district of twenty dice.
    """
    return ledgers([game])[0]


def ledgers(games: Sequence[Game], most_values: int = MOST_VALUES) -> list[Ledger]:
    """Explain the results of many games; much faster than one by one.

    Parameters
    ----------
    games : sequence of Game
        With any rules.
    most_values : int
        A turn that needs more values than so many is ``unsplit``.

    Returns
    -------
    list of Ledger
        In the order of `games`.
    """
    found: dict[int, Ledger] = {}
    alike: dict[object, list[int]] = {}
    for place, game in enumerate(games):
        alike.setdefault((game.rules.dice_set, game.rules.nine), []).append(place)
    for places in alike.values():
        turns = [turn for place in places for turn in turns_of(games[place])]
        solved = solve_turns(turns, [spots_on_path(turn) for turn in turns], most_values)
        at = 0
        for place in places:
            n_turns = len(turns_of(games[place]))
            part = slice(at, at + n_turns)
            found[place] = ledger_of(games[place], turns[part], solved[part])
            at += n_turns
    return [found[place] for place in range(len(games))]


def spots_on_path(turn: PlayedTurn) -> list[Spot]:
    """Return what the ledger asks about a turn."""
    return [*turn.path, *turn.takes]


def ledger_of(
    game: Game, turns: Sequence[PlayedTurn], solved: Sequence[SolvedTurns | None]
) -> Ledger:
    """Return the ledger of a game whose turns are solved.

    Parameters
    ----------
    game : Game
    turns : sequence of PlayedTurn
        All turns of the game.
    solved : sequence of (SolvedTurns or None)
        Where the spots of `spots_on_path` can be asked about.
    """
    yard = _Yard(game, turns)
    walks = [_Walk(game, seat, yard) for seat in range(1, game.state.n_players + 1)]
    for turn, where in zip(turns, solved, strict=True):
        for walk in walks:
            walk.follow(turn, where)
    return Ledger(
        is_over=game.state.is_over,
        seats=tuple(walk.seat_ledger() for walk in walks),
        expected=tuple(tuple(walk.expected) for walk in walks),
    )


# --- walking through a game -------------------------------------------------------------------


class _Yard:
    """Values of skylines between turns, all asked for at once."""

    def __init__(self, game: Game, turns: Sequence[PlayedTurn]) -> None:
        wanted = dict.fromkeys(_between_turns(game, turns))
        values = yard_values(game.rules, list(wanted))
        self._values = dict(zip(wanted, values, strict=True))

    def __call__(self, skyline: Skyline, n_turns: int) -> float:
        """Return the expected final score with so many turns from the yard, in points."""
        return self._values[skyline, n_turns]


def _between_turns(game: Game, turns: Sequence[PlayedTurn]) -> Iterator[tuple[Skyline, int]]:
    numbers = [0, *(turn.end for turn in turns), *_endings(game)]
    for state in (game.states[number] for number in numbers):
        for seat, skyline in enumerate(state.skylines, start=1):
            yield skyline, own_turns_left(state, seat)
    for turn in turns:
        if _ends_early(turn):
            yield _skyline_after(turn), N_ROUNDS - turn.start.round


def _ends_early(turn: PlayedTurn) -> bool:
    """Return whether the turn is over and took later turns of its own seat away."""
    after = turn.game.states[turn.end]
    is_ended = after.is_last_round and not turn.start.is_last_round
    return is_ended and turn.is_over and turn.start.round < N_ROUNDS


def _skyline_after(turn: PlayedTurn) -> Skyline:
    return turn.game.states[turn.end].skylines[turn.seat - 1]


def _endings(game: Game) -> list[int]:
    """Return the numbers of the states in which a round has just become the last one."""
    states = game.states
    return [
        number
        for number in range(1, len(states))
        if states[number].is_last_round and not states[number - 1].is_last_round
    ]


class _Walk:
    """Follows the expected final score of one seat through a game."""

    def __init__(self, game: Game, seat: int, yard: _Yard) -> None:
        self.game = game
        self.seat = seat
        self.yard = yard
        self.terms: list[Term] = []
        first = game.states[0]
        self.start = self.value = yard(first.skylines[seat - 1], own_turns_left(first, seat))
        self.expected = [self.value]
        self._own_end: OwnEnd | None = None

    def follow(self, turn: PlayedTurn, solved: SolvedTurns | None) -> None:
        """Go through a turn, one's own or another's."""
        if turn.seat != self.seat:
            self._wait(turn)
        elif solved is None:
            self._pass_over(turn)
        else:
            self._play(turn, solved)

    def _move(self, state: int, value: float, cause: Cause) -> None:
        # Equal values may differ in their last digits; they are one value.
        if abs(value - self.value) > TOLERANCE:
            self.terms.append(Term(state, self.seat, cause, value - self.value))
            self.value = value

    def _wait(self, turn: PlayedTurn) -> None:
        for number in range(turn.begin + 1, turn.end + 1):
            state = self.game.states[number]
            if state.is_last_round and not self.game.states[number - 1].is_last_round:
                left = own_turns_left(state, self.seat)
                self._move(number, self.yard(state.skylines[self.seat - 1], left), Cause.CUT)
            self.expected.append(self.value)

    def _play(self, turn: PlayedTurn, solved: SolvedTurns) -> None:
        # What a full yard is worth is the value that the turn is waited for with.
        yard = () if turn.is_short else (self.value,)
        begun = max(*yard, *map(solved.value, turn.takes))
        cause = Cause.DISTRICT if begun > self.value else Cause.SHORTAGE
        self._move(turn.begin, begun, cause)
        # The state before this turn is known only now to be worth more.
        self.expected[turn.begin] = self.value
        for number, spot in enumerate(turn.path, start=turn.begin):
            is_roll = isinstance(self.game.log[number].action, Roll)
            cause = Cause.LUCK if is_roll else Cause.LOSS
            self._move(number + 1, solved.value(spot), cause)
            self.expected.append(self.value)
        self._note_own_end(turn)

    def _pass_over(self, turn: PlayedTurn) -> None:
        self.expected += [self.value] * (turn.end - turn.begin)
        if turn.is_over:
            left = own_turns_left(self.game.states[turn.end], self.seat)
            self._move(turn.end, self.yard(_skyline_after(turn), left), Cause.UNSPLIT)
            self.expected[-1] = self.value
            self._note_own_end(turn)

    def _note_own_end(self, turn: PlayedTurn) -> None:
        if _ends_early(turn):
            skyline, n_turns = _skyline_after(turn), N_ROUNDS - turn.start.round
            self._own_end = OwnEnd(n_turns, self.yard(skyline, n_turns) - points(skyline))

    def seat_ledger(self) -> SeatLedger:
        """Return what was seen."""
        return SeatLedger(self.seat, self.start, tuple(self.terms), self._result(), self._own_end)

    def _result(self) -> float:
        state = self.game.state
        return float(points(state.skylines[self.seat - 1])) if state.is_over else self.value
