"""Where games are kept: nothing is lost, nothing can be guessed, nobody overwrites another."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import IO, Any

import pytest
from playing import PERSON, ROBOT, whole_game
from skyline_app import store as store_module
from skyline_app.store import GameStore, SavedGame, StoreError, data_folder, new_code

from skyline_kernel.errors import KitError, RecordError
from skyline_kernel.skyline import (
    ROLL,
    TAKE_DISTRICT,
    Game,
    Rules,
    parse_rules,
    start_game,
)


@pytest.fixture
def store(tmp_path: Path) -> GameStore:
    return GameStore(tmp_path / "games")


def new_game(seed: int = 1) -> Game:
    return start_game([PERSON, ROBOT], seed=seed)


# --- keeping and finding ----------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["online", "printed+nine+box", "online+blank-upper"])
def test_what_is_kept_is_found(store: GameStore, rules: str) -> None:
    game = whole_game(parse_rules(rules), seed=9)[-1].game
    saved = store.add(game)
    assert store.find(saved.code) == SavedGame(saved.code, 1, game)


def test_every_move_is_kept(store: GameStore) -> None:
    saved = store.add(new_game())
    for play in whole_game(Rules(), seed=1)[1:40]:
        saved = store.replace(saved, play.game)
        assert store.find(saved.code) == saved
    assert saved.revision == 40


def test_move_that_was_taken_back_is_kept_too(store: GameStore) -> None:
    game = new_game()
    saved = store.add(game)
    saved = store.replace(saved, game.play(TAKE_DISTRICT))
    saved = store.replace(saved, saved.game.undo())
    assert store.find(saved.code).game == game


def test_next_roll_is_the_same_after_finding(store: GameStore) -> None:
    saved = store.add(new_game().play(TAKE_DISTRICT))
    assert store.find(saved.code).game.play(ROLL) == saved.game.play(ROLL)


@pytest.mark.parametrize(
    "name", ["<img src=x onerror=alert(1)>", "שלום", "😀", "'; DROP TABLE games"]
)
def test_any_name_is_kept(store: GameStore, name: str) -> None:
    from skyline_kernel.skyline import Seat

    saved = store.add(start_game([Seat(name)], seed=1))
    assert store.find(saved.code).game.seats[0].name == name
    (summary,) = store.summaries([saved.code])
    assert summary.names == (name,)


# --- codes ------------------------------------------------------------------------------------


def test_codes_cannot_be_guessed() -> None:
    codes = {new_code() for _ in range(2000)}
    assert len(codes) == 2000
    assert {len(code) for code in codes} == {22}
    for place in range(21):
        assert len({code[place] for code in codes}) == 64, "every place is random"


@pytest.mark.parametrize(
    "code",
    [
        "",
        "x",
        "a" * 22,
        "a" * 23,
        "%",
        "_" * 22,
        "' OR 1=1 --aaaaaaaaaaa",
        "../../../../etc/passwd",
        "a" * 21 + "\n",
        "é" * 22,
        "\x00" * 22,
        "a" * 100_000,
    ],
    ids=lambda code: ascii(code)[:30],
)
def test_foreign_code_finds_nothing(store: GameStore, code: str) -> None:
    for _ in range(2):
        with pytest.raises(StoreError, match="There is no game at this address"):
            store.find(code)
        assert store.summaries([code]) == []
        store.add(new_game())


def test_looking_makes_no_file(tmp_path: Path) -> None:
    store = GameStore(tmp_path / "games")
    with pytest.raises(StoreError):
        store.find("a" * 22)
    assert list(tmp_path.iterdir()) == []


def test_nobody_else_may_look_into_the_folder(store: GameStore, tmp_path: Path) -> None:
    """Who could read the file would know every code."""
    store.add(new_game())
    if os.name == "posix":
        assert (tmp_path / "games").stat().st_mode & 0o077 == 0


# --- two windows ------------------------------------------------------------------------------


def test_later_of_two_windows_is_refused(store: GameStore) -> None:
    first = store.add(new_game())
    second = store.find(first.code)
    moved = store.replace(first, first.game.play(TAKE_DISTRICT))
    with pytest.raises(StoreError, match="moved on in another window"):
        store.replace(second, second.game.play(TAKE_DISTRICT))
    assert store.find(first.code) == moved


def test_game_that_was_deleted_does_not_come_back(store: GameStore) -> None:
    saved = store.add(new_game())
    store.delete(saved.code)
    store.delete(saved.code)
    with pytest.raises(StoreError):
        store.replace(saved, saved.game.play(TAKE_DISTRICT))
    with pytest.raises(StoreError, match="no game"):
        store.find(saved.code)


# --- processes --------------------------------------------------------------------------------

WRITER = """
import sys
from pathlib import Path
from skyline_app.store import GameStore
from skyline_kernel.skyline import ROLL, TAKE_DISTRICT, Abandon, END, Seat, start_game

