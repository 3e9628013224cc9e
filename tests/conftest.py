"""Fixtures that several test files share: the running web server and the browser.

The browser is a Chromium named by the environment variable SKYLINE_CHROMIUM, or one found
on the search path, or Playwright's own. Without any the browser tests fail and say so,
unless SKYLINE_NO_BROWSER=1 asks to leave them out.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from http.client import HTTPResponse
    from types import ModuleType
    from urllib.error import HTTPError

    from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Route

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[1]
BROWSER_OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
)
#: What the widgets' own scripts say about each other's versions, on a page without fault.
HARMLESS = re.compile(r"satisf(?:ied|ying) version")


def load_script(name: str) -> ModuleType:
    """Import a Python file of the project's top folder that is not part of a package."""
    spec = importlib.util.spec_from_file_location(Path(name).stem, ROOT / name)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def wait_until(look: Callable[[], T], *, what: str, seconds: float = 30.0) -> T:
    """Look again and again until something is there.

    Parameters
    ----------
    look : callable
        Returns what was waited for, or something false.
    what : str
        For the message when it does not come.
    seconds : float
        How long to wait at most; far more than it ever takes.
    """
    end = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        assert time.monotonic() < end, f"waited {seconds:g} s for {what}"
        time.sleep(0.02)


@dataclass(frozen=True)
class Server:
    """A running web server.

    Attributes
    ----------
    url : str
        The address of the page, with a slash at the end.
    process : subprocess.Popen
        The server.
    log : Path
        What it writes to standard output and standard error.
    """

    url: str
    process: subprocess.Popen[bytes]
    log: Path

    def ask(
        self,
        path: str = "",
        *,
        method: str = "GET",
        headers: dict[str, str] | None = None,
        body: bytes | None = None,
    ) -> tuple[int, dict[str, str], str]:
        """Send a request and return status, headers (small letters) and text."""
        request = urllib.request.Request(
            self.url + path, data=body, method=method, headers=headers or {}
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return _status_headers_text(answer)
        except urllib.error.HTTPError as answer:
            return _status_headers_text(answer)

    def open_page(self, query: str = "") -> str:
        """Ask for the page without a browser and return the id of its process."""
        _, _, text = self.ask(query)
        return kernel_id_in(text)

    def has_process(self, kernel_id: str) -> bool:
        """Tell whether a page process is there, by the server's word."""
        return self.ask(f"api/kernels/{kernel_id}")[0] == 200

    def page_processes(self) -> list[int]:
        """Return the process ids of all page processes, by the operating system's word."""
        table = subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True
        )
        rows = [line.split(None, 3) for line in table.stdout.splitlines()]
        running = {int(row[0]): (int(row[1]), row[3]) for row in rows if "Z" not in row[2]}
        return [pid for pid in running if is_page_process(pid, self.process.pid, running)]


def is_page_process(pid: int, server: int, running: dict[int, tuple[int, str]]) -> bool:
    """Tell whether a process is a page process of a server.

    Parameters
    ----------
    pid, server : int
        Process ids.
    running : dict
        Parent and command line of each process. A page process is a child of the server, or
        of the server's starter, whose command line it then has.
    """
    parent, line = running[pid]
    if parent == server:
        return "skyline_app.page_process" in line
    return "skyline_app.starter" in line and running.get(parent, (0, ""))[0] == server


def _status_headers_text(answer: HTTPResponse | HTTPError) -> tuple[int, dict[str, str], str]:
    headers = {name.lower(): value for name, value in answer.headers.items()}
    return int(answer.status or 0), headers, answer.read().decode()


def kernel_id_in(text: str) -> str:
    """Return the id of the page process that a page names."""
    found = re.search(r'"kernelId": "([0-9a-f-]+)"', text)
    assert found is not None, f"no page: {text[:300]}"
    return found[1]


