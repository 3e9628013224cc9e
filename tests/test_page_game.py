"""Whole games in the browser: by mouse, by keyboard, and in the printed edition."""

from __future__ import annotations

import re

import pytest
from browsing import Table
from conftest import Server, Visit

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def best_move(table: Table) -> None:
    """Use the dice as a person might: build what fits, else abandon the first."""
    for place in range(len(table.dice())):
        table.select(place)
        if table.can("build"):
            table.press("build")
            choose_tower(table)
            return
        table.changing(table.all(".tray [data-die]").nth(place).click)
    table.select(0)
    table.press("abandon")


def choose_tower(table: Table) -> None:
    """Choose the first tower if there is a choice."""
    if table.all(".tower.target").count():
        table.changing(table.all(".tower.target").first.click)


def play_turn(table: Table, kinds: str) -> None:
    """Take dice of the yard, or the district, roll them, use what fits, end the turn."""
    if kinds:
        table.take(kinds)
    else:
        table.press("take district")
    table.press("roll")
    best_move(table)
    while table.dice() and not table.can("end"):
        best_move(table)
    table.press("end")


def test_whole_game_by_clicking(server: Server, visit: Visit) -> None:
    """A person against the computer, to the final ranking, with the network shut off."""
    table = Table(visit.page, server)
    table.start(names=["Ada"])
    table.all(".settings select").nth(2).select_option("at once")
    for turn in range(9):
        assert f"Round {turn + 1} of 9" in table.all(".clock").inner_text()
        play_turn(table, "GUP" if turn < 2 else "")
        table.wait_for_person()
        if table.all(".ranking").count():
            break
    places = table.all(".places li").all_inner_texts()
    assert len(places) == 2
    assert "wins" in places[0] or "share the victory" in places[0]
    points = [int(re.search(r"(\d+) points?", place)[1]) for place in places]  # type: ignore[index]
    assert points == sorted(points, reverse=True)
    assert any("ends the turn" in line or "rolls" in line for line in table.log())
    assert table.prompt() == "The game is over."


def reach(table: Table, selector: str) -> None:
    """Press Tab until something has the focus, as a person without a mouse does."""
    page = table.page
    for _ in range(150):
        if page.evaluate("s => document.activeElement.matches(s)", f".skyline {selector}"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached by Tab")


def press_key(table: Table, selector: str, key: str) -> None:
    """Go to a control by Tab and press a key there; the focus must stay on the page."""
    reach(table, selector)
    table.changing(lambda: table.page.keyboard.press(key))
    assert not table.focus_is_lost(), selector


def turn_by_keyboard(table: Table, key: str, kinds: str) -> None:
    """Play a turn without the mouse."""
    for kind in kinds:
        press_key(table, f'[data-kind="{kind}"]', key)
    if not kinds:
        press_key(table, '[data-do="take district"]', key)
    press_key(table, '[data-do="roll"]', key)
    while True:
        press_key(table, ".tray [aria-pressed=false]", key)
        if table.can("build"):
            press_key(table, '[data-do="build"]', key)
        else:
            press_key(table, '[data-do="abandon"]', key)
        if table.all(".tower.target").count():
            press_key(table, ".tower.target", key)
        if table.can("end"):
            break
    press_key(table, '[data-do="end"]', key)


def test_whole_game_by_keyboard(server: Server, visit: Visit) -> None:
    """Tab, Enter and Space are enough to start, play and end a game."""
    table = Table(visit.page, server)
    page = visit.page
    reach(table, '[aria-label="Remove: Computer"]')
    page.keyboard.press("Enter")
    table.page.wait_for_function("() => document.querySelectorAll('.seat').length === 1")
    assert not table.focus_is_lost()
    reach(table, "button[type=submit]")
    page.keyboard.press("Space")
    table.all("main.game").wait_for()
    assert not table.focus_is_lost()
    turn = 0
    while not table.all(".ranking").count():
        turn_by_keyboard(table, "Enter" if turn % 2 else "Space", "" if turn else "GUU")
        turn += 1
    assert turn <= 9
    press_key(table, ".ranking .primary", "Enter")
    assert table.all("form").count() == 1


def test_printed_edition(server: Server, visit: Visit) -> None:
    """One kind of action between two rolls; demolition takes several dice at once."""
    table = Table(visit.page, server)
    table.start("human", "human", printed=True)
    table.press("take district")
    table.press("roll")
    table.select(0)
    table.press("abandon")
    table.select(0)
    assert not table.can("build")
    assert not table.can("demolish")
    table.button("demolish").click(force=True)  # greyed: it says why
    table.all(".notice.shown").wait_for()
    assert table.notice() == "One step holds one kind of action."
    assert table.can("abandon")
    table.press("end")
    table.take("GGG")
    table.press("roll")
    table.select(0, 1)
    table.press("demolish")
    assert "Choose the building to demolish for: " in table.prompt()
    table.changing(table.all(".tower.target").first.click)
    assert table.columns(2) == []
    assert len(table.dice()) == 1
    assert re.search(r"gives .+ and demolishes: unfinished mid-rise", table.log()[0])
    assert not table.can("build")
    table.press("undo")
    assert table.columns(2) == ["m1"]
    assert len(table.dice()) == 3
