"""Where answers to exercises are kept: one small file for each sheet and seed."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from platformdirs import user_data_path

from skyline_kernel.errors import RecordError, SettingError
from skyline_kernel.files import read_beginning, write_whole

from .exercises import Attempt, format_attempt, new_attempt, parse_attempt

__all__ = ["ExerciseStore", "exercise_folder"]

_MOST: Final = 400_000


def exercise_folder() -> Path:
    """Return the folder for answers, below ``SKYLINE_DATA_DIR`` or the user's data folder."""
    named = os.environ.get("SKYLINE_DATA_DIR")
    return (Path(named) if named else user_data_path("skyline")) / "exercises"


@dataclass(frozen=True, slots=True)
class ExerciseStore:
    """The answers in one folder.

    Parameters
    ----------
    folder : Path, optional
        That of `exercise_folder` if left out; made when it is first needed.
    """

    folder: Path = field(default_factory=exercise_folder)

    def load(self, sheet: str, seed: int) -> Attempt:
        """Return what was answered to a sheet, an attempt without answers if nothing was.

        A file that cannot be read is put aside under another name, so it is not lost.

        Raises
        ------
        SettingError
            If there is no such sheet or the seed is none.
        """
        fresh = new_attempt(sheet, seed)
        path = self._path(fresh)
        try:
            attempt = parse_attempt(read_beginning(path, _MOST))
        except OSError:
            return fresh
        except (RecordError, UnicodeDecodeError):
            path.replace(path.with_suffix(".damaged"))
            return fresh
        return attempt if (attempt.sheet, attempt.seed) == (sheet, seed) else fresh

    def save(self, attempt: Attempt) -> None:
        """Keep an attempt in the place of the one before.

        Raises
        ------
        SettingError
            If the folder cannot be written to.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._path(attempt), format_attempt(attempt))
        except OSError as error:
            raise SettingError(
                "The answer could not be saved: {reason}", reason=error.strerror or error
            ) from error

    def _path(self, attempt: Attempt) -> Path:
        return self.folder / f"{attempt.sheet}-{attempt.seed}.json"
