"""German and English: complete, alike in form, and numbers as each writes them."""

from __future__ import annotations

import gettext
import string
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import skyline_widgets.language as language_module
from conftest import load_script
from playing import PERSON, ROBOT, do, play_at, select, tables, whole_game
from skyline_app.phrases import preferred_language
from skyline_widgets.labels import labels
from skyline_widgets.language import (
    DEFAULT_LANGUAGE,
    LANGUAGES,
    Language,
    language_named,
)
from skyline_widgets.start import start_view
from skyline_widgets.view import game_view

from skyline_kernel.errors import KitError, RecordError, SettingError
from skyline_kernel.skyline import Rules

EN, DE = language_named("en"), language_named("de")
FOLDER = Path(language_module.__file__).parent / "locale"


def catalogue() -> dict[Any, str]:
    """Return the German sentences by the English ones; plural forms by (sentence, number)."""
    translation = gettext.translation("skyline", FOLDER, ["de"])
    entries: dict[Any, str] = vars(translation)["_catalog"]
    return {key: text for key, text in entries.items() if key != ""}


def fields(template: str) -> set[tuple[str, str, str | None]]:
    """Return the fields of a template with how they are written."""
    return {
        (name, form or "", conversion)
        for _, name, form, conversion in string.Formatter().parse(template)
        if name is not None
    }


def test_german_is_complete() -> None:
    pytest.importorskip("babel", reason="Babel collects the sentences of the code")
    assert load_script("tools/catalogues.py").main(["--check"]) == 0


def test_both_languages_fill_in_the_same_fields() -> None:
    sentences = catalogue()
    assert len(sentences) > 100
    for key, german in sentences.items():
        english, _ = key if isinstance(key, tuple) else (key, None)
        english = english.rpartition("\x04")[2]
        assert fields(german) == fields(english), english


def test_no_translation_has_loose_ends() -> None:
    for key, german in catalogue().items():
        assert german.strip() == german != "", key
        assert "ß" not in german.upper()
        assert "\n" not in german


# --- no English in German ---------------------------------------------------------------------

#: Keys of the view whose values are codes, numbers and names, the same in any language.
CODES = {"kind", "kinds", "die", "dice", "code", "style", "do", "last_action", "fraction", "player"}
SAME = {
    # Words that are the same in both languages.
    "Skyline",
    "Skylines",
    "Computer",
    "Deutsch",
    "English",
    "Name",
    "normal",
    "H",
    "M",
    # The names of the players in these tables.
    "Ada",
    "Bob",
    "Robo",
    "Person 1",
    "Person 2",
    # A prompt without any word.
    "1.",
    "2.",
    "",
}


def pairs(english: Any, german: Any, path: str = "") -> Iterator[tuple[str, str, str]]:
    """Walk through the same thing in two languages and return its texts side by side."""
    assert type(english) is type(german), path
    if isinstance(english, dict):
        assert english.keys() == german.keys(), path
        for key in english:
            yield from pairs(english[key], german[key], f"{path}.{key}")
    elif isinstance(english, list):
        assert len(english) == len(german), path
        for i, (one, other) in enumerate(zip(english, german, strict=True)):
            yield from pairs(one, other, f"{path}[{i}]")
    elif isinstance(english, str):
        yield path, english, german


def is_code(path: str) -> bool:
    """Tell whether a place of the view holds a code and no words."""
    key = path.rpartition(".")[2]
    bare = key.partition("[")[0]
    is_value_of_choice = key.endswith("[0]") and bare != "head"
    return bare in CODES or is_value_of_choice


def english_in(english: Any, german: Any) -> set[str]:
    """Return the texts of the German side that are English."""
    return {
        f"{path}: {text}"
        for path, text, other in pairs(english, german)
        if text == other and not is_code(path) and text not in SAME
    }


def test_no_english_on_the_german_table() -> None:
    plays = [*tables().values(), *whole_game(Rules(), seed=2)[::5]]
    for play in plays:
        german = game_view(play, DE)
        assert english_in(game_view(play, EN), german) == set()
        assert not any(" in Phase " in text for _, text, _ in pairs(german, german))


def test_no_english_on_the_german_start_page() -> None:
    assert english_in(start_view(EN), start_view(DE)) == set()
    assert english_in(labels(EN), labels(DE)) == set()


