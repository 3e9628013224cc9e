"""The page Learn in a browser: lessons that run, answers that stay, desks that are private."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import overflow_of, serious_findings
from conftest import Visit, kernel_id_in
from playwright.sync_api import expect
from skyline_app.lessons import ENTRIES, read_lesson
from skyline_app.phrases import PHRASES

if TYPE_CHECKING:
    from conftest import Server
    from playwright.sync_api import Browser, BrowserContext, Locator, Page

pytestmark = [pytest.mark.slow]

READY = "body[data-skyline=ready]"
RUNNING = [entry.name for entry in ENTRIES if entry.runs_here]
#: How many widgets each lesson has.
WIDGETS = {
    "02_rules": 3,
    "03_chance": 2,
    "04_reroll_or_stop": 1,
    "05_luck_and_skill": 0,
    "06_the_solved_game": 1,
    "07_laboratory": 4,
    "09_teachers_notes": 2,
}
#: Right answer to question 1 of the sheet "chance", seed 1.
RIGHT = "1/6"


def language_of(context: BrowserContext, server: Server, language: str, theme: str) -> None:
    """Make the choices of an earlier visit."""
    context.add_cookies(
        [
            {"name": "skyline_language", "value": language, "url": server.url},
            {"name": "skyline_theme", "value": theme, "url": server.url},
        ]
    )


def open_lesson(page: Page, server: Server, name: str) -> None:
    page.goto(f"{server.url}learn/{name}")
    page.wait_for_selector(READY)


def question(page: Page, number: int = 1) -> Locator:
    """Return a question of the exercise sheet of a page."""
    return page.locator(f'[data-question="{number - 1}"]')


def answer(page: Page, given: str) -> None:
    """Answer question 1 and wait for the verdict."""
    question(page).locator("input").fill(given)
    question(page).locator("input").press("Enter")
    expect(question(page).locator(".verdict")).not_to_have_text("")


# --- lessons ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RUNNING)
@pytest.mark.parametrize("language", ["de", "en"])
def test_every_lesson_runs_in_both_languages(
    server: Server, browser: Browser, name: str, language: str
) -> None:
    context = browser.new_context(viewport={"width": 375, "height": 800})
    language_of(context, server, language, "light")
    visit = Visit(context.new_page())
    page = visit.page
    open_lesson(page, server, name)
    lesson = read_lesson(name, language)
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("article h1").first).to_have_text(lesson.title)
    widgets = page.locator(":is([data-lab-ready], [data-skyline-ready])")
    expect(widgets).to_have_count(WIDGETS[name])
    for widget in widgets.all():
        expect(widget).to_have_attribute("lang", language)
    checks = page.locator(".skyline-checked")
    expect(checks).to_have_count(sum(part.is_check for part in lesson.parts if part.index >= 0))
    for check in checks.all():
        expect(check).to_be_visible()
    expect(page.locator("[data-late]")).to_have_count(0)
    # What is computed is told in words: nothing looks like a list or a dictionary of Python's.
    printed = page.locator(".skyline-printed").all_inner_texts()
    assert not [text for text in printed if re.search(r"[\[{]['\d]|Fraction\(", text)]
    assert overflow_of(page) == 0
    context.close()
    visit.expect_clean()


def test_text_is_there_before_the_code_has_run(tmp_path: Path, browser: Browser) -> None:
    from conftest import running_server

    never = (
        "from skyline_app import pages\n"
        "async def wait(self, index, cell):\n"
        "    import asyncio; await asyncio.sleep(3600)\n"
        "from skyline_app import learn\n"
        "learn.LessonHandler.after_cell = wait"
    )
    with running_server(tmp_path, before=never) as at:
        page = browser.new_page()
        page.goto(f"{at.url}learn/03_chance", wait_until="commit")
        expect(page.locator("article h2").last).to_have_text("Exercises")
        expect(page.locator("#skyline-loading")).to_have_text(PHRASES["en"]["computing"])
        expect(page.get_by_role("link", name="Reroll or stop?")).to_be_visible()
        page.close()


def test_a_lesson_that_fails_keeps_its_text_and_says_so(tmp_path: Path, browser: Browser) -> None:
    from conftest import running_server

    broken = (
        "from skyline_app import lessons\n"
        "lesson = lessons.read_lesson('03_chance', 'en')\n"
        "lesson.notebook.cells[2].source = 'raise RuntimeError(\"secret\")'"
    )
    with running_server(tmp_path, before=broken) as at:
        page = browser.new_page()
        page.goto(f"{at.url}learn/03_chance")
        expect(page.locator("#skyline-notice")).to_contain_text(PHRASES["en"]["failed"])
        expect(page.locator("article h2").last).to_be_visible()
        assert not page.evaluate(
            "() => Boolean(document.querySelector('article').closest('[inert]'))"
        )
        assert "secret" not in page.content()
        assert "secret" in at.log.read_text(encoding="utf-8")
        page.close()


@pytest.mark.parametrize(
    "path",
    [
        "learn/08_large_study",
        "learn/10_none",
        "learn/03_chance/",
        "learn/03_chance.ipynb",
        "learn/../app.ipynb",
        "learn/sheet/rules",
        "learn/sheet/..%2f",
        "notebooks/de/03_chance",
    ],
)
def test_what_is_not_there(server: Server, path: str) -> None:
    status, _, text = server.ask(path)
    assert status == 404
    assert PHRASES["en"]["error_404"] in text


@pytest.mark.parametrize("path", ["learn/sheet/lesson-45", "learn/09_teachers_notes"])
def test_from_the_end_of_the_road_a_link_leads_back_to_the_list(
    server: Server, page: Page, path: str
) -> None:
    page.goto(server.url + path)
    page.wait_for_selector(READY)
    page.get_by_role("link", name="All lessons").last.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(PHRASES["en"]["learn"])


def test_a_lesson_draws_its_tables_in_the_readers_language(
    server: Server, browser: Browser
) -> None:
    context = browser.new_context(viewport={"width": 375, "height": 800})
    language_of(context, server, "de", "dark")
    page = context.new_page()
    open_lesson(page, server, "03_chance")
    table = page.locator(".skyline-table").first
    expect(table.locator("caption")).to_have_text("Erdgeschossw\u00fcrfel")
    expect(table.locator("tbody tr")).to_have_count(3)
    expect(table.locator("tbody tr").first).to_contain_text("50,0\u202f%")
    assert serious_findings(page) == []
    context.close()


@pytest.mark.parametrize("path", ["learn", "learn/", "learn/03_chance", "learn/sheet/lesson-45"])
def test_pages_carry_the_headers_and_the_navigation(server: Server, path: str) -> None:
    status, headers, text = server.ask(path, headers={"Accept-Language": "de"})
    assert status == 200
    assert "script-src 'self' blob:" in headers["content-security-policy"]
    assert headers["cache-control"] in ("no-store", "no-cache")
    for name, address in (("play", ""), ("learn", "learn"), ("lab", "lab")):
        assert f'href="/{address}" data-site="{name}"' in text
        assert f">{PHRASES['de'][name]}</a>" in text
    if "kernelId" in text:
        server.ask(f"end/{kernel_id_in(text)}", method="POST")


# --- exercises --------------------------------------------------------------------------------


@pytest.fixture
def pupil(server: Server, browser: Browser) -> Iterator[Page]:
    """A page of lesson 03, opened by somebody who was never here."""
    context = browser.new_context(locale="en-GB", accept_downloads=True)
    visit = Visit(context.new_page())
    open_lesson(visit.page, server, "03_chance")
    yield visit.page
    context.close()
    assert visit.strayed == []


@pytest.mark.browser
def test_answers_stay_whatever_happens_and_can_be_handed_in(server: Server, pupil: Page) -> None:
    answer(pupil, RIGHT)
    expect(question(pupil).locator(".verdict")).to_have_attribute("data-tone", "good")
    others = set(server.page_processes())
    pupil.reload()
    pupil.wait_for_selector(READY)
    expect(question(pupil).locator("input")).to_have_value(RIGHT)
    (pid,) = set(server.page_processes()) - others
    os.kill(pid, signal.SIGKILL)
    notice = pupil.locator("#skyline-notice")
    expect(notice).to_contain_text(PHRASES["en"]["died"])
    assert pupil.locator("article h1").first.is_visible(), "the text can still be read"
    notice.get_by_role("button").click()
    expect(question(pupil).locator("input")).to_have_value(RIGHT)
    pupil.wait_for_selector(READY)
    pupil.select_option("[data-setting=language]", "de")
    expect(pupil.locator("article h1").first).to_have_text("Was ist eine Chance?")
    expect(question(pupil).locator("input")).to_have_value(RIGHT)
    expect(question(pupil).locator(".verdict")).to_contain_text("Richtig")
    verify_hand_in(pupil)


def verify_hand_in(page: Page) -> None:
    """Save the answers as a file of each form and read them."""
    texts = {}
    for ending in ("json", "csv"):
        with page.expect_download() as saved:
            page.locator(f'button[data-name="chance-1.{ending}"]').click()
        texts[ending] = Path(saved.value.path()).read_text(encoding="utf-8")
    assert json.loads(texts["json"])["seed"] == 1
    assert len(list(csv.DictReader(io.StringIO(texts["csv"])))) == 5


def test_nobody_sees_the_answers_of_another_desk(
    server: Server, browser: Browser, visit: Visit
) -> None:
    page = visit.page
    open_lesson(page, server, "sheet/lesson-45")
    answer(page, "7")
    other = browser.new_context().new_page()
    open_lesson(other, server, "sheet/lesson-45")
    expect(question(other).locator("input")).to_have_value("")
    answer(other, "8")
    other.context.close()
    page.reload()
    expect(question(page).locator("input")).to_have_value("7")
    # At the same computer: with empty sheets nothing of the person before is left.
    page.goto(f"{server.url}learn")
    page.get_by_role("button", name=PHRASES["en"]["desk_new"]).click()
    page.wait_for_url("**/learn")
    open_lesson(page, server, "sheet/lesson-45")
    expect(question(page).locator("input")).to_have_value("")


def test_a_desk_that_is_made_up_is_not_taken(server: Server) -> None:
    for code in ("../../x", "a" * 21, "x" * 500):
        _, headers, text = server.ask(
            "learn/sheet/lesson-45", headers={"Cookie": f"skyline_desk={code}"}
        )
        assert f"skyline_desk={code};" not in headers["set-cookie"]
        assert "HttpOnly" in headers["set-cookie"]
        assert "SameSite=Lax" in headers["set-cookie"]
        server.ask(f"end/{kernel_id_in(text)}", method="POST")


def test_bug_lessons_opened_at_once_from_the_list_had_a_desk_each(server: Server) -> None:
    _, headers, _ = server.ask("learn")
    found = re.search(r"skyline_desk=([A-Za-z0-9_-]{22});", headers["set-cookie"])
    assert found is not None
    # Whoever opens the list again, or a lesson from it, is still at the same desk.
    for path in ("learn", "learn/sheet/lesson-45"):
        _, headers, text = server.ask(path, headers={"Cookie": f"skyline_desk={found[1]}"})
        assert f"skyline_desk={found[1]};" in headers["set-cookie"]
    server.ask(f"end/{kernel_id_in(text)}", method="POST")


def test_only_our_own_pages_can_empty_a_desk(server: Server) -> None:
    foreign = {"Origin": "http://elsewhere.example"}
    assert server.ask("desk/new", method="POST", headers=foreign, body=b"")[0] == 403
    assert server.ask("desk/new")[0] == 405


# --- the way there, and for everyone ----------------------------------------------------------


@pytest.mark.browser
def test_from_the_start_page_to_an_answer_by_keyboard_alone(server: Server, visit: Visit) -> None:
    page = visit.page
    page.goto(server.url)
    page.wait_for_selector(READY)
    keys = page.keyboard
    tab_to(page, '[data-site="learn"]', 5)
    keys.press("Enter")
    expect(page.locator("h1")).to_have_text("Learn")
    tab_to(page, 'a[href$="03_chance"]', 14)
    keys.press("Enter")
    page.wait_for_selector(READY)
    tab_to(page, '[data-question="0"] input', 60)
    keys.type(RIGHT)
    keys.press("Enter")
    expect(question(page).locator(".verdict")).to_contain_text("Right!")
    assert page.evaluate("() => document.activeElement.matches('[data-question=\"0\"] *')")


def tab_to(page: Page, selector: str, most: int) -> None:
    """Press Tab until something has the focus; fails after so many presses."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
    pytest.fail(f"{selector} was not reached")


