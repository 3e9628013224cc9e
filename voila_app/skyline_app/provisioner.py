"""The server's side of `skyline_app.starter`: asks for page processes and looks after them.

`PageProvisioner` is what the Jupyter kernel manager calls to get a process. It has one
forked from the starter where that is possible, and starts a fresh interpreter otherwise:
on Windows and macOS (where a copied process may not use the system's graphics and number
libraries), and whenever the starter does not answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.metadata
import itertools
import json
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from jupyter_client.provisioning.factory import KernelProvisionerFactory
from jupyter_client.provisioning.local_provisioner import LocalProvisioner
from traitlets.log import get_logger

if TYPE_CHECKING:
    from jupyter_client.connect import KernelConnectionInfo

NAME: Final = "skyline-page"
CAN_FORK: Final = sys.platform == "linux"
#: Seconds that the starter may take: the first answer waits for its imports.
PATIENCE: Final = 20.0


class ForkedPage:
    """A page process that is not our child, with the interface of `subprocess.Popen`.

    Parameters
    ----------
    pid : int
        Of the process, which leads a process group of its own.
    """

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit status, None while it runs."""
        return self.returncode

    def wait(self) -> int:
        """Return the exit status of a process that has ended; the caller polls first."""
        assert self.returncode is not None, "wait() without poll()"
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal unless it has ended."""
        if self.returncode is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


class Starter:
    """The starter process; it is started when the first page process is needed, or before."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._numbers = itertools.count()
        self._orders: dict[int, asyncio.Future[int]] = {}
        self._pages: dict[int, ForkedPage] = {}
        self._lock = asyncio.Lock()

    async def ensure_running(self, env: dict[str, str]) -> None:
        """Start the process if it is not running.

        Parameters
        ----------
        env : dict
            Its environment. Settings that libraries read when they are imported, such as
            the number of threads, must stand here.
        """
        async with self._lock:
            if self._process is not None and self._process.returncode is None:
                return
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "skyline_app.starter",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=env,
            )
            self._reader = asyncio.create_task(self._read_replies(self._process))

    async def start_page(self, argv: list[str], env: dict[str, str], cwd: str) -> ForkedPage:
        """Have a page process forked.

        Parameters
        ----------
        argv : list of str
            Arguments of the kernel application.
        env : dict
            The environment of the process.
        cwd : str
            Its working directory.

        Raises
        ------
        OSError
            If the starter cannot be started or has ended.
        TimeoutError
            If it does not answer.
        """
        await self.ensure_running(env)
        assert self._process is not None
        assert self._process.stdin is not None
        number = next(self._numbers)
        answer = self._orders[number] = asyncio.get_running_loop().create_future()
        order = {"order": number, "argv": argv, "env": env, "cwd": cwd}
        try:
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            await self._process.stdin.drain()
            return self._pages[await asyncio.wait_for(answer, PATIENCE)]
        finally:
            self._orders.pop(number, None)

    async def stop(self) -> None:
        """End the starter."""
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    async def _read_replies(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            self._take(json.loads(line))
        for answer in self._orders.values():
            if not answer.done():
                answer.set_exception(BrokenPipeError("the starter of page processes has ended"))
        for page in self._pages.values():  # they end with their parent
            page.returncode = -signal.SIGKILL
        self._pages.clear()

    def _take(self, reply: dict[str, int]) -> None:
        if "ended" in reply:
            page = self._pages.pop(reply["ended"], None)
            if page is not None:
                page.returncode = reply["status"]
            return
        self._pages[reply["pid"]] = ForkedPage(reply["pid"])
        answer = self._orders.get(reply["order"])
        if answer is not None and not answer.done():
            answer.set_result(reply["pid"])
        else:  # nobody waits for it any more
            self._pages[reply["pid"]].kill()


class PageProvisioner(LocalProvisioner):
    """Gets page processes, forked ones if possible."""

    starter: Starter | None = None

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Start a page process.

        Parameters
        ----------
        cmd : list of str
            The command of the kernel description: interpreter, ``-m``, module, arguments.
        **kwargs
            ``env`` and ``cwd``, as for `subprocess.Popen`.
        """
        if self.starter is None:
            return await super().launch_kernel(cmd, **kwargs)
        cwd = str(kwargs.get("cwd") or Path.cwd())
        try:
            page = await self.starter.start_page(cmd[3:], kwargs["env"], cwd)
        except (OSError, TimeoutError):
            get_logger().warning(
                "The starter failed; starting a page process afresh", exc_info=True
            )
            return await super().launch_kernel(cmd, **kwargs)
        self.process = cast("Any", page)
        self.pid = self.pgid = page.pid
        self.cwd = cast("Any", cwd)
        return self.connection_info


def register(parent: Any) -> None:
    """Make `PageProvisioner` known to the kernel managers below a parent.

    Parameters
    ----------
    parent : object
        The manager of all kernels; Jupyter keeps one registry for it.
    """
    factory = KernelProvisionerFactory.instance(parent=parent)
    factory.provisioners[NAME] = importlib.metadata.EntryPoint(
        name=NAME,
        value=f"{__name__}:{PageProvisioner.__name__}",
        group=KernelProvisionerFactory.GROUP_NAME,
    )
    PageProvisioner.starter = Starter() if CAN_FORK else None
