"""The page Learn: a list of the lessons, and each lesson as a page that runs.

The text of a lesson is sent at once. Its code is run cell by cell in a page process, and what
comes out of a cell is sent as soon as it is there; ``static/site.js`` puts it in its place. So
a pupil reads while the machine computes, and still has the text if the process fails.
"""

from __future__ import annotations

import re
from base64 import b64encode
from html import unescape
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tornado import web
from tornado.iostream import StreamClosedError

from skyline_app.desks import COOKIE, COOKIE_DAYS, desk_code, desk_folder
from skyline_app.lessons import ENTRIES, Entry, Lesson, entry_named, read_lesson
from skyline_app.pages import OwnPagesHandler, PageHandler, SkylineHandler, notebook_of
from skyline_app.phrases import PHRASES
from skyline_app.store import new_code

if TYPE_CHECKING:
    from nbformat import NotebookNode

__all__ = ["LearnHandler", "LessonHandler", "NewDeskHandler", "SheetHandler"]

TRACKS: Final = ("pupil", "further", "teacher")
#: Sheets with a page of their own, and the phrases that name them.
SHEETS: Final = {"lesson-45": "sheet_45", "lesson-90": "sheet_90"}
SHEET_CODE: Final = "from skyline_widgets import ExerciseSheet\n\nExerciseSheet({sheet!r})"
#: The form of an output that is a table of words; see `skyline_widgets.lesson_table`.
TABLE_TYPE: Final = "application/vnd.skyline.table+json"
_PAGE: Final = "learn"
_SPOKEN: Final = re.compile(r'<svg[^>]*\baria-label="([^"]*)"')


class DeskHandler(SkylineHandler):
    """Knows the visitor's desk."""

    def find_desk(self) -> str:
        """Return the code of the visitor's desk; who has none gets one."""
        code = desk_code(self.get_cookie(COOKIE))
        self.set_desk(code)
        return code

    def set_desk(self, code: str) -> None:
        """Have the browser keep the code of a desk, unreadable for scripts."""
        self.set_cookie(
            COOKIE,
            code,
            expires_days=COOKIE_DAYS,
            path=self.base_url,
            httponly=True,
            samesite="Lax",
            secure=self.request.protocol == "https",
        )


class LearnHandler(DeskHandler):
    """Sends the list of lessons."""

    @web.authenticated
    def get(self) -> None:
        """Send the list in the visitor's language.

        Who opens several lessons from it at once has the same desk in all of them.
        """
        self.find_desk()
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Cache-Control", "no-cache")
        self.set_header("Vary", "Accept-Language, Cookie")
        language = self.visitor_language
        tracks = {
            track: [read_lesson(one.name, language) for one in ENTRIES if one.track == track]
            for track in TRACKS
        }
        self.finish(self.render_page("learn.html.j2", page=_PAGE, tracks=tracks, sheets=SHEETS))


class NewDeskHandler(OwnPagesHandler, DeskHandler):
    """Gives the visitor an empty desk; the form is on a page without a token."""

    @web.authenticated
    def post(self) -> None:
        """Set the cookie and go back to the list."""
        self.set_desk(new_code())
        self.redirect(f"{self.base_url}learn", status=303)


class ExercisePageHandler(DeskHandler, PageHandler):
    """Sends a page whose process knows the visitor's desk."""

    desk: str

    def initialize(self, page_config: dict[str, Any]) -> None:  # type: ignore[override]
        """Take what Voilà's front end wants to know; the notebook comes with the address."""
        super().initialize(notebook=notebook_of(""), page_config=page_config, page=_PAGE)

    def environment(self) -> dict[str, str]:
        """Return the environment of the page process, which learns where its desk is."""
        return {**super().environment(), "SKYLINE_EXERCISES_DIR": str(desk_folder(self.desk))}


