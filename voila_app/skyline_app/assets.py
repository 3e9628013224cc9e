"""The scripts and style sheets of a page, read once and sent compressed.

A page of widgets needs some ninety script files of Voilà and its extensions, four million
characters. They never change while the server runs, so each one is read, compressed and
hashed at its first request and then sent from memory. Their addresses contain a number made
of all versions involved: a browser keeps them for good, and asks again after an update.

Voilà's front end is cut into pieces that are loaded one by one, some sixty of them on every
page. `write_bundle` puts these into one file. Nothing in them is changed: a piece announces
itself to a list that the loader looks through when it comes last.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.metadata
import mimetypes
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from tornado.web import HTTPError, RequestHandler

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

#: Types that are not worth compressing have their compression inside.
_COMPRESSIBLE: Final = (".css", ".js", ".json", ".mjs", ".svg", ".txt")
_PIECE: Final = re.compile(r"\.e\((\d+)\)")
_ONE_YEAR: Final = 31_536_000


@dataclass(frozen=True)
class Asset:
    """A file in memory.

    Attributes
    ----------
    body : bytes
        The file.
    squeezed : bytes or None
        The file compressed by gzip, None where that does not make it smaller.
    media_type : str
        For the ``Content-Type`` header.
    etag : str
        Hash of the file, in quotes.
    """

    body: bytes
    squeezed: bytes | None
    media_type: str
    etag: str


@cache
def read_asset(path: Path) -> Asset:
    """Read a file and keep it for the life of the server."""
    body = path.read_bytes()
    squeezed = gzip.compress(body, 6) if path.suffix in _COMPRESSIBLE else None
    if squeezed is not None and len(squeezed) >= len(body):
        squeezed = None
    media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    if path.suffix in {".js", ".mjs"}:  # some Windows registries say text/plain
        media_type = "text/javascript"
    if media_type.startswith("text/"):
        media_type += "; charset=utf-8"
    return Asset(body, squeezed, media_type, f'"{hashlib.sha256(body).hexdigest()[:32]}"')


def find_asset(roots: Sequence[Path], relative: str) -> Path | None:
    """Return the first file of that name, or None.

    Parameters
    ----------
    roots : sequence of Path
        Folders, looked through in order.
    relative : str
        What a visitor asked for. Anything that leads out of the folder is not found.
    """
    for root in roots:
        path = (root / relative).resolve()
        if path.is_relative_to(root.resolve()) and path.is_file():
            return path
    return None


class AssetHandler(RequestHandler):
    """Sends the files of some folders."""

    def initialize(self, roots: Sequence[Path]) -> None:
        """Take the folders, in the order in which they are looked through."""
        self.roots = roots

    def get(self, relative: str) -> None:
        """Send a file.

        Raises
        ------
        HTTPError
            404 if there is no such file.
        """
        path = find_asset(self.roots, relative)
        if path is None:
            raise HTTPError(404)
        asset = read_asset(path)
        self.set_header("Content-Type", asset.media_type)
        self.set_header("Cache-Control", f"public, max-age={_ONE_YEAR}, immutable")
        self.set_header("Etag", asset.etag)
        self.set_header("Vary", "Accept-Encoding")
        if self.check_etag_header():
            self.set_status(304)
            return
        if asset.squeezed is not None and "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            self.finish(asset.squeezed)
        else:
            self.finish(asset.body)

    head = get

    def data_received(self, chunk: bytes) -> Any:
        """Nothing is uploaded here."""


def write_bundle(roots: Sequence[Path], target: Path) -> None:
    """Write Voilà's loader and all pieces that it names into one file.

    Parameters
    ----------
    roots : sequence of Path
        Where ``voila.js`` and its pieces ``<number>.voila.js`` are looked for. A piece that
        is not there is left out; it is then loaded, or missed, as without a bundle.
    target : Path
        The file to write.

    Raises
    ------
    FileNotFoundError
        If there is no ``voila.js``.
    """
    loader_path = find_asset(roots, "voila.js")
    if loader_path is None:
        raise FileNotFoundError("the front end of Voilà, voila.js, is missing")
    loader = loader_path.read_text(encoding="utf-8")
    numbers = sorted(set(_PIECE.findall(loader)), key=int)
    found = (find_asset(roots, f"{number}.voila.js") for number in numbers)
    pieces = [path.read_text(encoding="utf-8") for path in found if path is not None]
    target.write_text("\n;\n".join([*pieces, loader]), encoding="utf-8")


def assets_version(own_folder: Path) -> str:
    """Return a short text that changes whenever an asset may have changed.

    Parameters
    ----------
    own_folder : Path
        Our own scripts and style sheets; their contents count, of others the versions do.
    """
    digest = hashlib.sha256()
    for name in ("voila", "ipywidgets", "jupyterlab_widgets", "anywidget"):
        digest.update(f"{name} {importlib.metadata.version(name)}\n".encode())
    for path in sorted(own_folder.iterdir()):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
