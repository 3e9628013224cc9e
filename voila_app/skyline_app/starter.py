"""A process that has everything imported, and turns a copy of itself into a page process.

Most of what it costs to start a page process is importing the same two hundred modules
again: about half a second on one core, for each of thirty pupils who open the page in the
same minute. Where the system can fork (Linux), the server therefore runs one such process.
It imports what a page needs, then waits for orders; for each order it forks, and the copy
becomes the page process. Memory that nobody writes to is shared by all copies.

What is *not* shared: nothing of a game exists before the fork, every copy gets the
environment of its own visitor, and the random generators that live in modules are seeded
anew in each copy, so no two pages see the same dice.

Orders come as lines of JSON on standard input and are answered on standard output::

    {"order": 7, "argv": [...], "env": {...}, "cwd": "..."}  ->  {"order": 7, "pid": 4711}
                                            when it has ended ->  {"ended": 4711, "status": 0}

The process ends when its standard input does. Page processes notice that their parent is
gone and end too. `skyline_app.provisioner` is the other side.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import random
import select
import signal
import sys
import threading
import traceback
from typing import Any, NoReturn

from skyline_app.page_process import leave_out_debugger, run_page

#: Imported before the first fork. One that cannot be imported is left for the page process,
#: where its failure is seen and logged.
MODULES = (
    "IPython",
    "ipykernel.ipkernel",
    "ipykernel.debugger",
    "ipykernel.kernelapp",
    "ipykernel.zmqshell",
    "ipywidgets",
    "anywidget",
    "numpy",
    # For the pages that draw charts: half a second and 22 MiB less for each of them. A page that
    # draws none shares this memory and has about half a MiB more of its own.
    "matplotlib.backends.backend_svg",
    "skyline_widgets.chart_drawing",
    "skyline_app.app",
)


def main() -> None:
    """Import, then fork on order until standard input ends."""
    leave_out_debugger()
    for name in MODULES:
        try:
            importlib.import_module(name)
        except Exception:
            traceback.print_exc()
    if threading.active_count() > 1:
        # A copy would lack the other threads and might wait for them for ever.
        raise SystemExit("a module has started a thread; page processes cannot be forked")
    gc.collect()
    gc.freeze()  # later collections then leave the shared memory alone
    replies = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    _serve(sys.stdin.fileno(), replies)


def _serve(orders: int, replies: int) -> None:
    awake, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server to act on
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    pending = b""
    while True:
        readable, _, _ = select.select([orders, awake], [], [])
        if awake in readable:
            os.read(awake, 4096)
        _report_ended(replies)
        if orders in readable:
            received = os.read(orders, 65536)
            if not received:
                return
            *lines, pending = (pending + received).split(b"\n")
            for line in lines:
                _obey(json.loads(line), replies, (orders, replies, awake, wake))


def _report_ended(replies: int) -> None:
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            _reply(replies, ended=pid, status=os.waitstatus_to_exitcode(status))


def _reply(replies: int, **content: int) -> None:
    os.write(replies, json.dumps(content).encode() + b"\n")


def _obey(order: dict[str, Any], replies: int, private: tuple[int, ...]) -> None:
    pid = os.fork()
    if pid == 0:
        _become_page(order, private)
    _reply(replies, order=order["order"], pid=pid)


def _become_page(order: dict[str, Any], private: tuple[int, ...]) -> NoReturn:
    status = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDONLY)
        for descriptor in private:
            os.close(descriptor)
        os.dup2(nothing, 0)
        os.chdir(order["cwd"])
        os.environ.clear()
        os.environ.update(order["env"])
        _seed_anew()
        parent = f"--IPKernelApp.parent_handle={os.getppid()}"
        status = run_page([*order["argv"], parent])
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        # Whatever happens, the copy must not return into the loop of the original.
        os._exit(status)


def _seed_anew() -> None:
    random.seed()
    legacy = sys.modules.get("numpy.random")
    if legacy is not None:
        legacy.seed()


if __name__ == "__main__":
    main()
