"""What somebody has answered: kept, written with all verdicts, and graded again.

`format_attempt` writes an attempt with all verdicts; `regrade` reads such a text, throws the
verdicts away, judges the answers again and writes it anew: an export that nobody has touched comes
back bit for bit.
"""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from skyline_kernel.errors import RecordError, SettingError

from .exercise_grading import Verdict, grade
from .exercise_sheets import Exercise, exercises_of

__all__ = [
    "FORMAT",
    "MOST_LETTERS",
    "MOST_TRIES",
    "Attempt",
    "Regraded",
    "attempt_csv",
    "format_attempt",
    "harmless",
    "new_attempt",
    "parse_attempt",
    "regrade",
    "tried",
]

FORMAT: Final = "skyline-exercises-1"
MOST_TRIES: Final = 50
"""Most answers to one exercise that are kept."""

MOST_LETTERS: Final = 40
"""Longest answer, and longest name, in characters."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What somebody has answered to a sheet.

    Parameters
    ----------
    sheet : str
    seed : int
    pupil : str
        A name, or nothing.
    tries : tuple of tuple of str
        All answers to each exercise, the last one last, shape ``(n_exercises,)``.
    revealed : tuple of bool
        Whether the way to the answer was asked for before it was found.
    """

    sheet: str
    seed: int
    pupil: str
    tries: tuple[tuple[str, ...], ...]
    revealed: tuple[bool, ...]

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """The exercises of the sheet."""
        return exercises_of(self.sheet, self.seed)

    def verdicts(self, place: int) -> tuple[Verdict, ...]:
        """Return what is said of each answer to one exercise."""
        exercise = self.exercises[place]
        return tuple(grade(exercise, given) for given in self.tries[place])

    def is_solved(self, place: int) -> bool:
        """Return whether an exercise was solved without help."""
        is_found = any(verdict.is_solved for verdict in self.verdicts(place))
        return is_found and not self.revealed[place]

    @property
    def n_solved(self) -> int:
        """Number of exercises that were solved without help."""
        return sum(self.is_solved(place) for place in range(len(self.tries)))


def new_attempt(sheet: str, seed: int, pupil: str = "") -> Attempt:
    """Return an attempt without any answers.

    Raises
    ------
    SettingError
        If there is no such sheet, the seed is none, or the name is too long.
    """
    n = len(exercises_of(sheet, seed))
    return Attempt(sheet, seed, _verified_words(pupil), ((),) * n, (False,) * n)


def _verified_words(words: object) -> str:
    if not isinstance(words, str) or len(words) > MOST_LETTERS or not words.isprintable():
        raise SettingError(
            "{value!r}: expected at most {most} printable characters",
            value=words,
            most=MOST_LETTERS,
        )
    return words


def tried(attempt: Attempt, place: int, given: str) -> Attempt:
    """Return the attempt with one more answer.

    Raises
    ------
    SettingError
        If there is no such exercise, it was answered `MOST_TRIES` times, or the answer is too
        long.
    """
    words = _verified_words(given).strip()
    if not 0 <= place < len(attempt.tries):
        raise SettingError("{value!r}: there is no such exercise", value=place)
    before = attempt.tries[place]
    if len(before) >= MOST_TRIES:
        raise SettingError("At most {n} answers to one exercise.", n=MOST_TRIES)
    tries = (*attempt.tries[:place], (*before, words), *attempt.tries[place + 1 :])
    return replace(attempt, tries=tries)


def _exercise_record(attempt: Attempt, place: int) -> dict[str, Any]:
    exercise = attempt.exercises[place]
    verdicts = attempt.verdicts(place)
    return {
        "key": exercise.key,
        "numbers": dict(exercise.numbers),
        "answer": str(exercise.answer),
        "tries": [
            {"given": given, "verdict": str(verdict)}
            for given, verdict in zip(attempt.tries[place], verdicts, strict=True)
        ],
        "revealed": attempt.revealed[place],
        "solved": attempt.is_solved(place),
    }


def format_attempt(attempt: Attempt) -> str:
    """Write an attempt with all verdicts as JSON; the inverse of `parse_attempt`."""
    content = {
        "format": FORMAT,
        "sheet": attempt.sheet,
        "seed": attempt.seed,
        "pupil": attempt.pupil,
        "exercises": [_exercise_record(attempt, place) for place in range(len(attempt.tries))],
        "solved": attempt.n_solved,
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def attempt_csv(attempt: Attempt) -> str:
    """Write an attempt as comma-separated values, one line for each exercise."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(
        [
            "pupil",
            "sheet",
            "seed",
            "exercise",
            "key",
            "answer",
            "last",
            "tries",
            "revealed",
            "solved",
        ]
    )
    for place, tries in enumerate(attempt.tries):
        exercise = attempt.exercises[place]
        last = tries[-1] if tries else ""
        start = [harmless(attempt.pupil), attempt.sheet, attempt.seed, place + 1, exercise.key]
        ends = [len(tries), attempt.revealed[place], attempt.is_solved(place)]
        writer.writerow([*start, str(exercise.answer), harmless(last), *ends])
    return table.getvalue()


def harmless(words: str) -> str:
    """Return words that a spreadsheet does not take for a formula."""
    return f"'{words}" if words[:1] in ("=", "+", "-", "@") else words


def parse_attempt(text: str) -> Attempt:
    """Read what `format_attempt` has written; only the answers are believed.

    Raises
    ------
    RecordError
        If the text is no such record.
    """
    try:
        content = json.loads(text)
        if content["format"] != FORMAT:
            raise RecordError("exercises: format {value!r} is not known", value=content["format"])
        attempt = new_attempt(content["sheet"], content["seed"], content["pupil"])
        records = content["exercises"]
        if len(records) != len(attempt.tries):
            raise RecordError("exercises: expected {n} of them", n=len(attempt.tries))
        for place, record in enumerate(records):
            for one in record["tries"]:
                attempt = tried(attempt, place, one["given"])
        return replace(attempt, revealed=tuple(record["revealed"] is True for record in records))
    except SettingError as error:
        raise RecordError("exercises: {reason}", reason=error) from error
    except (KeyError, TypeError, AttributeError, RecursionError, ValueError) as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError("exercises: this is no export of a sheet") from error


class Regraded(NamedTuple):
    """What came of grading an export again.

    Parameters
    ----------
    attempt : Attempt
    text : str
        The export as it should be.
    is_same : bool
        Whether it is so, bit for bit.
    """

    attempt: Attempt
    text: str
    is_same: bool


def regrade(text: str) -> Regraded:
    """Grade an export again.

    Parameters
    ----------
    text : str
        As `format_attempt` writes it; its verdicts and answers are not believed.

    Raises
    ------
    RecordError
        If the text is no such record.
    """
    attempt = parse_attempt(text)
    again = format_attempt(attempt)
    return Regraded(attempt, again, again == text)
