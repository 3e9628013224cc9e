"""Games are listed, saved, opened, replayed and deleted on the page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Table, keep, late_game
from conftest import Server, Visit
from playwright.sync_api import Browser, expect

from skyline_kernel.skyline import format_record, parse_record

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def table(server: Server, browser: Browser) -> Iterator[Table]:
    """One page for all tests; it must have stayed clean."""
    context = browser.new_context(locale="en-GB", reduced_motion="reduce", accept_downloads=True)
    visit = Visit(context.new_page())
    yield Table(visit.page, server)
    context.close()
    visit.expect_clean()


def test_game_is_saved_to_a_file_that_holds_it(table: Table, server: Server) -> None:
    game = late_game("use")
    table.open(keep(server, game))
    with table.page.expect_download() as caught:
        table.button("record").click()
    assert caught.value.suggested_filename.endswith(".json")
    text = Path(caught.value.path()).read_text(encoding="utf-8")
    assert parse_record(text) == game


def test_saved_file_is_opened_as_a_game_of_its_own(table: Table) -> None:
    game = late_game("use")
    table.open("")
    content = format_record(game).encode()
    table.all("input[type=file]").set_input_files(
        {"name": "game.json", "mimeType": "application/json", "buffer": content}
    )
    table.all("main.game").wait_for()
    assert table.dice() == [str(die) for die in game.state.dice]
    assert "?game=" in table.page.url


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[1, 2]",
        b"\xff\xfe",
        b"x" * 3_000_000,
        format_record(late_game("use")).encode()[:900],
    ],
    ids=["empty", "cut", "foreign", "binary", "huge", "truncated"],
)
def test_file_that_is_no_game_is_one_sentence(table: Table, content: bytes) -> None:
    table.open("")
    table.all("input[type=file]").set_input_files(
        {"name": "game.json", "mimeType": "application/json", "buffer": content}
    )
    expect(table.all(".notice.shown")).to_be_visible()
    assert table.all("form").count() == 1
    assert "?game=" not in table.page.url


def test_game_is_replayed_move_by_move(table: Table, server: Server) -> None:
    game = late_game("over")
    table.open(keep(server, game))
    table.button("replay").click()
    table.all("div.replay").wait_for()
    assert table.columns() == [str(column) for column in game.states[0].skylines[0]]
    for move in (1, 2, 3):
        table.all("[data-replay=next]").click()
        expect(table.all("div.replay input")).to_have_js_property("value", str(move))
        assert table.columns() == [str(column) for column in game.states[move].skylines[0]]
    table.all("[data-replay=last]").click()
    expect(table.all("[data-replay=next]")).to_have_attribute("aria-disabled", "true")
    assert table.columns() == [str(column) for column in game.state.skylines[0]]
    table.button("replay").click()
    table.all("div.replay").wait_for(state="detached")


def test_games_of_this_browser_are_listed_and_can_be_deleted(table: Table) -> None:
    table.open("")
    table.start("human")
    code = table.page.url.partition("?game=")[2]
    table.button("new game").click()
    table.all(".games li").first.wait_for()
    known = json.loads(table.page.evaluate("localStorage.getItem('skyline-games')"))
    assert known[0] == code
    n_games = table.all(".games li").count()
    table.all(".games li").first.locator("button").first.click()
    table.all("main.game").wait_for()
    assert table.page.url.endswith(code)
    table.button("new game").click()
    table.all(".games li").first.locator("button").last.click()
    expect(table.all(".games li")).to_have_count(n_games - 1)
    table.open(f"?game={code}")
    expect(table.all(".notice.shown")).to_be_visible()
