"""The way from a clone to a running project: run.py, environment.yml, the hooks."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from conftest import ROOT, load_script

if TYPE_CHECKING:
    from types import ModuleType

#: Names that differ between the two package indexes.
CONDA_NAMES = {
    "build": "python-build",
    "matplotlib": "matplotlib-base",  # without the windows of a desktop
    "playwright": "playwright-python",
}


@pytest.fixture
def run() -> ModuleType:
    """Load run.py."""
    return load_script("run.py")


# An older Python


def test_older_python_reads_the_file() -> None:
    ast.parse((ROOT / "run.py").read_text(encoding="utf-8"), feature_version=(3, 6))


@pytest.mark.parametrize(("version", "is_old"), [((3, 10, 14), True), ((3, 11, 0), False)])
def test_older_python_gets_one_sentence(version: tuple[int, ...], is_old: bool) -> None:
    pretend = (
        f"import sys; sys.version_info = {version!r}; sys.argv = ['run.py', '--help'];"
        f"exec(compile(open({str(ROOT / 'run.py')!r}).read(), 'run.py', 'exec'),"
        f"dict(__name__='__main__', __file__={str(ROOT / 'run.py')!r}))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", pretend], capture_output=True, text=True, check=False
    )
    assert ended.stdout == ""
    if is_old:
        assert ended.returncode == 1
        assert ended.stderr == "Skyline needs Python 3.11 or newer; this is Python 3.10.\n"
    else:
        assert ended.returncode == 0
        assert ended.stderr.startswith("usage:")


# What is missing on the machine


def test_missing_venv_module_names_the_package(run: ModuleType) -> None:
    with pytest.raises(run.SetupError, match="python3-venv"):
        run.verify_venv(None)
    run.verify_venv(object())


def test_wrong_command_shows_usage(run: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main([]) == 2
    assert run.main(["play"]) == 2
    assert capsys.readouterr().err.count("usage: python3 run.py app") == 2


def test_trouble_is_one_sentence(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise run.SetupError("something is missing")

    monkeypatch.setattr(run, "install", fail)
    monkeypatch.setattr(run, "is_installed", lambda *_: False)
    assert run.main(["app"]) == 2
    assert capsys.readouterr().err == "run.py: something is missing\n"


@pytest.mark.slow
def test_failed_installation_is_told_apart(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(run, "HERE", tmp_path)
    monkeypatch.setattr(run, "environment_python", lambda _: Path(sys.executable))
    with pytest.raises(run.SetupError, match="installation failed"):
        run.install(tmp_path / ".venv", "app")
    assert list(tmp_path.iterdir()) == []


# Installing once


def test_project_is_installed_again_only_after_a_change(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(run, "HERE", tmp_path)
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    environment = tmp_path / ".venv"
    python = run.environment_python(environment)
    python.parent.mkdir(parents=True)
    assert not run.is_installed(environment, "app")
    python.touch()
    assert not run.is_installed(environment, "app")

    run.stamp_of(environment, "test").write_text(run.fingerprint())
    assert run.is_installed(environment, "app")
    assert run.is_installed(environment, "test")
    assert not run.is_installed(environment, "dev")

    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert not run.is_installed(environment, "app")


@pytest.mark.parametrize(
    ("arguments", "group", "command"),
    [
        (["app", "--port", "1"], "app", ["-m", "skyline_app", "--port", "1"]),
        (["grade", "a.json"], "app", ["-m", "skyline_widgets.grader", "a.json"]),
        (["test", "-n", "0"], "test", ["-m", "pytest", "-n", "2", "--dist", "loadfile", "-n", "0"]),
    ],
)
def test_task_installs_its_group_and_passes_options_on(
    run: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    group: str,
    command: list[str],
) -> None:
    done: list[Any] = []
    monkeypatch.setenv("SKYLINE_CHROMIUM", sys.executable)
    monkeypatch.setattr(run, "is_installed", lambda *_: False)
    monkeypatch.setattr(run, "install", lambda _, name: done.append(name))
    monkeypatch.setattr(run.os, "cpu_count", lambda: 1)

    def call(line: list[Any], _: object = None, folder: Path | None = None) -> int:
        assert folder == (Path.cwd() if arguments[0] == "grade" else None)
        done.append(line)
        return 7

    monkeypatch.setattr(run, "call", call)
    assert run.main(arguments) == 7
    assert done == [group, [run.environment_python(run.ENVIRONMENT), *command]]


# The browser


def test_named_browser_comes_first(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    on_path = tmp_path / ("chromium.exe" if os.name == "nt" else "chromium")
    on_path.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("SKYLINE_CHROMIUM", raising=False)
    assert run.find_browser() == str(on_path)
    monkeypatch.setenv("SKYLINE_CHROMIUM", "/somewhere/else")
    assert run.find_browser() == "/somewhere/else"


def test_no_browser_is_looked_for_if_none_is_wanted(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise AssertionError("looked for a browser")

    monkeypatch.setattr(run, "find_browser", fail)
    monkeypatch.setenv("SKYLINE_NO_BROWSER", "1")
    variables = run.environment_for_tests(Path(sys.executable))
    assert variables["SKYLINE_NO_BROWSER"] == "1"


def test_missing_browser_says_what_can_be_done(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def refuse(command: list[Any], **_: object) -> subprocess.CompletedProcess[bytes]:
        calls.append([str(word) for word in command[1:]])
        return subprocess.CompletedProcess(command, 1)

    monkeypatch.setattr(run.subprocess, "run", refuse)
    monkeypatch.setattr(run, "find_browser", lambda: None)
    monkeypatch.setattr(run.shutil, "which", lambda _: None)
    with pytest.raises(run.SetupError, match="SKYLINE_NO_BROWSER"):
        run.install_browser(Path("python"))
    assert calls == [["-m", "playwright", "install", "chromium"]]


# environment.yml and the hooks


def requirement(text: str) -> tuple[str, str | None]:
    """Split a requirement into its name and its lower bound."""
    found = re.fullmatch(r"([A-Za-z0-9._-]+?)(?:\[[^]]*\])? *(?:>= *([0-9.]+))?", text)
    assert found is not None, f"not a plain requirement: {text}"
    return found[1].lower(), found[2]


def requirements_of_pyproject() -> dict[str, str | None]:
    """Return names (as conda has them) and lower bounds of all dependencies."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    pairs = [requirement(line) for lines in lists for line in lines]
    own = project["name"]
    found = {CONDA_NAMES.get(name, name): bound for name, bound in pairs if name != own}
    return {"python": requirement("python" + project["requires-python"])[1], **found}


def test_conda_environment_equals_pyproject() -> None:
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    *packages, from_pip = environment["dependencies"]
    *only_there, project = from_pip["pip"]
    found = dict(requirement(line) for line in [*packages, *only_there])
    assert found.pop("pip") is None
    assert found == requirements_of_pyproject()
    assert project == "-e ."
    assert environment["channels"] == ["conda-forge", "nodefaults"]


def test_hooks_are_local() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert [source["repo"] for source in hooks["repos"]] == ["local"]
    names = {hook["id"] for hook in hooks["repos"][0]["hooks"]}
    assert names >= {"ruff-check", "ruff-format", "mypy", "nbstripout"}
