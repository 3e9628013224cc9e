"""What a visitor asks for: the page, its end, the watch over it, and error pages.

How a page comes about: the upper part of the HTML (loading state, scripts) is sent at once,
so the browser fetches and reads the scripts while the page process starts on the server.
Then the notebook's code runs in the process, and the lower part brings the outputs, which
Voilà's front end turns into widgets.

The process learns about the request from its environment, as CGI programs do:
``QUERY_STRING`` (as sent, at most 2048 characters), ``SCRIPT_NAME`` (the path),
``HTTP_ACCEPT_LANGUAGE``, ``HTTP_COOKIE``, and ``SKYLINE_LANGUAGE``, the one of our languages
that fits the visitor.
So ``urllib.parse.parse_qs(os.environ.get("QUERY_STRING", ""))`` in the app gives the
parameters of ``http://…/?game=…``. On the JavaScript side ``window.location`` is the page's
own address and ``history.replaceState`` may change it: a page loaded again then starts with
the new one.
"""

from __future__ import annotations

import asyncio
import copy
import json
import os
import uuid
from pathlib import Path
from queue import Empty
from typing import TYPE_CHECKING, Any, cast

import nbformat
from jupyter_server.base.handlers import JupyterHandler
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from tornado import web
from tornado.websocket import WebSocketClosedError, WebSocketHandler
from voila.execute import VoilaExecutor

from skyline_app.kernels import KERNEL_NAME
from skyline_app.lines import SteadyLine
from skyline_app.phrases import PHRASES, error_sentence, preferred_language

if TYPE_CHECKING:
    import jinja2
    from jupyter_client.asynchronous.client import AsyncKernelClient
    from jupyter_client.manager import AsyncKernelManager
    from nbformat import NotebookNode

    from skyline_app.kernels import PageKernelManager

#: Seconds from the request until a page that has not come is given up with a sentence.
GIVE_UP_SECONDS = 40.0
LONGEST_QUERY = 2048
#: The pages that the navigation leads to, with their addresses below the server's.
SITE = (("play", ""), ("learn", "learn"), ("lab", "lab"))
LANGUAGE_NAMES = {"de": "Deutsch", "en": "English"}
#: When the dark colours count, by the theme that was chosen on the page (kept in a cookie).
DARK_WHEN = {"auto": "(prefers-color-scheme: dark)", "dark": "all", "light": "not all"}


class SkylineHandler(JupyterHandler):
    """Knows the visitor's language and answers errors with a plain page."""

    @property
    def pages(self) -> PageKernelManager:
        """The manager of the page processes."""
        return cast("PageKernelManager", self.kernel_manager)

    @property
    def templates(self) -> jinja2.Environment:
        """Our own templates."""
        return cast("jinja2.Environment", self.settings["skyline_templates"])

    @property
    def visitor_language(self) -> str:
        """``"en"`` or ``"de"``: what was chosen on the page, else what the browser asks for."""
        chosen = self.get_cookie("skyline_language")
        if chosen is not None and chosen in PHRASES:
            return chosen
        return preferred_language(self.request.headers.get("Accept-Language", ""))

    @property
    def visitor_theme(self) -> str:
        """``"auto"``, ``"light"`` or ``"dark"``, as chosen on the page."""
        chosen = self.get_cookie("skyline_theme") or ""
        return chosen if chosen in DARK_WHEN else "auto"

    def render_page(self, name: str, **more: Any) -> str:
        """Render one of our templates with what all of them need."""
        language = self.visitor_language
        return self.templates.get_template(name).render(
            language=language,
            languages=LANGUAGE_NAMES,
            phrases=PHRASES[language],
            theme=self.visitor_theme,
            dark_when=DARK_WHEN[self.visitor_theme],
            site=SITE,
            base_url=self.base_url,
            assets_url=self.settings["skyline_assets_url"],
            **more,
        )

    def write_error(self, status_code: int, **_: Any) -> None:
        """Answer with one sentence; what happened stands in the log only."""
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Vary", "Accept-Language, Cookie")
        sentence = error_sentence(self.visitor_language, status_code)
        self.finish(self.render_page("error.html.j2", status=status_code, sentence=sentence))


class NothingHereHandler(SkylineHandler):
    """Answers every address that we do not have."""

    async def prepare(self) -> None:  # type: ignore[override]
        """Answer 404 whatever the method is."""
        raise web.HTTPError(404)


