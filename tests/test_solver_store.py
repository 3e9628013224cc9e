"""Files of solved tables: right, whole, and never another's."""

import json
import logging
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from solver_tools import table_in_memory

from skyline_kernel.skyline import DiceSet, shipped_dice_set
from skyline_kernel.skyline.solver import rebuild, store
from skyline_kernel.skyline.solver.practice import practice_game
from skyline_kernel.skyline.solver.store import (
    SHIPPED_FOLDER,
    TableFileError,
    read_table,
    table_name,
    value_table,
    write_table,
)
from skyline_kernel.skyline.solver.tables import (
    NARROW,
    TRIMMED,
    ValueTable,
    solve_table,
    trimmed,
    work,
)
from skyline_kernel.skyline.state import N_ROUNDS

STANDARD = shipped_dice_set("standard")
COINS = DiceSet("coins", ((1, 0, 1, 0), (0, 0, 1, 1), (0, 0, 1, 1)))
"""Dice of two sides: soon solved."""
TINY = tuple(3 * (N_ROUNDS - turns_left) for turns_left in range(N_ROUNDS + 1))
"""What is reached from an empty table."""


@pytest.fixture(scope="module")
def coins():
    return solve_table(practice_game(COINS, nine=True), TINY)


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setattr(store, "_tables", {})
    monkeypatch.setattr(store, "NARROW", TINY)
    return tmp_path / "cache"


# --- what ships -------------------------------------------------------------------------------


def test_the_shipped_tables_are_those_of_both_endings_and_nothing_else():
    names = {table_name(practice_game(STANDARD, nine=nine), TRIMMED) for nine in (True, False)}
    assert {path.name for path in SHIPPED_FOLDER.iterdir()} == names
    assert sum(path.stat().st_size for path in SHIPPED_FOLDER.iterdir()) < 4 * 2**20


@pytest.mark.slow
@pytest.mark.parametrize("nine", [True, False])
def test_solving_again_gives_the_shipped_values_bit_for_bit(nine):
    shipped = value_table(STANDARD, nine=nine)
    again = solve_table(shipped.game, NARROW)
    for turns_left in range(1, N_ROUNDS + 1):
        both = np.intersect1d(again.skylines(turns_left), shipped.skylines(turns_left))
        assert len(both) == len(again.skylines(turns_left))
        assert np.array_equal(again.gains(both, turns_left), shipped.gains(both, turns_left))


def test_tables_are_read_without_anything_that_solves_or_draws():
    code = (
        "import sys\n"
        "from skyline_kernel.skyline import parse_position\n"
        "from skyline_kernel.skyline.advice import advise\n"
        "advise(parse_position('h1 G1U1P1 - take 1.1'))\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert not {"numba", "scipy", "tqdm", "IPython", "jsonschema"} & set(done.stdout.split())


# --- files ------------------------------------------------------------------------------------


def test_a_table_comes_back_from_its_file_as_it_was(coins, tmp_path):
    path = write_table(coins, tmp_path)
    assert path.name == table_name(coins.game, TINY)
    back = read_table(coins.game, TINY, tmp_path)
    for turns_left in range(1, N_ROUNDS + 1):
        assert np.array_equal(back.levels[turns_left], coins.levels[turns_left])
    with pytest.raises(ValueError, match="read-only"):
        back.levels[1][0] = 0


def test_the_same_table_gives_the_same_bytes(coins, tmp_path):
    first = write_table(coins, tmp_path).read_bytes()
    assert write_table(solve_table(coins.game, TINY), tmp_path).read_bytes() == first
    assert [path.suffix for path in tmp_path.iterdir()] == [".values"]


def test_the_name_depends_on_dice_ending_and_bounds():
    games = [
        practice_game(dice_set, nine=nine)
        for dice_set in (STANDARD, COINS, shipped_dice_set("uniform"))
        for nine in (True, False)
    ]
    names = {table_name(game, bounds) for game in games for bounds in (NARROW, TRIMMED, TINY)}
    assert len(names) == 18


def test_the_name_depends_on_the_rules(monkeypatch):
    game = practice_game(STANDARD, nine=True)
    before = table_name(game, TRIMMED)
    monkeypatch.setattr("skyline_kernel.skyline.solver.practice.DICE_FROM_YARD", 4)
    assert table_name(game, TRIMMED) != before


def test_sets_with_the_same_chances_share_a_table():
    doubled = DiceSet("doubled", ((2, 0, 2, 0), (0, 0, 5, 5), (0, 0, 3, 3)))
    assert practice_game(doubled, nine=True) == practice_game(COINS, nine=True)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda content: content[:-8], "damaged"),
        (lambda content: content[:-1] + bytes([content[-1] ^ 1]), "damaged"),
        (lambda content: content.replace(b'"nine": true', b'"nine": null'), "another game"),
        (lambda _: b"not a table", "no table"),
        (lambda _: b"", "no table"),
        (lambda _: b"[1, 2]\n", "no table"),
    ],
)
def test_a_damaged_or_wrong_file_is_refused(coins, tmp_path, damage, message):
    path = write_table(coins, tmp_path)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(TableFileError, match=message):
        read_table(coins.game, TINY, tmp_path)


