"""The position editor: set any position, any dice, any goal, and read what each action is worth."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from skyline_kernel.errors import KitError, SettingError
from skyline_kernel.skyline import (
    Column,
    DiceSet,
    Die,
    Edition,
    Kind,
    Phase,
    Rules,
    State,
    Step,
    chance_outcomes,
    format_action,
    format_position,
    new_game,
    parse_position,
    shipped_dice_set,
)
from skyline_kernel.skyline.columns import sorted_skyline
from skyline_kernel.skyline.dice import FACES, KINDS, sorted_dice
from skyline_kernel.skyline.dice_sets import SHIPPED, n_outcomes, parse_dice_set, verified_own
from skyline_kernel.skyline.state import (
    MAX_PLAYERS,
    N_ROUNDS,
    STARTING_SKYLINES,
    dice_in_skyline,
)

from . import lab_items as items
from .advice_view import OBJECTIVES, is_solved, objective_words, start_solving
from .lab_base import File, LabWidget, flag_in, number_in, word_in
from .lab_items import Item
from .language import Language
from .start import dice_set_words
from .words import choice_words, dice_names, face_name, kind_name

if TYPE_CHECKING:
    from subprocess import Popen

    from skyline_kernel.skyline.advice import Advice

__all__ = [
    "MOST_ACTIVE",
    "Edited",
    "PositionEditor",
    "Remembered",
    "advice_csv",
    "dice_set_toml",
]

MOST_ACTIVE: Final = 8
"""Most active dice that can be set."""

_AT_ONCE: Final = {"turn": 6, "score": 6, "margin": 4}
"""Most active dice that are valued at once for each goal; more take longer and are asked for."""

OWN: Final = "my-dice"
_MOST_SIDES: Final = 12
_MOST_COLUMNS: Final = 12
_MOST_ROWS: Final = 40
_FIRST: Final = "h3,m1 G1U1P1 Gl,Um,P- use 5.1 online"
_TABLES: Final = ("ground-floor", "upper-floor", "penthouse")
_KEYS: Final = ("low-rise", "mid-rise", "high-rise", "blank")


class Remembered(NamedTuple):
    """A position that others are compared with.

    Parameters
    ----------
    position : str
    objective : str
    value : float
        With best play, in points.
    """

    position: str
    objective: str
    value: float


@dataclass(frozen=True, slots=True)
class Edited:
    """A position under work.

    Parameters
    ----------
    state : State
        Sound or not; `problem` says what is wrong with it.
    objective : str
    is_solving : bool
        Whether the dice are being solved.
    remembered : Remembered or None
        A position to compare with.
    awaited : State or None
        A position with many dice that somebody is willing to wait for.
    """

    state: State
    objective: str = OBJECTIVES[0]
    is_solving: bool = False
    remembered: Remembered | None = None
    awaited: State | None = None

    @property
    def problem(self) -> KitError | None:
        """What is wrong with the position, None if it is sound."""
        try:
            parse_position(format_position(self.state), self.own_dice_sets)
        except KitError as error:
            return error
        return None

    @property
    def own_dice_sets(self) -> tuple[DiceSet, ...]:
        """The dice set in use, if it is not one that comes with the kit."""
        dice_set = self.state.rules.dice_set
        return () if dice_set.name in SHIPPED else (dice_set,)


class PositionEditor(LabWidget[Edited]):
    """Set a position with its dice and rules, and see what every action is worth.

    Parameters
    ----------
    state : State, optional
        The position to begin with.
    objective : str
        ``score``, ``turn`` or ``margin``.
    language : str, optional
        ``de`` or ``en``; that of the place if left out.
    theme : str
        ``auto``, ``light`` or ``dark``.

    Examples
    --------
    >>> editor = PositionEditor(parse_position("m2 G1U1P1 Gl,P- use 9.1"), objective="turn")
    >>> editor.act("add column", value="h3")
    >>> editor.position
    'h3,m2 G1U1P1 Gl,P- use 9.1 online'
    >>> editor.advice.exact
    Fraction(20, 3)
    """

    def __init__(
        self,
        state: State | None = None,
        *,
        objective: str = OBJECTIVES[0],
        language: str | None = None,
        theme: str = "auto",
    ) -> None:
        if objective not in OBJECTIVES:
            known = ", ".join(OBJECTIVES)
            raise SettingError("objective {name!r}: expected {known}", name=objective, known=known)
        self._solving: Popen[bytes] | None = None
        first = Edited(parse_position(_FIRST) if state is None else state, objective)
        super().__init__(first, language=language, theme=theme)

    @property
    def state(self) -> State:
        """The position as it stands in the editor.

        Raises
        ------
        NotationError
            If it is not sound.
        """
        if (problem := self._state.problem) is not None:
            raise problem
        return self._state.state

    @property
    def position(self) -> str:
        """The position as text, sound or not."""
        return format_position(self._state.state)

    @property
    def objective(self) -> str:
        """What is aimed for: ``score``, ``turn`` or ``margin``."""
        return self._state.objective

    @property
    def dice_set(self) -> DiceSet:
        """The dice in use."""
        return self._state.state.rules.dice_set

    @property
    def advice(self) -> Advice:
        """What each legal action of the position is worth.

        Raises
        ------
        NotationError
            If the position is not sound.
        """
        from skyline_kernel.skyline.advice import advise

        return advise(self.state, self._state.objective)

    def _title(self, lang: Language) -> str:
        return lang.say("Any position")

    def _next(self, state: Edited, command: Mapping[str, Any]) -> Edited:
        do = command.get("do")
        if do in ("solve", "poll"):
            return replace(state, is_solving=self._is_solving(state.state.rules))
        if do == "wait":
            return replace(state, awaited=state.state)
        if do == "remember":
            return replace(state, remembered=_remembered(state))
        if do == "set" and command.get("name") == "objective":
            return replace(state, objective=word_in(command, OBJECTIVES))
        if do == "set" and command.get("name") == "position":
            text = str(command.get("value"))
            return replace(state, state=parse_position(text, state.own_dice_sets))
        return replace(state, state=_edited(state.state, command))

    def _is_solving(self, rules: Rules) -> bool:
        if self._solving is None and not _has_table(rules):
            self._solving = start_solving(rules)
        if self._solving is not None and self._solving.poll() is not None:
            self._solving = None
        return self._solving is not None

    def _poll(self, state: Edited) -> bool:
        return state.is_solving

    def _sections(self, state: Edited, lang: Language) -> list[Item]:
        return [
            _position_section(state, lang),
            _answer_section(state, lang),
            _rules_section(state, lang),
        ]

    def _file(self, state: Edited, name: str, lang: Language) -> File:
        match name:
            case "actions.csv":
                return File("text/csv", advice_csv(self.advice))
            case "my-dice.toml":
                return File("application/toml", dice_set_toml(state.state.rules.dice_set))
        return super()._file(state, name, lang)


def _has_table(rules: Rules) -> bool:
    from skyline_kernel.skyline.solver.store import has_table

    return has_table(rules.dice_set, nine=rules.nine)


# --- editing ----------------------------------------------------------------------------------


def _edited(state: State, command: Mapping[str, Any]) -> State:
    match command.get("do"):
        case "set":
            return _set(state, str(command.get("name")), command)
        case "add column":
            return _add_column(state, word_in(command, list(Column)))
        case "drop column":
            column = Column(word_in(command, state.skyline))
            return _with_skyline(state, _less(state.skyline, column))
        case "add die":
            return _with_dice(state, (*state.dice, Die(word_in(command, list(Die)))))
        case "drop die":
            return _with_dice(state, _less(state.dice, Die(word_in(command, state.dice))))
        case "start":
            return new_game(state.n_players, state.rules)
        case "open dice":
            return _with_dice_set(state, parse_dice_set(str(command.get("text"))))
    raise SettingError("{name!r}: there is no such command", name=command.get("do"))


def _with_dice_set(state: State, dice_set: DiceSet) -> State:
    """Use other dice; active ones that show what these do not have are taken away."""
    state = replace(state, rules=replace(state.rules, dice_set=dice_set))
    kept = tuple(die for die in state.dice if not die.is_rolled or dice_set.weight(die))
    return _with_dice(state, kept) if len(kept) < len(state.dice) else state


def _less(things: tuple[Any, ...], one: Any) -> tuple[Any, ...]:
    left = list(things)
    left.remove(one)
    return tuple(left)


def _add_column(state: State, code: str) -> State:
    if len(state.skyline) >= _MOST_COLUMNS:
        raise SettingError("At most {n} columns can be set here.", n=_MOST_COLUMNS)
    return _with_skyline(state, sorted_skyline((*state.skyline, Column(code))))


def _with_skyline(state: State, skyline: tuple[Column, ...]) -> State:
    seat = state.seat
    return replace(state, skylines=(*state.skylines[: seat - 1], skyline, *state.skylines[seat:]))


def _with_dice(state: State, dice: tuple[Die, ...]) -> State:
    """Change the active dice, and the phase where it must follow them."""
    if len(dice) > MOST_ACTIVE:
        raise SettingError("At most {n} active dice can be set here.", n=MOST_ACTIVE)
    phase = state.phase
    if not dice:
        phase = Phase.TAKE
    elif any(not die.is_rolled for die in dice):
        phase = Phase.ROLL
    elif phase not in (Phase.USE, Phase.MORE):
        phase = Phase.USE
    return _in_phase(replace(state, dice=sorted_dice(dice)), phase)


def _in_phase(state: State, phase: Phase) -> State:
    has_step = phase is Phase.MORE and state.rules.is_printed
    step = (state.step or Step.BUILD) if has_step else None
    dice = () if phase in (Phase.TAKE, Phase.OVER) else state.dice
    return replace(state, phase=phase, step=step, dice=dice)


def _set(state: State, name: str, command: Mapping[str, Any]) -> State:
    if name.startswith("sides."):
        return _with_sides(state, name, number_in(command, 0, _MOST_SIDES))
    if name.startswith("district."):
        return _with_district(state, name, number_in(command, 0, MOST_ACTIVE))
    if name not in _SETTERS:
        raise SettingError("{name!r}: there is no such setting", name=name)
    return _SETTERS[name](state, command)


def _set_round(state: State, command: Mapping[str, Any]) -> State:
    return replace(state, round=number_in(command, 1, N_ROUNDS))


def _set_seat(state: State, command: Mapping[str, Any]) -> State:
    return replace(state, seat=number_in(command, 1, state.n_players))


def _set_players(state: State, command: Mapping[str, Any]) -> State:
    n = number_in(command, 1, MAX_PLAYERS)
    skylines = (*state.skylines, *STARTING_SKYLINES[state.n_players :])[:n]
    return replace(state, skylines=skylines, seat=min(state.seat, n))


def _set_phase(state: State, command: Mapping[str, Any]) -> State:
    return _in_phase(state, Phase(word_in(command, list(Phase))))


def _set_step(state: State, command: Mapping[str, Any]) -> State:
    return replace(state, step=Step(word_in(command, list(Step))))


def _set_last(state: State, command: Mapping[str, Any]) -> State:
    return replace(state, is_last_round=flag_in(command))


def _set_edition(state: State, command: Mapping[str, Any]) -> State:
    edition = Edition(word_in(command, list(Edition)))
    return _in_phase(replace(state, rules=replace(state.rules, edition=edition)), state.phase)


def _set_nine(state: State, command: Mapping[str, Any]) -> State:
    is_on = flag_in(command)
    is_last = state.is_last_round and not is_on
    return replace(state, rules=replace(state.rules, nine=is_on), is_last_round=is_last)


def _set_box(state: State, command: Mapping[str, Any]) -> State:
    return replace(state, rules=replace(state.rules, box=flag_in(command)))


def _set_dice_set(state: State, command: Mapping[str, Any]) -> State:
    name = word_in(command, (*SHIPPED, OWN))
    old = state.rules.dice_set
    dice_set = shipped_dice_set(name) if name in SHIPPED else DiceSet(OWN, old.weights)
    return replace(state, rules=replace(state.rules, dice_set=dice_set))


_SETTERS: Final[Mapping[str, Callable[[State, Mapping[str, Any]], State]]] = {
    "box": _set_box,
    "dice_set": _set_dice_set,
    "edition": _set_edition,
    "last": _set_last,
    "nine": _set_nine,
    "phase": _set_phase,
    "players": _set_players,
    "round": _set_round,
    "seat": _set_seat,
    "step": _set_step,
}


def _with_district(state: State, name: str, n_dice: int) -> State:
    place = list(KINDS).index(Kind(name.removeprefix("district.")))
    ground, upper, penthouse = (n_dice if i == place else n for i, n in enumerate(state.district))
    return replace(state, district=(ground, upper, penthouse))


def _with_sides(state: State, name: str, n_sides: int) -> State:
    _, kind, face = name.split(".")
    weights = [list(some) for some in state.rules.dice_set.weights]
    weights[list(KINDS).index(Kind(kind))][[str(one) for one in FACES].index(face)] = n_sides
    ground, upper, penthouse = ((low, mid, high, blank) for low, mid, high, blank in weights)
    own = verified_own(DiceSet(OWN, (ground, upper, penthouse)))
    return replace(state, rules=replace(state.rules, dice_set=own))


def dice_set_toml(dice_set: DiceSet) -> str:
    """Return the file of a dice set, as ``read_dice_set`` reads it."""
    parts = [f'name = "{dice_set.name}"\n']
    for table, weights, source in zip(_TABLES, dice_set.weights, dice_set.sources, strict=True):
        sides = "".join(f"{key} = {n}\n" for key, n in zip(_KEYS, weights, strict=True))
        # A source is one line of somebody's own; a JSON text is a TOML text too.
        parts.append(f"\n[{table}]\n{sides}source = {_quoted(source)}\n")
    return "".join(parts)


def _quoted(words: str) -> str:
    import json

    return json.dumps(words, ensure_ascii=True)


# --- drawing ----------------------------------------------------------------------------------


def _position_section(edited: Edited, lang: Language) -> Item:
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


def _rules_section(edited: Edited, lang: Language) -> Item:
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
        ends = (0, _MOST_SIDES)
        sides.append(items.counter(f"sides.{kind}.{face}", word, n, ends, spoken=spoken))
    return [items.text(name), *sides]


def _answer_section(edited: Edited, lang: Language) -> Item:
    goal = items.choice("objective", lang.say("Goal"), edited.objective, objective_words(lang))
    return items.section(
        "answer", lang.say("What each action is worth"), [goal, *_answer_items(edited, lang)]
    )


def _answer_items(edited: Edited, lang: Language) -> list[Item]:
    state, problem = edited.state, edited.problem
    if problem is not None:
        return [items.note(lang.error(problem), "bad")]
    if not _is_at_once(edited):
        return [
            items.note(lang.say("To value so many dice takes some seconds."), "plain"),
            items.buttons((lang.say("Value them"), {"do": "wait"})),
        ]
    if not is_solved(state, edited.objective):
        return _unsolved(edited, lang)
    if not _is_valued(edited):
        early = lang.say("No game has so many dice on the table so early: set a later round.")
        return [items.note(early, "bad")]
    advice = _advice_of(state, edited.objective)
    shown = [
        items.note(_value_words(advice, lang), "plain"),
        *_comparison(edited, advice, lang),
        _action_table(advice, lang),
        items.savers(lang, "actions.csv"),
    ]
    return [*shown, _outcome_table(state, lang)] if state.is_chance else shown


def _n_dice(state: State) -> int:
    """Return how many dice this turn can have at most."""
    return max(len(state.dice), sum(state.district) if state.phase is Phase.TAKE else 0)


def _is_at_once(edited: Edited) -> bool:
    most = _AT_ONCE[edited.objective] - edited.state.rules.is_printed
    return _n_dice(edited.state) <= most or edited.awaited == edited.state


def _is_valued(edited: Edited) -> bool:
    """Return whether the value of a sound position comes at once."""
    state, objective = edited.state, edited.objective
    if not _is_at_once(edited) or not is_solved(state, objective):
        return False
    return objective == "turn" or _is_within_table(state, _n_dice(state))


def _is_within_table(state: State, n_dice: int) -> bool:
    """Return whether the solved table holds all that this turn can leave.

    What it does not hold is solved when it is asked for, which may take minutes.
    """
    from skyline_kernel.skyline.solver.positions import turns_after
    from skyline_kernel.skyline.solver.store import value_table

    turns = turns_after(state)
    standing = max(sum(dice_in_skyline(skyline)) for skyline in state.skylines)
    bounds = value_table(state.rules.dice_set, nine=state.rules.nine).bounds
    return turns == 0 or standing + n_dice <= bounds[turns]


def _unsolved(edited: Edited, lang: Language) -> list[Item]:
    if edited.is_solving:
        return [items.note(lang.say("The dice are being solved …"), "plain")]
    return [
        items.note(lang.say("These dice have not been solved on this machine yet."), "plain"),
        items.buttons((lang.say("Solve them now (a few seconds)"), {"do": "solve"})),
    ]


@lru_cache(maxsize=32)
def _advice_of(state: State, objective: str) -> Advice:
    from skyline_kernel.skyline.advice import advise

    return advise(state, objective)


def _remembered(edited: Edited) -> Remembered:
    if edited.problem is not None:
        raise edited.problem
    if not _is_valued(edited):
        raise SettingError("This position has no value here yet.")
    worth = _advice_of(edited.state, edited.objective).value
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
