"""Bar charts drawn by matplotlib.

Importing this module imports matplotlib, which takes a moment and some 40 MiB.  So `charts`
imports it when the first chart is drawn, and nothing else does.

Matplotlib is used by its objects: every chart has a `Figure` of its own, there is no pyplot, and
settings hold while a chart is drawn and no longer.  What a notebook has set for its own pictures
does not reach ours.

Series differ by colour and by hatch.  Bars that are singled out are full and have an outline, the
others are pale then; where bars are too thin for that, they stand on a shaded ground.  More bars
than can be told apart are drawn as steps: the area under the one series, or lines of different
strokes.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any, Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.textpath import text_to_path
from matplotlib.ticker import MaxNLocator

from .chart_svg import one_line
from .charts import BarChart, written_ticks
from .language import Language

__all__ = ["NARROW", "PAGE", "PAPER", "Sheet", "figure", "picture"]

INK: Final = "#1f2430"
SOFT: Final = "#5a6070"
LINE: Final = "#d9d3c7"
PANEL: Final = "#ffffff"
SERIES: Final = ("#1f5fa8", "#c4560a", "#7a4bb5", "#737a88")
"""The colours of the light theme; no two are equal, so that a page can put its own for each."""

FONT: Final = "DejaVu Sans"
"""Comes with matplotlib, so a text is as wide everywhere; few fonts are wider."""

_HATCHES: Final = (None, "////", "\\\\\\\\", "xxx")
_STROKES: Final = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (7, 1.5, 1.2, 1.5)))
_PALE: Final = 0.35
_SETTINGS: Final[dict[Any, Any]] = {
    "font.family": [FONT],
    "hatch.linewidth": 1.0,
    "pdf.fonttype": 42,  # text of a PDF can be searched and copied
    "svg.fonttype": "none",
    "svg.hashsalt": "skyline",
    "text.parse_math": False,  # a dollar in a name is a dollar
}
_DEFAULTS: Final[dict[Any, Any]] = {
    name: value for name, value in mpl.rcParamsDefault.items() if not name.startswith("backend")
}
# No date and no version: an equal chart is an equal file tomorrow.
_UNDATED: Final[dict[str, dict[str, Any]]] = {
    "svg": {"Date": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}

_UNITS_PER_INCH: Final = 72
_MOST_BARS: Final = 120
_MOST_PLACES: Final = 48
_MOST_OUTLINED: Final = 40
_LEAST_PLACES: Final = 3
_FILLED: Final = 0.8
_ROOM_FOR_A_WORD: Final = 44.0
_LONGEST_WORD: Final = 72.0
_GAP: Final = 8.0
_AIR: Final = 14.0
_MARGIN: Final = 8.0
_LINE_HEIGHT: Final = 1.6
_STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a chart is drawn on.

    Parameters
    ----------
    width, height : int
        In points of 1/72 inch, which are the units of the SVG.
    is_alone : bool
        Whether nothing beside it says what it is: then it has a title and a ground.
    size : float
        Of the letters, in the same units.
    """

    width: int
    height: int
    is_alone: bool = False
    size: float = 11.5


PAGE: Final = Sheet(480, 256)
NARROW: Final = Sheet(330, 250)
PAPER: Final = Sheet(600, 360, is_alone=True)


def picture(
    chart: BarChart, lang: Language, sheet: Sheet, kind: str, dpi: float = _UNITS_PER_INCH
) -> bytes:
    """Draw a chart as a file; equal charts give equal bytes.

    Parameters
    ----------
    chart : BarChart
    lang : Language
    sheet : Sheet
    kind : str
        ``svg``, ``png`` or ``pdf``.
    dpi : float
        Dots per inch of a ``png``.
    """
    file = io.BytesIO()
    with _settings():
        drawn = _figure(chart, lang, sheet)
        drawn.savefig(file, format=kind, dpi=dpi, metadata=_UNDATED[kind])
    return file.getvalue()


def figure(chart: BarChart, lang: Language, sheet: Sheet) -> Figure:
    """Draw a chart for who wants to go on with it.

    Returns
    -------
    matplotlib.figure.Figure
        With one pair of axes: the bars of place ``i`` stand around ``x = i``, and their heights
        are the values.
    """
    with _settings():
        return _figure(chart, lang, sheet)


@contextmanager
def _settings() -> Iterator[None]:
    with mpl.rc_context({**_DEFAULTS, **_SETTINGS}), warnings.catch_warnings():
        # A letter that the font lacks is measured as an empty box; the page has fonts that have it.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def _figure(chart: BarChart, lang: Language, sheet: Sheet) -> Figure:
    drawn = Figure(figsize=(sheet.width / _UNITS_PER_INCH, sheet.height / _UNITS_PER_INCH))
    drawn.patch.set_visible(sheet.is_alone)
    axes = drawn.add_axes((0, 0, 1, 1), frameon=False)
    if _are_steps(chart):
        _draw_steps(axes, chart)
    else:
        _draw_bars(axes, chart)
    _draw_spans(axes, chart)
    left = _scale_values(axes, chart, lang, sheet)
    top = _head(axes, chart, sheet)
    bottom = 3.2 * sheet.size
    width, height = sheet.width - left - _MARGIN, sheet.height - top - bottom
    axes.set_position(
        (left / sheet.width, bottom / sheet.height, width / sheet.width, height / sheet.height)
    )
    _scale_places(axes, chart, sheet, width)
    return drawn


