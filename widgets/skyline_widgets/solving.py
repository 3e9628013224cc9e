"""What a page may ask the solver: advice that comes at once, and dice that wait to be solved.

A page waits for its advice, and pupils wait for the page; the command line has more patience.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from skyline_kernel.skyline import BEST_PLAYERS, Game, Rules, State

if TYPE_CHECKING:
    from skyline_kernel.skyline.advice import Advice
    from skyline_kernel.skyline.solver.patience import Patience

__all__ = ["advice_of", "can_advise", "is_solved", "start_solving", "waits_for_values"]


def can_advise(state: State, objective: str, patience: Patience | None = None) -> bool:
    """Return whether advice comes in time, a second if left out, on dice that are solved."""
    from skyline_kernel.skyline.advice import is_quick
    from skyline_kernel.skyline.solver.patience import A_SECOND

    return is_solved(state, objective) and is_quick(state, objective, patience or A_SECOND)


def advice_of(state: State, objective: str, patience: Patience | None = None) -> Advice:
    """Return the advice on a position that `can_advise` says yes to; a page waits for it."""
    from skyline_kernel.skyline.advice import advise
    from skyline_kernel.skyline.solver.patience import A_SECOND

    return advise(state, objective, patience=patience or A_SECOND)


def is_solved(state: State, objective: str) -> bool:
    """Return whether advice comes at once: the table of values that it needs is there."""
    from skyline_kernel.skyline.solver.store import has_table

    return objective == "turn" or has_table(state.rules.dice_set, nine=state.rules.nine)


def waits_for_values(game: Game) -> bool:
    """Return whether the computer player to move knows what is best only once the dice are solved."""
    player = game.seats[game.state.seat - 1].player
    return player in BEST_PLAYERS and player != _TURN_ONLY and not is_solved(game.state, "score")


_TURN_ONLY = "best-turn"
"""Looks at no later turn and needs no table."""


def start_solving(rules: Rules) -> subprocess.Popen[bytes]:
    """Let a process of its own solve the dice of `rules` into the user's cache folder.

    A page's own process would need four times its memory for it, and keep it.
    """
    options = ["--nine"] if rules.nine else []
    words = [sys.executable, "-m", "skyline_kernel.skyline.solver", "--solve", *options]
    words.append(json.dumps(rules.dice_set.weights))
    return subprocess.Popen(words, stdin=subprocess.DEVNULL)
