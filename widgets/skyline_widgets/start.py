"""The start of a game: the form that the page shows, and what is made of its answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from skyline_kernel.errors import SettingError
from skyline_kernel.skyline import PLAYERS, Edition, Game, Rules, Seat, shipped_dice_set, start_game
from skyline_kernel.skyline.dice_sets import SHIPPED
from skyline_kernel.skyline.game import HUMAN, MAX_NAME
from skyline_kernel.skyline.state import MAX_PLAYERS

from .language import Language

__all__ = ["dice_set_words", "start_view", "started_game"]

_OPTIONS: Final = ("nine", "box")


def start_view(lang: Language) -> dict[str, Any]:
    """Return the choices of the start form, with their words.

    Returns
    -------
    dict
        ``players``, ``editions``, ``dice_sets`` and ``options`` hold pairs of value and word
        (and help); ``seats`` is how the form is filled in at first.
    """
    return {
        "max_seats": MAX_PLAYERS,
        "max_name": MAX_NAME,
        "players": [[HUMAN, lang.say("a person")], *_computer_players(lang)],
        "editions": [
            [
                Edition.ONLINE,
                lang.say("Online edition"),
                lang.say("Between two rolls you may build, abandon and demolish in any order."),
            ],
            [
                Edition.PRINTED,
                lang.say("Printed edition"),
                lang.say(
                    "Between two rolls you do one kind of action: build, abandon or demolish."
                ),
            ],
        ],
        "options": [
            [
                "nine",
                lang.say("Always nine rounds"),
                lang.say("A six-storey building does not end the game."),
            ],
            [
                "box",
                lang.say("Only the dice of the box"),
                lang.say(
                    "25 ground floor, 28 upper floor and 7 penthouse dice; otherwise they never run out."
                ),
            ],
        ],
        "dice_sets": [[name, dice_set_words(name, lang)] for name in SHIPPED],
        "seats": [
            {"name": lang.say("Player {seat}", seat=1), "player": HUMAN},
            {"name": lang.say("Computer"), "player": "builder"},
        ],
        "names": [lang.say("Player {seat}", seat=seat + 1) for seat in range(MAX_PLAYERS)],
    }


def _computer_players(lang: Language) -> list[list[str]]:
    words = {
        "random": lang.say("computer, plays at random"),
        "greedy": lang.say("computer, greedy for points"),
        "builder": lang.say("computer, builds with a plan"),
        "best": lang.say("computer, plays best"),
    }
    return [[name, words.get(name, name)] for name in (*PLAYERS, "best")]


def dice_set_words(name: str, lang: Language) -> str:
    """Say which dice a set is; one of somebody's own is called by its name."""
    words = {
        "standard": lang.say("standard dice"),
        "uniform": lang.say("uniform dice: each style twice"),
        "blank-upper": lang.say("upper floor die with a blank"),
    }
    return words.get(name, name)


def started_game(answers: Mapping[str, Any], seed: int) -> Game:
    """Set up the game that the form describes.

    Parameters
    ----------
    answers : mapping
        ``seats`` (a list of ``name`` and ``player``), ``edition``, ``dice_set``, and the options
        ``nine`` and ``box``.
    seed : int

    Raises
    ------
    SettingError
        If an answer is missing, unknown or of the wrong type.
    """
    seats = answers.get("seats")
    if not isinstance(seats, list) or not all(isinstance(seat, Mapping) for seat in seats):
        raise SettingError("{value!r}: expected a list of seats", value=seats)
    return start_game([_seat(seat) for seat in seats], _rules(answers), seed=seed)


def _seat(answers: Mapping[str, Any]) -> Seat:
    name, player = answers.get("name"), answers.get("player")
    if not isinstance(name, str) or not isinstance(player, str):
        raise SettingError("{value!r}: expected a name and a player", value=dict(answers))
    return Seat(" ".join(name.split()), player)


def _rules(answers: Mapping[str, Any]) -> Rules:
    edition, name = answers.get("edition", Edition.ONLINE), answers.get("dice_set", SHIPPED[0])
    if edition not in list(Edition):
        raise SettingError("{value!r}: there is no such edition", value=edition)
    if name not in SHIPPED:
        raise SettingError("{value!r}: there is no such dice set", value=name)
    nine, box = (answers.get(option, False) is True for option in _OPTIONS)
    return Rules(Edition(edition), nine, box, shipped_dice_set(name))
