"""The review page: what happened in a game, why, and where it turned.

The coach computes; a desk keeps the review of the game that it was last asked about, so that a
page turns over at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from skyline_kernel.errors import SettingError
from skyline_kernel.skyline import Game

from .language import Language
from .words import action_words, choice_words, say_sentence

if TYPE_CHECKING:
    from skyline_kernel.skyline.coach.bands import Bands
    from skyline_kernel.skyline.coach.ledger import SeatLedger
    from skyline_kernel.skyline.coach.review import Decision, Review, Skill

__all__ = ["ReviewDesk"]

View = dict[str, Any]


class ReviewDesk:
    """Reviews one game at a time."""

    def __init__(self) -> None:
        self._game: Game | None = None
        self._review: Review | None = None
        self._bands: Bands | None = None
        self._opened: int | None = None

    def review_of(self, game: Game) -> Review:
        """Return the review of `game`, computed when it is a new one."""
        from skyline_kernel.skyline.coach.review import review

        if self._review is None or self._game != game:
            self._review, self._game, self._opened = review(game), game, None
        return self._review

    def carry_out(self, command: Mapping[str, Any]) -> None:
        """Set the bands, or open the reasons of a decision.

        Raises
        ------
        SettingError
            If the bands are not in order, or there is no such decision.
        """
        if command.get("do") == "bands":
            self._bands = _bands_in(command)
            return
        entry = command.get("entry")
        known = () if self._review is None else self._review.decisions
        if entry is not None and entry not in [decision.entry for decision in known]:
            raise SettingError("{value!r}: there is no such move", value=entry)
        self._opened = None if entry == self._opened else entry

    def view(self, game: Game, lang: Language) -> View:
        """Return the review as the page draws it."""
        from skyline_kernel.skyline.coach.bands import DEFAULT_BANDS

        review = self.review_of(game)
        bands = self._bands or DEFAULT_BANDS
        return {
            "seats": [_seat(review, bands, seat, lang) for seat in range(1, len(game.seats) + 1)],
            "mistakes": [self._mistake(one, bands, lang) for one in review.mistakes(bands=bands)],
            "turning": [_turning(review, term, lang) for term in review.turning_points()],
            "chart": _chart(review, lang),
            "bands": {
                "inaccuracy": bands.inaccuracy,
                "mistake": bands.mistake,
                "blunder": bands.blunder,
            },
            "whose": next((n for n, seat in enumerate(game.seats, 1) if seat.is_human), 0),
            "over": review.ledger.is_over,
        }

    def _mistake(self, decision: Decision, bands: Bands, lang: Language) -> View:
        assert self._game is not None
        band = bands.of(decision.loss).value
        return {
            "entry": decision.entry,
            "title": lang.say(
                "Round {round}, {name}",
                round=decision.round,
                name=self._game.seats[decision.seat - 1].name,
            ),
            "seat": decision.seat,
            "action": choice_words(decision.action, lang),
            "best": choice_words(decision.best[0], lang),
            "loss": lang.loss(decision.loss),
            "rank": lang.say("rank {rank} of {n}", rank=decision.rank, n=decision.n_actions),
            "band": band,
            "band_name": band_words(lang)[band],
            "why": self._why(decision, lang) if decision.entry == self._opened else [],
            "is_open": decision.entry == self._opened,
        }

    def _why(self, decision: Decision, lang: Language) -> list[str]:
        from skyline_kernel.skyline.coach.reasons import explain

        reason = explain(decision.state, decision.action, decision.best[0])
        return [say_sentence(clause.sentence, lang) for clause in reason.clauses]


def _bands_in(command: Mapping[str, Any]) -> Bands:
    from skyline_kernel.skyline.coach.bands import Bands

    numbers = [command.get(name) for name in ("inaccuracy", "mistake", "blunder")]
    if not all(isinstance(number, int | float) and number is not True for number in numbers):
        raise SettingError("{value!r}: expected three numbers", value=numbers)
    inaccuracy, mistake, blunder = (float(number or 0) for number in numbers)
    return Bands(inaccuracy, mistake, blunder)


def band_words(lang: Language) -> dict[str, str]:
    """Name the bands of decisions."""
    return {
        "best": lang.say("best"),
        "good": lang.say("good"),
        "inaccuracy": lang.say("inaccuracy"),
        "mistake": lang.say("mistake"),
        "blunder": lang.say("blunder"),
    }


def cause_words(lang: Language) -> dict[str, str]:
    """Name what moves an expected final score."""
    return {
        "district": lang.say("What the district offered"),
        "shortage": lang.say("What the limited box withheld"),
        "luck": lang.say("Luck of the rolls"),
        "loss": lang.say("Lost by decisions"),
        "cut": lang.say("Cut off by an early end"),
        "unsplit": lang.say("Turns too large to be judged"),
    }


# --- a seat -----------------------------------------------------------------------------------


def _seat(review: Review, bands: Bands, seat: int, lang: Language) -> View:
    names = band_words(lang)
    counts = review.band_counts(seat, bands)
    return {
        "seat": seat,
        "name": review.game.seats[seat - 1].name,
        "ledger": _ledger_rows(review.ledger.seats[seat - 1], review.ledger.is_over, lang),
        "own_end": _own_end(review.ledger.seats[seat - 1], lang),
        "skill": _skill(review.skill(seat), lang),
        "luck": lang.signed(review.luck(seat)),
        "bands": [[band.value, names[band.value], n] for band, n in counts.items()],
    }


def _ledger_rows(ledger: SeatLedger, is_over: bool, lang: Language) -> list[list[str]]:
    sums = ledger.as_dict()
    end = lang.say("Final score") if is_over else lang.say("Expected now")
    return [
        [lang.say("Expected at the start"), lang.number(ledger.start)],
        *(
            [word, lang.signed(sums[cause])]
            for cause, word in cause_words(lang).items()
            if sums[cause] or cause in ("luck", "loss")
        ),
        [end, lang.number(ledger.result)],
    ]


def _own_end(ledger: SeatLedger, lang: Language) -> str:
    if ledger.own_end is None:
        return ""
    return lang.say(
        "Ending the game early gave up {n} own turns, worth {points} points.",
        n=ledger.own_end.n_turns,
        points=lang.number(ledger.own_end.worth),
    )


def _skill(skill: Skill, lang: Language) -> str:
    if skill.loss is None:
        assert skill.refusal is not None
        return say_sentence(skill.refusal, lang)
    return lang.say(
        "Loses {loss} points a decision on average (95 per cent interval {low} to {high}, "
        "{n} decisions).",
        loss=lang.number(skill.loss.value, 3),
        low=lang.number(max(0.0, skill.loss.low), 3),
        high=lang.number(skill.loss.high, 3),
        n=skill.n_decisions,
    )


# --- the course of the game -------------------------------------------------------------------


def _turning(review: Review, term: Any, lang: Language) -> View:
    game = review.game
    name = game.seats[term.seat - 1].name
    entry = term.state - 1
    what = lang.say("the set-up")
    if entry >= 0:
        actor = game.seats[game.log[entry].seat - 1].name
        what = f"{actor} {action_words(game.log[entry].action, lang)}"
    return {
        "move": term.state,
        "text": lang.say(
            "{amount} points for {name}: {what}",
            amount=lang.signed(term.amount),
            name=name,
            what=what,
        ),
    }


def _chart(review: Review, lang: Language) -> View:
    """Return the expected final score of each seat after every action, and by rounds."""
    game = review.game
    ends = [
        n
        for n in range(1, len(game.states))
        if n == len(game.states) - 1 or game.states[n + 1].round != game.states[n].round
    ]
    return {
        "title": lang.say("Expected final score after each action"),
        "names": [seat.name for seat in game.seats],
        "lines": [[round(value, 3) for value in values] for values in review.ledger.expected],
        "rounds": [state.round for state in game.states],
        "head": [lang.say("Round"), *(seat.name for seat in game.seats)],
        "rows": [
            [str(game.log[n - 1].round), *(lang.number(line[n]) for line in review.ledger.expected)]
            for n in ends
        ],
    }
