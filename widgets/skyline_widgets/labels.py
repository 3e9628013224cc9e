"""Fixed words of the page: headings, buttons and help that do not depend on the game."""

from __future__ import annotations

from skyline_kernel.skyline import Style

from .language import LANGUAGES, Language

__all__ = ["labels"]


def labels(lang: Language) -> dict[str, object]:
    """Return the fixed words in one language, by the names that the page uses."""
    return {
        "code": lang.code,
        "languages": [list(item) for item in LANGUAGES.items()],
        "letters": _letters(lang),
        **_headings(lang),
        **_controls(lang),
        **_start_form(lang),
    }


def _letters(lang: Language) -> dict[str, str]:
    return {
        Style.LOW: lang.letter("L", "low-rise"),
        Style.MID: lang.letter("M", "mid-rise"),
        Style.HIGH: lang.letter("H", "high-rise"),
    }


def _headings(lang: Language) -> dict[str, object]:
    return {
        "title": lang.say("Skyline"),
        "yard": lang.say("Construction yard"),
        "district": lang.say("Abandoned district"),
        "dice": lang.say("Active dice"),
        "no_dice": lang.say("No active dice."),
        "actions": lang.say("What you can do"),
        "skylines": lang.say("Skylines"),
        "empty": lang.say("nothing built yet"),
        "odds": lang.say("Chances"),
        "log": lang.say("What happened"),
        "no_log": lang.say("Nothing yet."),
        "ranking": lang.say("Final ranking"),
        "winner": lang.say("wins"),
        "shared": lang.say("share the victory"),
        "star": lang.say("start player"),
        "turn": lang.say("to move"),
        "computer": lang.say("computer"),
    }


def _controls(lang: Language) -> dict[str, object]:
    return {
        "language": lang.say("Language"),
        "theme": lang.say("Theme"),
        "themes": [
            ["auto", lang.say("as the system")],
            ["light", lang.say("light")],
            ["dark", lang.say("dark")],
        ],
        "pace": lang.say("Computer players"),
        "paces": [
            ["slow", lang.say("slow")],
            ["normal", lang.say("normal")],
            ["fast", lang.say("fast")],
            ["at once", lang.say("at once")],
        ],
        "new_game": lang.say("New game"),
        "back": lang.say("Back to the game"),
        "take_all": lang.say("Take the whole district"),
        "unlimited": lang.say("never runs out"),
        "left": lang.say("left"),
        "picked": lang.say("Picked"),
        "put_back": lang.say("put back"),
        "cancel": lang.say("Choose no tower"),
        "settings": lang.say("Settings"),
    }


def _start_form(lang: Language) -> dict[str, object]:
    return {
        "start_heading": lang.say("New game"),
        "start_lead": lang.say(
            "Build the skyline that scores the most: a finished building counts its height squared."
        ),
        "seats": lang.say("Who plays?"),
        "name": lang.say("Name"),
        "player": lang.say("Played by"),
        "add_seat": lang.say("Add a seat"),
        "remove_seat": lang.say("Remove"),
        "edition": lang.say("Edition"),
        "options": lang.say("Options"),
        "dice_set": lang.say("Dice"),
        "start": lang.say("Start the game"),
    }
