"""The exercise sheet as a widget: answers on the spot, kept across reloads, exported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from skyline_kernel.errors import SettingError

from . import lab_items as items
from .exercise_store import ExerciseStore
from .exercise_template import STANDARD
from .exercises import (
    MOST_LETTERS,
    SHEETS,
    Attempt,
    Exercise,
    Verdict,
    attempt_csv,
    format_attempt,
    new_attempt,
    tried,
    verify_sheet,
)
from .lab_base import File, LabWidget, number_in
from .lab_items import Item
from .language import Language
from .words import sides_rows

__all__ = ["MOST_SHEETS", "ExerciseSheet", "answer_words", "sheet_words"]

MOST_SHEETS: Final = 999
"""Largest number of a sheet that can be chosen on the page."""


def sheet_words(sheet: str, lang: Language) -> str:
    """Name a sheet."""
    words = {
        "rules": lang.say("Exercises: the rules"),
        "chance": lang.say("Exercises: chances"),
        "reroll": lang.say("Exercises: reroll or stop"),
        "lesson-45": lang.say("Exercises: a lesson of 45 minutes"),
        "lesson-90": lang.say("Exercises: a lesson of 90 minutes"),
    }
    return words[sheet]


def answer_words(exercise: Exercise, lang: Language) -> str:
    """Write the exact answer of an exercise."""
    answer = exercise.answer
    if isinstance(answer, str):
        return dict(exercise.options(lang))[answer]
    if answer.denominator == 1:
        return str(answer)
    is_chance = answer < 1
    rounded = lang.percent(answer) if is_chance else lang.number(float(answer))
    is_exact = (answer * (1000 if is_chance else 100)).denominator == 1
    return f"{answer} {'=' if is_exact else '≈'} {rounded}"


class ExerciseSheet(LabWidget[Attempt]):
    """Exercises to answer on the page.

    Parameters
    ----------
    sheet : str
        ``rules``, ``chance``, ``reroll``, ``lesson-45`` or ``lesson-90``.
    seed : int, optional
        Number of the sheet; every number has numbers of its own and the same difficulty.  The
        one that was worked on last if left out, else 1.
    pupil : str, optional
        Name in the export; that which was kept if left out.
    store : ExerciseStore or None, optional
        Keeps the answers; the user's data folder if left out, nowhere if None.
    language : str, optional
        ``de`` or ``en``; that of the place if left out.
    theme : str
        ``auto``, ``light`` or ``dark``.

    Raises
    ------
    SettingError
        If there is no such sheet, the seed is none or the name too long.

    Examples
    --------
    >>> sheet = ExerciseSheet("chance", seed=1, store=None)
    >>> sheet.answer_to(1, "1/6")
    <Verdict.RIGHT: 'right'>
    >>> sheet.attempt.n_solved
    1
    """

    def __init__(
        self,
        sheet: str = "chance",
        *,
        seed: int | None = None,
        pupil: str | None = None,
        store: ExerciseStore | None = ExerciseStore(),  # noqa: B008 (a frozen value)
        language: str | None = None,
        theme: str = "auto",
    ) -> None:
        self._store = store
        if seed is None:
            seed = 1 if store is None else store.latest_seed(verify_sheet(sheet))
        attempt = self._opened(verify_sheet(sheet), seed)
        if pupil is None and store is not None:
            pupil = attempt.pupil or store.latest_pupil()
        if pupil is not None:
            attempt = replace(attempt, pupil=new_attempt(sheet, seed, pupil).pupil)
        super().__init__(attempt, language=language, theme=theme)

    @property
    def attempt(self) -> Attempt:
        """All answers so far."""
        return self._state

    def answer_to(self, number: int, given: str) -> Verdict:
        """Answer an exercise from code.

        Parameters
        ----------
        number : int
            Of the exercise, from 1.
        given : str

        Raises
        ------
        SettingError
            If there is no such exercise.
        """
        self.act("answer", name=str(number - 1), value=given)
        return self.attempt.verdicts(number - 1)[-1]

    def export_json(self) -> str:
        """Return all answers and verdicts as JSON, for a teacher."""
        return format_attempt(self.attempt)

    def export_csv(self) -> str:
        """Return a line for each exercise as comma-separated values, for a teacher."""
        return attempt_csv(self.attempt)

    def _opened(self, sheet: str, seed: int) -> Attempt:
        return new_attempt(sheet, seed) if self._store is None else self._store.load(sheet, seed)

    def _kept(self, state: Attempt) -> None:
        if self._store is not None:
            self._store.save(state)

    def _title(self, lang: Language) -> str:
        return sheet_words(self._state.sheet, lang)

    def _latest(self, state: Attempt) -> Attempt:
        """Return the answers as they are kept: another page may have added some meanwhile."""
        if self._store is None:
            return state
        kept = self._store.load(state.sheet, state.seed)
        if sum(map(len, kept.tries)) < sum(map(len, state.tries)):
            return state
        return replace(kept, pupil=state.pupil or kept.pupil)

    def _next(self, state: Attempt, command: Mapping[str, Any]) -> Attempt:
        state = self._latest(state)
        match command.get("do"), command.get("name"):
            case "answer", name:
                place = _place(state, name)
                return tried(state, place, str(command.get("value"))[: MOST_LETTERS + 1])
            case "reveal", name:
                return _revealed(state, _place(state, name))
            case "set", "pupil":
                name = str(command.get("value")).strip()
                return replace(state, pupil=new_attempt(state.sheet, state.seed, name).pupil)
            case "set", "seed":
                opened = self._opened(state.sheet, number_in(_typed(command), 1, MOST_SHEETS))
                return replace(opened, pupil=opened.pupil or state.pupil)
        raise SettingError("{name!r}: there is no such command", name=command.get("do"))

    def _sections(self, state: Attempt, lang: Language) -> list[Item]:
        questions = [_question(state, place, lang) for place in range(len(state.tries))]
        progress = lang.say(
            "{n} of {all} solved without help.", n=state.n_solved, all=len(state.tries)
        )
        hint = lang.say(
            "Write a fraction (11/36), a number with at least two decimals (0.31) or per cent (31 %)."
        )
        save = lang.say("The teacher can check these files again with a command.")
        names = [f"{state.sheet}-{state.seed}.{end}" for end in ("json", "csv")]
        return [
            items.section(
                "sheet",
                lang.say("Your sheet"),
                [
                    items.field("seed", lang.say("Number of the sheet"), str(state.seed)),
                    items.field("pupil", lang.say("Name (may stay empty)"), state.pupil),
                    items.note(progress, "good" if state.n_solved == len(state.tries) else "plain"),
                    items.text(hint),
                    *_sides(state.sheet, lang),
                    items.savers(lang, *names),
                    items.text(save),
                ],
            ),
            items.section("questions", lang.say("Questions"), questions),
        ]

    def _file(self, state: Attempt, name: str, lang: Language) -> File:
        if name == f"{state.sheet}-{state.seed}.json":
            return File("application/json", format_attempt(state))
        if name == f"{state.sheet}-{state.seed}.csv":
            return File("text/csv", attempt_csv(state))
        return super()._file(state, name, lang)


def _sides(sheet: str, lang: Language) -> list[Item]:
    """Return what the sides of the dice show, where a sheet asks for chances."""
    if sheet == "rules":
        return []
    return [items.table(lang.say("So many sides show it"), *sides_rows(STANDARD, lang))]


def _typed(command: Mapping[str, Any]) -> Mapping[str, Any]:
    """Read the number of a command that was typed in; a sheet is far away by single steps."""
    value = command.get("value")
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 9:
        return {**command, "value": int(value)}
    return command


def _place(state: Attempt, name: object) -> int:
    places = {str(place): place for place in range(len(state.tries))}
    if not isinstance(name, str) or name not in places:
        raise SettingError("{value!r}: there is no such exercise", value=name)
    return places[name]


def _revealed(state: Attempt, place: int) -> Attempt:
    if any(verdict.is_solved for verdict in state.verdicts(place)):
        return state
    revealed = (*state.revealed[:place], True, *state.revealed[place + 1 :])
    return replace(state, revealed=revealed)


def _question(state: Attempt, place: int, lang: Language) -> Item:
    exercise = state.exercises[place]
    tries, verdicts = state.tries[place], state.verdicts(place)
    is_found = any(verdict.is_solved for verdict in verdicts)
    tone = "" if not tries else "good" if verdicts[-1].is_solved else "bad"
    is_open = is_found or state.revealed[place]
    return {
        "type": "question",
        "name": str(place),
        "number": place + 1,
        "text": exercise.question(lang),
        "options": [list(option) for option in exercise.options(lang)],
        "label": lang.say("Answer to question {n}", n=place + 1),
        "given": tries[-1] if tries else "",
        "check": lang.say("Check"),
        "tone": tone,
        "sign": {"good": "✓", "bad": "✗"}.get(tone, ""),
        "verdict": _verdict_words(exercise, verdicts, lang),
        "reveal": lang.say("Show the answer") if tries and not is_open else "",
        "solution": _solution(exercise, lang) if is_open else "",
    }


def _solution(exercise: Exercise, lang: Language) -> str:
    """Give the answer and the way to it; a reason that begins with the answer stands alone."""
    answer, reason = answer_words(exercise, lang), exercise.explanation(lang)
    begins = reason.lower().startswith((f"{answer.lower()},", f"{answer.lower()}:"))
    return reason if begins else f"{answer}. {reason}"


def _verdict_words(exercise: Exercise, verdicts: tuple[Verdict, ...], lang: Language) -> str:
    if not verdicts:
        return ""
    match verdicts[-1]:
        case Verdict.RIGHT:
            return lang.say("Right!")
        case Verdict.ROUNDED:
            exact = exercise.answer
            assert isinstance(exact, Fraction)
            return lang.say("Right, rounded. Exactly it is {exact}.", exact=exact)
        case Verdict.WRONG:
            # What could not be read, or an empty field, was no try.
            n_tries = len(verdicts) - verdicts.count(Verdict.UNREADABLE)
            if n_tries == 1:
                return lang.say("Not yet.")
            return lang.say("Not yet, after {n} tries.", n=n_tries)
    hint = f"11/36, {lang.number(0.31)}, 31 %"
    return lang.say("This cannot be read as a number: {hint}.", hint=hint)


def known_sheets(lang: Language) -> list[list[str]]:
    """Return pairs of a sheet and its name."""
    return [[sheet, sheet_words(sheet, lang)] for sheet in SHEETS]
