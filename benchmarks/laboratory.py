"""How long a control of the laboratory takes from the change until the view is ready.

    python benchmarks/laboratory.py [--rounds 3]

Every control of every widget is used as the page uses it: a message with the change comes in,
and the time counts until the new view stands ready to be sent, its text included.  Each slider is
set to some values over its whole length, each choice to each of its options, each button is
pressed; each change is made to a fresh widget, which has drawn itself before and no more.  Each
round is a process of its own, so that nothing is known from the round before; of the rounds the
median counts.

Given are processor times, which other programs disturb less than the clock, and beside them their
ratios to two things measured in the same run: a bare chart of matplotlib of thirty bars, saved as
SVG, and a bare round trip of ipywidgets, a slider whose value is shown by a label.
"""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import median
from time import process_time
from typing import Any, Final

import ipywidgets
import matplotlib as mpl
from matplotlib.figure import Figure
from skyline_widgets import DistributionView, OddsExplorer, OddsQuestion, PolicyComparison
from skyline_widgets.charts import page_picture
from skyline_widgets.lab_base import LabWidget
from skyline_widgets.lab_sweep import sweep_chart, sweep_faces
from skyline_widgets.language import language_named
from skyline_widgets.position_editor import PositionEditor

from skyline_kernel.skyline import Face, Kind, parse_position
from skyline_kernel.skyline.dice import FACES, KINDS
from skyline_kernel.skyline.turn_odds import best_turn_distribution

STATE: Final = parse_position("m2,h3 G1U1P1 Gl,Um,P- use 9.1")
TURN: Final = parse_position("m2,h3 G1U1P1 - take 9.1")
N_BARS: Final = 30
N_BARE: Final = 40
MOST_VALUES: Final = 9
"""Values that a slider is set to."""

LASTING: Final = ("file", "solve", "wait", "poll")
"""Buttons that save a file or begin what takes longer by its nature."""

CHART: Final = "bare chart"
TRIP: Final = "bare round trip"

Change = dict[str, Any]


def odds() -> OddsExplorer:
    """Make an explorer whose answer is open and that has rolled, so that it draws most."""
    explorer = OddsExplorer(OddsQuestion(counts=(2, 2, 1), is_open=True, seed=1))
    explorer.act("roll", value=100)
    return explorer


def players() -> PolicyComparison:
    """Make a comparison of three players, with whole games."""
    comparison = PolicyComparison(TURN, ["greedy", "builder", "best-turn"])
    comparison.simulate(5, seed=1)
    return comparison


WIDGETS: Final[dict[str, Callable[[], LabWidget[Any]]]] = {
    "OddsExplorer": odds,
    "PositionEditor, turn": lambda: PositionEditor(STATE, objective="turn"),
    "PositionEditor, score": lambda: PositionEditor(STATE, objective="score"),
    "DistributionView": lambda: DistributionView(best_turn_distribution(TURN)),
    "PolicyComparison": players,
}


def changes(widget: LabWidget[Any]) -> Iterator[Change]:
    """List what a person can do with a widget."""
    for panel in widget.view["sections"]:
        for item in panel["items"]:
            yield from changes_by(item)


def changes_by(item: dict[str, Any]) -> Iterator[Change]:
    """List what a person can do with one control."""
    match item["type"]:
        case "buttons":
            commands = [button["command"] for button in item["buttons"]]
            yield from (command for command in commands if command["do"] not in LASTING)
        case "dice" | "columns":
            yield from ({"do": item["name"], "value": one["code"]} for one in item[item["type"]])
        case "slider" | "counter" | "choice" | "toggle" | "field":
            for value in values(item):
                yield {"do": "set", "name": item["name"], "value": value}


