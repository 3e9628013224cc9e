"""Several dice built one after the other."""

from __future__ import annotations

from collections.abc import Iterable

from .actions import Build
from .choices import legal_builds
from .dice import Die, sorted_dice
from .state import State
from .transitions import successor

__all__ = ["builds_with", "can_build_all"]


def builds_with(state: State, die: Die) -> list[Build]:
    """List the different ways to build with `die` now."""
    return [build for build in legal_builds(state) if build.die is die]


def can_build_all(state: State, dice: Iterable[Die]) -> bool:
    """Return whether all of `dice` can be built, one after the other.

    The order ground floor, upper floor, penthouse is enough to look at: a ground floor never
    hinders, and on one column upper floors come before the penthouse anyway.

    Parameters
    ----------
    state : State
    dice : iterable of Die
        Some of the active dice; none of them is False.
    """
    wanted = sorted_dice(dice)
    return bool(wanted) and _can_build(state, wanted)


def _can_build(state: State, wanted: tuple[Die, ...]) -> bool:
    if not wanted:
        return True
    first, *rest = wanted
    return any(
        not rest or _can_build(successor(state, build), tuple(rest))
        for build in builds_with(state, first)
    )
