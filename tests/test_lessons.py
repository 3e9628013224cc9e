"""The lessons and the desks on the server's side: what is read, and who may see what."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from skyline_app import desks, lessons, server
from skyline_app.learn import (
    SHEETS,
    TRACKS,
    has_widget,
    neighbours,
    picture_of,
    shown_outputs,
)
from skyline_app.lessons import ENTRIES, entry_named, read_lesson, rendered
from skyline_app.pages import notebook_of
from skyline_app.phrases import PHRASES
from skyline_widgets.lesson_table import TABLE_TYPE, LessonTable

ROOT = Path(__file__).resolve().parents[1]
CODES = ("de", "en")


class Tags(HTMLParser):
    """Collects the tags and the addresses of a text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]


# --- which lessons there are ------------------------------------------------------------------


def test_every_notebook_is_a_lesson_and_the_other_way_round() -> None:
    names = {path.stem for path in (ROOT / "notebooks" / "source").glob("*.md")}
    assert {entry.name for entry in ENTRIES} == names - {"01_first_game"}, "that is the game itself"
    assert {entry.track for entry in ENTRIES} == set(TRACKS)
    assert [entry.name for entry in ENTRIES if not entry.runs_here] == ["08_large_study"]


def test_every_track_and_sheet_has_its_words() -> None:
    for phrases in PHRASES.values():
        for track in TRACKS:
            assert phrases[f"track_{track}"]
            assert phrases[f"track_{track}_lead"]
        assert all(phrases[phrase] for phrase in SHEETS.values())
        assert "{n}" in phrases["minutes"]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_lesson_has_a_title_a_question_and_all_its_code(entry: lessons.Entry, code: str) -> None:
    lesson = read_lesson(entry.name, code)
    assert lesson.title != entry.name
    assert lesson.question.endswith("?")
    run = [part for part in lesson.parts if part.index >= 0]
    assert [part.code for part in run] == [cell.source for cell in lesson.notebook.cells]
    assert [part.index for part in run] == list(range(len(run)))
    assert any(part.is_check for part in run)
    assert len([part for part in lesson.parts if not part.html and not part.is_answer]) == len(run)
    assert {cell.cell_type for cell in lesson.notebook.cells} == {"code"}


@pytest.mark.parametrize("code", CODES)
def test_links_of_the_lessons_lead_to_lessons(code: str) -> None:
    found = []
    for entry in ENTRIES:
        for part in read_lesson(entry.name, code).parts:
            found += Tags(part.html).links
    assert "../" in found, "the first game"
    known = {f"{entry.name}" for entry in ENTRIES} | {"../"}
    assert {link.partition("#")[0] for link in found} <= known


def test_lessons_follow_each_other() -> None:
    first, last = ENTRIES[0], ENTRIES[-1]
    assert neighbours(first) == (None, ENTRIES[1])
    before, after = neighbours(last)
    assert before is entry_named("07_laboratory"), "the one that does not run here is left out"
    assert after is None


def test_a_lesson_that_does_not_exist() -> None:
    assert entry_named("10_none") is None
    with pytest.raises(LookupError):
        read_lesson("10_none", "de")


# --- Markdown ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "Hello <img src=x onerror=alert(1)>",
        "[a](javascript:alert(1))",
        "![a](javascript:alert(1))",
        "<iframe src='http://elsewhere.example'></iframe>",
        "[a]( data:text/html,x)",
    ],
)
def test_nothing_that_runs_comes_through(text: str) -> None:
    tags = Tags(rendered(text))
    assert not {*tags.tags} & {"script", "iframe", "style", "object"}
    assert not [link for link in tags.links if re.match(r"\s*(javascript|data):", link)]
    assert "onerror" not in re.sub(r"&lt;.*?&gt;", "", rendered(text))


def test_texts_become_headings_tables_and_links() -> None:
    html = rendered("## What *fits*?\n\n| a | b |\n|---|---|\n| 1 | [02](02_rules.ipynb#x) |\n")
    assert '<h2 id="what-fits">' in html
    assert '<div class="scroll" tabindex="0"><table>' in html
    assert 'href="02_rules#x"' in html
    assert 'href="../"' in rendered("[01](../01_first_game.ipynb)")
    assert "<code>&lt;b&gt;</code>" in rendered("`<b>`")
    assert rendered("`03`").strip() == '<p><a href="03_chance"><code>03</code></a></p>'
    assert 'href="../"' in rendered("`01`")
    assert "href" not in rendered("`08`, `10`, 03"), "these have no page here"