# --- values -----------------------------------------------------------------------------------


def _are_steps(chart: BarChart) -> bool:
    n_places = len(chart.labels)
    return n_places > _MOST_PLACES or n_places * len(chart.series) > _MOST_BARS


def _draw_bars(axes: Axes, chart: BarChart) -> None:
    are_thin = len(chart.labels) * len(chart.series) > _MOST_OUTLINED
    if are_thin:
        _shade(axes, chart.marked)
    outlined = frozenset() if are_thin else chart.marked
    for number, series in enumerate(chart.series):
        visible = [place for place, value in enumerate(series.values) if value]
        for is_marked in (False, True):
            places = [place for place in visible if (place in outlined) == is_marked]
            if places:
                some = [_bar(chart, number, place) for place in places]
                is_pale = bool(outlined) and not is_marked
                _add_bars(axes, some, number, is_pale=is_pale, is_marked=is_marked)


def _middle(chart: BarChart, number: int, place: int) -> float:
    """Return where the bar of a series stands; all of a place stand side by side around it."""
    n_series = len(chart.series)
    return place + (number - (n_series - 1) / 2) * _FILLED / n_series


def _bar(chart: BarChart, number: int, place: int) -> list[tuple[float, float]]:
    middle, half = _middle(chart, number, place), _FILLED / len(chart.series) / 2
    value = chart.series[number].values[place]
    left, right = middle - half, middle + half
    return [(left, 0.0), (left, value), (right, value), (right, 0.0)]


def _add_bars(
    axes: Axes,
    bars: Sequence[list[tuple[float, float]]],
    number: int,
    *,
    is_pale: bool,
    is_marked: bool,
) -> None:
    # A hatch has the colour of the edge, so the outline is another layer.
    body = PolyCollection(
        bars, facecolor=SERIES[number], edgecolor=PANEL, hatch=_HATCHES[number], linewidth=0
    )
    body.set_alpha(_PALE if is_pale else None)
    edge = INK if is_marked else SERIES[number]
    outline = PolyCollection(bars, facecolor="none", edgecolor=edge)
    outline.set_linewidth(1.5 if is_marked else 0.8)
    body.set_gid(f"bars-{number}")
    outline.set_gid("marked" if is_marked else "outline")
    for layer, order in ((body, 2.0), (outline, 2.2 + 0.1 * is_marked)):
        layer.set_zorder(order)
        layer.set_clip_on(False)
        axes.add_collection(layer, autolim=False)


def _draw_steps(axes: Axes, chart: BarChart) -> None:
    edges = [place - 0.5 for place in range(len(chart.labels) + 1)]
    for number, series in enumerate(chart.series):
        if len(chart.series) == 1:
            axes.stairs(series.values, edges, fill=True, color=SERIES[number], linewidth=0)
        else:
            axes.stairs(series.values, edges, **_stroke(number))
    _shade(axes, chart.marked)


def _shade(axes: Axes, marked: frozenset[int]) -> None:
    for first, last in _runs(marked):
        axes.axvspan(first - 0.5, last + 0.5, color=INK, alpha=0.08, linewidth=0, gid="marked")


def _stroke(number: int) -> dict[str, Any]:
    return {"color": SERIES[number], "linestyle": _STROKES[number], "linewidth": 1.8}


def _runs(marked: frozenset[int]) -> list[tuple[int, int]]:
    """Return first and last of each run of numbers that follow one another."""
    groups = groupby(enumerate(sorted(marked)), lambda pair: pair[1] - pair[0])
    runs = [[place for _, place in group] for _, group in groups]
    return [(run[0], run[-1]) for run in runs]


def _draw_spans(axes: Axes, chart: BarChart) -> None:
    for number, series in enumerate(chart.series):
        if series.spans:
            places = range(len(series.spans))
            x = [_middle(chart, number, place) for place in places]
            y = [(low + high) / 2 for low, high in series.spans]
            half = [abs(high - low) / 2 for low, high in series.spans]
            strokes = axes.errorbar(x, y, half, fmt="none", ecolor=INK, elinewidth=1.4, capsize=4)
            strokes[2][0].set_gid("spans")


# --- axes -------------------------------------------------------------------------------------


def _scale_values(axes: Axes, chart: BarChart, lang: Language, sheet: Sheet) -> float:
    """Put numbers and lines to the values; return the room that the numbers need."""
    low, high = _ends(chart)
    ticks = list(map(float, MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)))
    texts = written_ticks(ticks, chart.unit, lang)
    axes.set_ylim(min(ticks), max(ticks))
    axes.set_yticks(ticks, texts)
    axes.tick_params("y", length=0, labelsize=sheet.size, labelcolor=INK, pad=5)
    axes.grid(axis="y", color=LINE, linewidth=0.8, clip_on=False)
    axes.axhline(0, color=SOFT, linewidth=1, clip_on=False, zorder=3)
    axes.set_axisbelow(True)
    return max(_width_of(text, sheet.size) for text in texts) + 8


