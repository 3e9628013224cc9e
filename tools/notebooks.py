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

A mark with ``answer`` behind it, as in ``%% de answer`` or ``%% code answer``, makes a cell part of
the answer to the exercise above it.  In the kit's own notebooks answers are folded.
``python tools/notebooks.py --copies FOLDER`` writes notebooks to hand out: into ``FOLDER/student``
without answers, with an empty cell in their place, and into ``FOLDER/teacher`` with open ones.
Answers of the teacher's copy carry the metadata by which nbgrader knows a solution.
"""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

__all__ = [
    "LANGUAGES",
    "Cell",
    "Edition",
    "SourceError",
    "copies",
    "notebook",
    "notebooks",
    "read_cells",
]

ROOT: Final = Path(__file__).resolve().parents[1] / "notebooks"
LANGUAGES: Final = ("de", "en")
CODE: Final = "code"
ANSWER: Final = "answer"
#: Sources that are for teachers alone.
FOR_TEACHERS: Final = ("09_teachers_notes",)
_MARK: Final = "%% "
_NBGRADER: Final = {"locked": False, "schema_version": 3, "solution": True, "task": False}
_ANSWER_WORD: Final = {"de": "Lösung", "en": "Answer"}
#: JupyterLab shows the first line of a folded cell, which must not give the answer away.
_COVER: Final = "# Lösung · Answer"
_YOURS: Final = {"de": "# Platz für deine Lösung", "en": "# Room for your answer"}
_METADATA: Final = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


class Edition(StrEnum):
    """What becomes of the answers."""

    KIT = "kit"
    """Folded, to be looked at on purpose."""
    STUDENT = "student"
    """Left out."""
    TEACHER = "teacher"
    """Open."""


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
    is_answer : bool
        Whether it belongs to the answer of an exercise.
    """

    sort: str
    text: str
    line: int
    is_answer: bool = False


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
            sort, _, rest = line.removeprefix(_MARK).strip().partition(" ")
            # What stands behind the sort and is not known stays, and is refused below.
            known = rest in ("", ANSWER)
            cells.append(Cell(sort if known else f"{sort} {rest}", "", number, rest == ANSWER))
        elif cells:
            cells[-1] = cells[-1]._replace(text=f"{cells[-1].text}\n{line}")
        elif line.strip():
            raise SourceError(f"{name}:{number}: expected a line such as '%% code' first")
    cells = [cell._replace(text=cell.text.strip("\n")) for cell in cells]
    _verify(cells, name)
    return cells


def _verify(cells: list[Cell], name: str) -> None:
    awaited: Cell | None = None
    for cell in cells:
        if cell.sort not in (*LANGUAGES, CODE) or not cell.text:
            raise SourceError(f"{name}:{cell.line}: expected text after '%% de', 'en' or 'code'")
        if cell.sort == "en" and awaited is None:
            raise SourceError(f"{name}:{cell.line}: expected '%% de' before '%% en'")
        if awaited is not None and (cell.sort, cell.is_answer) != ("en", awaited.is_answer):
            mark = "%% en answer" if awaited.is_answer else "%% en"
            raise SourceError(f"{name}:{awaited.line}: expected '{mark}' after '%% de'")
        awaited = cell if cell.sort == "de" else None
    if awaited is not None:
        raise SourceError(f"{name}:{awaited.line}: expected '%% en' after '%% de'")


# --- notebooks --------------------------------------------------------------------------------


