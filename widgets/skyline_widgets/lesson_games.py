"""The tables of the lessons about whole games: ledger, decisions, skill, seats.

As in `lesson_tables`, ``lang`` may be left out; then it is the language of the place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from .exercise_columns import columns_words
from .lesson_table import LessonTable
from .lesson_tables import language_or_here, points_words, value_table
from .review_desk import band_words, cause_words
from .words import choice_words

if TYPE_CHECKING:
    from fractions import Fraction

    from skyline_kernel.skyline import Game
    from skyline_kernel.skyline.advice import Advice
    from skyline_kernel.skyline.coach.ledger import Ledger
    from skyline_kernel.skyline.coach.review import Decision, Review

    from .language import Language

__all__ = [
    "band_table",
    "best_table",
    "ledger_table",
    "mistake_table",
    "player_table",
    "seat_table",
    "skill_table",
]


def _names(game: Game) -> tuple[str, ...]:
    return tuple(seat.name for seat in game.seats)


def ledger_table(game: Game, ledger: Ledger, lang: Language | None = None) -> LessonTable:
    """Tell what each seat's final score is made of; causes that played no part are left out.

    Parameters
    ----------
    game : Game
    ledger : Ledger
        Of that game.
    lang : Language, optional
    """
    lang = language_or_here(lang)
    sums = [seat.as_dict() for seat in ledger.seats]
    end = lang.say("Final score") if ledger.is_over else lang.say("Expected now")
    rows = [
        (lang.say("Expected at the start"), *(lang.number(seat.start) for seat in ledger.seats)),
        *(
            (word, *(lang.signed(seat[cause]) for seat in sums))
            for cause, word in cause_words(lang).items()
            if any(seat[cause] for seat in sums)
        ),
        (end, *(lang.number(seat.result) for seat in ledger.seats)),
    ]
    return LessonTable(lang.say("The ledger"), ("", *_names(game)), tuple(rows))


def band_table(review: Review, lang: Language | None = None) -> LessonTable:
    """Tell how many decisions of each seat were best, good, inaccurate and so on.

    Parameters
    ----------
    review : Review
    lang : Language, optional
    """
    lang = language_or_here(lang)
    names = _names(review.game)
    counts = [review.band_counts(seat) for seat in range(1, len(names) + 1)]
    words = band_words(lang)
    rows = tuple((words[band.value], *(str(count[band]) for count in counts)) for band in counts[0])
    return LessonTable(lang.say("Number of decisions"), ("", *names), rows)


def mistake_table(review: Review, decision: Decision, lang: Language | None = None) -> LessonTable:
    """Tell of a decision who took it, where, what would have been better, and by how much.

    Parameters
    ----------
    review : Review
    decision : Decision
        One of the review.
    lang : Language, optional
    """
    lang = language_or_here(lang)
    state = decision.state
    rows = (
        (lang.say("Name"), review.game.seats[state.seat - 1].name),
        (lang.say("Round"), str(state.round)),
        (lang.say("Columns"), columns_words(state.skyline, lang)),
        (lang.say("Chosen"), choice_words(decision.action, lang)),
        (lang.say("Better"), choice_words(decision.best[0], lang)),
        (lang.say("Loss"), lang.loss(decision.loss)),
    )
    return LessonTable(lang.say("The decision"), ("", ""), rows)


def skill_table(review: Review, lang: Language | None = None) -> LessonTable:
    """Tell each seat's mean loss of a decision with its interval of 95 per cent.

    Parameters
    ----------
    review : Review
    lang : Language, optional
    """
    lang = language_or_here(lang)
    rows = []
    for number, name in enumerate(_names(review.game), start=1):
        loss = review.skill(number).loss
        ends = ("\u2013",) * 3 if loss is None else (loss.value, max(0.0, loss.low), loss.high)
        rows.append((name, *(end if isinstance(end, str) else lang.number(end, 3) for end in ends)))
    head = (lang.say("Name"), lang.say("Points lost"), lang.say("from"), lang.say("to"))
    return LessonTable(
        lang.say("Mean loss of a decision, with its confidence interval of 95 %"), head, tuple(rows)
    )


def player_table(
    means: Mapping[str, float | Fraction], lang: Language | None = None
) -> LessonTable:
    """Tell how many points several ways to play bring.

    Parameters
    ----------
    means : mapping of str to Fraction or float
        Points on average, by the names that `PolicyComparison` uses.
    lang : Language, optional
    """
    from .policy_comparison import player_words

    lang = language_or_here(lang)
    return value_table({player_words(name, lang): mean for name, mean in means.items()}, lang)


def seat_table(
    nine: Mapping[int, float],
    six: Mapping[int, float] | None = None,
    lang: Language | None = None,
) -> LessonTable:
    """Tell what each seat is worth, and what the six-storey ending costs it.

    Parameters
    ----------
    nine : mapping of int to float
        Points of each seat in a game of nine rounds.
    six : mapping of int to float, optional
        The same if six storeys end the game.
    lang : Language, optional
    """
    lang = language_or_here(lang)
    head = [lang.say("Seat"), lang.say("Nine rounds")]
    rows = [[str(seat), lang.number(worth)] for seat, worth in nine.items()]
    if six is not None:
        head += [lang.say("Six storeys end it"), lang.say("Difference")]
        for row, (seat, worth) in zip(rows, nine.items(), strict=True):
            row += [lang.number(six[seat]), lang.signed(six[seat] - worth)]
    caption = lang.say("Points on average with best play")
    return LessonTable(caption, tuple(head), tuple(map(tuple, rows)))


def best_table(advices: Iterable[Advice], lang: Language | None = None) -> LessonTable:
    """Tell the best action of each of several positions, by their rounds.

    Parameters
    ----------
    advices : iterable of Advice
        Of positions in which something is to be chosen.
    lang : Language, optional
    """
    lang = language_or_here(lang)
    rows = tuple(
        (
            str(advice.state.round),
            choice_words(advice.actions[0].action, lang),
            points_words(advice.value if advice.exact is None else advice.exact, lang),
        )
        for advice in advices
    )
    head = (lang.say("Round"), lang.say("Best action"), lang.say("Points on average"))
    return LessonTable(lang.say("Round by round"), head, rows)