class PageHandler(SkylineHandler):
    """Sends a page and starts its process."""

    #: As for `GIVE_UP_SECONDS`; a page that shows something meanwhile may take longer.
    patience = GIVE_UP_SECONDS

    def initialize(self, notebook: NotebookNode, page_config: dict[str, Any], page: str) -> None:
        """Take the notebook to run and what Voilà's front end wants to know.

        Parameters
        ----------
        notebook : NotebookNode
            Run afresh for every page; its outputs are shown in order.
        page_config : dict
            The settings of Voilà's front end without those of a single page.
        page : str
            Which page of the navigation it is.
        """
        self.notebook = notebook
        self.page_config = page_config
        self.page = page
        self.kernel_id = str(uuid.uuid4())
        self.visitor_left = False

    @web.authenticated
    async def get(self) -> None:
        """Send the page in two parts.

        Raises
        ------
        HTTPError
            503 if too many page processes are running.
        """
        await self.send_page()

    async def send_page(self) -> None:
        """Send the upper part, run the notebook, send the lower part.

        Raises
        ------
        HTTPError
            503 if too many page processes are running.
        """
        if self.pages.is_full:
            raise web.HTTPError(503)
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        self.write(self.upper_part())
        await self.flush()
        cells = await self._cells_or_none()
        if self.visitor_left:
            await self.pages.end_page(self.kernel_id, "ended")
        else:
            self.finish(self.lower_part(cells))

    def on_connection_close(self) -> None:
        """Note that the visitor went away before the page was complete."""
        super().on_connection_close()
        self.visitor_left = True

    def upper_part(self, name: str = "page_open.html.j2", **more: Any) -> str:
        """Return what is sent before the process runs."""
        return self.render_page(
            name,
            page=self.page,
            page_config={**self.page_config, "kernelId": self.kernel_id},
            notices={code: dict(phrases) for code, phrases in PHRASES.items()},
            **{"title": self.notebook.metadata.get("title"), **more},
        )

    def lower_part(self, cells: list[NotebookNode] | None) -> str:
        """Return what is sent after the notebook has run, None for one that could not."""
        return self.render_page("page_close.html.j2", cells=cells)

    async def after_cell(self, index: int, cell: NotebookNode) -> None:
        """Look at a cell that has just run."""

    async def _cells_or_none(self) -> list[NotebookNode] | None:
        try:
            async with asyncio.timeout(self.patience):
                async with self.pages.start_gate:
                    return None if self.visitor_left else await self._run_notebook()
        except (CellExecutionError, CellTimeoutError, DeadKernelError, TimeoutError):
            self.log.exception("The page process %s did not get ready", self.kernel_id)
        except Exception:  # the visitor must not wait for an answer that never comes
            self.log.exception("The page process %s could not be started", self.kernel_id)
        await self.pages.end_page(self.kernel_id, "died")
        return None

    async def _run_notebook(self) -> list[NotebookNode]:
        await self.pages.start_kernel(
            kernel_id=self.kernel_id, kernel_name=KERNEL_NAME, env=self.environment()
        )
        executor = VoilaExecutor(
            copy.deepcopy(self.notebook), km=self.pages.get_kernel(self.kernel_id)
        )
        executor.kc = await connect(executor.km)
        try:
            for index, cell in enumerate(executor.nb.cells):
                await executor.execute_cell(cell, None, index, store_history=False)
                await self.after_cell(index, cell)
        finally:
            executor.kc.stop_channels()
        return list(executor.nb.cells)

    def environment(self) -> dict[str, str]:
        """Return the environment of the page process."""
        folder = cast("str", self.settings["skyline_private_folder"])
        return {
            **os.environ,
            "HTTP_ACCEPT_LANGUAGE": self.request.headers.get("Accept-Language", "")[:LONGEST_QUERY],
            "HTTP_COOKIE": self.request.headers.get("Cookie", "")[:LONGEST_QUERY],
            "IPYTHONDIR": folder,
            "QUERY_STRING": self.request.query[:LONGEST_QUERY],
            "SCRIPT_NAME": self.request.path,
            "SKYLINE_LANGUAGE": self.visitor_language,
        }


async def connect(manager: AsyncKernelManager) -> AsyncKernelClient:
    """Return a client of a page process that is ready to run code.

    Jupyter's own way waits a fifth of a second for silence at the end; here the process is
    ready when it is heard to be idle after it answered the first question.

    Raises
    ------
    DeadKernelError
        If the process ends instead of answering.
    """
    await _until_sockets_are_there(manager)
    client: AsyncKernelClient = manager.client()
    client.start_channels(stdin=False, hb=False)
    while not await _is_ready(client):
        if not await manager.is_alive():
            client.stop_channels()
            raise DeadKernelError("the page process ended before it was ready")
    return client


