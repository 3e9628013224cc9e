"""The one tree of errors of the kit.

Every error is a `ValueError` with one clear sentence.  The sentence is kept as a template and
its fields, so that a page can say the same in another language.
"""

from __future__ import annotations

__all__ = [
    "DiceSetError",
    "IllegalActionError",
    "KitError",
    "NotationError",
    "RecordError",
    "SettingError",
]


class KitError(ValueError):
    """Base of all errors that the kit raises for bad input.

    Parameters
    ----------
    template : str
        One English sentence with ``str.format`` fields; also the key of its translations.
    **fields : object
        What the sentence is about: words of the input, dice, columns, numbers.
    """

    def __init__(self, template: str, **fields: object) -> None:
        self.template = template
        self.fields = fields
        super().__init__(template, fields)

    def __str__(self) -> str:
        """Return the sentence in English."""
        return self.template.format(**self.fields)

    def __reduce__(self) -> tuple[object, ...]:
        """Keep template and fields when the error travels between processes."""
        return _restored, (type(self), self.template, self.fields)


def _restored(kind: type[KitError], template: str, fields: dict[str, object]) -> KitError:
    return kind(template, **fields)


class NotationError(KitError):
    """A text that is no position, action or rules word."""


class IllegalActionError(KitError):
    """An action that the rules do not allow in this position."""


class SettingError(KitError):
    """A setting that does not exist: number of players, player, option, seed."""


class DiceSetError(KitError):
    """A dice set that cannot be used."""


class RecordError(KitError):
    """A saved game that cannot be read."""
