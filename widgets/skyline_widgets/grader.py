"""Grade exported exercises again, without a page.

::

    python -m skyline_widgets.grader anna.json ben.json > class.csv
    python -m skyline_widgets.grader *.json > class.csv

prints one line of comma-separated values for each file.  The last column says whether the file is
what the answers in it deserve, bit for bit.  Exit status 0 if all are, 1 if one was changed, 2 if
one cannot be read; a sentence on standard error names it.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from skyline_kernel.errors import KitError
from skyline_kernel.files import read_beginning

from .exercise_attempts import Regraded, harmless, regrade

__all__ = ["main"]

CHANGED: Final = 1
BAD_INPUT: Final = 2
_MOST: Final = 400_000
_HEAD: Final = ("file", "pupil", "sheet", "seed", "solved", "of", "tries", "unchanged")


def main(arguments: Sequence[str] | None = None) -> int:
    """Grade the files that are named and return the exit status."""
    names = sys.argv[1:] if arguments is None else arguments
    if not names or names[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if names else BAD_INPUT
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(_HEAD)
    status = 0
    for name in _expanded(names):
        try:
            found = regrade(read_beginning(Path(name), _MOST))
        except (OSError, UnicodeDecodeError, KitError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            status = BAD_INPUT
            continue
        writer.writerow(_row(name, found))
        status = max(status, 0 if found.is_same else CHANGED)
    return status


def _expanded(names: Sequence[str]) -> list[str]:
    """Look up patterns such as ``*.json``: not every command line does that by itself."""
    found: list[str] = []
    for name in names:
        path = Path(name)
        is_pattern = "*" in path.name and not path.exists()
        matches = sorted(str(one) for one in path.parent.glob(path.name)) if is_pattern else []
        found.extend(matches or [name])
    return found


def _row(name: str, found: Regraded) -> list[object]:
    attempt = found.attempt
    n_tries = sum(map(len, attempt.tries))
    counts = [attempt.n_solved, len(attempt.tries), n_tries]
    words = [harmless(name), harmless(attempt.pupil)]
    return [*words, attempt.sheet, attempt.seed, *counts, found.is_same]


if __name__ == "__main__":
    sys.exit(main())