@contextlib.contextmanager
def running_server(
    folder: Path, *options: str, before: str = "", **variables: str
) -> Iterator[Server]:
    """Start a web server on a free port and end it afterwards.

    Parameters
    ----------
    folder : Path
        For its log and its data.
    *options : str
        Of the command line.
    before : str
        Python code to run first in the server's process, to change its constants.
    **variables : str
        Of the environment.
    """
    log = folder / "server.log"
    start = ["-c", f"{before}\nfrom skyline_app.server import main\nraise SystemExit(main())"]
    program = start if before else ["-m", "skyline_app"]
    command = [sys.executable, *program, "--no-browser", "--port", "0", *options]
    environment = {**os.environ, "SKYLINE_DATA_DIR": str(folder / "data"), **variables}
    with log.open("wb") as sink:
        process = subprocess.Popen(
            command, env=environment, cwd=folder, stdout=sink, stderr=subprocess.STDOUT
        )
    try:
        url = wait_until(lambda: _address_in(log, process), what="the server")
        assert url is not None
        yield Server(url, process, log)
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            raise


def _address_in(log: Path, process: subprocess.Popen[bytes]) -> str | None:
    text = log.read_text(encoding="utf-8")
    assert process.poll() is None, f"the server has ended: {text}"
    found = re.search(r"http://\S+/", text)
    return found[0] if found else None


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run the web server as a user starts it, one for all tests of a run."""
    with running_server(tmp_path_factory.mktemp("server")) as running:
        yield running


def chromium_path() -> str | None:
    """Return the Chromium to use, None for Playwright's own."""
    found: str | None = load_script("run.py").find_browser()
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Run a Chromium without a window."""
    if os.environ.get("SKYLINE_NO_BROWSER"):
        pytest.skip("SKYLINE_NO_BROWSER is set")
    from playwright.sync_api import Error, expect, sync_playwright

    expect.set_options(timeout=20_000)  # other tests may keep the machine busy
    with sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(
                executable_path=chromium_path(), args=list(BROWSER_OPTIONS)
            )
        except Error as error:
            pytest.fail(
                "No Chromium for the browser tests. Install Chromium or Chrome, or name one in "
                "SKYLINE_CHROMIUM, or set SKYLINE_NO_BROWSER=1 to leave these tests out. "
                f"({str(error).splitlines()[0]})"
            )
        yield chromium
        chromium.close()


@dataclass
class Visit:
    """A page that a test looks at, and what it did behind the scenes.

    Attributes
    ----------
    page : playwright.sync_api.Page
        The page.
    requests : list of str
        Every address it asked for.
    strayed : list of str
        Those that are not of this machine; they were refused.
    complaints : list of str
        Errors of scripts, on the console and refusals by the content-security policy.
    """

    page: Page
    requests: list[str] = field(default_factory=list)
    strayed: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Listen to everything, and shut the network off but for this machine."""
        self.page.route("**/*", self._let_pass_if_local)
        self.page.on("request", self._note_request)
        self.page.on("console", self._note_console)
        self.page.on("pageerror", lambda error: self.complaints.append(f"script: {error}"))

    def _let_pass_if_local(self, route: Route) -> None:
        if is_local(route.request.url):
            route.continue_()
        else:
            route.abort()

    def _note_request(self, request: Request) -> None:
        self.requests.append(request.url)
        if not is_local(request.url):
            self.strayed.append(request.url)

    def _note_console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not HARMLESS.search(message.text):
            self.complaints.append(f"{message.type}: {message.text}")

    def expect_clean(self) -> None:
        """Check that nothing strayed and nothing complained."""
        assert self.strayed == []
        assert self.complaints == []


def is_local(url: str) -> bool:
    """Tell whether an address is one of this machine or has no machine at all."""
    return url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "blob:", "data:", "about:"))


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """Open a page with the network shut off; it must be clean at the end of the test."""
    context = browser.new_context(locale="en-GB")
    visit = Visit(context.new_page())
    yield visit
    context.close()
    visit.expect_clean()


@pytest.fixture
def page(visit: Visit) -> Page:
    """Give the page of `visit` to tests that need no more."""
    return visit.page
