"""The page Laboratory in a browser: tabs, the address, dice of one's own, and what will not do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from browsing import overflow_of, serious_findings
from conftest import Visit
from playwright.sync_api import expect
from skyline_app.lab_sections import SECTIONS
from test_lab_sections import MINE_FILE

if TYPE_CHECKING:
    from conftest import Server
    from playwright.sync_api import Browser, Locator, Page

pytestmark = [pytest.mark.slow]

READY = "body[data-skyline=ready]"
NAMES = [section.name for section in SECTIONS]
POSITION = "m2 G1U1P1 P? roll 9.1 online"


def go(page: Page, server: Server, **words: str) -> None:
    """Open the laboratory at an address."""
    page.goto(f"{server.url}lab{'?' + urlencode(words) if words else ''}")
    page.wait_for_selector(READY)


def panel(page: Page, name: str) -> Locator:
    return page.locator(f'[data-panel="{name}"]')


def open_tab(page: Page, name: str) -> None:
    """Click on a tab and wait for its widget."""
    page.locator(f'[data-tab="{name}"]').click()
    expect(panel(page, name).locator("[data-lab-ready]")).to_be_visible()


@pytest.fixture(scope="module")
def bench(server: Server, browser: Browser) -> Iterator[Page]:
    """A page of the laboratory, used by tests that leave it as it was."""
    context = browser.new_context(locale="en-GB")
    visit = Visit(context.new_page())
    go(visit.page, server)
    yield visit.page
    context.close()
    visit.expect_clean()


@pytest.mark.browser
def test_each_section_is_built_when_it_is_opened(bench: Page) -> None:
    expect(bench.locator("[data-lab-ready]")).to_have_count(1)
    for name in NAMES:
        open_tab(bench, name)
        expect(bench.locator(f'[data-tab="{name}"]')).to_have_attribute("aria-selected", "true")
        expect(bench.locator("[role=tabpanel]:visible")).to_have_count(1)
    expect(bench.locator("[data-lab-ready]")).to_have_count(len(NAMES))
    assert bench.url.endswith(f"tab={NAMES[-1]}")


@pytest.mark.browser
def test_tabs_by_keyboard(bench: Page) -> None:
    open_tab(bench, NAMES[0])
    keys = bench.keyboard
    bench.locator(f'[data-tab="{NAMES[0]}"]').focus()
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    keys.press("ArrowLeft")
    keys.press("Enter")
    expect(panel(bench, NAMES[1])).to_be_visible()
    keys.press("End")
    keys.press("ArrowRight")
    keys.press("Space")
    expect(panel(bench, NAMES[0])).to_be_visible()
    expect(bench.locator(".skyline-lab-lead button")).to_be_visible()
    keys.press("Tab")
    assert bench.evaluate("() => document.activeElement.matches('.skyline-lab-lead button')")
    keys.press("Tab")
    assert bench.evaluate("() => Boolean(document.activeElement.closest('[role=tabpanel]'))")


def test_address_leads_back_after_a_reload_and_elsewhere(
    server: Server, browser: Browser, visit: Visit
) -> None:
    page = visit.page
    go(page, server, tab="position")
    field = panel(page, "position").locator("input[data-name=position]")
    field.fill(POSITION)
    field.press("Enter")
    expect(panel(page, "position")).to_contain_text("worth 3.0000 = 3 points")
    panel(page, "position").locator("select[data-name=objective]").select_option("turn")
    page.wait_for_url("**goal=turn**")
    open_tab(page, "turn")
    expect(page.locator(".skyline-lab-lead")).to_contain_text(POSITION)
    page.wait_for_url("**tab=turn**")
    page.reload()
    page.wait_for_selector(READY)
    expect(page.locator(".skyline-lab-lead")).to_contain_text(POSITION)
    page.get_by_role("button", name="Change the position").click()
    expect(panel(page, "position").locator("select[data-name=objective]")).to_have_value("turn")
    other = browser.new_page(locale="de-DE")
    other.goto(page.url)
    other.wait_for_selector(READY)
    expect(other.locator("h1").first).to_have_text("Labor")
    expect(panel(other, "position").locator("input[data-name=position]")).to_have_value(POSITION)
    other.close()


@pytest.mark.browser
def test_what_will_not_do_is_named_and_own_dice_are_brought(server: Server, visit: Visit) -> None:
    page = visit.page
    go(page, server, tab="position", position="h9 G1U1P1 - take 5.1")
    expect(page.locator(".skyline-lab-notice")).to_contain_text("'h9'")
    opener = panel(page, "position").locator("input[type=file]")
    notice = panel(page, "position").locator(".notice")
    field = panel(page, "position").locator("input[data-name=position]")
    before = field.input_value()
    bad = MINE_FILE.replace("high-rise = 4", 'high-rise = "many"').encode()
    for content, part in ((bad, "many"), (b"\xff\xfe\x00PNG", "dice set"), (b"", "missing")):
        opener.set_input_files({"name": "x.toml", "mimeType": "text/plain", "buffer": content})
        expect(notice).to_contain_text(part)
        expect(field).to_have_value(before)
    good = MINE_FILE.encode()
    expect(page.locator(".skyline-lab-notice")).to_be_hidden()
    opener.set_input_files({"name": "x.toml", "mimeType": "text/plain", "buffer": good})
    expect(field).to_have_value("h3,m1 G1U1P1 Gl,Um use 5.1 online+mine")
    page.wait_for_url("**own=mine:*")
    page.reload()
    page.wait_for_selector(READY)
    expect(field).to_have_value("h3,m1 G1U1P1 Gl,Um use 5.1 online+mine")
    open_tab(page, "odds")
    panel(page, "odds").locator("select[data-name=dice_set]").select_option("mine")
    page.wait_for_url("**dice=mine**")


@pytest.mark.browser
@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("de", "dark")])
def test_axe_finds_nothing_serious_and_nothing_overflows(
    server: Server, browser: Browser, language: str, theme: str
) -> None:
    context = browser.new_context(reduced_motion="reduce")
    for name, value in (("language", language), ("theme", theme)):
        cookie = {"name": f"skyline_{name}", "value": value, "url": server.url}
        context.add_cookies([cookie])  # type: ignore[list-item]
    page = context.new_page()
    go(page, server)
    for name in NAMES:
        open_tab(page, name)
        expect(panel(page, name).locator(f".skyline[data-theme={theme}]")).to_be_visible()
        assert serious_findings(page) == [], name
        page.set_viewport_size({"width": 375, "height": 800})
        assert overflow_of(page) == 0, name
        page.set_viewport_size({"width": 1280, "height": 720})
    context.close()
