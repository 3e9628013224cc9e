#!/usr/bin/env python3
"""Set everything up and start the app or the tests: one command on a fresh machine.

    python3 run.py app [options of the app]
    python3 run.py test [options of pytest]
    python3 run.py grade *.json > class.csv

It makes a virtual environment in the folder .venv beside this file, installs the project
into it and goes on in there. A second call finds it ready and installs again only after
pyproject.toml has changed. Nothing but Python's own library is needed for it.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 (the one line that an older Python gets to)
    sys.exit("Skyline needs Python 3.11 or newer; this is Python {}.{}.".format(*sys.version_info))

import hashlib
import importlib.util
import os
import shutil
import subprocess
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ENVIRONMENT = HERE / ".venv"
#: What each task needs to be installed; every group contains those before it.
GROUPS = ("app", "test", "dev")
GROUP_FOR = {"app": "app", "grade": "app", "test": "test", "check": "dev"}
USAGE = """usage: python3 run.py app [options]    play in the browser (--help lists the options)
       python3 run.py grade *.json     grade exercises again that were handed in
       python3 run.py test [options]   run all tests (options go to pytest)
       python3 run.py check            run the linters and the type checker"""

BROWSER_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
BROWSER_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"%ProgramFiles%\Google\Chrome\Application\chrome.exe",
    r"%ProgramFiles(x86)%\Google\Chrome\Application\chrome.exe",
    r"%LocalAppData%\Google\Chrome\Application\chrome.exe",
    r"%ProgramFiles(x86)%\Microsoft\Edge\Application\msedge.exe",
)


class SetupError(ValueError):
    """Something is missing on this machine; the message says what to do."""


def verify_venv(installer: object) -> None:
    """Check that this Python can make virtual environments.

    Parameters
    ----------
    installer : object
        Where Python's module ``ensurepip`` was found, None if nowhere.

    Raises
    ------
    SetupError
        If not: Debian and Ubuntu leave the needed part out of their python3 package.
    """
    if installer is None:
        raise SetupError(
            "This Python cannot make virtual environments. On Debian and Ubuntu install "
            "what is missing with: sudo apt-get install python3-venv"
        )


def environment_python(environment: Path) -> Path:
    """Return where the interpreter of a virtual environment stands."""
    if os.name == "nt":
        return environment / "Scripts" / "python.exe"
    return environment / "bin" / "python"


def fingerprint() -> str:
    """Return a text that changes when the project has to be installed again."""
    made_from = f"{sys.version_info[:2]} {HERE}".encode() + (HERE / "pyproject.toml").read_bytes()
    return hashlib.sha256(made_from).hexdigest()


def stamp_of(environment: Path, group: str) -> Path:
    """Return the file that tells what was installed last."""
    return environment / f"skyline-{group}.stamp"


def is_installed(environment: Path, group: str) -> bool:
    """Tell whether the environment holds the project as it is described now.

    Parameters
    ----------
    environment : Path
        The virtual environment; it need not exist.
    group : str
        One of `GROUPS`; a larger one will do as well.
    """
    if not environment_python(environment).exists():
        return False
    stamps = (stamp_of(environment, enough) for enough in GROUPS[GROUPS.index(group) :])
    return any(
        stamp.is_file() and stamp.read_text(encoding="utf-8") == fingerprint() for stamp in stamps
    )


def make_environment(environment: Path) -> None:
    """Make an empty virtual environment.

    Raises
    ------
    SetupError
        If that fails.
    """
    verify_venv(importlib.util.find_spec("ensurepip"))
    print(f"Making a virtual environment in {environment} ...", flush=True)
    try:
        venv.create(environment, with_pip=True)
    except (OSError, subprocess.CalledProcessError) as error:
        shutil.rmtree(environment, ignore_errors=True)
        raise SetupError(
            f"No virtual environment could be made in {environment}: {error}"
        ) from error


def install(environment: Path, group: str) -> None:
    """Make the environment if there is none and install the project into it.

    pip is given no options about where packages come from: that is the machine's business.

    Raises
    ------
    SetupError
        If the installation fails; pip's own words stand above the message.
    """
    python = environment_python(environment)
    if not python.exists():
        make_environment(environment)
    print(f"Installing the project ({group}) ...", flush=True)
    command: list[str | Path] = [
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--editable",
        f"{HERE}[{group}]",
    ]
    if subprocess.run(command, check=False).returncode != 0:
        raise SetupError(
            "The installation failed; the lines above say why. If it failed half-way before, "
            f"delete the folder {environment} and try again."
        )
    stamp_of(environment, group).write_text(fingerprint(), encoding="utf-8")


def find_browser() -> str | None:
    """Return a Chromium or Chrome of this machine, or None.

    The environment variable SKYLINE_CHROMIUM comes first, then the search path, then the
    usual places of macOS and Windows.
    """
    named = os.environ.get("SKYLINE_CHROMIUM")
    if named:
        return named
    on_path = (shutil.which(name) for name in BROWSER_NAMES)
    in_place = (os.path.expandvars(place) for place in BROWSER_PLACES)
    return next((path for path in (*on_path, *in_place) if path and Path(path).exists()), None)


def install_browser(python: Path) -> str | None:
    """Get a Chromium for the tests that need one.

    Returns
    -------
    str or None
        Its path, or None if Playwright has brought one of its own, which it finds itself.

    Raises
    ------
    SetupError
        If there is no way to get one here.
    """
    print("No Chromium or Chrome was found; getting one for the browser tests ...", flush=True)
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if is_root and shutil.which("apt-get"):
        for arguments in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
            subprocess.run(["apt-get", "-qq", *arguments], check=False)
        found = find_browser()
        if found is not None:
            return found
    command: list[str | Path] = [python, "-m", "playwright", "install", "chromium"]
    if subprocess.run(command, check=False).returncode == 0:
        return None
    raise SetupError(
        "No Chromium could be installed. Install Chromium or Chrome, or name one in the "
        "environment variable SKYLINE_CHROMIUM, or set SKYLINE_NO_BROWSER=1 to leave the "
        "browser tests out."
    )


def environment_for_tests(python: Path) -> dict[str, str]:
    """Return the environment variables for pytest: they name the browser."""
    variables = dict(os.environ)
    if variables.get("SKYLINE_NO_BROWSER"):
        return variables
    browser = find_browser() or install_browser(python)
    if browser is not None:
        variables["SKYLINE_CHROMIUM"] = browser
    return variables


def side_by_side() -> list[str]:
    """Return the options of pytest to run test files beside each other.

    Many tests wait for a server or a browser, so this pays even on two cores. Options given
    by the user come later and win: ``-n 0`` runs one test after the other.
    """
    return ["-n", str(min(4, max(2, os.cpu_count() or 1))), "--dist", "loadfile"]


def call(
    command: list[str | Path], variables: dict[str, str] | None = None, folder: Path = HERE
) -> int:
    """Run a program, in the project's folder if no other is named; return its exit status."""
    try:
        return subprocess.run(command, cwd=folder, env=variables, check=False).returncode
    except KeyboardInterrupt:  # the program has got it too and has ended
        return 0


