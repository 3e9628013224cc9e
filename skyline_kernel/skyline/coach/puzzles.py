"""Puzzles: one decision to be found, with the answer hidden until it is asked for.

A `Puzzle` is a position.  A `Session` is one person at one puzzle: each try is judged by its
loss, the last try can be taken back, and what to say about a wrong one is the likeliest thing to
go wrong after it.  A try is right if no choice is better, whichever of several equal ones it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b
from typing import Final, NamedTuple

from ...errors import IllegalActionError
from ..actions import Action, Roll
from ..advice import TOLERANCE
from ..choices import chance_outcomes, legal_actions
from ..legality import verify
from ..notation import format_position
from ..state import Phase, State
from ..transitions import successor
from .bands import DEFAULT_BANDS, Band, Bands
from .decisions import Choices, choices_in
from .reasons import MOST_OUTCOMES, Reason, explain
from .review import Review
from .sentences import Sentence, reason
from .turns import seen_in_turn
from .worths import SolvedTurns

__all__ = [
    "BadFollowUp",
    "Difficulty",
    "Puzzle",
    "Session",
    "Theme",
    "Try",
    "difficulty_of",
    "judge",
    "mistake_puzzles",
]


class Theme(StrEnum):
    """What a puzzle is about."""

    INSURANCE = "insurance"
    """Keep a die that fits and roll the others again."""
    STOP_OR_GO = "stop or go on"
    """Build with a die that fits, or roll it again for a better one."""
    DISTRICT_OR_YARD = "district or yard"
    WHICH_COLUMN = "which column"
    LAST_ROUND = "last round"
    MISTAKE = "mistake"
    """A mistake of one's own."""


