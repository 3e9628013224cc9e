"""A visitor without a browser, who sends what a browser sends (see `benchmarks.burst`)."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from jupyter_server.services.kernels.connection.base import (
    deserialize_msg_from_ws_v1,
    serialize_msg_to_ws_v1,
)
from tornado.http1connection import HTTP1Connection
from tornado.httpclient import HTTPRequest
from tornado.httputil import HTTPHeaders, HTTPMessageDelegate, RequestStartLine, ResponseStartLine
from tornado.iostream import IOStream
from tornado.websocket import WebSocketClientConnection, websocket_connect

from benchmarks.page import (
    Candidate,
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
