"""The review of a game: every decision beside the best one, skill apart from luck.

A decision is judged by its *loss*: the expected final score of the best choice less that of the
one made, objective ``score``.  Choices of equal value are equally good, whichever was made.  A
decision counts towards skill if there was something to lose; forced ones do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ...errors import SettingError
from ...statistics import LEVEL, Estimate, estimated_mean
from ..actions import Action, Roll
from ..advice import Objective
from ..game import Game
from ..notation import format_action, format_position
from ..odds import BuildOdds, odds_of
from ..solver.positions import Spot
from ..state import State
from .bands import DEFAULT_BANDS, Band, Bands
from .decisions import Choices, Offer, offer
from .ledger import Cause, Ledger, Term, ledger_of, spots_on_path
from .sentences import Sentence, reason
from .turns import PlayedTurn, solve_turns, turns_of
from .worths import MOST_VALUES, SolvedTurns

__all__ = ["MIN_DECISIONS", "Decision", "Review", "Skill", "review", "skill_of"]

MIN_DECISIONS: Final = 20
"""Fewer decisions say too little about skill."""

_SHOWN: Final = 5
"""Most best actions that are listed where many are equal."""


@dataclass(frozen=True)
class Decision:
    """One decision of a game, judged.

    Parameters
    ----------
    entry : int
        Number of the entry in the log; the state with the same number is the one before it.
    state : State
    turn_start : State
        The state in which the turn began.
    action : Action
        What was chosen.
    best : tuple of Action
        Best actions, the chosen one first if it is one of them; at most five.
    n_best, n_actions : int
        How many actions are best, and how many are legal.
    value, best_value : float
        Expected final score of the chosen action and of the best one, in points.
    loss : float
        Their difference in points, exactly 0 if the chosen action is best.
    rank : int
        1 for a best action, else 1 more than the number of better ones.
    odds, best_odds : BuildOdds or None
        Of the roll that the chosen action, and the first of the best, leads to.
    counts : bool
        Whether there was something to lose; a forced decision never counts.
    second_loss : float
        What the best action that is not best of all loses, in points.
    """

    entry: int
    state: State
    turn_start: State
    action: Action
    best: tuple[Action, ...]
    n_best: int
    n_actions: int
    value: float
    best_value: float
    loss: float
    rank: int
    odds: BuildOdds | None
    best_odds: BuildOdds | None
    counts: bool
    second_loss: float

    @property
    def round(self) -> int:
        """The round, 1 to 9."""
        return self.state.round

    @property
    def seat(self) -> int:
        """Who decided."""
        return self.state.seat

    @property
    def is_forced(self) -> bool:
        """Whether there was only one action."""
        return self.n_actions == 1

    @property
    def is_best(self) -> bool:
        """Whether no action is better."""
        return self.loss == 0

    def as_dict(self, bands: Bands = DEFAULT_BANDS) -> dict[str, Any]:
        """Return the decision in plain types."""
        return {
            "entry": self.entry,
            "round": self.round,
            "seat": self.seat,
            "position": format_position(self.state),
            "action": format_action(self.action),
            "best": [format_action(action) for action in self.best],
            "n_best": self.n_best,
            "n_actions": self.n_actions,
            "value": self.value,
            "best_value": self.best_value,
            "loss": self.loss,
            "rank": self.rank,
            "band": bands.of(self.loss).value,
            "forced": self.is_forced,
            "counts": self.counts,
            "odds": _odds_dict(self.odds),
            "best_odds": _odds_dict(self.best_odds),
        }


def _odds_dict(odds: BuildOdds | None) -> dict[str, Any] | None:
    if odds is None:
        return None
    chances = {"build": odds.build, "stuck": odds.stuck}
    return {name: {"exact": str(p), "float": float(p)} for name, p in chances.items()}


# --- skill ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Skill:
    """How well somebody decides, luck set aside.

    Parameters
    ----------
    n_decisions : int
        Decisions that count.
    loss : Estimate or None
        Mean loss of a decision in points, with its confidence interval; None if there are too
        few decisions.
    refusal : Sentence or None
        Why there is no estimate.
    """

    n_decisions: int
    loss: Estimate | None
    refusal: Sentence | None

    def as_dict(self) -> dict[str, Any]:
        """Return the estimate in plain types."""
        return {
            "decisions": self.n_decisions,
            "loss": None if self.loss is None else self.loss.as_dict(),
            "refusal": None if self.refusal is None else str(self.refusal),
        }


def skill_of(
    decisions: Iterable[Decision], *, least: int = MIN_DECISIONS, level: float = LEVEL
) -> Skill:
    """Estimate skill from decisions of one or more games.

    Parameters
    ----------
    decisions : iterable of Decision
        Of one player; those that do not count are left out.
    least : int
        Fewer decisions give no estimate, at least 2.
    level : float
        Of the confidence interval, in (0, 1).

    Raises
    ------
    SettingError
        If `least` is below 2 or `level` not in (0, 1).

    Notes
    -----
    The interval is Student's for the mean of independent losses.  Losses in one turn are not
    quite independent, so it is somewhat too narrow for a single game.
    """
    if least < _FEWEST:
        raise SettingError("least {least}: expected at least {fewest}", least=least, fewest=_FEWEST)
    losses = [decision.loss for decision in decisions if decision.counts]
    if len(losses) < least:
        refusal = reason(
            "{n} decisions count, too few to tell skill from chance: at least {least} are needed.",
            n=len(losses),
            least=least,
        )
        return Skill(len(losses), None, refusal)
    return Skill(len(losses), estimated_mean(losses, level), None)


_FEWEST: Final = 2


# --- the whole game ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Review:
    """A game with every decision judged.

    Parameters
    ----------
    game : Game
    ledger : Ledger
        Where each seat's result comes from, and its expected final score after every entry.
    decisions : tuple of Decision
        In the order of the game, forced ones included.
    unjudged : tuple of int
        Entries of turns that are too large to be judged.
    """

    game: Game
    ledger: Ledger
    decisions: tuple[Decision, ...]
    unjudged: tuple[int, ...]

    def of_seat(self, seat: int) -> tuple[Decision, ...]:
        """Return the decisions of one seat."""
        return tuple(decision for decision in self.decisions if decision.seat == seat)

    def skill(self, seat: int, *, least: int = MIN_DECISIONS, level: float = LEVEL) -> Skill:
        """Return the skill of one seat in this game (`skill_of`)."""
        return skill_of(self.of_seat(seat), least=least, level=level)

    def luck(self, seat: int) -> float:
        """Return the luck of all rolls of one seat, in points."""
        return self.ledger.seats[seat - 1].total(Cause.LUCK)

    def band_counts(self, seat: int, bands: Bands = DEFAULT_BANDS) -> dict[Band, int]:
        """Count the decisions of one seat that count, by their bands."""
        counts = Counter(bands.of(d.loss) for d in self.of_seat(seat) if d.counts)
        return {band: counts[band] for band in Band}

    def mistakes(
        self,
        seat: int | None = None,
        *,
        bands: Bands = DEFAULT_BANDS,
        least: Band = Band.INACCURACY,
    ) -> tuple[Decision, ...]:
        """List the decisions of a band or worse, in the order of the game.

        Parameters
        ----------
        seat : int, optional
            All seats if left out.
        bands : Bands
        least : Band
            The mildest band that is listed.
        """
        order = list(Band)
        wanted = order[order.index(least) :]
        return tuple(
            decision
            for decision in self.decisions
            if seat in (None, decision.seat) and bands.of(decision.loss) in wanted
        )

    def turning_points(self, n: int = 5, seat: int | None = None) -> tuple[Term, ...]:
        """Return the largest moves of any expected final score, largest first.

        Parameters
        ----------
        n : int
            At most so many.
        seat : int, optional
            All seats if left out.
        """
        terms = [
            term for one in self.ledger.seats for term in one.terms if seat in (None, term.seat)
        ]
        return tuple(sorted(terms, key=lambda t: (-abs(t.amount), t.state, t.seat))[:n])

    def as_dict(self, bands: Bands = DEFAULT_BANDS) -> dict[str, Any]:
        """Return the review in plain types, for JSON.

        Parameters
        ----------
        bands : Bands
        """
        return {
            "position": format_position(self.game.state),
            "objective": Objective.SCORE.value,
            "over": self.ledger.is_over,
            "bands": {
                "inaccuracy": bands.inaccuracy,
                "mistake": bands.mistake,
                "blunder": bands.blunder,
            },
            "seats": [self._seat_dict(seat, bands) for seat in range(1, len(self.game.seats) + 1)],
            "decisions": [decision.as_dict(bands) for decision in self.decisions],
            "unjudged": list(self.unjudged),
            "turning_points": [self._term_dict(term) for term in self.turning_points()],
            "expected": [list(values) for values in self.ledger.expected],
        }

    def _seat_dict(self, seat: int, bands: Bands) -> dict[str, Any]:
        who = self.game.seats[seat - 1]
        return {
            "seat": seat,
            "name": who.name,
            "player": who.player,
            "ledger": self.ledger.seats[seat - 1].as_dict(),
            "skill": self.skill(seat).as_dict(),
            "bands": {band.value: n for band, n in self.band_counts(seat, bands).items()},
        }

    def _term_dict(self, term: Term) -> dict[str, Any]:
        entry = term.state - 1
        action = None if entry < 0 else format_action(self.game.log[entry].action)
        return {
            "entry": entry,
            "seat": term.seat,
            "round": self.game.states[term.state].round,
            "cause": term.cause.value,
            "amount": term.amount,
            "action": action,
        }


def review(
    game: Game, objective: Objective | str = Objective.SCORE, most_values: int = MOST_VALUES
) -> Review:
    """Judge every decision of a game, finished or under way.

    Parameters
    ----------
    game : Game
    objective : Objective or str
        ``score``.
    most_values : int
        Turns that need more values than so many are not judged.

    Raises
    ------
    SettingError
        If the objective is another one: only ``score`` adds up over a game.
    """
    if objective != Objective.SCORE:
        raise SettingError(
            "objective {name!r}: expected {known}", name=str(objective), known=Objective.SCORE.value
        )
    turns = turns_of(game)
    offers = [_offers(turn) for turn in turns]
    solved = solve_turns(turns, _asked(turns, offers), most_values)
    decisions: list[Decision] = []
    unjudged: list[int] = []
    for place, turn in enumerate(turns):
        where, offered = solved[place], offers[place]
        if where is None or offered is None:
            solved[place] = None
            unjudged += _decided(turn)
        else:
            decisions += [_judged(turn, entry, offered[entry], where) for entry in offered]
    return Review(game, ledger_of(game, turns, solved), tuple(decisions), tuple(unjudged))


def _decided(turn: PlayedTurn) -> list[int]:
    """Return the entries of a turn that are decisions."""
    log = turn.game.log
    return [
        entry for entry in range(turn.begin, turn.end) if not isinstance(log[entry].action, Roll)
    ]


def _offers(turn: PlayedTurn) -> dict[int, Offer] | None:
    """Return what could be done at each decision of a turn, None if it is far too much."""
    found = {}
    for entry in _decided(turn):
        offered = offer(turn.game.states[entry], turn.start)
        if offered is None:
            return None
        found[entry] = offered
    return found


def _asked(
    turns: Sequence[PlayedTurn], offers: Sequence[dict[int, Offer] | None]
) -> list[list[Spot]]:
    return [
        spots_on_path(turn) + [spot for one in (offered or {}).values() for spot in one.spots]
        for turn, offered in zip(turns, offers, strict=True)
    ]


def _judged(turn: PlayedTurn, entry: int, offered: Offer, solved: SolvedTurns) -> Decision:
    return decision_of(offered.choices(solved), turn.game.log[entry].action, turn.start, entry)


def decision_of(offered: Choices, action: Action, turn_start: State, entry: int) -> Decision:
    """Judge one choice.

    Parameters
    ----------
    offered : Choices
    action : Action
        One of them.
    turn_start : State
        Where the turn began.
    entry : int
        Number of the entry in the log.
    """
    chosen = offered.number_of(action)
    loss = offered.loss(chosen)
    bests = offered.best_actions()
    best = _listed(offered.actions, bests.tolist(), chosen if loss == 0 else None)
    state = offered.state
    return Decision(
        entry=entry,
        state=state,
        turn_start=turn_start,
        action=action,
        best=best,
        n_best=len(bests),
        n_actions=len(offered.values),
        value=float(offered.values[chosen]),
        best_value=offered.best_value,
        loss=loss,
        rank=offered.rank(chosen),
        odds=odds_of(state, action),
        best_odds=odds_of(state, best[0]),
        counts=offered.can_lose,
        second_loss=offered.second_loss(),
    )


def _listed(
    actions: Sequence[Action], bests: Sequence[int], chosen: int | None
) -> tuple[Action, ...]:
    order = bests if chosen is None else [chosen, *(n for n in bests if n != chosen)]
    return tuple(actions[number] for number in order[:_SHOWN])
