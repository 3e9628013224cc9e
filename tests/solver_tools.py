"""Solved tables for tests, without leaving files in anybody's cache."""

from functools import cache

from skyline_kernel.skyline.dice_sets import STANDARD
from skyline_kernel.skyline.solver.practice import practice_game
from skyline_kernel.skyline.solver.store import value_table
from skyline_kernel.skyline.solver.tables import unsolved_table


@cache
def table_in_memory(dice_set, *, nine):
    """The shipped table, or for other dice one that is solved only as far as it is asked."""
    if dice_set.name == STANDARD:
        return value_table(dice_set, nine=nine)
    return unsolved_table(practice_game(dice_set, nine=nine))


def keep_tables_in_memory(monkeypatch):
    """Let advice use `table_in_memory`."""
    monkeypatch.setattr("skyline_kernel.skyline.advice.value_table", table_in_memory)
