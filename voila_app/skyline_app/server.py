"""The web server of the game: Voilà, with the settings and the few parts of our own.

``python -m skyline_app`` starts it. It is a subclass of Voilà's application and not a
command line for it, because it replaces what the stock one is too open or too slow for:

* It serves the game, the laboratory and the lessons, and no directory; no theme, template,
  file or contents address.
* Its pages come from our own template without any address outside (`skyline_app.pages`),
  under a content-security policy (`skyline_app.headers`).
* A page process is started, guarded and ended by `skyline_app.kernels`.
* Scripts are sent from memory, compressed, and kept by the browser (`skyline_app.assets`).
* Settings of a user's other Voilà and Jupyter servers are not read: what a class room sees
  does not depend on the machine.
"""

from __future__ import annotations

import argparse
import logging
import shutil
import signal
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import jinja2
from jupyter_server.utils import url_path_join
from nbformat import ValidationError
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from traitlets.config import Config
from voila.app import Voila
from voila.utils import get_page_config

from skyline_app import pages
from skyline_app.assets import AssetHandler, assets_version, write_bundle
from skyline_app.headers import secured
from skyline_app.kernels import (
    PageChannelsHandler,
    PageConnection,
    PageKernelManager,
    PageKernelSpecs,
    socket_folder,
)
from skyline_app.learn import LearnHandler, LessonHandler, NewDeskHandler, SheetHandler

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbformat import NotebookNode

DEFAULT_PORT: Final = 8866
DEFAULT_IDLE_MINUTES: Final = 60.0
#: Between two pings over a web socket; after three without an answer it is closed.
PING_MILLISECONDS: Final = 20_000
OWN_FOLDER: Final = Path(__file__).resolve().parent
#: The parts of Voilà's front end that a page needs besides its core.
EXTENSIONS: Final = (
    "@jupyter-widgets/jupyterlab-manager",
    "@voila-dashboards/widgets-manager8",
    "anywidget",
)
#: What the page Laboratory runs.
LAB_CODE: Final = "from skyline_app.lab import build_lab\n\nbuild_lab()"
_KERNEL_ID: Final = r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
_EVERYWHERE: Final = ("", "0.0.0.0", "::")  # noqa: S104 (only if it is asked for)
_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")


class AddressError(ValueError):
    """The address cannot be listened on."""


class NotebookError(ValueError):
    """The notebook to serve cannot be read."""


def find_notebook() -> Path:
    """Return the app's notebook: beside the package in a checkout, inside it in a wheel.

    Raises
    ------
    FileNotFoundError
        If it is in neither place.
    """
    for path in (OWN_FOLDER / "app.ipynb", OWN_FOLDER.parent / "app.ipynb"):
        if path.is_file():
            return path
    raise FileNotFoundError(f"app.ipynb is neither in {OWN_FOLDER} nor beside it")


def load_notebook(path: Path) -> NotebookNode:
    """Read a notebook.

    Raises
    ------
    NotebookError
        If the file is not there or not a notebook.
    """
    try:
        return pages.read_notebook(path)
    except (OSError, ValueError, AttributeError, ValidationError) as error:
        raise NotebookError(f"{path} cannot be read as a notebook ({error})") from error


def listen_on(ip: str, port: int | None) -> socket.socket:
    """Open the socket of the server.

    Parameters
    ----------
    ip : str
        Address or name of the network interface.
    port : int or None
        0 to 65535, 0 for any free one. With None the default port is tried first and any
        free one taken if it is busy.

    Raises
    ------
    AddressError
        If the asked-for port is busy or the address is not of this machine.
    """
    family = socket.AF_INET6 if ":" in ip else socket.AF_INET
    try:
        opened = socket.create_server(
            (ip, DEFAULT_PORT if port is None else port), family=family, backlog=128
        )
    except OSError as error:
        if port is None:
            return listen_on(ip, 0)
        raise AddressError(
            f"cannot listen on {ip} port {port} ({error.strerror or error}): "
            "another program may be using it; choose another one with --port"
        ) from error
    opened.setblocking(False)
    return opened


