"""The page under the hands of people: what each of its parts does, and what must not happen."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator

import pytest
from browsing import Table, keep, late_game
from conftest import Server, Visit, wait_until
from playwright.sync_api import Browser, expect

from skyline_kernel.skyline import format_position

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MOVED_ON = "This game has moved on in another window. Load this page again to see it."


@pytest.fixture(scope="module")
def shared(server: Server, browser: Browser) -> Iterator[Visit]:
    """One page for the tests that begin a game of their own."""
    context = browser.new_context(locale="en-GB")
    visit = Visit(context.new_page())
    Table(visit.page, server)
    yield visit
    context.close()


@pytest.fixture
def table(shared: Visit, server: Server) -> Iterator[Table]:
    """The table on the shared page; nothing may have complained or strayed in the test."""
    table = Table.__new__(Table)
    table.page, table.server = shared.page, server
    yield table
    shared.expect_clean()


def rolled(table: Table) -> None:
    """Begin a game of two persons and roll the district's dice."""
    table.fresh("human", "human")
    table.press("take district")
    table.press("roll")


# --- clicks -----------------------------------------------------------------------------------


def test_double_click_on_roll_rolls_once(table: Table) -> None:
    table.fresh("human", "human")
    table.press("take district")
    table.changing(lambda: table.button("roll").dblclick())
    expect(table.all(".entries li")).to_have_count(2)
    assert "rolls" in table.log()[0]
    assert len(table.dice()) == 3


def test_clicks_in_a_row_all_count(table: Table) -> None:
    """Three dice in a moment, before any answer can come: none of the clicks is lost."""
    rolled(table)
    table.page.evaluate(
        "() => { for (const die of document.querySelectorAll('.tray [data-die]')) die.click(); }"
    )
    expect(table.all(".tray [aria-pressed=true]")).to_have_count(3)
    table.fresh("human", "human")
    table.page.evaluate(
        """() => {
  for (const kind of ['P', 'G', 'U']) document.querySelector(`[data-kind=${kind}]`).click();
}"""
    )
    expect(table.all(".entries li")).to_have_count(1)
    assert sorted(table.dice()) == ["G?", "P?", "U?"]


def test_second_of_equal_dice_is_chosen(table: Table) -> None:
    table.fresh("human", "human")
    table.take("GGG")
    table.press("roll")
    third = table.all(".tray [data-die]").nth(2)
    number = third.get_attribute("data-number")
    table.changing(third.click)
    table.press("abandon")
    left = table.all(".tray [data-die]").evaluate_all("all => all.map(d => d.dataset.number)")
    assert len(left) == 2
    assert number not in left


def test_greyed_button_says_why(table: Table) -> None:
    rolled(table)
    end = table.button("end")
    assert end.get_attribute("title") == "Use at least one die first."
    assert end.get_attribute("aria-disabled") == "true"
    end.click(force=True)
    expect(table.all(".notice.shown")).to_have_text("Use at least one die first.")
    table.select(0)
    expect(table.all(".notice")).to_have_text("")


def test_greyed_button_says_why_to_the_keyboard(table: Table) -> None:
    rolled(table)
    table.button("end").focus()
    table.page.keyboard.press("Enter")
    expect(table.all("[role=status].shown")).to_have_text("Use at least one die first.")
    assert not table.focus_is_lost()


def test_picked_die_is_put_back(table: Table) -> None:
    table.fresh("human", "human")
    table.take("GU")
    table.changing(table.all(".picked button").first.click)
    assert table.all(".count").all_inner_texts() == ["× 1"]
    assert not table.focus_is_lost()


def test_tower_is_chosen_by_clicking_it(table: Table) -> None:
    rolled(table)
    table.select(0)
    table.press("demolish")
    expect(table.all(".die-button.waiting")).to_have_count(1)
    expect(table.all("[data-seat='1'] .tower.target")).to_have_count(1)
    table.changing(table.all(".tower.target").first.click)
    assert table.columns(1) == []
    assert table.columns(2) == ["m1"]
    assert not table.focus_is_lost()


