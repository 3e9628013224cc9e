"""The panel of the position editor that says what each action is worth."""

from __future__ import annotations

import csv
import io
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from skyline_kernel.errors import SettingError
from skyline_kernel.skyline import State, chance_outcomes, format_action, format_position
from skyline_kernel.skyline.dice import KINDS
from skyline_kernel.skyline.dice_sets import n_outcomes
from skyline_kernel.skyline.solver.patience import AT_ONCE, SOME_SECONDS, Patience

from . import lab_items as items
from .advice_view import objective_words
from .lab_items import Item
from .language import Language
from .position_edits import Edited, Remembered
from .solving import advice_of, can_advise, is_solved
from .words import choice_words, dice_names

if TYPE_CHECKING:
    from skyline_kernel.skyline.advice import Advice

__all__ = ["advice_csv", "answer_section", "remembered"]

_MOST_ROWS: Final = 40


def answer_section(edited: Edited, lang: Language) -> Item:
    """Return the panel with the goal and what each action is worth, or why it is not said."""
    goal = items.choice("objective", lang.say("Goal"), edited.objective, objective_words(lang))
    return items.section(
        "answer", lang.say("What each action is worth"), [goal, *_answer_items(edited, lang)]
    )


def _answer_items(edited: Edited, lang: Language) -> list[Item]:
    state, problem = edited.state, edited.problem
    if problem is not None:
        return [items.note(lang.error(problem), "bad")]
    if not is_solved(state, edited.objective):
        return _unsolved(edited, lang)
    if not _is_valued(edited):
        return _unvalued(edited, lang)
    advice = _advice_of(state, edited.objective, _patience(edited))
    shown = [
        items.note(_value_words(advice, lang), "plain"),
        *_comparison(edited, advice, lang),
        _action_table(advice, lang),
        items.savers(lang, "actions.csv"),
    ]
    return [*shown, _outcome_table(state, lang)] if state.is_chance else shown


def _patience(edited: Edited) -> Patience:
    return SOME_SECONDS if edited.awaited == edited.state else AT_ONCE


def _is_valued(edited: Edited) -> bool:
    """Return whether the value of a sound position comes at once, or in the time agreed upon."""
    return can_advise(edited.state, edited.objective, _patience(edited))


def _unvalued(edited: Edited, lang: Language) -> list[Item]:
    from skyline_kernel.skyline.advice import may_be_quick

    was_asked = edited.awaited == edited.state
    if not was_asked and may_be_quick(edited.state, edited.objective, SOME_SECONDS):
        return [
            items.note(lang.say("To value so many dice takes some seconds."), "plain"),
            items.buttons((lang.say("Value them"), {"do": "wait"})),
        ]
    many = lang.say("So many dice take too long here: set fewer dice or a later round.")
    return [items.note(many, "bad")]


def _unsolved(edited: Edited, lang: Language) -> list[Item]:
    if edited.is_solving:
        return [items.note(lang.say("The dice are being solved …"), "plain")]
    return [
        items.note(lang.say("These dice have not been solved on this machine yet."), "plain"),
        items.buttons((lang.say("Solve them now (a few seconds)"), {"do": "solve"})),
    ]


_advice_of = lru_cache(maxsize=32)(advice_of)


def remembered(edited: Edited) -> Remembered:
    """Return a position with its value, to compare others with.

    Raises
    ------
    KitError
        If the position is not sound, or has no value yet.
    """
    if edited.problem is not None:
        raise edited.problem
    if not _is_valued(edited):
        raise SettingError("This position has no value here yet.")
    worth = _advice_of(edited.state, edited.objective, _patience(edited)).value
    return Remembered(format_position(edited.state), edited.objective, worth)


def _comparison(edited: Edited, advice: Advice, lang: Language) -> list[Item]:
    button = items.buttons((lang.say("Remember to compare"), {"do": "remember"}))
    other = edited.remembered
    if other is None or other.objective != edited.objective:
        return [button]
    difference = advice.value - other.value
    sign = "+" if difference > 0 else ""
    words = lang.say(
        "{difference} points against the remembered position: {text}",
        difference=sign + lang.number(difference, 4),
        text=other.position,
    )
    return [button, items.text(words)]


def _value_words(advice: Advice, lang: Language) -> str:
    exact = "" if advice.exact is None else f" = {advice.exact}"
    worth = lang.number(advice.value, 4) + exact
    return lang.say("With best play this position is worth {n} points.", n=worth)


def _action_table(advice: Advice, lang: Language) -> Item:
    listed = advice.actions[:_MOST_ROWS]
    rows = [
        [
            choice_words(one.action, lang),
            lang.number(one.value),
            lang.loss(one.loss),
            "" if one.odds is None else f"{one.odds.build} = {lang.percent(one.odds.build)}",
        ]
        for one in listed
    ]
    caption = lang.say("{n} of {all} actions, best first", n=len(listed), all=len(advice.actions))
    head = [lang.say("Action"), lang.say("Worth"), lang.say("Loss"), lang.say("Can build")]
    return items.table(caption, head, rows, [i for i, one in enumerate(listed) if one.is_best])


def _outcome_table(state: State, lang: Language) -> Item:
    counts = [sum(die.kind is kind and not die.is_rolled for die in state.dice) for kind in KINDS]
    total = n_outcomes(state.rules.dice_set, (counts[0], counts[1], counts[2]))
    likeliest = sorted(chance_outcomes(state), key=lambda pair: pair[1], reverse=True)
    rows = [
        [dice_names(roll.outcome or (), lang), str(chance), lang.percent(chance)]
        for roll, chance in likeliest[:_MOST_ROWS]
    ]
    caption = lang.say("{n} of {all} outcomes, likeliest first", n=len(rows), all=total)
    return items.table(caption, [lang.say("Roll"), lang.say("Chance"), ""], rows)


def advice_csv(advice: Advice) -> str:
    """Return the ranked actions as comma-separated values, floats in full.

    Parameters
    ----------
    advice : Advice
    """
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(["action", "value", "exact", "loss", "can build"])
    for one in advice.actions:
        odds = "" if one.odds is None else str(one.odds.build)
        exact = "" if one.exact is None else str(one.exact)
        writer.writerow([format_action(one.action), repr(one.value), exact, repr(one.loss), odds])
    return table.getvalue()
