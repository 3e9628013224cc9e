"""Short ways to set a position up, play on it and look at it, for tests of the rules."""

from skyline_kernel.skyline import (
    DiceSet,
    Roll,
    State,
    format_action,
    format_position,
    legal_actions,
    parse_action,
    parse_position,
    successor,
)

EDITIONS = ("online", "printed")
SHIPPED_DICE = ("standard", "uniform", "blank-upper")
ALL_RULES = tuple(
    "+".join([edition, *options, *([] if dice == "standard" else [dice])])
    for edition in EDITIONS
    for options in ([], ["nine"], ["box"], ["nine", "box"])
    for dice in SHIPPED_DICE
)


def at(position: str, *dice_sets: DiceSet) -> State:
    """Read a position."""
    return parse_position(position, dice_sets)


def shown(state: State) -> str:
    """Write a position."""
    return format_position(state)


def play(state: State | str, *actions: str) -> State:
    """Play some actions, one after the other."""
    if isinstance(state, str):
        state = at(state)
    for action in actions:
        state = successor(state, parse_action(action))
    return state


def after(position: str, *actions: str) -> str:
    """Play some actions and write the position that they lead to, without its rules."""
    return shown(play(position, *actions)).rpartition(" ")[0]


def legal(state: State | str) -> list[str]:
    """Write the legal actions in the order in which the kernel lists them."""
    if isinstance(state, str):
        state = at(state)
    return [format_action(action) for action in legal_actions(state)]


def legal_of(state: State | str, verb: str) -> list[str]:
    """Write the legal actions that begin with a verb."""
    return [action for action in legal(state) if action.split("=")[0].split()[0] == verb]


def first_outcome(state: State) -> Roll:
    """Return the first outcome that a roll can have."""
    action = legal_actions(state)[0]
    assert isinstance(action, Roll)
    return action