def values(item: dict[str, Any]) -> list[Any]:
    """Return what a control can be set to, a few of very many."""
    if item["type"] == "choice":
        return [value for value, _ in item["options"] if value != item["value"]]
    if item["type"] == "toggle":
        return [not item["value"]]
    if item["type"] == "field":
        return [item["value"]]
    if item["type"] == "counter":
        near = (item["value"] - 1, item["value"] + 1)
        return [value for value in near if item["low"] <= value <= item["high"]]
    length = item["high"] - item["low"]
    step = max(1, -(-length // (MOST_VALUES - 1)))
    return [value for value in range(item["low"], item["high"] + 1, step) if value != item["value"]]


def seconds(task: Callable[[], object]) -> float:
    """Return the processor time of a task."""
    begin = process_time()
    task()
    return process_time() - begin


def change_seconds(make: Callable[[], LabWidget[Any]], change: Change) -> float:
    """Time one change of a fresh widget."""
    page_picture.cache_clear()
    widget = make()
    request = {"request": {**change, "from": "page", "number": 1}}

    def answer() -> None:
        widget.set_state(request)
        json.dumps(widget.view)

    return seconds(answer)


def widget_seconds(make: Callable[[], LabWidget[Any]]) -> list[float]:
    """Time each change of a widget."""
    return [change_seconds(make, change) for change in changes(make())]


def sweep_seconds() -> list[float]:
    """Time the sweep and its chart for each kind of die and each pair of faces."""
    lang = language_named("en")

    def sweep(kind: Kind, face: Face, other: Face) -> None:
        points = sweep_faces(TURN, kind, face, instead_of=other)
        page_picture(sweep_chart(points, kind, lang), lang)

    page_picture.cache_clear()
    cases = [(kind, a, b) for kind in KINDS for a in FACES for b in FACES if a != b]
    return [seconds(lambda case=case: sweep(*case)) for case in cases]  # type: ignore[misc]


def bare_chart() -> str:
    """Draw thirty bars as matplotlib comes."""
    figure = Figure()
    figure.add_subplot().bar(range(N_BARS), range(N_BARS))
    file = io.StringIO()
    figure.savefig(file, format="svg")
    return file.getvalue()


def bare_round_trip() -> float:
    """Time a slider of ipywidgets whose value is shown by a label."""
    slider, label = ipywidgets.IntSlider(), ipywidgets.Label()

    def show(change: Any) -> None:
        label.value = str(change["new"])

    slider.observe(show, "value")

    def answer() -> None:
        slider.set_state({"value": slider.value + 1})
        json.dumps(label.get_state(["value"]))

    return seconds(answer)


def import_seconds() -> float:
    """Return the processor time of the import of matplotlib, beside that of numpy."""
    code = (
        "import numpy, time; begin = time.process_time(); "
        "import matplotlib.figure, matplotlib.backends.backend_svg; "
        "print(time.process_time() - begin)"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        for _ in range(7)
    ]
    return median(float(run.stdout) for run in runs)


def one_round(_number: int) -> dict[str, list[float]]:
    """Measure everything once, in a process that has drawn a chart before."""
    bare_chart()
    return {
        CHART: [seconds(bare_chart) for _ in range(N_BARE)],
        TRIP: [bare_round_trip() for _ in range(N_BARE)],
        **{name: widget_seconds(make) for name, make in WIDGETS.items()},
        "sweep": sweep_seconds(),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=3)
    n_rounds = parser.parse_args().rounds
    print(f"Python {sys.version.split()[0]}, matplotlib {mpl.__version__}")
    alone = get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=alone, max_tasks_per_child=1) as pool:
        rounds = list(pool.map(one_round, range(n_rounds)))
    times = {
        name: [median(some) for some in zip(*(one[name] for one in rounds), strict=True)]
        for name in rounds[0]
    }
    chart, trip = median(times.pop(CHART)), median(times.pop(TRIP))
    print(f"{CHART}: {chart * 1000:.1f} ms; {TRIP}: {trip * 1000:.2f} ms")
    print(f"import of matplotlib: {import_seconds() / chart:.0f} x bare chart")
    print(f"{'':24}{'changes':>8}{'median':>22}{'worst':>22}{'worst':>14}")
    for name, some in times.items():
        report(name, some, chart, trip)


def report(name: str, times: list[float], chart: float, trip: float) -> None:
    """Print one line of the table."""
    middle, worst = (
        f"{t * 1000:.0f} ms = {t / chart:.2f} charts" for t in (median(times), max(times))
    )
    print(f"{name:24}{len(times):>8}{middle:>22}{worst:>22}{max(times) / trip:>8.0f} trips")


if __name__ == "__main__":
    main()
