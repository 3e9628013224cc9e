"""The page processes: how they start, what may reach them, and when they end.

Every visitor's page has a process of its own (a Jupyter kernel). Choices and reasons:

* **Own kernel description** instead of the machine's ``python3`` one. It always runs the
  interpreter of the server, so the page finds the same packages. No history database, no
  code completion by jedi, no start-up files of the user (an empty ``IPYTHONDIR``): a page
  is not a console. One thread for linear algebra and two memory arenas, because thirty
  page processes share a handful of cores.
* **No ports.** Where the system has them, the process is reached over sockets in a private
  folder. Two processes that start in the same moment then cannot pick the same port, and
  nobody else on the machine can try to talk to them. TCP only on Windows or when the
  path of the folder is too long for a socket.
* **Forked, not preheated.** A pool of waiting processes makes a burst of visitors slower
  once it is empty, and whatever one drew from a random generator before the visitor came
  would be decided already. Instead a start is made cheap: on Linux the process is a copy
  of one that has all imports behind it (`skyline_app.starter`).
* **No silent restart.** A process that died would come back empty behind a page that looks
  alive. It is declared dead instead, and the page says so.
* **Only widget messages** come in from the browser (`PageConnection`).
* **The end**: when the page says goodbye, when nobody has been connected for
  `PageKernelManager.orphan_seconds`, or when nothing happened for
  `PageKernelManager.cull_idle_timeout`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager, NoSuchKernel
from jupyter_server.services.kernels.connection.base import deserialize_msg_from_ws_v1
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado.web import HTTPError
from traitlets import Float, Integer
from voila.tornado.kernel_websocket_handler import VoilaKernelWebsocketHandler

from skyline_app import provisioner
from skyline_app.lines import SteadyLine

if TYPE_CHECKING:
    from collections.abc import Callable

KERNEL_NAME: Final = "skyline-page"

#: Settings that libraries read when they start.
FRUGAL: Final = {"MALLOC_ARENA_MAX": "2", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

#: Messages that a widget page needs. Everything else, above all running code, is refused.
ALLOWED_MESSAGES: Final = frozenset(
    {"comm_open", "comm_msg", "comm_close", "comm_info_request", "kernel_info_request"}
)
#: The one comm that a page opens itself, to ask for the state of all widgets.
ALLOWED_COMM_TARGETS: Final = frozenset({"jupyter.widget.control"})

#: Socket addresses are limited to 104 bytes on macOS, 108 on Linux, the ending null
#: included; the file name of a socket takes up to 60 of them.
LONGEST_SOCKET_FOLDER: Final = 42


class PageKernelSpecs(KernelSpecManager):
    """Knows one kernel: the page process, run by the interpreter of the server."""

    def find_kernel_specs(self) -> dict[str, str]:
        """Return the name of the page process; it has no resource folder."""
        return {KERNEL_NAME: ""}

    def get_all_specs(self) -> dict[str, Any]:
        """Return the description of the page process in the form of the Jupyter interface."""
        spec = self.get_kernel_spec(KERNEL_NAME)
        return {KERNEL_NAME: {"resource_dir": "", "spec": spec.to_dict()}}

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Return how the page process is started.

        Raises
        ------
        NoSuchKernel
            For any other name: the server starts nothing but page processes.
        """
        if kernel_name != KERNEL_NAME:
            raise NoSuchKernel(kernel_name)
        return KernelSpec(
            argv=[
                sys.executable,
                "-m",
                "skyline_app.page_process",
                "-f",
                "{connection_file}",
                "--HistoryManager.enabled=False",
                "--IPCompleter.use_jedi=False",
            ],
            display_name="Skyline page",
            language="python",
            metadata={"kernel_provisioner": {"provisioner_name": provisioner.NAME}},
            env=dict(FRUGAL),
        )


def socket_folder() -> str | None:
    """Return the parent folder for socket files, or None where sockets cannot be used.

    Returns
    -------
    str or None
        The system's folder for temporary files if the addresses in it stay short enough,
        ``/tmp`` otherwise (macOS has a long one); None on Windows.
    """
    if os.name == "nt":
        return None
    for folder in (tempfile.gettempdir(), "/tmp"):  # noqa: S108 (a private folder is made in it)
        if (
            len(os.fsencode(folder)) + len("/voila_xxxxxxxx") <= LONGEST_SOCKET_FOLDER
            and Path(folder).is_dir()
        ):
            return folder
    return None


class PageChannelsHandler(SteadyLine, VoilaKernelWebsocketHandler):
    """The web socket between a browser and its page process."""


class PageConnection(ZMQChannelsWebsocketConnection):
    """The line between a browser and its page process, open to widget messages only."""

    def handle_incoming_message(self, incoming_msg: str) -> None:
        """Hand a message to the page process, or refuse it with a line in the log.

        Parameters
        ----------
        incoming_msg : str or bytes
            As it came over the web socket. Refused are: what cannot be read, any channel
            but ``shell`` (so no interrupt, no shutdown, no answer to ``input()``), any type
            not in `ALLOWED_MESSAGES`, and a ``comm_open`` to a target that is not in
            `ALLOWED_COMM_TARGETS` (it would create objects in the page process).
        """
        reason = refusal(incoming_msg, v1=bool(self.subprotocol))
        if reason is None:
            super().handle_incoming_message(incoming_msg)
        else:
            self.log.warning("Refused a message to page process %s: %s", self.kernel_id, reason)


