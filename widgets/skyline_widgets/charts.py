"""Bar charts as plain data: a picture for the page, for a file and for paper, and a table.

A `BarChart` is drawn here, in Python, as a small tree of SVG elements.  The laboratory sends the
tree to the page, `svg_text` writes the same tree as a file, `chart_rows` gives the table that
stands beside every chart.  Nothing but text and rectangles is needed, so there is no plotting
library to load: a page stays as light and as quick as it was, offline and everywhere the same.

Bars of several series stand side by side in the order of the legend, and values that are singled
out have an outline, so colour is never the only sign.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from .language import DEFAULT_LANGUAGE, Language, language_named

__all__ = ["BarChart", "Element", "Series", "chart_csv", "chart_rows", "chart_tree", "svg_text"]

Element = list[Any]
"""Tag, attributes and children (elements or text) of an SVG element."""

WIDTH: Final = 440
HEIGHT: Final = 240
LEFT: Final = 46
RIGHT: Final = 8
TOP: Final = 10
BOTTOM: Final = 42
MOST_SERIES: Final = 4
_WIDTH_OF_LETTER: Final = 7.2


@dataclass(frozen=True, slots=True)
class Series:
    """One row of bars.

    Parameters
    ----------
    name : str
    values : tuple of float
        At least 0, shape ``(n_bars,)``.
    texts : tuple of str
        The values as the table writes them, shape ``(n_bars,)``; left out, they are rounded.
    spans : tuple of (float, float)
        Ends of an interval around each value, shape ``(n_bars,)``, or none at all.
    """

    name: str
    values: tuple[float, ...]
    texts: tuple[str, ...] = ()
    spans: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class BarChart:
    """A bar chart with its words.

    Parameters
    ----------
    title : str
        What a screen reader says of the picture, and the caption of its table.
    axis : str
        What the labels are.
    labels : tuple of str
        One under each bar, shape ``(n_bars,)``; where they are many, some are left out.
    series : tuple of Series
        One to four.
    unit : str
        ``percent`` for probabilities, else ``number``.
    marked : frozenset of int
        Places of the bars that are singled out.
    """

    title: str
    axis: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    unit: str = "number"
    marked: frozenset[int] = frozenset()

    def _repr_svg_(self) -> str:
        return svg_text(self)


# --- table ------------------------------------------------------------------------------------


def chart_rows(chart: BarChart, lang: Language) -> list[list[str]]:
    """Return the table of a chart: a row of its label and values for each place."""
    return [
        [label, *(_text(series, place, chart.unit, lang) for series in chart.series)]
        for place, label in enumerate(chart.labels)
    ]


def _text(series: Series, place: int, unit: str, lang: Language) -> str:
    if series.texts:
        return series.texts[place]
    return _written(series.values[place], unit, lang)


def _written(value: float, unit: str, lang: Language) -> str:
    if unit == "percent":
        return f"{lang.number(100 * value, 1)} %"
    return lang.number(value)


def chart_csv(chart: BarChart) -> str:
    """Return the numbers of a chart as comma-separated values, floats in full."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow([chart.axis, *(series.name for series in chart.series)])
    for place, label in enumerate(chart.labels):
        writer.writerow([label, *(repr(float(series.values[place])) for series in chart.series)])
    return table.getvalue()


# --- picture ----------------------------------------------------------------------------------


def chart_tree(chart: BarChart, lang: Language | None = None) -> Element:
    """Return the picture of a chart as a tree of elements.

    Parameters
    ----------
    chart : BarChart
    lang : Language, optional
        Writes the numbers of the axis; English if left out.
    """
    words = lang or language_named(DEFAULT_LANGUAGE)
    top = _top_of_axis(chart)
    box = {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "class": "chart", "role": "img"}
    return [
        "svg",
        {**box, "aria-label": chart.title},
        [*_scale(chart, top, words), *_bars(chart, top), *_labels(chart)],
    ]


def _top_of_axis(chart: BarChart) -> float:
    """Return the end of the axis: 1, 2, 2.5 or 5 times a power of ten."""
    ends = [end for series in chart.series for _, end in series.spans]
    most = max([*(value for series in chart.series for value in series.values), *ends, 0.0])
    if most <= 0:
        return 1.0
    power = 10.0 ** floor(log10(most))
    top = next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= most * (1 - 1e-9))
    return min(top, 1.0) if chart.unit == "percent" else top


