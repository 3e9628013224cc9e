"""The page in a browser, in the words of a person who plays on it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from skyline_app.store import GameStore

from skyline_kernel.skyline import ROLL, Game, Rules, Seat, player_named, start_game
from skyline_kernel.skyline.game import MAX_NAME

if TYPE_CHECKING:
    from conftest import Server
    from playwright.sync_api import Locator, Page

TIMEOUT = 30_000
"""Milliseconds to wait for an answer of the page at most; far more than it ever takes."""

#: Notes down what the page's listeners of live regions hear.
LISTEN = """() => {
  window.heard = [];
  for (const region of document.querySelectorAll('[aria-live], [role=status]')) {
    new MutationObserver(() => window.heard.push(region.textContent))
      .observe(region, { childList: true, characterData: true, subtree: true });
  }
}"""

SERIOUS = ("serious", "critical")

#: Of a long table of chances the first rows are enough, as all are made alike.
AXE = """() => axe.run(
  { include: [['html']], exclude: [['.odds tbody tr:nth-child(n+5)'], ['.entries li:nth-child(n+5)']] },
  { resultTypes: ['violations'] },
)"""


@cache
def axe_script() -> str:
    """Return the script of axe, which the test dependency carries with it; no network is used."""
    spec = importlib.util.find_spec("axe_playwright_python")
    if spec is None or spec.origin is None:
        pytest.skip("axe-playwright-python is not installed")
    return (Path(spec.origin).parent / "axe.min.js").read_text(encoding="utf-8")


def serious_findings(page: Page) -> list[dict[str, Any]]:
    """Let axe look at a page; return what it finds serious or critical."""
    page.evaluate(axe_script())
    result = page.evaluate(AXE)
    return [
        {
            "rule": finding["id"],
            "help": finding["help"],
            "where": [node["html"][:200] for node in finding["nodes"][:3]],
            "why": finding["nodes"][0]["failureSummary"],
        }
        for finding in result["violations"]
        if finding["impact"] in SERIOUS
    ]


def overflow_of(page: Page) -> int:
    """Return how many pixels a page is wider than the window."""
    script = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    return int(page.evaluate(script))


class Table:
    """A page with a table on it.

    Parameters
    ----------
    page : Page
    server : Server
    query : str
        Of the address.
    """

    def __init__(self, page: Page, server: Server, query: str = "") -> None:
        self.page = page
        self.server = server
        page.set_default_timeout(TIMEOUT)
        page.goto(server.url + query)
        self.wait_ready()

    def wait_ready(self) -> None:
        """Wait until the table is drawn."""
        self.page.locator(".skyline[data-skyline-ready]").wait_for()

    def open(self, query: str) -> None:
        """Go to another address."""
        self.page.goto(self.server.url + query)
        self.wait_ready()

    def fresh(self, *players: str, printed: bool = False, names: Iterable[str] = ()) -> None:
        """Begin another game on the same page."""
        if self.button("new game").count():
            self.button("new game").click()
            self.all("form").wait_for()
        self.start(*players, printed=printed, names=names)

    def reload(self) -> None:
        """Load the page again."""
        self.page.reload()
        self.wait_ready()

    def all(self, selector: str) -> Locator:
        """Return what matches inside the table."""
        return self.page.locator(f".skyline {selector}")

    # --- the form -----------------------------------------------------------------------------

    def start(self, *players: str, printed: bool = False, names: Iterable[str] = ()) -> None:
        """Fill in the form and start; as it is, or with these players."""
        if players:
            while self.all(".seat").count() > len(players):
                self.all(".seat button").last.click()
            while self.all(".seat").count() < len(players):
                self.all("fieldset button").last.click()
            for i, player in enumerate(players):
                self.all(".seat select").nth(i).select_option(player)
        for i, name in enumerate(names):
            self.all(".seat input").nth(i).fill(name)
        if printed:
            self.all("input[type=radio]").nth(1).check()
        self.all("button[type=submit]").click()
        self.all("main.game").wait_for()

    # --- the game -----------------------------------------------------------------------------

    def button(self, do: str) -> Locator:
        """Return a button by its command."""
        return self.all(f'[data-do="{do}"]')

    def can(self, do: str) -> bool:
        """Tell whether a command is allowed."""
        return self.button(do).get_attribute("aria-disabled") is None

    def dice(self) -> list[str]:
        """Return what the active dice show."""
        found = self.all(".tray [data-die]").evaluate_all("all => all.map(d => d.dataset.die)")
        return list(found)

    def columns(self, seat: int = 1) -> list[str]:
        """Return the skyline of a seat."""
        towers = self.all(f'[data-seat="{seat}"] [data-column]')
        return list(towers.evaluate_all("all => all.map(t => t.dataset.column)"))

    def log(self) -> list[str]:
        """Return the sentences of the log, the latest first."""
        return self.all(".entries li").all_inner_texts()

    def prompt(self) -> str:
        """Return what is to be done."""
        return self.all(".prompt").inner_text()

    def notice(self) -> str:
        """Return the sentence over the table."""
        return self.all(".notice").inner_text()

    def press(self, do: str) -> None:
        """Click on a command and wait for what it changes."""
        self.changing(self.button(do).click)

    def changing(self, act: Callable[[], None]) -> None:
        """Do something and wait until the table is another one."""
        before = self.snapshot()
        act()
        self.page.wait_for_function(
            "before => window.skylineSnapshot() !== before", arg=before, timeout=TIMEOUT
        )

    def snapshot(self) -> str:
        """Return the text and the marks of the table."""
        return str(
            self.page.evaluate(
                """() => {
  window.skylineSnapshot = () => {
    const root = document.querySelector('.skyline');
    const marks = [...root.querySelectorAll('.target, [data-die]')];
    return root.innerText + marks.map((m) => m.className + m.ariaPressed + m.dataset.die).join();
  };
  return window.skylineSnapshot();
}"""
            )
        )

    def select(self, *places: int) -> None:
        """Click on dice of the tray that are not selected yet."""
        for place in places:
            die = self.all(".tray [data-die]").nth(place)
            if die.get_attribute("aria-pressed") == "false":
                self.changing(die.click)

    def take(self, kinds: str) -> None:
        """Click on rows of the yard."""
        for kind in kinds:
            self.changing(self.all(f'[data-kind="{kind}"]').click)

    def wait_for_person(self) -> None:
        """Wait until the computer players have moved."""
        self.page.wait_for_function(
            """() => !/is playing|spielt\\./.test(document.querySelector('.prompt').textContent)"""
        )

    # --- what must always hold ----------------------------------------------------------------

    def focus_is_lost(self) -> bool:
        """Tell whether nothing on the page has the focus."""
        return bool(self.page.evaluate("() => document.activeElement === document.body"))

    def overflow(self) -> int:
        """Return how many pixels the page is wider than the window."""
        return overflow_of(self.page)

    def listen(self) -> None:
        """Begin to note what the live regions say."""
        self.page.evaluate(LISTEN)

    def heard(self) -> list[str]:
        """Return what they have said since."""
        return list(self.page.evaluate("() => window.heard"))


# --- games that are there already -------------------------------------------------------------

LONG_NAMES = (
    "Wolfeschlegelsteinhausenbergerdorffsenior",
    "<b onmouseover=alert(1)>Bold</b>",
    "שלום עולם ילדים",
    "😀🎲🏙️ Ada Lovelace the Second of London",
)


def late_game(phase: str, *, first_round: int = 6) -> Game:
    """Return a game of four persons who played well, in a phase of a late round.

    Parameters
    ----------
    phase : str
        ``take``, ``roll``, ``use``, ``more`` or ``over``; in ``more`` two or three dice are left,
        which gives a short table of chances.
    first_round : int
        Round from which on the phase counts.
    """
    rng = np.random.default_rng(7)
    game = start_game([Seat(name[:MAX_NAME]) for name in LONG_NAMES], Rules(nine=True), seed=11)
    while not _is_wanted(game, phase, first_round):
        action = ROLL if game.state.is_chance else player_named("builder")(game.state, rng)
        game = game.play(action)
    return game


def _is_wanted(game: Game, phase: str, first_round: int) -> bool:
    state = game.state
    is_short = phase != "more" or len(state.dice) in (2, 3)
    return state.phase == phase and is_short and (state.is_over or state.round >= first_round)


def keep(server: Server, game: Game) -> str:
    """Keep a game where the server keeps its games; return the query that leads to it."""
    store = GameStore(server.log.parent / "data")
    return f"?game={store.add(game).code}"
