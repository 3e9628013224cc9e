"""Fixed words of the page: headings, buttons and help that do not depend on the game."""

from __future__ import annotations

from skyline_kernel.skyline import Style

from .advice_view import objective_words
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
        **_games(lang),
        **_advice(lang),
        **_coach(lang),
        "help": _help(lang),
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


def _games(lang: Language) -> dict[str, object]:
    return {
        "game_menu": lang.say("This game"),
        "replay": lang.say("Replay"),
        "download": lang.say("Save as a file"),
        "upload": lang.say("Open a saved file"),
        "first": lang.say("First move"),
        "previous": lang.say("Previous move"),
        "next": lang.say("Next move"),
        "last_move": lang.say("Last move"),
        "leave_replay": lang.say("Leave the replay"),
        "your_games": lang.say("Your games"),
        "open": lang.say("Go on"),
        "delete": lang.say("Delete"),
        "six": lang.say("Six storeys!"),
        "help_button": lang.say("What is this?"),
    }


def _advice(lang: Language) -> dict[str, object]:
    return {
        "advice": lang.say("Advice"),
        "advices": [
            ["off", lang.say("off")],
            ["hint", lang.say("hint")],
            ["full", lang.say("full")],
        ],
        "objective": lang.say("Goal"),
        "objectives": objective_words(lang),
        "tutor": lang.say("Ask before"),
        "tutors": [
            ["off", lang.say("never")],
            ["blunders", lang.say("blunders")],
            ["always", lang.say("any loss")],
        ],
        "advice_head": [
            lang.say("Action"),
            lang.say("Worth"),
            lang.say("Loss"),
            lang.say("Can build"),
        ],
        "best": lang.say("best"),
        "too_large": lang.say("So many dice cannot be judged while the game waits."),
        "unsolved": lang.say("These dice have not been solved on this machine yet."),
        "solve": lang.say("Solve them now (a few seconds)"),
        "solving": lang.say("The dice are being solved …"),
        "outlook": lang.say("What may come of it"),
        "then": lang.say("then"),
        "anyway": lang.say("Do it anyway"),
        "think": lang.say("Think again"),
    }


def _coach(lang: Language) -> dict[str, object]:
    return {
        "review": lang.say("Review"),
        "to_game": lang.say("Back to the game"),
        "ledger": lang.say("How the score came about"),
        "whose": lang.say("Whose"),
        "everybody": lang.say("everybody"),
        "mistakes": lang.say("Decisions that cost something"),
        "no_mistakes": lang.say("None: well played."),
        "best_was": lang.say("Best was"),
        "why": lang.say("Why?"),
        "show_position": lang.say("Show the position"),
        "turning": lang.say("Turning points"),
        "course": lang.say("The course of the game"),
        "as_table": lang.say("The same as a table"),
        "band_limits": lang.say("A decision is called so from this loss on, in points"),
        "band_names": [
            ["inaccuracy", lang.say("inaccuracy")],
            ["mistake", lang.say("mistake")],
            ["blunder", lang.say("blunder")],
        ],
        "skill": lang.say("Skill"),
        "luck": lang.say("Luck"),
        "practice": lang.say("Practice"),
        "practise_mistakes": lang.say("Practise the mistakes of this game"),
        "daily": lang.say("Puzzle of the day"),
        "topic": lang.say("Topic"),
        "difficulty": lang.say("Difficulty"),
        "new_puzzle": lang.say("New puzzle"),
        "next_puzzle": lang.say("Next mistake"),
        "your_choice": lang.say("What is best here?"),
        "withdraw": lang.say("Take the answer back"),
        "reveal": lang.say("Show the answer"),
        "right": lang.say("best"),
        "tried": lang.say("tried"),
    }


def _help(lang: Language) -> dict[str, str]:
    return {
        "yard": lang.say(
            "Here all dice lie. At the start of a turn you take three of any kinds, "
            "or everything in the abandoned district instead."
        ),
        "district": lang.say(
            "Abandoned dice lie here until somebody takes all of them. An emptied district is "
            "refilled at once with one die of each kind."
        ),
        "dice": lang.say(
            "After every roll you use at least one die: build it, abandon it, or give it to "
            "demolish a building. Then roll any of the others again, or end your turn."
        ),
        "skylines": lang.say(
            "A low-rise has 1 or 2 floors and its upper floor finishes it. A mid-rise has 2 to 4 "
            "and a high-rise 3 to 6 floors; a penthouse finishes them. Only finished buildings "
            "count, height times height; a lone low-rise ground floor counts 1."
        ),
        "odds": lang.say(
            "The exact chance that after the roll at least one active die, rolled or kept, can be "
            "built."
        ),
        "advice": lang.say(
            "What each action is worth with best play afterwards, computed exactly. The loss is the "
            "difference to the best action."
        ),
        "log": lang.say("Every action of the game, the latest on top."),
        "ranking": lang.say(
            "Most points win; with equal points, more buildings; else the victory is shared."
        ),
    }
