"""The desk of rule cards: lines on and off, moved, added; prices, files, words, and the page."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any

import pytest
from skyline_widgets import RuleCardDesk
from test_lab_page import show
from test_lab_widgets import press

from skyline_kernel.errors import SettingError
from skyline_kernel.skyline.coach.pricing import price
from skyline_kernel.skyline.coach.remembered import CARDS, COSTS
from skyline_kernel.skyline.coach.rules import Card, Line
from skyline_kernel.skyline.coach.vocabulary import builds, conditions, takes

if TYPE_CHECKING:
    from playwright.sync_api import Page

SHORT = next(card for card in CARDS if len(card.lines) == 4)


@pytest.fixture
def desk() -> RuleCardDesk:
    return RuleCardDesk(SHORT, language="en")


def items_of(desk: RuleCardDesk, section: str) -> list[dict[str, Any]]:
    found = next(one for one in desk.view["sections"] if one["name"] == section)
    return list(found["items"])


def told_price(desk: RuleCardDesk) -> str:
    return str(items_of(desk, "rule-price")[0]["text"])


def is_priced(desk: RuleCardDesk) -> bool:
    """Whether the page says what the card on the desk is worth."""
    told = price(desk.card)
    assert desk.price == told
    return f"{told.expected:.2f}" in told_price(desk) and f"{told.cost:.2f}" in told_price(desk)


def test_a_line_is_switched_off_and_on(desk: RuleCardDesk) -> None:
    before = desk.price
    assert not press(desk, "set", name="line-1", value=False)
    assert desk.card == Card((SHORT.lines[0], *SHORT.lines[2:]))
    assert desk.lines == SHORT.lines
    assert is_priced(desk)
    assert desk.price != before
    press(desk, "set", name="line-1", value=True)
    assert desk.price == before
    assert is_priced(desk)


def test_lines_are_moved_and_taken_out(desk: RuleCardDesk) -> None:
    first, second, *rest = SHORT.lines
    press(desk, "up")
    assert desk.lines == SHORT.lines
    press(desk, "down")
    assert desk.lines == (second, first, *rest)
    press(desk, "up")
    assert desk.lines == SHORT.lines
    press(desk, "set", name="chosen", value="3")
    press(desk, "remove")
    assert desk.lines == SHORT.lines[:3]
    assert is_priced(desk)
    for _ in range(4):
        press(desk, "remove")
    assert desk.lines == ()
    assert is_priced(desk)


def test_a_line_is_added_before_the_chosen_one(desk: RuleCardDesk) -> None:
    press(desk, "set", name="group", value="take")
    press(desk, "set", name="deed", value="3")
    press(desk, "set", name="condition", value="0")
    press(desk, "set", name="chosen", value="1")
    press(desk, "add")
    new = Line(takes()[3], (conditions()[0],))
    assert desk.lines == (SHORT.lines[0], new, *SHORT.lines[1:])
    press(desk, "set", name="group", value="build")
    press(desk, "set", name="condition", value="always")
    press(desk, "add")
    assert desk.lines[1] == Line(builds()[0])
    assert is_priced(desk)
    while len(desk.lines) < 16:
        press(desk, "add")
    assert "at most 16" in press(desk, "add")
    assert len(desk.lines) == 16


def test_a_shipped_card_is_chosen_and_marked_in_the_curve(desk: RuleCardDesk) -> None:
    press(desk, "set", name="card", value="2")
    assert desk.card == CARDS[2]
    table = next(one for one in items_of(desk, "rule-curve") if one["type"] == "table")
    assert [row[1] for row in table["rows"]] == [f"{cost:.2f}" for cost in COSTS]
    assert table["marked"] == [2]
    press(desk, "set", name="line-0", value=False)
    table = next(one for one in items_of(desk, "rule-curve") if one["type"] == "table")
    assert table["rows"][-1] == [f"yours ({desk.card.complexity})", f"{desk.price.cost:.2f}"]
    assert table["marked"] == [len(CARDS)]


@pytest.mark.parametrize(
    "command",
    [
        {"do": "set", "name": "card", "value": "99"},
        {"do": "set", "name": "card", "value": "own"},
        {"do": "set", "name": "line-9", "value": True},
        {"do": "set", "name": "deed", "value": "-1"},
        {"do": "set", "name": "condition", "value": 3},
        {"do": "set", "name": "group", "value": "nothing"},
        {"do": "explode"},
        {"do": "file", "name": "card.exe"},
    ],
)
def test_what_cannot_be_done_changes_nothing(desk: RuleCardDesk, command: dict[str, Any]) -> None:
    assert press(desk, command.pop("do"), **command)
    assert desk.lines == desk.card.lines == SHORT.lines


def test_too_long_a_card_is_refused() -> None:
    with pytest.raises(SettingError, match="at most 16"):
        RuleCardDesk(Card(tuple(Line(do) for do in builds()[:17])))


def test_the_costs_of_the_lines_add_up_and_are_dropped_when_the_card_changes(
    desk: RuleCardDesk,
) -> None:
    press(desk, "costs")
    table = next(one for one in items_of(desk, "rule-price") if one["type"] == "table")
    assert len(table["rows"]) == len(SHORT.lines) + 1
    assert sum(float(row[2]) for row in table["rows"]) == pytest.approx(desk.price.cost, abs=0.05)
    press(desk, "set", name="line-0", value=False)
    assert not [one for one in items_of(desk, "rule-price") if one["type"] == "table"]


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_card_is_saved_in_both_languages(language: str) -> None:
    desk = RuleCardDesk(SHORT, language=language)
    cost = f"{desk.price.cost:.2f}".replace(".", "," if language == "de" else ".")
    for name in ("card.txt", "card.html", "card.svg", "curve.svg"):
        press(desk, "file", name=name)
        text = desk.file["text"]
        if name != "card.txt":
            ET.fromstring(text)
        if name.startswith("card"):
            assert cost in " ".join(text.split())
            assert ("Geh die Liste durch" in text) == (language == "de")
    press(desk, "file", name="curve.csv")
    rows = list(csv.reader(io.StringIO(desk.file["text"])))
    assert len(rows) == len(CARDS) + 1


def test_every_line_to_choose_has_german_words() -> None:
    english, german = RuleCardDesk(SHORT, language="en"), RuleCardDesk(SHORT, language="de")
    for group in ("take", "build", "other"):
        for one in (english, german):
            one.act("set", name="group", value=group)
        for name in ("deed", "condition"):
            words = [
                next(item for item in items_of(one, "rule-card") if item.get("name") == name)
                for one in (english, german)
            ]
            pairs = list(zip(words[0]["options"], words[1]["options"], strict=True))
            assert len(pairs) > 10
            assert not [left for left, right in pairs if left[1] == right[1]]
            assert not [right for _, right in pairs if "{" in right[1]]


@pytest.mark.browser
@pytest.mark.slow
def test_a_line_is_switched_off_by_keyboard_and_the_price_follows(page: Page) -> None:
    desk = RuleCardDesk(SHORT, language="en")
    show(page, desk)
    box = page.locator('input[data-name="line-0"]')
    box.focus()
    page.keyboard.press("Space")
    page.wait_for_function("() => !document.querySelector('input[data-name=line-0]').checked")
    assert desk.card.lines == SHORT.lines[1:]
    page.wait_for_function("(text) => document.body.innerText.includes(text)", arg=told_price(desk))
    page.locator('button[data-do="down"]').focus()
    page.keyboard.press("Enter")
    page.wait_for_function(
        "(text) => document.querySelectorAll('.rule-card .tick')[1].innerText.includes(text)",
        arg=str(SHORT.lines[0].words)[1:30],
    )
    assert desk.lines[1] == SHORT.lines[0]
