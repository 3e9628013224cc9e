"""Printable worksheets: one page for each pupil, with answers for the teacher."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Final

from skyline_kernel.errors import SettingError

from . import lab_items as items
from .exercise import MOST_SHEETS, answer_words, known_sheets, sheet_words
from .exercise_template import STANDARD
from .exercises import SHEETS, Exercise, exercises_of
from .lab_base import File, LabWidget, number_in, word_in
from .lab_items import Item
from .language import Language
from .words import sides_rows

__all__ = ["Printing", "WorksheetPrinter", "answers_html", "worksheets_html"]

MOST_PUPILS: Final = 60

_STYLE: Final = """
body { font: 12pt/1.45 system-ui, "DejaVu Sans", sans-serif; color: #000; background: #fff; margin: 2cm; }
section { break-after: page; }
section:last-child { break-after: auto; }
h1 { font-size: 16pt; margin: 0 0 4mm; }
.name { display: flex; justify-content: space-between; gap: 1cm; margin-bottom: 6mm; }
ol > li { margin-bottom: 4mm; break-inside: avoid; }
.sides { list-style: none; margin: 0 0 6mm; padding: 0; font-size: 10.5pt; }
.room { border-bottom: 1px solid #888; height: 11mm; }
table { border-collapse: collapse; width: 100%; }
td:nth-child(2) { white-space: nowrap; }
th, td { border: 1px solid #888; padding: 2mm; text-align: left; vertical-align: top; }
@page { size: A4; margin: 1.6cm; }
@media print { body { margin: 0; } }
"""

#: Pupils need a page each; the teacher's answers stand as many to a page as fit.
_CLOSE_STYLE: Final = "section { break-after: auto; break-inside: avoid; margin-bottom: 9mm; }\n"


def worksheets_html(sheet: str, seeds: Iterable[int], lang: Language) -> str:
    """Return a page to print for each seed, with room for the answers.

    Parameters
    ----------
    sheet : str
        One of `exercises.SHEETS`.
    seeds : iterable of int
        One for each pupil.
    lang : Language

    Returns
    -------
    str
        One HTML file that needs nothing else.

    Raises
    ------
    SettingError
        If there is no such sheet or a seed is none.
    """
    pages = [_page(sheet, seed, exercises_of(sheet, seed), lang) for seed in seeds]
    return _document(sheet_words(sheet, lang), pages, lang)


def _page(sheet: str, seed: int, exercises: Iterable[Exercise], lang: Language) -> str:
    sides = "".join(f"<li>{escape(line)}</li>" for line in _side_lines(sheet, lang))
    questions = "".join(
        f"<li>{escape(_printed(one, lang))}<div class='room'></div></li>" for one in exercises
    )
    number = escape(lang.say("Sheet {n}", n=seed))
    name = escape(lang.say("Name"))
    title = escape(sheet_words(sheet, lang))
    return (
        f"<section><h1>{title}</h1><div class='name'><span>{name}: "
        f"______________________________</span><span>{number}</span></div>"
        f"<ul class='sides'>{sides}</ul><ol>{questions}</ol></section>"
    )


def _side_lines(sheet: str, lang: Language) -> list[str]:
    """Say what the sides of the dice show, where a sheet asks for chances."""
    if sheet == "rules":
        return []
    (_, *faces), rows = sides_rows(STANDARD, lang)
    return [
        f"{name[:1].upper()}{name[1:]}: "
        + ", ".join(f"{n} × {face}" for n, face in zip(numbers, faces, strict=True) if n != "0")
        for name, *numbers in rows
    ]


def _printed(exercise: Exercise, lang: Language) -> str:
    options = " / ".join(word for _, word in exercise.options(lang))
    return f"{exercise.question(lang)} ({options})" if options else exercise.question(lang)


def answers_html(sheet: str, seeds: Iterable[int], lang: Language) -> str:
    """Return the answers to the same sheets, with the way to each of them.

    Parameters
    ----------
    sheet : str
    seeds : iterable of int
    lang : Language

    Raises
    ------
    SettingError
        If there is no such sheet or a seed is none.
    """
    head = "".join(
        f"<th>{escape(word)}</th>"
        for word in ("", lang.say("Answer"), lang.say("How to get there"))
    )
    pages = []
    for seed in seeds:
        rows = "".join(
            f"<tr><td>{number}</td><td>{escape(answer_words(one, lang))}</td>"
            f"<td>{escape(one.explanation(lang))}</td></tr>"
            for number, one in enumerate(exercises_of(sheet, seed), start=1)
        )
        title = escape(lang.say("Answers to sheet {n}", n=seed))
        pages.append(f"<section><h1>{title}</h1><table><tr>{head}</tr>{rows}</table></section>")
    return _document(sheet_words(sheet, lang), pages, lang, _STYLE + _CLOSE_STYLE)


def _document(title: str, pages: list[str], lang: Language, style: str = _STYLE) -> str:
    return (
        f'<!DOCTYPE html>\n<html lang="{lang.code}"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title><style>{style}</style></head>"
        f"<body>{''.join(pages)}</body></html>\n"
    )


@dataclass(frozen=True, slots=True)
class Printing:
    """Which sheets are printed.

    Parameters
    ----------
    sheet : str
    first : int
        Seed of the first pupil; the others follow.
    n_pupils : int
    """

    sheet: str = "lesson-45"
    first: int = 1
    n_pupils: int = 28

    @property
    def seeds(self) -> range:
        """The seeds, one for each pupil."""
        return range(self.first, self.first + self.n_pupils)


class WorksheetPrinter(LabWidget[Printing]):
    """Make worksheets for a class: as many as there are pupils, and the answers.

    Parameters
    ----------
    printing : Printing, optional
    language : str, optional
        ``de`` or ``en``; that of the place if left out.
    theme : str
        ``auto``, ``light`` or ``dark``.
    """

    def __init__(
        self,
        printing: Printing | None = None,
        *,
        language: str | None = None,
        theme: str = "auto",
    ) -> None:
        super().__init__(printing or Printing(), language=language, theme=theme)

    @property
    def printing(self) -> Printing:
        """Which sheets are printed now."""
        return self._state

    def _title(self, lang: Language) -> str:
        return lang.say("Worksheets to print")

    def _next(self, state: Printing, command: Mapping[str, Any]) -> Printing:
        if command.get("do") == "set":
            match command.get("name"):
                case "sheet":
                    return replace(state, sheet=word_in(command, SHEETS))
                case "first":
                    return replace(state, first=number_in(command, 1, MOST_SHEETS))
                case "n_pupils":
                    return replace(state, n_pupils=number_in(command, 1, MOST_PUPILS))
        raise SettingError("{name!r}: there is no such command", name=command.get("do"))

    def _sections(self, state: Printing, lang: Language) -> list[Item]:
        first = exercises_of(state.sheet, state.first)
        rows = [
            [str(number), _printed(one, lang), answer_words(one, lang)]
            for number, one in enumerate(first, start=1)
        ]
        caption = lang.say("Sheet {n}", n=state.first)
        shown = lang.count("{n} pupil", "{n} pupils", state.n_pupils)
        hint = lang.say("Open a file in the browser and print it: every pupil has a page.")
        return [
            items.section(
                "printing",
                lang.say("What is printed"),
                [
                    items.choice("sheet", lang.say("Sheet"), state.sheet, known_sheets(lang)),
                    items.counter("first", lang.say("First number"), state.first, (1, MOST_SHEETS)),
                    items.slider(
                        "n_pupils", lang.say("Pupils"), state.n_pupils, (1, MOST_PUPILS), shown
                    ),
                    items.savers(lang, "worksheets.html", "answers.html"),
                    items.text(hint),
                ],
            ),
            items.section(
                "preview",
                lang.say("The first sheet"),
                [items.table(caption, ["", lang.say("Question"), lang.say("Answer")], rows)],
            ),
        ]

    def _file(self, state: Printing, name: str, lang: Language) -> File:
        match name:
            case "worksheets.html":
                return File("text/html", worksheets_html(state.sheet, state.seeds, lang))
            case "answers.html":
                return File("text/html", answers_html(state.sheet, state.seeds, lang))
        return super()._file(state, name, lang)
