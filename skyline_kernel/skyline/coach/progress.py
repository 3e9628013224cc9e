"""What somebody has practised: a frozen record that is kept as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from ...errors import KitError, RecordError
from ..notation import format_position, parse_position
from .puzzles import Difficulty, Session, Theme

__all__ = ["Practised", "Progress", "format_progress", "parse_progress"]

FORMAT: Final = "skyline-practice"
VERSION: Final = 1
_MOST: Final = 4_000_000
"""Longest record that is read, in characters."""


@dataclass(frozen=True)
class Practised:
    """One puzzle that somebody worked on.

    Parameters
    ----------
    position : str
        In the notation.
    theme : Theme
    difficulty : Difficulty
    day : date
    n_tries : int
        Answers, those that were taken back included.
    is_solved : bool
        Whether it was solved without having the answer shown.
    cost : float
        Loss of the first answer that stands, in points.
    """

    position: str
    theme: Theme
    difficulty: Difficulty
    day: date
    n_tries: int
    is_solved: bool
    cost: float

    @classmethod
    def of(cls, session: Session, day: date) -> Practised:
        """Sum a session up."""
        puzzle = session.puzzle
        return cls(
            format_position(puzzle.state),
            puzzle.theme,
            puzzle.difficulty,
            day,
            len(session.tries) + session.n_taken_back,
            session.is_solved and not session.is_revealed,
            session.tries[0].loss if session.tries else 0.0,
        )


@dataclass(frozen=True)
class Progress:
    """All that somebody has practised.

    Parameters
    ----------
    practised : tuple of Practised
        In the order of time.
    """

    practised: tuple[Practised, ...] = ()

    def with_session(self, session: Session, day: date) -> Progress:
        """Return the record with one more session."""
        return Progress((*self.practised, Practised.of(session, day)))

    def n_solved(self, theme: Theme | None = None) -> int:
        """Count the different puzzles that were solved, of one theme or all."""
        return len({one.position for one in self._of(theme) if one.is_solved})

    def open_positions(self, theme: Theme | None = None) -> tuple[str, ...]:
        """List the positions that were tried and never solved, oldest first."""
        solved = {one.position for one in self.practised if one.is_solved}
        tried = dict.fromkeys(one.position for one in self._of(theme))
        return tuple(position for position in tried if position not in solved)

    def days_in_a_row(self, until: date) -> int:
        """Count the days up to `until`, itself included, on which something was practised."""
        days = {one.day.toordinal() for one in self.practised}
        count = 0
        while until.toordinal() - count in days:
            count += 1
        return count

    def _of(self, theme: Theme | None) -> Iterable[Practised]:
        return (one for one in self.practised if theme in (None, one.theme))


def format_progress(progress: Progress) -> str:
    """Return the record as JSON."""
    rows = [
        {
            "position": one.position,
            "theme": one.theme.value,
            "difficulty": one.difficulty.value,
            "day": one.day.isoformat(),
            "tries": one.n_tries,
            "solved": one.is_solved,
            "cost": one.cost,
        }
        for one in progress.practised
    ]
    record = {"format": FORMAT, "version": VERSION, "practised": rows}
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def parse_progress(text: str) -> Progress:
    """Read a record; the inverse of `format_progress`.

    Raises
    ------
    RecordError
        If the text is no such record; the message says where.
    """
    if len(text) > _MOST:
        raise RecordError("progress: expected at most {most} characters", most=_MOST)
    try:
        record = json.loads(text)
    except (RecursionError, ValueError) as error:
        raise RecordError("progress: expected a record as JSON") from error
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise RecordError("progress: expected format {format}", format=FORMAT)
    if record.get("version") != VERSION:
        raise RecordError(
            "progress: version {version}: expected {known}",
            version=record.get("version"),
            known=VERSION,
        )
    rows = record.get("practised")
    if not isinstance(rows, list):
        raise RecordError("progress: practised: expected a list")
    return Progress(tuple(_practised(number, row) for number, row in enumerate(rows)))


def _practised(number: int, row: Any) -> Practised:
    try:
        one = Practised(
            format_position(parse_position(str(row["position"]))),
            Theme(row["theme"]),
            Difficulty(row["difficulty"]),
            date.fromisoformat(row["day"]),
            _whole(row["tries"]),
            bool(row["solved"]),
            float(row["cost"]),
        )
    except KitError as error:
        raise RecordError(
            "progress: practised[{number}]: {reason}", number=number, reason=error
        ) from error
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(
            "progress: practised[{number}]: {reason}", number=number, reason=error
        ) from error
    return one


def _whole(number: object) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise ValueError(f"{number!r} tries")
    return number
