"""The panels of the position editor that set a position, its rules and its dice."""

from __future__ import annotations

from skyline_kernel.skyline import (
    Column,
    DiceSet,
    Die,
    Edition,
    Kind,
    Phase,
    State,
    Step,
    format_position,
)
from skyline_kernel.skyline.dice import FACES, KINDS
from skyline_kernel.skyline.dice_sets import SHIPPED
from skyline_kernel.skyline.state import MAX_PLAYERS, N_ROUNDS

from . import lab_items as items
from .lab_items import Item
from .language import Language
from .position_edits import MOST_ACTIVE, MOST_SIDES, OWN, Edited
from .start import dice_set_words
from .words import face_name, kind_name

__all__ = ["position_section", "rules_section"]


def position_section(edited: Edited, lang: Language) -> Item:
    """Return the panel that sets everything that stands on the table."""
    state = edited.state
    return items.section(
        "position",
        lang.say("Position"),
        [
            items.field("position", lang.say("As text"), format_position(state), wide=True),
            items.columns(
                "drop column", lang.say("Skyline (a click removes)"), state.skyline, lang
            ),
            items.columns("add column", lang.say("Add to the skyline"), Column, lang),
            items.dice("drop die", lang.say("Active dice (a click removes)"), state.dice, lang),
            items.dice("add die", lang.say("Add to the active dice"), _addable(state), lang),
            items.choice("phase", lang.say("Phase"), state.phase, _phases(lang)),
            _step_item(state, lang),
            items.text(lang.say("Abandoned district")),
            *(_district_item(kind, n, lang) for kind, n in zip(KINDS, state.district, strict=True)),
            items.slider("round", lang.say("Round"), state.round, (1, N_ROUNDS), str(state.round)),
            items.counter("players", lang.say("Players"), state.n_players, (1, MAX_PLAYERS)),
            items.counter("seat", lang.say("Seat to move"), state.seat, (1, state.n_players)),
            items.toggle("last", lang.say("six storeys were finished"), value=state.is_last_round),
            items.buttons((lang.say("First position of a game"), {"do": "start"})),
        ],
    )


def _addable(state: State) -> list[Die]:
    dice_set = state.rules.dice_set
    return [die for die in Die if not die.is_rolled or dice_set.weight(die)]


def _phases(lang: Language) -> list[list[str]]:
    return [
        [Phase.TAKE, lang.say("take dice")],
        [Phase.ROLL, lang.say("roll")],
        [Phase.USE, lang.say("a die must be used")],
        [Phase.MORE, lang.say("go on or end")],
        [Phase.OVER, lang.say("game over")],
    ]


def _step_item(state: State, lang: Language) -> Item | None:
    if state.step is None:
        return None
    words = [
        [Step.BUILD, lang.say("Build")],
        [Step.ABANDON, lang.say("Abandon")],
        [Step.DEMOLISH, lang.say("Demolish")],
    ]
    return items.choice("step", lang.say("Kind of action of this step"), state.step, words)


def rules_section(edited: Edited, lang: Language) -> Item:
    """Return the panel that sets the rules and the sides of the dice."""
    rules = edited.state.rules
    editions = [
        [Edition.ONLINE, lang.say("Online edition")],
        [Edition.PRINTED, lang.say("Printed edition")],
    ]
    own = [] if rules.dice_set.name in (*SHIPPED, OWN) else [[rules.dice_set.name] * 2]
    sets = [*([name, dice_set_words(name, lang)] for name in SHIPPED), *own]
    return items.section(
        "rules",
        lang.say("Rules and dice"),
        [
            items.choice("edition", lang.say("Edition"), rules.edition, editions),
            items.toggle("nine", lang.say("Always nine rounds"), value=rules.nine),
            items.toggle("box", lang.say("Only the dice of the box"), value=rules.box),
            items.choice(
                "dice_set",
                lang.say("Dice"),
                rules.dice_set.name,
                [*sets, [OWN, lang.say("dice of your own")]],
            ),
            items.text(lang.say("Sides of each die; a change makes dice of your own:")),
            *(item for kind in KINDS for item in _die_items(kind, rules.dice_set, lang)),
            items.savers(lang, "my-dice.toml"),
            items.opener("open dice", lang.say("Open a dice set (a .toml file)"), ".toml"),
        ],
    )


def _district_item(kind: Kind, n: int, lang: Language) -> Item:
    name = kind_name(kind, lang)
    spoken = ": ".join((lang.say("Abandoned district"), name))
    return items.counter(f"district.{kind}", name, n, (0, MOST_ACTIVE), spoken=spoken)


def _die_items(kind: Kind, dice_set: DiceSet, lang: Language) -> list[Item]:
    """Return the sides of one kind of die, below its name."""
    name = kind_name(kind, lang)
    sides = []
    for face in FACES:
        die = Die(kind + face)
        word = face_name(die, lang)
        n, spoken = dice_set.weight(die), f"{name}: {word}"
        ends = (0, MOST_SIDES)
        sides.append(items.counter(f"sides.{kind}.{face}", word, n, ends, spoken=spoken))
    return [items.text(name), *sides]
