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
from typing import Final

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
        if not _CODE.fullmatch(code) or not self._path.exists():
            raise StoreError("There is no game at this address.")
        try:
            with closing(self._connect()) as connection:
                row = connection.execute(
                    "SELECT revision, record FROM games WHERE code = ?", (code,)
                ).fetchone()
        except sqlite3.Error as error:
            raise StoreError("The games cannot be read: {reason}", reason=error) from error
        if row is None:
            raise StoreError("There is no game at this address.")
        return SavedGame(code, row[0], parse_record(row[1]))

    def summaries(self, codes: Iterable[str]) -> list[Summary]:
        """Return what can be told of the games with these codes, the latest first.

        Raises
        ------
        StoreError
            If the file cannot be read.
        """
        wanted = [code for code in codes if _CODE.fullmatch(code)]
        if not wanted or not self._path.exists():
            return []
        places = ",".join("?" * len(wanted))
        query = f"SELECT code, changed, record FROM games WHERE code IN ({places})"  # noqa: S608
        try:
            with closing(self._connect()) as connection:
                rows = connection.execute(query, wanted).fetchall()
        except sqlite3.Error as error:
            raise StoreError("The games cannot be read: {reason}", reason=error) from error
        return sorted(map(_summary, rows), key=lambda summary: -summary.changed)

    def delete(self, code: str) -> None:
        """Delete a game for good; one that is not there is no error.

        Raises
        ------
        StoreError
            If the folder cannot be written to.
        """
        self._write("DELETE FROM games WHERE code = ?", (code,))

    def _write(self, statement: str, values: tuple[object, ...]) -> int:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._connect()) as connection, connection:
                return connection.execute(statement, values).rowcount
        except (OSError, sqlite3.Error) as error:
            raise StoreError("The game could not be saved: {reason}", reason=error) from error

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=_SECONDS_TO_WAIT)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(_TABLE)
        return connection


def _summary(row: tuple[str, float, str]) -> Summary:
    code, changed, text = row
    record = json.loads(text)
    clock = record["final"].split()[4]
    names = tuple(seat["name"] for seat in record["seats"])
    return Summary(code, names, int(clock.partition(".")[0]), changed)
