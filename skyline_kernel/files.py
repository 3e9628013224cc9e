"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

__all__ = ["write_whole"]


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