def _ends(chart: BarChart) -> tuple[float, float]:
    """Return the least and greatest number that is drawn, zero among them."""
    ends = [end for series in chart.series for span in series.spans for end in span]
    numbers = [0.0, *(value for series in chart.series for value in series.values), *ends]
    low, high = min(numbers), max(numbers)
    return (low, high) if high > low else (0.0, 1.0)


def _scale_places(axes: Axes, chart: BarChart, sheet: Sheet, width: float) -> None:
    """Put labels under the places, as many as there is room for."""
    n_places = len(chart.labels)
    shown = max(n_places, _LEAST_PLACES)
    middle = (n_places - 1) / 2
    axes.set_xlim(middle - shown / 2, middle + shown / 2)
    places, texts = _labels(chart, sheet.size, width / shown)
    axes.set_xticks(places, texts)
    axes.tick_params("x", length=0, labelsize=sheet.size, labelcolor=INK, pad=4)
    axes.set_xlabel(_short(chart.axis, sheet.size, width), size=sheet.size, color=SOFT, labelpad=3)


def _labels(chart: BarChart, size: float, slot: float) -> tuple[list[int], list[str]]:
    """Return which places have a label, and what it says.

    Few labels are shortened where they are too long; of many some are left out.
    """
    room = slot - _GAP if slot >= _ROOM_FOR_A_WORD else _LONGEST_WORD
    texts = [_short(label, size, room) for label in chart.labels]
    widest = max((_width_of(text, size) for text in texts), default=0.0)
    every = next((step for step in _STEPS if step * slot >= widest + _AIR), len(texts))
    # Numbers begin with a round one.
    first = -int(chart.labels[0]) % every if every > 1 and chart.labels[0].isdecimal() else 0
    # A label may reach over the ends of the axis by the margin of the sheet and no further.
    out = max(0.0, widest / 2 - _MARGIN) / slot - 0.5
    places = [
        place for place in range(first, len(texts), every) if out <= place < len(texts) - 1 - out
    ]
    return places, [texts[place] for place in places]


# --- words ------------------------------------------------------------------------------------


def _head(axes: Axes, chart: BarChart, sheet: Sheet) -> float:
    """Write title and legend; return the room that they need."""
    line = _LINE_HEIGHT * sheet.size
    top = 0.6 * sheet.size
    place: dict[str, Any] = {"x": 6 / sheet.width, "ha": "left", "va": "top", "color": INK}
    if sheet.is_alone:
        title = _short(chart.title, 1.4 * sheet.size, sheet.width - 12)
        y = 1 - top / sheet.height
        axes.figure.text(s=title, y=y, size=1.15 * sheet.size, weight="bold", **place)
        top += 1.2 * line
    if len(chart.series) > 1:
        names = [_short(series.name, sheet.size, sheet.width / 2 - 50) for series in chart.series]
        n_columns = _columns(names, sheet)
        _legend(axes, chart, names, sheet, n_columns, top)
        top += line * -(-len(names) // n_columns) + 0.6 * sheet.size
    return top


def _columns(names: Sequence[str], sheet: Sheet) -> int:
    widest = max(_width_of(name, sheet.size) for name in names) + 3.8 * sheet.size
    most = max(1, min(len(names), int((sheet.width - 6) / widest)))
    n_lines = -(-len(names) // most)
    return -(-len(names) // n_lines)


def _legend(
    axes: Axes, chart: BarChart, names: Sequence[str], sheet: Sheet, n_columns: int, top: float
) -> None:
    key = _stroke_key if _are_steps(chart) else _bar_key
    drawn = axes.figure.legend(
        [key(number) for number in range(len(names))],
        names,
        loc="upper left",
        bbox_to_anchor=(0, 1 - top / sheet.height),
        ncols=n_columns,
        fontsize=sheet.size,
        labelcolor=INK,
        frameon=False,
        borderpad=0,
        borderaxespad=0.4,
        labelspacing=0.5,
        columnspacing=1.4,
        handlelength=1.7,
        handletextpad=0.5,
    )
    drawn.set_gid("legend")


def _bar_key(number: int) -> Patch:
    return Patch(facecolor=SERIES[number], edgecolor=PANEL, hatch=_HATCHES[number], linewidth=0)


def _stroke_key(number: int) -> Line2D:
    return Line2D([], [], **_stroke(number))


def _short(text: str, size: float, room: float) -> str:
    """Return a text in one line that needs no more than `room`."""
    shown = one_line(text)
    if _width_of(shown, size) <= room:
        return shown
    n_letters = len(shown)
    while n_letters > 1 and _width_of(shown[:n_letters] + "…", size) > room:
        n_letters -= 1
    return shown[:n_letters].rstrip() + "…"


@lru_cache(maxsize=4096)
def _width_of(text: str, size: float) -> float:
    font = FontProperties(family=[FONT], size=size)
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(width)