store = GameStore(Path(sys.argv[1]))
sys.stdin.readline()
for seed in range(int(sys.argv[2])):
    game = start_game([Seat("Ada")], seed=seed)
    saved = store.add(game)
    print(saved.code, 0, flush=True)
    while not game.state.is_over:
        for action in (TAKE_DISTRICT, ROLL, None, END):
            game = game.play(action or Abandon(game.state.dice[0]))
            saved = store.replace(saved, game)
            print(saved.code, game.n_moves, flush=True)
"""


def start_writer(folder: Path, n_games: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), str(n_games)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def release(process: subprocess.Popen[str]) -> IO[str]:
    """Let a writer begin; return what it says."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return process.stdout


@pytest.fixture
def writers(tmp_path: Path) -> Iterator[list[subprocess.Popen[str]]]:
    running: list[subprocess.Popen[str]] = []
    yield running
    for process in running:
        process.kill()
        process.communicate()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="a process is killed by a signal")
def test_killed_process_loses_no_move_that_it_has_told_of(
    store: GameStore, tmp_path: Path, writers: list[subprocess.Popen[str]]
) -> None:
    process = start_writer(tmp_path / "games", 1000)
    writers.append(process)
    said = release(process)
    told = dict(said.readline().split() for _ in range(60))
    process.send_signal(signal.SIGKILL)
    for line in said:
        if line.endswith("\n"):
            code, n_moves = line.split()
            told[code] = n_moves
    process.wait()
    for code, n_told in told.items():
        found = store.find(code)
        assert found.game.n_moves - int(n_told) in (0, 1)
        assert found.revision == found.game.n_moves + 1
    again = store.find(next(reversed(told)))
    if not again.game.state.is_over and again.game.state.phase == "take":
        store.replace(again, again.game.play(TAKE_DISTRICT))


@pytest.mark.slow
def test_processes_at_once(
    store: GameStore, tmp_path: Path, writers: list[subprocess.Popen[str]]
) -> None:
    """They begin together on a folder that is not there yet."""
    writers += [start_writer(tmp_path / "games", 1) for _ in range(4)]
    outputs = [release(process) for process in writers]
    lines = [output.read().split("\n") for output in outputs]
    assert [process.wait() for process in writers] == [0] * 4
    codes = {line.split()[0] for said in lines for line in said if line}
    assert len(codes) == 4
    for code in codes:
        assert store.find(code).game.state.is_over


class BusyConnection(sqlite3.Connection):
    """One of many that open a new file at once: SQLite does not wait, but refuses some."""

    n_refusals = 3

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        """Refuse to change the journal a few times."""
        if "journal_mode" in sql and self.n_refusals > 0:
            self.n_refusals -= 1
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error
        return super().execute(sql, *parameters)