def test_the_comparison_finds_english() -> None:
    assert english_in({"why": "Roll first."}, {"why": "Roll first."}) == {".why: Roll first."}


# --- numbers ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chance", "english", "german"),
    [
        (Fraction(0), "0.0%", "0,0"),
        (Fraction(1), "100.0%", "100,0"),
        (Fraction(1, 2), "50.0%", "50,0"),
        (Fraction(25, 36), "69.4%", "69,4"),
        (Fraction(1, 10_000), "<0.1%", "<0,1"),
        (Fraction(1, 2001), "<0.1%", "<0,1"),
        (Fraction(1, 1999), "0.1%", "0,1"),
        (Fraction(9999, 10_000), ">99.9%", ">99,9"),
        (Fraction(1999, 2000) + Fraction(1, 10**9), ">99.9%", ">99,9"),
        (Fraction(1998, 2000), "99.9%", "99,9"),
    ],
)
def test_per_cent(chance: Fraction, english: str, german: str) -> None:
    assert EN.percent(chance) == english
    assert DE.percent(chance) == f"{german}\u202f%"


def test_per_cent_is_never_0_or_100_by_rounding() -> None:
    for chance in (Fraction(i, 4000) for i in range(1, 4000)):
        written = EN.percent(chance)
        assert written not in ("0.0%", "100.0%")
        number = Fraction(written.strip("<>%")) / 100
        assert abs(number - chance) <= Fraction(1, 2000) or written[0] in "<>"


def test_plural_forms() -> None:
    words = ("{n} point", "{n} points")
    assert [EN.count(*words, n) for n in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert [DE.count(*words, n) for n in (0, 1, 2)] == ["0 Punkte", "1 Punkt", "2 Punkte"]


def test_style_letters_differ_from_each_other() -> None:
    for lang in (EN, DE):
        letters = labels(lang)["letters"]
        assert isinstance(letters, dict)
        assert len(set(letters.values())) == 3


# --- errors and choice of language ------------------------------------------------------------


def test_error_within_an_error_is_translated() -> None:
    inner = SettingError("{value!r}: there is no such edition", value="x")
    error = RecordError("record: {reason}", reason=inner)
    assert EN.error(error) == "record: 'x': there is no such edition"
    assert DE.error(error) == "Spielstand: 'x': diese Ausgabe gibt es nicht"


def test_braces_of_a_person_are_harmless() -> None:
    """Names are filled into sentences, never read as templates."""
    name = "{0} {seat} {"
    error: KitError = SettingError("player {name!r}: expected one of {known}", name=name, known="")
    assert name in EN.error(error)
    assert name in DE.error(error)


def test_unknown_language_is_english() -> None:
    assert language_named("xx").code == DEFAULT_LANGUAGE
    assert Language("en").say("Roll the dice first.") == "Roll the dice first."


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("en-GB,en;q=0.9,de;q=0.8", "en"),
        ("en;q=0.3,de;q=0.7", "de"),
        ("fr-CH, fr;q=0.9, de;q=0.7, en;q=0.8", "en"),
        ("fr,it", "en"),
        ("DE-ch", "de"),
        ("fr, de", "de"),
        ("*", "en"),
        ("*;q=0.1,de;q=0.2", "de"),
        ("en; q=0.2, de; q=0.8", "de"),
        ("de;q=0", "en"),
        ("de;q=0,en;q=0.1", "en"),
        ("de;q=nonsense", "en"),
        ("de;q=nan,en", "en"),
        ("de;q=inf,en", "en"),
        ("de;q=-1,en;q=0.1", "en"),
        (";;,,;q=,=", "en"),
        ("d" * 10_000 + ",de", "de"),
    ],
)
def test_language_that_the_browser_asks_for(header: str, code: str) -> None:
    assert preferred_language(header) == code


def test_every_language_has_a_name_of_its_own() -> None:
    assert dict(LANGUAGES) == {"de": "Deutsch", "en": "English"}


def test_view_of_a_computer_turn_is_german() -> None:
    play = play_at("h1/m1 G1U1P1 - take 1.2 online", seats=[PERSON, ROBOT])
    assert game_view(play, DE)["status"]["prompt"] == "Robo spielt."
    ended = do(select(play_at("h1/m1 G1U1P1 Gl,P- use 1.1 online"), 0, 1), "abandon")
    assert "Zug" in game_view(ended, DE)["status"]["prompt"]
