"""A class at once: thirty visitors within one second, and what each of them waits for.

    python -m benchmarks.burst [--visitors 30]      (from the top folder)

Our app and, in the same run, a one-button notebook in a stock Voilà, one burst each. First
a real browser visits both and its requests are noted. Then each visitor sends the same
traffic without the browser: the page as a stream; every script and style the browser asked
for, compressed, over six kept connections, those named in the upper part as soon as it is
there and the others after the end of the page; then the web socket to the page process and
the question for the state of the widgets. A page counts as playable when that state is
there and holds the widget; what a browser would need to run the scripts is not in it. On
our page each visitor then presses a button and waits for the answer. At the end all say
goodbye as a browser does.

Silence is the longest time in which a visitor received nothing at all. Memory is the
proportional share (PSS) where the system tells it, resident memory elsewhere; that of the
notebook in all has one process too many, because the browser's own stays. Visitors and
servers run on this machine and share its cores; nothing is sent anywhere else. A visitor
gives up after 90 seconds, so the run ends by itself. Needs a Chromium, and Linux for the
numbers about the processor.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import re
import socket
import statistics
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jupyter_server.services.kernels.connection.base import (
    deserialize_msg_from_ws_v1,
    serialize_msg_to_ws_v1,
)
from playwright.sync_api import Request, sync_playwright
from tornado.http1connection import HTTP1Connection
from tornado.httpclient import HTTPRequest
from tornado.httputil import HTTPHeaders, HTTPMessageDelegate, RequestStartLine, ResponseStartLine
from tornado.iostream import IOStream
from tornado.websocket import WebSocketClientConnection, websocket_connect

from benchmarks.page import (
    OPTIONS,
    Candidate,
    candidates,
    chromium,
    descendants,
    only_this_machine,
    processes,
    serve,
)

PATIENCE = 90.0
#: As many as a browser opens to one server.
CONNECTIONS = 6
PROTOCOL = "v1.kernel.websocket.jupyter.org"
KERNEL_ID = re.compile(r'"kernelId": ?"([0-9a-f-]{36})"')
CLICK = {"method": "update", "state": {"request": {"do": "new game", "click": 1}}}


class VisitError(ValueError):
    """Something that a visitor asked for did not come, or not complete."""


@dataclass
class Traffic:
    """What the browser asked for besides the page itself.

    Attributes
    ----------
    early, late : list of str
        Addresses on the server, asked for before and after the end of the page. ``{id}``
        stands for the page process.
    watch : bool
        Whether the page keeps a line open that tells it of the end of its process.
    """

    early: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    watch: bool = False


@dataclass(frozen=True)
class Kind:
    """What differs between the two servers.

    Attributes
    ----------
    widget : str
        Stands in the state of the widget that makes the page playable.
    goodbye : str
        Where a page that is closed says so.
    answers : bool
        Whether the widget answers a click with its number.
    end_within : float
        Seconds that are waited for the end of the page processes after the last goodbye. Not
        long for the stock server: it refuses the goodbye of a browser that has no token of
        it, so its processes stay.
    """

    widget: str
    goodbye: str
    answers: bool
    end_within: float


KINDS = (
    Kind("AppTable", "/end/{id}", answers=True, end_within=600.0),
    Kind("ButtonView", "/voila/api/shutdown/{id}", answers=False, end_within=5.0),
)


class Answer(HTTPMessageDelegate):
    """Collects one answer of a server.

    Parameters
    ----------
    heard : callable
        Called with each piece when it comes.
    """

    def __init__(self, heard: Callable[[bytes], None]) -> None:
        self.heard = heard
        self.status = 0
        self.headers = HTTPHeaders()
        self.body = bytearray()
        self.is_complete = False

    def headers_received(
        self, start_line: RequestStartLine | ResponseStartLine, headers: HTTPHeaders
    ) -> None:
        """Note the status."""
        assert isinstance(start_line, ResponseStartLine)
        self.status, self.headers = start_line.code, headers

    def data_received(self, chunk: bytes) -> None:
        """Keep a piece."""
        self.body += chunk
        self.heard(chunk)

    def finish(self) -> None:
        """Note that all has come."""
        self.is_complete = True


class Visitor:
    """Sends what a browser sends, and notes when the answers come.

    Parameters
    ----------
    candidate : Candidate
        The server.
    kind : Kind
        What to expect of it.
    traffic : Traffic
        What to ask for.

    Attributes
    ----------
    first_byte, complete, playable, answered : float or None
        Seconds from the request to the first byte and the end of the page, the state of the
        widget, and the answer to a click.
    silence : float
        Longest time without a byte, in seconds.
    failure, refused : str
        What went wrong, and how the goodbye was refused, or empty.
    """

    def __init__(self, candidate: Candidate, kind: Kind, traffic: Traffic) -> None:
        self.kind, self.traffic = kind, traffic
        address = urlsplit(candidate.url)
        self.host, self.port = str(address.hostname), int(address.port or 80)
        self.first_byte: float | None = None
        self.complete: float | None = None
        self.playable: float | None = None
        self.answered: float | None = None
        self.silence = 0.0
        self.failure = self.refused = ""
        self.kernel_id = ""
        self._page = bytearray()
        self._cookies = ""
        self._session = uuid.uuid4().hex
        self._upper_part = asyncio.Event()
        self._sockets: list[WebSocketClientConnection] = []
        self._lines: asyncio.LifoQueue[IOStream | None] = asyncio.LifoQueue()
        for _ in range(CONNECTIONS):
            self._lines.put_nowait(None)

    async def come(self, after: float) -> None:
        """Visit the page after some seconds and stay there."""
        await asyncio.sleep(after)
        self._began = self._heard = time.monotonic()
        try:
            async with asyncio.timeout(PATIENCE):
                await self._load()
                await self._play()
        except TimeoutError:
            self.failure = f"gave up after {PATIENCE:.0f} s"
        except Exception as error:  # whatever it is, it is a visitor without a page
            self.failure = repr(error)
        self._hear(b"")

    async def leave(self) -> None:
        """Close the page."""
        for line in self._sockets:
            line.close()
        if self.kernel_id:
            try:
                async with asyncio.timeout(PATIENCE):
                    await self._fetch(self.kind.goodbye, "POST", status=204)
            except Exception as error:  # it is to be seen in the report
                self.refused = repr(error)
        while not self._lines.empty():
            line_or_none = self._lines.get_nowait()
            if line_or_none is not None:
                line_or_none.close()

    def _since(self) -> float:
        return time.monotonic() - self._began

    def _hear(self, _piece: bytes) -> None:
        now = time.monotonic()
        self.silence = max(self.silence, now - self._heard)
        self._heard = now

    def _hear_page(self, piece: bytes) -> None:
        self._hear(piece)
        self._page += piece
        found = KERNEL_ID.search(self._page.decode(errors="replace"))
        self.kernel_id = found[1] if found else ""
        if self.first_byte is None:
            self.first_byte = self._since()
            self._upper_part.set()

    async def _load(self) -> None:
        async with asyncio.TaskGroup() as loading:
            page = loading.create_task(self._fetch("/", heard=self._hear_page))
            await self._upper_part.wait()
            for path in self.traffic.early:
                loading.create_task(self._fetch(path))
            self._check_page((await page).decode())
            self.complete = self._since()
            if self.traffic.watch:
                self._sockets.append(await self._connect("/watch/{id}"))
            for path in self.traffic.late:
                loading.create_task(self._fetch(path))

    def _check_page(self, text: str) -> None:
        if not text.rstrip().endswith("</html>"):
            raise VisitError(f"the page ends with {text[-80:]!r}")
        if "application/vnd.jupyter.widget-view+json" not in text or not self.kernel_id:
            raise VisitError("the page has no widget")

    async def _fetch(
        self,
        path: str,
        method: str = "GET",
        *,
        status: int = 200,
        heard: Callable[[bytes], None] | None = None,
    ) -> bytes:
        """Send one request over a free connection and return the answer's body."""
        line = await self._lines.get()
        try:
            if line is None or line.closed():
                line = IOStream(socket.socket())
                await line.connect((self.host, self.port))
            answer = Answer(heard or self._hear)
            request = HTTP1Connection(line, is_client=True)
            start = RequestStartLine(method, path.format(id=self.kernel_id), "HTTP/1.1")
            request.write_headers(start, self._headers(method))
            request.finish()
            await request.read_response(answer)
        finally:
            self._lines.put_nowait(line)
        if answer.status != status or not answer.is_complete:
            raise VisitError(f"{path}: status {answer.status}, {len(answer.body)} bytes")
        if heard is not None:
            sent = answer.headers.get_list("Set-Cookie")
            self._cookies = "; ".join(cookie.split(";")[0] for cookie in sent)
        return bytes(answer.body)

    def _headers(self, method: str = "GET") -> HTTPHeaders:
        headers = HTTPHeaders({"Host": f"{self.host}:{self.port}", "Accept-Language": "en"})
        headers["Accept-Encoding"] = "gzip"
        if self._cookies:
            headers["Cookie"] = self._cookies
        if method == "POST":
            headers["Origin"] = f"http://{self.host}:{self.port}"
            headers["Content-Length"] = "0"
        return headers

    async def _connect(self, path: str) -> WebSocketClientConnection:
        url = f"ws://{self.host}:{self.port}{path.format(id=self.kernel_id)}"
        headers = {"Origin": f"http://{self.host}:{self.port}", "Cookie": self._cookies}
        protocols = [PROTOCOL] if "channels" in path else None
        return await websocket_connect(HTTPRequest(url, headers=headers), subprotocols=protocols)

    async def _play(self) -> None:
        line = await self._connect(f"/api/kernels/{{id}}/channels?session_id={self._session}")
        self._sockets.append(line)
        self._send(line, "kernel_info_request", {})
        await self._wait_for(line, lambda header, _: header["msg_type"] == "kernel_info_reply")
        comm = uuid.uuid4().hex
        opened = {"comm_id": comm, "target_name": "jupyter.widget.control", "data": {}}
        self._send(line, "comm_open", opened)
        self._send(line, "comm_msg", {"comm_id": comm, "data": {"method": "request_states"}})
        states = await self._wait_for(line, lambda _, data: data.get("states"))
        models = [name for name, one in states.items() if self.kind.widget in json.dumps(one)]
        if not models or models[0] not in self._page.decode():
            raise VisitError("the widget has no state")
        self.playable = self._since()
        self._send(line, "comm_close", {"comm_id": comm, "data": {}})
        if self.kind.answers:
            self._send(line, "comm_msg", {"comm_id": models[0], "data": CLICK})
            await self._wait_for(line, lambda _, data: data.get("state", {}).get("answered"))
            self.answered = self._since()

    def _send(self, line: WebSocketClientConnection, kind: str, content: dict[str, Any]) -> None:
        header = {
            "msg_id": uuid.uuid4().hex,
            "msg_type": kind,
            "session": self._session,
            "username": "",
            "version": "5.2",
            "date": "2026-01-01T00:00:00Z",
        }
        # The process closes the question for the widgets without this version.
        metadata = {"version": "1.0.0"} if kind == "comm_open" else {}
        parts = [json.dumps(part).encode() for part in (header, {}, metadata, content)]
        message = serialize_msg_to_ws_v1(parts, "shell")  # type: ignore[no-untyped-call]
        line.write_message(message, binary=True)

    async def _wait_for(
        self,
        line: WebSocketClientConnection,
        look: Callable[[dict[str, Any], dict[str, Any]], Any],
    ) -> Any:
        """Read messages until one has what is looked for, and return that.

        Parameters
        ----------
        line : WebSocketClientConnection
            To the page process.
        look : callable
            Gets the header of a message and the data of its comm (or nothing).
        """
        while True:
            message = await line.read_message()
            if not isinstance(message, bytes):
                raise VisitError("the web socket was closed")
            self._hear(message)
            _, parts = deserialize_msg_from_ws_v1(message)  # type: ignore[no-untyped-call]
            found = look(json.loads(parts[0]), json.loads(parts[3]).get("data") or {})
            if found:
                return found


