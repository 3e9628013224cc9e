"""The app's page: its game is kept, its address leads back, its settings are remembered."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import ipywidgets
import pytest
from playing import PERSON, ROBOT
from skyline_app.app import AppTable, build_app
from skyline_app.store import GameStore

from skyline_kernel.skyline import Game, Rules, format_record, start_game

FORM = {
    "seats": [{"name": "Ada", "player": "human"}, {"name": "Robo", "player": "builder"}],
    "edition": "online",
    "dice_set": "standard",
}
NO_GAME = "There is no game at this address."
MOVED_ON = "This game has moved on in another window. Load this page again to see it."

clicks = count(1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SKYLINE_DATA_DIR", str(tmp_path))
    return tmp_path


def press(table: AppTable, do: str, **details: Any) -> str:
    """Let a message of the page arrive; return the sentence that it brings."""
    move = 0 if table.game is None else table.game.n_moves
    before = table.notice["number"]
    table.set_state({"request": {"move": move, "do": do, "click": next(clicks), **details}})
    return str(table.notice["text"]) if table.notice["number"] > before else ""


def opened(query: str = "", **request: str) -> AppTable:
    return build_app({"QUERY_STRING": query.removeprefix("?"), **request})


def started() -> AppTable:
    table = opened()
    assert press(table, "start", **FORM) == ""
    return table


def game_of(table: AppTable) -> Game:
    assert table.game is not None
    return table.game


# --- the address leads back -------------------------------------------------------------------


def test_synced_traits_are_those_of_a_table_and_the_list(folder: Path) -> None:
    from skyline_widgets import SkylineTable

    assert set(AppTable(GameStore(folder)).keys) - set(SkylineTable().keys) == {"games"}
    assert ipywidgets.DOMWidget in AppTable.__mro__


def test_page_begins_with_the_form(folder: Path) -> None:
    table = opened()
    assert table.view["start"] is not None
    assert (table.address, table.notice["text"], table.game) == ("", "", None)
    assert list(folder.iterdir()) == [], "looking at the form keeps nothing"


def test_address_leads_back_to_the_same_position_and_roll(folder: Path) -> None:
    table = started()
    press(table, "take district")
    again = opened(table.address)
    assert again.position == table.position
    assert again.game == table.game
    press(table, "roll")
    press(again, "roll")
    assert press(again, "roll", move=0) != ""
    assert opened(table.address).position == table.position


def test_reload_in_the_middle_of_a_turn(folder: Path) -> None:
    table = started()
    for do in ("take district", "roll"):
        press(table, do)
    press(table, "select", die=table.view["game"]["tray"][0]["number"], on=True)
    press(table, "abandon")
    again = opened(table.address)
    assert again.position == table.position
    assert [t["die"] for t in again.view["game"]["tray"]] == [
        t["die"] for t in table.view["game"]["tray"]
    ]
    assert press(again, "undo") == ""
    assert " use " in again.position


def test_taking_back_is_kept(folder: Path) -> None:
    table = started()
    first = table.position
    press(table, "take district")
    press(table, "undo")
    assert opened(table.address).position == first


def test_new_game_has_a_new_address_and_the_old_one_stays(folder: Path) -> None:
    table = started()
    old, position = table.address, table.position
    press(table, "new game")
    press(table, "start", **{**FORM, "edition": "printed"})
    assert table.address != old
    assert opened(old).position == position
    assert opened(table.address).position.endswith("printed")


def test_reset_keeps_rules_and_options(folder: Path) -> None:
    form = {**FORM, "edition": "printed", "dice_set": "blank-upper", "nine": True, "box": True}
    table = opened()
    press(table, "start", **form)
    assert table.position.endswith("printed+nine+box+blank-upper")
    assert opened(table.address).position == table.position


GARBAGE = [
    "game=x",
    "game=" + "a" * 22,
    "game=%00%00",
    "game=%FF%FE",
    "game=..%2F..%2Fetc%2Fpasswd",
    "game=<script>alert(1)</script>",
    "game=x&game=y",
    "game=%",
    "game=" + "a" * 5000,
    "game=\udce4",
]


@pytest.mark.parametrize("query", GARBAGE, ids=lambda query: ascii(query)[:40])
def test_garbage_in_the_address_is_one_sentence_over_the_form(folder: Path, query: str) -> None:
    table = opened(query)
    assert table.notice["text"] == NO_GAME
    assert table.view["start"] is not None
    assert press(table, "start", **FORM) == ""
    assert table.address.startswith("?game=")


@pytest.mark.parametrize("query", ["", "game=", "other=1", "&&&", "=", "game"])
def test_address_without_a_game(folder: Path, query: str) -> None:
    assert opened(query).notice["text"] == ""


def test_damaged_game_is_one_sentence_over_the_form(folder: Path) -> None:
    (folder / "games.sqlite3").write_bytes(b"this is no file of games" * 100)
    table = opened("game=" + "a" * 22, HTTP_ACCEPT_LANGUAGE="de")
    assert table.notice["text"].startswith("Die Partien können nicht gelesen werden")
    assert table.view["start"] is not None
    assert press(table, "start", **FORM).startswith("Die Partie konnte nicht gesichert werden")
    assert table.game is None


def test_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("SKYLINE_DATA_DIR", str(tmp_path / "file" / "games"))
    table = opened()
    assert press(table, "start", **FORM).startswith("The game could not be saved: ")
    assert table.view["start"] is not None
    assert table.address == ""


def test_move_that_cannot_be_kept_is_not_made(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = started()
    position = table.position
    with monkeypatch.context() as patch:
        (folder / "file").write_text("no folder")
        patch.setattr(table._store, "_path", folder / "file" / "games.sqlite3")
        assert press(table, "take district").startswith("The game could not be saved: ")
        assert table.position == position
    assert press(table, "take district") == ""
    assert opened(table.address).position == table.position


# --- two windows ------------------------------------------------------------------------------


def test_later_of_two_windows_is_told(folder: Path) -> None:
    first = started()
    second = opened(first.address)
    assert press(first, "take district") == ""
    position = second.position
    for _ in range(2):
        assert press(second, "pick", kind="G") == ""
        press(second, "pick", kind="G")
        assert press(second, "pick", kind="G") == MOVED_ON
        assert second.position == position
        press(second, "undo")
    assert opened(first.address).position == first.position, "nothing is lost"
    assert press(first, "roll") == "", "the window that was first goes on"


def test_later_window_can_start_a_game_of_its_own(folder: Path) -> None:
    first = started()
    second = opened(first.address)
    press(first, "take district")
    assert press(second, "take district") == MOVED_ON
    press(second, "new game")
    assert press(second, "start", **FORM) == ""
    assert second.address != first.address
    assert opened(first.address).position == first.position


def test_two_windows_of_a_computers_turn(folder: Path) -> None:
    table = AppTable(GameStore(folder))
    seats = [{"name": "Robo", "player": "builder"}, {"name": "Ada", "player": "human"}]
    press(table, "start", **{**FORM, "seats": seats})
    second = opened(table.address)
    assert press(table, "step") == ""
    assert press(second, "step") == MOVED_ON
    assert game_of(table).n_moves == 1


# --- the games of a visitor -------------------------------------------------------------------


def test_games_are_listed_by_the_codes_that_the_page_knows(folder: Path) -> None:
    table, other = started(), started()
    code = table.address.removeprefix("?game=")
    press(other, "games", codes=[code, "a" * 22, None, 7, ["x"], code, "' OR 1=1"])
    assert [game["code"] for game in other.games] == [code]
    assert "Ada, Robo" in other.games[0]["text"]


@pytest.mark.parametrize("codes", [None, "all", {"a": 1}, 3, [], [[]], ["*"], ["a" * 22] * 9999])
def test_codes_of_the_wrong_type_list_nothing(folder: Path, codes: Any) -> None:
    table = started()
    assert press(table, "games", codes=codes) == ""
    assert table.games == []


@pytest.mark.parametrize("code", [None, 3, [], {}, "", "a" * 22, True])
def test_game_that_is_not_there_cannot_be_opened(folder: Path, code: Any) -> None:
    table = started()
    position, address = table.position, table.address
    assert press(table, "open", code=code) == NO_GAME
    assert (table.position, table.address) == (position, address)
    assert press(table, "delete", code=code) == ""
    assert opened(address).position == position


def test_opened_game_is_gone_on_with(folder: Path) -> None:
    first, second = started(), started()
    code = first.address.removeprefix("?game=")
    assert press(second, "open", code=code) == ""
    assert second.address == first.address
    assert press(second, "take district") == ""
    assert opened(first.address).position == second.position


def test_deleted_game_leaves_the_table(folder: Path) -> None:
    table = started()
    address = table.address
    press(table, "delete", code=address.removeprefix("?game="))
    assert (table.game, table.address) == (None, "")
    assert opened(address).notice["text"] == NO_GAME
    assert press(table, "start", **FORM) == ""


def test_uploaded_game_is_kept_under_a_code_of_its_own(folder: Path) -> None:
    table = started()
    old = table.address
    record = format_record(start_game([PERSON, ROBOT], Rules(nine=True), seed=3))
    assert press(table, "upload", text=record) == ""
    assert table.address != old
    assert opened(table.address).position.endswith("online+nine")


# --- settings ---------------------------------------------------------------------------------


def test_language_follows_the_browser(folder: Path) -> None:
    assert opened(HTTP_ACCEPT_LANGUAGE="de-AT,de;q=0.9").language == "de"
    assert opened(HTTP_ACCEPT_LANGUAGE="fr").language == "en"
    assert opened().language == "en"


def test_settings_are_remembered(folder: Path) -> None:
    """The page writes them as cookies, percent-encoded."""
    cookie = "skyline_language=de; skyline_theme=dark; skyline_pace=at%20once"
    table = opened(HTTP_COOKIE=cookie, HTTP_ACCEPT_LANGUAGE="en")
    assert (table.language, table.theme, table.pace) == ("de", "dark", "at once")


@pytest.mark.parametrize(
    "others",
    [
        'username-127-0-0-1-8888="2|1:0|10:1|23:abc|44:x=="',
        "_xsrf=2|abc|def",
        "odd{name}=1",
        "broken",
        "=",
        "a=b=c",
        "json={%22a%22:1}",
        'j={"a":"b,c"}',
        "ü=ä",
        "x" * 1500,
    ],
)
def test_cookies_of_others_do_not_matter(folder: Path, others: str) -> None:
    """Cookies know no ports: other programs on this machine leave theirs here too."""
    for cookie in (f"{others}; skyline_theme=dark", f"skyline_theme=dark; {others}"):
        assert opened(HTTP_COOKIE=cookie).theme == "dark"


@pytest.mark.parametrize(
    "cookie",
    [
        "skyline_theme=pink",
        "skyline_pace=%FF",
        "skyline_language=xx",
        "skyline_language=",
        "skyline_theme",
        "skyline_theme=dar",
        ";;;",
    ],
)
def test_setting_that_there_is_not_is_passed_over(folder: Path, cookie: str) -> None:
    table = opened(HTTP_COOKIE=cookie)
    assert (table.language, table.theme, table.pace) == ("en", "auto", "normal")
