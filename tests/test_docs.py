"""The documentation: it is built without a warning, asks nothing of the outside, and tells the truth."""

from __future__ import annotations

import doctest
import importlib.util
import re
import shlex
import tomllib
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from conftest import load_script

TOOL = load_script("tools/guide.py")
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
    """Build both languages, warnings as errors; notebooks are run by another job."""
    for module in ("sphinx", "furo", "myst_nb", "numpydoc"):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed: the extra docs")
    folder = tmp_path_factory.mktemp("docs")
    assert TOOL.build(folder, ["-D", "nb_execution_mode=off"]) == 0
    return folder


def pages_of(built: Path, language: str) -> dict[str, Path]:
    """Return the pages of a language, by their names below its top."""
    top = built / language
    return {page.relative_to(top).as_posix(): page for page in top.rglob("*.html")}


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_page_is_there_and_loads_nothing_from_elsewhere(built: Path, language: str) -> None:
    pages = pages_of(built, language)
    guide = {f"guide/{page.stem}.html" for page in GUIDE.iterdir()}
    notebooks = {
        f"notebooks/{language}/{source.stem}.html"
        for source in (ROOT / "notebooks" / "source").glob("*.md")
    }
    assert len(guide) >= 9
    assert guide | notebooks <= pages.keys()
    assert "reference/skyline_kernel.skyline.advice.html" in pages
    assert {name for name in pages if name.startswith("notebooks/")} == notebooks
    for name, page in pages.items():
        text = page.read_text(encoding="utf-8")
        assert f'<html class="no-js" lang="{language}"' in text
        assert not [link for link in Links(text).loaded if re.match(r"(https?:)?//", link)], name


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_page_leads_to_itself_in_the_other_language(built: Path, language: str) -> None:
    pages, others = pages_of(built, language), pages_of(built, "de" if language == "en" else "en")
    pattern = re.compile(r'class="language-switch"><a href="([^"]+)"')
    for name, page in pages.items():
        found = pattern.findall(page.read_text(encoding="utf-8"))
        if name not in ("genindex.html", "py-modindex.html", "search.html"):
            assert len(found) == 1, name
        for address in found:
            same = re.sub(r"notebooks/(de|en)/", "notebooks/*/", name)
            there = (page.parent / address).resolve()
            assert there in {other.resolve() for other in others.values()}, name
            assert re.sub(r"notebooks/(de|en)/", "notebooks/*/", there.as_posix()).endswith(same)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "words", "foreign"),
    [
        ("en", ("Why it ends", "max over dice d", "roll"), "Warum es endet"),
        ("de", ("Warum es endet", "max über Würfel d", "Wurf"), "Why it ends"),
    ],
)
def test_theory_and_ledger_say_what_the_code_says(
    built: Path, language: str, words: tuple[str, ...], foreign: str
) -> None:
    pages = pages_of(built, language)
    theory = pages["guide/theory.html"].read_text(encoding="utf-8")
    # What is highlighted is cut into pieces.
    plain = re.sub(r"<[^>]+>", "", theory)
    assert all(word in plain for word in (*words, "4e-11"))
    assert foreign not in plain
    ledger = pages["guide/ledger.html"].read_text(encoding="utf-8")
    assert ledger.count("<math") >= 5
    assert "shortage" in ledger


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("myst_nb") is None, reason="needs the extra docs")
def test_catalogues_hold_the_sentences_of_the_guide() -> None:
    assert TOOL.stale(TOOL.catalogues()) == []


def test_every_sentence_of_the_guide_is_translated() -> None:
    catalogues = {path.stem for path in (TOOL.FOLDER / "guide").glob("*.po")}
    assert catalogues == {page.stem for page in GUIDE.iterdir()}
    assert (TOOL.FOLDER / "index.po").exists()
    assert TOOL.gaps() == []


def test_a_sentence_without_german_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        'msgid "Yes"\nmsgstr "Ja"\n\nmsgid "No"\nmsgstr ""\n\n#, fuzzy\nmsgid "Die"\nmsgstr "Tod"\n'
    )
    (tmp_path / "x.po").write_text(text, encoding="utf-8")
    monkeypatch.setattr(TOOL, "FOLDER", tmp_path)
    assert TOOL.gaps() == ["x.po: No", "x.po: Die"]


