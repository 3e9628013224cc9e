"""The advice panel: what each decision is worth, in words and numbers of one language.

The solver is imported only when somebody asks for advice: a page without it stays light.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from skyline_kernel.skyline import (
    Abandon,
    Action,
    Build,
    Column,
    Demolish,
    Phase,
    Reroll,
    State,
    Take,
    format_action,
    parse_action,
)
from skyline_kernel.skyline.dice import unrolled
from skyline_kernel.skyline.outlook import outlook

from .language import Language
from .play import Play
from .solving import advice_of, can_advise, is_solved
from .tutor import Cost
from .words import choice_verb, choice_words, dice_names

if TYPE_CHECKING:
    from skyline_kernel.skyline.advice import Advice, RankedAction

__all__ = [
    "ADVICE",
    "OBJECTIVES",
    "advice_view",
    "named",
    "objective_words",
    "outlook_view",
    "warning_view",
]

View = dict[str, Any]

ADVICE: Final = ("off", "hint", "full")
OBJECTIVES: Final = ("score", "turn", "margin")

_MOST_ROWS: Final = 60
_MOST_PROSPECTS: Final = 24


def objective_words(lang: Language) -> list[list[str]]:
    """Return pairs of an objective and its name."""
    return [
        ["score", lang.say("final score")],
        ["turn", lang.say("points of this turn")],
        ["margin", lang.say("final score, less the gift to the next seat")],
    ]


def advice_view(play: Play, mode: str, objective: str, lang: Language) -> View | None:
    """Return what is advised for the position on the table.

    Parameters
    ----------
    play : Play
    mode : str
        ``off``, ``hint`` (the best actions only) or ``full`` (all, with their worth).
    objective : str
        One of `OBJECTIVES`.
    lang : Language

    Returns
    -------
    dict or None
        None when advice is off or no person is to decide.  With ``unsolved`` the dice of this
        game have no table of values yet.
    """
    if mode == "off" or not play.is_persons_turn or play.ended is not None:
        return None
    state = play.game.state
    if not is_solved(state, objective):
        return {"unsolved": True, "rows": [], "value": ""}
    if not can_advise(state, objective):
        return {"unsolved": False, "rows": [], "value": "", "too_large": True}
    advice = advice_of(state, objective)
    if mode == "hint":
        best = [ranked for ranked in advice.actions if ranked.is_best]
        return {"unsolved": False, "rows": [_hint(one, lang) for one in best], "value": ""}
    return {
        "unsolved": False,
        "value": _value_words(advice, lang),
        "rows": _rows(advice, lang),
        "more": _more_words(advice, lang),
    }


def _hint(ranked: RankedAction, lang: Language) -> View:
    return {**named(ranked.action, lang), "best": True}


def named(action: Action, lang: Language) -> View:
    """Name an action in words, and as a verb with the dice and the column that it takes."""
    dice, column = _pictures(action)
    return {
        "action": format_action(action),
        "name": choice_words(action, lang),
        "verb": choice_verb(action, lang),
        "dice": list(dice),
        "column": column,
    }


def _pictures(action: Action) -> tuple[tuple[str, ...], View | None]:
    match action:
        case Take(kinds):
            return tuple(unrolled(kind) for kind in kinds), None
        case Build(die, column):
            return (die,), _target(column)
        case Demolish(dice, column):
            return dice, _target(column)
        case Abandon(die):
            return (die,), None
        case Reroll(dice):
            return dice, None
    return (), None


def _target(column: Column | None) -> View | None:
    return None if column is None else {"style": column.style, "floors": column.floors}


def _value_words(advice: Advice, lang: Language) -> str:
    worth = lang.number(advice.value)
    match advice.objective.value:
        case "turn":
            return lang.say("With best play this turn ends with {n} points on average.", n=worth)
        case "margin":
            return lang.say("With best play: {n} points, the gift taken off.", n=worth)
    return lang.say("With best play the game ends with {n} points on average.", n=worth)


def _rows(advice: Advice, lang: Language) -> list[View]:
    worst = max((ranked.loss for ranked in advice.actions), default=0.0) or 1.0
    return [
        {
            **named(ranked.action, lang),
            "best": ranked.is_best,
            "value": lang.number(ranked.value),
            "loss": lang.loss(ranked.loss),
            "share": ranked.loss / worst,
            "fraction": "" if ranked.odds is None else str(ranked.odds.build),
            "percent": "" if ranked.odds is None else lang.percent(ranked.odds.build),
        }
        for ranked in islice(advice.actions, _MOST_ROWS)
    ]


def _more_words(advice: Advice, lang: Language) -> str:
    n_more = len(advice.actions) - _MOST_ROWS
    if n_more <= 0:
        return ""
    return lang.count(
        "{n} weaker action is not shown.", "{n} weaker actions are not shown.", n_more
    )


def warning_view(cost: Cost, lang: Language) -> View:
    """Return what the tutor says of a step that waits to be confirmed."""
    best = "" if cost.best is None else choice_words(cost.best, lang)
    return {
        "text": lang.say(
            "This costs {loss} points against the best: {best}.",
            loss=lang.number(cost.loss),
            best=best,
        )
    }


# --- the small tree ---------------------------------------------------------------------------


def outlook_view(play: Play, text: str, objective: str, lang: Language) -> View:
    """Return what may come of an action: outcomes, chances, and what is best after each.

    Parameters
    ----------
    play : Play
    text : str
        The action in notation.
    objective : str
    lang : Language

    Raises
    ------
    NotationError
        If the text is no action.
    IllegalActionError
        If the action is not allowed.
    """
    action = parse_action(text)
    state = play.game.state
    prospects = outlook(state, action)
    shown = prospects[:_MOST_PROSPECTS]
    rest = sum((one.probability for one in prospects[_MOST_PROSPECTS:]), start=Fraction(0))
    return {
        "action": text,
        "move": play.game.n_moves,
        "title": choice_words(action, lang),
        "rows": [
            {
                "dice": list(one.roll.outcome or ()),
                "name": dice_names(one.roll.outcome or (), lang),
                "fraction": str(one.probability),
                "percent": lang.percent(one.probability),
                "share": float(one.probability),
                **_best_after(one.state, objective, lang),
            }
            for one in shown
        ],
        "rest": lang.say("all others: {percent}", percent=lang.percent(rest)) if rest else "",
        "note": "" if prospects else lang.say("No roll: it happens for certain."),
    }


def _best_after(state: State, objective: str, lang: Language) -> View:
    if not can_advise(state, objective) or state.phase is not Phase.USE:
        return {"best": None, "value": ""}
    advice = advice_of(state, objective)
    assert advice.best is not None
    return {"best": named(advice.best, lang), "value": lang.number(advice.value)}
