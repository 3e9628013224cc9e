"""What a page may ask the solver: advice that comes at once, and dice that wait to be solved.

A page waits for its advice, and pupils wait for the page; the command line has more patience.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from skyline_kernel.skyline import Rules, State

if TYPE_CHECKING:
    from skyline_kernel.skyline.advice import Advice

__all__ = ["advice_of", "can_advise", "is_solved", "start_solving"]


def can_advise(state: State, objective: str) -> bool:
    """Return whether advice comes at once: a small position of dice that are solved."""
    return is_solved(state, objective) and _is_quick(state, objective)


def advice_of(state: State, objective: str) -> Advice:
    """Return the advice on a position that `can_advise` says yes to; a page waits for it."""
    from skyline_kernel.skyline.advice import advise
    from skyline_kernel.skyline.solver.patience import A_SECOND

    return advise(state, objective, patience=A_SECOND)


def _is_quick(state: State, objective: str) -> bool:
    from skyline_kernel.skyline.advice import is_quick
    from skyline_kernel.skyline.solver.patience import A_SECOND

    return is_quick(state, objective, A_SECOND)


def is_solved(state: State, objective: str) -> bool:
    """Return whether advice comes at once: the table of values that it needs is there."""
    from skyline_kernel.skyline.solver.store import has_table

    return objective == "turn" or has_table(state.rules.dice_set, nine=state.rules.nine)


def start_solving(rules: Rules) -> subprocess.Popen[bytes]:
    """Let a process of its own solve the dice of `rules` into the user's cache folder.

    A page's own process would need four times its memory for it, and keep it.
    """
    options = ["--nine"] if rules.nine else []
    words = [sys.executable, "-m", "skyline_kernel.skyline.solver", "--solve", *options]
    words.append(json.dumps(rules.dice_set.weights))
    return subprocess.Popen(words, stdin=subprocess.DEVNULL)
