"""The table: a whole game of Skyline as one widget."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import anywidget
import traitlets

from skyline_kernel.errors import KitError, SettingError
from skyline_kernel.skyline import (
    Game,
    State,
    format_position,
    format_record,
    new_game,
    new_seed,
    parse_record,
)

from .advice_view import (
    ADVICE,
    OBJECTIVES,
    advice_view,
    outlook_view,
    warning_view,
)
from .labels import labels
from .language import DEFAULT_LANGUAGE, LANGUAGES, Language, language_named
from .play import Play, perform, resume, step
from .practice_desk import PracticeDesk
from .review_desk import ReviewDesk
from .solving import can_advise, is_solved, start_solving
from .start import start_view, started_game
from .tutor import TUTOR, Cost, cost_of, is_worth_asking
from .view import game_view, replay_view

if TYPE_CHECKING:
    from subprocess import Popen

    from numpy.random import Generator

__all__ = ["SkylineTable"]

_STATIC: Final = Path(__file__).parent / "static"
_LOG: Final = logging.getLogger("skyline_widgets")

THEMES: Final = ("auto", "light", "dark")
MAX_UPLOAD: Final = 400_000
"""Longest saved game that is taken from the page, in characters."""

PACES: Final = ("slow", "normal", "fast", "at once")


_PRACTICE: Final = ("daily puzzle", "new puzzle", "next puzzle", "answer", "withdraw", "reveal")


class _Held(NamedTuple):
    """A step that waits for the person to confirm it."""

    after: Play
    cost: Cost


class SkylineTable(anywidget.AnyWidget):
    """A game of Skyline to play by mouse, touch or keyboard.

    Parameters
    ----------
    game : Game, optional
        The game on the table; without one the table asks who plays and by which rules.
    language : str
        ``de`` or ``en``; can be changed on the page.
    theme : str
        ``auto`` (as the system or JupyterLab), ``light`` or ``dark``.
    pace : str
        How fast computer players move: ``slow``, ``normal``, ``fast`` or ``at once``.
    on_game : callable, optional
        Called with the game and whether it is another one than before, ahead of the page
        showing it; what it raises keeps the old game on the table.
    advice : str
        ``off``, ``hint`` (which action is best) or ``full`` (all, with their worth).
    objective : str
        What is advised for: ``score``, ``turn`` or ``margin``.
    tutor : str
        When to ask before a choice: ``off``, ``blunders`` or ``always``.
    remembers : bool
        Whether the browser shall remember language, theme and pace for its next visit.

    Attributes
    ----------
    view : dict
        What the page draws (synced, read-only for the page).
    request : dict
        The last command of the page (synced): ``do``, ``move`` and what belongs to it.
    answered : int
        ``click`` of the last request that was carried out or refused; the page sends the next
        one after it (synced, read-only).
    notice : dict
        One sentence for the person at the table, with a running number (synced).
    position : str
        The game's position as text; empty while no game is on the table (synced, read-only).
    record : dict
        The game's record as text, with a running number, when the page has asked for it
        (synced, read-only for the page).
    outlook : dict
        What may come of the action that the page has asked about (synced, read-only).
    progress : str
        What was practised, as JSON for the browser to keep (synced, read-only).
    address : str
        Query of the page's address that leads back to the game, or empty (synced, read-only).

    Raises
    ------
    traitlets.TraitError
        If language, theme or pace is none of those named.
    """

    _esm = _STATIC / "table.js"
    _css = _STATIC / "table.css"

    language = traitlets.Enum(tuple(LANGUAGES), DEFAULT_LANGUAGE).tag(sync=True)
    theme = traitlets.Enum(THEMES, "auto").tag(sync=True)
    pace = traitlets.Enum(PACES, "normal").tag(sync=True)
    advice = traitlets.Enum(ADVICE, "off").tag(sync=True)
    objective = traitlets.Enum(OBJECTIVES, OBJECTIVES[0]).tag(sync=True)
    tutor = traitlets.Enum(TUTOR, "off").tag(sync=True)
    view: traitlets.Dict[str, Any] = traitlets.Dict(read_only=True).tag(sync=True)
    request: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    answered = traitlets.Int(0, read_only=True).tag(sync=True)
    notice: traitlets.Dict[str, Any] = traitlets.Dict(read_only=True).tag(sync=True)
    position = traitlets.Unicode(read_only=True).tag(sync=True)
    address = traitlets.Unicode(read_only=True).tag(sync=True)
    outlook: traitlets.Dict[str, Any] = traitlets.Dict(read_only=True).tag(sync=True)
    progress = traitlets.Unicode(read_only=True).tag(sync=True)
    remembers = traitlets.Bool(False).tag(sync=True)
    record: traitlets.Dict[str, Any] = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(
        self,
        game: Game | None = None,
        *,
        language: str = DEFAULT_LANGUAGE,
        theme: str = "auto",
        pace: str = "normal",
        advice: str = "off",
        objective: str = OBJECTIVES[0],
        tutor: str = "off",
        on_game: Callable[[Game, bool], None] | None = None,
        remembers: bool = False,
    ) -> None:
        self._play: Play | None = None if game is None else resume(game)
        self._is_starting = game is None
        self._on_game = on_game
        self._replayed: int | None = None
        self._held: _Held | None = None
        self._solving: Popen[bytes] | None = None
        self._page: str | None = None
        self._review = ReviewDesk()
        self._practice = PracticeDesk()
        self._n_notices = 0
        super().__init__(
            language=language,
            theme=theme,
            pace=pace,
            advice=advice,
            objective=objective,
            tutor=tutor,
            remembers=remembers,
        )
        self._show()

    @property
    def game(self) -> Game | None:
        """The game on the table with all its moves, None before one is started."""
        return None if self._play is None else self._play.game

    def act(self, do: str, **details: Any) -> str:
        """Do what a button of the page does, from code.

        Parameters
        ----------
        do : str
            ``pick``, ``take district``, ``roll``, ``select``, ``build`` and so on.
        **details
            What belongs to it: ``kind``, ``die`` and ``on``, ``column``.

        Returns
        -------
        str
            The position afterwards.

        Raises
        ------
        KitError
            If it is not allowed; the table is left as it is.
        """
        move = 0 if self._play is None else self._play.game.n_moves
        self._carry_out_or_nothing({"move": move, **details, "do": do})
        return self.position

    # --- from the page ------------------------------------------------------------------------

    @traitlets.observe("request")
    def _on_request(self, change: Any) -> None:
        if not change["new"]:
            return
        try:
            self._carry_out_or_nothing(change["new"])
        except KitError as error:
            self._say(self._lang.error(error))
        except Exception:
            # The person reads a plain sentence; the trace belongs into the log.
            _LOG.exception("request %r", change["new"])
            self._say(self._lang.say("Something went wrong. Nothing has changed; please go on."))
        if type(click := change["new"].get("click")) is int:
            self.set_trait("answered", click)

    @traitlets.observe("language", "advice", "objective")
    def _on_setting(self, _change: Any) -> None:
        self._show()

    def _carry_out_or_nothing(self, command: Mapping[str, Any]) -> None:
        before = self._play, self._is_starting, self._replayed, self._held, self._page
        session = self._practice.session
        try:
            self._carry_out(command)
        except Exception:
            self._play, self._is_starting, self._replayed, self._held, self._page = before
            self._practice.session = session
            raise

    def _carry_out(self, command: Mapping[str, Any]) -> None:
        name = command.get("do")
        if name in _PRACTICE:
            self._practise(command)
            return
        own = self._own_commands().get(name) if isinstance(name, str) else None
        if own is None:
            self._ask_or_lay(self._on_table(), command)
        else:
            own(command)

    def _own_commands(self) -> Mapping[str, Callable[[Mapping[str, Any]], None]]:
        """Return what the page can ask for besides the moves of the game."""
        return {
            "back": self._go_back,
            "bands": self._ask_coach,
            "confirm": self._confirm,
            "decline": self._decline,
            "look": self._look,
            "new game": self._offer_new_game,
            "practise mistakes": self._practise_mistakes,
            "progress": self._recall_progress,
            "record": self._send_record,
            "replay": self._replay,
            "solve": self._solve,
            "start": self._start,
            "step": self._step,
            "turn to": self._turn_to,
            "upload": self._upload,
            "why": self._ask_coach,
        }

    def _offer_new_game(self, _command: Mapping[str, Any]) -> None:
        self._is_starting = True
        self._page = None
        self._show()

    def _go_back(self, _command: Mapping[str, Any]) -> None:
        self._is_starting = self._play is None
        self._show()

    def _decline(self, _command: Mapping[str, Any]) -> None:
        self._put(self._on_table())

    def _ask_coach(self, command: Mapping[str, Any]) -> None:
        self._review.carry_out(command)
        self._show()

    def _ask_or_lay(self, before: Play, command: Mapping[str, Any]) -> None:
        """Carry a command out, or hold it until the person has thought again."""
        after = perform(before, command)
        if self.tutor != "off" and can_advise(before.game.state, self.objective):
            cost = cost_of(before, after, self.objective)
            if is_worth_asking(cost, self.tutor):
                self._held = _Held(after, cost)
                self._show()
                return
        self._lay(after)

    def _turn_to(self, command: Mapping[str, Any]) -> None:
        """Open the review or the practice page, or go back to the game with None."""
        page = command.get("page")
        if page not in (None, "review", "practice"):
            raise SettingError("{value!r}: there is no such page", value=page)
        if page == "review" and self.game is None:
            raise SettingError("Start a game first.")
        if page is not None and not is_solved(self._any_state(), "score"):
            raise SettingError("These dice have not been solved on this machine yet.")
        self._page = None if page is None else str(page)
        self._show()

    def _any_state(self) -> State:
        return new_game() if self.game is None else self.game.state

    def _practise_mistakes(self, _command: Mapping[str, Any]) -> None:
        from skyline_kernel.skyline.coach.puzzles import mistake_puzzles

        if self.game is None:
            raise SettingError("Start a game first.")
        people = [n for n, seat in enumerate(self.game.seats, start=1) if seat.is_human]
        reviewed = self._review.review_of(self.game)
        self._practice.offer(
            tuple(puzzle for seat in people for puzzle in mistake_puzzles(reviewed, seat))
        )
        self._page = "practice"
        self._show()

    def _practise(self, command: Mapping[str, Any]) -> None:
        from skyline_kernel.skyline.coach.progress import format_progress

        self._practice.carry_out(command)
        if self._practice.progress is not None:
            # The browser keeps it before the page shows what was achieved.
            self.set_trait("progress", format_progress(self._practice.progress))
        self._show()

    def _recall_progress(self, command: Mapping[str, Any]) -> None:
        """Take up what the browser has kept of earlier practice."""
        text = command.get("text")
        from skyline_kernel.skyline.coach.progress import parse_progress

        if isinstance(text, str) and self._practice.progress is None:
            self._practice.progress = parse_progress(text)
            self._show()

    def _confirm(self, _command: Mapping[str, Any]) -> None:
        self._on_table()
        if self._held is None:
            raise SettingError("There is nothing to confirm.")
        self._lay(self._held.after)

    def _look(self, command: Mapping[str, Any]) -> None:
        action = str(command.get("action"))
        view = outlook_view(self._on_table(), action, self.objective, self._lang)
        self.set_trait("outlook", view)

    def _solve(self, _command: Mapping[str, Any]) -> None:
        """Have the dice of this game solved by another process; the page asks again later."""
        rules = self._on_table().game.rules
        self._solving = self._solving or start_solving(rules)
        if self._solving.poll() is not None:
            self._solving = None
        self._show()

    def _on_table(self) -> Play:
        if self._play is None or self._is_starting:
            raise SettingError("Start a game first.")
        if self._replayed is not None:
            raise SettingError("This is a replay: leave it to go on playing.")
        return self._play

    def _start(self, command: Mapping[str, Any]) -> None:
        if not self._is_starting:
            raise SettingError("The game has started already.")
        self._lay(resume(started_game(command, new_seed())), is_new=True)

    def _step(self, command: Mapping[str, Any]) -> None:
        play = self._play
        if play is None or self._is_starting or self._replayed is not None:
            return  # The clock struck while the person turned to another page.
        if command.get("move") != play.game.n_moves or play.is_persons_turn:
            return  # Two pages of one table keep the same clock; one of them is first.
        play = step(play, self._rng(play.game))
        while command.get("all") is True and not (play.is_over or play.is_persons_turn):
            play = step(play, self._rng(play.game))
        self._lay(play)

    def _replay(self, command: Mapping[str, Any]) -> None:
        """Show the game after so many actions; None leaves the replay."""
        move = command.get("to")
        game = self.game
        if game is None:
            raise SettingError("Start a game first.")
        if move is not None and (type(move) is not int or not 0 <= move <= game.n_moves):
            raise SettingError("{value!r}: there is no such move", value=move)
        self._replayed = move
        self._is_starting = False
        self._show()

    def _send_record(self, _command: Mapping[str, Any]) -> None:
        if self.game is None:
            raise SettingError("Start a game first.")
        number = self.record.get("number", 0) + 1
        self.set_trait("record", {"number": number, "text": format_record(self.game)})

    def _upload(self, command: Mapping[str, Any]) -> None:
        text = command.get("text")
        if not isinstance(text, str) or len(text) > MAX_UPLOAD:
            raise SettingError("A saved game has at most {most} characters.", most=MAX_UPLOAD)
        self._lay(resume(parse_record(text)), is_new=True)

    def _rng(self, game: Game) -> Generator:
        """Return the chance of a computer player: the seed and the move decide it."""
        from numpy.random import default_rng

        return default_rng([game.seed, game.n_moves])

    # --- to the page --------------------------------------------------------------------------

    @property
    def _lang(self) -> Language:
        return language_named(self.language)

    def _lay(self, play: Play, *, is_new: bool = False) -> None:
        """Put a game on the table; whoever keeps it must have it before the page shows it."""
        is_news = is_new or play.game != self.game

        def keep() -> None:
            if self._on_game is not None and is_news:
                self._on_game(play.game, is_new)

        self._put(play, keep)

    def _put(self, play: Play | None, keep: Callable[[], None] | None = None) -> None:
        self._play = play
        self._held = None
        self._page = None
        self._is_starting = play is None
        self._replayed = None
        self._show(keep)

    def _show(self, keep: Callable[[], None] | None = None) -> None:
        """Draw the table and send it; `keep` is called in between.

        What cannot be drawn is not kept, and what cannot be kept is not sent.
        """
        view, position = self._drawn(), self._position()
        if keep is not None:
            keep()
        with self.hold_sync():
            self.set_trait("view", view)
            self.set_trait("position", position)
            self.set_trait("notice", {"number": self._n_notices, "text": ""})

    def _drawn(self) -> dict[str, Any]:
        view: dict[str, Any] = dict.fromkeys(("start", "game", "review", "practice"))
        view |= {"labels": labels(self._lang), "can_go_back": self._play is not None}
        return view | self._drawn_page()

    def _drawn_page(self) -> dict[str, Any]:
        """Return the page that is open: a replay, review, practice, the start or the game."""
        lang, play = self._lang, self._play
        if play is not None and self._replayed is not None:
            return {"game": replay_view(play.game, self._replayed, lang)}
        if play is not None and self._page == "review":
            return {"review": self._review.view(play.game, lang)}
        if self._page == "practice":
            return {"practice": self._practice.view(lang, has_game=play is not None)}
        if self._is_starting or play is None:
            return {"start": start_view(lang)}
        more = {"advice": self._advice(play), "warning": self._warning()}
        return {"game": game_view(play, lang) | more}

    def _advice(self, play: Play) -> dict[str, Any] | None:
        view = advice_view(play, self.advice, self.objective, self._lang)
        return view and {**view, "solving": self._solving is not None}

    def _warning(self) -> dict[str, str] | None:
        if self._held is None:
            return None
        return warning_view(self._held.cost, self._lang)

    def _position(self) -> str:
        return "" if self._play is None else format_position(self._play.game.state)

    def _say(self, text: str) -> None:
        self._n_notices += 1
        self.set_trait("notice", {"number": self._n_notices, "text": text})
