"""Where the games of the app are kept: one SQLite file in the user's data folder.

Every move is written before the page shows it, so neither a reload nor a dead page process
loses anything.  A game is found by its code alone, and a code cannot be guessed.  Two pages on
one game cannot both move: each write names the revision that it has seen, and the later one is
refused.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import sqlite3
import time
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from platformdirs import user_data_path

from skyline_kernel.errors import KitError
from skyline_kernel.skyline import Game, format_record, parse_record

__all__ = ["GameStore", "SavedGame", "StoreError", "Summary", "data_folder", "new_code"]

_CODE: Final = re.compile(r"[A-Za-z0-9_-]{22}")
_SECONDS_TO_WAIT: Final = 10.0
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS games (
    code TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    changed REAL NOT NULL,
    record TEXT NOT NULL
) STRICT
"""


class StoreError(KitError):
    """A game that cannot be kept or found."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game as it is kept.

    Parameters
    ----------
    code : str
        22 characters that name the game.
    revision : int
        How often it has been written.
    game : Game
    """

    code: str
    revision: int
    game: Game


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list of games tells of one.

    Parameters
    ----------
    code : str
    names : tuple of str
        Of the seats.
    round : int
        1 to 9.
    changed : float
        When it was written last, in seconds since 1970.
    """

    code: str
    names: tuple[str, ...]
    round: int
    changed: float


def data_folder() -> Path:
    """Return the folder for games: ``SKYLINE_DATA_DIR``, else the user's data folder."""
    named = os.environ.get("SKYLINE_DATA_DIR")
    return Path(named) if named else user_data_path("skyline")


def new_code() -> str:
    """Return a code that nobody can guess: 128 random bits in 22 characters."""
    return secrets.token_urlsafe(16)


class GameStore:
    """The games in one folder.

    Parameters
    ----------
    folder : Path
        Made when the first game is kept.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / "games.sqlite3"

    def add(self, game: Game) -> SavedGame:
        """Keep a new game under a new code.

        Raises
        ------
        StoreError
            If the folder cannot be written to.
        """
        saved = SavedGame(new_code(), 1, game)
        self._write(
            "INSERT INTO games (code, revision, changed, record) VALUES (?, ?, ?, ?)",
            (saved.code, saved.revision, time.time(), format_record(game)),
        )
        return saved

    def replace(self, saved: SavedGame, game: Game) -> SavedGame:
        """Keep `game` in place of the revision that was seen last.

        Raises
        ------
        StoreError
            If somebody else has moved since, or the folder cannot be written to.
        """
        n_written = self._write(
            "UPDATE games SET revision = revision + 1, changed = ?, record = ?"
            " WHERE code = ? AND revision = ?",
            (time.time(), format_record(game), saved.code, saved.revision),
        )
        if n_written != 1:
            raise StoreError(
                "This game has moved on in another window. Load this page again to see it."
            )
        return SavedGame(saved.code, saved.revision + 1, game)

    def find(self, code: str) -> SavedGame:
        """Return the game of this code, replayed from its record.

        Raises
        ------
        StoreError
            If there is none, or the file cannot be read.
        RecordError
            If its record is damaged.
        """
        wanted = [code] if _CODE.fullmatch(code) else []
        rows = self._read("SELECT revision, record FROM games WHERE code IN ({codes})", wanted)
        if not rows:
            raise StoreError("There is no game at this address.")
        ((revision, record),) = rows
        return SavedGame(code, revision, parse_record(record))

    def summaries(self, codes: Iterable[str]) -> list[Summary]:
        """Return what can be told of the games with these codes, the latest first.

        A game whose record is damaged is left out.

        Raises
        ------
        StoreError
            If the file cannot be read.
        """
        wanted = [code for code in codes if _CODE.fullmatch(code)]
        rows = self._read("SELECT code, changed, record FROM games WHERE code IN ({codes})", wanted)
        found = [summary for row in rows if (summary := _summary(row)) is not None]
        return sorted(found, key=lambda summary: -summary.changed)

    def delete(self, code: str) -> None:
        """Delete a game for good; one that is not there is no error.

        Raises
        ------
        StoreError
            If the folder cannot be written to.
        """
        self._write("DELETE FROM games WHERE code = ?", (code,))

    def _read(self, query: str, codes: list[str]) -> list[Any]:
        """Return the rows of the games with these codes; ``{codes}`` of the query names them."""
        try:
            if not codes or not self._path.exists():
                return []
            with closing(self._connect()) as connection:
                places = ",".join("?" * len(codes))
                return connection.execute(query.format(codes=places), codes).fetchall()
        except (OSError, sqlite3.Error) as error:
            raise StoreError("The games cannot be read: {reason}", reason=error) from error

    def _write(self, statement: str, values: tuple[object, ...]) -> int:
        try:
            # For the user alone: who can read the file knows every code.
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with closing(self._connect()) as connection, connection:
                return connection.execute(statement, values).rowcount
        except (OSError, sqlite3.Error) as error:
            raise StoreError("The game could not be saved: {reason}", reason=error) from error

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=_SECONDS_TO_WAIT)
        try:
            _use_write_ahead_log(connection)
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(_TABLE)
        except sqlite3.Error:
            connection.close()
            raise
        return connection


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switch the journal; SQLite itself does not wait for others who do so on a new file."""
    end = time.monotonic() + _SECONDS_TO_WAIT
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            is_busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not is_busy or time.monotonic() > end:
                raise
            time.sleep(0.01)


def _summary(row: tuple[str, float, str]) -> Summary | None:
    code, changed, text = row
    try:
        record = json.loads(text)
        clock = record["final"].split()[4]
        names = tuple(seat["name"] for seat in record["seats"])
        return Summary(code, names, int(clock.partition(".")[0]), changed)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