def test_a_file_under_the_name_of_another_is_refused(coins, tmp_path):
    path = write_table(coins, tmp_path)
    other = practice_game(COINS, nine=False)
    path.rename(tmp_path / table_name(other, TINY))
    with pytest.raises(TableFileError, match="another game"):
        read_table(other, TINY, tmp_path)


def test_the_header_can_be_read_by_anyone(coins, tmp_path):
    content = write_table(coins, tmp_path).read_bytes()
    line, newline, values = content.partition(b"\n")
    header = json.loads(line)
    assert header["game"]["nine"] is True
    assert header["bounds"] == list(TINY)
    assert len(values) == 8 * sum(header["levels"])
    assert len(line + newline) % 8 == 0


# --- the cache --------------------------------------------------------------------------------


def test_other_dice_are_solved_once_and_kept(own_cache, monkeypatch):
    first = value_table(COINS, nine=True)
    monkeypatch.setattr(store, "_tables", {})
    monkeypatch.setattr(store, "solve_table", _must_not_be_called)
    assert store.has_table(COINS, nine=True)
    again = value_table(COINS, nine=True)
    assert all(np.array_equal(a, b) for a, b in zip(first.levels, again.levels, strict=True))
    assert value_table(COINS, nine=True) is again
    assert not store.has_table(COINS, nine=False)


def _must_not_be_called(*_):
    raise AssertionError


def test_a_damaged_file_in_the_cache_is_solved_again(own_cache, monkeypatch, caplog):
    value_table(COINS, nine=True)
    (path,) = own_cache.glob("*.values")
    whole = path.read_bytes()
    path.write_bytes(whole[:-3])
    monkeypatch.setattr(store, "_tables", {})
    with caplog.at_level(logging.WARNING):
        value_table(COINS, nine=True)
    assert "solved again" in caplog.text
    assert path.read_bytes() == whole


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(own_cache, caplog):
    own_cache.write_text("a file where the folder should be")
    with caplog.at_level(logging.WARNING):
        table = value_table(COINS, nine=True)
    assert isinstance(table, ValueTable)
    assert "cannot be kept" in caplog.text


SOLVE_COINS = """
import sys
from pathlib import Path
from skyline_kernel.skyline import DiceSet
from skyline_kernel.skyline.solver import store
store.cache_folder = lambda: Path(sys.argv[1])
store.NARROW = tuple(map(int, sys.argv[2].split()))
coins = DiceSet("coins", ((1, 0, 1, 0), (0, 0, 1, 1), (0, 0, 1, 1)))
print(sum(float(level.sum()) for level in store.value_table(coins, nine=True).levels))
"""


@pytest.mark.slow
def test_two_processes_that_need_the_same_table_get_the_same(coins, tmp_path):
    command = [sys.executable, "-c", SOLVE_COINS, str(tmp_path), " ".join(map(str, TINY))]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    both = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    sums = [process.communicate(timeout=120)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert {float(total) for total in sums} == {sum(float(v.sum()) for v in coins.levels)}
    assert [path.name for path in tmp_path.glob("*.values")] == [table_name(coins.game, TINY)]
    assert not list(tmp_path.glob(".*"))


# --- the command ------------------------------------------------------------------------------


@pytest.fixture
def small_command(monkeypatch, tmp_path):
    monkeypatch.setattr(rebuild, "SHIPPED_FOLDER", tmp_path)
    monkeypatch.setattr(rebuild, "WIDE", TINY)
    monkeypatch.setattr(rebuild, "TRIMMED", TINY)
    monkeypatch.setattr(rebuild, "shipped_dice_set", lambda _: COINS)
    monkeypatch.setattr(rebuild, "ProcessPoolExecutor", lambda n, _: ThreadPoolExecutor(n))
    return tmp_path


@pytest.mark.slow
def test_the_command_rebuilds_and_checks(small_command, capsys):
    assert rebuild.main([]) == 0
    files = sorted(small_command.iterdir())
    assert len(files) == 2
    assert "100%" in capsys.readouterr().err
    assert rebuild.main(["--check"]) == 0
    assert "2 tables: the same bit for bit" in capsys.readouterr().out
    files[0].write_bytes(files[0].read_bytes()[:-1])
    assert rebuild.main(["--check"]) == 1
    assert files[0].name in capsys.readouterr().err


def test_progress_counts_every_skyline(coins):
    done = []
    solve_table(coins.game, TINY, done.append)
    assert sum(done) == work(coins.game, TINY)


def test_a_trimmed_table_holds_the_same_values(coins):
    narrow = (*(bound - 2 for bound in TINY[:-1]), 0)
    part = trimmed(coins, narrow)
    for turns_left in range(1, N_ROUNDS + 1):
        keys = part.skylines(turns_left)
        assert np.array_equal(part.levels[turns_left], coins.gains(keys, turns_left))


def test_tests_leave_the_cache_alone():
    assert table_in_memory(COINS, nine=True).bounds[1] < 0
