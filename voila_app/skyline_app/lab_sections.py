"""The sections of the laboratory: what each one shows, and what of it stands in the address.

A section is built when it is opened for the first time, and its widget is imported then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from skyline_widgets.lab_base import LabWidget
from skyline_widgets.language import Language

from skyline_kernel.errors import SettingError
from skyline_kernel.skyline import DiceSet, Face, State, format_position

from .lab_address import parse_dice, position_in, verify_choice, whole_number

if TYPE_CHECKING:
    from skyline_kernel.skyline.dice import KindCounts

__all__ = ["FIRST_POSITION", "SECTIONS", "Bench", "Section", "bench_of"]

FIRST_POSITION: Final = "h3,m1 G1U1P1 Gl,Um,P- use 5.1 online"
MOST_DICE: Final = 6
"""Most dice of a turn whose distribution is computed; more take longer than a page may."""

Words = Mapping[str, str]
Widget = LabWidget[Any]


@dataclass(frozen=True, slots=True)
class Bench:
    """What all sections work on.

    Parameters
    ----------
    state : State
        The position; it is set in the position editor.
    own : DiceSet or None
        The dice set of one's own that was in use last.
    """

    state: State
    own: DiceSet | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the laboratory.

    Parameters
    ----------
    name : str
        In the address.
    title : callable
        Makes its heading in a language.
    build : callable
        Makes its widget of the bench, the words of the address and a language; raises
        `KitError` if they will not do.
    words : callable
        Returns the words of the address that lead back to what the widget shows.
    names : tuple of str
        Of all words of the address that are its own.
    depends : callable
        Returns the part of the bench that it is built from; when that has changed, the section
        is built again.
    """

    name: str
    title: Callable[[Language], str]
    build: Callable[[Bench, Words, Language], Widget]
    words: Callable[[Any], dict[str, str]]
    names: tuple[str, ...]
    depends: Callable[[Bench], object] = lambda _bench: None


def bench_of(words: Words) -> Bench:
    """Return the bench that an address describes.

    Raises
    ------
    KitError
        If its dice or its position will not do.
    """
    own = parse_dice(words["own"]) if "own" in words else None
    return Bench(position_in(words, FIRST_POSITION, own), own)


# --- the odds explorer ------------------------------------------------------------------------


def _odds(bench: Bench, words: Words, lang: Language) -> Widget:
    from skyline_widgets import OddsExplorer, OddsQuestion

    from skyline_kernel.rolls import new_seed

    question = OddsQuestion(seed=new_seed(), own=bench.own)
    counts = _counts(words.get("roll", ".".join(map(str, question.counts))))
    faces = (question.face, *(face for face in Face if face is not question.face))
    asked = replace(
        question,
        counts=counts,
        face=Face(verify_choice(words, "face", tuple(map(str, faces)))),
        least=whole_number(words, "least", 1, 0, sum(counts)),
        guess=whole_number(words, "guess", question.guess, 0, 100),
        dice_set=question.dice_sets[verify_choice(words, "dice", tuple(question.dice_sets))],
    )
    return OddsExplorer(asked, language=lang.code)


def _counts(word: str) -> KindCounts:
    from skyline_widgets.odds_explorer import MOST_DICE

    parts = word.split(".")
    known = [str(n) for n in range(MOST_DICE + 1)]
    good = [int(part) for part in parts if part in known]
    if len(parts) != 3 or len(good) != 3 or not any(good):
        raise SettingError(
            "{value!r}: expected how many dice of each kind, such as {example}",
            value=word,
            example="2.1.0",
        )
    return good[0], good[1], good[2]


def _odds_words(explorer: Any) -> dict[str, str]:
    asked = explorer.question
    return {
        "roll": ".".join(map(str, asked.counts)),
        "face": str(asked.face),
        "least": str(asked.least),
        "guess": str(asked.guess),
        "dice": asked.dice_set.name,
    }