def refusal(message: str | bytes, *, v1: bool) -> str | None:
    """Say why a message from a browser is refused, or None if it may pass.

    Parameters
    ----------
    message : str or bytes
        As it came over the web socket.
    v1 : bool
        Whether the two sides agreed on ``v1.kernel.websocket.jupyter.org``, in which all
        messages are binary. Otherwise messages are JSON text; a browser needs the older
        binary form for nothing here, so it is refused.
    """
    try:
        channel, header, content = _read_v1(message) if v1 else _read_json(message)
        kind = str(header["msg_type"])
        target = content.get("target_name") if kind == "comm_open" else None
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        return f"it cannot be read ({type(error).__name__})"
    if channel != "shell":
        return f"the channel is {channel!r}"
    if kind not in ALLOWED_MESSAGES:
        return f"the type is {kind!r}"
    if kind == "comm_open" and target not in ALLOWED_COMM_TARGETS:
        return f"the target is {target!r}"
    return None


def _read_v1(message: str | bytes) -> tuple[str, dict[str, Any], dict[str, Any]]:
    if not isinstance(message, bytes):
        raise TypeError("a binary message is expected")
    channel, parts = deserialize_msg_from_ws_v1(message)
    return channel, json.loads(parts[0]), json.loads(parts[3])


def _read_json(message: str | bytes) -> tuple[str, dict[str, Any], dict[str, Any]]:
    if not isinstance(message, str):
        raise TypeError("a text message is expected")
    read = json.loads(message)
    return read["channel"], read["header"], read["content"]


class PageKernelManager(AsyncMappingKernelManager):
    """Starts, watches and ends the page processes."""

    orphan_seconds = Float(
        240.0, help="Seconds after which a page process without any open page is ended."
    ).tag(config=True)
    max_pages = Integer(
        120, help="Largest number of page processes at the same time, a guard for the memory."
    ).tag(config=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._watchers: dict[str, set[Callable[[str], None]]] = {}
        self._left_alone_since: dict[str, float] = {}
        self._ending: set[str] = set()
        provisioner.register(parent=self)
        # More starts at once than cores only make every one of them later.
        self.start_gate = asyncio.Semaphore(2 * (os.cpu_count() or 1))

    async def warm_up(self) -> None:
        """Let the imports of the first page begin before a visitor comes."""
        starter = provisioner.PageProvisioner.starter
        if starter is not None:
            await starter.ensure_running({**os.environ, **FRUGAL})

    async def end_all(self) -> None:
        """End all page processes and what starts them."""
        await asyncio.gather(*(self.end_page(one, "ended") for one in self.list_kernel_ids()))
        starter = provisioner.PageProvisioner.starter
        if starter is not None:
            await starter.stop()

    @property
    def is_full(self) -> bool:
        """Whether no further page process may be started."""
        return len(self.list_kernel_ids()) >= self.max_pages

    def watch(self, kernel_id: str, tell: Callable[[str], None]) -> bool:
        """Register a page that wants to know when its process ends.

        Parameters
        ----------
        kernel_id : str
            The page process.
        tell : callable
            Called once with the reason: ``"idle"``, ``"died"`` or ``"ended"``.

        Returns
        -------
        bool
            False if there is no such process (any more); nothing is registered then.
        """
        if kernel_id not in self:
            return False
        self._watchers.setdefault(kernel_id, set()).add(tell)
        return True

    def unwatch(self, kernel_id: str, tell: Callable[[str], None]) -> None:
        """Forget a page that was registered with `watch`."""
        watchers = self._watchers.get(kernel_id)
        if watchers is not None:
            watchers.discard(tell)

    async def end_page(self, kernel_id: str, reason: str) -> None:
        """End a page process, if it is there, and tell its pages why.

        The process has nothing to save, so it is not asked to stop but stopped.
        """
        if kernel_id not in self or kernel_id in self._ending:
            return
        self._ending.add(kernel_id)
        try:
            self._tell(kernel_id, reason)
            self._left_alone_since.pop(kernel_id, None)
            with contextlib.suppress(HTTPError):  # it has died in this very moment
                await self.shutdown_kernel(kernel_id, now=True)
        finally:
            self._ending.discard(kernel_id)

    def _tell(self, kernel_id: str, reason: str) -> None:
        for tell in self._watchers.pop(kernel_id, set()):
            tell(reason)

    def _handle_kernel_died(self, kernel_id: str) -> None:
        self.log.warning("Page process %s has died", kernel_id)
        self._tell(kernel_id, "died")
        self._left_alone_since.pop(kernel_id, None)
        super()._handle_kernel_died(kernel_id)

    async def cull_kernel_if_idle(self, kernel_id: str) -> None:
        """End a page process that nobody looks at or that has been idle too long."""
        if self._seconds_left_alone(kernel_id) > self.orphan_seconds:
            await self.end_page(kernel_id, "ended")
        elif self._seconds_idle(kernel_id) > self.cull_idle_timeout:
            await self.end_page(kernel_id, "idle")

    def _seconds_left_alone(self, kernel_id: str) -> float:
        if self._watchers.get(kernel_id) or self._kernel_connections.get(kernel_id, 0) > 0:
            self._left_alone_since.pop(kernel_id, None)
            return 0.0
        now = time.monotonic()
        return now - self._left_alone_since.setdefault(kernel_id, now)

    def _seconds_idle(self, kernel_id: str) -> float:
        kernel = self._kernels[kernel_id]
        last_activity = getattr(kernel, "last_activity", None)
        if last_activity is None or kernel.execution_state == "busy":
            return 0.0
        return time.time() - float(last_activity.timestamp())