def check(python: Path) -> int:
    """Run the linters and the type checker; all of them, whatever the first one says."""
    commands = (
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy"],
    )
    return max(call([python, "-m", *command]) for command in commands)


def run(task: str, arguments: list[str]) -> int:
    """Set up what a task needs, and do it.

    Parameters
    ----------
    task : str
        ``"app"``, ``"grade"``, ``"test"`` or ``"check"``.
    arguments : list of str
        Passed on.

    Returns
    -------
    int
        The exit status.
    """
    group = GROUP_FOR[task]
    if not is_installed(ENVIRONMENT, group):
        install(ENVIRONMENT, group)
    python = environment_python(ENVIRONMENT)
    if task == "app":
        return call([python, "-m", "skyline_app", *arguments])
    if task == "grade":
        # The names of the files are meant as seen from where the command was given.
        return call([python, "-m", "skyline_widgets.grader", *arguments], folder=Path.cwd())
    if task == "test":
        command: list[str | Path] = [python, "-m", "pytest", *side_by_side(), *arguments]
        return call(command, environment_for_tests(python))
    return check(python)


def main(arguments: list[str]) -> int:
    """Read the command line and do what it asks for.

    Returns
    -------
    int
        The exit status: 2 with one sentence if the command or the machine is not right.
    """
    if not arguments or arguments[0] not in GROUP_FOR:
        print(USAGE, file=sys.stderr)
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 2
    try:
        return run(arguments[0], arguments[1:])
    except SetupError as error:
        print(f"run.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
