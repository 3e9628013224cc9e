"""The kernel's own sentences in other languages, for the command line.

Code holds the English sentences; ``locale`` holds the translations of those that stand in this
package, compiled by ``tools/catalogues.py`` from the one catalogue of the kit.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from .errors import SettingError

__all__ = ["LANGUAGES", "language_of", "translation", "verified_language"]

LANGUAGES: Final = ("de", "en")
_DOMAIN: Final = "kernel"
_FOLDER: Final = Path(__file__).parent / "locale"
_WISHES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")


def language_of(environment: Mapping[str, str] = os.environ) -> str:
    """Return the language that the environment asks for: ``de`` or, for any other, ``en``.

    Examples
    --------
    >>> language_of({"LANG": "de_AT.UTF-8"}), language_of({"LANG": "fr_FR.UTF-8"})
    ('de', 'en')
    """
    wish = next((environment[name] for name in _WISHES if environment.get(name)), "")
    return "de" if wish.partition("_")[0].partition(".")[0] == "de" else "en"


def verified_language(code: str) -> str:
    """Return a language that there is.

    Raises
    ------
    SettingError
        If there is none of this name.
    """
    if code not in LANGUAGES:
        raise SettingError(
            "language {name!r}: expected {known}", name=code, known=", ".join(LANGUAGES)
        )
    return code


@cache
def translation(code: str) -> gettext.NullTranslations:
    """Return the catalogue of a language, that of English says what it is asked."""
    return gettext.translation(_DOMAIN, _FOLDER, [verified_language(code)], fallback=True)
