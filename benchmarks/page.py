"""How long a visitor waits for the page, and how much memory its process takes.

    python benchmarks/page.py [--visits 9] [--selector '[data-skyline-ready]']

Our app and, in the same run, the simplest page that Voilà can make: a notebook with one
button in Voilà's own template. Visits alternate between the two, each in a fresh browser
that has nothing stored, so what disturbs the machine disturbs both. The first visit of each
is not counted: the servers are to be warm.

Needs Linux or macOS and a Chromium (as the browser tests do). Both servers and the browser
run on this machine and share its cores; nothing is sent anywhere else.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Route, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
#: Put into every page: notes when an element first matches the selector.
STOPWATCH = """
(() => {
  const look = () => {
    if (window.readyAfter === undefined && document.querySelector(SELECTOR)) {
      window.readyAfter = performance.now();
    }
  };
  new MutationObserver(look).observe(document, {
    attributes: true, childList: true, subtree: true,
  });
})();
"""


@dataclass
class Candidate:
    """One of the two servers and what was measured of it.

    Attributes
    ----------
    name : str
        For the table.
    command : list of str
        Starts the server.
    selector : str
        What is on the page when it can be played.
    seconds : list of float
        From the request to the playable page, one for each visit.
    mebibytes : list of float
        Resident memory of the page's process, one for each visit.
    """

    name: str
    command: list[str]
    selector: str
    url: str = ""
    pid: int = 0
    seconds: list[float] = field(default_factory=list)
    mebibytes: list[float] = field(default_factory=list)


@contextlib.contextmanager
def serve(candidate: Candidate, folder: Path) -> Iterator[None]:
    """Run a candidate's server while the block runs."""
    log = folder / f"{candidate.name}.log"
    environment = {**os.environ, "SKYLINE_DATA_DIR": str(folder / "data")}
    with log.open("wb") as sink:
        process = subprocess.Popen(
            candidate.command, stdout=sink, stderr=subprocess.STDOUT, cwd=folder, env=environment
        )
    try:
        candidate.url = wait_for_address(log, process)
        candidate.pid = process.pid
        yield
    finally:
        process.terminate()
        process.wait(30)


def wait_for_address(log: Path, process: subprocess.Popen[bytes], seconds: float = 60) -> str:
    """Return the address that a server writes to its log.

    Raises
    ------
    SystemExit
        If the server ends or says nothing.
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        found = re.search(r"http://127\.0\.0\.1:\d+\S*", log.read_text(encoding="utf-8"))
        if found:
            return found[0]
        time.sleep(0.05)
    raise SystemExit(f"a server did not start:\n{log.read_text(encoding='utf-8')}")


def processes() -> dict[int, tuple[int, float]]:
    """Return the parent and the resident memory (MiB) of each running process."""
    columns = ["ps", "-A", "-o", "pid=,ppid=,rss="]
    table = subprocess.run(columns, capture_output=True, text=True, check=True)
    rows = (tuple(map(int, line.split())) for line in table.stdout.splitlines())
    return {pid: (parent, kibibytes / 1024) for pid, parent, kibibytes in rows}


def descendants(pid: int) -> set[int]:
    """Return the children of a process, their children, and so on."""
    parents = {child: parent for child, (parent, _) in processes().items()}
    found: set[int] = set()
    while more := {child for child, parent in parents.items() if parent in {pid, *found}} - found:
        found |= more
    return found


def visit(browser: Browser, candidate: Candidate) -> tuple[float, float]:
    """Open the page once and close it.

    Returns
    -------
    seconds : float
        From the request until the selector matched.
    mebibytes : float
        Resident memory of the process that the visit added.
    """
    others = descendants(candidate.pid)
    context = browser.new_context()
    page = context.new_page()
    page.route("**/*", only_this_machine)
    page.add_init_script(STOPWATCH.replace("SELECTOR", repr(candidate.selector)))
    page.goto(candidate.url, wait_until="commit")
    page.wait_for_selector(candidate.selector, state="attached", timeout=60_000)
    seconds = page.evaluate("window.readyAfter") / 1000
    page.wait_for_load_state("networkidle")
    table = processes()
    added = [table[pid][1] for pid in descendants(candidate.pid) - others if pid in table]
    context.close()
    return seconds, max(added, default=0.0)


def only_this_machine(route: Route) -> None:
    """Refuse whatever leads elsewhere: the stock template asks for fonts of a stranger."""
    if route.request.url.startswith(("http://127.0.0.1:", "blob:", "data:")):
        route.continue_()
    else:
        route.abort()


def one_button(folder: Path) -> Path:
    """Write the notebook of the other candidate."""
    cell: dict[str, object] = {
        "cell_type": "code",
        "execution_count": None,
        "id": "button",
        "metadata": {},
        "outputs": [],
        "source": "import ipywidgets\nipywidgets.Button(description='Hello')",
    }
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {"cells": [cell], "metadata": {"kernelspec": kernel}}
    path = folder / "button.ipynb"
    path.write_text(json.dumps({**notebook, "nbformat": 4, "nbformat_minor": 5}), "utf-8")
    return path


def candidates(folder: Path, selector: str) -> list[Candidate]:
    """Return the two servers to compare, ours first."""
    python = sys.executable
    ours = [python, "-m", "skyline_app", "--no-browser", "--port", "0"]
    stock = [python, "-m", "voila", str(one_button(folder)), "--no-browser"]
    stock += ["--Voila.ip=127.0.0.1", f"--port={free_port()}"]
    return [
        Candidate("skyline app", ours, selector),
        Candidate("one-button notebook", stock, ".widget-button"),
    ]


def free_port() -> int:
    """Return a port of this machine that is free now."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as opened:
        return int(opened.getsockname()[1])


def chromium() -> str | None:
    """Return the browser that the tests would take."""
    spec = importlib.util.spec_from_file_location("run", ROOT / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: str | None = module.find_browser()
    return found


def measure(both: list[Candidate], visits: int) -> None:
    """Visit the pages in turns and note the numbers; the first visit of each is a warm-up."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=OPTIONS)
        for number in range(visits + 1):
            for candidate in both:
                seconds, mebibytes = visit(browser, candidate)
                if number > 0:
                    candidate.seconds.append(seconds)
                    candidate.mebibytes.append(mebibytes)
        browser.close()


def report(both: list[Candidate]) -> None:
    """Print the table, and ours as a multiple of the other."""
    print(f"{'':22}{'median s':>10}{'worst s':>10}{'MiB':>8}")
    rows = []
    for candidate in both:
        row = (
            statistics.median(candidate.seconds),
            max(candidate.seconds),
            statistics.median(candidate.mebibytes),
        )
        rows.append(row)
        print(f"{candidate.name:22}{row[0]:10.2f}{row[1]:10.2f}{row[2]:8.0f}")
    ratios = [ours / other for ours, other in zip(*rows, strict=True)]
    print(f"{'ratio':22}{ratios[0]:10.2f}{ratios[1]:10.2f}{ratios[2]:8.2f}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--visits", type=int, default=9, help="to each page (default 9)")
    parser.add_argument("--selector", default="[data-skyline-ready]", help="the game is there")
    options = parser.parse_args()
    with contextlib.ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory()))
        both = candidates(folder, options.selector)
        for candidate in both:
            running.enter_context(serve(candidate, folder))
        measure(both, options.visits)
    print(f"{options.visits} visits each, Python {sys.version.split()[0]}, {os.cpu_count()} cores")
    report(both)


if __name__ == "__main__":
    main()
