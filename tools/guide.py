"""Build the guide in both languages, and keep its German catalogues in step with the text.

``python tools/guide.py`` builds English into ``docs/_build/en`` and German into ``docs/_build/de``,
warnings as errors; options go to Sphinx, such as ``-D nb_execution_mode=off``.

``python tools/guide.py --catalogues`` collects the sentences of the guide's pages, docstrings shown
there included, adds new ones to ``docs/locale/de/LC_MESSAGES`` without a translation, keeps what is
known, and drops what is gone.  With ``--check`` it changes nothing and exits with 1 if a sentence is
not translated or a catalogue is not up to date.

The sentences come from Sphinx's own gettext builder; Babel, which Sphinx needs anyway, merges them, so
there is no further tool to install.  A sentence that was changed in English has to be translated
again: nothing is guessed, so no catalogue holds a fuzzy entry.  What has no words outside code and
formulas, and literal blocks, stand for themselves until somebody writes something else.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

__all__ = ["build", "catalogues", "gaps", "is_for_both", "stale"]

ROOT: Final = Path(__file__).resolve().parents[1]
DOCS: Final = ROOT / "docs"
FOLDER: Final = DOCS / "locale" / "de" / "LC_MESSAGES"
#: Written by hand in both languages, or names and signatures of the code.
NOT_COLLECTED: Final = "_build,notebooks/*,reference/skyline*"
#: Words of the theme, written by hand.
THEME: Final = FOLDER / "sphinx.po"
_KEPT: Final = ("MIME-Version", "Content-T", "Language:", "Plural-Forms")
_NO_WORDS: Final = re.compile(r"(:math:|\{[a-z:]+\})?`+[^`]*`+|\$[^$]*\$")
_HEAD: Final = "# German sentences of the guide."


def _sphinx(*options: str) -> int:
    return subprocess.call([sys.executable, "-m", "sphinx", *options], cwd=ROOT)


def build(target: Path, options: list[str]) -> int:
    """Build both languages below a folder and return the exit status, 0 if all went well.

    Parameters
    ----------
    target : Path
        Is to hold the folders ``en`` and ``de``.
    options : list of str
        For Sphinx.
    """
    common = ["-q", "-W", "--keep-going", *options]
    statuses = [
        _sphinx(*common, "-D", f"language={code}", "docs", str(target / code))
        for code in ("en", "de")
    ]
    return max(statuses)


# --- catalogues -------------------------------------------------------------------------------


def _templates(target: Path) -> dict[str, Catalog]:
    """Return the sentences of every page, as Sphinx collects them, by the page's name."""
    settings = ["-D", f"exclude_patterns={NOT_COLLECTED}", "-D", "nb_execution_mode=off"]
    # Links to pages that are left out here are no fault, so warnings are left to the build.
    status = _sphinx("-Q", "-b", "gettext", *settings, "docs", str(target))
    if status:
        raise RuntimeError(f"Sphinx stopped with exit status {status}")
    found = {}
    for path in sorted(target.rglob("*.pot")):
        name = path.relative_to(target).with_suffix("").as_posix()
        if name != "sphinx":
            with path.open("rb") as file:
                found[name] = read_po(file)
    return found


def _path(name: str) -> Path:
    return FOLDER / f"{name}.po"


def _known(name: str) -> Catalog:
    path = _path(name)
    if not path.exists():
        return Catalog(locale="de")
    with path.open("rb") as file:
        return read_po(file, locale="de")


def is_for_both(sentence: str) -> bool:
    """Whether something is the same in both languages: numbers, code, formulas, literal blocks."""
    return "\n" in sentence or not re.search(r"[^\W\d]", _NO_WORDS.sub("", sentence))


def _merged(name: str, template: Catalog, others: list[Catalog]) -> Catalog:
    """Return the catalogue of a page; a sentence that moved takes its translation along."""
    result = Catalog(locale="de", header_comment=_HEAD)
    sources = [_known(name), *others]
    for message in template:
        if message.id:
            texts = (source.get(message.id) for source in sources)
            default = message.id if is_for_both(str(message.id)) else ""
            text = next((one.string for one in texts if one and one.string), default)
            result.add(message.id, text).flags.clear()
    return result


def _written(catalogue: Catalog) -> bytes:
    """Return a catalogue as text, the same bytes for the same sentences."""
    text = io.BytesIO()
    write_po(text, catalogue, no_location=True, width=98)
    head, rest = text.getvalue().decode().split("\n\n", 1)
    kept = [
        line
        for line in head.split("\n")
        if not line.startswith('"') or line.startswith(tuple(f'"{field}' for field in _KEPT))
    ]
    return ("\n".join(line for line in kept if line != "#, fuzzy") + "\n\n" + rest).encode()


def catalogues() -> dict[Path, bytes]:
    """Return the files that belong in the folder of the catalogues, with what should be in them."""
    with TemporaryDirectory() as folder:
        templates = _templates(Path(folder))
    known = [_known(name) for name in templates]
    return {
        _path(name): _written(_merged(name, template, known))
        for name, template in templates.items()
    }


def gaps() -> list[str]:
    """Return the sentences in the catalogues that are not translated, or only tentatively."""
    missing = []
    for path in sorted(FOLDER.rglob("*.po")):
        name = path.relative_to(FOLDER).as_posix()
        with path.open("rb") as file:
            messages = [message for message in read_po(file, locale="de") if message.id]
        empty = [message for message in messages if message.fuzzy or not message.string]
        missing += [f"{name}: {message.id}" for message in empty]
    return missing


def _pages() -> set[Path]:
    return {path for path in FOLDER.rglob("*.po") if path != THEME}


def stale(files: dict[Path, bytes]) -> list[str]:
    """Name the catalogues that are missing, not up to date, or of a page that is gone."""
    there = _pages()
    old = [path for path, text in files.items() if path in there and path.read_bytes() != text]
    paths = {*old, *(files.keys() ^ there)}
    return sorted(path.relative_to(FOLDER).as_posix() for path in paths)


def _write(files: dict[Path, bytes]) -> None:
    for path in _pages() - files.keys():
        path.unlink()
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def main(arguments: list[str]) -> int:
    """Build the pages, or write or check the catalogues."""
    if not {"--catalogues", "--check"} & {*arguments}:
        return build(DOCS / "_build", arguments)
    files = catalogues()
    names = stale(files)
    if "--check" not in arguments:
        _write(files)
        names = []
    missing = gaps()
    for name in names:
        print(f"not up to date: {name}")
    for sentence in missing:
        print(f"not translated: {sentence}")
    return 1 if names or missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