def test_a_game_its_language_and_colours_are_not_lost_by_looking_something_up(
    server: Server, visit: Visit
) -> None:
    page = visit.page
    page.goto(server.url)
    page.wait_for_selector(READY)
    page.locator(".skyline button[type=submit]").click()
    page.wait_for_url("**/?game=*")
    address = page.url
    page.locator(".skyline .settings select").first.select_option("de")
    expect(page.locator('[data-site="learn"]')).to_have_text("Lernen")
    page.locator('[data-site="learn"]').click()
    expect(page.locator("h1")).to_have_text("Lernen")
    page.select_option("[data-setting=theme]", "dark")
    page.reload()
    expect(page.locator("[data-setting=theme]")).to_have_value("dark")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(18, 22, 31)"
    page.locator('[data-site="play"]').click()
    expect(page.locator(".skyline[data-theme=dark][lang=de]")).to_have_count(1)
    expect(page.locator(".skyline main.game")).to_be_visible()
    assert page.url == address


@pytest.mark.browser
@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("de", "dark")])
def test_axe_finds_nothing_serious_and_nothing_overflows(
    server: Server, browser: Browser, language: str, theme: str
) -> None:
    context = browser.new_context(reduced_motion="reduce")
    language_of(context, server, language, theme)
    page = context.new_page()
    page.goto(f"{server.url}learn")
    for path in ("learn", "learn/03_chance"):
        if path != "learn":
            open_lesson(page, server, "03_chance")
            page.locator("details").nth(1).evaluate("e => { e.open = true; }")
            expect(page.locator(f".skyline[data-theme={theme}]")).to_have_count(2)
        assert serious_findings(page) == [], path
        for width in (375, 2000):
            page.set_viewport_size({"width": width, "height": 800})
            assert overflow_of(page) == 0, (path, width)
        page.set_viewport_size({"width": 1280, "height": 720})
    context.close()
