"""Saying sentences of the coach in a language, with the words of the text interface.

Dice, columns and actions are written in the notation, which is the same in all languages.
"""

from __future__ import annotations

from ...catalogue import translation
from .sentences import Sentence, plain

__all__ = ["Speaker"]


class Speaker:
    """Somebody who says sentences.

    Parameters
    ----------
    code : str
        ``de`` or ``en``.

    Raises
    ------
    SettingError
        If there is no such language.

    Examples
    --------
    >>> from skyline_kernel.skyline.coach.sentences import reason
    >>> Speaker("en")(reason("No choice is as good as {action}.", action="end"))
    'No choice is as good as end.'
    >>> Speaker("de").number(-1.5, "+.2f")
    '-1,50'
    """

    def __init__(self, code: str = "en") -> None:
        self._code = code
        self._catalogue = translation(code)

    def __call__(self, sentence: Sentence) -> str:
        """Return a sentence in words."""
        words = {name: self._word(value) for name, value in sentence.fields.items()}
        return self._catalogue.gettext(sentence.template).format(**words)

    def number(self, value: float, form: str) -> str:
        """Return a number in a format, with the decimal sign of the language."""
        text = format(value, form)
        return text.replace(".", ",") if self._code == "de" else text

    def _word(self, value: object) -> str | int:
        match value:
            case Sentence():
                return self(value)
            case float():
                return self.number(value, ".2f")
        return plain(value)
