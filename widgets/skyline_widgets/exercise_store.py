"""Where answers to exercises are kept: one small file for each sheet and seed."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from platformdirs import user_data_path

from skyline_kernel.errors import RecordError, SettingError
from skyline_kernel.files import read_beginning, write_whole

from .exercises import Attempt, format_attempt, new_attempt, parse_attempt

__all__ = ["ExerciseStore", "exercise_folder"]

_MOST: Final = 400_000
_NAME: Final = re.compile(r"[a-z0-9-]+-[1-9][0-9]{0,8}\.json")


def exercise_folder() -> Path:
    """Return the folder for answers.

    That is ``SKYLINE_EXERCISES_DIR``, which the web app sets for each visitor, else the folder
    ``exercises`` below ``SKYLINE_DATA_DIR`` or the user's data folder.
    """
    own = os.environ.get("SKYLINE_EXERCISES_DIR")
    if own:
        return Path(own)
    named = os.environ.get("SKYLINE_DATA_DIR")
    return (Path(named) if named else user_data_path("skyline")) / "exercises"


@dataclass(frozen=True, slots=True)
class ExerciseStore:
    """The answers in one folder.

    Parameters
    ----------
    folder : Path, optional
        That of `exercise_folder` at the time of use if left out; made when it is first needed.
    """

    folder: Path | None = None

    @property
    def place(self) -> Path:
        """The folder that is used now."""
        return self.folder or exercise_folder()

    def latest_seed(self, sheet: str) -> int:
        """Return the seed of a sheet that was worked on last, 1 if none was."""
        latest = self._latest(f"{sheet}-*.json")
        return 1 if latest is None else int(latest.stem.rpartition("-")[2])

    def latest_pupil(self) -> str:
        """Return the name that was filled in last, on any sheet; empty if none was."""
        latest = self._latest("*-*.json")
        if latest is None:
            return ""
        try:
            return parse_attempt(read_beginning(latest, _MOST)).pupil
        except (OSError, RecordError, UnicodeDecodeError):
            return ""

    def _latest(self, pattern: str) -> Path | None:
        named = [path for path in self.place.glob(pattern) if _NAME.fullmatch(path.name)]
        return max(named, key=lambda path: path.stat().st_mtime_ns, default=None)

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
            self.place.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self._path(attempt), format_attempt(attempt))
        except OSError as error:
            raise SettingError(
                "The answer could not be saved: {reason}", reason=error.strerror or error
            ) from error

    def _path(self, attempt: Attempt) -> Path:
        return self.place / f"{attempt.sheet}-{attempt.seed}.json"
