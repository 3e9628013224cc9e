"""The app on the page: a table whose game is kept and has an address of its own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qs

from skyline_kernel.errors import KitError
from skyline_kernel.skyline import Game
from skyline_widgets import SkylineTable
from skyline_widgets.language import preferred_language

from .store import GameStore, SavedGame, data_folder

__all__ = ["AppTable", "build_app"]

_REMEMBERED: Final = ("language", "theme", "pace")


class AppTable(SkylineTable):
    """A table that keeps its game in a store.

    Parameters
    ----------
    store : GameStore
    code : str
        Code of a game to go on with, empty for the start form.  If there is no such game, the
        start form comes with a sentence that says so.
    **preferences : str
        ``language``, ``theme`` and ``pace``.
    """

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

    def _keep(self, game: Game) -> None:
        """Write the game down; a game with another seed is a new one with its own address."""
        saved = self._saved
        if saved is None or saved.game.seed != game.seed:
            self._saved = self._store.add(game)
        else:
            self._saved = self._store.replace(saved, game)
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
    try:
        cookies = SimpleCookie(request.get("HTTP_COOKIE", ""))
    except CookieError:
        return {}
    return {name: morsel.value for name, morsel in cookies.items()}
