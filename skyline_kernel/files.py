"""Files that are written whole or not at all, and never read without end."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

__all__ = ["read_beginning", "write_whole"]


def read_beginning(path: Path, most: int) -> str:
    """Return the first `most` characters of a UTF-8 text file, all if there are no more.

    Raises
    ------
    OSError
        If the file cannot be read.
    UnicodeDecodeError
        If it is not UTF-8.
    """
    with path.open(encoding="utf-8") as file:
        return file.read(most)


def write_whole(path: Path, text: str) -> None:
    """Write `text` to `path` so that nobody ever reads half of it.

    The text goes to a new file in the same folder, is flushed to the disk and then takes the
    name in one step.  If anything fails, what stood there before still stands.

    Parameters
    ----------
    path : Path
    text : str
        Written as UTF-8.

    Raises
    ------
    OSError
        If the folder cannot be written to.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        new = Path(name)
        new.chmod(0o666 & ~_umask())
        new.replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
