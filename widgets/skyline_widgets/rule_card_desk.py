"""The desk of rule cards: choose a card, change its lines, and see at once what it costs.

All prices are exact and those of the practice game, online edition (`skyline_kernel`'s
`coach.pricing`); a price takes some hundredths of a second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from textwrap import shorten
from typing import Any, Final

from skyline_kernel.errors import SettingError
from skyline_kernel.skyline.coach.cards import card_html, card_svg, card_text
from skyline_kernel.skyline.coach.conditions import Condition
from skyline_kernel.skyline.coach.costs import LineCost, cost_by_line
from skyline_kernel.skyline.coach.deeds import Do
from skyline_kernel.skyline.coach.pricing import Price, price
from skyline_kernel.skyline.coach.remembered import CARDS, COSTS
from skyline_kernel.skyline.coach.rules import FALLBACK, Card, Line
from skyline_kernel.skyline.coach.vocabulary import builds, conditions, others, takes

from . import lab_items as items
from .charts import BarChart, Series, chart_csv, svg_text
from .lab_base import File, LabWidget, flag_in, lab_style, word_in
from .lab_items import Item
from .language import Language
from .words import choice_words, part_words, say_sentence

__all__ = ["RuleCardDesk"]

MOST_LINES: Final = 16
_OWN: Final = "own"
_ALWAYS: Final = "always"

_GROUPS: Final[Mapping[str, Callable[[], tuple[Do, ...]]]] = {
    "take": takes,
    "build": builds,
    "other": others,
}


@dataclass(frozen=True, slots=True)
class Desk:
    """A card that is being looked at.

    Parameters
    ----------
    lines : tuple of Line
    is_on : tuple of bool
        Which of them count, shape ``(n_lines,)``.
    price : Price
        Of the card of the lines that count.
    chosen : int
        Which line is moved or taken out.
    group, deed, condition : str, int, str
        What a new line will say; the condition is a number or ``always``.
    costs : tuple of LineCost
        Of the lines that count; empty until they are asked for.
    """

    lines: tuple[Line, ...]
    is_on: tuple[bool, ...]
    price: Price
    chosen: int = 0
    group: str = "build"
    deed: int = 0
    condition: str = _ALWAYS
    costs: tuple[LineCost, ...] = ()

    @property
    def card(self) -> Card:
        """The card of the lines that count."""
        return Card(tuple(line for line, on in zip(self.lines, self.is_on, strict=True) if on))

    def with_lines(self, lines: Sequence[Line], is_on: Sequence[bool], chosen: int) -> Desk:
        """Return the desk with other lines, priced."""
        card = Card(tuple(line for line, on in zip(lines, is_on, strict=True) if on))
        chosen = min(max(chosen, 0), max(len(lines) - 1, 0))
        return replace(
            self,
            lines=tuple(lines),
            is_on=tuple(is_on),
            price=self.price if card == self.card else price(card),
            chosen=chosen,
            costs=self.costs if card == self.card else (),
        )


class RuleCardDesk(LabWidget[Desk]):
    """Read, change and price rule cards.

    A shipped card or one of your own is shown line by line.  Lines can be switched off, moved,
    taken out and added; the price follows at once.  On demand the price is split into lines.

    Parameters
    ----------
    card : Card, optional
        Of at most sixteen lines; left out, the simplest shipped one that costs less than ten points.
    language : str, optional
        ``de`` or ``en``; that of the place if left out.
    theme : str
        ``auto``, ``light`` or ``dark``.

    Raises
    ------
    SettingError
        If the card has more lines.

    Examples
    --------
    >>> desk = RuleCardDesk(language="en")
    >>> desk.act("set", name="line-0", value=False)
    >>> desk.card.lines == desk.lines[1:]
    True
    """

    _css = lab_style("rule_card_desk.css")

    def __init__(
        self, card: Card | None = None, *, language: str | None = None, theme: str = "auto"
    ) -> None:
        lines = (_usual_card() if card is None else card).lines
        _verify_size(len(lines))
        empty = Desk((), (), price(Card(())))
        state = empty.with_lines(lines, (True,) * len(lines), 0)
        super().__init__(state, language=language, theme=theme)

    @property
    def card(self) -> Card:
        """The card of the lines that are switched on."""
        return self._state.card

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines, in order."""
        return self._state.lines

    @property
    def price(self) -> Price:
        """What `card` is worth in the practice game."""
        return self._state.price

    def _title(self, lang: Language) -> str:
        return lang.say("Rules to remember")

    # --- commands -------------------------------------------------------------------------------

    def _next(self, state: Desk, command: Mapping[str, Any]) -> Desk:
        match command.get("do"):
            case "set":
                return _set(state, str(command.get("name")), command)
            case "up":
                return _moved(state, -1)
            case "down":
                return _moved(state, 1)
            case "remove":
                return _without_chosen(state)
            case "add":
                return _with_new_line(state)
            case "costs":
                return replace(state, costs=cost_by_line(state.card))
        raise SettingError("{name!r}: there is no such command", name=command.get("do"))

    # --- drawing --------------------------------------------------------------------------------

    def _sections(self, state: Desk, lang: Language) -> list[Item]:
        return [_card_panel(state, lang), _price_panel(state, lang), _curve_panel(state, lang)]

    def _file(self, state: Desk, name: str, lang: Language) -> File:
        say = partial(say_sentence, lang=lang)
        match name:
            case "card.txt":
                return File("text/plain", card_text(state.card, state.price, say=say))
            case "card.html":
                return File("text/html", card_html(state.card, state.price, say=say))
            case "card.svg":
                return File("image/svg+xml", card_svg(state.card, state.price, say=say))
            case "curve.csv":
                return File("text/csv", chart_csv(_curve(state, lang)))
            case "curve.svg":
                return File("image/svg+xml", svg_text(_curve(state, lang), lang))
        return super()._file(state, name, lang)


