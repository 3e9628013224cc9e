"""What the README says is true."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from skyline_kernel.cli import main

README = Path(__file__).resolve().parents[1] / "README.md"
TEXT = README.read_text(encoding="utf-8")


def console_examples() -> list[tuple[str, str]]:
    """Return each command of the console examples with what it prints."""
    examples = []
    for block in re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL):
        for part in block.split("$ ")[1:]:
            command, _, output = part.partition("\n")
            examples.append((command, output))
    return examples


def test_the_python_example_runs_as_printed() -> None:
    result = doctest.testfile(str(README), module_relative=False)
    assert result.attempted >= 7
    assert result.failed == 0


@pytest.mark.parametrize(("command", "output"), console_examples())
def test_the_console_examples_print_what_they_show(
    command: str, output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    program, *arguments = shlex.split(command)
    assert program == "skyline"
    assert main(arguments) == 0
    assert capsys.readouterr().out == output


def test_there_are_console_examples() -> None:
    assert len(console_examples()) >= 4


def test_it_opens_with_the_two_commands() -> None:
    first = re.search(r"```sh\n(.*?)```", TEXT, re.DOTALL)
    assert first is not None
    lines = first[1].splitlines()
    assert [line.split("#")[0].split() for line in lines] == [
        ["python3", "run.py", "app"],
        ["python3", "run.py", "test"],
    ]
    assert TEXT.index(first[0]) < 40


def test_its_links_and_pictures_are_there() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", TEXT)
    assert targets
    for target in targets:
        assert (README.parent / target).exists(), target