class LessonHandler(ExercisePageHandler):
    """Sends a lesson and runs its code."""

    #: A class opens a lesson in the same minute, and its text is there to be read.
    patience = 150.0

    @web.authenticated
    async def get(self, name: str) -> None:
        """Send the text, then each output.

        Raises
        ------
        HTTPError
            404 if there is no such lesson here, 503 if too many page processes are running.
        """
        entry = entry_named(name)
        if entry is None or not entry.runs_here:
            raise web.HTTPError(404)
        self.lesson: Lesson = read_lesson(name, self.visitor_language)
        self.notebook = self.lesson.notebook
        self.desk = self.find_desk()
        await self.send_page()

    def upper_part(self, name: str = "lesson_open.html.j2", **more: Any) -> str:
        """Return the whole text of the lesson, with room for the outputs."""
        before, after = neighbours(self.lesson.entry)
        language = self.visitor_language
        return super().upper_part(
            name,
            here="true",  # in the part of the site that the navigation names, not that page
            title=f"{self.lesson.title} – Skyline",
            lesson=self.lesson,
            before=before and read_lesson(before.name, language),
            after=after and read_lesson(after.name, language),
            **more,
        )

    async def after_cell(self, index: int, cell: NotebookNode) -> None:
        """Send what came out of a cell."""
        piece = self.render_page("output.html.j2", index=index, **shown_outputs(cell))
        if not self.visitor_left:
            self.write(piece)
            try:
                await self.flush()
            except StreamClosedError:
                self.visitor_left = True

    def lower_part(self, cells: list[NotebookNode] | None) -> str:
        """Return the end of the page; the outputs have been sent already."""
        widgets = cells is not None and any(has_widget(cell) for cell in cells)
        return self.render_page("lesson_close.html.j2", cells=cells, has_widgets=widgets)


class SheetHandler(ExercisePageHandler):
    """Sends a sheet of exercises without a lesson around it, for a class."""

    @web.authenticated
    async def get(self, sheet: str) -> None:
        """Send the page.

        Raises
        ------
        HTTPError
            404 if there is no such sheet here, 503 if too many page processes are running.
        """
        if sheet not in SHEETS:
            raise web.HTTPError(404)
        self.sheet = sheet
        self.notebook = notebook_of(SHEET_CODE.format(sheet=sheet))
        self.desk = self.find_desk()
        await self.send_page()

    def upper_part(self, name: str = "sheet_open.html.j2", **more: Any) -> str:
        """Return what is sent before the process runs."""
        phrases = PHRASES[self.visitor_language]
        title = f"{phrases[SHEETS[self.sheet]]} – Skyline"
        return super().upper_part(name, here="true", title=title, **more)


def neighbours(entry: Entry) -> tuple[Entry | None, Entry | None]:
    """Return the lessons before and after one, among those that run here."""
    shown = [one for one in ENTRIES if one.runs_here]
    place = shown.index(entry)
    before = shown[place - 1] if place else None
    after = shown[place + 1] if place + 1 < len(shown) else None
    return before, after


class Picture(NamedTuple):
    """A picture that a cell has drawn.

    Parameters
    ----------
    source : str
        The picture itself, as an address.
    words : str
        What it shows, for who cannot see it.
    """

    source: str
    words: str


def shown_outputs(cell: NotebookNode) -> dict[str, Any]:
    """Sort the outputs of a cell by how they are drawn.

    Returns
    -------
    dict
        ``printed`` (str), ``tables`` (list of dict: what the template fills in) and ``pictures``
        (list of Picture), drawn without any script; ``rich`` (list), what the front end draws.
    """
    printed: list[str] = []
    tables: list[dict[str, Any]] = []
    pictures: list[Picture] = []
    rich: list[NotebookNode] = []
    for output in cell.outputs:
        data = output.get("data", {})
        if output.output_type == "stream" and output.name == "stdout":
            printed.append(output.text)
        elif set(data) == {"text/plain"}:
            printed.append(data["text/plain"] + "\n")
        elif TABLE_TYPE in data:
            tables.append(data[TABLE_TYPE])
        elif "image/svg+xml" in data and not is_widget(output):
            pictures.append(picture_of(data["image/svg+xml"]))
        elif data:
            rich.append(output)
    text = "".join(printed).rstrip()
    return {"printed": text, "tables": tables, "pictures": pictures, "rich": rich}


def picture_of(svg: str) -> Picture:
    """Return a drawing as a picture: nothing inside it can run or reach into the page."""
    match = _SPOKEN.search(svg)
    source = "data:image/svg+xml;base64," + b64encode(svg.encode()).decode()
    return Picture(source, "" if match is None else unescape(match[1]))


def is_widget(output: NotebookNode) -> bool:
    """Tell whether an output is a widget."""
    return "application/vnd.jupyter.widget-view+json" in output.get("data", {})


def has_widget(cell: NotebookNode) -> bool:
    """Tell whether a cell has put a widget on the page."""
    return any(is_widget(output) for output in cell.outputs)
