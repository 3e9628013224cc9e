"""Rebuild, or check, the solved tables that come with the package.

``python -m skyline_kernel.skyline.solver`` solves both endings with the standard dice, each in a
process of its own, and writes the files; ``--check`` compares them with the files bit for bit.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from queue import Empty
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from ..dice_sets import STANDARD, DiceSet, shipped_dice_set, verified_own
from .practice import practice_game
from .store import SHIPPED_FOLDER, value_table, write_table
from .tables import TRIMMED, WIDE, solve_table, trimmed, work

if TYPE_CHECKING:
    from queue import Queue

ENDINGS = (True, False)
"""Always nine rounds, or not."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status, 1 if a check fails."""
    parser = argparse.ArgumentParser(
        prog="python -m skyline_kernel.skyline.solver",
        description="Solve the practice game with the standard dice for both endings.",
    )
    parser.add_argument("--check", action="store_true", help="compare, do not write")
    parser.add_argument(
        "--solve",
        type=_face_weights,
        metavar="WEIGHTS",
        help="solve other dice into the user's cache: [[l, m, h, blank], ...] for each kind",
    )
    parser.add_argument("--nine", action="store_true", help="with --solve: always nine rounds")
    options = parser.parse_args(arguments)
    if options.solve is not None:
        value_table(options.solve, nine=options.nine)
        return 0
    if not options.check:
        rebuild(SHIPPED_FOLDER)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        return _report(rebuild(Path(folder)))


def _face_weights(text: str) -> DiceSet:
    ground, upper, penthouse = (tuple(sides) for sides in json.loads(text))
    return verified_own(DiceSet("own-dice", (ground, upper, penthouse)))


def rebuild(folder: Path) -> list[Path]:
    """Solve both endings and write the tables into `folder`, with a progress bar.

    Returns
    -------
    list of Path
        Of the files.
    """
    context = get_context("spawn")
    with context.Manager() as manager, ProcessPoolExecutor(len(ENDINGS), context) as pool:
        done: Queue[int] = manager.Queue()
        files = [pool.submit(_solve, nine, folder, done) for nine in ENDINGS]
        with tqdm(total=sum(_work(nine) for nine in ENDINGS), unit=" skylines") as bar:
            while not (all(file.done() for file in files) and done.empty()):
                bar.update(_next(done))
        return [file.result() for file in files]


def _game(nine: bool) -> Any:
    return practice_game(shipped_dice_set(STANDARD), nine=nine)


def _work(nine: bool) -> int:
    return work(_game(nine), WIDE)


def _solve(nine: bool, folder: Path, done: Queue[int]) -> Path:
    table = solve_table(_game(nine), WIDE, done.put)
    return write_table(trimmed(table, TRIMMED), folder)


def _next(done: Queue[int]) -> int:
    try:
        return done.get(timeout=0.2)
    except Empty:
        return 0


def _report(files: Sequence[Path]) -> int:
    different = [file.name for file in files if not _is_shipped(file)]
    for name in different:
        print(f"{name}: not the same as the shipped table", file=sys.stderr)
    if not different:
        print(f"{len(files)} tables: the same bit for bit")
    return 1 if different else 0


def _is_shipped(file: Path) -> bool:
    shipped = SHIPPED_FOLDER / file.name
    return shipped.is_file() and shipped.read_bytes() == file.read_bytes()
