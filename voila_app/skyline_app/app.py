"""The app on the page: a table whose game is kept and has an address of its own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qs, unquote

import traitlets
from skyline_widgets import SkylineTable
from skyline_widgets.play import resume

from skyline_kernel.errors import KitError
from skyline_kernel.skyline import Game

from .phrases import preferred_language
from .store import GameStore, SavedGame, Summary, data_folder

__all__ = ["AppTable", "build_app"]

MAX_LISTED: Final = 50
"""Most games that are listed."""

_REMEMBERED: Final = ("language", "theme", "pace", "advice", "objective", "tutor")


class AppTable(SkylineTable):
    """A table that keeps its game in a store.

    Parameters
    ----------
    store : GameStore
    code : str
        Code of a game to go on with, empty for the start form.  If there is no such game, the
        start form comes with a sentence that says so.
    **preferences : str
        ``language``, ``theme``, ``pace``, ``advice``, ``objective`` and ``tutor``.

    Attributes
    ----------
    games : list of dict
        ``code`` and ``text`` of those games whose codes the page has named (synced, read-only).
        The codes are kept by the browser alone: whoever uses another one does not learn them.
    """

    games: traitlets.List[dict[str, Any]] = traitlets.List(read_only=True).tag(sync=True)

    def __init__(self, store: GameStore, code: str = "", **preferences: str) -> None:
        self._store = store
        self._saved: SavedGame | None = None
        problem: KitError | None = None
        try:
            self._saved = store.find(code) if code else None
        except KitError as error:
            problem = error
        game = None if self._saved is None else self._saved.game
        super().__init__(game, on_game=self._keep, remembers=True, **preferences)
        self._name_address()
        if problem is not None:
            self._say(self._lang.error(problem))

    def _keep(self, game: Game, is_new: bool) -> None:
        """Write the game down; a new one gets its own address."""
        if is_new or self._saved is None:
            self._saved = self._store.add(game)
            # So that the list does not move under somebody's finger when it is shown next.
            self._list_games([self._saved.code, *(known["code"] for known in self.games)])
        else:
            self._saved = self._store.replace(self._saved, game)
        self._name_address()

    def _carry_out(self, command: Mapping[str, Any]) -> None:
        match command.get("do"):
            case "games":
                self._list_games(command.get("codes"))
            case "open":
                self._open(self._store.find(str(command.get("code", ""))))
            case "delete":
                self._delete(str(command.get("code", "")))
            case _:
                super()._carry_out(command)

    def _list_games(self, codes: object) -> None:
        """Tell the page about the games whose codes it knows, the latest first."""
        known = codes[:MAX_LISTED] if isinstance(codes, list) else []
        found = self._store.summaries([code for code in known if isinstance(code, str)])
        self.set_trait("games", [{"code": game.code, "text": self._words(game)} for game in found])

    def _words(self, summary: Summary) -> str:
        return self._lang.say(
            "{names} – round {round}, {date}",
            names=", ".join(summary.names),
            round=summary.round,
            date=self._lang.date(summary.changed),
        )

    def _open(self, saved: SavedGame) -> None:
        self._put(resume(saved.game))
        self._saved = saved
        self._name_address()

    def _delete(self, code: str) -> None:
        self._store.delete(code)
        self.set_trait("games", [game for game in self.games if game["code"] != code])
        if self._saved is not None and self._saved.code == code:
            self._saved = None
            self._put(None)
            self._name_address()

    def _name_address(self) -> None:
        self.set_trait("address", "" if self._saved is None else f"?game={self._saved.code}")


def build_app(environment: Mapping[str, str] | None = None) -> AppTable:
    """Return what the page shows.

    Parameters
    ----------
    environment : mapping, optional
        ``QUERY_STRING``, ``HTTP_ACCEPT_LANGUAGE`` and ``HTTP_COOKIE`` of the request; the
        environment of the process if left out.
    """
    request = os.environ if environment is None else environment
    codes = parse_qs(request.get("QUERY_STRING", "")).get("game", [""])
    return AppTable(GameStore(data_folder()), codes[0], **_preferences(request))


def _preferences(request: Mapping[str, str]) -> dict[str, str]:
    wishes = {"language": preferred_language(request.get("HTTP_ACCEPT_LANGUAGE", ""))}
    for name in _REMEMBERED:
        value = _cookies(request).get(f"skyline_{name}")
        if value is not None and value in SkylineTable.class_traits()[name].values:
            wishes[name] = value
    return wishes


def _cookies(request: Mapping[str, str]) -> dict[str, str]:
    """Read the cookies one by one: cookies know no ports, and those of others may be odd."""
    pairs = (part.partition("=") for part in request.get("HTTP_COOKIE", "").split(";"))
    return {name.strip(): unquote(value.strip()) for name, _, value in pairs}