def notebook(cells: list[Cell], language: str, edition: Edition = Edition.KIT) -> dict[str, Any]:
    """Return the notebook of `cells` in one language, without outputs.

    Parameters
    ----------
    cells : list of Cell
    language : str
        One of `LANGUAGES`.
    edition : Edition
        What becomes of the answers.
    """
    shown = [cell for cell in cells if cell.sort in (language, CODE)]
    if edition is Edition.STUDENT:
        shown = _without_answers(shown, language)
    return {
        "cells": [_notebook_cell(cell, n, language, edition) for n, cell in enumerate(shown)],
        "metadata": {**_METADATA, "language": language},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _without_answers(cells: list[Cell], language: str) -> list[Cell]:
    """Put one empty cell in the place of every answer."""
    kept: list[Cell] = []
    for is_answer, group in groupby(cells, key=lambda cell: cell.is_answer):
        kept += [Cell(CODE, _YOURS[language], 0)] if is_answer else group
    return kept


def _notebook_cell(cell: Cell, place: int, language: str, edition: Edition) -> dict[str, Any]:
    name, text = f"cell-{place:02}", cell.text
    if cell.is_answer:
        word = None if cell.sort == CODE else _ANSWER_WORD[language]
        text = _answer_text(text, word, edition)
    metadata = _answer_metadata(cell, name, edition) if cell.is_answer else {}
    common = {"id": name, "metadata": metadata, "source": _lines(text)}
    if cell.sort == CODE:
        return {"cell_type": "code", "execution_count": None, "outputs": [], **common}
    return {"cell_type": "markdown", **common}


def _answer_text(text: str, word: str | None, edition: Edition) -> str:
    """Return an answer, open or folded; code has no word before it."""
    if edition is Edition.TEACHER:
        return text if word is None else f"**{word}.** {text}"
    if word is None:
        return f"{_COVER}\n{text}"
    return f"<details>\n<summary>{word}</summary>\n\n{text}\n\n</details>"


def _answer_metadata(cell: Cell, name: str, edition: Edition) -> dict[str, Any]:
    """Return what tells programs that a cell is an answer, and JupyterLab to fold code."""
    if edition is Edition.TEACHER:
        # There a written solution is graded by hand, for points; code that solves need not be.
        graded = {"grade": False} if cell.sort == CODE else {"grade": True, "points": 1}
        return {"nbgrader": {**_NBGRADER, **graded, "grade_id": name}, "tags": [ANSWER]}
    if cell.sort == CODE:
        return {"jupyter": {"source_hidden": True}, "tags": [ANSWER, "hide-cell"]}
    return {"tags": [ANSWER]}


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
    return {
        root / language / f"{name}.ipynb": _as_file(notebook(cells, language))
        for name, cells in _sources(root).items()
        for language in LANGUAGES
    }


def _sources(root: Path) -> dict[str, list[Cell]]:
    return {
        source.stem: read_cells(source.read_text(encoding="utf-8"), source.name)
        for source in sorted((root / "source").glob("*.md"))
    }


def _as_file(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def copies(folder: Path, root: Path = ROOT) -> dict[Path, str]:
    """Return the student's and the teacher's copies, by the files that they belong in.

    Parameters
    ----------
    folder : Path
        Is to hold ``student`` and ``teacher``, each with a folder for every language.
    root : Path
        Folder that holds ``source``.

    Raises
    ------
    SourceError
        If a source cannot be read.
    """
    return {
        folder / edition / language / f"{name}.ipynb": _as_file(notebook(cells, language, edition))
        for edition in (Edition.STUDENT, Edition.TEACHER)
        for name, cells in _sources(root).items()
        for language in LANGUAGES
        if edition is Edition.TEACHER or name not in FOR_TEACHERS
    }


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
    """Write the notebooks, check them, or write copies of them."""
    if arguments[:1] == ["--copies"]:
        if len(arguments) != 2:
            print("usage: python tools/notebooks.py --copies FOLDER", file=sys.stderr)
            return 2
        return _write_copies(Path(arguments[1]))
    files = notebooks()
    if "--check" in arguments:
        names = stale(files)
        for name in names:
            print(f"not up to date: {name}")
        return 1 if names else 0
    return _write(files)


def _write_copies(folder: Path) -> int:
    """Write the copies where there are none yet: somebody may have worked in them."""
    there = [name for name in ("student", "teacher") if (folder / name).exists()]
    if there:
        print(f"{folder / there[0]} is there already; name another folder", file=sys.stderr)
        return 2
    return _write(copies(folder))


def _write(files: dict[Path, str]) -> int:
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
