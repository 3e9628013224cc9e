"""A game in front of people: what they have picked up, selected, and may take back.

The kernel knows dice as a multiset; at the table each die is a thing of its own, so that
choosing the second of two equal dice chooses the second.  A `Play` holds the game and these
things.  It is a frozen value: `perform` returns a new one or raises, so a wrong command changes
nothing.  It asks the kernel for every rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from skyline_kernel.errors import IllegalActionError, SettingError
from skyline_kernel.skyline import (
    END,
    ROLL,
    TAKE_DISTRICT,
    Abandon,
    Action,
    Build,
    Demolish,
    Die,
    End,
    Game,
    Kind,
    Phase,
    Reroll,
    Roll,
    Step,
    Take,
    builds_with,
    can_build_all,
    verify,
    yard,
)
from skyline_kernel.skyline.dice import sorted_dice, unrolled

if TYPE_CHECKING:
    from numpy.random import Generator

__all__ = ["Play", "Target", "TrayDie", "perform", "resume", "step", "verify_move"]


@dataclass(frozen=True, slots=True)
class TrayDie:
    """An active die as a thing: `number` stays with it through the turn."""

    number: int
    die: Die


@dataclass(frozen=True, slots=True)
class Target:
    """A die that waits for its tower.

    Parameters
    ----------
    word : str
        ``build`` or ``demolish``.
    number : int
        The tray die in question.
    rest : tuple of int
        Tray dice that come after it.
    """

    word: str
    number: int
    rest: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """A game on the table.

    Parameters
    ----------
    game : Game
    tray : tuple of TrayDie
        The active dice; as a multiset those of the game's state.
    selected : frozenset of int
        Numbers of the selected tray dice.
    picked : tuple of Kind
        Dice picked from the construction yard so far, fewer than three.
    target : Target or None
        The die that waits for a tower to be chosen.
    marks : tuple of int
        Number of moves before each step that can be taken back.
    ended : int or None
        Seat of a person whose turn is over by their last die and not yet handed on; until then
        it can be taken back.
    """

    game: Game
    tray: tuple[TrayDie, ...] = ()
    selected: frozenset[int] = frozenset()
    picked: tuple[Kind, ...] = ()
    target: Target | None = None
    marks: tuple[int, ...] = ()
    ended: int | None = None

    @property
    def acting_seat(self) -> int:
        """Seat whose turn is on the table, 1 to ``n_players``."""
        return self.ended or self.game.state.seat

    @property
    def is_persons_turn(self) -> bool:
        """Whether a person decides next."""
        return not self.is_over and self.game.seats[self.acting_seat - 1].is_human

    @property
    def is_over(self) -> bool:
        """Whether the game has ended and the last turn was handed on."""
        return self.ended is None and self.game.state.is_over

    @property
    def chosen(self) -> tuple[Die, ...]:
        """The selected dice, in canonical order."""
        return sorted_dice(thing.die for thing in self.tray if thing.number in self.selected)


def resume(game: Game) -> Play:
    """Lay a game on the table as it stands, with nothing selected."""
    return _settled(Play(game, tray=_numbered(game.state.dice), marks=_open_marks(game)))


def _numbered(dice: Iterable[Die], first: int = 0) -> tuple[TrayDie, ...]:
    return tuple(TrayDie(first + i, die) for i, die in enumerate(dice))


def _open_marks(game: Game) -> tuple[int, ...]:
    """Return a mark for each action of this turn that no roll has confirmed."""
    turn = (game.state.round, game.state.seat)
    n_open = 0
    for entry in reversed(game.log):
        if isinstance(entry.action, Roll) or (entry.round, entry.seat) != turn:
            break
        n_open += 1
    return tuple(range(game.n_moves - n_open, game.n_moves))


# --- commands ---------------------------------------------------------------------------------

Command = Mapping[str, Any]


def perform(play: Play, command: Command) -> Play:
    """Carry out what a person did at the table.

    Parameters
    ----------
    play : Play
        Left as it is.
    command : mapping
        ``do`` is the name of the command, ``move`` the number of moves that the person saw;
        further keys depend on it: ``kind``, ``die``, ``on``, ``column``.

    Returns
    -------
    Play
        The table afterwards.

    Raises
    ------
    IllegalActionError
        If the rules do not allow it, or the table has changed since.
    SettingError
        If there is no such command.
    """
    name = command.get("do")
    if not isinstance(name, str) or name not in _COMMANDS:
        raise SettingError("{name!r}: there is no such command", name=name)
    verify_move(play, command)
    if play.is_over:
        raise IllegalActionError("The game is over.")
    if not play.is_persons_turn:
        raise IllegalActionError("It is not your turn.")
    if play.ended is not None and name not in ("end", "undo"):
        raise IllegalActionError("This turn is over: end it or take back.")
    return _COMMANDS[name](play, command)


def verify_move(play: Play, command: Command) -> None:
    """Raise if the command was given for another position than the one on the table.

    A double click sends the same command twice; the second finds that the game has moved on.

    Raises
    ------
    IllegalActionError
        If ``move`` is not the number of moves played.
    """
    move = command.get("move")
    if type(move) is not int or move != play.game.n_moves:  # True would pass for 1.
        raise IllegalActionError("This was done already: the table has changed since.")


def step(play: Play, rng: Generator) -> Play:
    """Let the computer player to move make one move, or roll its dice.

    Raises
    ------
    IllegalActionError
        If a person is to move or the game is over.
    """
    if play.is_over or play.is_persons_turn:
        raise IllegalActionError("No computer player is to move.")
    return _played(play, [play.game.computer_action(rng)])


def _pick(play: Play, command: Command) -> Play:
    kind = _kind_in(command)
    picked = tuple(sorted((*play.picked, kind), key=list(Kind).index))
    _verify_time(play, "take")
    left = yard(play.game.state)
    if left is not None and picked.count(kind) > left[list(Kind).index(kind)]:
        raise IllegalActionError("The construction yard has no more of these dice.")
    if len(picked) < 3:
        return replace(play, picked=picked)
    return _played(play, [Take(picked)])


def _unpick(play: Play, command: Command) -> Play:
    kind = _kind_in(command)
    if kind not in play.picked:
        raise IllegalActionError("No such die has been picked.")
    picked = list(play.picked)
    picked.remove(kind)
    return replace(play, picked=tuple(picked))


def _kind_in(command: Command) -> Kind:
    try:
        return Kind(command.get("kind", ""))
    except ValueError:
        raise SettingError(
            "{kind!r}: there is no such kind of die", kind=command.get("kind")
        ) from None


def _take_district(play: Play, _command: Command) -> Play:
    _verify_time(play, "take")
    return _played(play, [TAKE_DISTRICT])


def _verify_time(play: Play, word: str) -> None:
    """Say in a player's words what comes first; the rules are the kernel's all the same."""
    state = play.game.state
    if word == "take":
        if state.phase is not Phase.TAKE:
            raise IllegalActionError("Dice are taken at the start of a turn.")
        return
    if state.phase is Phase.TAKE:
        raise IllegalActionError("Take dice first.")
    if state.phase is Phase.ROLL and word != "roll":
        raise IllegalActionError("Roll the dice first.")
    if state.phase is Phase.USE and word in ("roll", "end"):
        raise IllegalActionError("Use at least one die first.")
    if word in list(Step) and state.step is Step.DEMOLISH:
        raise IllegalActionError("After a demolition, roll again or end the turn.")
    if word in list(Step) and state.step not in (None, word):
        raise IllegalActionError("One step holds one kind of action.")


def _roll(play: Play, _command: Command) -> Play:
    _verify_time(play, "roll")
    if play.game.state.is_chance:
        return _played(play, [ROLL])
    _verify_selection(play)
    return _played(play, [Reroll(play.chosen), ROLL], used=play.selected)


def _select(play: Play, command: Command) -> Play:
    wanted = command.get("die")
    numbers = {
        thing.number for thing in play.tray if type(wanted) is int and wanted == thing.number
    }
    if not numbers or play.game.state.is_chance:
        raise IllegalActionError("This die cannot be selected now.")
    change = play.selected | numbers if command.get("on") else play.selected - numbers
    return replace(play, selected=change, target=None)


def _build(play: Play, _command: Command) -> Play:
    _verify_time(play, "build")
    _verify_selection(play)
    if not can_build_all(play.game.state, play.chosen):
        raise IllegalActionError("Not all of the selected dice can be built.")
    return _build_rest(play, _numbers_in_order(play))


def _numbers_in_order(play: Play) -> tuple[int, ...]:
    things = [thing for thing in play.tray if thing.number in play.selected]
    return tuple(thing.number for thing in sorted(things, key=lambda thing: thing.die.rank))


def _build_rest(play: Play, numbers: tuple[int, ...]) -> Play:
    """Build die by die until one could go on different columns, or on none any more."""
    for place, number in enumerate(numbers):
        builds = builds_with(play.game.state, _die(play, number))
        if not builds:  # The tower chosen for the die before it has left none for this one.
            return replace(play, selected=frozenset(numbers[place:]))
        if len(builds) > 1:
            target = Target("build", number, numbers[place + 1 :])
            return replace(play, target=target, selected=frozenset(numbers[place:]))
        play = _played(play, builds, used=(number,))
    return play


def _die(play: Play, number: int) -> Die:
    return next(thing.die for thing in play.tray if thing.number == number)


def _abandon(play: Play, _command: Command) -> Play:
    _verify_time(play, "abandon")
    _verify_selection(play)
    actions = [Abandon(die) for die in play.chosen]
    return _played(play, actions, used=_numbers_in_order(play))


def _demolish(play: Play, _command: Command) -> Play:
    _verify_time(play, "demolish")
    _verify_selection(play)
    numbers = _numbers_in_order(play)
    skyline = play.game.state.skyline
    if not skyline:
        raise IllegalActionError("You have no building to demolish.")
    verify(play.game.state, _demolition(play, numbers[0], skyline[0]))
    return replace(play, target=Target("demolish", numbers[0], numbers[1:]))


def _demolition(play: Play, number: int, column: Any) -> Demolish:
    """Return the demolition that a click on `column` means: all selected dice if printed."""
    dice = play.chosen if play.game.rules.is_printed else (_die(play, number),)
    return Demolish(dice, column)


def _choose(play: Play, command: Command) -> Play:
    target = play.target
    index = command.get("column")
    skyline = play.game.state.skyline
    if target is None or type(index) is not int or not 0 <= index < len(skyline):
        raise IllegalActionError("There is no tower to choose now.")
    column = skyline[index]
    if target.word == "build":
        action: Action = Build(_die(play, target.number), column)
        verify(play.game.state, action)
        return _build_rest(_played(play, [action], used=(target.number,)), target.rest)
    demolition = _demolition(play, target.number, column)
    if play.game.rules.is_printed:
        return _played(play, [demolition], used=(target.number, *target.rest))
    return _demolish_rest(_played(play, [demolition], used=(target.number,)), target.rest)


def _demolish_rest(play: Play, numbers: tuple[int, ...]) -> Play:
    if not numbers or not play.game.state.skyline:
        return play
    target = Target("demolish", numbers[0], numbers[1:])
    return replace(play, target=target, selected=frozenset(numbers))


def _cancel(play: Play, _command: Command) -> Play:
    return replace(play, target=None)


def _end(play: Play, _command: Command) -> Play:
    if play.ended is not None:
        return _settled(replace(play, ended=None, marks=()))
    _verify_time(play, "end")
    return _settled(replace(_played(play, [END]), ended=None, marks=()))


def _undo(play: Play, _command: Command) -> Play:
    if play.target is not None or play.picked:
        return replace(play, target=None, picked=())
    if not play.marks:
        raise IllegalActionError("There is nothing to take back: a roll is final.")
    *marks, mark = play.marks
    game = play.game
    while game.n_moves > mark:
        game = game.undo()
    back = Play(game, tray=_restored(play, game), marks=tuple(marks))
    return _settled(back)


def _restored(play: Play, game: Game) -> tuple[TrayDie, ...]:
    """Return the tray as it was: dice still there keep their numbers."""
    missing = list(game.state.dice)
    kept = []
    for thing in play.tray:
        if thing.die in missing:
            missing.remove(thing.die)
            kept.append(thing)
    free = (n for n in range(len(game.state.dice) * 2 + 1) if n not in {t.number for t in kept})
    back = [TrayDie(next(free), die) for die in missing]
    return tuple(sorted([*kept, *back], key=lambda thing: (thing.number, thing.die.rank)))


_COMMANDS: Final[Mapping[str, Callable[[Play, Command], Play]]] = {
    "abandon": _abandon,
    "build": _build,
    "cancel": _cancel,
    "choose": _choose,
    "demolish": _demolish,
    "end": _end,
    "pick": _pick,
    "roll": _roll,
    "select": _select,
    "take district": _take_district,
    "undo": _undo,
    "unpick": _unpick,
}


# --- what an action does to the things on the table -------------------------------------------


def _verify_selection(play: Play) -> None:
    if not play.selected:
        raise IllegalActionError("Select at least one die first.")


def _played(play: Play, actions: Iterable[Action], used: Iterable[int] | None = None) -> Play:
    """Play `actions` as one step that is taken back as one.

    `used` are the numbers of the tray dice that they use or roll again, in the same order; left
    out, any dice that show the same will do.
    """
    game, tray = play.game, play.tray
    numbers = None if used is None else list(used)
    for action in actions:
        game = game.play(action)
        tray = _tray_after(tray, game, numbers)
    return _settled(
        Play(game, tray=tray, marks=_marks_after(play, game), ended=_ended_after(play.game, game))
    )


def _tray_after(
    tray: tuple[TrayDie, ...], game: Game, numbers: list[int] | None
) -> tuple[TrayDie, ...]:
    match game.log[-1].action:
        case Roll(outcome):
            return _rolled(tray, outcome or ())
        case Reroll(dice):
            again = _things(tray, dice, numbers)
            return tuple(
                TrayDie(thing.number, unrolled(thing.die.kind)) if thing in again else thing
                for thing in tray
            )
        case Build(die) | Abandon(die):
            gone = _things(tray, (die,), numbers)
        case Demolish(dice):
            gone = _things(tray, dice, numbers)
        case End():
            return ()
        case _:
            return _numbered(game.state.dice)
    return tuple(thing for thing in tray if thing not in gone)


def _things(
    tray: tuple[TrayDie, ...], dice: Iterable[Die], numbers: list[int] | None
) -> list[TrayDie]:
    """Return the things on the tray that `dice` mean; `numbers` loses those it named."""
    left = list(tray)
    found = []
    for die in dice:
        named = [thing for thing in left if numbers and thing.number in numbers]
        thing = next(thing for thing in [*named, *left] if thing.die is die)
        left.remove(thing)
        found.append(thing)
        if numbers and thing.number in numbers:
            numbers.remove(thing.number)
    return found


def _rolled(tray: tuple[TrayDie, ...], outcome: tuple[Die, ...]) -> tuple[TrayDie, ...]:
    """Give each thing that is not rolled its face, in the order in which they lie."""
    shown = list(outcome)
    after = []
    for thing in tray:
        if thing.die.is_rolled:
            after.append(thing)
            continue
        face = next(die for die in shown if die.kind is thing.die.kind)
        shown.remove(face)
        after.append(TrayDie(thing.number, face))
    return tuple(after)


def _marks_after(play: Play, game: Game) -> tuple[int, ...]:
    if isinstance(game.log[-1].action, Roll):
        return ()
    return (*play.marks, play.game.n_moves)


def _ended_after(before: Game, game: Game) -> int | None:
    seat = before.state.seat
    is_handed_on = game.log[-1].action == END
    if not game.log[-1].ends_turn or is_handed_on or not before.seats[seat - 1].is_human:
        return None
    return seat


def _settled(play: Play) -> Play:
    """Select a single die by itself; forget marks of a turn that was handed on."""
    state = play.game.state
    is_new_turn = state.phase in (Phase.TAKE, Phase.OVER) and play.ended is None
    marks = () if is_new_turn else play.marks
    selected = play.selected
    if len(play.tray) == 1 and not state.is_chance and play.is_persons_turn:
        selected = frozenset({play.tray[0].number})
    return replace(play, marks=marks, selected=selected)
