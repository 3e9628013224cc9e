"""Take the picture of the README: ``python tools/screenshot.py``.

Starts the app on a free port with games of its own, plays a fixed game by computer players up to a
moment worth a picture, and takes it in Chromium (``SKYLINE_CHROMIUM`` or one on the search path).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright
from skyline_app.store import GameStore

from skyline_kernel.skyline import (
    ROLL,
    Game,
    Phase,
    Reroll,
    Seat,
    odds_of,
    player_named,
    start_game,
)

PICTURE: Final = Path(__file__).resolve().parents[1] / "docs" / "table.png"
SEED: Final = 56
SEATS: Final = (
    Seat("Anna"),
    Seat("Bela", "builder"),
    Seat("Carla", "greedy"),
    Seat("Dora", "builder"),
)
OPTIONS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
)


def game_worth_a_picture() -> Game:
    """Return a game in which the first seat may roll two dice again and does not know the end."""
    from numpy.random import default_rng

    game = start_game(SEATS, seed=SEED)
    rng = default_rng(SEED)
    while not _is_worth_a_picture(game):
        builder = player_named("builder" if game.seat.is_human else game.seat.player)
        game = game.play(ROLL if game.state.is_chance else builder(game.state, rng))
    return game


def _is_worth_a_picture(game: Game) -> bool:
    state = game.state
    is_choice = state.phase is Phase.MORE and len(state.dice) == 2
    if state.is_over or not (state.round >= 5 and state.seat == 1 and is_choice):
        return state.is_over
    odds = odds_of(state, Reroll(state.dice))
    return odds is not None and 0 < odds.build < 1


def main() -> None:
    """Take the picture."""
    with tempfile.TemporaryDirectory() as folder:
        code = GameStore(Path(folder)).add(game_worth_a_picture()).code
        environment = {**os.environ, "SKYLINE_DATA_DIR": folder}
        command = [sys.executable, "-m", "skyline_app", "--no-browser", "--port", "0"]
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, text=True
        ) as server:
            try:
                assert server.stdout is not None
                found = re.search(r"http://\S+", server.stdout.readline())
                assert found is not None
                photograph(f"{found[0]}?game={code}")
            finally:
                server.terminate()


def photograph(address: str) -> None:
    """Open the page and save what it shows."""
    browser_path = os.environ.get("SKYLINE_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=list(OPTIONS))
        context = browser.new_context(
            viewport={"width": 1280, "height": 900}, locale="en-GB", reduced_motion="reduce"
        )
        origin = address.split("?", maxsplit=1)[0]
        context.add_cookies([{"name": "skyline_advice", "value": "full", "url": origin}])
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("[data-skyline-ready] .ranked")
        PICTURE.parent.mkdir(exist_ok=True)
        page.screenshot(path=PICTURE, full_page=True)
        browser.close()
    print(PICTURE)


if __name__ == "__main__":
    main()
