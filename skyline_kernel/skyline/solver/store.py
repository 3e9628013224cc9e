"""Files of solved tables: found by what they hold, checked when they are read.

A file begins with one line of JSON that describes the rules, the dice and the bounds of the
table, and the checksum of the rest: the levels 1 to 9 one after the other, little-endian floats of
eight bytes.  Its name is a hash of that description, and the description is compared when the
file is opened: a table of other rules, of other dice or of another version of the format is
never used.  Pages map the file into memory, so many processes share one copy.

Tables of the standard dice come with the package.  Others are solved when they are first needed
and kept in the user's cache folder.  Whoever needs a table that is being solved waits for it;
files take their name only when they are complete.
"""

from __future__ import annotations

import json
import logging
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np
from filelock import FileLock
from platformdirs import user_cache_path

from ...errors import KitError
from ...files import write_whole
from ..dice_sets import DiceSet
from .practice import PracticeGame, practice_game
from .tables import NARROW, TRIMMED, Bounds, Progress, ValueTable, silent, solve_table

__all__ = [
    "SHIPPED_FOLDER",
    "TableFileError",
    "cache_folder",
    "has_table",
    "read_table",
    "table_name",
    "value_table",
    "write_table",
]

SHIPPED_FOLDER: Final = Path(__file__).parent.parent / "data" / "solved"
FORMAT: Final = 1
VALUE: Final = np.dtype("<f8")
_MOST_HEADER: Final = 65536

_log = logging.getLogger(__name__)


class TableFileError(KitError):
    """A file that does not hold the table that it should."""


def cache_folder() -> Path:
    """Return the folder of solved tables that the user's programs share."""
    return user_cache_path("skyline-kit", appauthor=False) / "solved"


def _description(game: PracticeGame, bounds: Bounds) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "game": game.description(),
        "bounds": list(bounds),
    }


def table_name(game: PracticeGame, bounds: Bounds) -> str:
    """Return the name of the file that holds this table and no other."""
    text = json.dumps(_description(game, bounds), sort_keys=True)
    return f"{blake2b(text.encode(), digest_size=12).hexdigest()}.values"


# --- reading and writing ----------------------------------------------------------------------


def write_table(table: ValueTable, folder: Path) -> Path:
    """Write `table` into `folder`, whole or not at all.

    Returns
    -------
    Path
        Of the file; the same table gives the same bytes.

    Raises
    ------
    OSError
        If the folder cannot be written to.
    """
    payload = np.concatenate(table.levels[1:]).astype(VALUE).tobytes()
    header = {
        **_description(table.game, table.bounds),
        "levels": [len(level) for level in table.levels],
        "checksum": blake2b(payload).hexdigest(),
    }
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / table_name(table.game, table.bounds)
    line = json.dumps(header, sort_keys=True).encode()
    # Padded so that the floats begin at a multiple of their size.
    line += b" " * (-(len(line) + 1) % VALUE.itemsize) + b"\n"
    write_whole(path, line + payload)
    return path


def read_table(game: PracticeGame, bounds: Bounds, folder: Path) -> ValueTable:
    """Open the file of a table and check it.

    Returns
    -------
    ValueTable
        Its levels are read-only maps of the file.

    Raises
    ------
    FileNotFoundError
        If the folder does not hold the table.
    TableFileError
        If the file is damaged or holds something else.
    """
    path = folder / table_name(game, bounds)
    header, begin = _read_header(path)
    checksum, sizes = header.pop("checksum", None), header.pop("levels", [])
    if header != _description(game, bounds):
        raise TableFileError("{file}: holds the table of another game", file=path.name)
    if checksum != _checksum(path, begin):
        raise TableFileError("{file}: is damaged, its checksum does not fit", file=path.name)
    values = np.memmap(path, dtype=VALUE, mode="r", offset=begin)
    return ValueTable(game, bounds, np.split(values, np.cumsum(sizes)[:-1]))


def _read_header(path: Path) -> tuple[dict[str, Any], int]:
    with path.open("rb") as file:
        line = file.readline(_MOST_HEADER)
    try:
        header = json.loads(line)
    except ValueError as error:
        raise TableFileError("{file}: is no table of values", file=path.name) from error
    if not isinstance(header, dict):
        raise TableFileError("{file}: is no table of values", file=path.name)
    return header, len(line)


def _checksum(path: Path, begin: int) -> str:
    # Read, not mapped: a page must not keep the whole table in its memory for this.
    digest = blake2b()
    with path.open("rb") as file:
        file.seek(begin)
        while block := file.read(1 << 18):
            digest.update(block)
    return digest.hexdigest()


# --- finding or solving -----------------------------------------------------------------------


def value_table(dice_set: DiceSet, *, nine: bool, progress: Progress | None = None) -> ValueTable:
    """Return the solved practice game: shipped, from the cache, or solved now.

    Parameters
    ----------
    dice_set : DiceSet
        Sets with the same faces share a table, whatever their names.
    nine : bool
        Always nine rounds.
    progress : callable, optional
        Is told how many skylines more are done, should the table be solved now.

    Notes
    -----
    Solving takes a few seconds and about 150 MB.  A cache folder that cannot be written to costs
    the next program the same again, nothing else.
    """
    return _table_of(practice_game(dice_set, nine=nine), progress or silent)


def has_table(dice_set: DiceSet, *, nine: bool) -> bool:
    """Return whether `value_table` would answer at once, without solving anything."""
    game = practice_game(dice_set, nine=nine)
    if game in _tables:
        return True
    places = ((TRIMMED, SHIPPED_FOLDER), (NARROW, cache_folder()))
    return any((folder / table_name(game, bounds)).is_file() for bounds, folder in places)


_tables: Final[dict[PracticeGame, ValueTable]] = {}


def _table_of(game: PracticeGame, progress: Progress) -> ValueTable:
    if game not in _tables:
        _tables[game] = (
            _readable(game, TRIMMED, SHIPPED_FOLDER)
            or _readable(game, NARROW, cache_folder())
            or _solved_once(game, progress)
        )
    return _tables[game]


def _readable(game: PracticeGame, bounds: Bounds, folder: Path) -> ValueTable | None:
    try:
        return read_table(game, bounds, folder)
    except FileNotFoundError:
        return None
    except (OSError, TableFileError) as error:
        _log.warning("%s; the table is solved again", error)
        return None


def _solved_once(game: PracticeGame, progress: Progress) -> ValueTable:
    """Solve a table for all programs that share the cache folder."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / f"{table_name(game, NARROW)}.lock")
        with lock:
            table = _readable(game, NARROW, folder)
            if table is None:
                table = solve_table(game, NARROW, progress)
                write_table(table, folder)
            return table
    except OSError as error:
        _log.warning("solved tables cannot be kept in %s: %s", folder, error)
        return solve_table(game, NARROW, progress)