def _usual_card() -> Card:
    return next(card for card, cost in zip(CARDS, COSTS, strict=True) if cost < _GOOD)


_GOOD: Final = 10.0


def _verify_size(n_lines: int) -> None:
    if n_lines > MOST_LINES:
        raise SettingError("{n} lines: expected at most {most}", n=n_lines, most=MOST_LINES)


# --- commands -----------------------------------------------------------------------------------


def _set(state: Desk, name: str, command: Mapping[str, Any]) -> Desk:
    match name:
        case "card":
            numbers = [str(number) for number in range(len(CARDS))]
            lines = CARDS[int(word_in(command, numbers))].lines
            return state.with_lines(lines, (True,) * len(lines), 0)
        case "chosen":
            return replace(state, chosen=_number(command, len(state.lines)))
        case "group":
            return replace(state, group=word_in(command, _GROUPS), deed=0)
        case "deed":
            return replace(state, deed=_number(command, len(_GROUPS[state.group]())))
        case "condition":
            known = [_ALWAYS, *map(str, range(len(conditions())))]
            return replace(state, condition=word_in(command, known))
    return _switched(state, name, is_on=flag_in(command))


def _number(command: Mapping[str, Any], n: int) -> int:
    return int(word_in(command, [str(number) for number in range(n)]))


def _switched(state: Desk, name: str, *, is_on: bool) -> Desk:
    names = [f"line-{number}" for number in range(len(state.lines))]
    if name not in names:
        raise SettingError("{name!r}: there is no such setting", name=name)
    switches = list(state.is_on)
    switches[names.index(name)] = is_on
    return state.with_lines(state.lines, switches, state.chosen)


def _moved(state: Desk, step: int) -> Desk:
    here, there = state.chosen, state.chosen + step
    if not 0 <= there < len(state.lines):
        return state
    lines, switches = list(state.lines), list(state.is_on)
    lines[here], lines[there] = lines[there], lines[here]
    switches[here], switches[there] = switches[there], switches[here]
    return state.with_lines(lines, switches, there)


def _without_chosen(state: Desk) -> Desk:
    here = state.chosen
    lines = state.lines[:here] + state.lines[here + 1 :]
    return state.with_lines(lines, state.is_on[:here] + state.is_on[here + 1 :], here)


def _with_new_line(state: Desk) -> Desk:
    """Put the new line before the chosen one."""
    _verify_size(len(state.lines) + 1)
    line, here = _new_line(state), state.chosen
    lines = (*state.lines[:here], line, *state.lines[here:])
    return state.with_lines(lines, (*state.is_on[:here], True, *state.is_on[here:]), here)


def _new_line(state: Desk) -> Line:
    when: tuple[Condition, ...] = ()
    if state.condition != _ALWAYS:
        when = (conditions()[int(state.condition)],)
    return Line(_GROUPS[state.group]()[state.deed], when)


# --- drawing ------------------------------------------------------------------------------------


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _words(line: Line | Do | Condition, lang: Language) -> str:
    return _capital(say_sentence(line.words, lang))


def _card_panel(state: Desk, lang: Language) -> Item:
    switches = [
        items.toggle(f"line-{number}", f"{number + 1}. {_words(line, lang)}", value=on)
        for number, (line, on) in enumerate(zip(state.lines, state.is_on, strict=True))
    ]
    # Controls that follow each other share a row, so a text stands between those of different use.
    return items.section(
        "rule-card",
        lang.say("Card"),
        [
            _card_choice(state, lang),
            items.text(lang.say("Go down the list and do the first thing that you can.")),
            *switches,
            *(items.text(say_sentence(words, lang)) for words in FALLBACK[1:]),
            *_movers(state, lang),
            *_adders(state, lang),
            items.text(lang.say("Print or keep the card")),
            items.savers(lang, "card.txt", "card.html", "card.svg"),
        ],
    )


