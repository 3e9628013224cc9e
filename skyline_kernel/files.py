"""Files that are written whole or not at all, and never read without end."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["read_beginning", "unreadable", "write_whole"]


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


def unreadable(error: OSError | UnicodeDecodeError) -> str:
    """Say in a few words why a text file could not be read."""
    if isinstance(error, UnicodeDecodeError):
        return "is not UTF-8 text"
    return error.strerror or "cannot be read"


def write_whole(path: Path, content: str | bytes) -> None:
    """Write `content` to `path` so that nobody ever reads half of it.

    It goes to a new file in the same folder, is flushed to the disk and then takes the
    name in one step.  If anything fails, what stood there before still stands.

    Parameters
    ----------
    path : Path
    content : str or bytes
        Text is written as UTF-8.

    Raises
    ------
    OSError
        If the folder cannot be written to.
    """
    import tempfile  # costs as much as the rest of the kernel's small modules together

    data = content.encode() if isinstance(content, str) else content
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
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
