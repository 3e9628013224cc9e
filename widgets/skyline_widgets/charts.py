"""Bar charts as plain data: a picture for the page, for a file and for paper, and a table.

A `BarChart` is numbers and words.  Matplotlib draws it (`chart_drawing`), the same way for a page,
a notebook, a file and paper; `chart_rows` gives the table that stands beside every chart.
Matplotlib is imported when the first chart is drawn: who only plays never has it in memory.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from skyline_kernel.errors import SettingError

from .language import DEFAULT_LANGUAGE, Language, language_named

__all__ = [
    "KINDS_OF_FILE",
    "MOST_SERIES",
    "BarChart",
    "Series",
    "chart_csv",
    "chart_picture",
    "chart_rows",
    "page_picture",
    "svg_text",
    "written_ticks",
]

MOST_SERIES: Final = 4
"""Most series of a chart."""

KINDS_OF_FILE: Final = ("svg", "png", "pdf")
"""What `chart_picture` makes."""

_MOST_DIGITS: Final = 10
_NARROW_SPACE: Final = "\u202f"
# A page has its own colours for those of the drawing, and they follow its theme.
_COLOURS_OF_PAGE: Final = {
    "INK": "var(--text)",
    "SOFT": "var(--soft)",
    "LINE": "var(--line)",
    "PANEL": "var(--panel)",
}
_SERIES_OF_PAGE: Final = ("var(--accent)", "var(--high)", "var(--low)", "var(--blank)")


@dataclass(frozen=True, slots=True)
class Series:
    """One row of bars.

    Parameters
    ----------
    name : str
    values : tuple of float
        Shape ``(n_bars,)``; bars of numbers below 0 hang down.
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
        from .lab_base import language_here

        return svg_text(self, language_named(language_here()))


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
    return _written(series.values[place], unit, 1 if unit == "percent" else 2, lang)


def _written(value: float, unit: str, n_digits: int, lang: Language) -> str:
    if unit != "percent":
        return lang.number(value, n_digits)
    space = _NARROW_SPACE if lang.code == "de" else ""
    return f"{lang.number(100 * value, n_digits)}{space}%"


def written_ticks(ticks: Sequence[float], unit: str, lang: Language) -> list[str]:
    """Write the numbers of an axis, all with as many decimals as one of them needs.

    Examples
    --------
    >>> written_ticks([0, 0.25, 0.5], "percent", language_named("en"))
    ['0%', '25%', '50%']
    >>> written_ticks([0, 2.5, 5], "number", language_named("de"))
    ['0,0', '2,5', '5,0']
    """
    numbers = [100 * tick if unit == "percent" else tick for tick in ticks]
    n_digits = next((n for n in range(_MOST_DIGITS) if _are_exact(numbers, n)), _MOST_DIGITS)
    return [_written(tick, unit, n_digits, lang) for tick in ticks]


def _are_exact(numbers: Sequence[float], n_digits: int) -> bool:
    close = 1e-6 * max(map(abs, numbers))
    return all(abs(round(number, n_digits) - number) <= close for number in numbers)


def chart_csv(chart: BarChart) -> str:
    """Return the numbers of a chart as comma-separated values, floats in full."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow([chart.axis, *(series.name for series in chart.series)])
    for place, label in enumerate(chart.labels):
        writer.writerow([label, *(repr(float(series.values[place])) for series in chart.series)])
    return table.getvalue()


# --- picture ----------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def page_picture(chart: BarChart, lang: Language, *, is_narrow: bool = False) -> str:
    """Return a chart as an SVG element for a page; equal charts are drawn once.

    Its colours are variables of the style sheet around it, so they follow the theme.

    Parameters
    ----------
    chart : BarChart
    lang : Language
        Writes the numbers of the axis.
    is_narrow : bool
        Whether it is for a place of some 330 pixels, where the wide picture would be too small
        to be read.
    """
    from . import chart_drawing as drawing
    from .chart_svg import element_of

    colours = {getattr(drawing, name): colour for name, colour in _COLOURS_OF_PAGE.items()}
    colours |= dict(zip(drawing.SERIES, _SERIES_OF_PAGE, strict=True))
    sheet = drawing.NARROW if is_narrow else drawing.PAGE
    drawn = drawing.picture(chart, lang, sheet, "svg")
    return element_of(drawn, chart.title, colours=colours)


def svg_text(chart: BarChart, lang: Language | None = None) -> str:
    """Return the picture of a chart as an SVG file that needs nothing else.

    Parameters
    ----------
    chart : BarChart
    lang : Language, optional
        Writes the numbers of the axis; English if left out.
    """
    from .chart_drawing import PAPER, picture
    from .chart_svg import element_of

    drawn = picture(chart, lang or language_named(DEFAULT_LANGUAGE), PAPER, "svg")
    return element_of(drawn, chart.title)


def chart_picture(
    chart: BarChart, kind: str, lang: Language | None = None, *, dpi: float = 200
) -> bytes:
    r"""Return the picture of a chart as a file for a text or a slide.

    Parameters
    ----------
    chart : BarChart
    kind : str
        One of `KINDS_OF_FILE`.
    lang : Language, optional
        Writes the numbers of the axis; English if left out.
    dpi : float
        Dots per inch of a ``png``.

    Raises
    ------
    SettingError
        If there is no such kind of file.

    Examples
    --------
    >>> chart = BarChart("A die", "face", ("low", "mid"), (Series("chance", (0.75, 0.25)),))
    >>> chart_picture(chart, "png")[:4]
    b'\x89PNG'
    """
    if kind not in KINDS_OF_FILE:
        known = ", ".join(KINDS_OF_FILE)
        raise SettingError("{value!r}: expected one of {known}", value=kind, known=known)
    if kind == "svg":
        return svg_text(chart, lang).encode()
    from .chart_drawing import PAPER, picture

    return picture(chart, lang or language_named(DEFAULT_LANGUAGE), PAPER, kind, dpi)