def _height(value: float, top: float) -> float:
    return (HEIGHT - TOP - BOTTOM) * value / top


def _y(value: float, top: float) -> float:
    return round(HEIGHT - BOTTOM - _height(value, top), 2)


def _scale(chart: BarChart, top: float, lang: Language) -> list[Element]:
    parts: list[Element] = []
    for step in range(5):
        value = top * step / 4
        y = _y(value, top)
        line = {"x1": LEFT, "x2": WIDTH - RIGHT, "y1": y, "y2": y, "class": "grid"}
        text = {"x": LEFT - 5, "y": y + 4, "class": "tick end"}
        parts += [["line", line, []], ["text", text, [_tick(value, chart.unit, lang)]]]
    return parts


def _tick(value: float, unit: str, lang: Language) -> str:
    number = 100 * value if unit == "percent" else value
    n_digits = 0 if number == round(number) else 1 if number * 10 == round(number * 10) else 2
    return lang.number(number, n_digits) + (" %" if unit == "percent" else "")


def _slot(n_bars: int) -> float:
    return (WIDTH - LEFT - RIGHT) / max(n_bars, 1)


def _bars(chart: BarChart, top: float) -> list[Element]:
    slot = _slot(len(chart.labels))
    gap = slot * 0.16 if slot > 6 else 0.0
    width = (slot - gap) / len(chart.series)
    parts: list[Element] = []
    for number, series in enumerate(chart.series):
        for place, value in enumerate(series.values):
            x = LEFT + place * slot + gap / 2 + number * width
            is_marked = " marked" if place in chart.marked else ""
            bar = {
                "x": round(x, 2),
                "y": _y(value, top),
                "width": round(width, 2),
                "height": round(_height(value, top), 2),
                "class": f"series-{number}{is_marked}",
            }
            parts.append(["rect", bar, []])
            if series.spans:
                parts.append(_span(x + width / 2, series.spans[place], top))
    return parts


def _span(x: float, span: tuple[float, float], top: float) -> Element:
    low, high = (_y(end, top) for end in span)
    left, right = x - 4, x + 4
    path = f"M{left:.2f} {low}H{right:.2f}M{x:.2f} {low}V{high}M{left:.2f} {high}H{right:.2f}"
    return ["path", {"d": path, "class": "span"}, []]


def _labels(chart: BarChart) -> list[Element]:
    slot = _slot(len(chart.labels))
    longest = max(map(len, chart.labels), default=1)
    every = max(1, ceil((longest * _WIDTH_OF_LETTER + 4) / slot))
    parts: list[Element] = [
        _label(label, LEFT + (place + 0.5) * slot, HEIGHT - BOTTOM + 16)
        for place, label in enumerate(chart.labels)
        if place % every == 0
    ]
    return [*parts, _label(chart.axis, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6)]


def _label(text: str, x: float, y: float) -> Element:
    return ["text", {"x": round(x, 2), "y": y, "class": "tick middle"}, [text]]


# --- file -------------------------------------------------------------------------------------

_STYLE: Final = (
    "text{font:12px sans-serif;fill:#1f2430}.end{text-anchor:end}.middle{text-anchor:middle}"
    ".grid{stroke:#d9d3c7}.span{stroke:#1f2430;stroke-width:1.5;fill:none}"
    ".series-0{fill:#1f5fa8}.series-1{fill:#c4560a}.series-2{fill:#7a4bb5}.series-3{fill:#737a88}"
    "rect{stroke:#fff;stroke-width:.5}.marked{stroke:#1f2430;stroke-width:2}"
)


def svg_text(chart: BarChart, lang: Language | None = None) -> str:
    """Return the picture of a chart as an SVG file that needs nothing else."""
    tag, attributes, children = chart_tree(chart, lang)
    size = {"xmlns": "http://www.w3.org/2000/svg", "width": WIDTH, "height": HEIGHT}
    title: Element = ["title", {}, [chart.title]]
    return _markup([tag, {**size, **attributes}, [title, ["style", {}, [_STYLE]], *children]])


def _markup(element: Element | str) -> str:
    if isinstance(element, str):
        return escape(element)
    tag, attributes, children = element
    words = "".join(f" {name}={quoteattr(str(value))}" for name, value in attributes.items())
    return f"<{tag}{words}>{''.join(map(_markup, children))}</{tag}>"
