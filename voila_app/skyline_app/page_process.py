"""The process behind one page: an IPython kernel without what only a console needs.

``python -m skyline_app.page_process -f FILE`` runs one; `skyline_app.starter` runs many.

Left out are the debugger (its import alone takes as long as all the rest of a start), the
history database and code completion by jedi (see the arguments in `skyline_app.kernels`).
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def leave_out_debugger() -> None:
    """Make the kernel find no debugger. Must come before the kernel is imported."""
    sys.modules.setdefault("debugpy", None)  # type: ignore[arg-type] # Python's way to say so


def run_page(arguments: Sequence[str]) -> int:
    """Run a kernel until it is told to end.

    Parameters
    ----------
    arguments : sequence of str
        Of the kernel application, ``-f`` with the connection file among them.

    Returns
    -------
    int
        Exit status.
    """
    leave_out_debugger()
    from ipykernel.kernelapp import IPKernelApp

    try:
        app = IPKernelApp.instance()
        app.initialize(list(arguments))
        _connect_widgets()
        app.start()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return 0


def _connect_widgets() -> None:
    """Do what ipywidgets does when it is imported into a kernel; it may have come earlier."""
    ipywidgets = sys.modules.get("ipywidgets")
    if ipywidgets is not None:
        ipywidgets.register_comm_target()


if __name__ == "__main__":
    sys.exit(run_page(sys.argv[1:]))