class SkylineServer(Voila):
    """Voilà with our pages, our rules for page processes, and no other address.

    Parameters
    ----------
    opened : socket.socket
        Where to listen.
    notebook : NotebookNode
        What every page runs.
    show : bool
        Whether to open the system's browser.
    """

    name = "skyline"

    def __init__(
        self, opened: socket.socket, notebook: NotebookNode, *, show: bool, **kwargs: Any
    ) -> None:
        super().__init__(config_file_paths=[], **kwargs)
        self.opened = opened
        self.notebook = notebook
        self.show = show
        self.port = opened.getsockname()[1]

    @property
    def address(self) -> str:
        """The address to type into a browser on this machine."""
        host = "127.0.0.1" if self.ip in _EVERYWHERE else self.ip
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}{self.base_url}"

    def init_settings(self) -> dict[str, Any]:
        """Add to Voilà's settings what our handlers look up in them."""
        settings: dict[str, Any] = super().init_settings()
        self.assets_path = f"{self.base_url}assets/{assets_version(OWN_FOLDER / 'static')}/"
        settings.update(
            # A foreign name for this machine in the Host header means that some page out
            # there got the browser to call us (DNS rebinding).
            allow_remote_access=self.ip not in _LOOPBACK,
            default_handler_class=secured(pages.NothingHereHandler),
            ws_ping_interval=PING_MILLISECONDS,
            skyline_assets_url=self.assets_path,
            skyline_private_folder=self.connection_dir,
            skyline_templates=jinja2.Environment(
                loader=jinja2.FileSystemLoader(OWN_FOLDER / "templates"),
                autoescape=True,
                trim_blocks=True,
                lstrip_blocks=True,
            ),
        )
        return settings

    def init_handlers(self) -> list[tuple[Any, ...]]:
        """Return the addresses that exist. Voilà's own list is not used."""
        config = self._page_config()
        game = {"notebook": self.notebook, "page_config": config, "page": "play"}
        lab = {"notebook": pages.notebook_of(LAB_CODE), "page_config": config, "page": "lab"}
        own = OWN_FOLDER / "static"
        core = [Path(folder) for folder in self.static_paths]
        extensions = [Path(folder) for folder in self.labextensions_path]
        bundle = Path(self.connection_dir) / "bundle"
        bundle.mkdir()
        write_bundle(core, bundle / "start.js")
        table: list[tuple[Any, ...]] = [
            (self.base_url, pages.PageHandler, game),
            (f"{self.base_url}lab/?", pages.PageHandler, lab),
            (f"{self.base_url}learn/?", LearnHandler),
            (f"{self.base_url}learn/(\\d\\d_[a-z_]+)", LessonHandler, {"page_config": config}),
            (f"{self.base_url}learn/sheet/([a-z0-9-]+)", SheetHandler, {"page_config": config}),
            (f"{self.base_url}desk/new", NewDeskHandler),
            (f"{self.assets_path}own/(.*)", AssetHandler, {"roots": [own]}),
            (f"{self.assets_path}bundle/(.*)", AssetHandler, {"roots": [bundle]}),
            (f"{self.assets_path}core/(.*)", AssetHandler, {"roots": core}),
            (f"{self.assets_path}extensions/(.*)", AssetHandler, {"roots": extensions}),
            (f"{self.base_url}api/kernels/{_KERNEL_ID}", pages.ModelHandler),
            (f"{self.base_url}end/{_KERNEL_ID}", pages.EndHandler),
            (f"{self.base_url}voila/api/shutdown/{_KERNEL_ID}", pages.EarlyGoodbyeHandler),
            (f"{self.base_url}watch/{_KERNEL_ID}", pages.WatchHandler),
        ]
        channels = f"{self.base_url}api/kernels/{_KERNEL_ID}/channels"
        return [
            *((path, secured(handler), *more) for path, handler, *more in table),
            (channels, PageChannelsHandler),
        ]

    def _page_config(self) -> dict[str, Any]:
        config: dict[str, Any] = get_page_config(
            base_url=self.base_url,
            settings={},
            log=self.log,
            voila_configuration=self.voila_configuration,
        )
        return {
            **config,
            "fullLabextensionsUrl": self.assets_path + "extensions",
            # Nothing: Voilà then takes the MathJax of its own bundle, if there is a formula.
            "fullMathjaxUrl": None,
            "fullStaticUrl": self.assets_path + "core",
            # The name of a theme that needs no file: the look is ours and follows the system.
            "jupyterLabTheme": "light",
            "mathjaxConfig": None,
        }

    def listen(self) -> None:
        """Serve until a signal comes, then end all page processes."""
        server = HTTPServer(self.app)
        server.add_socket(self.opened)
        print(f"Skyline is at {self.address} (Ctrl+C ends it)", flush=True)
        if self.ip in _EVERYWHERE:
            print(
                f"Others in this network: http://{socket.gethostname()}:{self.port}{self.base_url}"
            )
        if self.show:
            # In a thread, because a browser of the console would not return before it ends.
            threading.Thread(target=webbrowser.open, args=(self.address,), daemon=True).start()
        self.ioloop = IOLoop.current()
        self.ioloop.add_callback(self.kernel_manager.warm_up)
        signal.signal(signal.SIGINT, self._handle_signal_stop)
        try:
            self.ioloop.start()
        finally:
            server.stop()
            self.stop()

    def stop(self) -> None:
        """End all page processes and remove their sockets."""
        IOLoop.current().run_sync(self.kernel_manager.end_all)
        shutil.rmtree(self.connection_dir, ignore_errors=True)


