"""Advice, review and practice in the browser."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from browsing import Table, keep, late_game
from conftest import Server, Visit
from playwright.sync_api import Browser, expect
from test_page_access import LOOKS, WIDTHS, findings, wear, widest

from skyline_kernel.skyline import PLAYERS, ROLL, Game, Seat, start_game
from skyline_kernel.skyline.state import SIX_STOREYS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SCENES = ("advice", "warning", "review", "practice")


def choose(table: Table, place: int, value: str) -> None:
    """Change one of the settings of the advice panel."""
    table.all(".advice-settings select").nth(place).select_option(value)


def with_advice(table: Table) -> None:
    choose(table, 0, "full")
    table.all(".ranked tbody tr").first.wait_for()


def with_warning(table: Table) -> None:
    choose(table, 2, "always")
    table.all(".action[data-do=end]").click()
    table.all(".warning").wait_for()


def with_review(table: Table) -> None:
    table.all("[data-page=review]").click()
    table.all("main.review").wait_for()
    table.all(".mistakes-list button").first.click()
    table.all(".reasons").first.wait_for()


def with_practice(table: Table) -> None:
    table.all("[data-page=practice]").click()
    table.all("main.practice").wait_for()
    table.button("daily puzzle").click()
    table.all(".options").wait_for()


OPENERS = {
    "advice": with_advice,
    "warning": with_warning,
    "review": with_review,
    "practice": with_practice,
}


@pytest.fixture(scope="module")
def table(server: Server, browser: Browser) -> Iterator[Table]:
    """One page for all tests; it must have stayed clean."""
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    visit = Visit(context.new_page())
    yield Table(visit.page, server)
    context.close()
    visit.expect_clean()


@pytest.fixture(params=SCENES)
def scene(request: pytest.FixtureRequest, table: Table, server: Server) -> Table:
    phase = "over" if request.param == "review" else "more"
    table.open(keep(server, late_game(phase)))
    OPENERS[request.param](table)
    return table


def test_it_is_for_everyone_on_every_screen(scene: Table) -> None:
    for language, theme in LOOKS:
        wear(scene, language, theme)
        assert findings(scene) == []
        for width in WIDTHS:
            scene.page.set_viewport_size({"width": width, "height": 800})
            assert scene.overflow() == 0, (width, widest(scene))
    scene.page.set_viewport_size({"width": 1280, "height": 720})
    wear(scene, "en", "light")


def test_focus_on_an_action_shows_what_may_come_of_it(table: Table, server: Server) -> None:
    table.open(keep(server, late_game("more")))
    with_advice(table)
    row = table.all(".ranked tbody tr[data-action^=reroll]").first
    row.locator("button").focus()
    table.all(".outlook .branches li").first.wait_for()
    shares = table.all(".outlook .branches .chance").evaluate_all(
        "all => all.map((e) => Number(e.style.getPropertyValue('--share')))"
    )
    assert 0 < sum(shares) <= 1.000001


def test_tutor_takes_the_focus_and_gives_it_back(table: Table, server: Server) -> None:
    table.open(keep(server, late_game("more")))
    with_warning(table)
    expect(table.button("decline")).to_be_focused()
    dice = table.dice()
    table.button("decline").click()
    expect(table.all(".warning")).to_have_count(0)
    assert table.dice() == dice
    table.all(".action[data-do=end]").click()
    table.button("confirm").click()
    expect(table.all(".warning")).to_have_count(0)
    assert table.dice() != dice


def test_puzzle_is_answered_by_clicking(table: Table) -> None:
    table.open("")
    with_practice(table)
    table.all(".option-button").first.click()
    table.all(".verdict").wait_for()
    if not table.all(".verdict.right").count():
        table.button("reveal").click()
    table.all(".option-button.best").first.wait_for()
    progress = table.all("main.practice > .lead").inner_text()
    table.reload()
    table.all("[data-page=practice]").click()
    expect(table.all("main.practice > .lead")).to_have_text(progress)


def before_six_storeys() -> Game:
    """Return a game in which the person can finish a six-storey building at once."""
    game = start_game([Seat("Ada"), Seat("Bo")], seed=0)
    rng = np.random.default_rng(0)
    while True:
        state = game.state
        action = ROLL if state.is_chance else PLAYERS["builder"](state, rng)
        after = game.play(action)
        if after.log[-1].finished is SIX_STOREYS:
            return game
        game = after


def test_six_storeys_are_a_feast(table: Table, server: Server) -> None:
    table.open(keep(server, before_six_storeys()))
    place = table.dice().index("Ph")
    if table.all(".tray button").nth(place).get_attribute("aria-pressed") != "true":
        table.changing(table.all(".tray button").nth(place).click)
    table.button("build").click()
    expect(table.all(".feast").or_(table.all(".tower.target").first)).to_have_count(1)
    if table.all(".tower.target").count():
        table.all('.tower.target[data-column="h5"]').first.click()
    expect(table.all(".feast")).to_have_count(1)
    expect(table.all(".last")).to_be_visible()