class Difficulty(StrEnum):
    """How hard a puzzle is."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


_EASY_GAP: Final = 1.0
_HARD_GAP: Final = 0.4
_MANY: Final = 30


def difficulty_of(gap: float, n_options: int) -> Difficulty:
    """Tell how hard a puzzle is.

    Parameters
    ----------
    gap : float
        What the best choice that is not right loses, in points.
    n_options : int
        Number of choices; more than thirty make it one step harder.
    """
    levels = list(Difficulty)
    level = 0 if gap >= _EASY_GAP else 1 if gap >= _HARD_GAP else 2
    return levels[min(level + (n_options > _MANY), len(levels) - 1)]


@dataclass(frozen=True)
class Puzzle:
    """One decision to be found.

    Parameters
    ----------
    state : State
        In a decision phase.
    theme : Theme
    difficulty : Difficulty
    played : Action or None
        What was chosen in the game that it comes from.
    """

    state: State
    theme: Theme
    difficulty: Difficulty
    played: Action | None = None

    @property
    def name(self) -> str:
        """A short name; the same position always has the same one."""
        return blake2b(format_position(self.state).encode(), digest_size=6).hexdigest()

    @property
    def options(self) -> Sequence[Action]:
        """The choices, without any hint of their values."""
        return legal_actions(self.state)


class BadFollowUp(NamedTuple):
    """The likeliest thing to go wrong after a try.

    Parameters
    ----------
    actions : tuple of Action
        What is done before the roll: the try, and best play after it.
    roll : Roll
        With what it shows.
    probability : Fraction
        Chance of just this roll, in (0, 1].
    answer : Action
        The best answer to it.
    behind : float
        How far the expected final score is then behind what the best choice had offered, in
        points.
    """

    actions: tuple[Action, ...]
    roll: Roll
    probability: Fraction
    answer: Action
    behind: float

    @property
    def sentence(self) -> Sentence:
        """The same in words."""
        return reason(
            "The likeliest trouble: {roll} with chance {probability}, then at best {answer},"
            " {behind} points behind.",
            roll=self.roll,
            probability=self.probability,
            answer=self.answer,
            behind=self.behind,
        )


@dataclass(frozen=True)
class Try:
    """One answer to a puzzle, judged.

    Parameters
    ----------
    action : Action
    loss : float
        In points, exactly 0 if it is right.
    rank : int
    n_options : int
    follow_up : BadFollowUp or None
        For a wrong answer, if a roll can go wrong after it.
    """

    action: Action
    loss: float
    rank: int
    n_options: int
    follow_up: BadFollowUp | None

    @property
    def is_right(self) -> bool:
        """Whether no choice is better."""
        return self.loss == 0


@lru_cache(maxsize=256)
def _choices(state: State) -> Choices:
    return choices_in(state)


def judge(puzzle: Puzzle, action: Action) -> Try:
    """Judge an answer.

    Raises
    ------
    IllegalActionError
        If it is no legal action of the position.
    """
    verify(puzzle.state, action)
    offered = _choices(puzzle.state)
    number = offered.number_of(action)
    loss = offered.loss(number)
    follow_up = _bad_follow_up(puzzle.state, action, offered.best_value) if loss else None
    return Try(action, loss, offered.rank(number), len(offered.values), follow_up)


def _bad_follow_up(state: State, action: Action, best_value: float) -> BadFollowUp | None:
    """Play on to the next roll and return its likeliest result that falls behind."""
    actions, after = [action], successor(state, action)
    while after.phase in (Phase.USE, Phase.MORE):
        offered = choices_in(after, state)
        actions.append(offered.actions[int(offered.best_actions()[0])])
        after = successor(after, actions[-1])
    if not after.is_chance:
        return None
    outcomes = chance_outcomes(after)
    if len(outcomes) > MOST_OUTCOMES:
        return None
    spots = [seen_in_turn(successor(after, roll), state) for roll, _ in outcomes]
    solved = SolvedTurns([state], spots)
    values = [solved.value(spot) for spot in spots]
    bad = [n for n, value in enumerate(values) if value < best_value - TOLERANCE]
    if not bad:
        return None
    worst = max(bad, key=lambda n: (outcomes[n][1], -values[n]))
    roll, probability = outcomes[worst]
    shown = choices_in(successor(after, roll), state)
    answer = shown.actions[int(shown.best_actions()[0])]
    return BadFollowUp(tuple(actions), roll, probability, answer, best_value - values[worst])


@dataclass(frozen=True)
class Session:
    """Somebody at a puzzle.

    Parameters
    ----------
    puzzle : Puzzle
    tries : tuple of Try
        All answers that stand, in order.
    n_taken_back : int
        Answers that were taken back.
    is_revealed : bool
        Whether the answer was asked for.
    """

    puzzle: Puzzle
    tries: tuple[Try, ...] = ()
    n_taken_back: int = 0
    is_revealed: bool = False

    @property
    def is_solved(self) -> bool:
        """Whether the last answer that stands is right."""
        return bool(self.tries) and self.tries[-1].is_right

    def answer(self, action: Action) -> Session:
        """Return the session with one more answer.

        Raises
        ------
        IllegalActionError
            If the action is not legal, or the puzzle is solved.
        """
        if self.is_solved:
            raise IllegalActionError("the puzzle is solved: take the answer back to try again")
        return replace(self, tries=(*self.tries, judge(self.puzzle, action)))

    def take_back(self) -> Session:
        """Return the session without its last answer.

        Raises
        ------
        IllegalActionError
            If there is none.
        """
        if not self.tries:
            raise IllegalActionError("take back: nothing has been answered yet")
        return replace(self, tries=self.tries[:-1], n_taken_back=self.n_taken_back + 1)

    def reveal(self) -> Session:
        """Return the session with the answer shown."""
        return replace(self, is_revealed=True)

    @property
    def best(self) -> tuple[Action, ...]:
        """All best choices; empty as long as the puzzle is neither solved nor revealed."""
        if not (self.is_solved or self.is_revealed):
            return ()
        offered = _choices(self.puzzle.state)
        return tuple(offered.actions[number] for number in offered.best_actions().tolist())

    @property
    def why(self) -> Reason | None:
        """Why the last wrong answer, or the one of the game, is worse; None before the end."""
        if not self.best:
            return None
        wrong = [one.action for one in self.tries if not one.is_right]
        action = wrong[-1] if wrong else self.puzzle.played or self.best[0]
        return explain(self.puzzle.state, action)


def mistake_puzzles(
    review: Review,
    seat: int | None = None,
    *,
    bands: Bands = DEFAULT_BANDS,
    least: Band = Band.INACCURACY,
) -> tuple[Puzzle, ...]:
    """Make a puzzle of every mistake that the review lists.

    Parameters
    ----------
    review : Review
    seat : int, optional
        All seats if left out.
    bands : Bands
    least : Band
        The mildest band that is practised.

    Returns
    -------
    tuple of Puzzle
        One for each of `Review.mistakes`, in the same order.
    """
    return tuple(
        Puzzle(
            decision.state,
            Theme.MISTAKE,
            difficulty_of(decision.second_loss, decision.n_actions),
            decision.action,
        )
        for decision in review.mistakes(seat, bands=bands, least=least)
    )