def settings_for(options: argparse.Namespace) -> Config:
    """Turn the command line into settings of Voilà and Jupyter."""
    idle_seconds = options.idle_minutes * 60
    config = Config()
    config.Voila.base_url = options.base_url
    config.Voila.ip = options.ip
    config.Voila.log_level = logging.INFO if options.verbose else logging.WARNING
    config.Voila.kernel_websocket_connection_class = PageConnection
    config.VoilaConfiguration.extension_allowlist = list(EXTENSIONS)
    config.VoilaConfiguration.kernel_spec_manager_class = PageKernelSpecs
    config.VoilaConfiguration.multi_kernel_manager_class = PageKernelManager
    config.VoilaConfiguration.show_tracebacks = False
    config.VoilaConfiguration.strip_sources = True
    config.PageKernelManager.cull_idle_timeout = max(1, round(idle_seconds))
    config.PageKernelManager.cull_interval = max(1, round(min(30, idle_seconds / 4)))
    config.PageKernelManager.orphan_seconds = min(240.0, idle_seconds)
    config.KernelRestarter.restart_limit = 0
    folder = socket_folder()
    if folder is not None:
        config.Voila.connection_dir_root = folder
        config.ConnectionFileMixin.transport = "ipc"
    return config


def _base_url(text: str) -> str:
    return url_path_join("/", text, "/")


def _minutes(text: str) -> float:
    minutes = float(text)
    if not 0 < minutes <= 60 * 24 * 7:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 10080 (a week)")
    return minutes


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 65535")
    return port


def parse_command_line(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line; exits with status 2 and one sentence if it is wrong."""
    parser = argparse.ArgumentParser(prog="skyline app", description="Play Skyline in a browser.")
    parser.add_argument("--port", type=_port, help=f"default {DEFAULT_PORT}, or a free one")
    parser.add_argument(
        "--ip", default="127.0.0.1", help="0.0.0.0 to let others in (default 127.0.0.1)"
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    parser.add_argument("--base-url", type=_base_url, default="/", metavar="/x/")
    parser.add_argument(
        "--idle-minutes",
        type=_minutes,
        default=DEFAULT_IDLE_MINUTES,
        metavar="M",
        help="a page without a move for so long is put away (default 60)",
    )
    parser.add_argument(
        "--notebook", type=Path, metavar="FILE", help="serve this notebook instead of the game"
    )
    parser.add_argument("--verbose", action="store_true", help="write every request to the log")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the server until it is stopped.

    Parameters
    ----------
    arguments : sequence of str, optional
        The command line without the name of the program.

    Returns
    -------
    int
        Exit status: 0 after Ctrl+C, 2 if the address or the notebook cannot be used.
    """
    options = parse_command_line(arguments)
    try:
        notebook = load_notebook(options.notebook or find_notebook())
        opened = listen_on(options.ip, options.port)
    except (AddressError, NotebookError) as error:
        print(f"skyline app: {error}", file=sys.stderr)
        return 2
    server = SkylineServer(
        opened, notebook, show=not options.no_browser, config=settings_for(options)
    )
    server.initialize([])
    server.start()
    return 0
