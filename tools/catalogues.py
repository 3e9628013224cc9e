"""Keep the German catalogue in step with the sentences in the code.

``python tools/catalogues.py`` collects the sentences, adds new ones to the catalogue without a
translation, drops those that are gone, and writes the compiled file.  With ``--check`` it
changes nothing and exits with 1 if a translation is missing or a file is not up to date.
"""

from __future__ import annotations

import io
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

_NO_DATE: Final = datetime(2000, 1, 1, tzinfo=UTC)
ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "widgets" / "skyline_widgets" / "locale" / "de" / "LC_MESSAGES"
KERNEL_FOLDER: Final = ROOT / "skyline_kernel" / "locale" / "de" / "LC_MESSAGES"
SOURCES: Final = ("skyline_kernel", "widgets/skyline_widgets", "voila_app/skyline_app")
# The server has sentences of its own in both languages, and other things that it says.
METHODS: Final = [("pages.py", "ignore"), ("**.py", "python")]
KEYWORDS: Final = {
    "say": None,
    "count": (1, 2),
    "letter": (1, (2, "c")),
    "IllegalActionError": None,
    "SettingError": None,
    "DiceSetError": None,
    "RecordError": None,
    "StoreError": None,
    "reason": None,
}
# Lines of the header that would differ from day to day, or say nothing.
DATES_AND_NAMES: Final = tuple(
    f'"{field}'.encode()
    for field in (
        "POT-Creation-Date",
        "PO-Revision-Date",
        "Generated-By",
        "Report-Msgid-Bugs-To",
        "Last-Translator",
        "Language-Team",
        "Project-Id-Version",
    )
)


def collected() -> Catalog:
    """Return all sentences of the code, with the files that they stand in."""
    found = Catalog(locale="de", project="skyline-kit", header_comment="# German sentences.")
    for source in SOURCES:
        for name, _line, message, comments, context in extract_from_dir(
            ROOT / source, method_map=METHODS, keywords=KEYWORDS
        ):
            found.add(message, None, [(f"{source}/{name}", 0)], (), comments, context=context)
    return found


def merged(template: Catalog) -> Catalog:
    """Return the German catalogue with just the sentences of the template."""
    path = FOLDER / "skyline.po"
    known = Catalog(locale="de")
    if path.exists():
        with path.open("rb") as file:
            known = read_po(file, locale="de")
    result = Catalog(locale="de", project="skyline-kit", header_comment="# German sentences.")
    for message in template:
        if message.id:
            old = known.get(message.id, message.context)
            files = sorted({(name, 0) for name, _ in message.locations})
            text = old.string if old is not None else ""
            result.add(message.id, text, files, context=message.context)
    return result


def kernel_part(catalogue: Catalog) -> Catalog:
    """Return the sentences of the coach, which the command line says without any widgets."""
    part = Catalog(locale="de", project="skyline-kit", header_comment="# German sentences.")
    for message in catalogue:
        names = [name for name, _ in message.locations]
        if message.id and any(name.startswith("skyline_kernel/skyline/coach/") for name in names):
            part.add(message.id, message.string, context=message.context)
    return part


def written(catalogue: Catalog) -> tuple[bytes, bytes]:
    """Return the catalogue as text and compiled, the same bytes for the same sentences."""
    text, compiled = io.BytesIO(), io.BytesIO()
    write_po(text, catalogue, sort_output=True, include_lineno=False, omit_header=False, width=98)
    lines = [
        line
        for line in text.getvalue().split(b"\n")
        if not line.startswith(DATES_AND_NAMES) and line != b"#, fuzzy"
    ]
    text_bytes = b"\n".join(lines)
    parsed = read_po(io.BytesIO(text_bytes), locale="de")
    parsed.creation_date = parsed.revision_date = _NO_DATE  # Otherwise it is that of now.
    write_mo(compiled, parsed)
    return text_bytes, compiled.getvalue()


def missing(catalogue: Catalog) -> list[str]:
    """Return the sentences without a German form."""

    def is_empty(text: object) -> bool:
        return not (all(text) if isinstance(text, tuple) else text)

    return [str(message.id) for message in catalogue if message.id and is_empty(message.string)]


def main(arguments: list[str]) -> int:
    """Write the catalogue, or check it."""
    catalogue = merged(collected())
    text, compiled = written(catalogue)
    files = {
        FOLDER / "skyline.po": text,
        FOLDER / "skyline.mo": compiled,
        KERNEL_FOLDER / "kernel.mo": written(kernel_part(catalogue))[1],
    }
    gaps = missing(catalogue)
    for sentence in gaps:
        print(f"not translated: {sentence}")
    if "--check" not in arguments:
        for path, content in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return 0
    stale = [path for path, content in files.items() if path.read_bytes() != content]
    for path in stale:
        print(f"not up to date: {path.relative_to(ROOT)}")
    return 1 if gaps or stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
