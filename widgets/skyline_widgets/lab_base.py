"""What all widgets of the laboratory have in common.

A widget of the laboratory holds one frozen value, its *state*, and two pure functions: one makes
of a state and a command of the page the next state, the other draws a state as panels of items
(`lab_items`).  A command that fails changes nothing and is answered by one sentence.

The page sends one command at a time and waits for its answer; of the changes of one control
that pile up meanwhile it sends the latest only.  So a slider that is dragged never lags behind by
more than the change that is under way.
"""

from __future__ import annotations

import logging
import os
from abc import abstractmethod
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, TypeVar

import anywidget
import traitlets

from skyline_kernel.errors import KitError, SettingError

from .lab_items import Item, with_pictures
from .labels import labels
from .language import DEFAULT_LANGUAGE, LANGUAGES, Language, language_named

__all__ = ["File", "LabWidget", "flag_in", "lab_style", "language_here", "number_in", "word_in"]

_STATIC: Final = Path(__file__).parent / "static"
_LOG: Final = logging.getLogger("skyline_widgets")
_THEMES: Final = ("auto", "light", "dark")

# What both the table and the laboratory draw: elements, dice, towers.
_DRAWING_BEGINS: Final = "// --- elements"
_DRAWING_ENDS: Final = "// --- small decisions"

S = TypeVar("S")


def language_here() -> str:
    """Return the language of this place.

    That is the environment variable ``SKYLINE_LANGUAGE``, else the name of the working folder,
    as the notebooks stand in folders ``de`` and ``en``, else what ``LANG`` says, else English.

    Returns
    -------
    str
        ``de`` or ``en``.
    """
    named = os.environ.get("SKYLINE_LANGUAGE", "")
    wishes = (named, Path.cwd().name, os.environ.get("LANG", "")[:2])
    return next((wish for wish in wishes if wish in LANGUAGES), DEFAULT_LANGUAGE)


@cache
def _module() -> str:
    """Return the script of the laboratory, complete in one piece as anywidget needs it."""
    table = (_STATIC / "table.js").read_text(encoding="utf-8")
    begin, end = table.index(_DRAWING_BEGINS), table.index(_DRAWING_ENDS)
    svg = 'const SVG = "http://www.w3.org/2000/svg";\n'
    return svg + table[begin:end] + (_STATIC / "lab.js").read_text(encoding="utf-8")


@cache
def lab_style(*more: str) -> str:
    """Return the style of the laboratory, with further files of the folder ``static``."""
    names = ("table.css", "lab.css", *more)
    return "\n".join((_STATIC / name).read_text(encoding="utf-8") for name in names)


class File(NamedTuple):
    """A file that the page can save.

    Parameters
    ----------
    media_type : str
        Such as ``text/csv``.
    text : str
    """

    media_type: str
    text: str


