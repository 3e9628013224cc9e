"""The documentation: it is built without a warning, asks nothing of the outside, and tells the truth."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
GUIDE = ROOT / "docs" / "guide"


class Links(HTMLParser):
    """Collects what a page loads by itself: scripts, styles, pictures, fonts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag in ("script", "img", "iframe", "source"):
            self.loaded.append(found.get("src") or "")
        elif tag == "link" and found.get("rel") not in ("search", "next", "prev", "canonical"):
            self.loaded.append(found.get("href") or "")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build all pages, warnings as errors; notebooks are run by another job."""
    for module in ("sphinx", "furo", "myst_nb", "numpydoc"):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed: the extra docs")
    folder = tmp_path_factory.mktemp("docs")
    options = [
        "-q",
        "-W",
        "--keep-going",
        "-D",
        "nb_execution_mode=off",
        "-d",
        str(folder / "trees"),
    ]
    command = [sys.executable, "-m", "sphinx", *options, "docs", str(folder / "html")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder / "html"


@pytest.mark.slow
def test_every_page_is_there_and_loads_nothing_from_elsewhere(built: Path) -> None:
    pages = sorted(built.rglob("*.html"))
    names = {page.relative_to(built).as_posix() for page in pages}
    guide = {f"guide/{page.stem}.html" for page in GUIDE.glob("*.md")}
    notebooks = {
        f"notebooks/{language}/{source.stem}.html"
        for language in ("de", "en")
        for source in (ROOT / "notebooks" / "source").glob("*.md")
    }
    assert len(guide) >= 7
    assert guide | notebooks <= names
    assert "reference/skyline_kernel.skyline.advice.html" in names
    for page in pages:
        loaded = Links(page.read_text(encoding="utf-8")).loaded
        assert not [link for link in loaded if re.match(r"(https?:)?//", link)], page


@pytest.mark.slow
def test_theory_and_ledger_say_what_the_code_says(built: Path) -> None:
    theory = (built / "guide" / "theory.html").read_text(encoding="utf-8")
    assert "Why it ends" in theory
    assert "4e-11" in theory
    ledger = (built / "guide" / "ledger.html").read_text(encoding="utf-8")
    assert ledger.count("<math") >= 5
    assert "shortage" in ledger


@pytest.mark.parametrize("page", sorted(GUIDE.glob("*.md")), ids=lambda page: page.stem)
def test_python_examples_of_the_guide_can_be_compiled_and_imported(page: Path) -> None:
    for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        compile(block, page.name, "exec")
        for line in re.findall(r"^from skyline_\S+ import .*$", block, re.MULTILINE):
            exec(line, {})


def test_commands_of_the_text_interface_exist(capsys: pytest.CaptureFixture[str]) -> None:
    from skyline_kernel.cli import main

    text = (GUIDE / "text_interface.md").read_text(encoding="utf-8")
    commands = set(re.findall(r"`skyline ([a-z]+)", text))
    assert len(commands) >= 9
    with pytest.raises(SystemExit):
        main(["--help"])
    listed = capsys.readouterr().out
    assert not {
        command for command in commands if not re.search(rf"^\s+{command}\b", listed, re.MULTILINE)
    }


def test_positions_of_the_guide_can_be_read() -> None:
    from skyline_kernel.skyline import format_position, parse_position

    text = (GUIDE / "text_interface.md").read_text(encoding="utf-8")
    positions = re.findall(r"^ {4}(\S+ G\S+ .*)$", text, re.MULTILINE)
    assert positions
    for position in positions:
        assert format_position(parse_position(position)) == position
