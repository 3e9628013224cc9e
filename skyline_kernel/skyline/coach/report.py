"""The review as plain text, for the command line."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from ..notation import format_action
from .bands import DEFAULT_BANDS, Band, Bands
from .ledger import Cause, Term
from .reasons import Reason, explain
from .review import Decision, Review
from .worths import TooLargeError

__all__ = ["as_json", "reasons_of", "report"]

_CAUSES: Final = {
    Cause.DISTRICT: "what the district offered",
    Cause.SHORTAGE: "dice the yard had run out of",
    Cause.LUCK: "luck of the rolls",
    Cause.LOSS: "loss of the decisions",
    Cause.CUT: "turns that another's six storeys cut off",
    Cause.UNSPLIT: "turns with too many dice to be split",
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


def report(review: Review, bands: Bands = DEFAULT_BANDS) -> list[str]:
    """Return the lines of a report for people.

    Parameters
    ----------
    review : Review
    bands : Bands
    """
    lines: list[str] = []
    reasons = reasons_of(review, bands)
    for seat in range(1, len(review.game.seats) + 1):
        lines += _seat_lines(review, seat, bands)
        for one in review.mistakes(seat, bands=bands):
            lines.append(f"  {_decision_line(one, bands)}")
            if one.entry in reasons:
                lines += [f"      {c.sentence}" for c in reasons[one.entry].clauses[1:]]
        lines.append("")
    lines += ["Turning points"]
    lines += [f"  {_term_line(review, term)}" for term in review.turning_points()]
    return lines


def _seat_lines(review: Review, seat: int, bands: Bands) -> list[str]:
    who, account = review.game.seats[seat - 1], review.ledger.seats[seat - 1]
    lines = [f"Seat {seat}: {who.name}", f"  {account.start:8.2f}  value at the start"]
    for cause, words in _CAUSES.items():
        total = account.total(cause)
        if total or cause in (Cause.LUCK, Cause.LOSS):
            lines.append(f"  {total:+8.2f}  {words}")
    result = "final score" if review.ledger.is_over else "expected final score now"
    lines.append(f"  {account.result:8.2f}  {result}")
    if account.own_end is not None:
        lines.append(
            f"  (its own six storeys gave up {account.own_end.n_turns} turns"
            f" worth {account.own_end.worth:.2f})"
        )
    lines.append(f"  {_skill_line(review, seat)}")
    counts = review.band_counts(seat, bands)
    return [*lines, "  " + ", ".join(f"{band.value} {n}" for band, n in counts.items())]


def _skill_line(review: Review, seat: int) -> str:
    skill = review.skill(seat)
    if skill.loss is None:
        return str(skill.refusal)
    loss = skill.loss
    return (
        f"{loss.value:.3f} points lost per decision, {loss.level:.0%} interval"
        f" {loss.low:.3f} to {loss.high:.3f}, {skill.n_decisions} decisions"
    )


def _decision_line(decision: Decision, bands: Bands) -> str:
    band = bands.of(decision.loss)
    mark = {Band.INACCURACY: "?!", Band.MISTAKE: "?", Band.BLUNDER: "??"}.get(band, "")
    better = format_action(decision.best[0])
    chosen = format_action(decision.action)
    return (
        f"round {decision.round}: {chosen} {mark} lost {decision.loss:.2f}"
        f" (rank {decision.rank} of {decision.n_actions}); best {better}"
    )


def _term_line(review: Review, term: Term) -> str:
    name = review.game.seats[term.seat - 1].name
    state = review.game.states[term.state]
    what = format_action(review.game.log[term.state - 1].action) if term.state else "the start"
    return f"{term.amount:+8.2f}  {name}, round {state.round}: {_CAUSES[term.cause]} ({what})"