# --- saying and showing -----------------------------------------------------------------------


def test_roll_is_announced(table: Table) -> None:
    table.fresh("human", "human")
    table.press("take district")
    table.listen()
    table.press("roll")
    said = " ".join(table.heard())
    assert re.search(r"rolls: ground floor [\w-]+, upper floor [\w-]+, penthouse [\w-]+\.", said)
    assert "Select dice, then build" in said


def test_every_die_has_a_spoken_name(table: Table) -> None:
    rolled(table)
    names = table.all(".tray [data-die]").evaluate_all("all => all.map(d => d.ariaLabel)")
    assert all(re.fullmatch(r"[\w ]+ (low-rise|mid-rise|high-rise|blank)", name) for name in names)


def test_chance_of_zero_stands_on_the_page(table: Table) -> None:
    """With nothing but a start, three penthouse dice can never be built."""
    table.fresh("human", "human")
    row = table.all('[data-odds="P?,P?,P?"]')
    assert row.locator("td").all_inner_texts() == ["0", "0.0%"]


def test_language_changes_in_the_middle_of_a_game(table: Table) -> None:
    rolled(table)
    table.select(1)
    before = (table.dice(), table.columns(1), table.columns(2))
    english = table.all("main").inner_text()
    table.changing(lambda: choose(table, 0, "de"))
    assert (table.dice(), table.columns(1), table.columns(2)) == before
    assert table.all("[aria-pressed=true]").count() == 1
    german = table.all("main").inner_text()
    words = re.compile(r"\b(the|dice|yard|district|roll|build|turn|point|floor)s?\b", re.IGNORECASE)
    assert words.search(english)
    assert not words.search(german)
    assert table.page.locator(".skyline").get_attribute("lang") == "de"
    table.changing(lambda: choose(table, 0, "en"))
    assert table.all("main").inner_text() == english


def choose(table: Table, place: int, value: str) -> None:
    """Choose language (0), theme (1) or pace (2)."""
    table.all(".settings select").nth(place).select_option(value)


def background(table: Table) -> str:
    return str(
        table.page.evaluate(
            "() => getComputedStyle(document.querySelector('.skyline')).backgroundColor"
        )
    )


def test_light_and_dark(table: Table) -> None:
    table.page.emulate_media(color_scheme="light")
    light = background(table)
    table.page.emulate_media(color_scheme="dark")
    expect(table.page.locator(".skyline[data-theme=dark]")).to_have_count(1)
    dark = background(table)
    assert light != dark
    choose(table, 1, "light")
    expect(table.page.locator(".skyline[data-theme=light]")).to_have_count(1)
    assert background(table) == light
    choose(table, 1, "auto")
    table.page.emulate_media(color_scheme="light")
    expect(table.page.locator(".skyline[data-theme=light]")).to_have_count(1)


def test_nothing_moves_where_less_motion_is_asked_for(table: Table) -> None:
    rolled(table)
    moving = "() => document.getAnimations().filter((a) => a.playState === 'running').length"
    table.page.emulate_media(reduced_motion="reduce")
    try:
        table.page.wait_for_function(f"() => ({moving})() === 0")
        table.select(0)
        table.press("abandon")
        assert table.page.evaluate(moving) == 0
    finally:
        table.page.emulate_media(reduced_motion="no-preference")


# --- coming back ------------------------------------------------------------------------------


def test_new_game_and_back(table: Table) -> None:
    rolled(table)
    dice = table.dice()
    table.button("new game").click()
    table.all("form").wait_for()
    assert not table.focus_is_lost()
    table.all("form .buttons button").last.click()
    table.all("main.game").wait_for()
    assert table.dice() == dice
    assert not table.focus_is_lost()


def test_reload_in_the_middle_of_a_turn(table: Table) -> None:
    """The position is the same, and so is the next roll."""
    rolled(table)
    table.select(0)
    table.press("abandon")
    before = (table.page.url, table.dice(), table.log())
    table.reload()
    assert (table.page.url, table.dice(), table.log()) == before
    table.select(0, 1)
    table.press("roll")
    first = table.dice()
    table.open(re.sub(r".*/", "", before[0]))
    assert table.dice() == first


