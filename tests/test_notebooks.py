"""The notebooks: one source, two languages, short cells, no outputs; they run in the notebook job."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import load_script

TOOL = load_script("tools/notebooks.py")
ROOT = Path(__file__).resolve().parents[1] / "notebooks"
SOURCES = sorted((ROOT / "source").glob("*.md"))
FILES = sorted(ROOT.rglob("[0-9][0-9]_*.ipynb"))


def cells_of(path: Path, sort: str) -> list[str]:
    """Return the texts of the cells of one sort."""
    content = json.loads(path.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in content["cells"] if cell["cell_type"] == sort]


def test_generated_notebooks_are_up_to_date() -> None:
    assert TOOL.stale(TOOL.notebooks()) == []


def test_a_changed_source_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    source = tmp_path / "source" / "01_x.md"
    source.write_text("%% code\n1 + 1\n", encoding="utf-8")
    for path, text in TOOL.notebooks(tmp_path).items():
        path.parent.mkdir()
        path.write_text(text, encoding="utf-8")
    assert TOOL.stale(TOOL.notebooks(tmp_path), tmp_path) == []
    source.write_text("%% code\n1 + 2\n", encoding="utf-8")
    names = ["de/01_x.ipynb", "en/01_x.ipynb"]
    assert TOOL.stale(TOOL.notebooks(tmp_path), tmp_path) == names
    source.unlink()
    assert TOOL.stale(TOOL.notebooks(tmp_path), tmp_path) == names


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Hello", "x:1: expected a line such as '%% code' first"),
        ("%% fr\nSalut", "x:1: expected text after"),
        ("%% code\n\n", "x:1: expected text after"),
        ("%% en\nHello\n%% de\nHallo", "x:1: expected '%% de' before '%% en'"),
        ("%% de\nHallo\n%% code\n1", "x:1: expected '%% en' after '%% de'"),
        ("%% code\n1\n%% de\nHallo", "x:3: expected '%% en' after '%% de'"),
        ("%% code anser\n1", "x:1: expected text after"),
        ("%% de answer\nJa\n%% en\nYes", "x:1: expected '%% en answer' after '%% de'"),
    ],
)
def test_a_source_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(TOOL.SourceError, match=message.replace("'", "'")):
        TOOL.read_cells(text, "x")


def test_cells_come_back_as_they_were_written() -> None:
    cells = TOOL.read_cells("%% de\n# Ja\n\nText\n\n%% en\n# Yes\n%% code\nif x:\n    y\n")
    assert not any(cell.is_answer for cell in cells)
    assert [(cell.sort, cell.text) for cell in cells] == [
        ("de", "# Ja\n\nText"),
        ("en", "# Yes"),
        ("code", "if x:\n    y"),
    ]
    german = TOOL.notebook(cells, "de")["cells"]
    assert ["".join(cell["source"]) for cell in german] == ["# Ja\n\nText", "if x:\n    y"]


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_both_languages_run_the_same_code(source: Path) -> None:
    german, english = (ROOT / code / f"{source.stem}.ipynb" for code in ("de", "en"))
    assert cells_of(german, "code") == cells_of(english, "code") != []
    texts = cells_of(german, "markdown"), cells_of(english, "markdown")
    assert len(texts[0]) == len(texts[1])
    assert not {*texts[0]} & {*texts[1]}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_cells_are_short_and_have_no_outputs(path: Path) -> None:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    code = cells_of(path, "code")
    n_lines = sorted(len(text.splitlines()) for text in code)
    assert n_lines[-1] <= 15
    assert n_lines[len(n_lines) // 2] <= 4
    assert not [cell for cell in content["cells"] if cell.get("outputs")]
    for text in code:
        tree = ast.parse(text)
        assert not [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_every_notebook_says_something_that_is_checked(source: Path) -> None:
    code = "\n".join(
        cell.text for cell in TOOL.read_cells(source.read_text("utf-8")) if cell.sort == "code"
    )
    tree = ast.parse(code)
    assert [node for node in ast.walk(tree) if isinstance(node, ast.Assert)]
    assert "random.seed" not in code


# --- exercises and their answers --------------------------------------------------------------

ANSWERED = ("05_luck_and_skill", "06_the_solved_game", "07_laboratory", "08_large_study")


def source_cells(name: str) -> list[Any]:
    """Return the cells of a source."""
    return TOOL.read_cells((ROOT / "source" / f"{name}.md").read_text(encoding="utf-8"), name)


def texts_of(content: dict[str, Any]) -> list[str]:
    """Return the texts of all cells of a notebook."""
    return ["".join(cell["source"]) for cell in content["cells"]]


@pytest.mark.parametrize("name", ANSWERED)
def test_every_exercise_has_an_answer_that_checks_itself(name: str) -> None:
    cells = source_cells(name)
    exercises = [
        place
        for place, cell in enumerate(cells)
        if cell.sort == "en" and re.search(r"^\*\*\d\.\*\*", cell.text, re.MULTILINE)
    ]
    assert len(exercises) >= 2
    for place, end in zip(exercises, [*exercises[1:], len(cells)], strict=True):
        answer = [cell for cell in cells[place + 1 : end] if cell.is_answer]
        assert {cell.sort for cell in answer} == {"de", "en", "code"}
        code = "\n".join(cell.text for cell in answer if cell.sort == "code")
        assert [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Assert)]


@pytest.mark.parametrize("language", TOOL.LANGUAGES)
@pytest.mark.parametrize("name", ANSWERED)
def test_the_students_copy_holds_no_answer(name: str, language: str) -> None:
    cells = source_cells(name)
    student, teacher = (
        TOOL.notebook(cells, language, edition)
        for edition in (TOOL.Edition.STUDENT, TOOL.Edition.TEACHER)
    )
    answers = [c.text for c in cells if c.is_answer and c.sort in (language, "code")]
    others = [c.text for c in cells if not c.is_answer and c.sort in (language, "code")]
    assert answers
    assert not [text for text in answers if any(text in one for one in texts_of(student))]
    assert [text for text in texts_of(student) if not text.startswith("# ")] != []
    assert set(others) <= set(texts_of(student))
    assert all(any(text in one for one in texts_of(teacher)) for text in answers + others)
    assert not [cell for cell in student["cells"] if cell["metadata"]]
    n_exercises = sum(len(re.findall(r"^\*\*\d\.\*\*", text, re.MULTILINE)) for text in others)
    rooms = [text for text in texts_of(student) if text == TOOL._YOURS[language]]
    assert len(rooms) == n_exercises >= 2


@pytest.mark.parametrize("language", TOOL.LANGUAGES)
@pytest.mark.parametrize("name", ANSWERED)
def test_the_teachers_copy_runs_what_the_kit_runs(name: str, language: str) -> None:
    cells = source_cells(name)
    kit, teacher = (
        TOOL.notebook(cells, language, edition)
        for edition in (TOOL.Edition.KIT, TOOL.Edition.TEACHER)
    )
    code = [
        ["".join(cell["source"]) for cell in content["cells"] if cell["cell_type"] == "code"]
        for content in (kit, teacher)
    ]
    assert [text.removeprefix(f"{TOOL._COVER}\n") for text in code[0]] == code[1]
    assert not any("<details>" in text for text in texts_of(teacher))
    folded = [text for text in texts_of(kit) if "<details>" in text]
    assert len(folded) == sum(c.is_answer and c.sort == language for c in cells)


@pytest.mark.parametrize("language", TOOL.LANGUAGES)
@pytest.mark.parametrize("name", ANSWERED)
def test_the_first_line_of_a_folded_answer_gives_nothing_away(name: str, language: str) -> None:
    """JupyterLab shows it."""
    cells = TOOL.notebook(source_cells(name), language)["cells"]
    answers = [cell for cell in cells if "answer" in cell["metadata"].get("tags", ())]
    code = [cell for cell in answers if cell["cell_type"] == "code"]
    assert code
    assert all(cell["metadata"]["jupyter"]["source_hidden"] for cell in code)
    assert {cell["source"][0].rstrip() for cell in code} == {TOOL._COVER}
    text = [cell for cell in answers if cell["cell_type"] == "markdown"]
    assert {cell["source"][0].rstrip() for cell in text} == {"<details>"}


def test_answers_are_marked_as_nbgrader_does() -> None:
    cells = TOOL.read_cells("%% code\n1\n%% code answer\n2\n%% de answer\nJa\n%% en answer\nYes")
    plain, code, text = TOOL.notebook(cells, "en", TOOL.Edition.TEACHER)["cells"]
    assert plain["metadata"] == {}
    common = {"locked": False, "schema_version": 3, "solution": True, "task": False}
    assert code["metadata"]["nbgrader"] == {**common, "grade": False, "grade_id": code["id"]}
    # Text is always graded there, and must be worth something.
    assert text["metadata"]["nbgrader"] == {
        **common,
        "grade": True,
        "points": 1,
        "grade_id": text["id"],
    }


def test_copies_are_written_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert TOOL.main(["--copies"]) == 2
    assert TOOL.main(["--copies", str(tmp_path)]) == 0
    names = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.ipynb")}
    expected = {f"teacher/{path.relative_to(ROOT).as_posix()}" for path in FILES}
    teachers_own = {f"{code}/{name}.ipynb" for code in ("de", "en") for name in TOOL.FOR_TEACHERS}
    expected |= {
        name.replace("teacher", "student", 1)
        for name in expected
        if name.removeprefix("teacher/") not in teachers_own
    }
    assert names == expected
    (tmp_path / "student" / "de" / "05_luck_and_skill.ipynb").write_text("worked on", "utf-8")
    assert TOOL.main(["--copies", str(tmp_path)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert (tmp_path / "student" / "de" / "05_luck_and_skill.ipynb").read_text() == "worked on"


@pytest.mark.slow
@pytest.mark.parametrize("name", ANSWERED)
def test_the_students_copy_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The teacher's runs the cells of the kit's own, which another job runs."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    monkeypatch.setenv("SKYLINE_DATA_DIR", str(tmp_path))
    content = TOOL.notebook(source_cells(name), "en", TOOL.Edition.STUDENT)
    notebook = nbformat.reads(json.dumps(content), as_version=4)
    nbclient.NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": tmp_path}}
    ).execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in code)