def test_file_that_many_open_for_the_first_time(
    store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = partial(sqlite3.connect, factory=BusyConnection)
    monkeypatch.setattr(sqlite3, "connect", connect)
    saved = store.add(new_game())
    assert store.find(saved.code) == saved


def test_file_that_stays_locked(store: GameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "_SECONDS_TO_WAIT", 0.05)
    monkeypatch.setattr(BusyConnection, "n_refusals", 10**9)
    connect = partial(sqlite3.connect, factory=BusyConnection)
    monkeypatch.setattr(sqlite3, "connect", connect)
    with pytest.raises(StoreError, match="could not be saved: database is locked"):
        store.add(new_game())


# --- when it cannot be done -------------------------------------------------------------------


def test_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    store = GameStore(tmp_path / "file" / "games")
    with pytest.raises(StoreError, match="The game could not be saved"):
        store.add(new_game())
    with pytest.raises(StoreError, match="There is no game"):
        store.find("a" * 22)


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError(5, "I/O")])
def test_folder_that_cannot_be_read(
    store: GameStore, monkeypatch: pytest.MonkeyPatch, error: OSError
) -> None:
    def refuse(_path: Path, **_options: bool) -> None:
        raise error

    monkeypatch.setattr(Path, "exists", refuse)
    monkeypatch.setattr(Path, "stat", refuse)
    with pytest.raises(StoreError):
        store.find("a" * 22)
    with pytest.raises(StoreError):
        store.summaries(["a" * 22])


def test_disk_that_is_full(store: GameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = store.add(new_game())

    def refuse() -> sqlite3.Connection:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(store, "_connect", refuse)
        with pytest.raises(StoreError, match=r"could not be saved: .* full"):
            store.replace(saved, saved.game.play(TAKE_DISTRICT))
    assert store.find(saved.code) == saved


@pytest.mark.parametrize("content", [b"", b"no database at all" * 100, b"SQLite format 3\x00 cut"])
def test_damaged_file_is_one_sentence(store: GameStore, tmp_path: Path, content: bytes) -> None:
    """No connection may be left open either: that would be a warning, and warnings are errors."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "games.sqlite3").write_bytes(content)
    with pytest.raises(StoreError) as caught:
        store.find("a" * 22)
    assert "\n" not in str(caught.value)
    if content:
        with pytest.raises(StoreError, match="could not be saved"):
            store.add(new_game())
        with pytest.raises(StoreError, match="cannot be read"):
            store.summaries(["a" * 22])


def test_no_connection_is_left_open(
    store: GameStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def noted(path: Path, timeout: float) -> sqlite3.Connection:
        opened.append(connect(path, timeout=timeout))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", noted)
    store.find(store.add(new_game()).code)
    (tmp_path / "games" / "games.sqlite3").write_bytes(b"no database at all" * 100)
    for suffix in ("-wal", "-shm"):
        (tmp_path / "games" / f"games.sqlite3{suffix}").unlink(missing_ok=True)
    with pytest.raises(StoreError):
        store.add(new_game())
    assert len(opened) == 3
    for connection in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")


RECORDS = ["", "{", "[]", "null", '{"format": "skyline-game"}', "\x00", "[" * 5000]


def write_record(tmp_path: Path, code: str, record: str) -> None:
    path = tmp_path / "games" / "games.sqlite3"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE games SET record = ? WHERE code = ?", (record, code))


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: ascii(record)[:20])
def test_damaged_record_is_one_sentence(store: GameStore, tmp_path: Path, record: str) -> None:
    saved, sound = store.add(new_game()), store.add(new_game(2))
    write_record(tmp_path, saved.code, record)
    with pytest.raises(RecordError) as caught:
        store.find(saved.code)
    assert "\n" not in str(caught.value)
    assert store.find(sound.code) == sound
    listed = store.summaries([saved.code, sound.code])
    assert [summary.code for summary in listed] == [sound.code], "one of them hides no other"


def test_record_that_was_tampered_with(store: GameStore, tmp_path: Path) -> None:
    game = new_game().play(TAKE_DISTRICT).play(ROLL)
    saved = store.add(game)
    with closing(sqlite3.connect(tmp_path / "games" / "games.sqlite3")) as connection:
        (record,) = connection.execute("SELECT record FROM games").fetchone()
    write_record(tmp_path, saved.code, record.replace('"roll=', '"roll=Gh,Uh,Ph", "roll='))
    with pytest.raises(KitError, match="record: "):
        store.find(saved.code)


def test_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SKYLINE_DATA_DIR", str(tmp_path))
    assert data_folder() == tmp_path
    monkeypatch.delenv("SKYLINE_DATA_DIR")
    assert data_folder().name == "skyline"