def _card_choice(state: Desk, lang: Language) -> Item:
    shipped = [
        (
            str(number),
            lang.say(
                "{n} words: {cost} points behind best play",
                n=card.complexity,
                cost=lang.number(cost, 1),
            ),
        )
        for number, (card, cost) in enumerate(zip(CARDS, COSTS, strict=True))
    ]
    here = str(CARDS.index(state.card)) if state.card in CARDS else _OWN
    own = [(_OWN, lang.say("your own card"))] if here == _OWN else []
    return items.choice("card", lang.say("Card from the search"), here, [*own, *shipped])


def _movers(state: Desk, lang: Language) -> list[Item]:
    if not state.lines:
        return []
    numbers = [(str(n), _short(n, line, lang)) for n, line in enumerate(state.lines)]
    return [
        items.choice("chosen", lang.say("Line to move"), str(state.chosen), numbers),
        items.buttons(
            (lang.say("Up"), {"do": "up"}),
            (lang.say("Down"), {"do": "down"}),
            (lang.say("Take out"), {"do": "remove"}),
        ),
    ]


_SHORT: Final = 44


def _short(number: int, line: Line, lang: Language) -> str:
    return shorten(f"{number + 1}. {_words(line, lang)}", _SHORT, placeholder=" …")


def _adders(state: Desk, lang: Language) -> list[Item]:
    groups = (
        ("take", lang.say("taking dice")),
        ("build", lang.say("building")),
        ("other", lang.say("rolling again and using up")),
    )
    deeds = [(str(n), _words(do, lang)) for n, do in enumerate(_GROUPS[state.group]())]
    when = [(_ALWAYS, lang.say("always"))]
    when += [
        (str(n), lang.say("if {condition}", condition=part_words(one.words, lang)))
        for n, one in enumerate(conditions())
    ]
    return [
        items.choice("group", lang.say("New line about"), state.group, groups),
        items.choice("condition", lang.say("When"), state.condition, when),
        items.choice("deed", lang.say("What to do"), str(state.deed), deeds),
        items.buttons((lang.say("Add before the line to move"), {"do": "add"})),
    ]


def _price_panel(state: Desk, lang: Language) -> Item:
    told = lang.say(
        "Expected final score {expected}; best play gets {best}, {cost} more.",
        expected=lang.number(state.price.expected),
        best=lang.number(state.price.best),
        cost=lang.number(state.price.cost),
    )
    size = lang.say(
        "{n} words to remember: each thing to do or to count and each condition is one.",
        n=state.card.complexity,
    )
    ask = items.buttons((lang.say("What does each line cost?"), {"do": "costs"}))
    lead = lang.say(
        "What is lost where a line decides, by the exact chances to get there with this card."
        " The costs add up to the price."
    )
    split = [items.text(lead), _cost_table(state, lang)] if state.costs else [ask]
    return items.section(
        "rule-price",
        lang.say("Price"),
        [items.note(told, "plain"), items.text(size), *split],
    )


def _cost_table(state: Desk, lang: Language) -> Item:
    lines = state.card.lines
    rows = []
    for one in state.costs:
        is_line = one.line < len(lines)
        who = _short(one.line, lines[one.line], lang) if is_line else lang.say("none of the lines")
        rows.append([who, lang.number(one.n_decisions), lang.number(one.cost), _slip(one, lang)])
    worst = max(range(len(rows)), key=lambda place: state.costs[place].cost)
    head = (
        lang.say("Line"),
        lang.say("decisions a game"),
        lang.say("points lost"),
        lang.say("most of it where"),
    )
    return items.table(lang.say("Cost of each line"), head, rows, [worst])


def _slip(one: LineCost, lang: Language) -> str:
    if one.slip is None:
        return "–"
    state = one.slip.state
    columns = ",".join(map(str, state.skyline)) or "–"
    dice = ",".join(map(str, state.dice))
    where = f"{columns} · {dice}" if dice else columns
    return lang.say(
        "round {round}, {where}: {chosen} instead of {better}",
        round=state.round,
        where=where,
        chosen=choice_words(one.slip.action, lang),
        better=choice_words(one.slip.better, lang),
    )


def _curve_panel(state: Desk, lang: Language) -> Item:
    lead = lang.say(
        "Each bar is the cheapest card that the search found with so many words."
        " The more there is to remember, the less is lost."
    )
    return items.section(
        "rule-curve",
        lang.say("Words and cost"),
        [
            items.text(lead),
            *items.chart(_curve(state, lang), lang),
            items.savers(lang, "curve.csv", "curve.svg"),
        ],
    )


def _curve(state: Desk, lang: Language) -> BarChart:
    labels = [str(card.complexity) for card in CARDS]
    costs = list(COSTS)
    marked = {CARDS.index(state.card)} if state.card in CARDS else set()
    if not marked:
        labels.append(lang.say("yours ({n})", n=state.card.complexity))
        costs.append(state.price.cost)
        marked = {len(costs) - 1}
    texts = tuple(lang.number(cost) for cost in costs)
    bars = Series(lang.say("points behind best play"), tuple(costs), texts)
    axis = lang.say("words to remember")
    return BarChart(
        lang.say("Words and cost"), axis, tuple(labels), (bars,), marked=frozenset(marked)
    )
