"""The page Laboratory: the widgets of the laboratory as sections of one page.

The sections share a bench: the position that is set in the position editor, and dice of one's
own. All that is set stands in the address, so loading the page again or sending the address to
somebody else leads to the same place.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import anywidget
import ipywidgets
import traitlets
from skyline_widgets.language import LANGUAGES, Language, language_named

from skyline_kernel.errors import KitError, SettingError
from skyline_kernel.skyline import format_position
from skyline_kernel.skyline.dice_sets import SHIPPED

from .lab_address import format_address, format_dice, parse_address
from .lab_sections import SECTIONS, Bench, Section, Widget, bench_of

__all__ = ["Laboratory", "build_lab"]

_LOG: Final = logging.getLogger("skyline_app")
_MODULE: Final = Path(__file__).parent / "static" / "lab_page.js"


class Laboratory(anywidget.AnyWidget):
    """The laboratory as a page of tabs.

    Parameters
    ----------
    query : str
        Of the page's address, without its question mark. What will not do in it is named in
        `notice`, and the rest counts.
    language : str
        ``de`` or ``en``.

    Attributes
    ----------
    tabs : list
        Pairs of the name of a section and its heading (synced, read-only).
    tab : str
        The section that is open (synced, read-only for the page).
    shown : dict
        The widgets that are there, by the names of their sections (synced, read-only).
    labels : dict
        Fixed words (synced, read-only).
    lead : dict
        ``text`` over the open section and the word of the ``button`` that leads to the position
        editor, or nothing (synced, read-only).
    notice : str
        One sentence about what could not be done, or empty (synced, read-only).
    address : str
        Query that leads back here (synced, read-only); empty until something is set.
    request : dict
        ``tab``, the section that the page asks for (synced).
    """

    _esm = _MODULE

    tabs: traitlets.List[list[str]] = traitlets.List(read_only=True).tag(sync=True)
    tab = traitlets.Unicode(read_only=True).tag(sync=True)
    shown: traitlets.Dict[str, Any] = traitlets.Dict(read_only=True).tag(
        sync=True, **ipywidgets.widget_serialization
    )
    labels: traitlets.Dict[str, Any] = traitlets.Dict(read_only=True).tag(sync=True)
    lead: traitlets.Dict[str, Any] = traitlets.Dict(read_only=True).tag(sync=True)
    notice = traitlets.Unicode(read_only=True).tag(sync=True)
    address = traitlets.Unicode(read_only=True).tag(sync=True)
    request: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)

    def __init__(self, query: str = "", *, language: str = "en") -> None:
        self._lang: Language = language_named(language)
        self._words = parse_address(query)
        self._built_from: dict[str, object] = {}
        self._problem: KitError | None = None
        self._bench = self._first_bench()
        super().__init__()
        self.set_trait("tabs", [[one.name, one.title(self._lang)] for one in SECTIONS])
        self.set_trait(
            "labels",
            {
                "title": self._lang.say("Laboratory"),
                "editor": "position",
            },
        )
        name = self._words.get("tab", SECTIONS[0].name)
        if name not in self._sections:
            self._problem = _no_section(name)
            name = SECTIONS[0].name
        self._show(name)

    @property
    def _sections(self) -> dict[str, Section]:
        return {section.name: section for section in SECTIONS}

    def _first_bench(self) -> Bench:
        try:
            return bench_of(self._words)
        except KitError as error:
            self._problem = error
            for name in ("own", "position"):
                self._words.pop(name, None)
            return bench_of({})

    # --- opening a section --------------------------------------------------------------------

    @traitlets.observe("request")
    def _on_request(self, change: Any) -> None:
        name = change["new"].get("tab")
        self._problem = None
        if not isinstance(name, str) or name not in self._sections:
            self._say(_no_section(name))
            return
        self._show(name)
        self._name_address()

    def _show(self, name: str) -> None:
        """Open a section; what its widget cannot be made of is said in its place."""
        section = self._sections[name]
        self.set_trait("tab", name)
        part = section.depends(self._bench)
        if name not in self.shown or self._built_from[name] != part:
            self._take_away(name)
            self._build(section, part)
        self.set_trait("lead", self._lead_of(name))
        self._say(self._problem)

    def _lead_of(self, name: str) -> dict[str, str]:
        """Say what the position editor sets for a section, and offer the way there."""
        say = self._lang.say
        if name in ("turn", "players"):
            text = say("Position: {text}", text=format_position(self._bench.state))
            return {"text": text, "button": say("Change the position")}
        if name == "odds" and self._bench.own is None:
            text = say("Dice of your own can be opened beside the position; they count here too.")
            return {"text": text, "button": say("Any position")}
        return {}

    def _build(self, section: Section, part: object) -> None:
        try:
            widget = self._built(section)
        except KitError as error:
            self._problem = error
            return
        except Exception:
            # The person reads a plain sentence; the trace belongs into the log.
            _LOG.exception("section %s", section.name)
            self._problem = SettingError("Something went wrong. Nothing has changed; please go on.")
            return
        self._built_from[section.name] = part
        widget.observe(self._on_view, "view")
        self.set_trait("shown", {**self.shown, section.name: widget})

    def _built(self, section: Section) -> Widget:
        """Make the widget of a section; words of the address that will not do are left out."""
        try:
            return section.build(self._bench, self._words, self._lang)
        except KitError as error:
            own = self._words.keys() & set(section.names)
            if not own:
                raise
            for name in own:
                del self._words[name]
            widget = section.build(self._bench, self._words, self._lang)
            self._problem = error
            return widget

    def _take_away(self, name: str) -> None:
        """Close a widget that shows what does not hold any more."""
        old = self.shown.get(name)
        if old is None:
            return
        self.set_trait("shown", {key: one for key, one in self.shown.items() if key != name})
        old.layout.close()  # a widget of its own, which would stay
        old.close()
        # Its target and so on were those of another position.
        for word in self._sections[name].names if name != "odds" else ():
            self._words.pop(word, None)

    def _say(self, problem: KitError | None) -> None:
        self.set_trait("notice", "" if problem is None else self._lang.error(problem))

    # --- following what is set ----------------------------------------------------------------

    def _on_view(self, change: Any) -> None:
        widget = change["owner"]
        name = next((name for name, one in self.shown.items() if one is widget), None)
        if name is None:
            return
        self._words.update(self._sections[name].words(widget))
        if name == "position":
            self._follow(widget)
        self._problem = None
        self._say(None)
        self._name_address()

    def _follow(self, editor: Any) -> None:
        """Put dice of one's own on the bench, and the position of the editor if it is sound."""
        dice_set = editor.dice_set
        own = self._bench.own if dice_set.name in SHIPPED else dice_set
        try:
            state = editor.state
        except KitError:
            state = self._bench.state
        self._bench = Bench(state, own)
        # The address may name one set only; an older position may be one with another.
        names = {*SHIPPED, "" if own is None else own.name}
        if state.rules.dice_set.name in names:
            self._words["position"] = format_position(state)
        if own is not None:
            self._words["own"] = format_dice(own)

    def _name_address(self) -> None:
        self.set_trait("address", format_address({**self._words, "tab": self.tab}))


def _no_section(name: object) -> SettingError:
    known = ", ".join(section.name for section in SECTIONS)
    return SettingError("{value!r}: expected one of {known}", value=name, known=known)


def build_lab(environment: Mapping[str, str] | None = None) -> Laboratory:
    """Return what the page shows.

    Parameters
    ----------
    environment : mapping, optional
        ``QUERY_STRING`` and ``SKYLINE_LANGUAGE`` of the request; the environment of the process
        if left out.
    """
    request = os.environ if environment is None else environment
    language = request.get("SKYLINE_LANGUAGE", "")
    return Laboratory(
        request.get("QUERY_STRING", ""), language=language if language in LANGUAGES else "en"
    )