# --- the position editor ----------------------------------------------------------------------


def _position(bench: Bench, words: Words, lang: Language) -> Widget:
    from skyline_widgets import PositionEditor
    from skyline_widgets.advice_view import OBJECTIVES

    goal = verify_choice(words, "goal", tuple(OBJECTIVES))
    return PositionEditor(bench.state, objective=goal, language=lang.code)


def _position_words(editor: Any) -> dict[str, str]:
    return {"goal": editor.objective}


# --- what a turn may bring --------------------------------------------------------------------


def _verify_turn(state: State) -> None:
    if state.is_over:
        raise SettingError("The game is over in this position: there is no turn to look at.")
    from skyline_kernel.skyline import Phase

    n_dice = max(len(state.dice), sum(state.district) if state.phase is Phase.TAKE else 0)
    if n_dice > MOST_DICE:
        raise SettingError(
            "{n} dice are too many to be computed on this page: expected at most {most}.",
            n=n_dice,
            most=MOST_DICE,
        )


def _distribution(bench: Bench, words: Words, lang: Language) -> Widget:
    from skyline_widgets import DistributionView

    from skyline_kernel.skyline.turn_odds import best_turn_distribution

    _verify_turn(bench.state)
    some = best_turn_distribution(bench.state)
    target = whole_number(words, "target", round(some.mean), some.values[0], some.values[-1] + 1)
    return DistributionView(some, target=target, language=lang.code)


def _target_words(view: Any) -> dict[str, str]:
    return {"target": str(view.target)}


def _players(bench: Bench, words: Words, lang: Language) -> Widget:
    from skyline_widgets import PolicyComparison

    _verify_turn(bench.state)
    comparison = PolicyComparison(bench.state, language=lang.code)
    if "reach" in words:
        value = whole_number(words, "reach", 0, 0, 999)
        comparison.act("set", name="target", value=value)
    for name in filter(None, words.get("without", "").split(",")):
        comparison.act("set", name=name, value=False)
    return comparison


def _players_words(comparison: Any) -> dict[str, str]:
    hidden = ",".join(sorted(comparison.hidden))
    return {"reach": str(comparison.target)} | ({"without": hidden} if hidden else {})


def _place(bench: Bench) -> object:
    """Return what decides a turn; dice of one's own are equal by their sides."""
    return format_position(bench.state), bench.state.rules.dice_set


# --- rule cards -------------------------------------------------------------------------------

_BETWEEN_LINES: Final = ";"


def _cards(_bench: Bench, words: Words, lang: Language) -> Widget:
    from skyline_widgets import RuleCardDesk

    from skyline_kernel.skyline.coach.card_notation import parse_card

    lines = words.get("card", "").replace(_BETWEEN_LINES, "\n")
    card = parse_card(lines) if "card" in words else None
    return RuleCardDesk(card, language=lang.code)


def _card_words(desk: Any) -> dict[str, str]:
    from skyline_kernel.skyline.coach.card_notation import format_card

    return {"card": format_card(desk.card).replace("\n", _BETWEEN_LINES)}


SECTIONS: Final = (
    Section(
        "odds",
        lambda lang: lang.say("What are the chances?"),
        _odds,
        _odds_words,
        ("roll", "face", "least", "guess", "dice"),
        lambda bench: bench.own,
    ),
    Section(
        "position", lambda lang: lang.say("Any position"), _position, _position_words, ("goal",)
    ),
    Section(
        "turn",
        lambda lang: lang.say("What may this turn bring?"),
        _distribution,
        _target_words,
        ("target",),
        _place,
    ),
    Section(
        "players",
        lambda lang: lang.say("Who plays how well?"),
        _players,
        _players_words,
        ("reach", "without"),
        _place,
    ),
    Section("cards", lambda lang: lang.say("Rule cards"), _cards, _card_words, ("card",)),
)
"""The sections in the order of their tabs."""
