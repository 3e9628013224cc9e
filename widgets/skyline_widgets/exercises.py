"""Exercises with exact answers: drawn from a seed, graded, exported and graded again.

An exercise is a *template* and some numbers.  All variants of a template take the same steps and
have the same denominator before it is reduced, so two pupils with different seeds get different
numbers and the same difficulty.  Answers come from the kernel, never from a list.

Here is what others use of it: the sheets (`exercise_sheets`) with their templates
(`exercise_dice`, `exercise_columns`, `exercise_rolls`), the grading (`exercise_grading`) and what
somebody has answered (`exercise_attempts`).
"""

from .exercise_attempts import (
    MOST_LETTERS,
    MOST_TRIES,
    Attempt,
    Regraded,
    attempt_csv,
    format_attempt,
    new_attempt,
    parse_attempt,
    regrade,
    tried,
)
from .exercise_grading import Verdict, grade
from .exercise_sheets import SHEETS, TEMPLATES, Exercise, exercises_of, verify_sheet
from .exercise_template import Template

__all__ = [
    "MOST_LETTERS",
    "MOST_TRIES",
    "SHEETS",
    "TEMPLATES",
    "Attempt",
    "Exercise",
    "Regraded",
    "Template",
    "Verdict",
    "attempt_csv",
    "exercises_of",
    "format_attempt",
    "grade",
    "new_attempt",
    "parse_attempt",
    "regrade",
    "tried",
    "verify_sheet",
]