async def _until_sockets_are_there(manager: AsyncKernelManager) -> None:
    """Wait for the last socket: who calls earlier is made to wait a tenth of a second."""
    if manager.transport != "ipc":
        return
    last = f"{manager.ip}-{manager.hb_port}"
    while not Path(last).exists() and await manager.is_alive():
        await asyncio.sleep(0.005)


async def _is_ready(client: AsyncKernelClient) -> bool:
    question = client.kernel_info()
    try:
        while True:
            # The line that brings the outputs may come to stand after the question has been
            # answered. The news is missed then, and the question is asked again.
            message = await client.get_iopub_msg(timeout=0.25)
            is_answer = message["parent_header"].get("msg_id") == question
            if is_answer and message["content"].get("execution_state") == "idle":
                return True
    except Empty:
        return False


class ModelHandler(SkylineHandler):
    """Tells the front end that a page process is there, and nothing else."""

    @web.authenticated
    async def get(self, kernel_id: str) -> None:
        """Send the model of one page process.

        Raises
        ------
        HTTPError
            404 if there is none.
        """
        if kernel_id not in self.pages:
            raise web.HTTPError(404)
        model = self.pages.kernel_model(kernel_id)
        self.set_header("Content-Type", "application/json")
        self.set_header("Cache-Control", "no-store")
        self.finish(json.dumps(model, default=str))


class OwnPagesHandler(SkylineHandler):
    """Answers only requests that come from a page of ours."""

    def check_xsrf_cookie(self) -> None:
        """Ask for the page's own origin instead of a token, which not every page can send.

        Raises
        ------
        HTTPError
            403 if the request comes from a page of another origin.
        """
        if not self.check_origin():
            raise web.HTTPError(403)


class EndHandler(OwnPagesHandler):
    """Ends a page process when its page says goodbye, by a beacon that carries no token."""

    @web.authenticated
    async def post(self, kernel_id: str) -> None:
        """End the process; a process that has ended already is no error."""
        await self.pages.end_page(kernel_id, "ended")
        self.set_status(204)
        self.finish()


class EarlyGoodbyeHandler(SkylineHandler):
    """Takes the goodbye of Voilà's own front end and does nothing.

    It is sent as soon as the page may be left, so also when a download begins. Ours is sent
    when the page is left.
    """

    def check_xsrf_cookie(self) -> None:
        """Let it pass: nothing is done."""

    @web.authenticated
    async def post(self, kernel_id: str) -> None:  # noqa: ARG002 (part of the address)
        """Answer that all is well."""
        self.set_status(204)
        self.finish()


class WatchHandler(SteadyLine, WebSocketHandler, SkylineHandler):
    """Keeps a line open to a page and tells it when its process is gone.

    The line says ``{"state": "alive"}`` at the start and then every few seconds, so the page
    notices when the server cannot be reached; ``"idle"``, ``"died"``, ``"ended"`` or
    ``"gone"`` (there is no such process) are the last word.
    """

    HEARTBEAT_SECONDS = 10.0

    def set_default_headers(self) -> None:
        """Leave the handshake as it is."""

    async def open(self, kernel_id: str) -> None:
        """Start the watch."""
        super().open()
        self.kernel_id = kernel_id
        if not self.pages.watch(kernel_id, self.last_word):
            self.last_word("gone")
            return
        self.heartbeat = asyncio.ensure_future(self._beat())

    async def _beat(self) -> None:
        while self.say("alive"):
            await asyncio.sleep(self.HEARTBEAT_SECONDS)

    def say(self, state: str) -> bool:
        """Send a state; False if the page is not there any more."""
        try:
            self.write_message({"state": state})
        except WebSocketClosedError:
            return False
        return True

    def last_word(self, state: str) -> None:
        """Send a state and close the line."""
        self.say(state)
        self.close()

    def on_message(self, message: str | bytes) -> None:
        """Take no orders."""

    def on_close(self) -> None:
        """Stop the watch."""
        self.pages.unwatch(self.kernel_id, self.last_word)
        heartbeat: asyncio.Future[None] | None = getattr(self, "heartbeat", None)
        if heartbeat is not None:
            heartbeat.cancel()


def read_notebook(path: Path) -> NotebookNode:
    """Read the app's notebook once and for all.

    Markdown cells are left out: the page has its title from the template.

    Raises
    ------
    OSError
        If the file is not there.
    """
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for cell in notebook.cells:
        cell.outputs = []
    return cast("NotebookNode", notebook)


def notebook_of(code: str) -> NotebookNode:
    """Return a notebook of one cell."""
    return cast("NotebookNode", nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)]))
