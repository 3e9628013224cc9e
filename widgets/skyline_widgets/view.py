"""What the page draws: a game on the table as plain data in one language.

Everything is pure: kernel values in, JSON values out.  The page draws what it is told and asks
back by commands; no sentence, number or rule is made there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from skyline_kernel.errors import KitError
from skyline_kernel.skyline import (
    Action,
    BuildOdds,
    Column,
    Game,
    Parts,
    Phase,
    Reroll,
    State,
    Take,
    TakeDistrict,
    builds_with,
    format_action,
    legal_actions,
    odds_of,
    points,
    ranking,
    yard,
)
from skyline_kernel.skyline.dice import KINDS, kinds_of
from skyline_kernel.skyline.state import N_ROUNDS, SIX_STOREYS

from .language import Language
from .play import Play, perform, resume
from .words import column_name, dice_names, die_name, entry_words, kind_count, kind_name, kind_short

__all__ = ["MAX_ODDS", "game_view", "position_view", "replay_view"]

View = dict[str, Any]

MAX_ODDS: Final = 255
"""Most rerolls that are listed with their chance: all parts of eight different dice."""

_MAX_LOG: Final = 60


def game_view(play: Play, lang: Language) -> View:
    """Return the whole table.

    Parameters
    ----------
    play : Play
    lang : Language
        Language of every sentence in it.

    Returns
    -------
    dict
        ``move`` counts the moves played; a command sends it back.  ``can`` and ``why`` say of a
        control whether it is allowed and, if not, the reason.
    """
    return {
        "move": play.game.n_moves,
        "last_action": format_action(play.game.log[-1].action) if play.game.log else "",
        "status": _status(play, lang),
        "yard": _yard(play, lang),
        "district": _district(play, lang),
        "tray": _tray(play, lang),
        "actions": _actions(play, lang),
        "players": [_player(play, i, lang) for i in range(play.game.state.n_players)],
        "odds": _odds(play, lang),
        "log": _log(play, lang),
        "ranking": _ranking(play, lang) if play.is_over else [],
        "replay": None,
        "advice": None,
        "warning": None,
    }


def position_view(play: Play, lang: Language) -> View:
    """Return what lies and stands in a position: district, dice, skylines, round.

    Parameters
    ----------
    play : Play
    lang : Language
    """
    return {
        "round": _status(play, lang)["round"],
        "last": _status(play, lang)["last"],
        "district": _district(play, lang),
        "tray": _tray(play, lang),
        "players": [_player(play, i, lang) for i in range(play.game.state.n_players)],
    }


def replay_view(game: Game, move: int, lang: Language) -> View:
    """Return the table as it was after `move` actions, with nothing to do but look.

    Parameters
    ----------
    game : Game
    move : int
        0 to ``game.n_moves``.
    lang : Language
    """
    then = Game(game.seed, game.seats, game.log[:move], game.states[: move + 1])
    view = game_view(resume(then), lang)
    view["replay"] = {
        "move": move,
        "last": game.n_moves,
        "text": lang.say("Move {move} of {last}", move=move, last=game.n_moves),
    }
    view["status"] |= {"computer": False, "over": True, "prompt": _replay_prompt(view, lang)}
    return view


def _replay_prompt(view: View, lang: Language) -> str:
    said = view["log"][-1]["text"] if view["log"] else lang.say("The game begins.")
    return lang.say("Replay: {what}", what=said)


# --- status -----------------------------------------------------------------------------------


def _status(play: Play, lang: Language) -> View:
    state = play.game.state
    round_number = play.game.log[-1].round if play.ended else state.round
    return {
        "round": lang.say("Round {round} of {last}", round=round_number, last=N_ROUNDS),
        "last": _last_round(state, round_number, lang),
        "prompt": _prompt(play, lang),
        "over": play.is_over,
        "computer": not play.is_over and not play.is_persons_turn,
        "seat": play.acting_seat,
    }


def _last_round(state: State, round_number: int, lang: Language) -> str:
    if state.is_last_round:
        return lang.say("Last round: a six-storey building stands.")
    return lang.say("Last round") if round_number == N_ROUNDS else ""


def _prompt(play: Play, lang: Language) -> str:
    if play.is_over:
        return lang.say("The game is over.")
    name = play.game.seats[play.acting_seat - 1].name
    if not play.is_persons_turn:
        return lang.say("{name} is playing.", name=name)
    return lang.say("{name}: {task}", name=name, task=_task(play, lang))


def _task(play: Play, lang: Language) -> str:
    if play.ended is not None:
        return lang.say("No dice are left. End your turn, or take back.")
    if play.target is not None:
        return _target_task(play, lang)
    match play.game.state.phase:
        case Phase.TAKE:
            return lang.say("Take three dice of the yard, or the whole abandoned district.")
        case Phase.ROLL:
            return lang.say("Roll your dice.")
        case Phase.USE:
            return lang.say("Select dice, then build, abandon or demolish with at least one.")
        case _:
            return lang.say("Use more dice, select dice to roll again, or end your turn.")


def _target_task(play: Play, lang: Language) -> str:
    target = play.target
    assert target is not None
    die = next(thing.die for thing in play.tray if thing.number == target.number)
    if target.word == "build":
        return lang.say("Choose the tower for: {die}", die=die_name(die, lang))
    dice = play.chosen if play.game.rules.is_printed else (die,)
    return lang.say("Choose the building to demolish for: {dice}", dice=dice_names(dice, lang))


# --- controls ---------------------------------------------------------------------------------


def _try(play: Play, lang: Language, **command: Any) -> View:
    """Say whether a command is allowed, with the reason that it would give."""
    try:
        perform(play, {"move": play.game.n_moves, **command})
    except KitError as error:
        return {"can": False, "why": lang.error(error)}
    return {"can": True, "why": ""}


def _yard(play: Play, lang: Language) -> list[View]:
    left = yard(play.game.state)
    return [
        {
            "kind": kind,
            "name": kind_name(kind, lang),
            "short": kind_short(kind, lang),
            "left": None if left is None else left[i] - play.picked.count(kind),
            "picked": play.picked.count(kind),
            **_try(play, lang, do="pick", kind=kind),
        }
        for i, kind in enumerate(KINDS)
    ]


def _district(play: Play, lang: Language) -> View:
    counts = play.game.state.district
    return {
        "kinds": list(kinds_of(counts)),
        "name": ", ".join(kind_count(k, n, lang) for k, n in zip(KINDS, counts, strict=True) if n),
        **_try(play, lang, do="take district"),
    }


def _tray(play: Play, lang: Language) -> list[View]:
    waiting = play.target.number if play.target else None
    return [
        {
            "number": thing.number,
            "die": thing.die,
            "name": die_name(thing.die, lang),
            "selected": thing.number in play.selected,
            "waiting": thing.number == waiting,
            **_try(play, lang, do="select", die=thing.number, on=True),
        }
        for thing in play.tray
    ]


def _actions(play: Play, lang: Language) -> list[View]:
    words = [
        ("roll", lang.say("Roll"), lang.say("Rolls the selected dice again; the others are kept.")),
        ("build", lang.say("Build"), lang.say("Puts the selected dice into your skyline.")),
        ("abandon", lang.say("Abandon"), lang.say("Puts the selected dice into the district.")),
        (
            "demolish",
            lang.say("Demolish"),
            lang.say("Gives a die and one of your buildings back to the yard."),
        ),
        ("undo", lang.say("Take back"), lang.say("Takes the last step back, up to the last roll.")),
        ("end", lang.say("End turn"), lang.say("The dice that are left go to the yard.")),
    ]
    return [
        {"do": do, "name": name, "help": help_text, **_try(play, lang, do=do)}
        for do, name, help_text in words
    ]


# --- players ----------------------------------------------------------------------------------


def _player(play: Play, index: int, lang: Language) -> View:
    state, seat = play.game.state, play.game.seats[index]
    skyline = state.skylines[index]
    targets = _targets(play) if index + 1 == play.acting_seat else frozenset()
    shown = points(skyline)
    return {
        "seat": index + 1,
        "name": seat.name,
        "is_computer": not seat.is_human,
        "is_start": index == 0,
        "is_turn": index + 1 == play.acting_seat and not play.is_over,
        "points": shown,
        "points_name": lang.count("{n} point", "{n} points", shown),
        "columns": [
            {
                "code": column,
                "style": column.style,
                "floors": column.floors,
                "finished": column.is_finished,
                "points": column.points,
                "name": column_name(column, lang),
                "target": column in targets,
            }
            for column in skyline
        ],
    }


def _targets(play: Play) -> frozenset[Column]:
    """Return the columns that can be chosen for the die that waits."""
    target = play.target
    if target is None:
        return frozenset()
    state = play.game.state
    if target.word == "demolish":
        return frozenset(state.skyline)
    die = next(thing.die for thing in play.tray if thing.number == target.number)
    builds = builds_with(state, die)
    return frozenset(build.column for build in builds if build.column is not None)


# --- odds -------------------------------------------------------------------------------------


def _odds(play: Play, lang: Language) -> View:
    """Return the chance to be able to build after each roll that can be chosen now."""
    rows = [_odds_row(play, action, lang) for action in _rolls_to_choose(play)]
    rows.sort(key=lambda row: (-row["share"], row["order"]))
    return {
        "title": lang.say("Chance to be able to build after the roll"),
        "head": [lang.say("Dice that are rolled"), lang.say("Fraction"), lang.say("Per cent")],
        "rows": rows,
        "note": _odds_note(play, lang),
    }


def _rolls_to_choose(play: Play) -> Iterable[Action]:
    state = play.game.state
    if not play.is_persons_turn or play.ended is not None:
        return []
    if state.phase is Phase.TAKE:
        return [a for a in legal_actions(state) if isinstance(a, Take | TakeDistrict)]
    if state.phase is not Phase.MORE:
        return []
    parts = Parts(state.dice)
    if len(parts) <= MAX_ODDS:
        return map(Reroll, parts)
    return [Reroll(play.chosen)] if play.selected else []


def _odds_note(play: Play, lang: Language) -> str:
    phase = play.game.state.phase
    if not play.is_persons_turn or play.ended is not None:
        return ""
    if phase is Phase.MORE and len(Parts(play.game.state.dice)) > MAX_ODDS:
        return lang.say("So many dice: select those to roll again, and their chance stands here.")
    if phase is Phase.USE:
        return lang.say("Use at least one die; then the chances of a reroll stand here.")
    return ""


def _odds_row(play: Play, action: Action, lang: Language) -> View:
    odds = odds_of(play.game.state, action)
    assert odds is not None
    return {**_odds_dice(play, action, lang), **_chance(odds, lang)}


def _odds_dice(play: Play, action: Action, lang: Language) -> View:
    match action:
        case Reroll(dice):
            is_chosen = bool(play.selected) and dice == play.chosen
            return {
                "dice": list(dice),
                "name": dice_names(dice, lang),
                "chosen": is_chosen,
                "order": len(dice),
            }
        case Take(kinds):
            name = ", ".join(kind_count(k, kinds.count(k), lang) for k in dict.fromkeys(kinds))
            return {"dice": [f"{k}?" for k in kinds], "name": name, "chosen": False, "order": 0}
    kinds = kinds_of(play.game.state.district)
    name = lang.say("the whole abandoned district")
    return {"dice": [f"{k}?" for k in kinds], "name": name, "chosen": False, "order": 1}


def _chance(odds: BuildOdds, lang: Language) -> View:
    return {
        "fraction": str(odds.build),
        "percent": lang.percent(odds.build),
        "share": float(odds.build),
    }


# --- log and end ------------------------------------------------------------------------------


def _log(play: Play, lang: Language) -> list[View]:
    game = play.game
    first = max(0, game.n_moves - _MAX_LOG)
    return [
        {
            "number": first + i,
            "round": entry.round,
            "seat": entry.seat,
            "text": entry_words(entry, game.seats[entry.seat - 1].name, lang),
            "six": entry.finished is SIX_STOREYS,
        }
        for i, entry in enumerate(game.log[first:])
    ]


def _ranking(play: Play, lang: Language) -> list[View]:
    standings = ranking(play.game.state)
    n_first = sum(standing.place == 1 for standing in standings)
    return [
        {
            "place": lang.say("{place}.", place=standing.place),
            "name": play.game.seats[standing.seat - 1].name,
            "seat": standing.seat,
            "points": lang.count("{n} point", "{n} points", standing.points),
            "buildings": lang.count("{n} building", "{n} buildings", standing.buildings),
            "wins": standing.place == 1,
            "shared": standing.place == 1 and n_first > 1,
        }
        for standing in standings
    ]
