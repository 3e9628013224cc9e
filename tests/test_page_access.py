"""The page for everyone: no serious finding of axe, and nothing wider than a small screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from browsing import Table, keep, late_game, serious_findings
from conftest import Server, Visit
from playwright.sync_api import Browser, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDTHS = (375, 1366, 2200)
LOOKS = (("en", "light"), ("de", "dark"), ("en", "dark"), ("de", "light"))
#: A page in every phase; the games are those of four persons with difficult names.
SCENES = ("start", "take", "use", "demolish", "more", "over")


@pytest.fixture(scope="module", params=SCENES)
def scene(request: pytest.FixtureRequest, server: Server, browser: Browser) -> Iterator[Table]:
    """A page for each scene, used by all tests below."""
    name = request.param
    phase = {"demolish": "use"}.get(name, name)
    query = "" if name == "start" else keep(server, late_game(phase))
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    visit = Visit(context.new_page())
    table = Table(visit.page, server, query)
    if name == "demolish":
        table.select(0, 1)
        table.press("demolish")
    yield table
    context.close()
    assert visit.strayed == []


def wear(table: Table, language: str, theme: str) -> None:
    """Change language and theme by the page's own controls."""
    table.all(".settings select").nth(0).select_option(language)
    expect(table.page.locator(f".skyline[lang={language}]")).to_have_count(1)
    table.all(".settings select").nth(1).select_option(theme)
    expect(table.page.locator(f".skyline[data-theme={theme}]")).to_have_count(1)


def findings(table: Table) -> list[dict[str, Any]]:
    """Let axe look at the page; return what it finds serious or critical."""
    return serious_findings(table.page)


@pytest.mark.parametrize(("language", "theme"), LOOKS)
def test_axe_finds_nothing_serious(scene: Table, language: str, theme: str) -> None:
    wear(scene, language, theme)
    assert findings(scene) == []


@pytest.mark.parametrize(("language", "theme"), LOOKS)
def test_nothing_is_wider_than_the_window(scene: Table, language: str, theme: str) -> None:
    wear(scene, language, theme)
    for width in WIDTHS:
        scene.page.set_viewport_size({"width": width, "height": 800})
        assert scene.overflow() == 0, (width, widest(scene))
    scene.page.set_viewport_size({"width": 1280, "height": 720})


def widest(table: Table) -> list[str]:
    """Return the elements that stick out of the window, for the message."""
    script = """() => [...document.querySelectorAll('.skyline *')]
  .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
  .slice(0, 5).map((e) => e.outerHTML.slice(0, 120))"""
    return list(table.page.evaluate(script))


def test_text_can_be_enlarged(scene: Table) -> None:
    """Twice the size of the text on a narrow screen still fits."""
    scene.page.set_viewport_size({"width": 640, "height": 800})
    scene.page.evaluate("() => { document.querySelector('.skyline').style.fontSize = '200%'; }")
    try:
        assert scene.overflow() == 0, widest(scene)
    finally:
        scene.page.evaluate("() => { document.querySelector('.skyline').style.fontSize = ''; }")
        scene.page.set_viewport_size({"width": 1280, "height": 720})


@pytest.mark.parametrize("scene", ["start"], indirect=True)
def test_axe_would_find_something(scene: Table) -> None:
    """The search itself works: a button without a name is found."""
    scene.page.evaluate(
        """() => {
  const button = Object.assign(document.createElement('button'), { id: 'nameless' });
  document.querySelector('.skyline').append(button);
}"""
    )
    try:
        assert "button-name" in [finding["rule"] for finding in findings(scene)]
    finally:
        scene.page.evaluate("() => document.getElementById('nameless').remove()")