def test_back_button_comes_back_to_the_game(table: Table) -> None:
    rolled(table)
    url, dice = table.page.url, table.dice()
    table.page.goto("about:blank")
    table.page.go_back()
    table.wait_ready()
    assert (table.page.url, table.dice()) == (url, dice)


def test_garbage_in_the_address(table: Table) -> None:
    table.open("?game=%3Cscript%3Ealert(1)%3C/script%3E")
    expect(table.all(".notice.shown")).to_have_text("There is no game at this address.")
    table.start("human")
    assert re.search(r"\?game=[\w-]{22}$", table.page.url)


def test_dead_process_is_told_and_the_game_comes_back(server: Server, browser: Browser) -> None:
    before = set(server.page_processes())
    context = browser.new_context(locale="en-GB")
    table = Table(context.new_page(), server)
    rolled(table)
    dice = table.dice()
    # The page of the test before may be ending still, but no other one begins.
    (process,) = set(server.page_processes()) - before
    os.kill(process, signal.SIGKILL)
    notice = table.page.locator("#skyline-notice")
    notice.wait_for()
    notice.get_by_role("button").click()
    wait_until(notice.is_hidden, what="the page to load again")
    table.wait_ready()
    assert table.dice() == dice
    table.select(0)
    table.press("abandon")
    context.close()


def test_two_tabs_on_one_game(table: Table, browser: Browser, server: Server) -> None:
    rolled(table)
    context = browser.new_context(locale="en-GB")
    other = Table(context.new_page(), server, re.sub(r".*/", "", table.page.url))
    assert other.dice() == table.dice()
    table.select(0)
    table.press("abandon")
    other.select(1)
    other.button("abandon").click()
    expect(other.all(".notice.shown")).to_have_text(MOVED_ON)
    assert len(other.dice()) == 3
    other.reload()
    assert other.dice() == table.dice()
    other.press("undo")
    table.select(0)
    table.button("abandon").click()
    expect(table.all(".notice.shown")).to_have_text(MOVED_ON)
    context.close()


# --- what pupils type -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["<img src=x onerror=alert(1)>", "</p><script>alert(1)</script>", "{{7*7}} ${7*7}"]
)
def test_name_is_never_markup(table: Table, name: str) -> None:
    table.page.evaluate("() => { window.n_alerts = 0; window.alert = () => window.n_alerts++; }")
    table.fresh("human", "human", names=[name])
    table.press("take district")
    table.press("roll")
    assert table.all("[data-seat='1'] h3").inner_text() == name
    assert name in table.prompt()
    assert name in table.log()[0]
    assert table.page.locator(".skyline").locator("img, script, b").count() == 0
    assert table.page.evaluate("() => window.n_alerts") == 0


def test_name_that_is_empty_is_one_sentence(table: Table) -> None:
    table.button("new game").click()
    table.all(".seat input").first.fill("   ")
    table.all("button[type=submit]").click()
    expect(table.all(".notice.shown")).to_contain_text("expected 1 to 40 characters")
    table.all(".seat input").first.fill("Ada")
    table.start()
    assert table.prompt().startswith("Ada: ")


def test_form_has_one_to_four_seats(table: Table) -> None:
    table.button("new game").click()
    table.start("human", "human", "human", "human")
    expect(table.all("article.player")).to_have_count(4)
    names = table.all("article h3").all_inner_texts()
    assert len(set(names)) == 4
    table.fresh("human")
    expect(table.all("article.player")).to_have_count(1)


def test_late_position_is_drawn_as_it_is(table: Table, server: Server) -> None:
    game = late_game("use")
    table.open(keep(server, game))
    for seat, skyline in enumerate(game.state.skylines, start=1):
        assert table.columns(seat) == [str(column) for column in skyline]
    assert table.dice() == [str(die) for die in game.state.dice]
    assert format_position(game.state).count("/") == 3
