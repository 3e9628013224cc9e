"""The review as plain text, for the command line."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from ..notation import format_action
from .bands import DEFAULT_BANDS, Band, Bands
from .ledger import Cause, OwnEnd, Term
from .reasons import Reason, explain
from .review import Decision, Review
from .saying import Speaker
from .sentences import Sentence, reason
from .worths import TooLargeError

__all__ = ["as_json", "reasons_of", "report"]

_CAUSES: Final = {
    Cause.DISTRICT: reason("what the district offered"),
    Cause.SHORTAGE: reason("dice the yard had run out of"),
    Cause.LUCK: reason("luck of the rolls"),
    Cause.LOSS: reason("loss of the decisions"),
    Cause.CUT: reason("turns that another's six storeys cut off"),
    Cause.UNSPLIT: reason("turns with too many dice to be split"),
}
_BANDS: Final = {
    Band.BEST: reason("best"),
    Band.GOOD: reason("good"),
    Band.INACCURACY: reason("inaccuracy"),
    Band.MISTAKE: reason("mistake"),
    Band.BLUNDER: reason("blunder"),
}


def reasons_of(
    review: Review, bands: Bands = DEFAULT_BANDS, least: Band = Band.MISTAKE
) -> dict[int, Reason]:
    """Say why each mistake is one.

    Parameters
    ----------
    review : Review
    bands : Bands
    least : Band
        The mildest band that is told about.

    Returns
    -------
    dict of int to Reason
        By the number of the entry in the log.
    """
    found = {}
    for decision in review.mistakes(bands=bands, least=least):
        with suppress(TooLargeError):
            found[decision.entry] = explain(decision.state, decision.action, decision.best[0])
    return found


def as_json(review: Review, bands: Bands = DEFAULT_BANDS) -> dict[str, Any]:
    """Return the review with the reasons of its mistakes in plain types."""
    reasons = [
        {"entry": entry, **reason.as_dict()} for entry, reason in reasons_of(review, bands).items()
    ]
    return {**review.as_dict(bands), "reasons": reasons}


def report(
    review: Review, bands: Bands = DEFAULT_BANDS, *, say: Speaker | None = None
) -> list[str]:
    """Return the lines of a report for people.

    Parameters
    ----------
    review : Review
    bands : Bands
    say : Speaker, optional
        Says the sentences, in English if left out.
    """
    return _Report(review, bands, say or Speaker()).lines()


class _Report:
    """Writes a report in a language."""

    def __init__(self, review: Review, bands: Bands, say: Speaker) -> None:
        self._review = review
        self._bands = bands
        self._say = say
        self._reasons = reasons_of(review, bands)

    def lines(self) -> list[str]:
        """Return all of it."""
        lines: list[str] = []
        for seat in range(1, len(self._review.game.seats) + 1):
            lines += [*self._seat(seat), *self._mistakes(seat), ""]
        lines.append(self._say(reason("Turning points")))
        return lines + [f"  {self._turning_point(one)}" for one in self._review.turning_points()]

    def _amount(self, value: float, form: str, words: Sentence) -> str:
        return f"  {self._say.number(value, form)}  {self._say(words)}"

    def _seat(self, seat: int) -> list[str]:
        name = self._review.game.seats[seat - 1].name
        account = self._review.ledger.seats[seat - 1]
        lines = [
            self._say(reason("Seat {seat}: {name}", seat=seat, name=name)),
            self._amount(account.start, "8.2f", reason("value at the start")),
        ]
        for cause, words in _CAUSES.items():
            total = account.total(cause)
            if total or cause in (Cause.LUCK, Cause.LOSS):
                lines.append(self._amount(total, "+8.2f", words))
        is_over = self._review.ledger.is_over
        result = reason("final score") if is_over else reason("expected final score now")
        lines.append(self._amount(account.result, "8.2f", result))
        if account.own_end is not None:
            lines.append(f"  {self._say(_own_end(account.own_end))}")
        counts = self._review.band_counts(seat, self._bands)
        bands = ", ".join(f"{self._say(_BANDS[band])} {n}" for band, n in counts.items())
        return [*lines, f"  {self._say(self._skill(seat))}", f"  {bands}"]

    def _skill(self, seat: int) -> Sentence:
        skill = self._review.skill(seat)
        if skill.loss is None:
            assert skill.refusal is not None, "one of the two is told"
            return skill.refusal
        loss, number = skill.loss, self._say.number
        return reason(
            "{loss} points lost per decision, {level} interval {low} to {high}, {n} decisions",
            loss=number(loss.value, ".3f"),
            level=format(loss.level, ".0%"),
            low=number(loss.low, ".3f"),
            high=number(loss.high, ".3f"),
            n=skill.n_decisions,
        )

    def _mistakes(self, seat: int) -> list[str]:
        lines = []
        for one in self._review.mistakes(seat, bands=self._bands):
            lines.append(f"  {self._say(_decision(one, self._bands))}")
            if one.entry in self._reasons:
                clauses = self._reasons[one.entry].clauses[1:]
                lines += [f"      {self._say(clause.sentence)}" for clause in clauses]
        return lines

    def _turning_point(self, term: Term) -> str:
        game = self._review.game
        action = game.log[term.state - 1].action if term.state else None
        what = reason("the start") if action is None else format_action(action)
        words = reason(
            "{name}, round {round}: {cause} ({what})",
            name=game.seats[term.seat - 1].name,
            round=game.states[term.state].round,
            cause=_CAUSES[term.cause],
            what=what,
        )
        return f"{self._say.number(term.amount, '+8.2f')}  {self._say(words)}"


def _own_end(end: OwnEnd) -> Sentence:
    return reason(
        "(its own six storeys gave up {n} turns worth {worth})", n=end.n_turns, worth=end.worth
    )


def _decision(decision: Decision, bands: Bands) -> Sentence:
    band = bands.of(decision.loss)
    return reason(
        "round {round}: {chosen} {mark} lost {loss} (rank {rank} of {n}); best {better}",
        round=decision.round,
        chosen=format_action(decision.action),
        mark={Band.INACCURACY: "?!", Band.MISTAKE: "?", Band.BLUNDER: "??"}.get(band, ""),
        loss=decision.loss,
        rank=decision.rank,
        n=decision.n_actions,
        better=format_action(decision.best[0]),
    )