class LabWidget(anywidget.AnyWidget, Generic[S]):
    """Base of the widgets of the laboratory.

    Parameters
    ----------
    state : object
        What is shown at first, a frozen value.
    language : str, optional
        ``de`` or ``en``; that of `language_here` if left out.
    theme : str
        ``auto`` (as the system or JupyterLab), ``light`` or ``dark``.

    Attributes
    ----------
    view : dict
        What the page draws (synced, read-only for the page).
    request : dict
        The last command of the page (synced).
    answer : dict
        Which command was answered last (synced, read-only for the page).
    file : dict
        The file that the page has asked for, with a running number (synced, read-only).
    narrow : bool
        Whether the page has little room for a chart (synced; the page sets it).
    """

    _esm = _module()
    _css = lab_style()

    language = traitlets.Enum(tuple(LANGUAGES), DEFAULT_LANGUAGE).tag(sync=True)
    theme = traitlets.Enum(_THEMES, "auto").tag(sync=True)
    view: traitlets.Dict[str, Any] = traitlets.Dict(read_only=True).tag(sync=True)
    request: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    answer: traitlets.Dict[str, Any] = traitlets.Dict(read_only=True).tag(sync=True)
    file: traitlets.Dict[str, Any] = traitlets.Dict(read_only=True).tag(sync=True)
    narrow = traitlets.Bool(default_value=False).tag(sync=True)

    def __init__(self, state: S, *, language: str | None = None, theme: str = "auto") -> None:
        self._state = state
        code = language_here() if language is None else language
        super().__init__(language=code, theme=theme)
        self._draw(self._state)

    def __repr__(self) -> str:
        """Return class and heading, for where there is no page to draw on."""
        return f"<{type(self).__name__}: {self._title(self._lang)}>"

    # --- what a widget says about itself --------------------------------------------------------

    @abstractmethod
    def _title(self, lang: Language) -> str:
        """Return the heading."""

    @abstractmethod
    def _next(self, state: S, command: Mapping[str, Any]) -> S:
        """Return the state after a command.

        Raises
        ------
        KitError
            If the command does not exist or cannot be carried out.
        """

    @abstractmethod
    def _sections(self, state: S, lang: Language) -> list[Item]:
        """Draw a state as panels."""

    def _file(self, _state: S, name: str, _lang: Language) -> File:
        """Return a file by its name.

        Raises
        ------
        SettingError
            If there is no such file.
        """
        raise SettingError("{value!r}: there is no such file", value=name)

    def _kept(self, state: S) -> None:
        """Keep a state that has changed; called before the page shows it."""

    def _poll(self, _state: S) -> bool:
        """Return whether the page shall ask again by itself."""
        return False

    # --- doing ----------------------------------------------------------------------------------

    def act(self, do: str, **details: Any) -> None:
        """Do what a control of the page does, from code.

        Parameters
        ----------
        do : str
            ``set`` or the word of a button.
        **details
            What belongs to it: ``name`` and ``value`` of a control that is set.

        Raises
        ------
        KitError
            If it cannot be done; nothing has changed then.
        """
        self._carry_out({**details, "do": do})

    @traitlets.observe("request")
    def _on_request(self, change: Any) -> None:
        command = change["new"]
        if not command:
            return
        try:
            self._carry_out(command)
        except KitError as error:
            self._draw(self._state, self._lang.error(error))
        except Exception:
            # The person reads a plain sentence; the trace belongs into the log.
            _LOG.exception("request %r", command)
            sorry = "Something went wrong. Nothing has changed; please go on."
            self._draw(self._state, self._lang.say(sorry))
        self.set_trait("answer", {key: command.get(key) for key in ("from", "number")})

    def _carry_out(self, command: Mapping[str, Any]) -> None:
        if command.get("do") == "file":
            self._send_file(str(command.get("name")))
        else:
            self._put(self._next(self._state, command))

    def _put(self, state: S) -> None:
        """Show another state; what cannot be drawn or kept is not shown."""
        view = self._view(state)
        if state != self._state:
            self._kept(state)
        self._state = state
        self.set_trait("view", view)

    def _send_file(self, name: str) -> None:
        file = self._file(self._state, name, self._lang)
        number = self.file.get("number", 0) + 1
        content = {"number": number, "name": name, "type": file.media_type, "text": file.text}
        self.set_trait("file", content)

    # --- drawing --------------------------------------------------------------------------------

    @property
    def _lang(self) -> Language:
        return language_named(self.language)

    @traitlets.observe("language", "narrow")
    def _on_look(self, _change: Any) -> None:
        self._draw(self._state)

    def _draw(self, state: S, notice: str = "") -> None:
        self.set_trait("view", self._view(state, notice))

    def _view(self, state: S, notice: str = "") -> dict[str, Any]:
        lang = self._lang
        words = labels(lang)
        names = ("code", "languages", "letters", "language", "theme", "themes", "settings")
        return {
            "labels": {
                **{name: words[name] for name in names},
                "less": lang.say("less"),
                "more": lang.say("more"),
            },
            "title": self._title(lang),
            "notice": notice,
            "sections": [
                with_pictures(panel, lang, is_narrow=self.narrow)
                for panel in self._sections(state, lang)
            ],
            "poll": self._poll(state),
        }


# --- reading commands -------------------------------------------------------------------------


def number_in(command: Mapping[str, Any], low: int, high: int) -> int:
    """Return the whole number of a command.

    Raises
    ------
    SettingError
        If it has none from `low` to `high`.
    """
    value = command.get("value")
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise SettingError(
            "{value!r}: expected a whole number from {low} to {high}",
            value=value,
            low=low,
            high=high,
        )
    return value


def word_in(command: Mapping[str, Any], known: Any) -> str:
    """Return the word of a command.

    Raises
    ------
    SettingError
        If it is none of those known.
    """
    value = command.get("value")
    if not isinstance(value, str) or value not in known:
        raise SettingError(
            "{value!r}: expected one of {known}", value=value, known=", ".join(known)
        )
    return value


def flag_in(command: Mapping[str, Any]) -> bool:
    """Return whether a box was ticked."""
    return command.get("value") is True
