"""The desk of a visitor: where answers to exercises are kept, and who may see them.

A desk is named by a code of 128 random bits that only the visitor's browser has, in a cookie.
Nobody can guess another one, and no code becomes a part of a path: the folder is named after a
hash of it.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final

from skyline_app.store import data_folder, new_code

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["COOKIE", "COOKIE_DAYS", "desk_code", "desk_folder", "is_desk_code"]

COOKIE: Final = "skyline_desk"
COOKIE_DAYS: Final = 365
_CODE: Final = re.compile(r"[A-Za-z0-9_-]{22}")


def is_desk_code(code: str | None) -> bool:
    """Tell whether a text has the form of a code; whether a desk bears it is not asked."""
    return code is not None and _CODE.fullmatch(code) is not None


def desk_code(cookie: str | None) -> str:
    """Return the code that a cookie brings, a new one if it brings none."""
    return cookie if cookie is not None and is_desk_code(cookie) else new_code()


def desk_folder(code: str) -> Path:
    """Return the folder for the answers of one desk, below the data folder.

    Parameters
    ----------
    code : str
        See `is_desk_code`.

    Raises
    ------
    ValueError
        If it is no code.
    """
    if not is_desk_code(code):
        raise ValueError(f"{code!r} is no code of a desk")
    return data_folder() / "desks" / hashlib.sha256(code.encode()).hexdigest()[:32]