def test_answers_are_folded_as_a_whole_and_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import nbformat

    v4 = nbformat.v4
    answer = {"metadata": {"tags": ["answer"]}}
    folded = "<details>\n<summary>Answer</summary>\n\nIt is **2**, <b>.\n\n</details>"
    cells = [
        v4.new_markdown_cell("# T\n\n**Question:** Why?"),
        v4.new_code_cell("1"),
        v4.new_code_cell("assert 2", **answer),
        v4.new_markdown_cell(folded, **answer),
        v4.new_code_cell("3"),
    ]
    (tmp_path / "en").mkdir()
    nbformat.write(v4.new_notebook(cells=cells), tmp_path / "en" / "03_chance.ipynb")
    monkeypatch.setattr(lessons, "notebooks_folder", lambda: tmp_path)
    lesson = read_lesson.__wrapped__("03_chance", "en")
    assert [cell.source for cell in lesson.notebook.cells] == ["1", "3"]
    assert [is_answer for is_answer, _ in lesson.groups] == [False, True, False]
    code, text = lesson.groups[1][1]
    assert (code.code, code.index) == ("assert 2", -1)
    assert text.html.strip() == "<p>It is <strong>2</strong>, &lt;b&gt;.</p>"
    assert lesson.groups[2][1][0].index == 1


def test_outputs_are_sorted() -> None:
    import nbformat

    cell = notebook_of("x").cells[0]
    assert shown_outputs(cell) == {
        "printed": "",
        "tables": [],
        "pictures": [],
        "rich": [],
    }
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": "m"}, "text/plain": "W"}
    cell.outputs = [
        nbformat.v4.new_output("stream", name="stdout", text="1\n"),
        nbformat.v4.new_output("stream", name="stderr", text="a warning\n"),
        nbformat.v4.new_output("execute_result", data={"text/plain": "2"}),
        nbformat.v4.new_output("execute_result", data=view),
    ]
    drawing = '<svg xmlns="x" aria-label="A &amp; B"><script>alert(1)</script></svg>'
    picture = {"image/svg+xml": drawing, "text/plain": "BarChart(...)"}
    cell.outputs.append(nbformat.v4.new_output("execute_result", data=picture))
    table = LessonTable("<b>", ("side", "n"), (("<i>", "1/2"),))
    data = table._repr_mimebundle_()
    cell.outputs.append(nbformat.v4.new_output("execute_result", data=data))
    found = shown_outputs(cell)
    assert found["printed"] == "1\n2"
    assert found["tables"] == [data[TABLE_TYPE]]
    assert found["rich"] == [cell.outputs[3]]
    ((source, words),) = found["pictures"]
    assert source.startswith("data:image/svg+xml;base64,")
    assert words == "A & B"
    assert picture_of("<svg></svg>").words == ""
    assert has_widget(cell)
    assert not has_widget(notebook_of("x").cells[0])


# --- where the lessons lie --------------------------------------------------------------------


def test_lessons_are_found_in_a_checkout_and_in_a_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lessons.notebooks_folder() == ROOT / "notebooks"
    package = tmp_path / "site-packages" / "skyline_app"
    package.mkdir(parents=True)
    monkeypatch.setattr(lessons, "_OWN_FOLDER", package)
    with pytest.raises(FileNotFoundError, match="lessons"):
        lessons.notebooks_folder()
    (package / "notebooks" / "en").mkdir(parents=True)
    assert lessons.notebooks_folder() == package / "notebooks"


# --- desks ------------------------------------------------------------------------------------


def test_a_desk_has_a_folder_that_does_not_give_its_code_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKYLINE_DATA_DIR", str(tmp_path))
    one, other = desks.desk_code(None), desks.desk_code("")
    assert one != other
    assert len(one) == len(other) == 22
    assert desks.desk_code(one) == one
    folder = desks.desk_folder(one)
    assert folder.parent == tmp_path / "desks"
    assert one not in str(folder)
    assert folder == desks.desk_folder(one) != desks.desk_folder(other)


@pytest.mark.parametrize(
    "code", ["", ".", "..", "../../etc/passwd", "a" * 21, "a" * 23, "a" * 21 + "/", "ä" * 22, "x\n"]
)
def test_what_is_no_code_is_never_a_desk(code: str) -> None:
    assert not desks.is_desk_code(code)
    assert desks.desk_code(code) != code
    with pytest.raises(ValueError, match="no code of a desk"):
        desks.desk_folder(code)


def test_the_laboratory_runs_what_is_there() -> None:
    from skyline_app.lab import build_lab

    assert build_lab.__name__ in server.LAB_CODE
