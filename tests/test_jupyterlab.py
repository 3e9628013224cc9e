"""Notebooks in JupyterLab itself, in a browser with the network shut off."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import ROOT, Visit, wait_until
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
    },
    # Cells that are out of sight stay on the page.
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run JupyterLab on a copy of the notebooks; give its address."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    settings = folder / "settings"
    for name, values in SETTINGS.items():
        package, plugin = name.split(":")
        path = settings / package / f"{plugin}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))
    log = folder / "lab.log"
    variables = {
        "JUPYTERLAB_SETTINGS_DIR": str(settings),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "SKYLINE_DATA_DIR": str(folder / "data"),
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--port=0", "--allow-root"]
    command += ["--IdentityProvider.token=test", f"--ServerApp.root_dir={folder / 'notebooks'}"]
    with log.open("wb") as sink:
        process = subprocess.Popen(
            command, env={**os.environ, **variables}, stdout=sink, stderr=subprocess.STDOUT
        )
    try:
        address = wait_until(lambda: _address(log, process), what="JupyterLab", seconds=60)
        assert address is not None
        yield address
    finally:
        process.terminate()
        process.wait(30)


def _address(log: Path, process: subprocess.Popen[bytes]) -> str | None:
    text = log.read_text(encoding="utf-8")
    assert process.poll() is None, f"JupyterLab has ended: {text}"
    found = re.search(r"http://127\.0\.0\.1:\d+", text)
    return found[0] if found else None


@pytest.fixture
def opened(browser: Browser, lab: str) -> Iterator[Notebook]:
    """Give a page that is cut off from the net."""
    context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 1000})
    visit = Visit(context.new_page())
    visit.page.set_default_timeout(60_000)
    yield Notebook(visit.page, lab)
    context.close()
    assert visit.strayed == []


class Notebook:
    """A notebook in JupyterLab.

    Parameters
    ----------
    page : Page
    lab : str
        Address of JupyterLab.
    """

    def __init__(self, page: Page, lab: str) -> None:
        self.page = page
        self.lab = lab

    def run(self, name: str) -> None:
        """Open a notebook and run its cells."""
        self.page.goto(f"{self.lab}/lab/tree/{name}?token=test")
        self.page.locator(".jp-Notebook .jp-Cell").first.wait_for()
        self.page.get_by_text("| Idle").wait_for()
        # Cells that are run before the kernel listens are not run at all; nothing shows when it does.
        wait_until(self._runs, what="the cells to be run", seconds=90)

    def _runs(self) -> bool:
        self.page.get_by_role("menuitem", name="Run", exact=True).click()
        self.page.get_by_role("menuitem", name=re.compile("^Run All Cells$")).click()
        try:
            expect(self.page.get_by_text("[1]:").first).to_be_attached(timeout=10_000)
        except AssertionError:
            return False
        return True


def test_the_first_game_is_played_in_a_notebook(opened: Notebook) -> None:
    opened.run("de/01_first_game.ipynb")
    table = opened.page.locator(".skyline")
    table.locator("button[type=submit]").click()
    for kind in "GUP":
        table.locator(f'[data-kind="{kind}"]').first.click()
    table.locator('[data-do="roll"]').click()
    expect(table.locator(".tray [data-die]")).to_have_count(3)


def test_a_lesson_works_in_a_notebook(opened: Notebook) -> None:
    opened.run("en/03_chance.ipynb")
    explorer = opened.page.locator(".skyline.lab").first
    expect(explorer.locator("table")).to_have_count(0)
    explorer.get_by_role("button", name="Show the answer").click()
    expect(explorer.locator("table").first).to_be_visible()
