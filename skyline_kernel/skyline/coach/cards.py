"""Printable cards: a rule as plain text, as HTML and as a picture, in any language.

Each function takes `say`, which turns a `Sentence` into words; a page passes its own language.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from textwrap import wrap
from typing import Final

from .pricing import Price
from .rules import FALLBACK, Card
from .sentences import Sentence, reason

__all__ = ["Say", "card_html", "card_lines", "card_svg", "card_text"]

Say = Callable[[Sentence], str]
"""Says a sentence in some language."""

_WIDTH: Final = 46
"""Characters in a line of the picture."""


def card_lines(card: Card) -> tuple[Sentence, ...]:
    """Return the numbered lines of a card, in order."""
    return tuple(line.words for line in card.lines)


def _price_line(price: Price) -> Sentence:
    return reason(
        "Expected final score {expected}; best play gets {best}, {cost} more.",
        expected=price.expected,
        best=price.best,
        cost=price.cost,
    )


_TITLE: Final = reason("How to play Skyline")


def card_text(card: Card, price: Price | None = None, *, say: Say = str) -> str:
    """Return a card as plain text.

    Parameters
    ----------
    card : Card
    price : Price, optional
        Printed at the bottom.
    say : callable
    """
    rows = [say(_TITLE), ""]
    rows += [f"{n}. {_capital(say(line))}" for n, line in enumerate(card_lines(card), start=1)]
    rows += ["", *map(say, FALLBACK)]
    rows += ["", say(_price_line(price))] if price is not None else []
    return "\n".join(rows) + "\n"


def card_html(card: Card, price: Price | None = None, *, say: Say = str) -> str:
    """Return a card as a piece of HTML, without scripts or styles; parameters as `card_text`."""
    items = "".join(f"<li>{_html(_capital(say(line)))}</li>" for line in card_lines(card))
    notes = "".join(f"<p>{_html(say(note))}</p>" for note in FALLBACK)
    foot = "" if price is None else f"<p>{_html(say(_price_line(price)))}</p>"
    return (
        f'<section class="skyline-card"><h3>{_html(say(_TITLE))}</h3>'
        f"<ol>{items}</ol>{notes}{foot}</section>"
    )


def card_svg(card: Card, price: Price | None = None, *, say: Say = str) -> str:
    """Return a card as a picture to print; parameters as `card_text`."""
    rows = [row for line in card_text(card, price, say=say).splitlines() for row in _wrapped(line)]
    height = _LINE * (len(rows) + 2)
    body = "".join(
        f'<text x="{_LINE}" y="{_LINE * (n + 2)}"{_BOLD if n == 0 else ""}>{_html(row)}</text>'
        for n, row in enumerate(rows)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_PAPER} {height}" role="img"'
        f' font-family="sans-serif" font-size="14"><title>{_html(say(_TITLE))}</title>'
        f'<rect x="1" y="1" width="{_PAPER - 2}" height="{height - 2}" rx="8" fill="white"'
        f' stroke="black"/>{body}</svg>'
    )


_LINE: Final = 20
_PAPER: Final = 420
_BOLD: Final = ' font-weight="bold"'


def _wrapped(line: str) -> list[str]:
    return wrap(line, _WIDTH, subsequent_indent="   ") or [""]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _html(text: str) -> str:
    return escape(text, quote=True)
