"""The one tree of errors of the kit.

Every error is a `ValueError` with one clear sentence.  The sentence is kept as a template and
its fields, so that a page can say the same in another language.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "DiceSetError",
    "IllegalActionError",
    "KitError",
    "NotationError",
    "RecordError",
    "SettingError",
    "one_line",
]


class KitError(ValueError):
    """Base of all errors that the kit raises for bad input.

    Parameters
    ----------
    template : str
        One English sentence with ``str.format`` fields; also the key of its translations.
    **fields : object
        What the sentence is about: words of the input, dice, columns, numbers.  What would not
        fit into one printable line is replaced by text that does.
    """

    def __init__(self, template: str, **fields: object) -> None:
        self.template = template
        self.fields = {name: _plain(value) for name, value in fields.items()}
        super().__init__(template, self.fields)

    def __str__(self) -> str:
        """Return the sentence in English."""
        return self.template.format(**self.fields)

    def __reduce__(self) -> tuple[object, ...]:
        """Keep template and fields when the error travels between processes."""
        return _restored, (type(self), self.template, self.fields)


_MAX_LINE: Final = 300


def one_line(text: str) -> str:
    """Return `text`, or what of it fits into one printable line of at most 300 characters."""
    shown = "".join(c if c.isprintable() else "\ufffd" for c in text[: _MAX_LINE + 1])
    return shown if len(shown) <= _MAX_LINE else shown[: _MAX_LINE - 3] + "..."


def _plain(value: object) -> object:
    # The input of a stranger may be endless, nested without end, or break a line in two.
    if isinstance(value, KitError):
        return value
    try:
        text = str(value)
    except (RecursionError, ValueError):
        return f"{type(value).__name__} too large to show"
    shown = one_line(text)
    return value if shown == text else shown


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
