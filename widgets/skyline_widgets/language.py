"""The languages of the page: catalogues, numbers, and errors said in them."""

from __future__ import annotations

import gettext
import time
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from skyline_kernel.errors import KitError

__all__ = [
    "DEFAULT_LANGUAGE",
    "LANGUAGES",
    "Language",
    "language_named",
]

LANGUAGES: Final[Mapping[str, str]] = MappingProxyType({"de": "Deutsch", "en": "English"})
"""Code and own name of each language."""

DEFAULT_LANGUAGE: Final = "en"

_DOMAIN: Final = "skyline"
_FOLDER: Final = Path(__file__).parent / "locale"
_NARROW_SPACE: Final = "\u202f"


class Language:
    """One language: translates sentences and writes numbers.

    Parameters
    ----------
    code : str
        One of `LANGUAGES`.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        self._catalogue = gettext.translation(_DOMAIN, _FOLDER, [code], fallback=True)

    def say(self, message: str, **fields: object) -> str:
        """Return `message` in this language, its fields filled in.

        Parameters
        ----------
        message : str
            The English sentence, a ``str.format`` template.
        """
        return self._catalogue.gettext(message).format(**fields)

    def letter(self, letter: str, name: str) -> str:
        """Return the capital letter that stands for a style; `name` says which."""
        return self._catalogue.pgettext(name, letter)

    def count(self, one: str, many: str, n: int) -> str:
        """Return the form of the message that goes with the number `n`."""
        return self._catalogue.ngettext(one, many, n).format(n=self.whole(n))

    def whole(self, n: int) -> str:
        """Write a whole number; from five digits on they stand in groups of three."""
        return f"{n:,}".replace(",", _NARROW_SPACE) if abs(n) >= 10_000 else str(n)

    def error(self, error: KitError) -> str:
        """Say an error of the kernel in this language."""
        fields = {
            key: self.error(value) if isinstance(value, KitError) else value
            for key, value in error.fields.items()
        }
        return self.say(error.template, **fields)

    def date(self, seconds: float) -> str:
        """Write a day and time of the local clock, `seconds` since 1970."""
        form = "%d.%m.%Y, %H:%M" if self.code == "de" else "%d/%m/%Y, %H:%M"
        return time.strftime(form, time.localtime(seconds))

    def number(self, value: float, n_digits: int = 2) -> str:
        """Write a number with so many decimals; a zero never has a sign."""
        text = f"{value:.{n_digits}f}"
        if not text.strip("-0."):
            text = text.removeprefix("-")
        text = text.replace("-", "\u2212")
        return text.replace(".", ",") if self.code == "de" else text

    def signed(self, value: float) -> str:
        """Write a number with its sign; zero has none."""
        text = self.number(value)
        return f"+{text}" if value > 0 and text.strip("0,.") else text

    def loss(self, loss: float) -> str:
        """Write what an action loses against the best: a dash for the best itself.

        A loss too small for two decimals is written with more of them.
        """
        if loss == 0:
            return "\u2013"
        n_digits = 2 if loss >= 0.005 else 4 if loss >= 0.00005 else 10
        return self.number(-loss, n_digits)

    def percent(self, chance: Fraction) -> str:
        """Write a probability in per cent with one decimal.

        Only 0 and 1 are written as 0 and 100: what rounds there is written with a sign.
        """
        tenths = round(chance * 1000)
        sign = ""
        if tenths == 0 and chance > 0:
            sign, tenths = "<", 1
        elif tenths == 1000 and chance < 1:
            sign, tenths = ">", 999
        number = f"{tenths // 10}.{tenths % 10}"
        if self.code == "de":
            return f"{sign}{number.replace('.', ',')}{_NARROW_SPACE}%"
        return f"{sign}{number}%"


@cache
def language_named(code: str) -> Language:
    """Return the language called `code`, English if there is none."""
    return Language(code if code in LANGUAGES else DEFAULT_LANGUAGE)
