"""The tests of the page's script, which Node runs."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "js"


def node() -> str:
    """Return Node, or skip: it is no part of the Python environment."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("Node is not installed; the tests in tests/js need version 20 or newer")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True)
    if int(version.stdout.removeprefix("v").partition(".")[0]) < 20:
        pytest.skip(f"Node {version.stdout.strip()} is too old; the tests in tests/js need 20")
    return found


def test_script_of_the_page() -> None:
    files = sorted(FOLDER.glob("*.test.mjs"))
    assert files, "there are tests"
    result = subprocess.run(
        [node(), "--test", "--test-reporter=tap", *files],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    counts = dict(re.findall(r"^# (\w+) (\d+)$", result.stdout, re.MULTILINE))
    assert int(counts["pass"]) >= 30
    assert (counts["fail"], counts["skipped"]) == ("0", "0")
