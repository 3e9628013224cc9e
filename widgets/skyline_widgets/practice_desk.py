"""The practice page: one decision at a time, the answer hidden until it is found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from skyline_kernel.errors import SettingError
from skyline_kernel.rolls import new_seed
from skyline_kernel.skyline import Game, Seat, State, format_action, parse_action

from .advice_view import named
from .language import Language
from .play import Play, resume
from .view import position_view
from .words import choice_words, say_sentence

if TYPE_CHECKING:
    from skyline_kernel.skyline.coach.progress import Progress
    from skyline_kernel.skyline.coach.puzzles import Puzzle, Session, Try

__all__ = ["PracticeDesk"]

View = dict[str, Any]

MOST_OPTIONS: Final = 120
"""Most choices that a puzzle may have: a page cannot show more."""


@dataclass
class PracticeDesk:
    """Somebody at the practice page: the puzzle at hand, those that wait, and what was done."""

    session: Session | None = None
    waiting: list[Puzzle] = field(default_factory=list)
    progress: Progress | None = None

    def carry_out(self, command: Mapping[str, Any]) -> None:
        """Do what the page asks for.

        Raises
        ------
        KitError
            If there is no such theme, puzzle or action.
        """
        match command.get("do"):
            case "daily puzzle":
                self._begin(_daily())
            case "new puzzle":
                self._begin(_fresh(command))
            case "next puzzle":
                self._begin_waiting()
            case "answer":
                self.session = self._at_work().answer(parse_action(str(command.get("action"))))
                self._note()
            case "withdraw":
                self.session = self._at_work().take_back()
            case "reveal":
                self.session = self._at_work().reveal()
                self._note()

    def offer(self, puzzles: tuple[Puzzle, ...]) -> None:
        """Put the mistakes of a game on the desk, the first one on top.

        Raises
        ------
        SettingError
            If there are none.
        """
        self.waiting = [one for one in puzzles if len(one.options) <= MOST_OPTIONS]
        if not self.waiting:
            raise SettingError("There are no mistakes to practise in this game.")
        self._begin_waiting()

    def _begin_waiting(self) -> None:
        if not self.waiting:
            raise SettingError("No more puzzles wait.")
        self._begin(self.waiting.pop(0))

    def _begin(self, puzzle: Puzzle) -> None:
        from skyline_kernel.skyline.coach.puzzles import Session

        self.session = Session(puzzle)

    def _at_work(self) -> Session:
        if self.session is None:
            raise SettingError("Choose a puzzle first.")
        return self.session

    def _note(self) -> None:
        """Write a puzzle down when it is done: solved, or the answer was shown."""
        from skyline_kernel.skyline.coach.progress import Progress

        session = self._at_work()
        if session.is_solved or session.is_revealed:
            known = self.progress or Progress()
            self.progress = known.with_session(session, date.today())  # noqa: DTZ011

    # --- what the page draws ------------------------------------------------------------------

    def view(self, lang: Language, *, has_game: bool) -> View:
        """Return the practice page as the page draws it."""
        return {
            "themes": _themes(lang),
            "difficulties": _difficulties(lang),
            "has_game": has_game,
            "n_waiting": len(self.waiting),
            "progress": self._progress_words(lang),
            "puzzle": None if self.session is None else _puzzle(self.session, lang),
        }

    def _progress_words(self, lang: Language) -> str:
        if self.progress is None:
            return lang.say("Nothing practised yet.")
        solved = self.progress.n_solved()
        days = self.progress.days_in_a_row(date.today())  # noqa: DTZ011
        return ", ".join(
            [
                lang.count("{n} puzzle solved", "{n} puzzles solved", solved),
                lang.count("{n} day in a row", "{n} days in a row", days),
            ]
        )


def _daily() -> Puzzle:
    from skyline_kernel.skyline.coach.generator import daily_puzzle

    return daily_puzzle(date.today())  # noqa: DTZ011


def _fresh(command: Mapping[str, Any]) -> Puzzle:
    from skyline_kernel.skyline.coach.generator import fresh_puzzle

    theme, difficulty = str(command.get("theme")), str(command.get("difficulty"))
    return fresh_puzzle(theme, difficulty, seed=new_seed())


def _themes(lang: Language) -> list[list[str]]:
    return [
        ["insurance", lang.say("insurance die: keep one, roll the others")],
        ["stop or go on", lang.say("stop or go on")],
        ["district or yard", lang.say("district or yard")],
        ["which column", lang.say("which column")],
        ["last round", lang.say("last round")],
    ]


def _difficulties(lang: Language) -> list[list[str]]:
    return [["easy", lang.say("easy")], ["medium", lang.say("medium")], ["hard", lang.say("hard")]]


def _puzzle(session: Session, lang: Language) -> View:
    puzzle = session.puzzle
    words = dict(_themes(lang)) | {"mistake": lang.say("a mistake of your game")}
    tried = {format_action(one.action): one for one in session.tries}
    best = {format_action(action) for action in session.best}
    return {
        "title": words[puzzle.theme.value],
        "difficulty": dict(_difficulties(lang))[puzzle.difficulty.value],
        "table": position_view(_play_at(puzzle.state, lang), lang),
        "options": [
            {
                **named(action, lang),
                "tried": format_action(action) in tried,
                "best": format_action(action) in best,
            }
            for action in puzzle.options
        ],
        "verdict": _verdict(session.tries[-1], lang) if session.tries else "",
        "trouble": _trouble(session.tries[-1], lang) if session.tries else "",
        "is_solved": session.is_solved,
        "is_revealed": session.is_revealed,
        "played": _played(puzzle, session, lang),
        "why": _why(session, lang),
    }


def _play_at(state: State, lang: Language) -> Play:
    """Return a play of nameless people that begins in `state`, to be drawn."""
    names = [lang.say("Player {seat}", seat=seat + 1) for seat in range(state.n_players)]
    return resume(Game(0, tuple(map(Seat, names)), (), (state,)))


def _verdict(last: Try, lang: Language) -> str:
    if last.is_right:
        return lang.say("Right: no choice is better.")
    return lang.say(
        "That costs {loss} points: rank {rank} of {n}.",
        loss=lang.number(last.loss),
        rank=last.rank,
        n=last.n_options,
    )


def _trouble(last: Try, lang: Language) -> str:
    return "" if last.follow_up is None else say_sentence(last.follow_up.sentence, lang)


def _played(puzzle: Puzzle, session: Session, lang: Language) -> str:
    if puzzle.played is None or not session.best:
        return ""
    return lang.say("In your game you chose: {action}", action=choice_words(puzzle.played, lang))


def _why(session: Session, lang: Language) -> list[str]:
    why = session.why
    return [] if why is None else [say_sentence(clause.sentence, lang) for clause in why.clauses]