def note_traffic(candidate: Candidate, kind: Kind) -> Traffic:
    """Visit the page with a browser and return what it asked for; this warms up the server."""
    traffic = Traffic()
    requests = traffic.early

    def note(request: Request) -> None:
        found = urlsplit(request.url)
        if request.method == "GET" and not request.is_navigation_request() and local(request.url):
            path = found.path + (f"?{found.query}" if found.query else "")
            requests.append(re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "{id}", path))

    def end_of_page(request: Request) -> None:
        nonlocal requests
        if request.is_navigation_request():
            requests = traffic.late

    def note_line(url: str) -> None:
        traffic.watch = traffic.watch or "/watch/" in url

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=OPTIONS)
        page = browser.new_page()
        page.route("**/*", only_this_machine)
        page.on("request", note)
        page.on("requestfinished", end_of_page)
        page.on("websocket", lambda line: note_line(line.url))
        page.goto(candidate.url, wait_until="commit")
        page.wait_for_selector(candidate.selector, state="attached", timeout=60_000)
        page.wait_for_load_state("networkidle")
        running = len(descendants(candidate.pid))
        page.unroute("**/*")  # its goodbye must not wait for us
        page.close(run_before_unload=True)
        wait_until(lambda: len(descendants(candidate.pid)) < running, kind.end_within)
        browser.close()
    return traffic


