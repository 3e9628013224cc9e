"""The notebooks: one source, two languages, short cells, no outputs; they run in the notebook job."""

from __future__ import annotations

import ast
import json
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
    ],
)
def test_a_source_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(TOOL.SourceError, match=message.replace("'", "'")):
        TOOL.read_cells(text, "x")


def test_cells_come_back_as_they_were_written() -> None:
    cells = TOOL.read_cells("%% de\n# Ja\n\nText\n\n%% en\n# Yes\n%% code\nif x:\n    y\n")
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
