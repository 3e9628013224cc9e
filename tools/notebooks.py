"""Make the notebooks in German and in English from one source each.

``python tools/notebooks.py`` reads ``notebooks/source/NN_topic.md`` and writes
``notebooks/de/NN_topic.ipynb`` and ``notebooks/en/NN_topic.ipynb``.  With ``--check`` it changes
nothing and exits with 1 if a notebook is missing, left over or not up to date.

A source is a sequence of cells.  Each begins with a line of its own::

    %% de
    # Was ist eine Chance?

    %% en
    # What is a chance?

    %% code
    chances = face_chances(dice, Kind.GROUND)

Text comes in pairs, German first; code stands once, so both notebooks run the same.  Cells keep
their ids as long as their place among the cells does not change.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

__all__ = ["LANGUAGES", "Cell", "SourceError", "notebook", "notebooks", "read_cells"]

ROOT: Final = Path(__file__).resolve().parents[1] / "notebooks"
LANGUAGES: Final = ("de", "en")
CODE: Final = "code"
_MARK: Final = "%% "
_METADATA: Final = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


class SourceError(ValueError):
    """A source that cannot be read; the message names the file and the line."""


class Cell(NamedTuple):
    """One cell of a source.

    Parameters
    ----------
    sort : str
        ``de``, ``en`` or ``code``.
    text : str
        Without blank lines at its ends.
    line : int
        Where it begins in the source, from 1.
    """

    sort: str
    text: str
    line: int


def read_cells(text: str, name: str = "source") -> list[Cell]:
    """Split a source into its cells.

    Parameters
    ----------
    text : str
    name : str
        For messages.

    Raises
    ------
    SourceError
        If the text does not begin with a cell, a cell is of no known sort or empty, or German
        and English text do not come in pairs.
    """
    cells: list[Cell] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith(_MARK):
            cells.append(Cell(line.removeprefix(_MARK).strip(), "", number))
        elif cells:
            last = cells[-1]
            cells[-1] = Cell(last.sort, f"{last.text}\n{line}", last.line)
        elif line.strip():
            raise SourceError(f"{name}:{number}: expected a line such as '%% code' first")
    cells = [Cell(cell.sort, cell.text.strip("\n"), cell.line) for cell in cells]
    _verify(cells, name)
    return cells


def _verify(cells: list[Cell], name: str) -> None:
    awaited = None
    for cell in cells:
        if cell.sort not in (*LANGUAGES, CODE) or not cell.text:
            raise SourceError(f"{name}:{cell.line}: expected text after '%% de', 'en' or 'code'")
        if cell.sort == "en" and awaited is None:
            raise SourceError(f"{name}:{cell.line}: expected '%% de' before '%% en'")
        if cell.sort != "en" and awaited is not None:
            raise SourceError(f"{name}:{awaited}: expected '%% en' after '%% de'")
        awaited = cell.line if cell.sort == "de" else None
    if awaited is not None:
        raise SourceError(f"{name}:{awaited}: expected '%% en' after '%% de'")


def notebook(cells: list[Cell], language: str) -> dict[str, Any]:
    """Return the notebook of `cells` in one language, without outputs.

    Parameters
    ----------
    cells : list of Cell
    language : str
        One of `LANGUAGES`.
    """
    shown = [cell for cell in cells if cell.sort in (language, CODE)]
    return {
        "cells": [_notebook_cell(cell, place) for place, cell in enumerate(shown)],
        "metadata": {**_METADATA, "language": language},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _notebook_cell(cell: Cell, place: int) -> dict[str, Any]:
    common = {"id": f"cell-{place:02}", "metadata": {}, "source": _lines(cell.text)}
    if cell.sort == CODE:
        return {"cell_type": "code", "execution_count": None, "outputs": [], **common}
    return {"cell_type": "markdown", **common}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def notebooks(root: Path = ROOT) -> dict[Path, str]:
    """Return the files that belong beside the sources, with what should be in them.

    Parameters
    ----------
    root : Path
        Folder that holds ``source``.

    Raises
    ------
    SourceError
        If a source cannot be read.
    """
    files = {}
    for source in sorted((root / "source").glob("*.md")):
        cells = read_cells(source.read_text(encoding="utf-8"), source.name)
        for language in LANGUAGES:
            content = notebook(cells, language)
            text = json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True)
            files[root / language / f"{source.stem}.ipynb"] = text + "\n"
    return files


def stale(files: dict[Path, str], root: Path = ROOT) -> list[str]:
    """Name the notebooks that are missing, not up to date, or without a source."""
    there = {path for language in LANGUAGES for path in (root / language).glob("*.ipynb")}
    old = [
        path
        for path, text in files.items()
        if path not in there or path.read_text(encoding="utf-8") != text
    ]
    return [path.relative_to(root).as_posix() for path in sorted({*old, *(there - files.keys())})]


def main(arguments: list[str]) -> int:
    """Write the notebooks, or check them."""
    files = notebooks()
    if "--check" in arguments:
        names = stale(files)
        for name in names:
            print(f"not up to date: {name}")
        return 1 if names else 0
    for path, text in files.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