def local(url: str) -> bool:
    """Tell whether an address is on this machine."""
    return urlsplit(url).hostname == "127.0.0.1"


def wait_until(look: Callable[[], bool], seconds: float) -> float | None:
    """Look again and again; return the seconds that it took, or None if it took too long."""
    began = time.monotonic()
    while not look():
        if time.monotonic() > began + seconds:
            return None
        time.sleep(0.05)
    return time.monotonic() - began


def mebibytes(pid: int) -> float:
    """Return the memory of a process: its proportional share where the system tells it."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8")
    except OSError:
        return processes().get(pid, (0, 0.0))[1]
    found = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def processor_seconds(pids: set[int]) -> float:
    """Return the processor time that processes have used so far; 0 where it is not told."""
    ticks = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            line = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
            ticks += sum(map(int, line.rpartition(")")[2].split()[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


@dataclass
class Burst:
    """What was measured of one server.

    Attributes
    ----------
    visitors : list of Visitor
        All of them.
    per_page, in_all : float
        Memory in MiB: median of the page processes; server and all its processes.
    work : tuple of float
        Processor seconds of the server, of its other processes, and of the visitors.
    seconds : float
        From the first request to the last page.
    goodbye : float or None
        Seconds until no page process was left, None if some stayed.
    """

    visitors: list[Visitor]
    per_page: float
    in_all: float
    work: tuple[float, float, float]
    seconds: float
    goodbye: float | None = None


async def burst(candidate: Candidate, kind: Kind, traffic: Traffic, number: int) -> Burst:
    """Let all visitors come within one second, measure, and let them go."""
    server = {candidate.pid}
    others = descendants(candidate.pid)
    visitors = [Visitor(candidate, kind, traffic) for _ in range(number)]
    before = processor_seconds(server), processor_seconds(others), time.process_time()
    began = time.monotonic()
    await asyncio.gather(*(one.come(n / number) for n, one in enumerate(visitors)))
    seconds = time.monotonic() - began
    family = descendants(candidate.pid)
    after = processor_seconds(server), processor_seconds(family), time.process_time()
    work = (after[0] - before[0], after[1] - before[1], after[2] - before[2])
    pages = [mebibytes(pid) for pid in family - others]
    in_all = sum(map(mebibytes, family | server))
    found = Burst(visitors, statistics.median(pages or [0.0]), in_all, work, seconds)
    began = time.monotonic()
    await asyncio.gather(*(one.leave() for one in visitors))
    left = asyncio.to_thread(
        wait_until, lambda: descendants(candidate.pid) <= others, kind.end_within
    )
    found.goodbye = None if await left is None else time.monotonic() - began
    return found


def row(found: Burst) -> dict[str, float]:
    """Return the numbers of one server by their names in the table."""
    nothing = float("nan")

    def of(name: str, choose: Callable[[list[float]], float]) -> float:
        values = [value for one in found.visitors if (value := getattr(one, name)) is not None]
        return choose(values) if values else nothing

    return {
        "first byte, median s": of("first_byte", statistics.median),
        "first byte, worst s": of("first_byte", max),
        "page complete, median s": of("complete", statistics.median),
        "page complete, worst s": of("complete", max),
        "playable, median s": of("playable", statistics.median),
        "playable, worst s": of("playable", max),
        "click answered, worst s": of("answered", max),
        "longest silence, s": of("silence", max),
        "last process gone after, s": nothing if found.goodbye is None else found.goodbye,
        "memory of a page, MiB": found.per_page,
        "memory in all, MiB": found.in_all,
        "processor: server, s": found.work[0],
        "processor: pages, s": found.work[1],
        "processor: visitors, s": found.work[2],
        "processor: cores busy": sum(found.work) / found.seconds,
    }


def report(both: list[Candidate], found: list[Burst]) -> None:
    """Print the table, ours as a multiple of the other, and every failure."""
    print(f"{'':28}" + "".join(f"{one.name:>21}" for one in both) + f"{'ratio':>8}")
    ours, other = map(row, found)
    for name, value in ours.items():
        print(f"{name:28}{value:21.2f}{other[name]:21.2f}{value / (other[name] or 1):8.2f}")
    for candidate, kind, one in zip(both, KINDS, found, strict=True):
        failures = [visitor.failure for visitor in one.visitors if visitor.failure]
        print(f"{candidate.name}: {len(failures)} of {len(one.visitors)} visitors failed")
        for failure, times in Counter(failures).items():
            print(f"    {times} times {failure}")
        if one.goodbye is None:
            print(f"    page processes were left {kind.end_within:.0f} s after the last goodbye")
        if refused := [visitor.refused for visitor in one.visitors if visitor.refused]:
            print(f"    {len(refused)} goodbyes were refused, e.g. {refused[0][:110]}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--visitors", type=int, default=30, help="in one second (default 30)")
    number = parser.parse_args().visitors
    load = os.getloadavg()[0]
    found = []
    with contextlib.ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory()))
        both = candidates(folder, "[data-skyline-ready]")
        for candidate in both:
            running.enter_context(serve(candidate, folder))
        noted = [note_traffic(candidate, kind) for candidate, kind in zip(both, KINDS, strict=True)]
        for candidate, kind, traffic in zip(both, KINDS, noted, strict=True):
            found.append(asyncio.run(burst(candidate, kind, traffic, number)))
    print(
        f"{number} visitors within 1 s, Python {sys.version.split()[0]}, {os.cpu_count()} cores, "
        f"load before: {load:.1f}"
    )
    for candidate, traffic in zip(both, noted, strict=True):
        print(f"{candidate.name}: {len(traffic.early)} + {len(traffic.late)} files for each page")
    report(both, found)


if __name__ == "__main__":
    main()
