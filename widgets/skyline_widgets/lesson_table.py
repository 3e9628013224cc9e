"""A small table to read below a cell of a lesson, in the language of the place."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

__all__ = ["TABLE_TYPE", "LessonTable"]

#: What the table is called among the forms of an output; its data are plain words.
TABLE_TYPE: Final = "application/vnd.skyline.table+json"

_RIGHT: Final = " style='text-align: right'"
_SIGNS: Final = frozenset("0123456789.,/+\u2212\u2013<>%\u202f \u2248-")


@dataclass(frozen=True, slots=True)
class LessonTable:
    """A table of words and written numbers.

    It shows itself in a notebook, on the page of a lesson and as text.

    Parameters
    ----------
    caption : str
        What the table tells, in a few words.
    head : tuple of str
        Names of the columns, shape ``(n_columns,)``.
    rows : tuple of tuple of str
        Shape ``(n_rows, n_columns)``; the first column names the row.

    Raises
    ------
    ValueError
        If a row has more or fewer cells than the head.

    Examples
    --------
    >>> LessonTable("Sides", ("side", "chance"), (("low-rise", "1/2"), ("blank", "0")))
    Sides
    side      chance
    low-rise  1/2
    blank     0
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        """Check the shape."""
        for row in self.rows:
            if len(row) != len(self.head):
                raise ValueError(f"{row!r}: expected {len(self.head)} cells, got {len(row)}")

    @property
    def numeric(self) -> tuple[bool, ...]:
        """Whether a column holds nothing but numbers, shape ``(n_columns,)``."""
        columns = zip(*self.rows, strict=True) if self.rows else ((),) * len(self.head)
        return tuple(_are_numbers(column) for column in columns)

    def __repr__(self) -> str:
        lines = [self.head, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join([self.caption, *(_text_line(line, widths) for line in lines)])

    def _repr_html_(self) -> str:
        numeric = [n for n, is_numeric in enumerate(self.numeric) if is_numeric]
        head = "".join(f"<th scope='col'>{escape(word)}</th>" for word in self.head)
        body = "".join(_html_row(row, numeric) for row in self.rows)
        return (
            f"<table><caption>{escape(self.caption)}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )

    def _repr_mimebundle_(self, **_: object) -> dict[str, object]:
        plain = {
            "caption": self.caption,
            "head": list(self.head),
            "rows": [list(row) for row in self.rows],
            "numeric": list(self.numeric),
        }
        return {
            TABLE_TYPE: plain,
            "text/html": self._repr_html_(),
            "text/plain": repr(self),
        }


def _are_numbers(texts: Iterable[str]) -> bool:
    return all(_SIGNS.issuperset(text) for text in texts)


def _text_line(line: Sequence[str], widths: Sequence[int]) -> str:
    cells = (text.ljust(width) for text, width in zip(line, widths, strict=True))
    return "  ".join(cells).rstrip()


def _html_row(row: Sequence[str], numeric: Container[int]) -> str:
    first, *others = row
    cells = "".join(
        f"<td{_RIGHT if place in numeric else ''}>{escape(text)}</td>"
        for place, text in enumerate(others, start=1)
    )
    return f"<tr><th scope='row' style='text-align: left'>{escape(first)}</th>{cells}</tr>"