def test_code_numbers_and_formulas_are_the_same_in_both_languages() -> None:
    same = (
        "`build Gl`",
        "``luck``",
        "+6",
        ":math:`3^2 = 9`",
        "$1 + 1$",
        "a block\nof lines",
        "{py:mod}`x`",
    )
    assert all(TOOL.is_for_both(text) for text in same)
    assert not any(TOOL.is_for_both(text) for text in ("luck", "after `build Gl`", "1 point"))


def spans_of(text: str) -> tuple[int, set[str]]:
    """Return the number of spans of code and formulas, and those that are no words of a page."""
    spans = [span.strip("`") for span in re.findall(r"``[^`]+``|`[^`]+`|\$[^$]+\$", text)]
    return len(spans), {span for span in spans if not re.match(r"[A-ZÄÖÜ][a-zäöü]+ ", span)}


def test_formulas_and_code_survive_translation() -> None:
    """What stands between back-quotes or dollars is not for translating, but may be moved."""
    for path in TOOL.FOLDER.rglob("*.po"):
        with path.open("rb") as file:
            messages = [message for message in read_po(file, locale="de") if message.id]
        for message in messages:
            if "\n" not in message.id:
                assert spans_of(message.id) == spans_of(message.string), message.id


@pytest.mark.parametrize("page", sorted(GUIDE.glob("*.md")), ids=lambda page: page.stem)
def test_python_examples_of_the_guide_can_be_compiled_and_imported(page: Path) -> None:
    for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        compile(block, page.name, "exec")
        for line in re.findall(r"^from skyline_\S+ import .*$", block, re.MULTILINE):
            exec(line, {})


@pytest.mark.parametrize("name", ["ledger", "theory"])
def test_examples_of_the_guide_run_as_printed(name: str) -> None:
    result = doctest.testfile(str(GUIDE / f"{name}.rst"), module_relative=False)
    assert result.attempted >= 5
    assert result.failed == 0


def console_examples() -> list[tuple[str, str]]:
    """List the commands of the guide that show what they print."""
    text = (GUIDE / "advice.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    return re.findall(r"^\$ skyline (.*)\n((?:(?!\$).*\n)*)", "".join(blocks), re.MULTILINE)


def test_commands_of_the_guide_print_what_they_show(capsys: pytest.CaptureFixture[str]) -> None:
    from skyline_kernel.cli import main

    examples = console_examples()
    assert len(examples) == 3
    for command, printed in examples:
        assert main(shlex.split(command)) == 0
        assert capsys.readouterr().out == printed


def test_bands_of_the_guide_are_those_of_the_review() -> None:
    from skyline_kernel.skyline.coach.bands import DEFAULT_BANDS

    rows = dict(
        re.findall(
            r"^\| (inaccuracy|mistake|blunder) \| ([\d.]+) point",
            (GUIDE / "advice.md").read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    )
    assert {name: float(text) for name, text in rows.items()} == {
        name: getattr(DEFAULT_BANDS, name) for name in ("inaccuracy", "mistake", "blunder")
    }


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


def test_installing_names_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    from skyline_app.server import main

    text = (GUIDE / "installing.md").read_text(encoding="utf-8")
    named = {name for group in re.findall(r"\[([a-z,]+)\]\"", text) for name in group.split(",")}
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert named == {"app", "notebooks"} <= settings["optional-dependencies"].keys()
    assert "Python 3.11 or newer" in text
    assert settings["requires-python"] == ">=3.11"
    with pytest.raises(SystemExit):
        main(["--help"])
    listed = capsys.readouterr().out
    options = set(re.findall(r"skyline app (--[^\n]*)", text)[0].split()) - {"0.0.0.0"}
    assert len(options) == 2
    assert all(option in listed for option in (*options, "--port", "8866"))


def test_positions_of_the_guide_can_be_read() -> None:
    from skyline_kernel.skyline import format_position, parse_position

    text = (GUIDE / "text_interface.md").read_text(encoding="utf-8")
    positions = re.findall(r"^ {4}(\S+ G\S+ .*)$", text, re.MULTILINE)
    assert positions
    for position in positions:
        assert format_position(parse_position(position)) == position


def test_the_dice_set_of_the_guide_can_be_read() -> None:
    from skyline_kernel.skyline.dice_sets import parse_dice_set

    text = (GUIDE / "laboratory.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    dice_set = parse_dice_set(shown)
    assert f"online+{dice_set.name}`" in text
    assert dice_set.sources[0]
