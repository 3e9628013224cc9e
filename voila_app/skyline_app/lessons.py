"""The lessons: notebooks as pages to read, their texts rendered here on the server.

A lesson is a notebook of the folder ``notebooks``, in German or English. Its texts become HTML
once and for all; its code is run afresh for every visitor (`skyline_app.learn`).
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import count, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import mistune
import nbformat

if TYPE_CHECKING:
    from nbformat import NotebookNode

__all__ = ["ENTRIES", "Entry", "Lesson", "Part", "entry_named", "notebooks_folder", "read_lesson"]

_OWN_FOLDER: Final = Path(__file__).resolve().parent
_NOTEBOOK_LINK: Final = re.compile(r"(?:\.\./)?(\d\d_[a-z_]+)\.ipynb(#.*)?")
_GAME: Final = "01_first_game"
_HEADING: Final = re.compile(r"^# (.+)$", re.MULTILINE)
_FOLDED: Final = re.compile(r"<details>\s*<summary>[^<]*</summary>(.*)</details>", re.DOTALL)
_QUESTION: Final = re.compile(r"^\*\*(?:Frage|Question):\*\* (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Entry:
    """What the list of lessons knows of one before it is read.

    Attributes
    ----------
    name : str
        Of the notebook, and the last part of the address.
    track : str
        Whom it is for: ``pupil``, ``further`` or ``teacher``.
    minutes : int
        How long it takes to read it and to do its exercises.
    runs_here : bool
        Whether the web app shows it; one that takes all cores is for JupyterLab.
    """

    name: str
    track: str
    minutes: int
    runs_here: bool = True

    @property
    def number(self) -> str:
        """Its number as written in its name."""
        return self.name[:2]


ENTRIES: Final = (
    Entry("02_rules", "pupil", 25),
    Entry("03_chance", "pupil", 30),
    Entry("04_reroll_or_stop", "pupil", 35),
    Entry("05_luck_and_skill", "pupil", 20),
    Entry("06_the_solved_game", "further", 25),
    Entry("07_laboratory", "further", 30),
    Entry("08_large_study", "further", 30, runs_here=False),
    Entry("09_teachers_notes", "teacher", 20),
)


#: Where the number of a notebook leads to, from the page of a lesson.
_NUMBERS: Final = {_GAME[:2]: "../"} | {one.number: one.name for one in ENTRIES if one.runs_here}


def entry_named(name: str) -> Entry | None:
    """Return the entry of a lesson, None if there is no such lesson."""
    return next((entry for entry in ENTRIES if entry.name == name), None)


def notebooks_folder() -> Path:
    """Return the folder of the notebooks: that of a checkout, or that inside a wheel.

    Raises
    ------
    FileNotFoundError
        If it is in neither place.
    """
    for folder in (_OWN_FOLDER / "notebooks", _OWN_FOLDER.parents[1] / "notebooks"):
        if (folder / "en").is_dir():
            return folder
    raise FileNotFoundError(f"the lessons are neither in {_OWN_FOLDER} nor beside voila_app")


@dataclass(frozen=True)
class Part:
    """A part of a lesson: a text, or a cell of code with room for its outputs.

    Attributes
    ----------
    html : str
        The text, empty for code.
    code : str
        The code, empty for a text.
    index : int
        Place of the cell among the cells of the lesson's notebook; -1 for a text, and for code
        that is shown and not run.
    is_answer : bool
        Whether it belongs to the answer of the exercise above it.
    """

    html: str = ""
    code: str = ""
    index: int = -1
    is_answer: bool = False

    @property
    def is_check(self) -> bool:
        """Whether the code asserts something: once it has run, that has been checked."""
        return any(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(self.code)))


@dataclass(frozen=True)
class Lesson:
    """A lesson in one language, ready to be shown.

    Attributes
    ----------
    entry : Entry
    title : str
    question : str
        What it answers, in one or two sentences.
    parts : tuple of Part
        In order.
    notebook : NotebookNode
        Its code cells alone, without outputs.
    """

    entry: Entry
    title: str
    question: str
    parts: tuple[Part, ...]
    notebook: NotebookNode

    @property
    def groups(self) -> list[tuple[bool, list[Part]]]:
        """The parts in groups of those that stand together: an answer is folded as a whole."""
        grouped = groupby(self.parts, key=lambda part: part.is_answer)
        return [(is_answer, list(parts)) for is_answer, parts in grouped]


@cache
def read_lesson(name: str, language: str) -> Lesson:
    """Read a lesson and keep it for the life of the server.

    Parameters
    ----------
    name : str
        Of an entry.
    language : str
        ``de`` or ``en``.

    Raises
    ------
    LookupError
        If there is no such lesson.
    OSError
        If its notebook is not there.
    """
    entry = entry_named(name)
    if entry is None:
        raise LookupError(name)
    notebook = nbformat.read(notebooks_folder() / language / f"{name}.ipynb", as_version=4)
    texts = [str(cell.source) for cell in notebook.cells if cell.cell_type == "markdown"]
    parts = _parts(notebook.cells)
    # An answer is there to be read; the lesson does not need what it computes.
    notebook.cells = [
        cell for cell in notebook.cells if cell.cell_type == "code" and not _is_answer(cell)
    ]
    for cell in notebook.cells:
        cell.outputs = []
    return Lesson(entry, _first(_HEADING, texts) or name, _first(_QUESTION, texts), parts, notebook)


def _first(pattern: re.Pattern[str], texts: list[str]) -> str:
    found = (pattern.search(text) for text in texts)
    return next((match[1].strip() for match in found if match), "")


def _parts(cells: list[NotebookNode]) -> tuple[Part, ...]:
    parts = []
    numbers = count()
    for cell in cells:
        is_answer, text = _is_answer(cell), str(cell.source)
        if cell.cell_type == "markdown":
            parts.append(Part(html=rendered(_unfolded(text)), is_answer=is_answer))
        else:
            index = -1 if is_answer else next(numbers)
            parts.append(Part(code=text, index=index, is_answer=is_answer))
    return tuple(parts)


def _is_answer(cell: NotebookNode) -> bool:
    return "answer" in cell.metadata.get("tags", ())


def _unfolded(text: str) -> str:
    """Take away the tags by which a notebook folds an answer; the page folds it itself."""
    match = _FOLDED.fullmatch(text.strip())
    return text if match is None else match[1]


def rendered(text: str) -> str:
    """Turn Markdown into HTML.

    HTML inside the text is shown as it is written, and addresses that would run a script are
    taken out. A link to another notebook becomes a link to its page.
    """
    html = str(_markdown()(text))
    # All tags come from the renderer. A table may be wider than a small screen.
    opened = html.replace("<table>", '<div class="scroll" tabindex="0"><table>')
    return opened.replace("</table>", "</table></div>")


@cache
def _markdown() -> mistune.Markdown:
    return mistune.create_markdown(renderer=LessonRenderer(escape=True), plugins=["table"])


class LessonRenderer(mistune.HTMLRenderer):
    """Renders the texts of a lesson."""

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """Render a link; one to a notebook leads to its page."""
        return super().link(text, _address_of(url), title)

    def codespan(self, text: str) -> str:
        """Render a word of code; the number of a notebook leads to its page."""
        code = super().codespan(text)
        address = _NUMBERS.get(text)
        return code if address is None else f'<a href="{address}">{code}</a>'

    def heading(self, text: str, level: int, **attributes: Any) -> str:
        """Render a heading that can be linked to."""
        plain = re.sub(r"<[^>]*>", "", text)
        words = re.findall(r"\w+", plain.lower())
        return super().heading(text, level, **{**attributes, "id": escape("-".join(words))})

    def block_code(self, code: str, info: str | None = None) -> str:
        """Render lines of code, which may be wider than a small screen."""
        return super().block_code(code, info).replace("<pre>", '<pre tabindex="0">', 1)


def _address_of(url: str) -> str:
    match = _NOTEBOOK_LINK.fullmatch(url)
    if match is None:
        return url
    return "../" if match[1] == _GAME else f"{match[1]}{match[2] or ''}"
