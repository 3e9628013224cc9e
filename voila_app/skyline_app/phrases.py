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
                "failed": "The game could not be started. Please load the page again.",
                "no_script": "Skyline needs JavaScript. Please allow it for this page.",
                "reconnecting": "The connection is interrupted. Trying to reach the server again …",
                "lost": "The server cannot be reached any more. As soon as it is back, load the page again.",
                "idle": "This page has rested for a long time. Load it again to go on.",
                "died": "Something stopped this page unexpectedly. Load it again to go on.",
                "ended": "This page has lost its game. Load it again to go on.",
                "reload": "Load the page again",
                "home": "To the game",
                "error_403": "This is not open to visitors.",
                "error_404": "There is nothing at this address.",
                "error_405": "This address does not work that way.",
                "error_500": "Something went wrong on the server. It has been noted in the server's log.",
                "error_503": "Too many games are running at the moment. Please try again in a minute.",
                "error_other": "This request could not be answered.",
            }
        ),
        "de": MappingProxyType(
            {
                "title": "Skyline",
                "loading": "Der Bauhof wird geöffnet …",
                "slow": "Das dauert länger als sonst. Warte noch etwas oder lade die Seite neu.",
                "failed": "Das Spiel konnte nicht gestartet werden. Bitte lade die Seite neu.",
                "no_script": "Skyline braucht JavaScript. Bitte erlaube es für diese Seite.",
                "reconnecting": "Die Verbindung ist unterbrochen. Der Server wird wieder gesucht …",
                "lost": "Der Server ist nicht mehr zu erreichen. Sobald er wieder da ist, lade die Seite neu.",
                "idle": "Diese Seite hat lange geruht. Lade sie neu, um weiterzuspielen.",
                "died": "Diese Seite ist unerwartet stehen geblieben. Lade sie neu, um weiterzuspielen.",
                "ended": "Diese Seite hat ihr Spiel verloren. Lade sie neu, um weiterzuspielen.",
                "reload": "Seite neu laden",
                "home": "Zum Spiel",
                "error_403": "Das ist für Besucher nicht zugänglich.",
                "error_404": "Unter dieser Adresse gibt es nichts.",
                "error_405": "So lässt sich diese Adresse nicht benutzen.",
                "error_500": "Auf dem Server ist etwas schiefgegangen. Es steht im Protokoll des Servers.",
                "error_503": "Gerade laufen zu viele Spiele. Bitte versuche es in einer Minute noch einmal.",
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
