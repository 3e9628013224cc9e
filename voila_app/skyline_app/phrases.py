"""The few sentences that the web server itself says, in English and German.

They are needed when no page process is running (while one starts, after it ended, on an
error page), so they live in the server and not in the catalogues of the game table.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_LANGUAGE = "en"

PHRASES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": MappingProxyType(
            {
                "title": "Skyline",
                "loading": "The construction yard is being opened …",
                "slow": "This takes longer than usual. You can keep waiting or load the page again.",
                "failed": "The page could not be started. Please load it again.",
                "no_script": "Skyline needs JavaScript. Please allow it for this page.",
                "reconnecting": "The connection is interrupted. Trying to reach the server again …",
                "lost": "The server cannot be reached any more. As soon as it is back, load the page again.",
                "idle": "This page has rested for a long time. Load it again to go on.",
                "died": "Something stopped this page unexpectedly. Load it again to go on.",
                "ended": "This page has lost its connection to what it showed. Load it again to go on.",
                "reload": "Load the page again",
                "home": "To the game",
                "pages": "Pages",
                "skip": "Skip to the content",
                "play": "Play",
                "learn": "Learn",
                "lab": "Laboratory",
                "language": "Language",
                "theme": "Theme",
                "theme_auto": "as the system",
                "theme_light": "light",
                "theme_dark": "dark",
                "learn_lead": "Lessons about dice, chances and decisions, with exercises that answer on the spot. Everything on the pages can be tried out.",
                "track_pupil": "Read in this order",
                "track_pupil_lead": "What you need: fractions. Each lesson ends with exercises.",
                "track_further": "Going further",
                "track_further_lead": "For those who want to know exactly: the solved game, dice of your own, studies.",
                "track_teacher": "For teachers",
                "track_teacher_lead": "Two lesson plans, worksheets with answers to print, and how to collect what was answered.",
                "first_title": "A first game",
                "first_question": "How does the game work? Play a round or two first; “?” beside each heading explains it.",
                "minutes": "about {n} minutes",
                "in_jupyter": "In JupyterLab only (skyline lab): it keeps all cores of a machine busy.",
                "code_show": "Show the code",
                "answer_show": "Show the answer",
                "code_note": "Here the code has been run for you. To change it, open this lesson in JupyterLab: skyline lab.",
                "checked": "checked by computation",
                "computing": "The examples are being computed …",
                "sheets": "Exercises for a lesson",
                "sheets_lead": "If your teacher works with sheets: choose yours, set the number that you were given, and begin.",
                "sheet_45": "Sheet for 45 minutes",
                "sheet_90": "Sheet for 90 minutes",
                "desk": "Your answers",
                "desk_lead": "They are kept on the Skyline server for this browser, and only this browser can see them. Hand them in with “Save as … .json”.",
                "desk_new": "Begin with empty sheets",
                "desk_new_help": "For the next person at this computer. Save your answers first: you cannot come back to them.",
                "previous": "Before",
                "next": "Next",
                "all_lessons": "All lessons",
                "more_pages": "Lessons",
                "error_403": "This is not open to visitors.",
                "error_404": "There is nothing at this address.",
                "error_405": "This address does not work that way.",
                "error_500": "Something went wrong on the server. It has been noted in the server's log.",
                "error_503": "Too many pages are open at the moment. Please try again in a minute.",
                "error_other": "This request could not be answered.",
            }
        ),
        "de": MappingProxyType(
            {
                "title": "Skyline",
                "loading": "Der Bauhof wird geöffnet …",
                "slow": "Das dauert länger als sonst. Warte noch etwas oder lade die Seite neu.",
                "failed": "Die Seite konnte nicht gestartet werden. Bitte lade sie neu.",
                "no_script": "Skyline braucht JavaScript. Bitte erlaube es für diese Seite.",
                "reconnecting": "Die Verbindung ist unterbrochen. Der Server wird wieder gesucht …",
                "lost": "Der Server ist nicht mehr zu erreichen. Sobald er wieder da ist, lade die Seite neu.",
                "idle": "Diese Seite hat lange geruht. Lade sie neu, um weiterzumachen.",
                "died": "Diese Seite ist unerwartet stehen geblieben. Lade sie neu, um weiterzumachen.",
                "ended": "Diese Seite hat die Verbindung zu ihrem Inhalt verloren. Lade sie neu, um weiterzumachen.",
                "reload": "Seite neu laden",
                "home": "Zum Spiel",
                "pages": "Seiten",
                "skip": "Zum Inhalt springen",
                "play": "Spielen",
                "learn": "Lernen",
                "lab": "Labor",
                "language": "Sprache",
                "theme": "Farben",
                "theme_auto": "wie das System",
                "theme_light": "hell",
                "theme_dark": "dunkel",
                "learn_lead": "Lektionen über Würfel, Chancen und Entscheidungen, mit Übungen, die sofort antworten. Alles auf den Seiten lässt sich ausprobieren.",
                "track_pupil": "In dieser Reihenfolge",
                "track_pupil_lead": "Was du brauchst: Brüche. Jede Lektion endet mit Übungen.",
                "track_further": "Für alle, die weiterwollen",
                "track_further_lead": "Wenn du es genau wissen willst: das gelöste Spiel, eigene Würfel, Studien.",
                "track_teacher": "Für Lehrkräfte",
                "track_teacher_lead": "Zwei Stundenpläne, Arbeitsblätter mit Lösungen zum Drucken, und wie man Antworten einsammelt.",
                "first_title": "Eine erste Partie",
                "first_question": "Wie geht das Spiel? Spiel zuerst ein, zwei Runden; das „?“ neben jeder Überschrift erklärt sie.",
                "minutes": "etwa {n} Minuten",
                "in_jupyter": "Nur in JupyterLab (skyline lab): Sie beschäftigt alle Kerne einer Maschine.",
                "code_show": "Code zeigen",
                "answer_show": "Lösung zeigen",
                "code_note": "Hier ist der Code schon ausgeführt. Um ihn zu ändern, öffne diese Lektion in JupyterLab: skyline lab.",
                "checked": "nachgerechnet",
                "computing": "Die Beispiele werden berechnet …",
                "sheets": "Übungen für eine Stunde",
                "sheets_lead": "Wenn ihr im Unterricht mit Blättern arbeitet: Wähle deines, stell die Nummer ein, die du bekommen hast, und fang an.",
                "sheet_45": "Blatt für 45 Minuten",
                "sheet_90": "Blatt für 90 Minuten",
                "desk": "Deine Antworten",
                "desk_lead": "Sie liegen für diesen Browser auf dem Skyline-Server, und nur dieser Browser kann sie sehen. Abgeben lassen sie sich mit „Speichern als … .json“.",
                "desk_new": "Mit leeren Blättern beginnen",
                "desk_new_help": "Für die nächste Person an diesem Rechner. Sichere vorher deine Antworten: Ein Zurück gibt es nicht.",
                "previous": "Davor",
                "next": "Weiter",
                "all_lessons": "Alle Lektionen",
                "more_pages": "Lektionen",
                "error_403": "Das ist für Besucher nicht zugänglich.",
                "error_404": "Unter dieser Adresse gibt es nichts.",
                "error_405": "So lässt sich diese Adresse nicht benutzen.",
                "error_500": "Auf dem Server ist etwas schiefgegangen. Es steht im Protokoll des Servers.",
                "error_503": "Gerade sind zu viele Seiten geöffnet. Bitte versuche es in einer Minute noch einmal.",
                "error_other": "Diese Anfrage konnte nicht beantwortet werden.",
            }
        ),
    }
)

_RANGE = re.compile(r"\s*([A-Za-z]{1,8})[A-Za-z0-9-]*\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*")


def preferred_language(accept_language: str) -> str:
    """Pick one of our languages from an ``Accept-Language`` header.

    Parameters
    ----------
    accept_language : str
        The header as sent by the browser; anything malformed in it is skipped.

    Returns
    -------
    str
        ``"en"`` or ``"de"``: the one with the highest weight, the first of equals, English
        if neither is asked for.

    References
    ----------
    RFC 9110, section 12.5.4.
    """
    best, best_weight = DEFAULT_LANGUAGE, 0.0
    for part in accept_language.split(","):
        match = _RANGE.fullmatch(part)
        if match is None or match[1].lower() not in PHRASES:
            continue
        weight = float(match[2] or 1)
        if weight > best_weight:
            best, best_weight = match[1].lower(), weight
    return best


def error_sentence(language: str, status: int) -> str:
    """Return the sentence for an HTTP status code."""
    phrases = PHRASES[language]
    return phrases.get(f"error_{status}", phrases["error_other"])
