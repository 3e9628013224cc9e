"""What the panels of the laboratory are made of: controls, texts, tables, charts.

Each function returns one item as plain data that ``static/lab.js`` draws.  A control has a
``name``; when it is used the page sends that name with the new value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from skyline_kernel.skyline import Column, Die

from .charts import BarChart, chart_rows, page_picture
from .language import Language
from .words import column_name, die_name

__all__ = [
    "Item",
    "buttons",
    "chart",
    "choice",
    "columns",
    "counter",
    "dice",
    "field",
    "note",
    "opener",
    "savers",
    "section",
    "slider",
    "table",
    "text",
    "toggle",
    "with_pictures",
]

Item = dict[str, Any]


def section(name: str, heading: str, items: Iterable[Item | None]) -> Item:
    """Return a panel with a heading; items that are None are left out."""
    return {"name": name, "heading": heading, "items": [item for item in items if item is not None]}


def text(words: str, *, is_strong: bool = False) -> Item:
    """Return a paragraph."""
    return {"type": "text", "text": words, "strong": is_strong}


def note(words: str, tone: str) -> Item:
    """Return a sentence that stands out and is read aloud: ``good``, ``bad`` or ``plain``."""
    return {"type": "note", "text": words, "tone": tone}


def slider(
    name: str, label: str, value: float, ends: tuple[float, float], shown: str, step: float = 1
) -> Item:
    """Return a slider; `shown` is its value in words."""
    low, high = ends
    return {
        "type": "slider",
        "name": name,
        "label": label,
        "value": value,
        "low": low,
        "high": high,
        "step": step,
        "shown": shown,
    }


def counter(name: str, label: str, value: int, ends: tuple[int, int], *, spoken: str = "") -> Item:
    """Return a number with a button for one less and one more.

    `spoken` says in full what it is, where the label is short.
    """
    low, high = ends
    return {
        "type": "counter",
        "name": name,
        "label": label,
        "spoken": spoken or label,
        "value": value,
        "low": low,
        "high": high,
    }


def choice(name: str, label: str, value: str, options: Iterable[Sequence[str]]) -> Item:
    """Return a choice of one of some options, pairs of a value and its word."""
    return {
        "type": "choice",
        "name": name,
        "label": label,
        "value": value,
        "options": [list(option) for option in options],
    }


def toggle(name: str, label: str, *, value: bool) -> Item:
    """Return a box to tick."""
    return {"type": "toggle", "name": name, "label": label, "value": value}


def field(name: str, label: str, value: str, *, wide: bool = False) -> Item:
    """Return a line of text to fill in; it is sent when it is left or Enter is pressed."""
    return {"type": "field", "name": name, "label": label, "value": value, "wide": wide}


def buttons(*words: tuple[str, Mapping[str, Any]], is_primary: bool = False) -> Item:
    """Return a row of buttons, pairs of a word and the command that it sends."""
    return {
        "type": "buttons",
        "primary": is_primary,
        "buttons": [{"word": word, "command": dict(command)} for word, command in words],
    }


def dice(name: str, label: str, shown: Iterable[Die], lang: Language) -> Item:
    """Return a row of dice that are buttons; each sends its notation."""
    return {
        "type": "dice",
        "name": name,
        "label": label,
        "dice": [{"code": str(die), "word": die_name(die, lang)} for die in shown],
    }


def columns(name: str, label: str, shown: Iterable[Column], lang: Language) -> Item:
    """Return a row of columns that are buttons; each sends its notation."""
    return {
        "type": "columns",
        "name": name,
        "label": label,
        "columns": [
            {
                "code": str(column),
                "style": column.style.value,
                "floors": column.floors,
                "finished": column.is_finished,
                "word": column_name(column, lang),
            }
            for column in shown
        ],
    }


def table(
    caption: str, head: Sequence[str], rows: Iterable[Sequence[str]], marked: Iterable[int] = ()
) -> Item:
    """Return a table; rows in `marked` stand out."""
    return {
        "type": "table",
        "caption": caption,
        "head": list(head),
        "rows": [list(row) for row in rows],
        "marked": sorted(marked),
    }


def chart(bars: BarChart, lang: Language) -> list[Item]:
    """Return a chart with its table; `with_pictures` draws it."""
    names = [series.name for series in bars.series]
    return [
        {"type": "chart", "bars": bars},
        table(bars.title, [bars.axis, *names], chart_rows(bars, lang), bars.marked),
    ]


def with_pictures(panel: Item, lang: Language, *, is_narrow: bool) -> Item:
    """Return a panel whose charts are drawn; each is an SVG in text then."""
    drawn = [
        {"type": "chart", "svg": page_picture(item["bars"], lang, is_narrow=is_narrow)}
        if item["type"] == "chart"
        else item
        for item in panel["items"]
    ]
    return {**panel, "items": drawn}


def savers(lang: Language, *names: str) -> Item:
    """Return buttons that save files of these names."""
    pairs = [
        (lang.say("Save as {file}", file=name), {"do": "file", "name": name}) for name in names
    ]
    return buttons(*pairs)


def opener(do: str, label: str, ending: str) -> Item:
    """Return a control that opens a file of text; `do` is the command that brings its text."""
    return {"type": "opener", "name": do, "label": label, "ending": ending}
